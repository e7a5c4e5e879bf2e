from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.diagnostic import CardgenError, Code
from cardgen.export.pdf import cairo, writer
from cardgen.face.face import Face, Text, read_icon
from cardgen.sheet.imposition import PrintPiece, SheetSettings
from cardgen.text.copyfitting import set_line
from cardgen.text.lines import IconGlyph
from cardgen.text.shaped_row import Drawings, Icons
from cardgen.units import PAPER_SIZES, Box
from tests.export.pdf.inspection import (
    BLEED,
    CARD,
    FONTS,
    SERIF,
    artwork,
    colour_box,
    dark_box,
    face,
    line,
    objects,
    opened,
    picture_of,
    rectangle,
)
from tests.libcairo import hide_cairo, needs_cairo
from tests.sheet.pages import impose, impose_single

FRAME = rectangle(Box(-3, -3, 69, 94), "#0000ff")
# Too long to be written on each card.
LACE = FRAME + "".join(rectangle(Box(at, 2, 1, 1), "#ff0000") for at in range(60))
MASKED = (
    '<defs><mask id="m" x="0" y="0" width="1" height="1">'
    '<rect width="30" height="88" fill="#ffffff"/></mask></defs>'
    '<rect x="0" y="0" width="63" height="88" fill="#0000ff" mask="url(#m)"/>'
)
FADING = (
    '<defs><linearGradient id="g"><stop offset="0" stop-color="#ff0000"/><stop offset="1" stop-color="#0000ff"/>'
    '</linearGradient></defs><rect x="0" y="0" width="63" height="88" fill="url(#g)"/>'
)


def written(*faces: Face) -> bytes:
    settings = SheetSettings(PAPER_SIZES["a4"], bleed=BLEED)
    return writer.write(
        impose([PrintPiece(each) for each in faces], CARD, settings, "Legend"), FONTS, writer.DocumentInfo("Test")
    )


def forms(content: bytes) -> tuple[int, int]:
    """How many faces there are and how many pieces of artwork."""
    faces = {form.objgen for page in opened(content).pages for form in page.Resources.XObject.values()}
    return len(faces), len(objects(content, "/Subtype", "/Form")) - len(faces)


def test_a_frame_that_many_cards_share_is_drawn_once() -> None:
    shared = [face(artwork(LACE), line(f"Card {number}")) for number in range(20)]
    assert forms(written(*shared)) == (20, 1)


def test_artwork_that_is_short_needs_no_form() -> None:
    content = written(face(artwork(FRAME), line("Sentinel")))
    assert len(objects(content, "/Subtype", "/Form")) == 1
    assert picture_of(content, dpi=72).getpixel((60, 120)) == (0, 0, 255)


def test_a_long_shape_is_stored_once_in_whatever_place_and_colour() -> None:
    bows = "M0 0" + "c1 2 3 4 5 0" * 20 + "z"
    colours = ("#ff0000", "#0000ff", "#00ff00")
    shapes = [
        f'<path transform="translate(2 {20 * number + 5}) scale(.5)" d="{bows}" fill="{colour}"/>'
        for number, colour in enumerate(colours)
    ]
    content = written(face(artwork("".join(shapes[:2]))), face(artwork(shapes[2])))
    assert sum(b" c " in form.read_bytes() for form in objects(content, "/Subtype", "/Form")) == 1
    image = picture_of(content, dpi=72)
    for colour in ((255, 0, 0), (0, 0, 255), (0, 255, 0)):
        assert colour_box(image, colour, 72).width > 40


def test_a_card_printed_many_times_is_one_form() -> None:
    assert forms(written(*[face(artwork(LACE), line("Sentinel"))] * 20)) == (1, 1)


@needs_cairo
def test_each_distinct_piece_that_is_not_translated_is_drawn_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn: list[bytes] = []
    real = cairo.to_pdf

    def counted(svg: bytes, template: Path | None) -> bytes:
        drawn.append(svg)
        return real(svg, template)

    monkeypatch.setattr(cairo, "to_pdf", counted)
    other = MASKED.replace("#0000ff", "#00ff00")
    parts = artwork(MASKED), artwork(other), artwork(FRAME), artwork(FADING)
    written(*(face(*parts, line(str(number))) for number in range(5)))
    assert len(drawn) == 2


def test_gradients_come_through() -> None:
    image = picture_of(written(face(artwork(FADING))), dpi=72)
    box = opened(written(face(artwork(FADING)))).pages[0].TrimBox
    level = image.height - round(float(box[1]) + 100)
    left, right = (image.getpixel((round(float(box[0])) + at, level)) for at in (3, 174))
    assert isinstance(left, tuple)
    assert isinstance(right, tuple)
    assert left[0] > 220 > 40 > left[2]
    assert right[2] > 220 > 40 > right[0]


def test_what_lies_later_in_the_template_is_painted_over_what_lies_before() -> None:
    under, over = artwork(FRAME), artwork(rectangle(Box(20, 20, 20, 20), "#ff0000"))
    for items, colour in (((under, over), (255, 0, 0)), ((over, under), (0, 0, 255))):
        content = written(face(*items))
        box = opened(content).pages[0].TrimBox
        image = picture_of(content, dpi=72)
        middle = (round(float(box[0]) + 30 * 72 / 25.4), round(image.height - float(box[3]) + 30 * 72 / 25.4))
        assert image.getpixel(middle) == colour


