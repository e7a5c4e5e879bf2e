"""Icons in text, and paragraphs shaped into one row of characters with advance widths."""

from __future__ import annotations

import hashlib
import re
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import accumulate, count, groupby, pairwise
from math import hypot
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, closest
from cardgen.language import is_right_to_left, upper
from cardgen.project.files import built_in_folder, display_path
from cardgen.runtime.regular_file import is_file, is_inside
from cardgen.text.bidi import has_right_to_left, resolve_text
from cardgen.text.fonts import Font, Fonts, packaged_folders
from cardgen.text.harfbuzz import PLAIN_SCRIPTS, FontFace, script_of
from cardgen.text.icon_sets import IconSets
from cardgen.text.lines import (
    ALIGNMENTS,
    ICON_PLACEHOLDER,
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
from cardgen.text.shaped_word import (
    NO_BREAK_HYPHEN,
    PLAIN,
    PLAIN_SPACES,
    SOFT_HYPHEN,
    SPACES,
    UNTRACKED,
    Shaping,
    TextRun,
    cut_runs,
    is_simple,
    lacks,
    missing_characters,
    normalize,
    shape_words,
    written_in,
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
        polygons: list[Polygon] = []
        top, bottom = 98 - _BEAD * 2 * self.crown, 2 + _BEAD * 2 * self.foot
        polygons += _stroke((_MIDDLE, bottom), (_MIDDLE, top), width=_STAVE)
        polygons += (_diamond(_MIDDLE, top + _BEAD, _BEAD + 2),) * self.crown
        polygons += (_diamond(_MIDDLE, bottom - _BEAD, _BEAD + 2),) * self.foot
        for shape, sign, edge in zip(self[:4], (-1, 1, -1, 1), (_UPPER, _UPPER, _LOWER, _LOWER), strict=True):
            for polygon in _SHAPES[str(shape)]:
                placed = tuple((_MIDDLE + sign * x, edge + y) for x, y in polygon)
                polygons.append(placed[::sign])  # mirrored, it would wind the other way and leave holes
        return Outline(tuple(map(_path, polygons)), 1.0)


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


# Icons: SVG files of the project first, then Font Awesome.

# The code of art that cannot be drawn.
_FONT = Path("Font Awesome 7") / "Font Awesome 7 Free-Solid-900.otf"
# Font Awesome draws on an em square whose lower edge is an eighth below the baseline.
_LOWER_EDGE = -0.125
# No name that could point outside the folder.
_NAME = re.compile(r"\w[-\w. ]{0,99}")
_NO_ICONS = {".notdef", "space"}


class Drawings:
    """SVG files by name; each is read when first used.

    `folders` are searched for NAME.svg, in this order; `read` returns the outline of a file, or raises CardgenError
    with its problems.
    """

    def __init__(self, folders: Iterable[Path] = (), read: Callable[[Path], Outline] | None = None) -> None:
        self._folders = tuple(folders)
        self._read = read
        self._names: tuple[str, ...] | None = None
        self._cache: dict[str, Outline | CardgenError | None] = {}

    def find(self, name: str) -> Outline | None:
        """Return the outline in a file; None if there is none.

        Raises CardgenError, at the file, if it cannot be used.
        """
        if name not in self._cache:
            try:
                self._cache[name] = self._outline(name)
            except CardgenError as error:  # reading it again can take as long as the time limit
                self._cache[name] = error
        found = self._cache[name]
        if isinstance(found, CardgenError):
            raise found
        return found

    def path(self, name: str) -> Path | None:
        """Return the file of that name, if there is one."""
        if not _NAME.fullmatch(name):
            return None
        found = ((folder / f"{name}.svg", folder) for folder in self._folders)
        return next((path for path, folder in found if is_file(path, folder)), None)

    def names(self) -> tuple[str, ...]:
        """Return the names of all files, sorted."""
        if self._names is None:
            self._names = tuple(sorted({path.stem for folder in self._folders for path in folder.glob("*.svg")}))
        return self._names

    def _outline(self, name: str) -> Outline | None:
        path = self.path(name)
        if path is None or self._read is None:
            return None
        if not is_inside(path.parent, path):
            message = "the link points outside its folder"
            raise CardgenError(Diagnostic(Code.ART, message, Place(display_path(path)), "copy the file here"))
        return self._read(path)

    def unusable_files(self, root: Path) -> Iterator[Diagnostic]:
        """Yield the problems of all files in the folders below `root`, except for built-in ones."""
        built_in = built_in_folder("templates")
        own = (each for each in self._folders if each.is_relative_to(root) and not each.is_relative_to(built_in))
        for name in sorted({path.stem for folder in own for path in folder.glob("*.svg")}):
            try:
                self.find(name)
            except CardgenError as error:
                yield from error.diagnostics


class Icons:
    """Icons by name, and the charges of coats of arms.

    The icons are the `files`. Without a file, the names in `generated` have a rune, and all other names an icon of Font
    Awesome, or else of the icon `sets`, so that a set changes no icon of a face.
    """

    def __init__(
        self,
        files: Drawings | None = None,
        generated: Iterable[str] = (),
        charges: Drawings | None = None,
        sets: IconSets | None = None,
    ) -> None:
        self._files = files or Drawings()
        self.sets = sets or IconSets()
        self.charges = charges or Drawings()
        self._runes = choose_runes(generated)
        self._cache: dict[str, Outline | None] = {}

    def find(self, name: str) -> Outline | None:
        """Return the outline of an icon; None if the name is unknown.

        Raises CardgenError, at its file, if that is not a valid icon.
        """
        if name not in self._cache:
            own = self._files.find(name) or self._rune(name) or _font_awesome_icon(name)
            self._cache[name] = own or self.sets.find(name)
        return self._cache[name]

    def find_charge(self, name: str) -> Outline | None:
        """Return the outline of a charge, or of the icon of that name if there is no such charge."""
        return self.charges.find(name) or self.find(name)

    def is_project_icon(self, name: str) -> bool:
        """Return whether one of the folders has a file for the icon."""
        return self._files.path(name) is not None

    def names(self) -> tuple[str, ...]:
        """Return the names of all icons, sorted."""
        face = _font_awesome()
        of_font = face.glyph_names() if face else ()
        return tuple(sorted({*self._files.names(), *self._runes, *of_font, *self.sets.names()} - _NO_ICONS))

    def advice(self, name: str) -> str:
        """Return what to do about the unknown icon of a text."""
        if meant := closest(name, self.names()):
            return f"did you mean {{{meant}}}?"
        prefix, colon, _ = name.partition(":")
        missing = f"the icon set '{prefix}', such as the file {prefix}.json," if colon else f"{name}.svg"
        return f"put {missing} into the folder icons, or write \\{{ to print a brace"

    def _rune(self, name: str) -> Outline | None:
        return self._runes[name].outline if name in self._runes else None

    def unusable_files(self, root: Path) -> Iterator[Diagnostic]:
        """Yield the problems of all files in the folders below `root`."""
        yield from self._files.unusable_files(root)
        yield from self.charges.unusable_files(root)
        yield from self.sets.unusable_files()


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


# Sentences recur on other cards, after a different name.
_MAX_CACHED_TEXTS = 1 << 10

# Size of an icon as a multiple of the cap height, and the space on each side as a multiple of its size.
ICON_SIZE, ICON_BEARING = 1.2, 0.06


class _ShapedText(NamedTuple):
    """Text of one font: `text` is drawn, and `source` is the same with no-break spaces and hyphens.

    `top` and `bottom` are its extent, in em (see ShapedWord).
    """

    source: str
    text: str
    advances: array[float]
    soft_hyphens: tuple[int, ...]
    missing: str
    is_plain: bool
    top: float
    bottom: float


@lru_cache(maxsize=_MAX_CACHED_TEXTS)
def _shape_source(font: Font, markup: str, shaping: Shaping) -> _ShapedText:
    """Shape the text of a phrase, which may have soft hyphens."""
    *heads, tail = markup.split(SOFT_HYPHEN)
    source = "".join((*heads, tail))
    drawn = source.replace(NO_BREAK_HYPHEN, "-")
    words = shape_words(font, drawn, shaping)
    return _ShapedText(
        source,
        drawn if drawn.isascii() else drawn.translate(PLAIN_SPACES),
        array("d", b"".join([word.advances for word in words])),
        tuple(accumulate(map(len, heads))),
        missing_characters(font, drawn),
        not any(word.glyphs for word in words),
        max([word.top for word in words], default=0.0),
        max([word.bottom for word in words], default=0.0),
    )


@dataclass(slots=True, eq=False)
class StyledRun:
    """Characters `start` to `stop` of a row in one style.

    An icon is a run of its own. `scale` is the size as a fraction of the row's, and `rules` are the heights of lines
    through or under the characters, as fractions of the row's size. `is_plain` says that each character is drawn as its
    own glyph. `is_term` says that the characters are bold in a text that is not.
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
    shaping: Shaping = PLAIN
    is_plain: bool = True
    is_term: bool = False


_STOP = attrgetter("stop")


@dataclass(slots=True, eq=False)
class ShapedRow:
    """Paragraph in one row.

    `text` is drawn, and `source` is the same with no-break spaces and hyphens. `advances` has one number per character,
    and `pen_positions` their cumulative sums (one more); both are in thousandths of the size and include tracking.
    `soft_hyphens` are the offsets of the author's soft hyphens. `align` is the alignment that the text asks for, if
    any, and `unknown_spans` are names of spans that neither the theme nor the program has. The styled runs are in the
    order of reading, whose direction is that of the `base` level; `is_reordered` says that it is not that of printing
    everywhere. `top` and `bottom` are the extent of the letters, in em, or 0 if it is as usual.
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
    language: str
    base: int
    is_reordered: bool
    top: float
    bottom: float
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


# More words than this share need another font than that of their text.
_MOST_INCOMPLETE = 0.2
_LETTERS = re.compile(r"[^\W\d_]+")


class _Part(NamedTuple):
    """Text of one look, or an icon as its placeholder."""

    text: str
    font: Font
    bold: bool
    italic: bool
    colour: str
    link: str
    scale: float
    rules: tuple[float, ...]
    icon: str = ""
    outline: Outline | None = None


class _RowBuilder:
    """Builds a row from the parts of a paragraph."""

    def __init__(self, style: Style, fonts: Fonts, icons: Icons) -> None:
        self._style, self._fonts, self._icons = style, fonts, icons
        self._tracking = style.tracking * 1000
        self._parts: list[_Part] = []
        self._texts: list[str] = []
        self._sources: list[str] = []
        self._advances = array("d")
        self._styled_runs: list[StyledRun] = []
        self._soft_hyphens: list[int] = []
        self._missing = ""
        self._unknown_icons: list[str] = []
        self._unknown_spans: list[str] = []
        self._top = self._bottom = 0.0
        self._chosen: dict[tuple[str, str, Font], Font] = {}
        # What stands in for a font in whole rows of a script, most of whose letters it lacks.
        self._stand_ins: dict[tuple[Font, str], Font] = {}

    def add(self, part: Phrase | Icon) -> None:
        style = self._style
        look = self._look(part.spans) if part.spans else _PLAIN
        bold, italic = style.bold or part.bold or look.bold, style.italic != (part.italic or look.italic)
        font = self._fonts.font(style.family, bold, italic)
        colour = look.colour or (style.emphasis if (part.bold or look.bold) and style.emphasis else style.colour)
        rules = (*[_UNDERLINE] * look.underline, *[font.cap_height * _STRIKE_SHARE] * look.strike)
        if isinstance(part, Icon):
            outline = self._icons.find(part.name)
            if outline is None:
                self._unknown_icons.append(part.name)
            text = ICON_PLACEHOLDER if outline else f"{{{part.name}}}"
            self._parts.append(_Part(text, font, bold, italic, colour, "", 1.0, rules, part.name, outline))
            return
        text = upper(part.text, style.language) if style.caps else part.text
        for each, scale in _small_caps(text, style.language) if look.small_caps else ((text, 1.0),):
            self._parts.append(_Part(normalize(each), font, bold, italic, colour, part.link, scale, rules))

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

    def _add_text(self, part: _Part, run: TextRun) -> None:
        start, tracking = len(self._advances), self._tracking
        source, drawn, advances, soft_hyphens, missing, is_plain, top, bottom = _shape_source(
            run.font, run.text, run.shaping
        )
        if soft_hyphens:
            self._soft_hyphens += [start + offset for offset in soft_hyphens]
            if not source:
                return
        self._sources.append(source)
        self._texts.append(drawn)
        if (tracking or part.scale != 1.0) and is_plain:
            advances = array("d", [advance * part.scale + tracking for advance in advances])
        elif tracking or part.scale != 1.0:  # clusters have one advance, and space behind the whole
            advances = array("d", [advance * part.scale + (tracking if advance else 0.0) for advance in advances])
        self._advances += advances
        self._styled_runs.append(
            StyledRun(
                *(start, len(self._advances), run.font, part.colour),
                link=part.link,
                scale=part.scale,
                rules=part.rules,
                shaping=run.shaping,
                is_plain=is_plain,
                is_term=part.bold and not self._style.bold,
            )
        )
        self._missing += missing
        self._top, self._bottom = max(self._top, top * part.scale), max(self._bottom, bottom * part.scale)

    def _add_icon(self, part: _Part, outline: Outline, level: int) -> None:
        start = len(self._advances)
        size = part.font.cap_height * ICON_SIZE
        self._sources.append(ICON_PLACEHOLDER)
        self._texts.append(ICON_PLACEHOLDER)
        self._advances.append((outline.width + 2 * ICON_BEARING) * size * 1000 + self._tracking)
        self._styled_runs.append(
            StyledRun(
                *(start, start + 1, part.font, part.colour, part.icon, outline),
                rules=part.rules,
                shaping=Shaping(level=level),
            )
        )

    def _font_for(self, part: _Part, cluster: str, script: str) -> Font | None:
        """Return the font of a cluster: the theme's for its script, or another if that lacks it; None for any."""
        is_latin = script in PLAIN_SCRIPTS
        if cluster[0] in SPACES and not is_latin:
            return None
        key = (cluster, script, part.font)
        if key not in self._chosen:
            written = written_in(script, self._style.language)
            family = dict(self._style.families).get(written)
            font = self._stand_ins.get((part.font, script), part.font)
            font = self._fonts.font(family, part.bold, part.italic) if family else font
            found = self._fonts.fallback(cluster, part.bold, part.italic, written) if lacks(font, cluster) else None
            self._chosen[key] = found or font
        return self._chosen[key]

    def _find_stand_ins(self) -> None:
        """Find fonts for scripts in which a fifth of the words has letters that their font lacks.

        Words in two fonts, or even letters, are worse to read than a row in another one.
        """
        for part in self._parts:
            if not lacks(part.font, part.text):
                continue
            words = [word for word in _LETTERS.findall(part.text) if script_of(word[0]) in PLAIN_SCRIPTS]
            incomplete = [word for word in words if lacks(part.font, word)]
            if len(incomplete) <= len(words) * _MOST_INCOMPLETE:
                continue
            script = script_of(incomplete[0][0])
            letters = "".join(sorted({letter for word in words if script_of(word[0]) == script for letter in word}))
            font = self._fonts.fallback(letters, part.bold, part.italic)
            if font:
                self._stand_ins[part.font, script] = font

    def build(self) -> ShapedRow:
        whole = "".join([part.text for part in self._parts])
        simple = is_simple(whole)
        base, levels = int(is_right_to_left(self._style.language)), bytearray(len(whole))
        if not simple and has_right_to_left(whole):
            base, levels = resolve_text(whole, base or None)
        if not simple and not UNTRACKED.isdisjoint(map(script_of, whole)):
            self._tracking = 0.0
        if not whole.isascii():
            self._find_stand_ins()
        at = 0
        for part in self._parts:
            own = levels[at : at + len(part.text)]
            at += len(part.text)
            if part.outline:
                self._add_icon(part, part.outline, own[0])
            else:
                # The runs of a part, which is one if its font has all characters of a simple text.
                plain = Shaping(language=self._style.language)
                if simple and not self._style.families and not _shape_source(part.font, part.text, plain).missing:
                    runs: Iterable[TextRun] = (TextRun(part.text, part.font, plain),)
                else:
                    runs = cut_runs(part.text, own, self._style.language, partial(self._font_for, part))
                for run in runs:
                    self._add_text(part, run)
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
            self._style.language,
            base,
            any(levels),
            self._top,
            self._bottom,
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
