"""Choices with values, answered from a list."""

from __future__ import annotations

from typing import Any

from cardgen.referee.play import ignore_events, play
from cardgen.referee.requests import Procedure, choose, choose_in_turn, choose_one, confirm, select


def answered(procedure: Any, *answers: Any) -> Any:
    """Return the result of a procedure whose questions get these answers, all of which must be asked for."""
    left = [*answers]
    result = play(procedure, lambda path, question: left.pop(0), ignore_events)
    assert not left
    return result


def test_a_choice_returns_the_value_of_its_label() -> None:
    assert answered(choose("k", "A", "how", {"one": 1, "two": 2}), "two") == 2


def test_a_single_option_is_not_asked_for() -> None:
    assert answered(choose("k", "A", "how", {"one": 1})) == 1
    assert answered(choose_one("k", "A", "who", [5])) == 5
    assert answered(choose_one("k", "A", "who", [])) is None


def test_nobody_can_be_chosen() -> None:
    assert answered(choose_one("k", "A", "who", [5], "nobody"), "nobody") is None
    assert answered(choose_one("k", "A", "who", [5], "nobody"), "5") == 5


def test_confirm() -> None:
    assert [answered(confirm("k", "A", "really"), each) for each in ("yes", "no")] == [True, False]


def test_any_number_of_items() -> None:
    assert answered(select("k", "A", "who", [5, 6, 7]), ("7", "5")) == [7, 5]
    assert answered(select("k", "A", "who", [])) == []


def test_items_act_in_turn_until_nobody_is_chosen() -> None:
    left, acted = [1, 2, 3], []

    def act(item: int) -> Procedure[None]:
        left.remove(item)
        acted.append(item)
        yield from ()

    answered(choose_in_turn("k", "A", "who", lambda: left, act), "2", "3", "nobody else")
    assert acted == [2, 3]
    answered(choose_in_turn("k", "A", "who", lambda: left, act), "1")
    assert not left