def test_missing_cairo_is_said_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    cairo.to_pdf.cache_clear()
    hide_cairo(monkeypatch)
    with pytest.raises(CardgenError) as caught:
        cairo.to_pdf(artwork(MASKED).svg)
    (problem,) = caught.value.diagnostics
    assert problem.code == Code.NO_CAIRO
    assert "libcairo" in problem.message
    assert "<mask> is not in user space" in problem.message
    assert "apt install libcairo2" in problem.help
    assert "Windows" in problem.help


@pytest.mark.parametrize(
    ("source", "rendered", "reason"),
    [
        ('<circle r="{{ r }}" mask="url(#m)"/>', '<circle r="9" mask="url(#m)"/>', "'url(#m)' is not a mask"),
        ("<path d='M0 0H9' fill=\"url(#p)\"/>", "<path d='M0 0H9V9' fill=\"url(#p)\"/>", "'#p' is not a gradient"),
        (
            '<use x="{{ x }}" href="#a"/>',
            '<use x="1" href="#a"/>',
            "<use> does not refer to exactly one shape before it",
        ),
        ('<ellipse rx="{{ w }}mm"/>', '<ellipse rx="9mm"/>', "'9mm' is not a plain number"),
    ],
)
def test_missing_cairo_is_said_with_the_line_of_the_template(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, rendered: str, reason: str
) -> None:
    template = tmp_path / "minion.svg.j2"
    template.write_text(f"<svg>\n<rect/>\n  {source}\n</svg>", encoding="utf-8")
    cairo.to_pdf.cache_clear()
    hide_cairo(monkeypatch)
    with pytest.raises(CardgenError) as caught:
        cairo.to_pdf(artwork(rendered).svg, template)
    (problem,) = caught.value.diagnostics
    assert problem.place.span is not None
    assert (problem.place.file, problem.place.span[:2]) == (str(template), (3, 3))
    assert problem.message == f"libcairo is not installed, but is needed to draw this artwork: {reason}"


def test_missing_cairo_is_said_with_the_line_of_an_imported_template(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "templates" / "warniris"
    folder.mkdir(parents=True)
    template, parts = folder / "minion.svg.j2", folder / "parts.svg.j2"
    template.write_text('{% import "warniris/parts.svg.j2" as parts %}<svg>{{ parts.moon(9) }}</svg>', encoding="utf-8")
    parts.write_text('{%- include "../../secret" %}\n<circle r="{{ r }}" mask="url(#m)"/>', encoding="utf-8")
    (tmp_path / "secret").write_text('<circle r="9" mask="url(#m)"/>', encoding="utf-8")
    cairo.to_pdf.cache_clear()
    hide_cairo(monkeypatch)
    with pytest.raises(CardgenError) as caught:
        cairo.to_pdf(artwork('<circle r="9" mask="url(#m)"/>').svg, template)
    place = caught.value.diagnostics[0].place
    assert place.span is not None
    assert (place.file, place.span[0]) == (str(parts.resolve()), 2)


@needs_cairo
def test_artwork_that_cannot_be_drawn_is_shown() -> None:
    with pytest.raises(CardgenError) as caught:
        cairo.to_pdf(b'<svg xmlns="http://www.w3.org/2000/svg" width="x" height="y"><path d="M"/></svg>')
    assert caught.value.diagnostics[0].code == Code.UNDRAWABLE


def test_an_icon_is_one_form_that_takes_the_colour_of_each_text() -> None:
    def heart(y: float, colour: str) -> Text:
        style = SERIF._replace(size=40, colour=colour)
        return Text(set_line("{heart}", 20, y, style, FONTS, min_size=6, icons=Icons()).lines)

    content = written(face(heart(30, "#ff0000"), heart(60, "#0000ff")), face(heart(30, "#00ff00")))
    drawn = [form for form in objects(content, "/Subtype", "/Form") if b" c " in form.read_bytes()]
    assert len(drawn) == 1, "the outline is stored once"
    image = picture_of(content, dpi=72)
    for colour in ((255, 0, 0), (0, 0, 255), (0, 255, 0)):
        assert colour_box(image, colour, 72).width > 5


def test_an_icon_is_painted_whole(tmp_path: Path) -> None:
    (tmp_path / "bar.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><path d="M0 0H40V20H0Z"/></svg>', encoding="utf-8"
    )
    (line_of,) = set_line("{bar}", 10, 30, SERIF, FONTS, min_size=6, icons=Icons(Drawings([tmp_path], read_icon))).lines
    (glyph,) = line_of.pieces
    assert isinstance(glyph, IconGlyph)
    document = writer.write(
        list(impose_single([PrintPiece(face(Text((line_of,))))], CARD, 0)), FONTS, writer.DocumentInfo("Test")
    )
    painted = dark_box(picture_of(document, dpi=600), 600)
    high = glyph.size * 25.4 / 72
    assert (painted.x, painted.bottom) == pytest.approx((glyph.x, glyph.y), abs=0.1)
    assert (painted.width, painted.height) == pytest.approx((2 * high, high), abs=0.1)
