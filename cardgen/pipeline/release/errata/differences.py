"""Parts of a face that look different in another version."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator

from PIL import Image, ImageChops

from cardgen.face.elements import joined_box
from cardgen.face.face import Face
from cardgen.units import MM_PER_INCH, Box

DPI = 127  # 5 pixels per millimeter
_PER_MM = DPI / MM_PER_INCH
# A difference of a channel that people could see, of 255, and the gap within a part, in millimeters.
_VISIBLE, _GAP = 12, 2


def different_parts(old: Face, new: Face, picture: Callable[[Face], bytes]) -> list[Box]:
    """Return boxes around the parts of two faces that differ, in millimeters from the corner of the trim."""
    one, two = (Image.open(io.BytesIO(picture(face))).convert("RGB") for face in (old, new))
    if one.size != two.size:
        return [Box(0, 0, *new.size)]
    mask = _largest_channel(ImageChops.difference(one, two)).point([0] * _VISIBLE + [255] * (256 - _VISIBLE))
    return [_box_of(mask, cells) for cells in _clusters(_different_cells(mask))]


def _largest_channel(image: Image.Image) -> Image.Image:
    red, green, blue = image.split()
    return ImageChops.lighter(ImageChops.lighter(red, green), blue)


def _different_cells(mask: Image.Image) -> set[tuple[int, int]]:
    """Return the squares of a millimeter with a difference, as column and row."""
    step = round(_PER_MM)
    small = mask.reduce(step).point([0] + [255] * 255)
    width = small.width
    return {(index % width, index // width) for index, value in enumerate(small.tobytes()) if value}


def _clusters(cells: set[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
    """Yield groups of cells that are near each other, from the top left."""
    rest = set(cells)
    for start in sorted(cells, key=lambda cell: cell[::-1]):
        if start not in rest:
            continue
        rest.discard(start)
        group, pending = [start], [start]
        while pending:
            near = rest & set(_around(pending.pop()))
            rest -= near
            group += near
            pending += near
        yield group


def _around(cell: tuple[int, int]) -> Iterable[tuple[int, int]]:
    x, y = cell
    steps = range(-_GAP, _GAP + 1)
    return ((x + across, y + down) for across in steps for down in steps)


def _box_of(mask: Image.Image, cells: Iterable[tuple[int, int]]) -> Box:
    """Return the exact box around the differences in some cells."""
    step = round(_PER_MM)
    around = joined_box(Box(x * step, y * step, step, step) for x, y in cells)
    assert around is not None, "a cluster has a cell"
    left, top = int(around.x), int(around.y)
    exact = mask.crop((left, top, int(around.right), int(around.bottom))).getbbox()
    assert exact is not None, "a cell has a difference"
    x1, y1, x2, y2 = exact
    return Box((left + x1) / _PER_MM, (top + y1) / _PER_MM, (x2 - x1) / _PER_MM, (y2 - y1) / _PER_MM)
