"""The samples as resvg draws them, an independent program, in one picture of small tiles.

Run this module to draw them again after a sample has changed; it needs resvg-py, from the extra `dev`.
"""

from __future__ import annotations

from io import BytesIO
from math import ceil
from pathlib import Path

from PIL import Image, ImageChops, ImageStat

from tests.svg.samples import DRAWN

SIDE, TILE, _COLUMNS = 200, 40, 16
_SHEET = Path(__file__).with_name("resvg.png")


def draw_with_resvg(svg: str) -> Image.Image:
    """Return a file on white, in a square of SIDE pixels."""
    from resvg_py import svg_to_bytes

    head, rest = svg.split(">", 1) if "DOCTYPE" not in svg else (svg, "")
    if "width=" not in head and rest:
        svg = f'{head} width="{SIDE}" height="{SIDE}">{rest}'
    drawn = Image.open(BytesIO(bytes(svg_to_bytes(svg_string=svg, width=SIDE, height=SIDE, dpi=96.0)))).convert("RGBA")
    white = Image.new("RGBA", drawn.size, "white")
    white.alpha_composite(drawn)
    return white.convert("RGB")


def small(picture: Image.Image) -> Image.Image:
    """Return a picture in the size of a tile."""
    return picture.resize((TILE, TILE), Image.Resampling.BOX)


def reference(name: str) -> Image.Image:
    """Return the tile of a sample."""
    down, across = divmod([*DRAWN].index(name), _COLUMNS)
    with Image.open(_SHEET) as sheet:
        return sheet.convert("RGB").crop((across * TILE, down * TILE, (across + 1) * TILE, (down + 1) * TILE))


def difference(one: Image.Image, other: Image.Image) -> float:
    """Return the mean difference of two pictures in the channel where it is largest, from 0 to 255."""
    return float(max(ImageStat.Stat(ImageChops.difference(one, other)).mean))


def write_sheet() -> None:
    """Draw all samples."""
    sheet = Image.new("RGB", (_COLUMNS * TILE, ceil(len(DRAWN) / _COLUMNS) * TILE), "white")
    for number, svg in enumerate(DRAWN.values()):
        down, across = divmod(number, _COLUMNS)
        sheet.paste(small(draw_with_resvg(svg)), (across * TILE, down * TILE))
    sheet.save(_SHEET, optimize=True)


if __name__ == "__main__":
    write_sheet()
