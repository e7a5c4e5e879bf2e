"""Inline icons: SVG files of the project first, then Font Awesome."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from math import inf, isfinite
from pathlib import Path
from typing import Any
from xml.parsers import expat

from cardgen.project.confinement import is_inside
from cardgen.runtime import regular_file
from cardgen.text.fonts import packaged_folders
from cardgen.text.harfbuzz import FontFace
from cardgen.text.lines import Outline, PathCommand
from cardgen.text.runes import choose_runes
from cardgen.text.svg_path import parse_path

_MAX_BYTES = 1 << 18
_IGNORED_ELEMENTS = {"title", "desc", "metadata"}
_PATH_ATTRIBUTES = {"d", "fill", "fill-rule", "clip-rule", "id", "class"}
_REFUSED_ROOT_ATTRIBUTES = {"transform", "style", "stroke", "opacity", "fill-opacity", "clip-path", "mask", "filter"}
_SEPARATOR = re.compile(r"[\s,]+")


def read_icon(path: Path) -> Outline:
    """Return the outline of an SVG file made of <path> elements.

    The file needs a viewBox, whose height becomes 1. All paths must have the same color, which is ignored: an icon
    takes the color of its text. Raises ValueError with a message for the user if the file contains anything else.
    """
    try:
        return _IconReader().read(path)
    except ValueError as error:
        raise ValueError(f"'{path.name}' is not a valid icon: {error}") from None


class _IconReader:
    """Reader of the outline in one file."""

    def __init__(self) -> None:
        self._depth = 0
        self._silent_at = 0
        self._root: dict[str, str] = {}
        self._paths: list[dict[str, str]] = []

    def read(self, path: Path) -> Outline:
        """Return the outline.

        Raises ValueError with what is wrong with the file.
        """
        try:
            content = regular_file.read(path, _MAX_BYTES)
        except regular_file.FileTooLargeError:
            raise ValueError(f"the file is larger than {_MAX_BYTES // 1024} KiB") from None
        except OSError as error:
            raise ValueError(f"the file cannot be read: {error.strerror or error}") from None
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._end
        parser.StartDoctypeDeclHandler = self._doctype
        try:
            parser.Parse(content, True)
        except expat.ExpatError as error:
            raise ValueError(f"the file is not well-formed XML ({error})") from None
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
            raise ValueError(f"an icon can contain only <path> elements, not <{name}>")

    def _end(self, _: str) -> None:
        if self._depth == self._silent_at:
            self._silent_at = 0
        self._depth -= 1

    def _doctype(self, *_: Any) -> None:
        raise ValueError("an icon cannot have a DOCTYPE; remove the line with <!DOCTYPE")

    def _outline(self) -> Outline:
        left, top, width, height = _view_box(self._root)
        if not self._paths:
            raise ValueError("the file contains no <path>")
        colours, rules = self._inherited("fill", "black"), self._inherited("fill-rule", "nonzero")
        if "none" in colours:
            raise ValueError("its paths have strokes; convert them to filled paths")
        if len(colours) > 1:
            raise ValueError(f"its paths have several colors ({', '.join(sorted(colours))})")
        if len(rules) > 1:
            raise ValueError("its paths have different fill rules")

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
        raise ValueError(f"{tag} cannot have '{wrong[0]}' in an icon")


def _view_box(root: dict[str, str]) -> tuple[float, float, float, float]:
    try:
        left, top, width, height = map(float, _SEPARATOR.split(root.get("viewBox", "").strip()))
    except ValueError:
        raise ValueError("its viewBox must be four numbers") from None
    if not (0 < width < inf and 0 < height < inf and isfinite(left) and isfinite(top)):
        raise ValueError("its viewBox is empty")
    return left, top, width, height


_FONT = Path("Font Awesome 7") / "Font Awesome 7 Free-Solid-900.otf"
# Font Awesome draws on an em square whose lower edge is an eighth below the baseline.
_LOWER_EDGE = -0.125
# No name that could point outside the folder.
_NAME = re.compile(r"\w[-\w. ]{0,99}")
_NO_ICONS = {".notdef", "space"}


class Icons:
    """Icons by name; each is read when first used.

    `folders` are searched for NAME.svg, in this order. Without a file, the names in `generated` have a rune, and all
    other names an icon of Font Awesome.
    """

    def __init__(self, folders: Iterable[Path] = (), generated: Iterable[str] = ()) -> None:
        self._folders = tuple(folders)
        self._runes = choose_runes(generated)
        self._cache: dict[str, Outline | None] = {}

    def find(self, name: str) -> Outline | None:
        """Return the outline of an icon; None if the name is unknown.

        Raises ValueError with a message for the user if its file is not a valid icon.
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
        if folder is None or path is None:
            return None
        if not is_inside(folder, path):
            raise ValueError(f"'{path.name}' is not a valid icon: the link points outside its folder")
        return read_icon(path)


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
