from __future__ import annotations

import re
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from random import Random

import pikepdf
import pypdfium2
import pytest
from PIL import Image, ImageOps

from cardgen.export.inks import PressStandard
from cardgen.export.page_objects import UnreadableFileError
from cardgen.export.pdf import writer
from cardgen.export.preflight import Finding, Requirements, preflight_document
from cardgen.export.press import PressSettings, make_press_pdf
from cardgen.face.face import Face, Item, Picture
from cardgen.sheet.imposition import PrintPiece, SheetSettings
from cardgen.text.lines import Style
from cardgen.units import Box, Matrix, Size, to_mm, to_points
from tests.cases import each_case
from tests.export.pdf.inspection import BLEED, CARD, FONTS, SERIF, artwork, face, line, rectangle
from tests.export.press_tools import profile
from tests.sheet.pages import impose, impose_single

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


@each_case("swapped", [(2, 3, 0, 1), (0, 3, 2, 1), (2, 1, 0, 3)])
def test_a_rectangle_may_have_any_two_opposite_corners(swapped: tuple[int, ...]) -> None:
    with pikepdf.open(BytesIO(document(GOOD))) as opened:
        for page in opened.pages:
            for name in ("/MediaBox", "/TrimBox"):
                page.obj[name] = pikepdf.Array([page.obj[name][at] for at in swapped])
        output = BytesIO()
        opened.save(output)
    assert checked(output.getvalue()) == []


def placed_in_form(item: Item, *, form: Matrix, outer: Matrix) -> bytes:
    """A page of 100 mm, trimmed by 10, on which a form XObject is drawn."""
    content = writer.write(impose_single([PrintPiece(face(item, bleed=0))], CARD, 0), FONTS, writer.DocumentInfo("T"))
    with pikepdf.open(BytesIO(content)) as opened:
        page = opened.pages[0]
        ((name, drawn),) = page.obj.Resources.XObject.items()
        drawn.Matrix, drawn.BBox = list(form), [-1000, -1000, 1000, 1000]
        page.Contents = opened.make_stream(b"q %s cm %s Do Q" % (numbers(outer), name.encode()))
        page.MediaBox = page.CropBox = [0, 0, to_points(100), to_points(100)]
        page.TrimBox = [to_points(10), to_points(10), to_points(90), to_points(90)]
        output = BytesIO()
        opened.save(output)
    return output.getvalue()


def numbers(matrix: Matrix) -> bytes:
    return " ".join(f"{number:.5f}" for number in matrix).encode()


QUARTER: Matrix = (0, 1, -1, 0, to_points(70), 0)


@each_case("spaced", [False, True], ids=["plain", "spaced"])
@each_case(
    "form",
    [(1, 0, 0, 1, 0, 0), (1, 0, 0, 1, to_points(4), to_points(-3)), (0.5, 0, 0, 0.5, 0, 0), QUARTER],
    ids=["as-is", "moved", "scaled", "turned"],
)
@each_case(
    "outer",
    [(1, 0, 0, 1, to_points(20), to_points(5)), (1.2, 0, 0, 1.2, 0, to_points(-8)), QUARTER],
    ids=["moved", "scaled", "turned"],
)
def test_type_is_measured_where_it_is_printed(outer: Matrix, form: Matrix, spaced: bool) -> None:
    """Spaced letters carry the words they stand for (ActualText), which pdfium places without the forms around."""
    text = line("Mmmm", 10, 20, SERIF._replace(tracking=0.2 if spaced else 0.0))
    content = placed_in_form(text, form=form, outer=outer)
    (finding,) = (each for each in checked(content, safe=200.0, sizes=(), standard=None) if each.check == "safe-zone")
    with pypdfium2.PdfDocument(content) as document:
        ink = ImageOps.invert(document[0].render(scale=2).to_pil().convert("L")).getbbox()
    assert ink
    assert finding.box is not None
    left, top, right, bottom = (to_mm(side / 2) for side in ink)
    assert finding.box.x >= left - 1.5
    assert finding.box.right <= right + 1.5
    assert finding.box.y >= top - 1.5
    assert finding.box.bottom <= bottom + 1.5
    measured = float(re.findall(r"is (-?[\d.]+) mm", finding.message)[0])
    assert measured == pytest.approx(min(left - 10, top - 10, 90 - right, 90 - bottom), abs=1.0)


def test_type_that_is_scaled_by_a_form_has_the_size_that_it_is_printed_at() -> None:
    for spaced in (False, True):
        text = line("Mmmm", 10, 20, SERIF._replace(tracking=0.2 if spaced else 0.0))
        content = placed_in_form(text, form=(0.5, 0, 0, 0.5, 0, 0), outer=(0.8, 0, 0, 0.8, 0, 0))
        found = [each.message for each in checked(content, sizes=(), standard=None) if each.check == "type-size"]
        assert [message.split(" is ")[1] for message in found] == ["4.8 pt, smaller than 5 pt"]


def test_size_bleed_and_count() -> None:
    assert {each.check for each in checked(document(GOOD), sizes=(Size(70, 120),))} == {"size"}
    assert {each.check for each in checked(document(GOOD, bleed=1.0), bleed=3.0)} == {"bleed"}
    assert {each.check for each in checked(document(GOOD, GOOD), most_cards=1)} == {"count"}


def test_blank_bleed_is_seen_at_its_side() -> None:
    half = artwork(rectangle(Box(0, 0, 63, 88), "#803010"))
    findings = checked(document(face(half)))
    assert {each.check for each in findings} == {"blank-bleed"}
    assert {each.message.split(" at the ")[1].split(" ends")[0] for each in findings} == {
        "left",
        "top",
        "right",
        "bottom",
    }


