from __future__ import annotations

import pytest

from cardgen.diagnostic import CardgenError, Span
from cardgen.tables import csv_file
from cardgen.tables.csv_file import read_csv


def cells(text: str) -> list[list[object]]:
    return [list(row) for row in read_csv(text, "a.csv").rows]


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_the_separator_is_detected(separator: str) -> None:
    text = f"name{separator}heat\nAsh{separator}3\n"
    assert cells(text) == [["name", "heat"], ["Ash", "3"]]


def test_separators_in_quotes_and_comments_do_not_count() -> None:
    assert cells('# a;b;c;d\n"a;b;c",heat\nAsh,3\n')[1:] == [["a;b;c", "heat"], ["Ash", "3"]]


def test_a_declared_separator_applies() -> None:
    assert cells("sep=|\nname|a,b,c\nAsh|3\n") == [["name", "a,b,c"], ["Ash", "3"]]


def test_cells_can_have_quotation_marks_and_line_breaks() -> None:
    assert cells('name,text\n"Ash ""the Quick""","one\ntwo"\n')[1] == ['Ash "the Quick"', "one\ntwo"]


def test_spaces_around_a_cell_and_empty_cells_are_nothing() -> None:
    assert cells("a,b,c\n  x ,, \n")[1] == ["x", None, None]


def test_an_apostrophe_that_defused_a_formula_is_taken_away() -> None:
    assert cells("a,b,c\n'=1+1,''@x,'the Sneak'\n")[1] == ["=1+1", "'@x", "'the Sneak'"]


def test_the_place_of_a_cell_is_its_line_and_columns() -> None:
    sheet = read_csv('name,text,heat\nÉlan,"one, \ntwo",3\n\nAsh,x,4\n', "a.csv")
    assert str(sheet.place(1, 2)) == "a.csv:3:6"
    assert sheet.place(1, 1).span == Span(2, 6, 3, 5)
    assert sheet.place(3, 0).span == Span(5, 1, 5, 4)
    assert sheet.place(3, 0).source_line == "Ash,x,4"


def test_a_cell_beyond_a_short_row_is_at_its_end() -> None:
    assert read_csv("a,b,c\nx\n", "a.csv").place(1, 2).span == Span(2, 2, 2, 2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('a,b\n"x,y\n', r"a\.csv:2:1: error\[CG040\]: unclosed quotation mark"),
        (
            'a,b\nx,"y\nz,u\nv,"w\n',
            r"a\.csv:2:1: error\[CG040\]: the row does not end before line 4, where text follows",
        ),
        ('a,b\nx,"y"z\n', r"a\.csv:2:1: error\[CG040\]: unexpected text after a closing quotation mark"),
        ("a,b\nx," + "y" * 100_001, r"a\.csv:2:1: error\[CG041\]: a cell has more than 100,000 characters"),
    ],
)
def test_broken_files_are_refused_with_their_line(text: str, message: str) -> None:
    with pytest.raises(CardgenError, match=message):
        read_csv(text, "a.csv")


def test_the_number_of_cells_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_file, "MAX_CELLS", 10)
    with pytest.raises(CardgenError, match="more than 1,000,000 cells"):
        read_csv("a,b,c\n" * 4, "a.csv")
