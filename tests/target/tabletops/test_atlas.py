from __future__ import annotations

from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from cardgen.target.tabletops import atlas
from cardgen.target.tabletops.atlas import Grid, GridLimits, Pixels

LIMITS = GridLimits(4096, 10, 7)
POKER = Pixels(750, 1050)


def png(colour: str | tuple[int, ...], size: tuple[int, int] = (4, 6), mode: str = "RGB") -> bytes:
    buffer = BytesIO()
    Image.new(mode, size, colour).save(buffer, "PNG")
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("count", "cell", "grid"),
    [
        (1, POKER, Grid(1, 1)),
        (4, POKER, Grid(2, 2)),
        (5, POKER, Grid(5, 1)),
        (7, POKER, Grid(4, 2)),
        (15, POKER, Grid(5, 3)),
        (70, Pixels(400, 560), Grid(10, 7)),
        (3, Pixels(4096, 2000), Grid(1, 2)),
    ],
)
def test_the_grid_is_the_smallest(count: int, cell: Pixels, grid: Grid) -> None:
    _, smallest = next(atlas.split(count, cell, LIMITS))
    assert smallest == grid


@given(st.integers(1, 300), st.integers(1, 5000), st.integers(1, 5000), st.integers(300, 4096))
def test_every_card_has_a_cell_within_the_limits(count: int, width: int, height: int, longest: int) -> None:
    limits = GridLimits(longest, 10, 7)
    scale = atlas.fit_scale(Pixels(width, height), longest)
    cell = Pixels(max(1, int(width * scale)), max(1, int(height * scale)))
    parts = list(atlas.split(count, cell, limits))
    assert [index for part, _ in parts for index in part] == list(range(count))
    for part, grid in parts:
        assert len(part) <= grid.cells
        assert max(grid.size(cell)) <= longest
        assert grid.columns <= 10
        assert grid.rows <= 7


def test_cells_come_back_as_they_were() -> None:
    pictures = [png(colour) for colour in ("red", "green", "blue")]
    content = atlas.compose(pictures, Grid(2, 2), Pixels(4, 6))
    for index, picture in enumerate(pictures):
        assert atlas.opaque(atlas.cell(content, Grid(2, 2), index)).tobytes() == atlas.opaque(picture).tobytes()
    assert atlas.opaque(atlas.cell(content, Grid(2, 2), 3)).getextrema() == ((255, 255),) * 3


def test_transparent_parts_are_white() -> None:
    assert atlas.opaque(png((0, 0, 0, 0), mode="RGBA")).getextrema() == ((255, 255),) * 3


def test_a_thumbnail_is_square() -> None:
    content = atlas.thumbnail(png("red", (400, 600)), 64)
    assert atlas.pixels_of(content) == Pixels(64, 64)
    assert len(atlas.opaque(content).getcolors() or ()) == 2
