"""Atlases: pictures of equal size in a grid, as games read them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import NamedTuple

from PIL import Image


class Pixels(NamedTuple):
    """Width and height in pixels."""

    width: int
    height: int


class Grid(NamedTuple):
    """Columns and rows of an atlas."""

    columns: int
    rows: int

    @property
    def cells(self) -> int:
        """The number of cells."""
        return self.columns * self.rows

    def size(self, cell: Pixels) -> Pixels:
        """Return the size of an atlas with cells of one size."""
        return Pixels(self.columns * cell.width, self.rows * cell.height)


class GridLimits(NamedTuple):
    """Limits of an atlas: its longest side in pixels, columns, and rows."""

    longest: int
    columns: int
    rows: int


def fit_scale(cell: Pixels, longest: int) -> float:
    """Return the factor, at most 1, by which a cell must shrink to fit into an atlas."""
    return min(1.0, longest / max(cell))


def largest_grid(cell: Pixels, limits: GridLimits) -> Grid:
    """Return the grid with the most cells. Cells must fit; see `fit_scale`."""
    return Grid(min(limits.columns, limits.longest // cell.width), min(limits.rows, limits.longest // cell.height))


def smallest_grid(count: int, cell: Pixels, limits: GridLimits) -> Grid:
    """Return the grid for `count` cells that has the fewest cells, and of these the shortest sides."""
    most = largest_grid(cell, limits)
    candidates = [
        Grid(columns, rows)
        for columns in range(1, most.columns + 1)
        for rows in (-(-count // columns),)
        if rows <= most.rows
    ]
    return min(candidates, key=lambda grid: (grid.cells, max(grid.size(cell))))


def split(count: int, cell: Pixels, limits: GridLimits) -> Iterator[tuple[range, Grid]]:
    """Yield the indices of each atlas for `count` cells, with its grid."""
    most = largest_grid(cell, limits).cells
    for start in range(0, count, most):
        part = range(start, min(start + most, count))
        yield part, smallest_grid(len(part), cell, limits)


def compose(pictures: Sequence[bytes], grid: Grid, cell: Pixels) -> bytes:
    """Return PNG files of one size as an atlas, row by row; transparent parts become white."""
    atlas = Image.new("RGB", grid.size(cell), "white")
    for index, content in enumerate(pictures):
        row, column = divmod(index, grid.columns)
        atlas.paste(opaque(content), (column * cell.width, row * cell.height))
    return encode(atlas)


def cell(content: bytes, grid: Grid, index: int) -> bytes:
    """Return one cell of an atlas as PNG."""
    picture = Image.open(BytesIO(content), formats=("PNG",))
    width, height = picture.width // grid.columns, picture.height // grid.rows
    row, column = divmod(index, grid.columns)
    return encode(picture.crop((column * width, row * height, (column + 1) * width, (row + 1) * height)))


def opaque(content: bytes) -> Image.Image:
    """Return a PNG file on a white background."""
    picture = Image.open(BytesIO(content), formats=("PNG",))
    if picture.mode == "RGB":
        return picture
    background = Image.new("RGB", picture.size, "white")
    background.paste(picture, mask=picture.getchannel("A"))
    return background


def encode(picture: Image.Image) -> bytes:
    """Return a picture as PNG."""
    buffer = BytesIO()
    picture.save(buffer, "PNG", compress_level=6)
    return buffer.getvalue()


def pixels_of(content: bytes) -> Pixels:
    """Return the size of a PNG file."""
    return Pixels(*Image.open(BytesIO(content), formats=("PNG",)).size)


def plain(cell: Pixels) -> bytes:
    """Return a white picture."""
    return encode(Image.new("RGB", cell, "white"))


def thumbnail(content: bytes, side: int) -> bytes:
    """Return a PNG file as a small square, with white beside it."""
    picture = opaque(content)
    picture.thumbnail((side, side))
    square = Image.new("RGB", (side, side), "white")
    square.paste(picture, ((side - picture.width) // 2, (side - picture.height) // 2))
    return encode(square)
