"""Edits of documents keep the places of what is left."""

from __future__ import annotations

import pytest

from cardgen.source import Document, KeyPath, parse_document
from cardgen.source.document import existing_path, renamed, value_at, without

TEXT = "a: 1\nb:\n- x\n- {c: 2, d: 3}\n- z\n"


@pytest.fixture
def document() -> Document:
    return parse_document(TEXT, "a.yaml")


def word(document: Document, *key_path: str | int, key: bool = False) -> str:
    """Return the source of a value."""
    span = document.place(key_path, key=key).span
    assert span
    return TEXT.splitlines()[span.line - 1][span.column - 1 : span.end_column - 1]


def test_items_and_keys_are_removed(document: Document) -> None:
    shorter = without(document, ("b", 0))
    assert shorter.data == {"a": 1, "b": [{"c": 2, "d": 3}, "z"]}
    assert (word(shorter, "b", 1), word(shorter, "b", 0, "d")) == ("z", "3")
    assert without(shorter, ("b", 0, "c")).data == {"a": 1, "b": [{"d": 3}, "z"]}
    assert without(document, ("b",)).data == {"a": 1}
    assert document.data == {"a": 1, "b": ["x", {"c": 2, "d": 3}, "z"]}


def test_keys_are_renamed_in_place(document: Document) -> None:
    other = renamed(document, ("b", 1, "c"), "e")
    assert other.data == {"a": 1, "b": ["x", {"e": 2, "d": 3}, "z"]}
    assert (word(other, "b", 1, "e"), word(other, "b", 1, "e", key=True)) == ("2", "c")
    assert list(renamed(document, ("a",), "x").data) == ["x", "b"]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("key_path", "existing"),
    [(("b", 1, "c"), ("b", 1, "c")), (("b", 5), ("b",)), (("a", 0), ("a",)), (("x", "y"), ()), ((), ())],
)
def test_the_longest_existing_path(document: Document, key_path: KeyPath, existing: KeyPath) -> None:
    assert existing_path(document, key_path) == existing


def test_values_at_a_path(document: Document) -> None:
    assert value_at(document, ("b", 1, "c")) == 2
    assert value_at(document, ()) == document.data
