"""Inline icons: SVG files of the project first, then Font Awesome."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from importlib.util import find_spec
from math import acos, cos, hypot, inf, isfinite, pi, radians, sin, sqrt, tan
from pathlib import Path
from typing import Any
from xml.parsers import expat

from cardgen.project.files import is_inside
from cardgen.text.harfbuzz import FontFace
from cardgen.text.lines import Outline, PathCommand

_COMMAND = re.compile(r"[\s,]*([A-Za-z])")
_NUMBER = re.compile(r"[\s,]*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)")
_FLAG = re.compile(r"[\s,]*([01])")
_NUMBERS_OF = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}
_FLAGS_OF_AN_ARC = (3, 4)

_Point = tuple[float, float]


def parse_path(data: str) -> tuple[PathCommand, ...]:
    """The strokes of a path's `d`: ('M', x, y), ('L', x, y), ('C', x1, y1, x2, y2, x, y) and ('Z',).

    Quadratic curves and elliptic arcs become cubic ones. Raises ValueError with a sentence when it is no path.
    """
    pen = _PathPen()
    for letter, numbers in _path_segments(data):
        pen.draw(letter, numbers)
    return tuple(pen.commands)


def _path_segments(data: str) -> Iterator[tuple[str, list[float]]]:
    """Each segment's letter and numbers; a letter holds on until the next one, where M goes on as L."""
    at, letter = 0, ""
    end = len(data.rstrip(" \t\r\n,"))
    while at < end:
        match = _COMMAND.match(data, at)
        if match:
            letter, at = match[1], match.end()
        elif letter in "Zz":
            raise ValueError(f"a path cannot go on with '{data[at : at + 12]}'")
        if letter.upper() not in _NUMBERS_OF:
            raise ValueError(f"a path has no command '{letter}'")
        numbers: list[float] = []
        for index in range(_NUMBERS_OF[letter.upper()]):
            flag = letter in "Aa" and index in _FLAGS_OF_AN_ARC
            number, at = _read_number(data, at, _FLAG if flag else _NUMBER, letter)
            numbers.append(number)
        yield letter, numbers
        letter = {"M": "L", "m": "l"}.get(letter, letter)


def _read_number(data: str, at: int, pattern: re.Pattern[str], letter: str) -> tuple[float, int]:
    match = pattern.match(data, at)
    if match is None or not isfinite(float(match[1])):
        raise ValueError(f"a number is missing behind '{letter}' in a path, before '{data[at : at + 12]}'")
    return float(match[1]), match.end()


