from __future__ import annotations

import pytest

from cardgen.source import Data
from cardgen.tables.table import Cell, CellError, FieldShape, convert_cell, error_value, expression_value, split_list
from tests.cases import each_case

TEXT, OTHER = FieldShape(is_text=True), FieldShape()
TEXTS, LIST = FieldShape(is_list=True, is_text=True), FieldShape(is_list=True)


@each_case(
    ("cell", "shape", "value"),
    [
        (None, TEXT, None),
        ("007", TEXT, "007"),
        ("no: yes", TEXT, "no: yes"),
        (7, TEXT, "7"),
        (2.5, TEXT, "2.5"),
        (True, TEXT, "true"),
        ("one\ntwo", TEXT, "one\u2028two"),
        ("- one \n- two\n\n- three", TEXT, "- one\u2028- two\n\n- three"),
        ("one\n \ntwo", TEXT, "one\n \ntwo"),
        ("3", OTHER, 3),
        ("010", OTHER, 10),
        ("-2", OTHER, -2),
        ("2.5", OTHER, 2.5),
        ("TRUE", OTHER, True),
        ("true", OTHER, True),
        ("turn", OTHER, "turn"),
        ("{M: 5, T: 4}", OTHER, {"M": 5, "T": 4}),
        ("M: 5\nT: 4", OTHER, {"M": 5, "T": 4}),
        (3, OTHER, 3),
        ("hero; mystic ;", TEXTS, ["hero", "mystic"]),
        ("hero\nmystic", TEXTS, ["hero", "mystic"]),
        ("[hero, mystic]", TEXTS, ["hero", "mystic"]),
        ("- hero\n- mystic", TEXTS, ["hero", "mystic"]),
        (7, TEXTS, ["7"]),
        ("Hook: reach R2; Bow: RW", LIST, [{"Hook": "reach R2"}, {"Bow": "RW"}]),
        ("{name: Net, tags: [a; b]}; x", LIST, [{"name": "Net", "tags": ["a; b"]}, "x"]),
        ("0.5; 0.3", LIST, [0.5, 0.3]),
        (4, LIST, [4]),
    ],
)
def test_cells_become_values(cell: Cell, shape: FieldShape, value: Data) -> None:
    assert convert_cell(cell, shape) == value


TRUE = (
    "TRUE",
    "yes",
    "WAHR",
    "ja",
    "J\u0061",
    "x",
    "X",
    "✓",
    "1",
    "VRAI",
    "Oui",
    "VERDADERO",
    "sí",
    "si\u0301",
    "PRAWDA",
    "tak",
    1,
    True,
)
FALSE = ("false", "No", "FALSCH", "nein", "FAUX", "non", "FALSO", "FAŁSZ", "nie", "NEPRAVDA", "ЛОЖЬ", "0", 0, False)


def test_flags_are_what_spreadsheets_and_people_write() -> None:
    flag = FieldShape(is_flag=True)
    assert {convert_cell(cell, flag) for cell in TRUE} == {True}
    assert {convert_cell(cell, flag) for cell in FALSE} == {False}
    assert not {*map(str, TRUE)} & {*map(str, FALSE)}
    with pytest.raises(CellError, match="must be TRUE or FALSE, not 'vielleicht'"):
        convert_cell("vielleicht", flag)


def test_choices_ignore_case_and_the_forms_of_accents() -> None:
    choice = FieldShape(is_text=True, choices=("später", "Jetzt"))
    for cell, value in (("SPÄTER", "später"), ("spa\u0308ter", "später"), ("jetzt", "Jetzt"), ("spater", "spater")):
        assert convert_cell(cell, choice) == value
    assert convert_cell("jetzt; Später", choice._replace(is_list=True)) == ["Jetzt", "später"]


def test_a_comma_before_decimals_is_one_unless_it_may_be_between_thousands() -> None:
    cells = {"1,5": 1.5, "-12,75": -12.75, "0,125": 0.125, "1234,5": 1234.5, "3,0": 3.0}
    assert {cell: convert_cell(cell, OTHER) for cell in cells} == cells
    assert convert_cell("1,5; 2", OTHER._replace(is_list=True)) == [1.5, 2]


def test_a_question_mark_is_left_to_the_model() -> None:
    assert convert_cell("?", OTHER) == "?"


@pytest.mark.parametrize(
    ("cell", "shape", "message", "help_text"),
    [
        (
            "1,500",
            OTHER,
            "must be a number, not the text '1,500'",
            "write 1.500, with a decimal point, or 1500",
        ),
        ("1 000", OTHER, "must be a number, not the text '1 000'", "write 1000, without separators"),
        ("'12", OTHER, "must be a number, not the text ''12'", "write 12, without"),
        ("{M: 5", OTHER, "the cell is not valid YAML: map is missing a comma", "write"),
        ("yes", OTHER, "the cell is not valid YAML: yes is ambiguous", "write true"),
        ("&a 1", OTHER, "the cell is not valid YAML: anchor &a", "in full"),
        (1e300, OTHER, "number 1e+300 is out of range", ""),
        (error_value("#REF!"), TEXT, "the cell contains #REF!", "correct the formula"),
    ],
)
def test_cells_without_a_value_are_refused(cell: Cell, shape: FieldShape, message: str, help_text: str) -> None:
    with pytest.raises(CellError) as error:
        convert_cell(cell, shape)
    assert error.value.message.startswith(message)
    assert help_text in error.value.help


@pytest.mark.parametrize(
    ("cell", "value"),
    [("7", 7), ("-2.5", -2.5), ("007", "007"), ("TRUE", True), ("no", "no"), (None, None), (3, 3), ("1e3", "1e3")],
)
def test_expressions_see_numbers_and_booleans(cell: Cell, value: object) -> None:
    assert expression_value(cell) == value
    assert type(expression_value(cell)) is type(value)


def test_lists_are_split_outside_brackets() -> None:
    assert split_list("a; {b; c}; [d\ne]\nf") == ["a", "{b; c}", "[d\ne]", "f"]
    assert split_list("} a; b") == ["} a", "b"]
