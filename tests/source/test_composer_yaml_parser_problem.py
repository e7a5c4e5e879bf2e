"""Every problem that a file can have, where it is said to be, and that reading goes on behind it."""

from __future__ import annotations

import time

import pytest

from cardgen.source import parse_document
from tests.cases import each_case


def problems(text: str) -> list[str]:
    return [str(diagnostic) for diagnostic in parse_document(text, "f").diagnostics]


@each_case(
    ("text", "said"),
    [
        ("a: !!int 3", "f:1:4: error[CG007]: tag !!int is not supported"),
        ("a: !card {}", "f:1:4: error[CG007]: tag !card is not supported"),
        ("a: !!python/object:os.system []", "f:1:4: error[CG007]: tag !!python/object:os.system is not supported"),
        ("%YAML 1.1\n---\na: 1", "f:1:1: error[CG007]: YAML directives are not supported"),
        ("a: &anchor 3", "f:1:4: error[CG008]: anchor &anchor is not supported"),
        ("a: &anchor\n  b: 1", "f:1:4: error[CG008]: anchor &anchor is not supported"),
        ("a: *alias", "f:1:4: error[CG008]: alias *alias is not supported"),
        ("<<: {a: 1}\nb: 2", "f:1:1: error[CG009]: merge key << is not supported"),
        ("1: x", "f:1:1: error[CG012]: key 1 must be text; put it in quotes"),
        ("true: x", "f:1:1: error[CG012]: key true must be text; put it in quotes"),
        ("? \n: x", "f:1:2: error[CG012]: missing key"),
        ("? [a, b]\n: x", "f:1:3: error[CG012]: keys must be text"),
        ("a: 1\nb: 2\na: 3", "f:3:1: error[CG013]: duplicate key 'a'"),
        ("a: NO", "f:1:4: error[CG014]: NO is ambiguous: text in YAML 1.2, but false in YAML 1.1"),
        ("no: a", "f:1:1: error[CG014]: no is ambiguous: text in YAML 1.2, but false in YAML 1.1"),
        ("- 1:30", "f:1:3: error[CG014]: 1:30 is ambiguous: text in YAML 1.2, but the number 90 in YAML 1.1"),
        ("a: .inf", "f:1:4: error[CG015]: number .inf is out of range"),
        ("a: -.INF", "f:1:4: error[CG015]: number -.INF is out of range"),
        ("a: .nan", "f:1:4: error[CG015]: number .nan is out of range"),
        ("a: 9007199254740993", "f:1:4: error[CG015]: number 9007199254740993 is out of range"),
        ("a: 1.0e+400", "f:1:4: error[CG015]: number 1.0e+400 is out of range"),
        ("a: 1\n---\nb: 2", "f:2:1: error[CG006]: the file has more than one YAML document"),
        ("a: x\0y\0", "f:1:5: error[CG004]: unprintable character U+0000 NUL (and 1 more)"),
        ("a: x\u2028y", "f:1:5: error[CG004]: unprintable character U+2028 LINE SEPARATOR"),
        ("a: \ufeffx", "f:1:4: error[CG004]: unprintable character U+FEFF ZERO WIDTH NO-BREAK SPACE"),
        (r'a: "x\0"', "f:1:4: error[CG004]: escape sequence produces an unprintable character: U+0000 NUL"),
        (
            r'"\u2029": x',
            "f:1:1: error[CG004]: escape sequence produces an unprintable character: U+2029 PARAGRAPH SEPARATOR",
        ),
    ],
)
def test_a_problem_is_found_where_it_stands(text: str, said: str) -> None:
    assert problems(text) == [said]


@pytest.mark.parametrize("text", [":".join(["59"] * 99_999), "1_" * 3_000 + "1", "0b" + "1" * 5_000])
def test_a_number_of_yaml_1_1_that_nobody_can_mean(text: str) -> None:
    """Those to the base 60 would take minutes, and have no nearest float."""
    started = time.process_time()
    said = f"{text[:39]}… is ambiguous: text in YAML 1.2, but an error in YAML 1.1"
    assert problems(f"- {text}") == [f"f:1:3: error[CG014]: {said}"]
    assert time.process_time() - started < 2


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


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: [x, y]\nb: 1\na: [y, 3]", "write one list: a: [x, y, 3]"),
        ("a: [{b: 1}]\na: [{b: 2}]", "write the items of both below one 'a'"),
        ("a: {b: 1}\na: {c: 2}", "write the keys of both below one 'a'"),
        ("a: 1\na: [2]", "remove one of them"),
        ("- {a: 1, b: [x, y}\n- {a: 2}", "write ']' before '}'"),
        ("- [1, {a: 2, b: 3]\n- 4", "write '}' before ']'"),
        ("- [Re-roll {wind}]", "put texts with any of { } [ ] in quotes"),
    ],
)
def test_the_help_keeps_what_was_meant(text: str, said: str) -> None:
    assert parse_document(text, "f").diagnostics[0].help == said


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


def test_a_second_card_without_a_list_is_one_problem() -> None:
    card = "kind: frog\nname: Ash\nlegs: 4\n"
    found = parse_document(f"{card}\n{card}", "f").diagnostics
    assert [str(each) for each in found] == ["f:5:1: error[CG013]: duplicate key 'kind'"]
    assert found[0].help.startswith("remove one of them; several cards of a file are a list")
    assert len(parse_document("legs: 4\nlegs: 3\neyes: 2\neyes: 3\n", "f").diagnostics) == 2
    assert len(parse_document("a: {kind: b, kind: c, name: d, name: e}\n", "f").diagnostics) == 2
