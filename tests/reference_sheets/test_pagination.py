from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest

from cardgen.diagnostic import CardgenError
from cardgen.reference.document_tree import DefinitionList, Document, Section
from cardgen.reference.resolve import rich_text
from cardgen.reference_sheets.pagination import PaginatedSheet, sheet_leaves
from cardgen.sheet.leaf import TypesetLine
from cardgen.text.copyfitting import Compositor
from cardgen.text.lines import Run
from cardgen.units import MM_PER_POINT, PAPER_SIZES, Size
from tests.cases import each_case
from tests.reference_sheets.sheets import (
    A4,
    FONTS,
    ICONS,
    callout,
    document,
    is_heading,
    pages,
    points,
    prose,
    sheet_format,
    table,
    terms,
)


def made_up(seed: int) -> Document:
    """A document of whatever a sheet can hold."""
    dice = random.Random(seed)
    blocks = (
        lambda: prose(dice.randint(1, 90)),
        lambda: points(dice.randint(1, 8), dice.randint(3, 30)),
        lambda: table(dice.randint(1, 14), dice.randint(1, 5)),
        lambda: callout(dice.randint(5, 40)),
        lambda: terms(dice.randint(1, 9)),
    )
    sections = range(dice.randint(3, 9))
    return document(*(tuple(dice.choice(blocks)() for _ in range(dice.randint(1, 4))) for _ in sections))


def words(found: PaginatedSheet) -> list[TypesetLine]:
    marks = (m for column in found.columns for placed in column.items for m in placed.item.content.marks)
    return [mark for mark in marks if isinstance(mark, TypesetLine)]


def text_of(found: PaginatedSheet) -> str:
    return " ".join(piece.text for each in words(found) for piece in each.line.pieces if isinstance(piece, Run))


@each_case("seed", range(25))
def test_columns_are_never_overfull_and_never_end_with_a_heading(seed: int) -> None:
    form = sheet_format(columns=1 + seed % 3, pages=None)
    found = pages(made_up(seed), form)
    assert found.columns
    for column in found.columns:
        assert column.depth <= form.height(column.number) + 1e-6
        assert column.items[0].space_above == 0
        assert not is_heading(column.items[-1])


def heading_lines(*titles: str) -> list[tuple[int, float]]:
    """Return how many lines the heading of each section takes, and the size of its type."""
    sections = (Section(f"s{n}", title, (prose(20),)) for n, title in enumerate(titles))
    found = pages(replace(document(), sections=tuple(sections)), sheet_format(columns=3))
    marks = (placed.item.content.marks for column in found.columns for placed in column.items if is_heading(placed))
    lines = [[mark for mark in each if isinstance(mark, TypesetLine)] for each in marks]
    return [(len(each), each[0].line.pieces[0].size) for each in lines]


def test_headings_that_are_a_little_too_long_take_one_line_at_the_size_of_all() -> None:
    ((_, usual), *_), small = heading_lines("Setup"), heading_lines("Setup", "Three or four players at")
    assert [count for count, _ in small] == [1, 1]
    assert 0.8 * usual <= small[0][1] == small[1][1] < usual
    assert heading_lines("Setup", "What three or four players at a table do") == [(1, usual), (2, usual)]


def test_a_column_does_not_end_with_a_term_whose_definition_starts_the_next() -> None:
    """Each term takes several lines, as questions do."""
    asked = " ".join(["Who goes first where nobody has gone before"] * 3)
    questions = DefinitionList(tuple((f"{asked}?", rich_text("Nobody does, ever, at all. " * 5)) for _ in range(24)))
    for width in range(60, 130, 5):
        form = replace(sheet_format(columns=1, pages=None, least=8.0, most=8.0), paper=Size(width, 120))
        found = pages(document((questions,)), form)
        assert found.count > 1
        for column in found.columns[:-1]:
            (last,) = (each for each in column.items[-1].item.content.marks if isinstance(each, TypesetLine))
            assert any("Bold" not in piece.font for piece in last.line.pieces if isinstance(piece, Run))


@pytest.mark.parametrize("paper", ["a4", "a5"])
@pytest.mark.parametrize("sentences", [1, 5, 9])
def test_columns_end_above_the_credit_however_long_it_is(paper: str, sentences: int) -> None:
    form = replace(sheet_format(columns=2, pages=None), paper=PAPER_SIZES[paper])
    long = replace(document(*([(prose(900),)] * 3)), credit="Made for a test, and for nothing else. " * sentences)
    found = pages(long, form)
    leaves = sheet_leaves(long, found, form, Compositor(FONTS, ICONS, "en_GB"))
    for page in (side for leaf in leaves for side in leaf.printed_sides):
        heights: dict[bool, list[float]] = {True: [], False: []}
        for mark in page.text:
            if isinstance(mark, TypesetLine):
                heights[any(isinstance(piece, Run) and piece.size == 6.75 for piece in mark.line.pieces)].append(mark.y)
        assert sentences == 1 or len(set(heights[True])) > 1
        assert min(heights[True]) - max(heights[False]) > 4


