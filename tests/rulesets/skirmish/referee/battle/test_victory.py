"""Victory: routs, and the conditions of a scenario."""

from __future__ import annotations

from typing import Any

import pytest

from cardgen.rulesets.skirmish.referee.battle.table import Table
from cardgen.rulesets.skirmish.referee.battle.victory import BattleResult, outcome_lines, winner_now
from cardgen.rulesets.skirmish.referee.warrior import DOWN, OUT, Health
from tests.rulesets.skirmish.referee.battle.players import Script, model, run_with, table_of


def winner(table: Table, *, is_last: bool = False, **answers: Any) -> tuple[int, str] | None:
    """Return who has won, and why."""
    found: tuple[int, str] | None = run_with(winner_now(table, is_last=is_last), Script(**answers))[0]
    return found


def by(when: str, side: str = "either", **keys: Any) -> Table:
    """Return a table with two models of each side, and one condition."""
    models = [
        model(side, f"{name}{number}", is_leader=number == 0, points=10)
        for side, name in ((0, "A"), (1, "B"))
        for number in (0, 1)
    ]
    return table_of(*models, scenario={"victory": ({"side": side, "when": when, **keys},)})


def test_a_rout_and_a_side_without_models() -> None:
    table = by("leader-out")
    assert winner(table) is None
    table.loser = 0
    assert winner(table) == (1, "rout")
    table = by("leader-out")
    for each in table.models[2:]:
        each.health = Health(0, OUT)
    assert winner(table) == (0, "wiped out")


@pytest.mark.parametrize(
    ("side", "won"), [("either", (1, "leader-out")), ("defender", (1, "leader-out")), ("attacker", None)]
)
def test_a_leader_out_of_action(side: str, won: Any) -> None:
    table = by("leader-out", side)
    table.models[0].health = Health(0, OUT)
    assert winner(table) == won


def test_models_that_reach_an_edge() -> None:
    table = by("reach-edge", "attacker", edge="north", count=2)
    table.models[0].exit = "north"
    assert winner(table) is None
    table.models[1].exit = "north"
    assert winner(table) == (0, "reach-edge")


def test_markers() -> None:
    table = by("carry", "attacker", mark="A", edge="north", count=2)
    table.marks[0, "A"] = 1
    assert winner(table) is None
    table.marks[0, "A"] = 2
    assert winner(table) == (0, "carry")
    assert winner(by("destroy", mark="A"), destroy="yes") == (0, "destroy")
    assert winner(by("destroy", "defender", mark="A"), destroy="yes") is None


def test_conditions_of_the_last_turn() -> None:
    assert winner(by("hold", mark="A"), hold="Blues") is None
    assert winner(by("hold", mark="A"), is_last=True, hold="Blues") == (1, "hold")
    assert winner(by("hold", mark="A"), is_last=True, hold="neither") is None
    assert winner(by("survive", "defender", count=2)) is None
    assert winner(by("survive", "defender", count=2), is_last=True) == (1, "survive")


def test_only_fit_models_survive() -> None:
    table = by("survive", "defender", count=2)
    table.models[2].health = Health(0, DOWN)
    assert winner(table, is_last=True) is None


def test_more_points_out() -> None:
    table = by("more-out")
    assert winner(table, is_last=True) is None
    table.models[1].health = Health(0, OUT)
    assert winner(table, is_last=True) == (1, "more-out")
    table.models[2].is_gone = True
    assert winner(table, is_last=True) is None


def test_its_words() -> None:
    assert outcome_lines(("Reds", "Blues"), BattleResult(1, "rout", 4, (3, 1))) == (
        "Blues wins in turn 4: rout", "out of action: Reds 3, Blues 1",
    )  # fmt: skip
    assert (
        outcome_lines(("Reds", "Blues"), BattleResult(None, "turn limit", 4, (0, 0)))[0]
        == "a draw in turn 4: turn limit"
    )
