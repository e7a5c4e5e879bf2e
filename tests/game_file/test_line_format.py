"""Lines of parts: read, written, and refused if they could be read in two ways."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.game_file.line_format import (
    MOST_WORDS,
    BoundedValue,
    LimitBook,
    LineError,
    LineFormat,
    LineFormatError,
    NumberValue,
    Value,
    WordValue,
)
from tests.cases import each_case

ARMS = ("CW", "RW", "C")
VALUES = {
    "arm": WordValue(ARMS),
    "range": BoundedValue(1, 60),
    "penetration": NumberValue(),
    "damage": NumberValue(),
    "weight": NumberValue(decimals=True),
    "note": Value(),
    "rest": Value(),
}
LINE = "{arm} R{range}[ P{penetration}] D{damage}[; {note}]"


def test_a_line_is_described_with_its_words() -> None:
    words = {**VALUES, "arm": WordValue(["near", "far"])}
    assert LineFormat("{arm} R{range}", words).description == "NAME: {arm} R{range}; arm: near or far"
    assert LineFormat("{note}", words).description == "NAME: {note}"


def lines(text: str = LINE) -> LineFormat:
    return LineFormat(text, VALUES)


@pytest.mark.parametrize(
    ("line", "texts"),
    [
        ("CW R1 D1", {"arm": "CW", "range": "1", "damage": "1"}),
        ("C R12 P3 D-1", {"arm": "C", "range": "12", "penetration": "3", "damage": "-1"}),
        (
            "RW R1 P0 D1; at most once",
            {"arm": "RW", "range": "1", "penetration": "0", "damage": "1", "note": "at most once"},
        ),
    ],
)
def test_a_line_is_read_and_written(line: str, texts: dict[str, str]) -> None:
    assert lines().read(line) == texts
    assert lines().write(texts) == line
    assert re.fullmatch(lines().pattern(), line)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("XW R1 D1", "expected the arm, not 'XW R1 D1'"),
        ("CW", "expected ' R' at the end"),
        ("CW R1", "expected ' D' at the end"),
        ("CW Rx D1", "expected the range, not 'x D1'"),
        ("CW R01 D1", "expected ' D', not '1 D1'"),
        ("CW R1 D1 P2", "unexpected ' P2'"),
        ("CW R1 D1; ", "expected the note at the end"),
        ("CW R1 D1; one\ntwo", "it must be one line"),
    ],
)
def test_a_wrong_line_says_where(line: str, message: str) -> None:
    with pytest.raises(LineError, match=re.escape(message)):
        lines().read(line)
    assert not re.fullmatch(lines().pattern(), line)


@each_case(
    ("text", "message"),
    [
        ("", "a line must begin"),
        ("[ P{penetration}]", "a line must begin"),
        ("{arm}{range}", "write text before {range}"),
        ("{arm}[{range}]", "must begin with text"),
        ("{arm}[ x]", "must contain a field"),
        ("{arm}[ {range}", "missing ] after ["),
        ("{arm} ]", "missing [ before ]"),
        ("{arm}[ R{range}[ D{damage}]]", "cannot contain another"),
        ("{arm} {", "is not the name of a field"),
        ("{arm} {a b}", "is not the name of a field"),
        ("{arm} {reach}", "unknown field 'reach'"),
        ("{range} {range}", "repeated field 'range'"),
        ("{range}5{damage}", "'5' after {range} could be part of the range"),
        ("{weight}.{damage}", "'.' after {weight} could be part"),
        ("{arm}W{range}", "'W' after {arm} could be part of the arm"),
        ("{range}[ P{penetration}] P{damage}", "begin alike"),
        ("{range}[ P{penetration}][ Po{damage}]", "begin alike"),
        ("{range}" + "[ a{damage}]" * 41, "more than 40 pieces"),
    ],
)
def test_an_ambiguous_format_is_refused(text: str, message: str) -> None:
    with pytest.raises(LineFormatError, match=re.escape(message)):
        lines(text)


def test_a_value_that_would_be_read_differently_is_not_written() -> None:
    two = lines("{note}, {rest}")
    assert two.write({"note": "a", "rest": "b, c"}) == "a, b, c"
    assert two.write({"note": "a, b", "rest": "c"}) is None
    assert two.write({"note": "a"}) is None


TEXTS = st.fixed_dictionaries(
    {
        "arm": st.sampled_from(ARMS),
        "range": st.integers(1, 60).map(str),
        "damage": st.integers(-(10**9), 10**9).map(str),
    },
    optional={
        "penetration": st.integers(-(10**9), 10**9).map(str),
        "note": st.text(st.characters(exclude_categories=("Cc", "Zl", "Zp")), min_size=1),
    },
)


@given(TEXTS)
def test_what_is_written_is_read_back(texts: dict[str, str]) -> None:
    line = lines().write(texts)
    assert line is not None
    assert lines().read(line) == texts
    assert re.fullmatch(lines().pattern(), line)


@given(st.text("CWRPD 0123456789-;x", max_size=20))
def test_pattern_and_reader_accept_the_same_lines(line: str) -> None:
    try:
        texts = lines().read(line)
        accepted = 1 <= int(texts["range"]) <= 60
    except LineError:
        accepted = False
    assert accepted == bool(re.fullmatch(lines().pattern(), line))


def test_long_lines_take_linear_time() -> None:
    many = LineFormat("{note}[ a{rest}] D{damage}", VALUES)
    line = " a" * 200_000
    started = time.process_time()
    with pytest.raises(LineError):
        many.read(line)
    assert not re.fullmatch(many.pattern(), line[:20_000])
    assert time.process_time() - started < 2


def test_a_line_cannot_contain_too_many_words() -> None:
    with pytest.raises(LineFormatError, match="more than 500 words"):
        WordValue(f"word{number}" for number in range(MOST_WORDS + 1))


@pytest.mark.parametrize(("line", "missing"), [("4", "damage"), ("4 2", "penetration")])
def test_a_line_that_ends_early_names_the_field_that_is_missing(line: str, missing: str) -> None:
    """A blank would tell the author nothing."""
    with pytest.raises(LineError, match=f"expected the {missing} at the end"):
        lines("{range} {damage} {penetration}").read(line)


def test_the_page_of_a_limit_names_all_keys_of_a_bound_together() -> None:
    book = LimitBook("EM", "Ember")
    for key, owner in (("heat", "brave"), ("age", "brave"), ("heat", "camp")):
        book.rule("EM101", f"{key} of a {owner}", "is between 1 and 6")
    book.rule("EM101", "the members of a band", "are at most 4")
    general, limits = book.checks()
    assert general.page.endswith("The game sets no bounds yet.\n")
    assert limits.page.endswith(
        "    - The heat and age of a brave and the heat of a camp must be between 1 and 6.\n"
        "    - The members of a band must be at most 4.\n"
    )


def test_the_page_of_many_limits_counts_them() -> None:
    book = LimitBook("EM", "Ember")
    for number in range(20):
        book.rule("", f"heat {number} of a brave", f"is at most {number}")
    (general,) = book.checks()
    assert (
        "    20 bounds share this code. The message gives the limit that the value breaks, and\n"
        "    `cardgen schema` lists all limits.\n" in general.page
    )
