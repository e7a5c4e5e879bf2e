"""Words as glyphs: text cut into runs of one font, direction, and script, which HarfBuzz shapes word by word."""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby, pairwise
from typing import NamedTuple

from cardgen.diagnostic import CardgenError
from cardgen.language import base_language
from cardgen.language import script_of as script_of_language
from cardgen.text.fonts import INVISIBLE, Font, damage
from cardgen.text.harfbuzz import PLAIN_SCRIPTS, ShapedGlyph, script_of
from cardgen.text.lines import Glyph

# Spaces of all widths, which need no glyph.
SPACES = " \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
# Characters drawn differently: all spaces as plain ones, with their own advances, and the no-break hyphen as a hyphen.
PLAIN_SPACES = str.maketrans(dict.fromkeys(SPACES, " "))
NO_BREAK_HYPHEN, SOFT_HYPHEN = "\u2011", "\u00ad"
# Letters of Latin, Greek, and Cyrillic, and signs: each is one glyph, and needs no run of its own.
_SIMPLE = re.compile("[\0-\u02ff\u0370-\u0482\u048a-\u052f\u1e00-\u200a\u2010-\u2029\u202f-\u205f\u2070-\u2bff"
                     "\u2e00-\u2e7f\ue000-\uf8ff\ufb00-\ufb06\ufffc]*")  # fmt: skip
# Texts whose lines are as high as the letters of the font say; other letters are measured.
_LOW = re.compile("[\0-\u02ff\u0370-\u0482\u048a-\u052f\u1e00-\u1e9f\u1f00-\u2bff\u2e00-\u2e7f\ue000-\uf8ff\ufffc]*")
# Scripts whose letters touch, so that there is no space between them.
UNTRACKED = frozenset({"Arab", "Syrc", "Nkoo", "Mong", "Mand", "Adlm", "Phag", "Rohg", "Deva", "Beng", "Guru"})
# One script for the kinds of letters that Japanese and Chinese mix.
_HAN = {"Hira": "Hani", "Kana": "Hani", "Bopo": "Hani"}
_MAX_CACHED_WORDS = 1 << 16
WORD = re.compile(r"\S+\s?|\s")
# They choose between a picture and a plain sign ('⚔' with U+FE0F), and have no glyph.
_SELECTORS = str.maketrans("", "", "\ufe0e\ufe0f")
# Characters that any font can print: as a space, as a hyphen, or not at all.
_ALWAYS_THERE = frozenset((*SPACES, NO_BREAK_HYPHEN))


class Shaping(NamedTuple):
    """What a run is shaped for: its script (ISO 15924; '' for any), a tag of its language, and its level (UAX 9)."""

    script: str = ""
    language: str = ""
    level: int = 0


PLAIN = Shaping()


class ShapedWord(NamedTuple):
    """A word: the advance of each character, in thousandths of the size, and its extent above and below the baseline.

    If several characters form a cluster (a letter and its mark), the first has the whole advance. `glyphs` are from
    left to right; there are none if each character is its own glyph. The extent is in em, and 0 for letters that are
    as high as a font usually says.
    """

    advances: array[float]
    glyphs: tuple[Glyph, ...] = ()
    top: float = 0.0
    bottom: float = 0.0


class TextRun(NamedTuple):
    """Part of a text in one font."""

    text: str
    font: Font
    shaping: Shaping


def normalize(text: str) -> str:
    """Compose letters and accents (NFC), so that they share a glyph, and drop selectors of variations."""
    return text if text.isascii() else unicodedata.normalize("NFC", text).translate(_SELECTORS)


def is_simple(text: str) -> bool:
    """Return whether a text can be shaped as a whole, from left to right."""
    return text.isascii() or _SIMPLE.fullmatch(text) is not None


def joins(character: str) -> bool:
    """Return whether a character belongs to the one before it: a mark, or a joiner."""
    return character >= "\u0300" and (unicodedata.category(character)[0] == "M" or character in "\u200c\u200d")


