from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from random import Random

import pikepdf
import pytest
from PIL import Image

from cardgen.export.pdf import writer
from cardgen.export.preflight.document import UnreadableFileError, preflight_document
from cardgen.export.preflight.findings import Finding, Requirements
from cardgen.export.press.document import PressSettings, make_press_pdf
from cardgen.export.press.pdfx import PressStandard
from cardgen.face.face import Face, Picture
from cardgen.sheet.imposition import PrintPiece, SheetSettings, impose, impose_single
from cardgen.text.lines import Style
from cardgen.units import Box, Size
from tests.export.pdf.inspection import BLEED, CARD, FONTS, artwork, face, line, rectangle
from tests.export.press.press_tools import profile

NEEDS = Requirements("Press", (CARD,), (), BLEED, 3.0, "front-back", "PDF/X-4", 3.0, None, 5.0, 250)
PAPER = artwork(rectangle(Box(-3, -3, 69, 94), "#f0e0c0"))
GOOD = face(PAPER, line("Sentinel", 10, 20))
BACK = face(PAPER, line("Back", 10, 20))


def document(*fronts: Face, back: Face | None = BACK, bleed: float = BLEED) -> bytes:
    drawn = [
        page
        for front in fronts
        for page in impose_single([PrintPiece(front, back, name="Ash", group="minion")], front.size, bleed)
    ]
    content = writer.write(drawn, FONTS, writer.DocumentInfo("Test"))
    return make_press_pdf(content, drawn, PressSettings(profile()))


def checked(content: bytes, **changes: object) -> list[Finding]:
    return preflight_document(content, replace(NEEDS, **changes))[0]  # type: ignore[arg-type]


def edited(content: bytes, page_content: bytes = b"", **root: object) -> bytes:
    """The document with more content on its first page."""
    with pikepdf.open(BytesIO(content)) as opened:
        opened.pages[0].contents_add(page_content)
        output = BytesIO()
        opened.save(output)
    return output.getvalue()


def test_a_press_document_of_ours_has_nothing_to_correct() -> None:
    assert checked(document(GOOD)) == []


def test_a_sheet_to_cut_at_home_is_one_finding() -> None:
    """Its captions and its inks are those of a home printer; what matters is that it is not one card per page."""
    settings = SheetSettings(Size(210, 297), bleed=BLEED)
    sheets = impose([PrintPiece(GOOD, BACK, name="Ash")] * 4, CARD, settings, "T")
    (finding,) = checked(writer.write(sheets, FONTS, writer.DocumentInfo("Sheets")))
    assert (finding.check, finding.page) == ("sheet", None)
    assert "one card per page" in finding.message


def test_a_page_with_room_for_several_cards_is_a_sheet_too() -> None:
    (finding,) = checked(document(GOOD), sizes=(Size(30, 40),))
    assert finding.check == "sheet"


def test_type_near_the_trim_is_located() -> None:
    (finding,) = checked(document(face(PAPER, line("Sentinel", 1, 20))))
    assert (finding.check, finding.page, finding.card) == ("safe-zone", 1, "Ash front")
    assert "'Sentinel' is 1." in finding.message
    assert finding.box is not None
    assert finding.box.x == pytest.approx(BLEED + 1, abs=0.6)


def test_small_type_is_measured() -> None:
    (finding,) = checked(document(face(PAPER, line("Tiny", 10, 20, Style("EB Garamond", 3.5)))))
    assert finding.check == "type-size"
    assert "'Tiny' is 3.5 pt" in finding.message


def test_size_bleed_and_count() -> None:
    assert {each.check for each in checked(document(GOOD), sizes=(Size(70, 120),))} == {"size"}
    assert {each.check for each in checked(document(GOOD, bleed=1.0), bleed=3.0)} == {"bleed"}
    assert {each.check for each in checked(document(GOOD, GOOD), most_cards=1)} == {"count"}


def test_blank_bleed_is_seen_at_its_side() -> None:
    half = artwork(rectangle(Box(0, 0, 63, 88), "#803010"))
    findings = checked(document(face(half)))
    assert {each.check for each in findings} == {"blank-bleed"}
    assert {each.message.split(" at the ")[1].split(",")[0] for each in findings} == {"left", "top", "right", "bottom"}