@each_case("seed", range(10))
def test_words_stay_in_their_column(seed: int) -> None:
    form = sheet_format(columns=3, pages=None)
    for mark in words(pages(made_up(seed), form)):
        right = max(piece.x + piece.width for piece in mark.line.pieces)
        assert -0.01 <= mark.x <= mark.x + right <= form.column_width + 0.01


def test_the_largest_type_that_fits_is_taken() -> None:
    short, long = document((prose(40),)), document(*([(prose(200),)] * 9))
    assert pages(short, sheet_format()).typography.size == 9.0
    assert 7.5 <= pages(long, sheet_format()).typography.size < 9.0


def test_type_never_goes_under_the_smallest() -> None:
    with pytest.raises(CardgenError):
        pages(document(*([(prose(300),)] * 14)), sheet_format())


def test_a_sheet_of_one_or_two_pages_takes_the_second_only_where_it_must() -> None:
    form = replace(sheet_format(pages=2), min_pages=1)
    assert pages(document((prose(40),)), form).count == 1
    assert pages(document(*([(prose(200),)] * 14)), form).count == 2


def test_both_pages_of_two_are_filled_alike() -> None:
    depths = [column.depth for column in pages(document(*([(prose(60),)] * 12)), sheet_format(pages=2)).columns]
    assert len(depths) == 4
    assert max(depths) - min(depths) < 25


def test_a_short_table_stays_whole() -> None:
    for number in range(100, 700, 60):
        found = pages(document((prose(number), table(6), prose(100))), sheet_format(columns=2))
        assert text_of(found).count("Head 0") == 1


def test_the_first_cells_of_a_legend_are_large_and_its_rows_high() -> None:
    """6.5 mm of 0.95 em, in rows of 7.6 mm, whatever the size of the body."""
    found = pages(document((table(4, 2).without_row_headers(),)), sheet_format())
    legend = pages(document((table(4, 2).as_legend(),)), sheet_format())

    def sizes(sheet: PaginatedSheet) -> list[float]:
        marks = [each for each in words(sheet) if re.fullmatch(r"\d\.0", each.line.text)]
        return [piece.size for each in marks for piece in each.line.pieces]

    assert max(sizes(found)) < 10
    assert min(sizes(legend)) * 0.95 * MM_PER_POINT == pytest.approx(6.5)
    heights = [placed.item.height for column in legend.columns for placed in column.items]
    assert heights[-4:] == pytest.approx([7.6] * 4)


def test_names_of_two_lines_in_a_legend_have_space_around_them() -> None:
    rows = tuple((rich_text(f"{n}"), rich_text("many plain words " * 5)) for n in range(4))
    legend = replace(table(4, 2), rows=rows).as_legend()
    found = pages(document((legend,)), sheet_format(columns=2, least=9.0))
    row = next(placed.item for column in found.columns for placed in reversed(column.items))
    places = [mark.y for mark in row.content.marks if isinstance(mark, TypesetLine) and "words" in mark.line.text]
    assert len(places) >= 2
    assert row.height > (places[1] - places[0]) * (len(places) + 0.25)


def test_a_long_table_repeats_its_head() -> None:
    assert text_of(pages(document((table(60),)), sheet_format(columns=2))).count("Head 0") == 2


def test_a_list_of_icons_repeats_the_heading_of_its_section_in_the_next_column() -> None:
    legend = replace(table(60), head=(rich_text(""),) * 3)
    broken = pages(document((legend,)), sheet_format(columns=2))
    assert text_of(broken).count("SECTION 0") == 2
    assert text_of(pages(document((table(60),)), sheet_format(columns=2))).count("SECTION 0") == 1


def test_a_sheet_for_large_paper_has_fewer_columns_and_more_pages_on_small_paper() -> None:
    form = sheet_format(columns=3, pages=2)
    small = replace(form, paper=PAPER_SIZES["a5"]).adapted_from(A4)
    assert (small.columns, small.pages, small.min_pages) == (2, 4, 2)
    large = replace(form, paper=PAPER_SIZES["a3"], columns=2, pages=4).adapted_from(A4)
    assert (large.columns, large.pages) == (3, 2)
    assert replace(form, paper=PAPER_SIZES["letter"]).adapted_from(A4) == replace(form, paper=PAPER_SIZES["letter"])


def test_a_section_may_ask_for_a_page_or_a_column() -> None:
    first, second, third = document((prose(20),), (prose(20),), (prose(20),)).sections
    sections = (first, replace(second, start="column"), replace(third, start="page"))
    found = pages(replace(document(), sections=sections), sheet_format(columns=2, pages=2))
    assert [column.number for column in found.columns] == [0, 1, 2]
    assert found.sections == {"s0": 1, "s1": 1, "s2": 2}


def test_larger_paper_takes_fewer_pages_rather_than_half_empty_ones() -> None:
    """Twelve A5 pages of short text are six A4 pages by their area, which it does not fill."""
    designed_for = PAPER_SIZES["a5"]
    short = document(*([(prose(150),)] * 8))
    form = replace(sheet_format(columns=1, pages=12, least=8, most=9), paper=A4).adapted_from(designed_for)
    assert form.pages == 6
    made = pages(short, form)
    assert made.count < 6
    assert made.typography.size == 9
