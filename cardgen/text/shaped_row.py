"""Icons in text, and paragraphs shaped into one row of characters with advance widths."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, count, groupby, pairwise, repeat
from math import hypot
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place
from cardgen.language import upper
from cardgen.project.files import display_path, is_inside
from cardgen.text.fonts import Font, Fonts, damage, packaged_folders
from cardgen.text.harfbuzz import FontFace
from cardgen.text.lines import (
    ALIGNMENTS,
    Align,
    Icon,
    Marker,
    Outline,
    Paragraph,
    PathCommand,
    Phrase,
    SpanLook,
    Style,
)

# Runes generated from ids: icons for marks that nobody has drawn.
# A rune is a vertical stave with strokes and an ornament in three of the quarters beside it. The script is invented:
# every rune has an ornament, which the runes of history lack, and halves never mirror or rotate into each other, so
# that no rune looks like a cross, a star, or a historical symbol.

Point = tuple[float, float]
Polygon = tuple[Point, ...]

# Runes are drawn on a square of 100 units, y up. A quarter extends 36 units from the middle of the stave.
_SIDE, _MIDDLE, _STAVE, _STROKE = 100, 50, 11, 9
_UPPER, _LOWER = 53, 4
_BEAD = 8


def _stroke(*points: Point, width: float = _STROKE) -> tuple[Polygon, ...]:
    """Return a polygon for each line between neighboring points."""
    return tuple(_bar(start, end, width) for start, end in pairwise(points))


def _bar(start: Point, end: Point, width: float) -> Polygon:
    (x0, y0), (x1, y1) = start, end
    scale = width / 2 / hypot(x1 - x0, y1 - y0)
    across, along = (y1 - y0) * scale, (x1 - x0) * scale
    return (x0 + across, y0 - along), (x1 + across, y1 - along), (x1 - across, y1 + along), (x0 - across, y0 + along)


def _diamond(x: float, y: float, radius: float) -> Polygon:
    return (x, y - radius), (x + radius, y), (x, y + radius), (x - radius, y)


# The shapes of the upper right quarter: x from the middle of the stave, y from the lower edge of the quarter.
_STROKES: Mapping[str, tuple[Polygon, ...]] = {
    "rise": _stroke((0, 8), (35, 37)),
    "fall": _stroke((0, 35), (35, 6)),
    "bow": _stroke((0, 41), (30, 22), (0, 3)),
    "fork": _stroke((33, 41), (4, 22), (33, 3)),
    "double rise": (*_stroke((0, 3), (33, 20)), *_stroke((0, 22), (33, 39))),
    "double fall": (*_stroke((0, 41), (33, 24)), *_stroke((0, 22), (33, 5))),
    "post": (*_stroke((0, 14), (31, 31)), *_stroke((31, 42), (31, 2))),
}
_ORNAMENTS: Mapping[str, tuple[Polygon, ...]] = {
    "bead": (_diamond(24, 22, 13),),
    "tied bead": (*_stroke((0, 22), (18, 22)), _diamond(26, 22, 12)),
    "ring": _stroke((8, 22), (23, 37), (38, 22), (23, 7), (8, 22), width=7),
    "pennant": (((5, 43), (37, 31), (5, 19)),),
    "blade": (((5, 3), (37, 3), (5, 35)),),
}
_SHAPES: Mapping[str, tuple[Polygon, ...]] = {"": (), **_STROKES, **_ORNAMENTS}
# What a shape becomes when the rune is turned upside down; all other shapes stay what they are.
_TURNED = {"rise": "fall", "fall": "rise", "double rise": "double fall", "double fall": "double rise"}


class Rune(NamedTuple):
    """The shapes of a rune's quarters, and whether its stave ends in beads."""

    upper_left: str
    upper_right: str
    lower_left: str
    lower_right: str
    crown: bool
    foot: bool

    @property
    def is_valid(self) -> bool:
        """Whether it is easy to read, and of this script only."""
        quarters = self[:4]
        return (
            sum(map(bool, quarters)) == 3
            and sum(shape in _ORNAMENTS for shape in quarters) == 1
            and not (self.crown and self.foot)
            and self.upper_left != self.upper_right
            and self.lower_left != self.lower_right
            and not _is_turned(self.upper_left, self.lower_right)
            and not _is_turned(self.upper_right, self.lower_left)
        )

    @property
    def outline(self) -> Outline:
        """Its outline as an icon."""
        return Outline(tuple(map(_path, self._polygons())), 1.0)

    def _polygons(self) -> Iterator[Polygon]:
        top, bottom = 98 - _BEAD * 2 * self.crown, 2 + _BEAD * 2 * self.foot
        yield from _stroke((_MIDDLE, bottom), (_MIDDLE, top), width=_STAVE)
        yield from (_diamond(_MIDDLE, top + _BEAD, _BEAD + 2),) * self.crown
        yield from (_diamond(_MIDDLE, bottom - _BEAD, _BEAD + 2),) * self.foot
        for shape, sign, edge in zip(self[:4], (-1, 1, -1, 1), (_UPPER, _UPPER, _LOWER, _LOWER), strict=True):
            for polygon in _SHAPES[str(shape)]:
                placed = tuple((_MIDDLE + sign * x, edge + y) for x, y in polygon)
                yield placed[::sign]  # mirrored, it would wind the other way and leave holes


