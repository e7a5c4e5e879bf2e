from __future__ import annotations

import re
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from PIL import Image

from cardgen.export.inks import PressStandard
from cardgen.export.pdf import writer
from cardgen.export.press import PressSettings, make_press_pdf
from cardgen.face.face import CutPath, Face, Picture
from cardgen.sheet.imposition import PrintPiece
from cardgen.sheet.leaf import SheetPage
from cardgen.svg.scene import parse_path
from cardgen.units import Box, Shape
from tests.export.pdf.inspection import BLEED, CARD, FONTS, artwork, face, line
from tests.export.press_tools import most_ink, profile, run, separations
from tests.sheet.pages import impose_single

# Dark colors want far more ink than a press takes; the gradient and the opacity have pixels between them.
DARK = """<linearGradient id="g"><stop offset="0" stop-color="#000030"/><stop offset="1" stop-color="#300008"/>
</linearGradient><rect x="-3" y="-3" width="69" height="94" fill="url(#g)"/>
<rect x="5" y="40" width="20" height="20" fill="#06200a"/><rect x="30" y="40" width="20" height="20" fill="#808080"/>"""
SHEER = '<g opacity="0.5"><rect x="10" y="45" width="30" height="10" fill="#102060"/></g>'
LIMITS = (2.4, 3.0)


