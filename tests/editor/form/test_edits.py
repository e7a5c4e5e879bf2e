"""Edits of single values that keep the rest of a text."""

from __future__ import annotations

import pytest

from cardgen.editor.form.edits import EditError, add_key, insert_item, move_item, remove_value, rename_key, set_value
from cardgen.source import Data, KeyPath
from tests.cases import each_case

CARD = """\
# A card.
kind: character   # the kind
name: 'Old Gravel'
motto:
stats: {M: 4, B: 4,   S: 3}  # weak
tags: [one, two]
weapons:
  # The first.
  - Fist: CW R1 P1 D1  # quick

  # The second.
  - name: Bow
    type: RW
    text: >-
      Each hit that is made
      from afar counts twice.
abilities: []
note: |
  First.

  Second.
"""


@each_case(
    ("path", "value", "old", "new"),
    [
        (("name",), "Young Gravel", "'Old Gravel'", "'Young Gravel'"),
        (("name",), "Gravel's", "'Old Gravel'", "'Gravel''s'"),
        (("motto",), "Wait: now", "motto:\n", 'motto: "Wait: now"\n'),
        (("motto",), "Wait", "motto:\n", "motto: Wait\n"),
        (("stats", "B"), 5, "B: 4", "B: 5"),
        (("stats", "W"), 5, "S: 3}", "S: 3, W: 5}"),
        (("stats", "B"), "x, y", "B: 4", 'B: "x, y"'),
        (("weapons", 0, "Fist"), "CW R2 P1 D1", "CW R1 P1 D1", "CW R2 P1 D1"),
        (("weapons", 1, "text"), "Short.", "Each hit that is made\n      from afar counts twice.", "Short."),
        (("note",), "One.\nTwo.\n", "First.\n\n  Second.", "One.\n  Two."),
        (("note",), "One", "|\n  First.\n\n  Second.", "|-\n  One"),
        (("abilities",), ["a"], "[]", "[a]"),
        (("tags",), "one", "[one, two]", "one"),
        (("tags", 1), "no", "two]", '"no"]'),
        (("stats", "B"), True, "B: 4", "B: true"),
        (("stats", "B"), 4.5, "B: 4", "B: 4.5"),
    ],
)
def test_a_value_is_set_in_its_place(path: KeyPath, value: Data, old: str, new: str) -> None:
    assert set_value(CARD, path, value) == CARD.replace(old, new, 1)


def test_an_equal_value_changes_nothing() -> None:
    assert set_value("a: 0x10  # hex\n", ("a",), 16) == "a: 0x10  # hex\n"


def test_a_text_of_several_lines_becomes_a_block() -> None:
    assert set_value("a: b  # c\nd: 1", ("a",), "x\ny") == 'a: "x\\ny"  # c\nd: 1'
    assert set_value("a: b\nd: 1", ("a",), "x\ny") == "a: |-\n  x\n  y\nd: 1"


def test_a_folded_text_is_wrapped_as_wide_as_before() -> None:
    text = "a: Some words that go on and on and on and on and on and on and\n  on until here.\nb: 1\n"
    value = "Some words that go on and on and on and on and on and on and on until there, and then some more words."
    assert set_value(text, ("a",), value) == (
        "a: Some words that go on and on and on and on and on and on and\n"
        "  on until there, and then some more words.\nb: 1\n"
    )


@each_case(
    ("text", "path", "value", "result"),
    [
        ("name: a\n", (), ("x", 1), "name: a\nx: 1\n"),
        ("name: a", (), ("x", "b c"), "name: a\nx: b c"),
        ("", (), ("x", 1), "x: 1\n"),
        ("name: a  # c\nlast: 1\n", (), ("x", [{"m": "a b"}]), "name: a  # c\nx:\n  - m: a b\nlast: 1\n"),
        ("l:\n  - name: a\n  - name: b\n", ("l", 0), ("x", 1), "l:\n  - name: a\n    x: 1\n  - name: b\n"),
        ("l:\n  - {name: a}\n", ("l", 0), ("x", {"y": [1]}), "l:\n  - {name: a, x: {y: [1]}}\n"),
        ("m: {}\n", ("m",), ("x", 1), "m: {x: 1}\n"),
        ("l: [a b: c d, e]\n", ("l", 0), ("x", 1), "l: [{a b: c d, x: 1}, e]\n"),
        ("m:\nn: 1\n", ("m",), ("x", 1), "m: {x: 1}\nn: 1\n"),
        ("l:\n  - {}\n", ("l", 0), ("x", 1), "l:\n  - {x: 1}\n"),
    ],
)
def test_a_key_is_added_behind_those_before_it(text: str, path: KeyPath, value: tuple[str, Data], result: str) -> None:
    assert add_key(text, path, *value, before=("name",)) == result