@lru_cache(maxsize=_MAX_CACHED_WORDS)
def shape_word(font: Font, word: str, shaping: Shaping = PLAIN) -> ShapedWord:
    """Shape one word or space.

    Characters that the font lacks are added to its `missing_characters`. Raises CardgenError if the font replaces
    letters by too many others, or if the outline of one is damaged.
    """
    face, right_to_left = font.face, shaping.level % 2 == 1
    advances = array("d", [0.0] * len(word))
    try:
        shaped = list(face.shape(word, shaping.script, shaping.language, right_to_left=right_to_left))
    except OverflowError as error:
        raise CardgenError(damage(font.path, error)) from None
    own = [face.glyph_of(character) for character in word]
    if damaged := next(filter(face.has_damaged_glyph, word), ""):
        raise CardgenError(damage(font.path, ValueError(f"it draws nothing for '{damaged}'")))
    for glyph in shaped:
        advances[glyph.cluster] += glyph.advance * 1000
    font.missing_characters.update(
        character
        for character in word
        if not face.has_glyph(character) and character not in SPACES and not INVISIBLE.match(character)
    )
    plain = (
        not right_to_left
        and [glyph.cluster for glyph in shaped] == list(range(len(word)))
        and all(
            glyph.number == number or word[glyph.cluster] in SPACES for glyph, number in zip(shaped, own, strict=True)
        )
        and not any(glyph.dx or glyph.dy for glyph in shaped)
    )
    top = bottom = 0.0
    if not _LOW.fullmatch(word):
        extents = [(face.glyph_extent(glyph.number), glyph.dy) for glyph in shaped]
        top = max(above + dy for (above, _), dy in extents)
        bottom = max(below - dy for (_, below), dy in extents)
    if plain:
        return ShapedWord(advances, (), top, bottom)
    starts = sorted({glyph.cluster for glyph in shaped})
    texts = {start: word[start:stop].translate(PLAIN_SPACES) for start, stop in pairwise([*starts, len(word)])}
    clusters = groupby(shaped, key=lambda glyph: glyph.cluster)
    return ShapedWord(advances, tuple(_glyph(texts[start], list(group)) for start, group in clusters), top, bottom)


def _glyph(text: str, cluster: list[ShapedGlyph]) -> Glyph:
    pen, parts = 0.0, []
    for number, _, advance, dx, dy in cluster:
        parts.append((number, (pen + dx) * 1000, dy * 1000))
        pen += advance
    return Glyph(text, pen * 1000, tuple(parts))


def shape_words(font: Font, text: str, shaping: Shaping = PLAIN) -> list[ShapedWord]:
    """Shape a text word by word."""
    return [shape_word(font, word, shaping) for word in WORD.findall(text)]


def glyphs_of(font: Font, text: str, shaping: Shaping) -> Iterator[Glyph]:
    """Yield the glyphs of a text from left to right."""
    words = WORD.findall(text)
    for word in reversed(words) if shaping.level % 2 else words:
        shaped = shape_word(font, word, shaping)
        if shaped.glyphs:
            yield from shaped.glyphs
            continue
        for character, advance in zip(word, shaped.advances, strict=True):
            yield Glyph(character.translate(PLAIN_SPACES), advance, ((font.face.glyph_of(character), 0.0, 0.0),))


def missing_characters(font: Font, text: str) -> str:
    """Return the characters of a text that the font lacks, each once.

    The text must have been shaped in this font before.
    """
    return "".join(dict.fromkeys(filter(font.missing_characters.__contains__, text))) if font.missing_characters else ""


def cut_runs(
    text: str, levels: Sequence[int], language: str, choose: Callable[[str, str], Font | None]
) -> Iterator[TextRun]:
    """Cut a text into runs of one level, script, and font.

    `choose` returns the font of a cluster in a script, or None for that of the cluster before it.
    Characters that many scripts use belong to the script before them, or at the beginning of the text after them.
    """
    scripts = [_HAN.get(script, script) for script in map(script_of, text)]
    before = next(filter(None, scripts), "")
    for place, script in enumerate(scripts):
        before = scripts[place] = script or before
    clusters: list[tuple[str, str, int]] = []
    for character, script, level in zip(text, scripts, levels, strict=True):
        if clusters and (joins(character) or INVISIBLE.match(character)):
            before, *rest = clusters[-1]
            clusters[-1] = (before + character, *rest)  # type: ignore[assignment]  # of the same two
        else:
            clusters.append((character, script, level))
    fonts = [choose(cluster, script) for cluster, script, _ in clusters]
    font = next(filter(None, fonts), None) or choose(".", "")
    keyed = []
    for (cluster, script, level), chosen in zip(clusters, fonts, strict=True):
        font = chosen or font
        keyed.append((cluster, (font, Shaping("" if script in PLAIN_SCRIPTS else script, language, level))))
    for (font, shaping), group in groupby(keyed, key=lambda each: each[1]):
        assert font is not None, "every text has a font for a full stop"
        yield TextRun("".join(cluster for cluster, _ in group), font, shaping)


def written_in(script: str, language: str) -> str:
    """Return the script that decides the font of letters: for Chinese characters, that of the text's language.

    It is Jpan, Kore, Hans, or Hant, and Japanese where the language is none of these.
    """
    if script == "Hang":
        return "Kore"
    if script != "Hani":
        return script
    return script_of_language(language) if base_language(language) in ("zh", "yue", "ko") else "Jpan"


def lacks(font: Font, cluster: str) -> bool:
    """Return whether a font lacks any character of a cluster that has to be drawn."""
    face = font.face
    for each in {*cluster} - face.drawable:
        if each not in _ALWAYS_THERE and not INVISIBLE.match(each) and not face.has_glyph(each):
            return True
        face.drawable.add(each)
    return False