def picture(folder: Path) -> Picture:
    """A picture with dark colors, and an opacity that changes across it."""
    path = folder / "art.png"
    image = Image.linear_gradient("L").resize((200, 200))
    Image.merge("RGBA", (image.point(lambda v: v // 6), image.rotate(90).point(lambda v: v // 6), image, image)).save(
        path
    )
    return Picture(path, Box(5, 62, 50, 20))


def pieces(folder: Path) -> list[PrintPiece[Face]]:
    front = face(artwork(DARK), artwork(SHEER), picture(folder), line("Sentinel"))
    return [PrintPiece(front, face(artwork(DARK), line("Back"))), PrintPiece(face(line("Round")), shape=Shape.ROUND)]


def pages(folder: Path) -> list[SheetPage[Face]]:
    return list(impose_single(pieces(folder), CARD, BLEED))


def pressed(folder: Path, **changes: object) -> bytes:
    drawn = pages(folder)
    document = writer.write(drawn, FONTS, writer.DocumentInfo("Test & more"))
    settings = PressSettings(profile(), corner_radius=3)
    return make_press_pdf(document, drawn, replace(settings, **changes))  # type: ignore[arg-type]


@pytest.mark.parametrize("standard", PressStandard)
def test_a_press_pdf_is_made_to_its_standard(tmp_path: Path, standard: PressStandard) -> None:
    path = tmp_path / "press.pdf"
    path.write_bytes(pressed(tmp_path, standard=standard))
    assert f"PDF subtype:    {standard}" in re.sub(r"subtype: +", "subtype:    ", run("pdfinfo", str(path)))
    assert "No syntax or stream encoding errors" in run("qpdf", "--check", str(path))
    with pikepdf.open(path) as document:
        assert document.pdf_version == standard.pdf_version
        assert "/OCProperties" in document.Root or standard is PressStandard.X1A


@pytest.mark.share(2)
@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("standard", PressStandard)
def test_no_place_has_more_ink_than_the_limit(tmp_path: Path, standard: PressStandard, limit: float) -> None:
    found = separations(pressed(tmp_path, standard=standard, ink_limit=limit), tmp_path / "plates")
    assert len(found) == 4
    totals = [most_ink(plates) for plates in found]
    assert max(totals) <= limit + 0.005
    assert max(totals) > limit - 0.1, "the card has colors beyond the limit"


def test_nothing_is_left_in_the_colors_of_screens(tmp_path: Path) -> None:
    for standard in PressStandard:
        with pikepdf.open(BytesIO(pressed(tmp_path, standard=standard))) as document:
            assert not [each for each in document.objects if b"DeviceRGB" in each.unparse()]
            streams = [each for each in document.objects if isinstance(each, pikepdf.Stream)]
            forms = [each for each in streams if each.get("/Subtype") == "/Form"]
            operators = {str(each.operator) for form in forms for each in pikepdf.parse_content_stream(form)}
            assert forms
            assert not operators & {"rg", "RG", "g", "G"}


def test_cut_lines_are_a_plate_of_their_own(tmp_path: Path) -> None:
    first, back, coin, _ = separations(pressed(tmp_path), tmp_path / "plates")
    assert first["CutContour"].getbbox() is not None
    assert coin["CutContour"].getbbox() is not None
    assert "CutContour" not in back or back["CutContour"].getbbox() is None
    left, top, right, bottom = first["CutContour"].getbbox() or (0, 0, 0, 0)
    assert [side * 25.4 / 150 for side in (left, top, right, bottom)] == pytest.approx(
        [BLEED, BLEED, BLEED + CARD.width, BLEED + CARD.height], abs=0.2
    )


def test_cut_lines_do_not_change_the_other_plates(tmp_path: Path) -> None:
    for standard in PressStandard:
        with_lines = separations(pressed(tmp_path, standard=standard), tmp_path / f"a{standard.name}")
        without = separations(pressed(tmp_path, standard=standard, cut_contour=None), tmp_path / f"b{standard.name}")
        for one, other in zip(with_lines, without, strict=True):
            for ink in ("Cyan", "Magenta", "Yellow", "Black"):
                assert one[ink].tobytes() == other[ink].tobytes()


def test_black_text_is_black_ink_only(tmp_path: Path) -> None:
    plates = separations(pressed(tmp_path, cut_contour=None), tmp_path / "plates")[2]
    assert plates["Black"].getbbox() is not None
    assert all(plates[ink].getbbox() is None for ink in ("Cyan", "Magenta", "Yellow"))


def test_boxes_stay(tmp_path: Path) -> None:
    with pikepdf.open(BytesIO(pressed(tmp_path))) as document:
        trim, bleed = ([float(side) for side in box] for box in (document.pages[0].trimbox, document.pages[0].bleedbox))
    assert trim[0] - bleed[0] == pytest.approx(BLEED * 72 / 25.4, abs=0.01)


def test_flattened_pages_keep_their_text_and_use_no_transparency(tmp_path: Path) -> None:
    content = pressed(tmp_path, standard=PressStandard.X1A)
    text = pypdfium2.PdfDocument(content)[0].get_textpage().get_text_bounded()
    assert "Sentinel" in text
    with pikepdf.open(BytesIO(content)) as document:
        used = set(document.pages[0].obj.Resources.keys())
        everything = b"".join(each.unparse() for each in document.objects)
    assert used
    assert b"/SMask <<" not in everything
    assert b"/OCG" not in everything


def test_a_flattened_page_looks_like_the_original(tmp_path: Path) -> None:
    screens = [
        pypdfium2.PdfDocument(pressed(tmp_path, standard=standard, cut_contour=None))[0]
        .render()
        .to_pil()
        .convert("RGB")
        for standard in PressStandard
    ]
    one, other = (screen.reduce(8).tobytes() for screen in screens)
    assert max(abs(a - b) for a, b in zip(one, other, strict=True)) < 40


def test_the_same_cards_give_the_same_bytes(tmp_path: Path) -> None:
    assert pressed(tmp_path) == pressed(tmp_path)


def test_a_piece_with_an_outline_is_cut_along_it(tmp_path: Path) -> None:
    outline = tuple(parse_path("M10 10H40V30Z"))
    piece = PrintPiece(face(line("Wedge"))._replace(cuts=(CutPath(outline),)))
    drawn = list(impose_single([piece], CARD, BLEED))
    document = writer.write(drawn, FONTS, writer.DocumentInfo("Test"))
    content = make_press_pdf(document, drawn, PressSettings(profile(), corner_radius=3))
    plate = separations(content, tmp_path / "plates")[0]["CutContour"]
    box = [side * 25.4 / 150 - BLEED for side in plate.getbbox() or ()]
    assert box == pytest.approx([10, 10, 40, 30], abs=0.3)
    left, top = (round((side + BLEED) / 25.4 * 150) for side in (30, 25))
    assert plate.crop((0, top, left, plate.height)).getbbox() is None
