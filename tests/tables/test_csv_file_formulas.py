from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.tables.csv_file import defuse, restore
from tests.cases import each_case


@each_case("text", ["=1+1", "+A1", "-A1", "@SUM(1)", "-2+3", "=cmd|' /C calc'!A0", " =1+1", "＝1+1", "-1/x"])
def test_formulas_are_defused(text: str) -> None:
    assert defuse(text) == f"'{text}"


@pytest.mark.parametrize("text", ["Ash", "'the Sneak'", "-5", "+1", "+1.5", "1+1", "-1/2", ""])
def test_other_texts_stay(text: str) -> None:
    assert defuse(text) == text


@given(st.text(alphabet="'=＝+-@a1./ \t", max_size=6))
def test_what_was_defused_is_restored(text: str) -> None:
    assert restore(defuse(text)) == text


@pytest.mark.parametrize("separator", [";", "\t", "|", "\n"])
def test_no_other_separator_makes_a_formula_of_a_part(separator: str) -> None:
    text = f"Moth{separator}=HYPERLINK(A1){separator} @x{separator}-3{separator}'=1"
    assert defuse(text) == f"Moth{separator}'=HYPERLINK(A1){separator}' @x{separator}-3{separator}''=1"
    assert restore(defuse(text)) == text
