"""One face as a picture: PNG, SVG, or PDF."""

from __future__ import annotations

from cardgen.export import svg
from cardgen.export.artwork.cache import ArtworkCache
from cardgen.export.pdf import writer
from cardgen.export.png import Rasterizer
from cardgen.face.face import Face
from cardgen.sheet.imposition import PrintPiece, impose_single
from cardgen.sheet.leaf import pages_of
from cardgen.text.fonts import Fonts
from cardgen.units import Shape


def render_face(
    face: Face,
    suffix: str,
    fonts: Fonts,
    title: str,
    dpi: int = 300,
    *,
    shape: Shape = Shape.RECTANGLE,
    radius: float = 0.0,
) -> bytes:
    """Return one side of a card as .png, .svg, or .pdf.

    `dpi` is the resolution of PNG; round cards are transparent outside of their circle, and others outside of corners
    of a `radius`.
    """
    if suffix == "svg":
        return svg.write(face, fonts, title, shape=shape, radius=radius)
    leaves = impose_single([PrintPiece(face, shape=shape)], face.size, 0, radius=radius)
    document = writer.write(pages_of(leaves), fonts, writer.DocumentInfo(title), ArtworkCache())
    if suffix == "pdf":
        return document
    return Rasterizer(document, dpi, transparent=(0,) if shape is Shape.ROUND or radius else ()).page(0)
