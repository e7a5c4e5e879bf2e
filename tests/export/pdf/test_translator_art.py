"""SVG art in a PDF, against pictures that resvg drew."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from PIL import Image

from cardgen.export.pdf import writer
from cardgen.export.svg import Rasterizer
from cardgen.face.face import Artwork, Face, Picture, placed
from cardgen.sheet.imposition import PrintPiece
from cardgen.svg.reduction import reduce_svg
from cardgen.text.fonts import Fonts
from cardgen.units import Box, Size
from tests.cases import each_case
from tests.sheet.pages import impose_single
from tests.svg.references import difference, reference, small
from tests.svg.samples import DRAWN

SIZE, FONTS = Size(50.8, 50.8), Fonts()
# pdfium places gradients and patterns on whole pixels, and does not smooth their edges.
MOST_DIFFERENCE, DPI = 2.0, 400
# Stripes are narrow, so that a pixel of pdfium counts for more.
COARSE = {
    "gradients/spread repeat": 11.0,
    "gradients/spread reflect": 6.5,
    "gradients/radial reflect": 4.2,
    "gradients/radial repeat": 4.2,
    "patterns/patternTransform": 3.3,
}


def pdf_of(svg: str) -> bytes:
    """The file in a square, as a page."""
    body = placed(reduce_svg(svg.encode()), Picture(Path("x.svg"), Box(0, 0, *SIZE), "contain")).decode()
    root = f'<svg xmlns="http://www.w3.org/2000/svg" width="{SIZE.width:g}mm" height="{SIZE.height:g}mm" '
    whole = f'{root}viewBox="0 0 {SIZE.width:g} {SIZE.height:g}">{body}</svg>'
    face = Face(SIZE, 0, (Artwork(whole.encode(), is_art=True),))
    page = next(iter(impose_single([PrintPiece(face)], SIZE, 0)))
    return writer.write([page], FONTS, writer.DocumentInfo("Test"))


@each_case("name", DRAWN)
def test_art_looks_as_resvg_draws_it(name: str) -> None:
    content = pdf_of(DRAWN[name])
    drawn = Image.open(BytesIO(Rasterizer(content, DPI).page(0))).convert("RGB")
    assert difference(small(drawn), reference(name)) < COARSE.get(name, MOST_DIFFERENCE)
    assert b"/Subtype /Image" not in content