@pytest.mark.parametrize(
    ("text", "index", "value", "result"),
    [
        ("l: [a, b]\n", 1, "c d", "l: [a, c d, b]\n"),
        ("l: [a, b]\n", 2, "c", "l: [a, b, c]\n"),
        ("l: []\n", 0, {"name": "a b", "n": 1}, "l:\n  - name: a b\n    n: 1\n"),
        ("k: 1\n", 0, "a", "k: 1\nl: [a]\n"),
        ("l:\n  - a  # one\n  # two\n  - b\nk: 1\n", 1, "c", "l:\n  - a  # one\n  - c\n  # two\n  - b\nk: 1\n"),
        ("l:\n- a\nk: 1\n", 1, {"m": 1}, "l:\n- a\n- {m: 1}\nk: 1\n"),
        ("l:\n  - a", 1, {"m": "a b", "n": {"o": 1}}, "l:\n  - a\n  - m: a b\n    n: {o: 1}"),
    ],
)
def test_an_item_is_inserted(text: str, index: int, value: Data, result: str) -> None:
    assert insert_item(text, ("l",), index, value) == result


@each_case(
    ("text", "path", "result"),
    [
        ("a: 1  # c\nb: 2\n", ("a",), "b: 2\n"),
        ("a: 1\nb: |\n  x\n\n  y\nc: 1\n", ("b",), "a: 1\nc: 1\n"),
        ("l: [a, b, c]\n", ("l", 0), "l: [b, c]\n"),
        ("l: [a, b, c]\n", ("l", 2), "l: [a, b]\n"),
        ("l: [a]\n", ("l", 0), "l: []\n"),
        ("l:\n  - a\nk: 1\n", ("l", 0), "l: []\nk: 1\n"),
        ("l:\n  - a\n  # about b\n  - b  # c\n  - d\n", ("l", 1), "l:\n  - a\n  - d\n"),
        ("l:\n  - name: a\n    n: 1\n  - b\n", ("l", 0, "name"), "l:\n  - n: 1\n  - b\n"),
        ("m: {a: 1, b: 2}\n", ("m", "b"), "m: {a: 1}\n"),
        ("m: {a: 1, b: 2,\n    c: 3}\n", ("m", "b"), "m: {a: 1,\n    c: 3}\n"),
        ("m: {a: 1,  # one\n    b: 2, c: 3}\n", ("m", "b"), "m: {a: 1,  # one\n    c: 3}\n"),
        ("m: {a: 1}\n", ("m", "a"), "m: {}\n"),
        ("m:\n  a:\n    - b\nn: 1\n", ("m", "a"), "m: {}\nn: 1\n"),
    ],
)
def test_a_value_is_removed(text: str, path: KeyPath, result: str) -> None:
    assert remove_value(text, path) == result


@pytest.mark.parametrize(
    ("text", "index", "target", "result"),
    [
        ("l: [a, b, c]\n", 0, 2, "l: [b, c, a]\n"),
        ("l:\n  # A.\n  - a  # one\n  # B.\n  - name: b\n    n: 2", 0, 1, "l:\n  # B.\n  - name: b\n    n: 2\n  # A.\n  - a  # one"),  # noqa: E501
        ("l:\n  - a\n  - b\n  - c\nk: 1\n", 2, 0, "l:\n  - c\n  - a\n  - b\nk: 1\n"),
    ],
)  # fmt: skip
def test_an_item_moves_with_its_comments(text: str, index: int, target: int, result: str) -> None:
    assert move_item(text, ("l",), index, target) == result


def test_a_key_is_renamed() -> None:
    assert rename_key(CARD, ("weapons", 0, "Fist"), "Big: Fist") == CARD.replace("Fist", '"Big: Fist"', 1)
    with pytest.raises(EditError, match="already exists"):
        rename_key(CARD, ("name",), "kind")


def test_what_cannot_be_written_in_place_is_refused() -> None:
    with pytest.raises(EditError):
        set_value("a: [", ("a",), 1)
    with pytest.raises(EditError):
        move_item("l: [a]\n", ("l",), 0, 1)
    with pytest.raises(EditError):
        remove_value("a: 1\n", ("b",))
