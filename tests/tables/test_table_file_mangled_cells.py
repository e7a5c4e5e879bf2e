from __future__ import annotations

from cardgen.tables.table import Cell, Row, Sheet, Table, cell_place, grid_table
from cardgen.tables.table_file import find_oddities
from tests.cases import each_case


def oddities(*cells: Cell, text: bool = True) -> list[tuple[str, str]]:
    rows: list[list[Cell]] = [["id"], *([cell] for cell in cells)]
    table = grid_table([Sheet(rows, lambda row, column: cell_place("a.xlsx", "A", row, column))])
    found = find_oddities(table, frozenset({"id"} if text else ()))
    return [(str(oddity.place), oddity.message) for oddity in found]


@each_case(
    ("cell", "message"),
    [
        (7, "the cell contains the number 7, which may have been a text such as '007'"),
        (True, "the cell contains the boolean TRUE, not text"),
        ("3-Apr", "'3-Apr' may be a value such as '3/4' or '1-2' that a spreadsheet has changed"),
        ("03. Mrz", "'03. Mrz' may be a value such as '3/4' or '1-2' that a spreadsheet has changed"),
        ("Feb-01", "'Feb-01' may be a value such as '3/4' or '1-2' that a spreadsheet has changed"),
        ("1.23E+12", "'1.23E+12' is a number that a spreadsheet has rounded"),
        ("Ã‰lan", "'Ã‰lan' may have been 'Élan'"),
        ("donâ€™t", "'donâ€™t' may have been 'don’t'"),
        ("LÃ\xadnea", "'LÃ\xadnea' may have been 'Línea'"),
        ("Ma\ufffdon", "a character of 'Ma\ufffdon' is lost"),
    ],
)
def test_what_a_spreadsheet_has_changed_is_found(cell: Cell, message: str) -> None:
    assert oddities(cell) == [("a.xlsx!A:A2", message)]


@each_case("cell", ["007", "7", "Élan", "Ångström", "3/4", "May", "1E6", "À la carte", None, "Ã", "â"])
def test_ordinary_texts_are_left_alone(cell: Cell) -> None:
    assert oddities("x", cell) == []


def test_a_number_is_right_where_a_number_belongs() -> None:
    assert oddities(7, True, text=False) == []


def test_numbers_beside_words_were_no_texts_of_digits() -> None:
    assert oddities("X", 0, 12) == []
    assert oddities("X", "007", 12) == [
        ("a.xlsx!A:A4", "the cell contains the number 12, which may have been a text such as '0012'")
    ]


def test_lost_zeros_are_found_beside_texts_with_zeros() -> None:
    assert oddities("007", "008", "9") == [("a.xlsx!A:A4", "'9' may have lost its leading zeros: '009'")]
    assert oddities("007", "08", "9") == []


def test_texts_in_json_are_looked_at_everywhere() -> None:
    table = Table([Row({"a": [{"b": "Ã‰lan"}], "c": 7}, (0,))], {}, lambda path: cell_place("a", str(path), 0, 0))
    (oddity,) = find_oddities(table, frozenset({"c"}))
    assert "'a', 0, 'b'" in str(oddity.place)
