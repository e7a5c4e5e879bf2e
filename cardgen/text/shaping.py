"""Shaping: how far the pen moves for each character of a word, kerning included."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from cardgen.text.fonts import Font

# Spaces of all widths: they need no glyph.
SPACES = " \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_WORDS_KEPT = 1 << 16
_WORD = re.compile(r"\S+\s?|\s")


@dataclass(frozen=True, slots=True)
class Shaped:
    """A word in one font: an advance for each character, in thousandths of the size, and what the font lacks.

    Where several characters make one cluster (a letter and its combining mark) the first carries the whole advance.
    """

    advances: tuple[float, ...]
    missing: str


def normalised(text: str) -> str:
    """The text with its letters and accents composed (NFC), so that a character is a glyph wherever it can be."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


@lru_cache(maxsize=_WORDS_KEPT)
def shape_word(font: Font, word: str) -> Shaped:
    """Shape one word (or one space): kerned, without ligatures, from left to right.

    Only advances come out. Glyphs that a font moves up or sideways (marks without a composed character) are drawn
    where the pen stands; scripts that need more than that (Arabic, Devanagari) are not supported.
    """
    advances = [0.0] * len(word)
    for index, advance in font.face.shape(word):
        advances[index] += advance * 1000
    lacking = dict.fromkeys(character for character in word if not font.face.has(character) and character not in SPACES)
    return Shaped(tuple(advances), "".join(lacking))


def shape(font: Font, text: str) -> Shaped:
    """Shape a text word by word, each with the space behind it."""
    advances: list[float] = []
    missing = ""
    for word in _WORD.findall(text):
        shaped = shape_word(font, word)
        advances += shaped.advances
        if shaped.missing:
            missing += shaped.missing
    return Shaped(tuple(advances), missing)