def test_a_bleed_that_is_painted_in_part_is_blank_at_its_edge() -> None:
    part = artwork(rectangle(Box(-BLEED * 0.6, -BLEED, 63 + 2 * BLEED, 88 + 2 * BLEED), "#803010"))
    (finding,) = checked(document(face(part)))
    assert (finding.check, finding.message.split(" at the ")[1].split(" ends")[0]) == ("blank-bleed", "left")


def test_pages_in_the_wrong_order() -> None:
    findings = checked(document(GOOD), page_order="back-front")
    assert [(each.check, each.page) for each in findings] == [("order", 1), ("order", 2)]


def test_a_coarse_picture(tmp_path: Path) -> None:
    path = tmp_path / "art.png"
    Image.new("RGB", (60, 60), "#a04020").save(path)
    (finding,) = checked(document(face(PAPER, Picture(path, Box(10, 10, 20, 20)))))
    assert finding.check == "resolution"
    assert "76 dpi" in finding.message


def test_a_picture_that_a_form_enlarges_has_fewer_dots() -> None:
    with pikepdf.open(BytesIO(document(GOOD))) as opened:
        page = opened.pages[0]
        image = opened.make_stream(bytes(300 * 300))
        image.Type, image.Subtype, image.ColorSpace = pikepdf.Name.XObject, pikepdf.Name.Image, pikepdf.Name.DeviceGray
        image.Width, image.Height, image.BitsPerComponent = 300, 300, 8
        form = opened.make_stream(b"36 0 0 36 0 0 cm /I Do")
        form.Type, form.Subtype, form.BBox = pikepdf.Name.XObject, pikepdf.Name.Form, [0, 0, 36, 36]
        form.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(I=image))
        page.obj.Resources.XObject["/Enlarged"] = form
        page.contents_add(b"q 3 0 0 3 40 40 cm /Enlarged Do Q")
        output = BytesIO()
        opened.save(output)
    assert [each.check for each in checked(output.getvalue())] == ["resolution"]
    assert "a picture has 200 dpi" in checked(output.getvalue())[0].message


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


def _with_picture(**keys: object) -> bytes:
    with pikepdf.open(BytesIO(document(GOOD))) as opened:
        picture = opened.make_stream(bytes(keys.pop("data", b"\x80" * 400)))  # type: ignore[call-overload]
        picture.Type, picture.Subtype = pikepdf.Name.XObject, pikepdf.Name.Image
        picture.Width, picture.Height, picture.BitsPerComponent = 10, 10, 8
        for key, value in keys.items():
            picture[f"/{key}"] = value
        opened.pages[1].obj.Resources["/XObject"] = pikepdf.Dictionary(P=picture)
        output = BytesIO()
        opened.save(output)
    return output.getvalue()


def _separation() -> pikepdf.Array:
    tint = pikepdf.Dictionary(FunctionType=2, Domain=[0, 1], C0=[0, 0, 0, 0], C1=[0, 1, 0, 0], N=1)
    return pikepdf.Array([pikepdf.Name.Separation, pikepdf.Name.Spot, pikepdf.Name.DeviceCMYK, tint])


def _large_jpeg() -> bytes:
    """Return a JPEG whose own head says that it is far larger than the document does."""
    output = BytesIO()
    Image.new("L", (10, 10), 128).save(output, "jpeg")
    return output.getvalue().replace(b"\x08\x00\x0a\x00\x0a", b"\x08\xfd\xe8\xfd\xe8")


@each_case(
    "keys",
    [
        {"ColorSpace": _separation()},
        {"ColorSpace": pikepdf.Name.DeviceGray, "Filter": pikepdf.Name.DCTDecode, "data": _large_jpeg()},
        {"ColorSpace": pikepdf.Name.DeviceGray, "Filter": pikepdf.Name.JBIG2Decode, "BitsPerComponent": 1},
    ],
)
def test_a_picture_that_cannot_be_measured_is_named(keys: dict[str, object], monkeypatch: pytest.MonkeyPatch) -> None:
    """pikepdf would decode JBIG2 with a program, which strangers' files never start."""
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: pytest.fail("a program was started"))
    found = [each.message for each in checked(_with_picture(**keys)) if each.check == "picture"]
    assert found == ["the picture P cannot be measured"]


@pytest.mark.parametrize("box", [[0, 0, 10**9, 10**9], [-(10**9), -(10**9), 0, 0]])
def test_a_trim_far_off_the_page_is_no_reason_to_paint_it(box: list[int]) -> None:
    with pikepdf.open(BytesIO(document(GOOD))) as opened:
        opened.pages[0].trimbox = pikepdf.Array(box)
        output = BytesIO()
        opened.save(output)
    with suppress(UnreadableFileError):
        assert checked(output.getvalue())


BROKEN_TREE = b"""%PDF-1.4
1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj
2 0 obj <</Type /Pages /Count 2 /Kids [5 (a) null 3 0 R 99 0 R]>> endobj
3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 200 280]>> endobj
trailer <</Size 4 /Root 1 0 R>>
"""


def test_a_broken_page_tree_is_one_error_without_warnings_of_libraries(tmp_path: Path) -> None:
    (tmp_path / "broken.pdf").write_bytes(BROKEN_TREE)
    command = [sys.executable, "-m", "cardgen", "preflight", "--service", "drivethru", "broken.pdf"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[0].startswith("broken.pdf: error[CG545]")