def _is_turned(one: str, other: str) -> bool:
    return bool(one) and _TURNED.get(one, one) == other


def _path(polygon: Polygon) -> tuple[PathCommand, ...]:
    first, *rest = [(x / _SIDE, y / _SIDE) for x, y in polygon]
    return ("M", *first), *(("L", *point) for point in rest), ("Z",)


def choose_runes(names: Iterable[str]) -> Mapping[str, Rune]:
    """Return a rune for each name; no two have the same quarters.

    A rune depends on its name only, unless a name before it has the same quarters.
    """
    chosen: dict[str, Rune] = {}
    for name in names:
        taken = {rune[:4] for rune in chosen.values()}
        chosen[name] = next(rune for rune in _candidates(name) if rune[:4] not in taken)
    return chosen


def _candidates(name: str) -> Iterator[Rune]:
    """Yield the valid runes of a name, in an order that only the name determines."""
    for attempt in count():
        digest = hashlib.sha256(f"{name}/{attempt}".encode()).digest()
        shapes = [tuple(_SHAPES)[byte % len(_SHAPES)] for byte in digest[:4]]
        rune = Rune(shapes[0], shapes[1], shapes[2], shapes[3], digest[4] % 4 == 0, digest[5] % 4 == 0)
        if rune.is_valid:
            yield rune


# Inline icons: SVG files of the project first, then Font Awesome.

# The code of art that cannot be drawn.
_FONT = Path("Font Awesome 7") / "Font Awesome 7 Free-Solid-900.otf"
# Font Awesome draws on an em square whose lower edge is an eighth below the baseline.
_LOWER_EDGE = -0.125
# No name that could point outside the folder.
_NAME = re.compile(r"\w[-\w. ]{0,99}")
_NO_ICONS = {".notdef", "space"}


class Icons:
    """Icons by name; each is read when first used.

    `folders` are searched for NAME.svg, in this order; `read` returns the icon in a file, or raises CardgenError with
    its problems. Without a file, the names in `generated` have a rune, and all
    other names an icon of Font Awesome.
    """

    def __init__(
        self,
        folders: Iterable[Path] = (),
        generated: Iterable[str] = (),
        *,
        read: Callable[[Path], Outline] | None = None,
    ) -> None:
        self._folders = tuple(folders)
        self._read = read
        self._runes = choose_runes(generated)
        self._cache: dict[str, Outline | None] = {}

    def find(self, name: str) -> Outline | None:
        """Return the outline of an icon; None if the name is unknown.

        Raises CardgenError, at its file, if that is not a valid icon.
        """
        if name not in self._cache:
            self._cache[name] = self._project_icon(name) or self._rune(name) or _font_awesome_icon(name)
        return self._cache[name]

    def is_project_icon(self, name: str) -> bool:
        """Return whether one of the folders has a file for the icon."""
        return bool(_NAME.fullmatch(name)) and any((folder / f"{name}.svg").is_file() for folder in self._folders)

    def names(self) -> tuple[str, ...]:
        """Return the names of all icons, sorted."""
        project_names = (path.stem for folder in self._folders for path in folder.glob("*.svg"))
        face = _font_awesome()
        return tuple(sorted({*project_names, *self._runes, *(face.glyph_names() if face else ())} - _NO_ICONS))

    def _rune(self, name: str) -> Outline | None:
        return self._runes[name].outline if name in self._runes else None

    def _project_icon(self, name: str) -> Outline | None:
        if not _NAME.fullmatch(name):
            return None
        paths = ((folder, folder / f"{name}.svg") for folder in self._folders)
        folder, path = next(((folder, path) for folder, path in paths if path.is_file()), (None, None))
        if folder is None or path is None or self._read is None:
            return None
        if not is_inside(folder, path):
            message = "the link points outside its folder"
            raise CardgenError(Diagnostic(Code.ART, message, Place(display_path(path)), "copy the file here"))
        return self._read(path)

    def unusable_files(self, root: Path) -> Iterator[Diagnostic]:
        """Yield the problems of all files in the folders below `root`."""
        own = (folder for folder in self._folders if folder.is_relative_to(root))
        for name in sorted({path.stem for folder in own for path in folder.glob("*.svg")}):
            try:
                self.find(name)
            except CardgenError as error:
                yield from error.diagnostics


