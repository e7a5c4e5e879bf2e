"""Bleed of a picture: whether it is blank although the card next to it is not."""

from __future__ import annotations

from collections.abc import Iterator

from PIL import Image, ImageChops

_WHITE = (255, 255, 255)
_NEARLY_WHITE = 8


def blank_bleed_sides(
    image: Image.Image, trim: tuple[float, float, float, float], bleed: tuple[float, float]
) -> Iterator[str]:
    """Yield the sides where the outer quarter of the bleed is white, but the card along the trim is not.

    `trim` is the box of the card in pixels: left, top, right, and bottom; `bleed` is its width across and down.
    """
    left, top, right, bottom = (round(side) for side in trim)
    width, height = image.size
    across, down = (max(1, round(side / 4)) for side in bleed)
    begin, above = max(0, round(trim[0] - bleed[0])), max(0, round(trim[1] - bleed[1]))
    end, below = min(width, round(trim[2] + bleed[0])), min(height, round(trim[3] + bleed[1]))
    strips = {
        "left": ((begin, top, min(begin + across, left), bottom), (left + 1, top, left + 3, bottom)),
        "top": ((left, above, right, min(above + down, top)), (left, top + 1, right, top + 3)),
        "right": ((max(end - across, right), top, end, bottom), (right - 3, top, right - 1, bottom)),
        "bottom": ((left, max(below - down, bottom), right, below), (left, bottom - 3, right, bottom - 1)),
    }
    for side, (outside, inside) in strips.items():
        has_area = outside[2] > outside[0] and outside[3] > outside[1]
        if has_area and _is_white(image.crop(outside)) and not _is_white(image.crop(inside)):
            yield side


def _is_white(strip: Image.Image) -> bool:
    difference = ImageChops.difference(strip, Image.new("RGB", strip.size, _WHITE))
    return all(high <= _NEARLY_WHITE for _, high in difference.getextrema())  # type: ignore[misc]  # three channels
