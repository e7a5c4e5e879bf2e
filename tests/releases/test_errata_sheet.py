"""Columns of an errata sheet."""

from __future__ import annotations

import pytest

from cardgen.face.face import Face
from cardgen.releases.errata_sheet import BODY, HEADING, Block, SheetHead, errata_pages, plain
from cardgen.sheet.leaf import SheetPage, TypesetLine
from cardgen.text.copyfitting import Compositor
from cardgen.text.fonts import Fonts
from cardgen.text.lines import Run
from cardgen.text.shaped_row import Icons
from cardgen.units import PAPER_SIZES, Size

HEAD = SheetHead("Errata", "of a test")
A4 = PAPER_SIZES["a4"]


def set_blocks(blocks: list[Block], paper: Size = A4) -> list[SheetPage[Face]]:
    return errata_pages(HEAD, blocks, paper, Compositor(Fonts(), Icons()))


def body(page: SheetPage[Face]) -> list[TypesetLine]:
    """Return the lines of a page in columns, without its head and foot."""
    lines = [mark for mark in page.text if isinstance(mark, TypesetLine)]
    head = 30 if page.name == "errata 1" else 20
    return [line for line in lines if head < line.y < page.paper.height - 16]


def words(line: TypesetLine) -> str:
    return "".join(piece.text for piece in line.line.pieces if isinstance(piece, Run))


@pytest.mark.parametrize("paper", ["a4", "a5"])
def test_a_text_that_is_longer_than_a_column_goes_on_in_the_next(paper: str) -> None:
    words_of_text = [f"word{number}" for number in range(3000)]
    pages = set_blocks([Block(((plain(" ".join(words_of_text)), BODY),))], PAPER_SIZES[paper])
    lines = [line for page in pages for line in page.text if isinstance(line, TypesetLine)]
    assert all(0 < line.y < PAPER_SIZES[paper].height - 14.9 for line in lines)
    printed = " ".join(words(line) for page in pages for line in body(page)).split()
    assert printed == words_of_text


def test_the_columns_of_a_single_page_are_equally_long() -> None:
    (page,) = set_blocks([Block(((plain(f"Line {number}"), BODY),)) for number in range(20)])
    columns = {line.x for line in body(page)}
    assert [sum(line.x == x for line in body(page)) for x in sorted(columns)] == [10, 10]


def test_a_heading_stays_with_what_follows_it() -> None:
    blocks = [Block(((plain(f"Line {number}"), BODY),)) for number in range(51)]
    blocks[45] = Block(((plain("Heading"), HEADING),), 5.0, joins=True)
    for cut in range(40, 51):
        (*_, page) = set_blocks(blocks[cut - 40 : cut])
        last = [max(lines, key=lambda line: line.y) for lines in by_column(page)]
        assert all(words(line) != "Heading" for line in last[:-1])


def by_column(page: SheetPage[Face]) -> list[list[TypesetLine]]:
    lines = body(page)
    return [[line for line in lines if line.x == x] for x in sorted({line.x for line in lines})]
