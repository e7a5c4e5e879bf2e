"""Data that a document has let go of come back when somebody asks for them."""

from __future__ import annotations

import pytest

from cardgen.source import parse_document

PLAIN = "name: Ash\nqty: 3\ntags: [a, b]\n"
# An anchor is nothing that is read the quick way.
UNUSUAL = "name: &n Ash\nother: *n\n"


@pytest.mark.parametrize("text", [PLAIN, UNUSUAL, "", "just words\n"])
def test_what_was_forgotten_is_read_again(text: str) -> None:
    document, again = parse_document(text, "f.yaml"), parse_document(text, "f.yaml")
    document.release_data()
    assert document.data == again.data
    assert document == again
    assert document.place(("name",)) == again.place(("name",))


def test_what_is_forgotten_is_given_free() -> None:
    document = parse_document(PLAIN, "f.yaml")
    before = document.data
    document.release_data()
    assert document.data is not before


def test_there_is_nothing_else_that_comes_back() -> None:
    with pytest.raises(AttributeError, match="nonsense"):
        _ = parse_document(PLAIN, "f.yaml").nonsense  # type: ignore[attr-defined]
