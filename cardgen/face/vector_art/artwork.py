"""SVG files as art and as icons: size, faults, and drawing in a box."""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

from cardgen.affine import Matrix, compose, multiply, translation
from cardgen.codes import Code
from cardgen.diagnostic import CardgenError, Diagnostic, Place, Span
from cardgen.face.face import Picture
from cardgen.face.vector_art.document import (
    Fault,
    Metrics,
    Scene,
    Tree,
    VectorArtError,
    apply_styles,
    group_tag,
    parse_transform,
    parse_view_box,
    read_tree,
)
from cardgen.face.vector_art.outlines import box_outline, path_data, rounded_outline, transformed
from cardgen.face.vector_art.reduction import Reducer
from cardgen.project.files import display_path
from cardgen.runtime import regular_file
from cardgen.runtime.processes import WATCHDOG, TimeLimitError
from cardgen.text.lines import IconArt, Outline, PathCommand
from cardgen.text.svg_path import parse_path
from cardgen.units import Box, Size

SUFFIX = ".svg"
MAX_BYTES = 8 << 20
# Time limit for reading and reducing one file, in seconds.
TIME_LIMIT = 10.0
# The largest side of a picture in its own units; beyond it, numbers lose precision.
_MAX_SIDE = 100_000.0


class VectorArt(NamedTuple):
    """A reduced SVG file.

    `size` is in pixels, of which only the proportions matter.
    """

    size: Size
    definitions: str
    body: str
    digest: str

    def place(self, picture: Picture) -> bytes:
        """Return the artwork of a picture: this file in the picture's box."""
        box, wide, high = picture.box, *self.size
        choose = max if picture.fit == "cover" else min
        scale = choose(box.width / wide, box.height / high)
        across, down = picture.focus if picture.fit == "cover" else (0.5, 0.5)
        x, y = box.x + (box.width - wide * scale) * across, box.y + (box.height - high * scale) * down
        outline = rounded_outline(box, picture.radius, picture.radius) if picture.radius else box_outline(box)
        name = f"{self.digest}-{hashlib.blake2b(repr(picture).encode(), digest_size=4).hexdigest()}"
        clip = f'<clipPath id="{name}"><path d="{path_data(outline)}"/></clipPath>'
        whole = _visible_part(box, Box(x, y, wide * scale, high * scale))
        if whole != box:
            clip = f'<clipPath id="{name}"><path d="{path_data(box_outline(whole))}"/></clipPath>'
        matrix = compose(translation(x, y), (scale, 0, 0, scale, 0, 0))
        return (
            f"<defs>{clip}{self.definitions}</defs>"
            f"{group_tag(picture.matrix, clip_path=f'url(#{name})')}{group_tag(matrix)}{self.body}</g></g>"
        ).encode()


def _visible_part(box: Box, whole: Box) -> Box:
    """Return the box, or the picture if that is smaller on a side."""
    x, y = max(box.x, whole.x), max(box.y, whole.y)
    right, bottom = min(box.right, whole.right), min(box.bottom, whole.bottom)
    part = Box(x, y, right - x, bottom - y)
    return box if all(abs(one - other) < 1e-6 for one, other in zip(part, box, strict=True)) else part


def fault_diagnostics(error: VectorArtError, path: Path) -> tuple[Diagnostic, ...]:
    """Return the faults of a file as diagnostics at their lines."""
    name = display_path(path)
    return tuple(
        Diagnostic(Code.ART, fault.message, Place(name, Span(fault.line, 1, fault.line, 1)), fault.help)
        for fault in error.faults
    )


def is_vector_art(path: Path) -> bool:
    """Return whether a file is SVG by its name."""
    return path.suffix.lower() == SUFFIX


def open_vector_art(path: Path) -> VectorArt:
    """Return a reduced SVG file; recent ones are cached.

    Raises VectorArtError with all faults of the file, and ValueError if it cannot be read.
    """
    try:
        status = path.stat()
        result = _reduce_file(path, status.st_mtime_ns, status.st_size)
    except regular_file.FileTooLargeError:
        raise ValueError(
            f"'{path.name}' is larger than {MAX_BYTES >> 20} MiB; simplify it, or save it as PNG"
        ) from None
    except OSError as error:
        raise ValueError(f"'{path.name}' cannot be read: {error.strerror or error}") from None
    if isinstance(result, VectorArtError):
        raise VectorArtError(*result.faults)
    return result


@lru_cache(maxsize=16)
def _reduce_file(path: Path, _modified: int, _size: int) -> VectorArt | VectorArtError:
    content = regular_file.read(path, MAX_BYTES)
    try:
        with WATCHDOG.limit(TIME_LIMIT):
            return reduce_svg(content)
    except TimeLimitError:
        return VectorArtError(Fault(f"reading the picture took longer than {TIME_LIMIT:g} seconds", 1))
    except VectorArtError as error:
        return error


def reduce_svg(content: bytes, colour: str = "black") -> VectorArt:
    """Reduce the content of an SVG file; `colour` is that of 'currentColor' where the file does not set one.

    Raises VectorArtError if anything in it cannot be drawn as its author meant it.
    """
    tree = read_tree(content)
    apply_styles(tree)
    digest = hashlib.blake2b(content, digest_size=6).hexdigest()
    scene = Scene(tree, f"a{digest}")
    size, view = _root_size(tree)
    try:
        Reducer(scene, colour).draw_root(size, view)
    except VectorArtError as error:
        raise VectorArtError(*scene.faults, *error.faults) from None
    except ValueError as error:
        scene.refuse(tree.root, "", f"<svg>: {error}")
    if scene.faults:
        raise VectorArtError(*sorted(scene.faults, key=lambda fault: fault.line))
    return VectorArt(size, "".join(scene.definitions), "".join(scene.body), scene.prefix)