class _PathPen:
    """Draws the segments of a path one after the other."""

    def __init__(self) -> None:
        self.commands: list[PathCommand] = []
        self._at = self._start = (0.0, 0.0)
        # The control point that a smooth curve mirrors, and for which kind of curve.
        self._control: _Point = (0.0, 0.0)
        self._curve = ""
        self._draw: dict[str, Callable[[list[float]], None]] = {
            "M": self._move, "L": self._line, "C": self._cubic, "S": self._smooth_cubic, "Q": self._quadratic,
            "T": self._smooth_quadratic, "A": self._arc, "Z": self._close,
        }  # fmt: skip

    def draw(self, letter: str, numbers: list[float]) -> None:
        """Draw one segment; small letters count from where the pen stands."""
        name = letter.upper()
        if not self.commands and name != "M":
            raise ValueError("a path must begin with M")
        x, y = self._at if letter.islower() else (0.0, 0.0)
        if name in "HV":
            numbers = [x + numbers[0], self._at[1]] if name == "H" else [self._at[0], y + numbers[0]]
            name = "L"
        elif name == "A":
            numbers = [*numbers[:5], x + numbers[5], y + numbers[6]]
        else:
            numbers = [number + (y if index % 2 else x) for index, number in enumerate(numbers)]
        self._draw[name](numbers)
        self._curve = name

    def _move(self, numbers: list[float]) -> None:
        self._at = self._start = (numbers[0], numbers[1])
        self.commands.append(("M", *numbers))

    def _line(self, numbers: list[float]) -> None:
        self._reopen()
        self._at = (numbers[0], numbers[1])
        self.commands.append(("L", *numbers))

    def _cubic(self, numbers: list[float]) -> None:
        self._reopen()
        self._control, self._at = (numbers[2], numbers[3]), (numbers[4], numbers[5])
        self.commands.append(("C", *numbers))

    def _smooth_cubic(self, numbers: list[float]) -> None:
        self._cubic([*self._mirrored("CS"), *numbers])

    def _quadratic(self, numbers: list[float]) -> None:
        (x0, y0), (cx, cy, x, y) = self._at, numbers
        third = [x0 + (cx - x0) * 2 / 3, y0 + (cy - y0) * 2 / 3, x + (cx - x) * 2 / 3, y + (cy - y) * 2 / 3]
        self._cubic([*third, x, y])
        self._control = (cx, cy)

    def _smooth_quadratic(self, numbers: list[float]) -> None:
        self._quadratic([*self._mirrored("QT"), *numbers])

    def _arc(self, numbers: list[float]) -> None:
        rx, ry, turn, large, sweep, x, y = numbers
        if rx == 0 or ry == 0:
            self._line([x, y])
        elif (x, y) != self._at:
            for curve in _arc(self._at, (abs(rx), abs(ry)), radians(turn), bool(large), bool(sweep), (x, y)):
                self._cubic(curve)

    def _close(self, _: list[float]) -> None:
        self._at = self._start
        self.commands.append(("Z",))

    def _mirrored(self, curves: str) -> _Point:
        if self._curve not in curves or not self._curve:
            return self._at
        return 2 * self._at[0] - self._control[0], 2 * self._at[1] - self._control[1]

    def _reopen(self) -> None:
        """What is drawn behind a Z begins where the closed shape began."""
        if self.commands[-1] == ("Z",):
            self.commands.append(("M", *self._start))


