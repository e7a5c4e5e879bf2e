from __future__ import annotations

import io

import pikepdf
import pypdfium2
import pytest
from reportlab.pdfgen.canvas import Canvas

from cardgen.export.reference.pagination import impose, page_order


def numbered(pages: int) -> bytes:
    """A PDF of so many A5 pages, each with its number on it."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(420, 595), invariant=1)
    for number in range(pages):
        canvas.drawString(200, 300, f"p{number + 1}")
        canvas.showPage()
    canvas.setCatalogEntry("Lang", "en-GB")
    canvas.setTitle("Numbers")
    canvas.save()
    return buffer.getvalue()


def test_a_booklet_of_one_sheet() -> None:
    assert list(page_order(4)) == [(3, 0), (1, 2)]


@pytest.mark.parametrize("pages", range(1, 30))
def test_folded_sheets_can_be_read_through(pages: int) -> None:
    """Opened anywhere, the page on the right follows the one on the left; all are there once."""
    sides = list(page_order(pages))
    assert len(sides) % 2 == 0
    assert sorted(page for side in sides for page in side) == list(range(2 * len(sides)))
    assert 2 * len(sides) - pages < 4
    fronts, backs = sides[::2], sides[1::2]
    for number, (left, right) in enumerate(backs):
        assert fronts[number][1] + 1 == left  # the front's right page is the back's left one, turned over
        assert fronts[number][0] - 1 == right


def test_pages_stand_beside_each_other() -> None:
    content = impose(numbered(6))
    pages = pypdfium2.PdfDocument(content)
    assert [page.get_size() for page in pages] == [(840, 595)] * 4
    texts = [page.get_textpage().get_text_range().split() for page in pages]
    assert texts == [["p1"], ["p2"], ["p6", "p3"], ["p4", "p5"]]


def test_it_says_how_it_is_printed_and_is_the_same_each_time() -> None:
    content = impose(numbered(4))
    assert content == impose(numbered(4))
    with pikepdf.open(io.BytesIO(content)) as document:
        assert str(document.Root.ViewerPreferences.Duplex) == "/DuplexFlipShortEdge"
        assert str(document.Root.Lang) == "en-GB"
        assert str(document.docinfo["/Title"]) == "Numbers"
