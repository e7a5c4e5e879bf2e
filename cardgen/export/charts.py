"""Charts, which are SVG, as PNG."""

from __future__ import annotations

from cardgen.export.artwork import to_pdf
from cardgen.export.png import Rasters

DPI = 144


def png(svg: str) -> bytes:
    """The chart as a picture. Raises CardgenError where a library that draws is missing."""
    return Rasters(to_pdf(svg.encode()), DPI).page(0)
