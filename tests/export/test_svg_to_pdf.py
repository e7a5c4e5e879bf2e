"""What is translated looks as CairoSVG draws it; what is not plain is left to it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from PIL import ImageChops, ImageStat

from cardgen.export import cairo_artwork as cairo
from cardgen.export import pdf
from cardgen.export.pdf_operators import format_number
from cardgen.export.svg_to_pdf import translate
from cardgen.sheet.imposition import PrintPiece, impose_single
from tests.export.pdf_inspection import BLEED, CARD, FONTS, artwork, face, picture_of

DPI = 100
# The edges of shapes are smoothed a little otherwise, on a few pixels of them.
ALIKE = 0.6

PLAIN = {
    "a rectangle": '<rect x="5" y="6" width="20" height="30" fill="#c00"/>',
    "black by default": '<rect x="5" y="6" width="20" height="30"/>',
    "rounded by one radius": '<rect x="5" y="6" width="20" height="30" rx="4" fill="#00aa00"/>',
    "rounded by two radii": '<rect x="5" y="6" width="20" height="30" rx="40" ry="3" fill="#00aa00"/>',
    "a circle": '<circle cx="30" cy="40" r="18" fill="none" stroke="#123456" stroke-width="3"/>',
    "an ellipse": '<ellipse cx="30" cy="40" rx="18" ry="8" fill="#fed" stroke="#000"/>',
    "a line": '<line x1="5" y1="5" x2="50" y2="80" stroke="#800" stroke-width="2" stroke-linecap="round"/>',
    "a polyline": '<polyline points="5,5 20,60 40 10" fill="none" stroke="#080" stroke-linejoin="round"/>',
    "a sharp mitre": '<polyline points="5,80 12,20 19,80" fill="none" stroke="#080" stroke-width="3"/>',
    "a blunt mitre": '<polyline points="5,80 8,20 11,80" fill="none" stroke="#080" stroke-width="3"/>',
    "a polygon": '<polygon points="30 5 50 70 5 30 55 30 10 70" fill-rule="evenodd" fill="#a0a"/>',
    "the same, without holes": '<polygon points="30 5 50 70 5 30 55 30 10 70" fill="#a0a"/>',
    "curves": '<path d="M5 5q10 30 20 0t20 0s5 40-10 40-30 10-30 10z" fill="#07c"/>',
    "arcs": '<path d="M10 40a20 12 30 1 0 30 5A5 5 0 0 1 20 70z" fill="#07c" stroke="white"/>',
    "a path that goes on behind its end": '<path d="M5 5h20v20zl0 60" fill="none" stroke="#000"/>',
    "two subpaths": '<path d="M5 5h50v70h-50zM15 15v50h30v-50z" fill="#333"/>',
    "inherited looks": '<g fill="#f80" stroke="#08f"><g stroke-width="2"><circle cx="9" cy="9" r="8"/></g></g>',
    "looks taken back": '<g fill="#f80" stroke="#08f"><rect x="9" y="9" width="30" height="9" stroke="none"/></g>',
    "transforms": '<g transform="translate(20 20) rotate(30)"><rect width="20" height="9" transform="skewX(20)"/></g>',
    "a stroke that is stretched": '<path transform="scale(1 4)" d="M5 5h40v10" fill="none" stroke="#000"/>',
    "dashes": '<path d="M5 5h50v70" fill="none" stroke="#000" stroke-dasharray="4 2,1" stroke-dashoffset="3"/>',
    "a style": '<rect x="5" y="6" width="20" height="30" fill="#c00" style="fill: #00c; stroke: #0c0"/>',
    "a clip": '<defs><clipPath id="c"><circle cx="20" cy="20" r="15"/></clipPath></defs>'
    '<g clip-path="url(#c)"><rect width="40" height="20" fill="#c00"/></g><rect y="30" width="9" height="9"/>',
    "a clip within a transform": '<defs><clipPath id="c"><path d="M0 0H10V10Z"/></clipPath></defs>'
    '<g transform="translate(9 9) scale(4)" clip-path="url(#c)"><rect width="10" height="10" fill="#c00"/></g>',
    "a clip that is defined again": '<defs><clipPath id="c"><path d="M0 0H10V10Z"/></clipPath></defs>'
    '<defs><clipPath id="c"><path d="M0 0H10V10Z"/></clipPath></defs>'
    '<g clip-path="url(#c)"><rect width="10" height="10" fill="#c00"/></g>',
    "a clip that a group defines": '<g transform="translate(9 9)"><defs><clipPath id="c"><path d="M0 0H10V10Z"/>'
    '</clipPath></defs><g transform="scale(4)" clip-path="url(#c)"><rect width="10" height="10" fill="#c00"/></g></g>',
    "a title": '<g><title>Not seen</title><rect x="5" y="6" width="20" height="30"/></g>',
    "a dot": '<path d="M20 20h0" stroke="#000" stroke-width="8" stroke-linecap="round"/>',
    "a small step": '<path transform="scale(10000)" d="M.0005 .0005H.005V.007Z" fill="#c00"/>',
}  # fmt: skip

NOT_PLAIN = {
    "a gradient": '<defs><linearGradient id="g"><stop/></linearGradient></defs><path d="M0 0H9V9Z" fill="url(#g)"/>',
    "opacity": '<path d="M0 0H9V9Z" opacity=".5"/>',
    "opacity in a style": '<path d="M0 0H9V9Z" style="fill-opacity:.5"/>',
    "a style sheet": '<style>path{fill:#f00}</style><path d="M0 0H9V9Z"/>',
    "a unit": '<rect width="9mm" height="9"/>',
    "a share": '<rect width="50%" height="9"/>',
    "a name of a colour": '<rect width="9" height="9" fill="rebeccapurple"/>',
    "something used": '<defs><path id="p" d="M0 0H9V9Z"/></defs><use href="#p"/>',
    "two clips of one name": '<defs><clipPath id="c"><rect width="9" height="9"/></clipPath></defs>'
    '<defs><clipPath id="c"><rect width="4" height="9"/></clipPath></defs>'
    '<g clip-path="url(#c)"><rect width="9" height="9"/></g>',
    "a clip of two shapes": '<defs><clipPath id="c"><rect width="9" height="9"/><rect width="4" height="9"/>'
    '</clipPath></defs><g clip-path="url(#c)"><rect width="9" height="9"/></g>',
    "a clip that is not there": '<rect width="9" height="9" clip-path="url(#c)"/>',
    "a rectangle without width": '<rect height="9" stroke="#000"/>',
    "a path that breaks off": '<path d="M0 0L"/>',
    "a transform that leaves nothing": '<rect width="9" height="9" transform="scale(0)"/>',
    "a number beyond all measure": '<rect width="9e99" height="9"/>',
    "display": '<g display="none"><rect width="9" height="9"/></g>',
    "an important property": '<rect width="9" height="9" style="fill:#f00 !important"/>',
}


def difference(body: str) -> float:
    """How far the two pictures of an artwork are apart, in levels a pixel."""
    chunk = artwork(body)
    assert translate(chunk.svg) is not None, "it is translated"
    page = next(iter(impose_single([PrintPiece(face(chunk))], CARD, BLEED)))
    ours = picture_of(pdf.write([page], FONTS, pdf.DocumentInfo("Test")), dpi=DPI)
    theirs = picture_of(cairo.to_pdf(chunk.svg), dpi=DPI)
    assert ours.size == theirs.size
    return float(max(ImageStat.Stat(ImageChops.difference(ours, theirs)).mean))


@pytest.mark.parametrize("body", PLAIN.values(), ids=PLAIN.keys())
def test_what_is_plain_looks_as_cairosvg_draws_it(body: str) -> None:
    assert difference(body) < ALIKE


@pytest.mark.parametrize("body", NOT_PLAIN.values(), ids=NOT_PLAIN.keys())
def test_what_is_not_plain_is_left_to_cairosvg(body: str) -> None:
    assert translate(artwork(body).svg) is None


def test_the_measure_sees_a_difference() -> None:
    body = '<rect x="5" y="6" width="20" height="30" fill="#c00"/>'
    shifted = artwork(body.replace('x="5"', 'x="6"'))
    ours, theirs = (picture_of(cairo.to_pdf(each.svg), dpi=DPI) for each in (artwork(body), shifted))
    assert max(ImageStat.Stat(ImageChops.difference(ours, theirs)).mean) > ALIKE


_NUMBERS = some.integers(-20, 90).map(str)
_COLOURS = some.sampled_from(("none", "#f00", "#00ff00", "#123", "black", "white"))
_SEGMENTS = {"M": 2, "l": 2, "H": 1, "v": 1, "C": 6, "s": 4, "Q": 4, "t": 2, "Z": 0, "z": 0}


@some.composite
def paths(draw: some.DrawFn) -> str:
    """Path data that begins as it must."""
    letters = draw(some.lists(some.sampled_from(sorted(_SEGMENTS)), max_size=8))
    return "M 10 10" + "".join(
        letter + " ".join(draw(_NUMBERS) for _ in range(_SEGMENTS[letter])) for letter in letters
    )


@some.composite
def artworks(draw: some.DrawFn) -> str:
    shapes = []
    for _ in range(draw(some.integers(1, 3))):
        look = (
            f'fill="{draw(_COLOURS)}" stroke="{draw(_COLOURS)}" stroke-width="{draw(some.integers(1, 6))}" '
            f'fill-rule="{draw(some.sampled_from(("nonzero", "evenodd")))}" '
            f'stroke-linejoin="{draw(some.sampled_from(("miter", "round", "bevel")))}" '
            f'stroke-linecap="{draw(some.sampled_from(("butt", "round", "square")))}"'
        )
        turned = (
            f'transform="translate({draw(_NUMBERS)} 5) rotate({draw(_NUMBERS)}) scale(.{draw(some.integers(2, 9))})"'
        )
        shapes.append(f'<g {turned}><path d="{draw(paths())}" {look}/></g>')
    return "".join(shapes)


@settings(max_examples=40, deadline=None)
@given(artworks())
def test_any_plain_artwork_looks_as_cairosvg_draws_it(body: str) -> None:
    assert difference(body) < 2 * ALIKE


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0.0, "0"), (-0.0, "0"), (1.5, "1.5"), (63.512345, "63.512"), (1e-7, "0.0000001"), (123456.0, "123456"),
     (-1e-12, "0")],
)  # fmt: skip
def test_numbers_have_no_exponents(value: float, shown: str) -> None:
    assert format_number(value) == shown