@lru_cache(maxsize=1)
def built_in_icons() -> Icons:
    """Return the built-in icons."""
    return Icons()


@lru_cache(maxsize=1)
def _font_awesome() -> FontFace | None:
    paths = (folder / _FONT for folder in packaged_folders())
    return next((FontFace(path) for path in paths if path.is_file()), None)


def _font_awesome_icon(name: str) -> Outline | None:
    face = _font_awesome()
    outline = face.outline(name) if face and name not in _NO_ICONS else None
    return None if outline is None else Outline((tuple(map(_shift_up, outline[0])),), outline[1])


def _shift_up(stroke: PathCommand) -> PathCommand:
    """Return the command relative to the lower edge of the square."""
    return (stroke[0], *(n - _LOWER_EDGE if index % 2 else n for index, n in enumerate(stroke[1:])))


# Spaces of all widths, which need no glyph.
SPACES = " \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_MAX_CACHED_WORDS = 1 << 16
# Sentences recur on other cards, after a different name.
_MAX_CACHED_TEXTS = 1 << 10
_WORD = re.compile(r"\S+\s?|\s")


# They choose between a picture and a plain sign ('⚔' with U+FE0F), and have no glyph.
_SELECTORS = str.maketrans("", "", "\ufe0e\ufe0f")


def normalize(text: str) -> str:
    """Compose letters and accents (NFC), so that they share a glyph, and drop selectors of variations."""
    return text if text.isascii() else unicodedata.normalize("NFC", text).translate(_SELECTORS)


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


# Characters that any font can print: as a space, as a hyphen, or not at all.
_ALWAYS_THERE = frozenset((*SPACES, SOFT_HYPHEN, _NO_BREAK_HYPHEN))


def _split_by_font(text: str, font: Font, fallback: Callable[[str], Font | None]) -> Iterator[tuple[Font, str]]:
    """Yield the parts of a text with the fonts that have their characters, its own where no font has them.

    Marks stay with the letter before them, and spaces are of the text's own font.
    """
    clusters: list[str] = []
    for character in normalize(text):
        if clusters and unicodedata.combining(character):
            clusters[-1] += character
        else:
            clusters.append(character)

    def choose(cluster: str) -> Font:
        lacking = any(not font.face.has_glyph(each) for each in cluster if each not in _ALWAYS_THERE)
        return (fallback(cluster) if lacking else None) or font

    for chosen, group in groupby(clusters, choose):
        yield chosen, "".join(group)


@dataclass(slots=True, eq=False)
class StyledRun:
    """Characters `start` to `stop` of a row in one style.

    An icon is a run of its own. `scale` is the size as a fraction of the row's, and `rules` are the heights of lines
    through or under the characters, as fractions of the row's size.
    """

    start: int
    stop: int
    font: Font
    colour: str
    name: str = ""
    outline: Outline | None = None
    link: str = ""
    scale: float = 1.0
    rules: tuple[float, ...] = ()


_STOP = attrgetter("stop")


