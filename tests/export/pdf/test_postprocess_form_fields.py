"""Forms: filled in another library, they keep their values and show them."""

from __future__ import annotations

import io
from typing import Any

import pikepdf
import pikepdf.form
import pypdf
import pypdfium2
import pytest
from fontTools.ttLib import TTFont
from PIL import Image, ImageChops

from cardgen.export.pdf import postprocess
from cardgen.export.pdf import writer as pdf
from cardgen.face.face import Face, Field
from cardgen.sheet.imposition import PrintPiece, SheetSettings
from cardgen.sheet.leaf import Backs, SheetPage
from cardgen.units import PAPER_SIZES, Box, Size, to_mm
from tests.export.pdf.inspection import CARD, FONTS, artwork, face, rectangle
from tests.sheet.pages import impose

NAME = Field("Name", Box(5, 6, 50, 9), 14)
WOUNDS = Field("Wounds", Box(40, 30, 12, 8), 12, align="center")
STORY = Field("Story", Box(5, 50, 50, 30), 10, multiline=True)
A4 = PAPER_SIZES["a4"]


def blank(size: Size = CARD) -> Face:
    ground = artwork(rectangle(Box(0, 0, *size), "#ffffff"), size)
    return face(ground, size=size)._replace(fields=(NAME, WOUNDS, STORY))


def sheets(count: int = 1, size: Size = CARD) -> tuple[SheetPage[Face], ...]:
    return impose([PrintPiece(blank(size))] * count, size, SheetSettings(A4, backs=Backs.NONE), "blank")


def document(pages: tuple[SheetPage[Face], ...]) -> bytes:
    return pdf.write(pages, FONTS, pdf.DocumentInfo("blank"))


def shown(content: bytes) -> Image.Image:
    opened = pypdfium2.PdfDocument(content)
    opened.init_forms()
    try:
        picture: Image.Image = opened[0].render(scale=2).to_pil().convert("L")
        return picture
    finally:
        opened.close()


def widgets_of(content: bytes) -> list[Any]:
    page: Any = pypdf.PdfReader(io.BytesIO(content)).pages[0]
    return [each.get_object() for each in page["/Annots"]]


def filled_by_pypdf(content: bytes, values: dict[str, str]) -> bytes:
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(content))
    for page in writer.pages:
        writer.update_page_form_field_values(page, values, auto_regenerate=False)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def filled_by_pikepdf(content: bytes, values: dict[str, str]) -> bytes:
    with pikepdf.open(io.BytesIO(content)) as opened:
        form: Any = pikepdf.form.Form(opened, pikepdf.form.DefaultAppearanceStreamGenerator)
        for name, value in values.items():
            form[name].value = value
        out = io.BytesIO()
        opened.save(out)
    return out.getvalue()


VALUES = {"Card - Name": "Toll Keeper", "Card - Wounds": "7", "Card - Story": "Two coins, or two teeth."}


@pytest.mark.parametrize("fill", [filled_by_pypdf, filled_by_pikepdf])
def test_a_form_that_is_filled_elsewhere_keeps_its_values_and_shows_them(fill: Any) -> None:
    empty = document(sheets())
    filled = fill(empty, VALUES)
    read = pypdf.PdfReader(io.BytesIO(filled)).get_fields() or {}
    assert {name: field.get("/V") for name, field in read.items()} == VALUES
    change = ImageChops.difference(shown(empty), shown(filled))
    for widget in next(postprocess.page_widgets(sheets())):
        box = widget.box
        left, top, right, bottom = (edge / to_mm(1) * 2 for edge in (box.x, box.y, box.right, box.bottom))
        found = change.crop((int(left), int(top), int(right), int(bottom))).getbbox()
        assert found, f"{widget.name} does not show what it was filled with"


def test_an_empty_form_prints_as_if_it_had_no_fields() -> None:
    page = sheets()[0]
    plain = page._replace(
        placements=tuple(each._replace(face=each.face._replace(fields=())) for each in page.placements)
    )
    assert ImageChops.difference(shown(document((page,))), shown(document((plain,)))).getbbox() is None


def test_fields_lie_where_their_boxes_are() -> None:
    slot = sheets()[0].placements[0].slot
    for field, annotation in zip((NAME, WOUNDS, STORY), widgets_of(document(sheets())), strict=True):
        left, bottom, right, top = (to_mm(float(each)) for each in annotation["/Rect"])
        assert left == pytest.approx(slot.trim.x + field.box.x, abs=0.01)
        assert top == pytest.approx(A4.height - slot.trim.y - field.box.y, abs=0.01)
        assert (right - left, top - bottom) == pytest.approx((field.box.width, field.box.height), abs=0.01)


def test_fields_are_turned_with_their_cards() -> None:
    page = sheets(size=Size(60, 100))[0]
    turned = page._replace(placements=tuple(
        each._replace(slot=each.slot._replace(trim=Box(20, 30, 100, 60), turn=90)) for each in page.placements
    ))  # fmt: skip
    name = next(postprocess.page_widgets([turned]))[0]
    # A quarter clockwise: what was 6 mm below the upper edge is 6 mm left of the right one.
    assert name.box == Box(20 + 100 - 6 - 9, 30 + 5, 9, 50)
    assert widgets_of(document((turned,)))[0]["/MK"]["/R"] == 270


