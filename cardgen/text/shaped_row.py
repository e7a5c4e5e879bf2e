"""Shape a paragraph into one row of characters with advance widths."""

from __future__ import annotations

import re
import unicodedata
from array import array
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, repeat
from operator import attrgetter
from typing import NamedTuple

from cardgen.diagnostic import CardgenError
from cardgen.text.fonts import Font, Fonts, damage
from cardgen.text.icons import Icons
from cardgen.text.lines import Outline, Style
from cardgen.text.markup import Icon, Paragraph, Phrase

# Spaces of all widths, which need no glyph.
SPACES = " \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_MAX_CACHED_WORDS = 1 << 16
# Sentences recur on other cards, after a different name.
_MAX_CACHED_TEXTS = 1 << 10
_WORD = re.compile(r"\S+\s?|\s")


def normalize(text: str) -> str:
    """Compose letters and accents (NFC), so that they share a glyph."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


@lru_cache(maxsize=_MAX_CACHED_WORDS)
def shape_word(font: Font, word: str) -> array[float]:
    """Shape one word or space; return the advance of each character.

    Text is kerned, without ligatures, from left to right. Advances are in thousandths of the size. If several
    characters form a cluster (a letter and its combining mark), the first has the whole advance. Glyph offsets are
    ignored, so scripts that need them (Arabic, Devanagari) are not supported. Characters that the font lacks are added
    to its `missing_characters`. Raises CardgenError if the font replaces letters by too many others.
    """
    advances = array("d", [0.0] * len(word))
    try:
        for index, advance in font.face.shape(word):
            advances[index] += advance * 1000
    except OverflowError as error:
        raise CardgenError(damage(font.path, error)) from None
    font.missing_characters.update(
        character for character in word if not (font.face.has_glyph(character) or character in SPACES)
    )
    return advances


def shape_text(font: Font, text: str) -> array[float]:
    """Return the advances of a text, shaped word by word."""
    return array("d", b"".join(map(shape_word, repeat(font), _WORD.findall(text))))


def missing_characters(font: Font, text: str) -> str:
    """Return the characters of a text that the font lacks, each once.

    The text must have been shaped in this font before.
    """
    return "".join(dict.fromkeys(filter(font.missing_characters.__contains__, text))) if font.missing_characters else ""


# Placeholder character of an icon.
ICON_PLACEHOLDER = "\ufffc"
SOFT_HYPHEN = "\u00ad"
# Size of an icon as a multiple of the cap height, and the space on each side as a multiple of its size.
ICON_SIZE, ICON_BEARING = 1.2, 0.06
# Characters drawn differently: all spaces as plain ones, with their own advances, and the no-break hyphen as a hyphen.
_PLAIN_SPACES = str.maketrans(dict.fromkeys(SPACES, " "))
_NO_BREAK_HYPHEN = "\u2011"


class _ShapedText(NamedTuple):
    """Text of one font: `text` is drawn, and `source` is the same with no-break spaces and hyphens."""

    source: str
    text: str
    advances: array[float]
    soft_hyphens: tuple[int, ...]
    missing: str


@lru_cache(maxsize=_MAX_CACHED_TEXTS)
def _shape_source(font: Font, markup: str) -> _ShapedText:
    """Shape the text of a phrase, which may have soft hyphens."""
    *heads, tail = normalize(markup).split(SOFT_HYPHEN)
    source = "".join((*heads, tail))
    drawn = source.replace(_NO_BREAK_HYPHEN, "-")
    text = drawn if drawn.isascii() else drawn.translate(_PLAIN_SPACES)
    advances = shape_text(font, drawn)
    return _ShapedText(source, text, advances, tuple(accumulate(map(len, heads))), missing_characters(font, drawn))


@dataclass(slots=True, eq=False)
class StyledRun:
    """Characters `start` to `stop` of a row in one style.

    An icon is a run of its own.
    """

    start: int
    stop: int
    font: Font
    colour: str
    name: str = ""
    outline: Outline | None = None
    link: str = ""


_STOP = attrgetter("stop")


@dataclass(slots=True, eq=False)
class ShapedRow:
    """Paragraph in one row.

    `text` is drawn, and `source` is the same with no-break spaces and hyphens. `advances` has one number per character,
    and `pen_positions` their cumulative sums (one more); both are in thousandths of the size and include tracking.
    `soft_hyphens` are the offsets of the author's soft hyphens.
    """

    text: str
    source: str
    advances: array[float]
    pen_positions: list[float]
    styled_runs: list[StyledRun]
    tracking: float
    soft_hyphens: list[int]
    missing: str
    unknown_icons: list[str]

    @property
    def width(self) -> float:
        """The width on one line, without the tracking after the last character."""
        return self.pen_positions[-1] - self.tracking

    def run_index_at(self, character: int) -> int:
        """Return the index of the styled run that contains a character."""
        return bisect_right(self.styled_runs, character, key=_STOP)


class _RowBuilder:
    """Builds a row from the parts of a paragraph."""

    def __init__(self, style: Style, fonts: Fonts, icons: Icons) -> None:
        self._style, self._fonts, self._icons = style, fonts, icons
        self._tracking = style.tracking * 1000
        self._texts: list[str] = []
        self._sources: list[str] = []
        self._advances = array("d")
        self._styled_runs: list[StyledRun] = []
        self._soft_hyphens: list[int] = []
        self._missing = ""
        self._unknown_icons: list[str] = []

    def add(self, part: Phrase | Icon) -> None:
        style = self._style
        font = self._fonts.font(style.family, style.bold or part.bold, style.italic != part.italic)
        colour = style.emphasis if part.bold and style.emphasis else style.colour
        if isinstance(part, Icon):
            self._add_icon(part.name, font, colour)
        else:
            self._add_text(part.text, font, colour, part.link)

    def _add_text(self, text: str, font: Font, colour: str, link: str = "") -> None:
        start, tracking = len(self._advances), self._tracking
        source, drawn, advances, soft_hyphens, missing = _shape_source(font, text.upper() if self._style.caps else text)
        if soft_hyphens:
            self._soft_hyphens += [start + offset for offset in soft_hyphens]
            if not source:
                return
        self._sources.append(source)
        self._texts.append(drawn)
        self._advances += array("d", [advance + tracking for advance in advances]) if tracking else advances
        self._styled_runs.append(StyledRun(start, len(self._advances), font, colour, link=link))
        self._missing += missing

    def _add_icon(self, name: str, font: Font, colour: str) -> None:
        outline = self._icons.find(name)
        if outline is None:
            self._unknown_icons.append(name)
            self._add_text(f"{{{name}}}", font, colour)
            return
        start = len(self._advances)
        size = font.cap_height * ICON_SIZE
        self._sources.append(ICON_PLACEHOLDER)
        self._texts.append(ICON_PLACEHOLDER)
        self._advances.append((outline.width + 2 * ICON_BEARING) * size * 1000 + self._tracking)
        self._styled_runs.append(StyledRun(start, start + 1, font, colour, name, outline))

    def build(self) -> ShapedRow:
        return ShapedRow(
            "".join(self._texts),
            "".join(self._sources),
            self._advances,
            list(accumulate(self._advances, initial=0.0)),
            self._styled_runs,
            self._tracking,
            self._soft_hyphens,
            "".join(dict.fromkeys(self._missing)),
            self._unknown_icons,
        )


def shape_paragraph(paragraph: Paragraph, style: Style, fonts: Fonts, icons: Icons) -> ShapedRow:
    """Shape a paragraph, independently of the style's size and leading.

    Raises ValueError if the style's family is unknown or an icon's file cannot be used.
    """
    builder = _RowBuilder(style, fonts, icons)
    for part in paragraph:
        builder.add(part)
    return builder.build()


def missing_in_rows(rows: Iterable[ShapedRow]) -> str:
    """Return the characters that the rows' fonts lack, each once."""
    return "".join(dict.fromkeys("".join([row.missing for row in rows])))


def unknown_in_rows(rows: Iterable[ShapedRow]) -> tuple[str, ...]:
    """Return the unknown icon names in all rows, each once."""
    return tuple(dict.fromkeys([name for row in rows for name in row.unknown_icons]))