@dataclass(slots=True, eq=False)
class ShapedRow:
    """Paragraph in one row.

    `text` is drawn, and `source` is the same with no-break spaces and hyphens. `advances` has one number per character,
    and `pen_positions` their cumulative sums (one more); both are in thousandths of the size and include tracking.
    `soft_hyphens` are the offsets of the author's soft hyphens. `align` is the alignment that the text asks for, if
    any, and `unknown_spans` are names of spans that neither the theme nor the program has.
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
    unknown_spans: list[str]
    align: Align | None = None

    @property
    def width(self) -> float:
        """The width on one line, without the tracking after the last character."""
        return self.pen_positions[-1] - self.tracking

    def run_index_at(self, character: int) -> int:
        """Return the index of the styled run that contains a character."""
        return bisect_right(self.styled_runs, character, key=_STOP)


_PLAIN = SpanLook()
# Small capitals as a fraction of the size, the height of an underline as one too, and that of a line through the text
# as a fraction of the capitals' height.
_SMALL_CAPS, _UNDERLINE, _STRIKE_SHARE = 0.8, -0.14, 0.36


def _small_caps(text: str, language: str) -> Iterator[tuple[str, float]]:
    """Yield the parts of a text in capitals, with their size as a fraction of the text's."""
    for is_small, letters in groupby(text, key=lambda letter: letter != letter.upper()):
        part = "".join(letters)
        yield (upper(part, language), _SMALL_CAPS) if is_small else (part, 1.0)


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
        self._unknown_spans: list[str] = []

    def add(self, part: Phrase | Icon) -> None:
        style = self._style
        look = self._look(part.spans) if part.spans else _PLAIN
        bold, italic = style.bold or part.bold or look.bold, style.italic != (part.italic or look.italic)
        font = self._fonts.font(style.family, bold, italic)
        colour = look.colour or (style.emphasis if (part.bold or look.bold) and style.emphasis else style.colour)
        start = len(self._styled_runs)
        if isinstance(part, Icon):
            self._add_icon(part.name, font, colour)
        else:
            text = upper(part.text, style.language) if style.caps else part.text
            for each, scale in _small_caps(text, style.language) if look.small_caps else ((text, 1.0),):
                self._add_phrase(each, font, colour, bold, italic, part.link, scale)
        if look.underline or look.strike:
            rules = (*[_UNDERLINE] * look.underline, *[font.cap_height * _STRIKE_SHARE] * look.strike)
            for styled_run in self._styled_runs[start:]:
                styled_run.rules = rules

    def _look(self, spans: str) -> SpanLook:
        """Return the look of text in some spans, of which the inner ones decide its color."""
        look = _PLAIN
        for name in spans.split():
            one = self._style.span(name)
            if one is None:
                self._unknown_spans.append(name)
            else:
                look = SpanLook(one.colour or look.colour, *(a or b for a, b in zip(look[1:], one[1:], strict=True)))
        return look

    def _add_phrase(
        self, text: str, font: Font, colour: str, bold: bool, italic: bool, link: str, scale: float
    ) -> None:
        """Add a text in its font; characters that it lacks are set in others."""
        parts: Iterable[tuple[Font, str]] = ((font, text),)
        if _shape_source(font, text).missing:
            parts = _split_by_font(text, font, lambda lacking: self._fonts.fallback(lacking, bold, italic))
        for chosen, each in parts:
            self._add_text(each, chosen, colour, link, scale)

    def _add_text(self, text: str, font: Font, colour: str, link: str = "", scale: float = 1.0) -> None:
        start, tracking = len(self._advances), self._tracking
        source, drawn, advances, soft_hyphens, missing = _shape_source(font, text)
        if soft_hyphens:
            self._soft_hyphens += [start + offset for offset in soft_hyphens]
            if not source:
                return
        self._sources.append(source)
        self._texts.append(drawn)
        if tracking or scale != 1.0:
            advances = array("d", [advance * scale + tracking for advance in advances])
        self._advances += advances
        self._styled_runs.append(StyledRun(start, len(self._advances), font, colour, link=link, scale=scale))
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
            self._unknown_spans,
        )


def shape_paragraph(paragraph: Paragraph, style: Style, fonts: Fonts, icons: Icons) -> ShapedRow:
    """Shape a paragraph, independently of the style's size and leading.

    Raises ValueError if the style's family is unknown or an icon's file cannot be used.
    """
    builder = _RowBuilder(style, fonts, icons)
    for part in paragraph:
        builder.add(part)
    row = builder.build()
    first = next((part for part in paragraph if not isinstance(part, Marker)), None)
    if first and first.spans:
        row.align = next((name for name in ALIGNMENTS if name in first.spans.split()), None)
    return row


def missing_in_rows(rows: Iterable[ShapedRow]) -> str:
    """Return the characters that the rows' fonts lack, each once."""
    return "".join(dict.fromkeys("".join([row.missing for row in rows])))


def unknown_in_rows(rows: Iterable[ShapedRow]) -> tuple[str, ...]:
    """Return the unknown names of icons in all rows, and those of spans with a point before them, each once."""
    names = [(*row.unknown_icons, *(f".{name}" for name in row.unknown_spans)) for row in rows]
    return tuple(dict.fromkeys(name for each in names for name in each))
