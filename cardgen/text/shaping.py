"""Shaping: how far the pen moves for each character of a word, kerning included."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import chain, repeat

from cardgen.text.fonts import Font

# Spaces of all widths: they need no glyph.
SPACES = " \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_MAX_CACHED_WORDS = 1 << 16
# Sentences come again on other cards, with a name of their own in front.
_MAX_CACHED_TEXTS = 1 << 12
_WORD = re.compile(r"\S+\s?|\s")


def normalize(text: str) -> str:
    """The text with its letters and accents composed (NFC), so that a character is a glyph wherever it can be."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


@lru_cache(maxsize=_MAX_CACHED_WORDS)
def shape_word(font: Font, word: str) -> tuple[float, ...]:
    """Shape one word (or one space), kerned, without ligatures, from left to right: an advance for each character.

    Advances are in thousandths of the size; where several characters make one cluster (a letter and its combining
    mark) the first carries the whole advance. Only advances come out: glyphs that a font moves up or sideways are
    drawn where the pen stands, and scripts that need more than that (Arabic, Devanagari) are not supported.
    Characters that the font does not have are noted in its `lacking`.
    """
    advances = [0.0] * len(word)
    for index, advance in font.face.shape(word):
        advances[index] += advance * 1000
    font.missing_characters.update(
        character for character in word if not (font.face.has_glyph(character) or character in SPACES)
    )
    return tuple(advances)


@lru_cache(maxsize=_MAX_CACHED_TEXTS)
def shape_text(font: Font, text: str) -> tuple[float, ...]:
    """The advances of a text, shaped word by word, each with the space behind it."""
    return tuple(chain.from_iterable(map(shape_word, repeat(font), _WORD.findall(text))))


def missing_characters(font: Font, text: str) -> str:
    """The characters of a text which the font lacks, each once; the text must have been shaped in it before."""
    return "".join(dict.fromkeys(filter(font.missing_characters.__contains__, text))) if font.missing_characters else ""