def test_a_bleed_that_is_painted_in_part_is_blank_at_its_edge() -> None:
    part = artwork(rectangle(Box(-BLEED * 0.6, -BLEED, 63 + 2 * BLEED, 88 + 2 * BLEED), "#803010"))
    (finding,) = checked(document(face(part)))
    assert (finding.check, finding.message.split(" at the ")[1].split(",")[0]) == ("blank-bleed", "left")


def test_pages_in_the_wrong_order() -> None:
    findings = checked(document(GOOD), page_order="back-front")
    assert [(each.check, each.page) for each in findings] == [("order", 1), ("order", 2)]


def test_a_coarse_picture(tmp_path: Path) -> None:
    path = tmp_path / "art.png"
    Image.new("RGB", (60, 60), "#a04020").save(path)
    (finding,) = checked(document(face(PAPER, Picture(path, Box(10, 10, 20, 20)))))
    assert finding.check == "resolution"
    assert "76 dpi" in finding.message


def test_ink_and_rich_black() -> None:
    rich = edited(document(GOOD), b"BT 0.6 0.4 0.4 1 k ET")
    assert {each.check for each in checked(rich)} == {"rich-black"}
    assert {each.check for each in checked(rich, ink_limit=2.0)} == {"rich-black", "ink"}
    screen = edited(document(GOOD), b"1 0 0 rg 0 0 1 1 re f")
    assert [each.message for each in checked(screen)] == ["a color is in RGB, not in CMYK"]


def test_a_plain_document_is_no_press_document() -> None:
    drawn = list(impose_single([PrintPiece(GOOD)], CARD, BLEED))
    findings = checked(writer.write(drawn, FONTS, writer.DocumentInfo("Test")))
    assert {"standard", "output-intent", "ink"} <= {each.check for each in findings}


def test_fonts_must_be_embedded() -> None:
    with pikepdf.open(BytesIO(document(GOOD))) as opened:
        font = pikepdf.Dictionary(Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.Helvetica)
        opened.pages[0].obj.Resources["/Font"] = pikepdf.Dictionary(F9=opened.make_indirect(font))
        output = BytesIO()
        opened.save(output)
    assert [each.message for each in checked(output.getvalue())] == ["the font 'Helvetica' is not embedded"]


def test_transparency_and_layers_are_not_for_an_old_standard() -> None:
    sheer = artwork('<g opacity="0.5"><rect x="10" y="40" width="20" height="20"/></g>')
    findings = checked(document(face(PAPER, sheer)), standard=PressStandard.X1A.value)
    assert {each.check for each in findings} == {"standard", "layers", "transparency"}


@pytest.mark.parametrize("content", [b"", b"%PDF-1.7", b"x" * 1000])
def test_a_file_that_is_no_document(content: bytes) -> None:
    with pytest.raises(UnreadableFileError, match="not a valid PDF"):
        checked(content)


def test_forms_that_use_each_other_are_measured_once() -> None:
    with pikepdf.open(BytesIO(document(GOOD))) as opened:
        forms = [opened.make_stream(b"/A Do /B Do") for _ in range(40)]
        for form, (first, second) in zip(forms, [(n % 40, (n + 7) % 40) for n in range(1, 41)], strict=True):
            form.Type, form.Subtype, form.BBox = pikepdf.Name.XObject, pikepdf.Name.Form, [0, 0, 1, 1]
            form.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(A=forms[first], B=forms[second]))
        opened.pages[1].obj.Resources["/XObject"] = pikepdf.Dictionary(A=forms[0])
        output = BytesIO()
        opened.save(output)
    assert not [each for each in checked(output.getvalue()) if each.check == "transparency"]


def test_broken_files_never_end_in_a_traceback() -> None:
    random, whole = Random(1), document(GOOD)
    for _ in range(40):
        broken = bytearray(whole)
        for _ in range(random.randrange(1, 12)):
            broken[random.randrange(len(broken))] = random.randrange(256)
        with suppress(UnreadableFileError):
            checked(bytes(broken[: random.choice((len(broken), random.randrange(len(broken))))]))
