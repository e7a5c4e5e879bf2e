"""SVG files as art: size, faults, and drawing in a box."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from cardgen.affine import compose, translation
from cardgen.codes import Code
from cardgen.diagnostic import Diagnostic, Place, Span
from cardgen.face.face import Picture
from cardgen.face.vector_art.cascade import apply_styles
from cardgen.face.vector_art.document import Fault, Tree, VectorArtError, read_tree
from cardgen.face.vector_art.lengths import Metrics, parse_view_box
from cardgen.face.vector_art.outlines import box_outline, path_data, rounded_outline
from cardgen.face.vector_art.reduction import Reducer
from cardgen.face.vector_art.scene import Scene, group_tag
from cardgen.project.files import display_path
from cardgen.runtime import regular_file
from cardgen.runtime.time_limit import WATCHDOG, TimeLimitError
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
