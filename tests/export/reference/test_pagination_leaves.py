from __future__ import annotations

import io

import pikepdf
import pypdfium2

from cardgen.export.reference.pagination import impose_leaves, sides
from tests.export.reference.test_pagination_booklet import numbered


def test_every_page_has_the_next_one_on_its_back() -> None:
    assert list(sides([2, 2], 1)) == [(0,), (1,), (2,), (3,)]
    assert list(sides([2, 2], 2)) == [(0, 2), (3, 1)]


def test_every_sheet_starts_on_a_front() -> None:
    assert list(sides([3, 1], 1)) == [(0,), (1,), (2,), (-1,), (3,), (-1,)]
    assert list(sides([3, 2], 2)) == [(0, 2), (-1, 1), (3, -1), (-1, 4)]


def test_pages_are_beside_each_other_and_say_how_they_are_printed() -> None:
    content = impose_leaves([numbered(2), numbered(2)], 2)
    assert content == impose_leaves([numbered(2), numbered(2)], 2)
    pages = pypdfium2.PdfDocument(content)
    assert [page.get_size() for page in pages] == [(840, 595)] * 2
    assert [page.get_textpage().get_text_range().split() for page in pages] == [["p1", "p1"], ["p2", "p2"]]
    with pikepdf.open(io.BytesIO(content)) as document:
        assert str(document.Root.ViewerPreferences.Duplex) == "/DuplexFlipShortEdge"
    with pikepdf.open(io.BytesIO(impose_leaves([numbered(2)], 1))) as document:
        assert str(document.Root.ViewerPreferences.Duplex) == "/DuplexFlipLongEdge"
