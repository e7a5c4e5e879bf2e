"""Numbers, index, links, and trim marks of a sheet, as printed and as a web page."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pikepdf
import pypdfium2
import pytest

from cardgen.export.pdf import writer
from cardgen.reference.document_tree import Document
from cardgen.reference_sheets import blocks
from cardgen.reference_sheets.pagination import Trim, sheet_leaves
from cardgen.sheet.imposition import impose_leaves
from cardgen.sheet.leaf import Leaf, pages_of
from cardgen.text.copyfitting import Compositor
from tests.reference.sheets import document
from tests.reference_sheets.sheets import FONTS, ICONS, pages, sheet_format, theme

SHEET = """
title: Test
number: true
index: true
sections:
  - section: Sight
    content:
      - {id: block, text: A wall blocks sight.}
      - {term: Cover, text: "One die fewer; see <see late>."}
  - section: Late
    start: front
    content:
      - points: [{term: Ash, text: See <see block>.}]
"""


@pytest.fixture(scope="module")
def sheet() -> Document:
    return document(SHEET)


def leaves_of(sheet: Document, trim: Trim | None = None) -> list[Leaf[Any]]:
    form = replace(sheet_format(columns=1, pages=3), trim=trim)
    return sheet_leaves(sheet, pages(sheet, form), form, Compositor(FONTS, ICONS, "en_GB"))


def written(leaves: Sequence[Leaf[Any]]) -> bytes:
    return writer.write(pages_of(leaves), FONTS, writer.DocumentInfo("Test"))


def test_numbers_and_the_index_are_printed_and_a_front_is_an_odd_page(sheet: Document) -> None:
    texts = [page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(written(leaves_of(sheet)))]
    words = [" ".join(text.split()) for text in texts]
    assert "1 SIGHT" in words[0]
    assert "1.1 A wall blocks sight." in words[0]
    assert "see Late (2)." in words[0]
    assert "LATE" not in words[1]
    assert "2.1 Ash See 1.1." in words[2]
    assert "Ash 2.1, p. 3" in words[2]
    assert "Cover 1.2, p. 1" in words[2]


def test_references_are_links_and_rules_are_not_bookmarks(sheet: Document) -> None:
    with pikepdf.open(io.BytesIO(written(leaves_of(sheet)))) as document:
        numbers: dict[object, int] = {page.objgen: number for number, page in enumerate(document.pages, 1)}
        links = sorted(
            (numbers[page.objgen], numbers[link.Dest[0].objgen])
            for page in document.pages
            for link in page.get("/Annots", [])
        )
        assert links == [(1, 3), (3, 1), (3, 1), (3, 3)]
        with document.open_outline() as outline:
            assert [item.title for item in outline.root] == ["1\u2002Sight", "2\u2002Late", "3\u2002Index"]


def test_the_web_page_has_numbers_and_links(sheet: Document) -> None:
    page = blocks.write(sheet, theme(), theme(), FONTS, ICONS).decode()
    assert '<div class="rule" id="block"><span class="number">1.1</span>' in page
    assert '<li id="rule-ash"><span class="number">2.1</span>' in page
    assert '<a href="#block">1.1</a>' in page
    assert '<a href="#late">Late (2)</a>' in page
    assert 'Ash <a href="#rule-ash">2.1</a>' in page


def test_trim_marks_are_at_the_trim_and_leave_the_layout_as_it_is(sheet: Document) -> None:
    plain, trimmed = written(leaves_of(sheet)), written(leaves_of(sheet, Trim(5, 4)))
    texts = [pypdfium2.PdfDocument(content)[0].get_textpage().get_text_range() for content in (plain, trimmed)]
    assert texts[0] == texts[1]
    with pikepdf.open(io.BytesIO(trimmed)) as document:
        box = [round(float(edge) * 25.4 / 72, 2) for edge in document.pages[0].TrimBox]
    assert box == [5, 5, 205, 292]
    inked = ink_of(trimmed)
    assert inked(5, 2)
    assert inked(205, 295)
    assert inked(2, 292)
    assert not inked(5, 7)  # the corner is round
    assert inked(5 + 4 * (1 - 0.5**0.5), 5 + 4 * (1 - 0.5**0.5))


def test_trim_marks_stay_when_pages_are_beside_each_other(sheet: Document) -> None:
    imposed = impose_leaves([leaves_of(sheet, Trim(5, 4))], 2)
    inked = ink_of(written(imposed))
    assert inked(5, 2)
    assert inked(210 + 5, 2)
    assert inked(210 + 205, 295)


def ink_of(content: bytes) -> Callable[[float, float], bool]:
    """Return a function that tells whether there is ink at a point of the first page, in millimeters."""
    image = pypdfium2.PdfDocument(content)[0].render(scale=10).to_pil().convert("L")
    pixel, reach = 10 * 72 / 25.4, 0.15

    def is_inked(x: float, y: float) -> bool:
        box = [round(pixel * each) for each in (x - reach, y - reach, x + reach, y + reach)]
        return bool(image.crop(tuple(box)).getextrema()[0] < 200)

    return is_inked
