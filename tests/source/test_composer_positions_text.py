"""Where some characters of a text stand in its file."""

from __future__ import annotations

import pytest

from cardgen.source import parse_document
from tests.cases import each_case


def passage(written: str, part: str) -> str | None:
    """What the file has at the place of `part` of the value of 'text'; None where it has none."""
    document = parse_document(f"name: Sun\ntext: {written}\nlast: 1\n", "card.yaml")
    assert isinstance(document.data, dict)
    value = document.data["text"]
    assert isinstance(value, str)
    start = value.index(part)
    place = document.place_of_substring(("text",), value, start, start + len(part))
    if place is None:
        return None
    span = place.span
    assert span is not None
    lines = document.line_index.text.split("\n")
    if span.line == span.end_line:
        return lines[span.line - 1][span.column - 1 : span.end_column - 1]
    return "\n".join([lines[span.line - 1][span.column - 1 :], lines[span.end_line - 1][: span.end_column - 1]])


@each_case(
    "written",
    [
        "one of two words",
        "'one of two words'",
        '"one of two words"',
        "one\n  of two\n  words",
        "'one\n\n  of two\n  words'",
        ">-\n  one of\n  two words",
        "|\n    one\n    of   \n    two words",
        ">2 # a comment\n  one\n\n  of two words",
    ],
)
@each_case("part", ["one", "of", "two", "words"])
def test_a_word_is_found_however_the_text_is_written(written: str, part: str) -> None:
    assert passage(written, part) == part


def test_the_second_of_two_equal_words_is_the_second_one() -> None:
    document = parse_document("text: so\n  so good\n", "card.yaml")
    place = document.place_of_substring(("text",), "so so good", 3, 5)
    assert place is not None
    assert place.span is not None
    assert (place.span.line, place.span.column) == (2, 3)


def test_words_over_two_lines_are_found_in_both() -> None:
    assert passage(">-\n  one of\n  two words", "of two") == "of\n  two"


@pytest.mark.parametrize("written", ['"one\\tof two words"', "'one isn''t\n  of two words'"])
def test_behind_an_escape_there_is_no_place(written: str) -> None:
    assert passage(written, "two") is None


def test_there_is_no_place_in_what_is_not_there() -> None:
    document = parse_document("text: one\n", "card.yaml")
    assert document.place_of_substring(("text", "more"), "one", 0, 1) is None