def _arc(start: _Point, radii: _Point, turn: float, large: bool, sweep: bool, end: _Point) -> Iterator[list[float]]:
    """An elliptic arc as cubic curves of at most a quarter each (SVG 1.1, appendix F.6)."""
    (x1, y1), (x2, y2), (rx, ry) = start, end, radii
    along, across = cos(turn), sin(turn)
    # Half the chord, in the ellipse's own axes; radii that are too small grow until the ellipse reaches.
    dx, dy = (x1 - x2) / 2, (y1 - y2) / 2
    hx, hy = along * dx + across * dy, along * dy - across * dx
    grown = max(1.0, hypot(hx / rx, hy / ry))
    rx, ry = rx * grown, ry * grown
    reach = (hx / rx) ** 2 + (hy / ry) ** 2
    offset = sqrt(max(0.0, 1 / reach - 1)) * (-1 if large == sweep else 1)
    ux, uy = offset * hy / ry, -offset * hx / rx
    first = _angle(hx / rx - ux, hy / ry - uy)
    span = (_angle(-hx / rx - ux, -hy / ry - uy) - first) % (2 * pi)
    span = span if sweep else span - 2 * pi
    cx = along * rx * ux - across * ry * uy + (x1 + x2) / 2
    cy = across * rx * ux + along * ry * uy + (y1 + y2) / 2

    def placed(x: float, y: float) -> _Point:
        return cx + along * rx * x - across * ry * y, cy + across * rx * x + along * ry * y

    count = max(1, -int(-abs(span) / (pi / 2 + 1e-9) // 1))
    step = span / count
    handle = 4 / 3 * tan(step / 4)
    for number in range(count):
        a, b = first + number * step, first + (number + 1) * step
        last = end if number + 1 == count else placed(cos(b), sin(b))
        yield [
            *placed(cos(a) - handle * sin(a), sin(a) + handle * cos(a)),
            *placed(cos(b) + handle * sin(b), sin(b) - handle * cos(b)),
            *last,
        ]


def _angle(x: float, y: float) -> float:
    """The angle of a unit vector."""
    angle = acos(max(-1.0, min(1.0, x / hypot(x, y))))
    return angle if y >= 0 else -angle


_MAX_BYTES = 1 << 18
_IGNORED_ELEMENTS = {"title", "desc", "metadata"}
_PATH_ATTRIBUTES = {"d", "fill", "fill-rule", "clip-rule", "id", "class"}
_REFUSED_ROOT_ATTRIBUTES = {"transform", "style", "stroke", "opacity", "fill-opacity", "clip-path", "mask", "filter"}
_SEPARATOR = re.compile(r"[\s,]+")


def read_icon(path: Path) -> Outline:
    """The outline of an SVG file that has a viewBox and holds <path> elements of one colour and nothing else.

    The height of the viewBox becomes 1. The colour itself plays no part: an icon takes that of its text.
    Raises ValueError with a sentence for the user when the file holds anything else.
    """
    try:
        return _IconReader().read(path)
    except ValueError as error:
        raise ValueError(f"{path.name} cannot be used as an icon: {error}") from None


class _IconReader:
    """Takes the outline out of one file."""

    def __init__(self) -> None:
        self._depth = 0
        self._silent_at = 0
        self._root: dict[str, str] = {}
        self._paths: list[dict[str, str]] = []

    def read(self, path: Path) -> Outline:
        """Raises ValueError with the half of a sentence that says what is wrong."""
        try:
            with path.open("rb") as file:
                content = file.read(_MAX_BYTES + 1)
        except OSError as error:
            raise ValueError(f"it cannot be read: {error.strerror or error}") from None
        if len(content) > _MAX_BYTES:
            raise ValueError(f"it is larger than {_MAX_BYTES // 1024} KiB")
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._end
        parser.StartDoctypeDeclHandler = self._doctype
        try:
            parser.Parse(content, True)
        except expat.ExpatError as error:
            raise ValueError(f"it is no XML ({error})") from None
        return self._outline()

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        name = tag.rpartition(" ")[2]
        if self._silent_at:
            return
        if name in _IGNORED_ELEMENTS:
            self._silent_at = self._depth
        elif self._depth == 1 and name == "svg":
            _refuse_attributes(attributes, attributes.keys() & _REFUSED_ROOT_ATTRIBUTES, "<svg>")
            self._root = attributes
        elif self._depth == 2 and name == "path":
            _refuse_attributes(attributes, {key for key in attributes if " " not in key} - _PATH_ATTRIBUTES, "<path>")
            self._paths.append(attributes)
        else:
            raise ValueError(f"it holds <{name}>, and an icon is made of <path> elements only")

    def _end(self, _: str) -> None:
        if self._depth == self._silent_at:
            self._silent_at = 0
        self._depth -= 1

    def _doctype(self, *_: Any) -> None:
        raise ValueError("it declares a document type; take out the line with <!DOCTYPE")

    def _outline(self) -> Outline:
        left, top, width, height = _view_box(self._root)
        if not self._paths:
            raise ValueError("it holds no <path>")
        colours, rules = self._inherited("fill", "black"), self._inherited("fill-rule", "nonzero")
        if "none" in colours:
            raise ValueError("it is drawn with strokes; turn them into filled paths")
        if len(colours) > 1:
            raise ValueError(f"it has several colours ({', '.join(sorted(colours))})")
        if len(rules) > 1:
            raise ValueError("its paths differ in their fill-rule")

        def share(stroke: PathCommand) -> PathCommand:
            numbers = enumerate(stroke[1:])
            flipped = (1 - (n - top) / height if index % 2 else (n - left) / height for index, n in numbers)
            return (stroke[0], *flipped)

        paths = tuple(tuple(map(share, parse_path(given.get("d", "")))) for given in self._paths)
        return Outline(paths, width / height, evenodd=rules == {"evenodd"})

    def _inherited(self, attribute: str, default: str) -> set[str]:
        return {given.get(attribute, self._root.get(attribute, default)) for given in self._paths}


def _refuse_attributes(present: dict[str, str], attributes: set[str], tag: str) -> None:
    wrong = sorted(name for name in attributes if present[name] != "none")
    if wrong:
        raise ValueError(f"its {tag} has {wrong[0]}, which an icon cannot have")


def _view_box(root: dict[str, str]) -> tuple[float, float, float, float]:
    try:
        left, top, width, height = map(float, _SEPARATOR.split(root.get("viewBox", "").strip()))
    except ValueError:
        raise ValueError("it has no viewBox of four numbers") from None
    if not (0 < width < inf and 0 < height < inf and isfinite(left) and isfinite(top)):
        raise ValueError("its viewBox is empty")
    return left, top, width, height


_FONT = Path("Font Awesome 7") / "Font Awesome 7 Free-Solid-900.otf"
# Font Awesome draws on a square of one em whose lower edge lies an eighth below the baseline.
_LOWER_EDGE = -0.125
# Nothing that could lead out of the folder.
_NAME = re.compile(r"\w[-\w. ]{0,99}")
_NO_ICONS = {".notdef", "space"}


class Icons:
    """The icons at hand, looked up by name; each is read when it is first asked for.

    `folders` are searched for NAME.svg, in this order, before Font Awesome.
    """

    def __init__(self, folders: Iterable[Path] = ()) -> None:
        self._folders = tuple(folders)
        self._cache: dict[str, Outline | None] = {}

    def find(self, name: str) -> Outline | None:
        """The outline of an icon, or None when there is none of that name.

        Raises ValueError with a sentence for the user when its file is no icon that can be used.
        """
        if name not in self._cache:
            self._cache[name] = self._project_icon(name) or _font_awesome_icon(name)
        return self._cache[name]

    def is_project_icon(self, name: str) -> bool:
        """Whether one of the folders has a file for it, so that it is more than an icon of Font Awesome's."""
        return bool(_NAME.fullmatch(name)) and any((folder / f"{name}.svg").is_file() for folder in self._folders)

    def names(self) -> tuple[str, ...]:
        """The names of all icons, sorted."""
        project_names = (path.stem for folder in self._folders for path in folder.glob("*.svg"))
        face = _font_awesome()
        return tuple(sorted({*project_names, *(face.glyph_names() if face else ())} - _NO_ICONS))

    def _project_icon(self, name: str) -> Outline | None:
        if not _NAME.fullmatch(name):
            return None
        paths = ((folder, folder / f"{name}.svg") for folder in self._folders)
        folder, path = next(((folder, path) for folder, path in paths if path.is_file()), (None, None))
        if folder is None or path is None:
            return None
        if not is_inside(folder, path):
            raise ValueError(f"{path.name} cannot be used as an icon: it is a link that leads out of its folder")
        return read_icon(path)


@lru_cache(maxsize=1)
def built_in_icons() -> Icons:
    """The icons that come with the program."""
    return Icons()


@lru_cache(maxsize=1)
def _font_awesome() -> FontFace | None:
    spec = find_spec("rendercv_fonts")
    path = Path(spec.origin).parent / _FONT if spec and spec.origin else None
    return FontFace(path) if path and path.is_file() else None


def _font_awesome_icon(name: str) -> Outline | None:
    face = _font_awesome()
    outline = face.outline(name) if face and name not in _NO_ICONS else None
    return None if outline is None else Outline((tuple(map(_shift_up, outline[0])),), outline[1])


def _shift_up(stroke: PathCommand) -> PathCommand:
    """The stroke as seen from the lower edge."""
    return (stroke[0], *(n - _LOWER_EDGE if index % 2 else n for index, n in enumerate(stroke[1:])))
