"""Every problem that a file can have, where it is said to be, and that reading goes on behind it."""

from __future__ import annotations

import pytest

from cardgen.source import parse_document


def problems(text: str) -> list[str]:
    return [str(diagnostic) for diagnostic in parse_document(text, "f").diagnostics]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: !!int 3", "f:1:4: error[CG007]: the tag !!int is refused"),
        ("a: !card {}", "f:1:4: error[CG007]: the tag !card is refused"),
        ("a: !!python/object:os.system []", "f:1:4: error[CG007]: the tag !!python/object:os.system is refused"),
        ("%YAML 1.1\n---\na: 1", "f:1:1: error[CG007]: directives are refused"),
        ("a: &anchor 3", "f:1:4: error[CG008]: the anchor &anchor is refused"),
        ("a: &anchor\n  b: 1", "f:1:4: error[CG008]: the anchor &anchor is refused"),
        ("a: *alias", "f:1:4: error[CG008]: the alias *alias is refused"),
        ("<<: {a: 1}\nb: 2", "f:1:1: error[CG009]: the merge key << is refused"),
        ("1: x", "f:1:1: error[CG012]: the key 1 must be text; quote it"),
        ("true: x", "f:1:1: error[CG012]: the key true must be text; quote it"),
        ("? \n: x", "f:1:2: error[CG012]: a key is missing here"),
        ("? [a, b]\n: x", "f:1:3: error[CG012]: a key must be text"),
        ("a: 1\nb: 2\na: 3", "f:3:1: error[CG013]: the key 'a' stands here twice"),
        ("a: NO", "f:1:4: error[CG014]: NO is text in YAML 1.2 but false in YAML 1.1; quote it"),
        ("no: a", "f:1:1: error[CG014]: no is text in YAML 1.2 but false in YAML 1.1; quote it"),
        ("- 1:30", "f:1:3: error[CG014]: 1:30 is text in YAML 1.2 but the number 90 in YAML 1.1; quote it"),
        ("a: .inf", "f:1:4: error[CG015]: .inf is out of range"),
        ("a: -.INF", "f:1:4: error[CG015]: -.INF is out of range"),
        ("a: .nan", "f:1:4: error[CG015]: .nan is out of range"),
        ("a: 9007199254740993", "f:1:4: error[CG015]: 9007199254740993 is out of range"),
        ("a: 1.0e+400", "f:1:4: error[CG015]: 1.0e+400 is out of range"),
        ("a: 1\n---\nb: 2", "f:2:1: error[CG006]: a second document begins here"),
        ("a: x\0y\0", "f:1:5: error[CG004]: U+0000 NUL and 1 more like it cannot be printed"),
        ("a: x\u2028y", "f:1:5: error[CG004]: U+2028 LINE SEPARATOR cannot be printed"),
        ("a: \ufeffx", "f:1:4: error[CG004]: U+FEFF ZERO WIDTH NO-BREAK SPACE cannot be printed"),
        (r'a: "x\0"', "f:1:4: error[CG004]: an escape stands for U+0000 NUL"),
        (r'"\u2029": x', "f:1:1: error[CG004]: an escape stands for U+2029 PARAGRAPH SEPARATOR"),
    ],
)
def test_a_problem_is_found_where_it_stands(text: str, said: str) -> None:
    assert problems(text) == [said]


def test_all_problems_are_found_in_order() -> None:
    text = "b: NO\na: &x 1\nc:\n  - *x\n  - b: 1\n    b: 2\n"
    assert [said.split(":")[:3] for said in problems(text)] == [
        ["f", "1", "4"], ["f", "2", "4"], ["f", "4", "5"], ["f", "6", "5"],
    ]  # fmt: skip


def test_a_duplicate_names_both_places_and_the_first_one_counts() -> None:
    document = parse_document("a: 1\na: 2\na: 3\n", "f")
    first, second = document.diagnostics
    assert str(first.place) == "f:2:1"
    assert str(second.place) == "f:3:1"
    assert [(str(place), word) for place, word in second.related] == [("f:1:1", "first defined here")]
    assert document.data == {"a": 1}


def test_reading_goes_on_behind_a_problem() -> None:
    assert parse_document("a: yes\n<<: 1\nb: *x\n1: c\n? {}\n: 1\nd: .inf\n", "f").data == {
        "a": "yes", "b": None, "1": "c", "d": ".inf",
    }  # fmt: skip


def test_data_that_cannot_be_read_to_its_end_is_none() -> None:
    document = parse_document("a: 1\nb: [\n", "f")
    assert document.data is None
    assert str(document.place(("a",))) == "f"


def test_problems_before_a_syntax_error_are_kept() -> None:
    assert [said.split(" ")[1] for said in problems("a: NO\nb: ]\n")] == ["error[CG014]:", "error[CG005]:"]


def test_a_quoted_merge_key_is_a_key() -> None:
    assert parse_document("'<<': 1", "f").data == {"<<": 1}


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n", "---\n", "\ufeff"])
def test_a_file_without_a_value_has_no_problem(text: str) -> None:
    document = parse_document(text, "f")
    assert (document.data, document.diagnostics) == (None, ())


@pytest.mark.parametrize("text", ["---\na: 1\n", "a: 1\n...\n", "\ufeffa: 1", "a: 1\r\n", "a: 1\r", "a:\t1\n"])
def test_harmless_forms_are_read(text: str) -> None:
    assert parse_document(text, "f").data == {"a": 1}