def test_fields_are_named_after_their_card_its_copy_and_themselves() -> None:
    pieces = [PrintPiece(blank(), name="St. Ash")] * 11 + [PrintPiece(blank(), name="Rook")]
    pages = impose(pieces, CARD, SheetSettings(A4, backs=Backs.NONE), "blank")
    names = [widget.name for found in postprocess.page_widgets(pages) for widget in found]
    assert names[:4] == ["St Ash 1 - Name", "St Ash 1 - Wounds", "St Ash 1 - Story", "St Ash 2 - Name"]
    assert names[-4:] == ["St Ash 11 - Story", "Rook - Name", "Rook - Wounds", "Rook - Story"]
    assert len(set(names)) == len(names) == 36
    assert set(pypdf.PdfReader(io.BytesIO(document(pages))).get_fields() or {}) == set(names)


def test_names_that_would_be_equal_differ() -> None:
    number = NAME._replace(name="1 - Name")
    pieces = [PrintPiece(blank()._replace(fields=(number,)), name="Ash"), PrintPiece(blank(), name="Ash 1")]
    pages = impose(pieces * 2, CARD, SheetSettings(A4, backs=Backs.NONE), "blank")
    names = [widget.name for found in postprocess.page_widgets(pages) for widget in found]
    assert len(set(names)) == len(names)


def _places(content: bytes) -> dict[str, tuple[int, int, int, int]]:
    """Return the places of the fields of the first page in its picture, by name."""
    places = {}
    for widget in widgets_of(content):
        left, bottom, right, top = (float(each) * 2 for each in widget["/Rect"])
        high = A4.height / to_mm(1) * 2
        places[str(widget["/T"])] = (round(left), round(high - top), round(right), round(high - bottom))
    return places


@pytest.mark.parametrize("fill", [filled_by_pypdf, filled_by_pikepdf])
def test_a_field_that_is_filled_shows_on_no_other_one(fill: Any) -> None:
    empty = document(sheets(9))
    filled = ImageChops.difference(shown(empty), shown(fill(empty, {"Card 5 - Name": "Toll Keeper"})))
    places = _places(empty)
    changed = {name for name, place in places.items() if filled.crop(place).getbbox()}
    assert changed == {"Card 5 - Name"}
    # no two fields share an object that is overwritten when one is filled
    appearances = [each["/AP"].raw_get("/N").idnum for each in widgets_of(empty)]
    assert len(set(appearances)) == len(appearances) == 27


BOX = Field("Once", Box(6, 54, 4, 4), 11, is_box=True)


def ticked_by_pikepdf(content: bytes, name: str) -> bytes:
    with pikepdf.open(io.BytesIO(content)) as opened:
        box: Any = pikepdf.form.Form(opened)[name]
        box.checked = True
        out = io.BytesIO()
        opened.save(out)
    return out.getvalue()


def ticked_by_pypdf(content: bytes, name: str) -> bytes:
    return filled_by_pypdf(content, {name: "/Yes"})


@pytest.mark.parametrize("tick", [ticked_by_pypdf, ticked_by_pikepdf])
def test_a_box_is_ticked_by_itself(tick: Any) -> None:
    face = blank()._replace(fields=(NAME, BOX))
    empty = document(impose([PrintPiece(face)] * 4, CARD, SheetSettings(A4, backs=Backs.NONE), "blank"))
    ticked = tick(empty, "Card 3 - Once")
    fields = pypdf.PdfReader(io.BytesIO(ticked)).get_fields() or {}
    boxes = {name: field["/V"] for name, field in fields.items() if field["/FT"] == "/Btn"}
    assert boxes == {f"Card {n} - Once": "/Yes" if n == 3 else "/Off" for n in range(1, 5)}
    change = ImageChops.difference(shown(empty), shown(ticked))
    assert {name for name, place in _places(empty).items() if change.crop(place).getbbox()} == {"Card 3 - Once"}


@pytest.mark.parametrize("family", ["EB Garamond", "Source Sans 3", ""])
def test_other_letters_are_set_in_the_font_of_the_card(family: str) -> None:
    face = blank()._replace(fields=(NAME._replace(family=family),))
    empty = document(impose([PrintPiece(face)], CARD, SheetSettings(A4, backs=Backs.NONE), "blank"))
    font = FONTS.font(family or "Source Sans 3").key
    form: Any = pypdf.PdfReader(io.BytesIO(empty)).root_object["/AcroForm"]
    assert f"/{font}" in form["/DR"]["/Font"]
    assert widgets_of(empty)[0]["/DA"].startswith(f"/{font} 14 Tf")
    program = form["/DR"]["/Font"][f"/{font}"]["/FontDescriptor"]["/FontFile2"].get_data()
    with TTFont(io.BytesIO(program)) as opened:
        assert {*range(0x20, 0x7F), *range(0xA0, 0x17F)} - {0x149} <= set(opened.getBestCmap())
    value = "Łódź Ω?"
    filled = filled_by_pypdf(empty, {"Card - Name": value})
    assert value in pypdf.PdfReader(io.BytesIO(_flat(filled))).pages[0].extract_text()
    assert shown(filled) != shown(filled_by_pypdf(empty, {"Card - Name": "?ód? ??"}))


def _flat(content: bytes) -> bytes:
    """Return the document with its fields drawn on the page."""
    with pikepdf.open(io.BytesIO(content)) as opened:
        opened.flatten_annotations()
        out = io.BytesIO()
        opened.save(out)
    return out.getvalue()


def test_a_document_without_fields_is_no_form() -> None:
    pages = impose([PrintPiece(face(size=CARD))], CARD, SheetSettings(A4), "plain")
    assert "/AcroForm" not in pypdf.PdfReader(io.BytesIO(document(pages))).root_object
