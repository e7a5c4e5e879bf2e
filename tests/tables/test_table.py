from __future__ import annotations

import time

import pytest

from cardgen.diagnostic import CardgenError
from cardgen.tables.csv_file import read_csv
from cardgen.tables.table import Cell, Sheet, Table, cell_place, column_letters, error_value, grid_table


def table(*sheets: list[list[Cell]]) -> Table:
    def sheet(number: int, rows: list[list[Cell]]) -> Sheet:
        return Sheet(rows, lambda row, column: cell_place("a.xlsx", "ABCD"[number], row, column))

    return grid_table([sheet(number, rows) for number, rows in enumerate(sheets)])


def test_empty_rows_and_comments_are_no_rows() -> None:
    rows: list[list[Cell]] = [
        [],
        ["# braves"],
        [None, "name", "heat"],
        ["", "# x", 3],
        [None, "Ash", 3],
        [None, None, None],
    ]
    result = table(rows)
    assert [row.values for row in result.rows] == [{"name": "Ash", "heat": 3}]
    assert str(result.place(result.rows[0].path)) == "a.xlsx!A:B5"
    assert str(result.place((*result.rows[0].path, "heat"))) == "a.xlsx!A:C5"


def test_an_error_is_no_comment() -> None:
    assert len(table([["name"], [error_value("#REF!")]]).rows) == 1


def test_sheets_can_have_other_columns() -> None:
    result = table([["name"], ["Ash"]], [], [["# only a comment"]], [["heat", "name"], [3, "Bone"]])
    assert [row.values for row in result.rows] == [{"name": "Ash"}, {"heat": 3, "name": "Bone"}]
    assert [*result.columns] == ["name", "heat"]


def test_a_duplicate_column_is_reported_with_the_first() -> None:
    (problem,) = table([["name", "heat", "name"], ["Ash", 3, "x"]]).problems[:1]
    assert (str(problem.place), problem.message) == ("a.xlsx!A:C1", "duplicate column 'name'")
    assert str(problem.related[0][0]) == "a.xlsx!A:A1"


def test_a_cell_without_a_column_is_reported_but_a_comment_is_not() -> None:
    result = table([["name"], ["Ash", "# a comment"], ["Bone", None, 3]])
    assert [(str(each.place), each.message) for each in result.problems] == [
        ("a.xlsx!A:C3", "the column of this cell has no name")
    ]


def test_a_comma_in_a_text_of_csv_needs_quotes() -> None:
    problems = [
        each
        for row in ('Bell,"Ring it, then wait.",', "Bell,Ring it, then wait.", ",Ring,\n")
        for each in grid_table([read_csv(f"name,text\n{row}", "a.csv")]).problems
    ]
    assert [(str(each.place), "in quotes" in each.help) for each in problems] == [("a.csv:2:14", True)]


def test_a_row_of_csv_with_other_separators_or_too_many_is_one_mistake() -> None:
    rows = [
        "Drake;red;;Post is late.;",
        "Crane,green,Draw a gust, then play it.,",
        "Comet,red,,",
        "Moth,grey,Fast, cheap, and wet.,",
        '"Bell; book; candle",blue,',
        "Tin,blue,Steals,,,",
    ]
    result = grid_table([read_csv("name,color,text,art\n" + "\n".join(rows), "a.csv")])
    assert [(str(each.place), each.message, each.help) for each in result.problems] == [
        (
            "a.csv:2:1",
            "this row uses semicolons as its separator, but the file uses commas",
            "replace the semicolons with commas",
        ),
        (
            "a.csv:3:25",
            "this row has 5 cells, the table 4 columns",
            'put the text that contains commas in quotes: "Draw a gust, then play it."',
        ),
        (
            "a.csv:5:16",
            "this row has 6 cells, the table 4 columns",
            'put the text that contains commas in quotes: "Fast, cheap, and wet."',
        ),
    ]
    assert [row.values["name"] for row in result.rows] == ["Comet", "Bell; book; candle", "Tin"]


def test_one_comma_too_many_is_at_the_cell_that_all_others_fill() -> None:
    rows = ["Drake,red,,Post is late.", "Crane,,green,,Draw a gust.", "Comet,blue,,"]
    result = grid_table([read_csv("name,color,mark,text\n" + "\n".join(rows), "a.csv")])
    assert [(str(each.place), each.message, each.help) for each in result.problems] == [
        (
            "a.csv:3:7",
            "this row has 5 cells, the table 4 columns",
            "remove the empty cell here, with one of the commas around it",
        )
    ]


@pytest.mark.parametrize("row", ["a,1,2,3,4\n", "1,2\n"])
def test_many_rows_with_other_numbers_of_cells_take_no_more_time_than_reading_them(row: str) -> None:
    started = time.process_time()
    text = "name,value,copies\n" + "a,1,2\n" * 10_000 + row * 10_000
    assert len(grid_table([read_csv(text, "a.csv")]).problems) == 10_000
    assert time.process_time() - started < 10


def test_unprintable_characters_are_located() -> None:
    (problem,) = table([["name"], ["A\x07sh"]]).problems
    assert (str(problem.place), problem.message) == ("a.xlsx!A:A2", "unprintable character U+0007")


def test_the_number_of_columns_is_limited() -> None:
    with pytest.raises(CardgenError, match="more than 500 columns"):
        table([["x"] * 501])


@pytest.mark.parametrize(("index", "letters"), [(0, "A"), (25, "Z"), (26, "AA"), (701, "ZZ"), (16383, "XFD")])
def test_columns_have_letters(index: int, letters: str) -> None:
    assert column_letters(index) == letters
