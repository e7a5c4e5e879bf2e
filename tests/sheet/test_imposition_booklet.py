"""Booklets, and pages beside each other: which pages are on one sheet of paper."""

from __future__ import annotations

from typing import Any

from cardgen.sheet.imposition import booklet, impose_leaves
from cardgen.sheet.leaf import (
    Anchor,
    DuplexMode,
    Label,
    Leaf,
    Link,
    Printing,
    SheetPage,
    Side,
    duplex_mode,
    pages_of,
    paper_leaves,
    whole_page,
)
from cardgen.units import Box, Size
from tests.cases import each_case
from tests.sheet.pages import labels

A5 = Size(148, 210)


def numbered(count: int, first: int = 0) -> list[SheetPage[Any]]:
    """Return pages of A5, each with its number in the middle."""
    return [whole_page(A5, marks=[Label(str(number), 74, 105)]) for number in range(first, first + count)]


def numbers(page: SheetPage[Any] | None) -> list[int]:
    """Return the numbers on a page from left to right; -1 where there is none."""
    found = {round(label.x // A5.width): int(label.text) for label in labels(page)} if page else {}
    return [found.get(place, -1) for place in range(round((page.paper.width if page else 0) / A5.width))]


def sides(leaves: list[Leaf[Any]]) -> list[list[int]]:
    return [numbers(side) for leaf in leaves for side in (leaf.front, leaf.back)]


def test_a_booklet_of_one_sheet() -> None:
    assert sides(booklet(numbered(4))) == [[3, 0], [1, 2]]


@each_case("pages", range(1, 30))
def test_folded_sheets_can_be_read_through(pages: int) -> None:
    """Opened anywhere, the page on the right follows the one on the left; all are there once."""
    leaves = booklet(numbered(pages))
    printed = [number for side in sides(leaves) for number in side if number >= 0]
    assert sorted(printed) == list(range(pages))
    assert 4 * len(leaves) - pages < 4
    for leaf in leaves:
        assert leaf.front.paper == Size(2 * A5.width, A5.height)
        outer, inner = numbers(leaf.front), numbers(leaf.back)
        if inner:
            assert inner[0] in (outer[1] + 1, -1)  # the front's right page is the back's left one, turned over
            assert outer[0] in (inner[1] + 1, -1)


def test_a_booklet_is_turned_like_its_pages_and_has_no_links() -> None:
    text = (Anchor("a", "A", 1), Link(Box(0, 0, 1, 1), "a"))
    leaves = booklet([page._replace(text=text) for page in numbered(6)])
    assert duplex_mode(leaves) == DuplexMode.SHORT_EDGE
    assert [leaf.printing for leaf in leaves] == [Printing.PLAIN_PAPER] * 2
    assert [page.side for page in pages_of(leaves)] == [Side.FRONT, Side.BACK] * 2
    assert not any(page.text for page in pages_of(leaves))
    assert booklet(numbered(6)) == booklet(numbered(6))


def documents(*lengths: int) -> list[list[Leaf[Any]]]:
    firsts = [sum(lengths[:number]) for number in range(len(lengths))]
    return [paper_leaves(numbered(length, first)) for length, first in zip(lengths, firsts, strict=True)]


def test_every_page_has_the_next_one_on_its_back() -> None:
    assert sides(impose_leaves(documents(2, 2), 1)) == [[0], [1], [2], [3]]
    assert sides(impose_leaves(documents(2, 2), 2)) == [[0, 2], [3, 1]]


def test_every_document_starts_on_a_front() -> None:
    assert sides(impose_leaves(documents(3, 1), 1)) == [[0], [1], [2], [], [3], []]
    assert sides(impose_leaves(documents(3, 2), 2)) == [[0, 2], [-1, 1], [3, -1], [-1, 4]]
    assert [numbers(page) for page in pages_of(impose_leaves(documents(3, 2), 1))] == [[0], [1], [2], [-1], [3], [4]]


def test_leaves_beside_each_other_say_how_they_are_printed() -> None:
    assert duplex_mode(impose_leaves(documents(2, 2), 2)) == DuplexMode.SHORT_EDGE
    assert duplex_mode(impose_leaves(documents(2, 2), 1)) == DuplexMode.LONG_EDGE
    assert duplex_mode(impose_leaves(documents(1, 1), 1)) == DuplexMode.SIMPLEX


def test_what_is_on_a_page_moves_with_it() -> None:
    (leaf,) = booklet(numbered(2))
    assert [(label.text, label.x, label.y) for label in labels(leaf.front)] == [("0", 148 + 74, 105)]
