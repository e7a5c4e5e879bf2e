"""Charts, which are SVG, as PNG."""

from __future__ import annotations

from cardgen.export.artwork import to_pdf
from cardgen.export.png import Rasterizer

CHART_DPI = 144


def rasterize_svg(svg: str) -> bytes:
    """The chart as a picture. Raises CardgenError where a library that draws is missing."""
    return Rasterizer(to_pdf(svg.encode()), CHART_DPI).page(0)
