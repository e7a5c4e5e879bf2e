"""Texts with tags become markup."""

from __future__ import annotations

import pytest

from cardgen.scaffold.decks.foreign import ForeignTable, markup


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", "plain"),
        ("a * b {c}", r"a \* b \{c\}"),
        ("<b>bold</b> and <i> it </i>", "**bold** and  *it*"),
        ("<b></b>x<i> </i>", "x"),
        ("<u>a</u> <s>b</s>", "[a]{.underline} [b]{.strike}"),
        ("a<br>b", "a\\\nb"),
        ("<p>one</p><p>two</p>", "one\n\ntwo"),
        ("<ul><li>one</li><li>two</li></ul>x", "- one\n- two\n\nx"),
        ("<ol><li>one</li><li>two</li></ol>", "1. one\n2. two"),
        ("1 < 2 &amp; 3", "1 < 2 & 3"),
        ("</b></i><unknown>x</unknown><b>open", "xopen"),
    ],
)
def test_tags_become_markup(text: str, expected: str) -> None:
    assert markup(text) == expected


def test_symbols_are_written_as_asked() -> None:
    assert markup("<sym>T</sym>: go", lambda name: f"({name})") == "(T): go"


def test_no_heading_is_a_formula() -> None:
    rows = ForeignTable("deck", [{"name": "Ash", "=1+1": "=2"}]).csv().decode("utf-8-sig").splitlines()
    assert rows == ["name,'=1+1", "Ash,'=2"]
