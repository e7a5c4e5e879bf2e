"""Amounts: numbers, dice, and multiples of a value."""

from __future__ import annotations

import pytest

from cardgen.referee.odds import odds
from cardgen.rulesets.warcry.referee.attack import resolve_amount, roll_amount
from cardgen.rulesets.warcry.selections import shows


@pytest.mark.parametrize(
    ("amount", "resolved"),
    [(3, 3), ("value", 5), ("half-value", 3), ("double-value", 10), ("d6", "d6"), ("d3+value", "d3+5")],
)
def test_a_value_is_put_in(amount: int | str, resolved: int | str) -> None:
    assert resolve_amount(amount, 5) == resolved


@pytest.mark.parametrize(
    ("amount", "mean"), [(4, 4), ("d3", 2), ("d6", 3.5), ("2d6", 7), ("2d3", 4), ("d3+1", 3), ("d6+value", 5.5)]
)
def test_dice_have_their_mean(amount: int | str, mean: float) -> None:
    assert odds(roll_amount, amount, "Asha", 2).mean(int) == mean


@pytest.mark.parametrize(
    ("faces", "shown"), [("4+", [4, 5, 6]), ("3-5", [3, 4, 5]), ("6", [6]), ("1", [1]), ("2-3", [2, 3])]
)
def test_faces_of_a_die(faces: str, shown: list[int]) -> None:
    assert [face for face in range(1, 7) if shows(face, faces)] == shown
