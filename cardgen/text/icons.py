"""Icons in text, and those that a game generates."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import count, pairwise
from math import hypot
from pathlib import Path
from typing import NamedTuple

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place
from cardgen.project.files import display_path, is_inside
from cardgen.text.fonts import packaged_folders
from cardgen.text.harfbuzz import FontFace
from cardgen.text.lines import Outline, PathCommand

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