def _root_size(tree: Tree) -> tuple[Size, Box | None]:
    root = tree.root
    try:
        view = parse_view_box(root.get("viewBox"))
        sides = [
            None
            if root.get(name) in ("", "auto") or "%" in root.get(name)
            else Metrics(Size(0, 0)).length(root.get(name), "x")
            for name in ("width", "height")
        ]
    except ValueError as error:
        raise VectorArtError(Fault(f"<svg>: {error}", root.line)) from None
    width, height = _complete_sides(sides[0], sides[1], view)
    if width is None or height is None:
        if view:
            raise VectorArtError(Fault("the viewBox must be greater than 0", root.line))
        raise VectorArtError(Fault("<svg> needs a viewBox, or a width and a height", root.line))
    if min(width, height, *(view[2:] if view else ())) <= 0:
        raise VectorArtError(Fault("the width and height of <svg> must be greater than 0", root.line))
    if max(width, height, *(view[2:] if view else ())) > _MAX_SIDE:
        raise VectorArtError(Fault(f"<svg> is too large (at most {_MAX_SIDE:,.0f} units per side)", root.line))
    return Size(width, height), view


def _complete_sides(width: float | None, height: float | None, view: Box | None) -> tuple[float | None, float | None]:
    """Return the sides, of which a missing one follows from the viewBox."""
    if view is None or view.width <= 0 or view.height <= 0:
        return width, height
    if width is None and height is None:
        return view.width, view.height
    if width is None and height is not None:
        return height * view.width / view.height, height
    if height is None and width is not None:
        return width, width * view.height / view.width
    return width, height


_MAX_BYTES = 1 << 18
_PAINT = re.compile(r'\b(fill|stroke)="(#[0-9a-f]{6})"')
_STOP = re.compile(r'\b(stop-color)="(#[0-9a-f]{6})"')
# Definitions with colors of their own.
_COLOURED = ("<linearGradient", "<radialGradient", "<pattern")
_FLAT_ATTRIBUTES = {"g": {"transform"}, "path": {"d", "fill", "fill-rule"}}


def read_icon(path: Path, *, own_colours: bool = True) -> Outline:
    """Return the icon in an SVG file, whose height becomes 1.

    An icon of one color takes that of its text; one of several colors keeps them, except for 'currentColor'. Without
    `own_colours`, they become the color of the text, too. Raises CardgenError with the problems of the file, at their
    lines.
    """
    try:
        content = regular_file.read(path, _MAX_BYTES)
        stand_in = _unused_colour(content)
        with WATCHDOG.limit(TIME_LIMIT):
            art = reduce_svg(content, stand_in)
    except regular_file.FileTooLargeError:
        raise _unusable(path, f"the icon is larger than {_MAX_BYTES // 1024} KiB") from None
    except OSError as error:
        raise _unusable(path, f"the icon cannot be read: {error.strerror or error}") from None
    except TimeLimitError:
        raise _unusable(path, f"reading the icon took longer than {TIME_LIMIT:g} seconds") from None
    except VectorArtError as error:
        raise CardgenError(*fault_diagnostics(error, path)) from None
    if "<path" not in art.body:
        raise _unusable(path, "the icon draws nothing")
    body, colours = art.body, {colour for _, colour in _PAINT.findall(art.body)}
    if not own_colours:
        art = art._replace(definitions=_in_one_colour(art.definitions, stand_in))
    if not own_colours or (len(colours) == 1 and not any(tag in art.definitions for tag in _COLOURED)):
        body = _PAINT.sub(rf'\1="{stand_in}"', body)
        flat = None if art.definitions else _flat(art._replace(body=body))
        if flat:
            return flat
    scale = group_tag((1 / art.size.height, 0, 0, 1 / art.size.height, 0, 0))
    drawn = IconArt(art.definitions, f"{scale}{body}</g>", art.digest, stand_in)
    return Outline((), art.size.width / art.size.height, art=drawn)


def _in_one_colour(definitions: str, colour: str) -> str:
    """Return definitions whose gradients and patterns have one color; in masks, colors are transparency."""
    definitions = _STOP.sub(rf'\1="{colour}"', definitions)
    return definitions if "<mask" in definitions else _PAINT.sub(rf'\1="{colour}"', definitions)


def _unusable(path: Path, message: str) -> CardgenError:
    return CardgenError(Diagnostic(Code.ART, message, Place(display_path(path))))


def _unused_colour(content: bytes) -> str:
    """Return a color that a file does not contain; it stands for that of the text."""
    written, candidates = content.lower(), map("#{:06x}".format, range(0x010FE1, 0x1000000))
    return next(colour for colour in candidates if colour.encode() not in written)


def _flat(art: VectorArt) -> Outline | None:
    """Return the outline of filled paths with one fill rule; None for anything else, such as strokes."""
    paths: list[tuple[PathCommand, ...]] = []
    rules: set[str] = set()
    width, height = art.size
    # y points up in an outline
    whole = (1 / height, 0, 0, -1 / height, 0, 1)

    def add(element: ElementTree.Element, matrix: Matrix) -> bool:
        if not _FLAT_ATTRIBUTES[element.tag].issuperset(element.attrib):
            return False
        if element.tag == "g":
            inner = multiply(matrix, parse_transform(element.get("transform", "")))
            return all(add(child, inner) for child in element)
        paths.append(transformed(parse_path(element.get("d", "")), matrix))
        rules.add(element.get("fill-rule", "nonzero"))
        return element.get("fill") != "none"

    is_flat = add(ElementTree.fromstring(f"<g>{art.body}</g>"), whole)
    return Outline(tuple(paths), width / height, evenodd=rules == {"evenodd"}) if is_flat and len(rules) == 1 else None
