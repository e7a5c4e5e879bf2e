"""Battles in turns: who begins, the conditions of victory, and the result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from cardgen.referee.battlefield import Battlefield, BattleModel
from cardgen.referee.battles import BattleResult, outcome_lines, play_turns, winner_now
from cardgen.referee.play import ignore_events, play
from cardgen.referee.requests import Log, Procedure


@dataclass(eq=False, kw_only=True)
class Soldier(BattleModel):
    """A model that is lost or down when told so."""

    lost: bool = False
    down: bool = False

    @property
    def is_lost(self) -> bool:
        return self.lost

    @property
    def is_fit(self) -> bool:
        return self.is_present and not self.down

    @property
    def points(self) -> int:
        return 10


Field = Battlefield[Soldier]


def winner(field: Field, *, is_last: bool = False, answer: str = "") -> tuple[int, str] | None:
    """Return who has won, and why."""
    return play(winner_now(field, is_last=is_last), lambda path, question: answer, ignore_events)


def by(when: str, side: str = "either", **keys: Any) -> Field:
    """Return a field with two models of each side, and one condition."""
    models = [Soldier(side=side, is_leader=number == 0) for side in (0, 1) for number in (0, 1)]
    scenario = {"victory": ({"side": side, "when": when, **keys},)}
    return Battlefield(sides=("Reds", "Blues"), models=models, settings={}, scenario=scenario, turns=2)


def test_a_rout_and_a_side_without_models() -> None:
    field = by("leader-out")
    assert winner(field) is None
    field.loser = 0
    assert winner(field) == (1, "rout")
    field = by("leader-out")
    for each in field.models[2:]:
        each.lost = True
    assert winner(field) == (0, "wiped out")


@pytest.mark.parametrize(
    ("side", "won"), [("either", (1, "leader-out")), ("defender", (1, "leader-out")), ("attacker", None)]
)
def test_a_leader_out_of_action(side: str, won: Any) -> None:
    field = by("leader-out", side)
    field.models[0].lost = True
    assert winner(field) == won


def test_models_that_reach_an_edge() -> None:
    field = by("reach-edge", "attacker", edge="north", count=2)
    field.models[0].exit = "north"
    assert winner(field) is None
    field.models[1].exit = "north"
    assert winner(field) == (0, "reach-edge")


def test_markers() -> None:
    field = by("carry", "attacker", mark="A", edge="north", count=2)
    field.marks[0, "A"] = 1
    assert winner(field) is None
    field.marks[0, "A"] = 2
    assert winner(field) == (0, "carry")
    assert winner(by("destroy", mark="A"), answer="yes") == (0, "destroy")
    assert winner(by("destroy", "defender", mark="A"), answer="yes") is None


def test_conditions_of_the_last_turn() -> None:
    assert winner(by("hold", mark="A"), answer="Blues") is None
    assert winner(by("hold", mark="A"), is_last=True, answer="Blues") == (1, "hold")
    assert winner(by("hold", mark="A"), is_last=True, answer="neither") is None
    assert winner(by("survive", "defender", count=2)) is None
    assert winner(by("survive", "defender", count=2), is_last=True) == (1, "survive")


def test_only_fit_models_survive() -> None:
    field = by("survive", "defender", count=2)
    field.models[2].down = True
    assert winner(field, is_last=True) is None


def test_more_points_out() -> None:
    field = by("more-out")
    assert winner(field, is_last=True) is None
    field.models[1].lost = True
    assert winner(field, is_last=True) == (1, "more-out")
    field.models[2].lost = True
    assert winner(field, is_last=True) is None


def test_its_words() -> None:
    assert outcome_lines(("Reds", "Blues"), BattleResult(1, "rout", 4, (3, 1))) == (
        "Blues wins in turn 4: rout", "out of action: Reds 3, Blues 1",
    )  # fmt: skip
    assert (
        outcome_lines(("Reds", "Blues"), BattleResult(None, "turn limit", 4, (0, 0)))[0]
        == "a draw in turn 4: turn limit"
    )


@pytest.mark.parametrize(("first", "names"), [("attacker", "RBRB"), ("defender", "BRBR")])
def test_sides_take_turns_until_the_limit(first: str, names: str) -> None:
    field = by("survive", count=3)
    field.scenario = {"first": first}
    log: list[Any] = []

    def turn() -> Procedure[None]:
        yield Log("{}", (field.sides[field.side][0],))

    end = play(play_turns(field, turn), lambda path, question: 1, log.append)
    assert "".join(line for line in log if len(line) == 1) == names
    assert end == BattleResult(None, "turn limit", 2, (0, 0))


def test_the_higher_die_begins_and_a_rout_ends_the_battle() -> None:
    field = by("leader-out")
    dice = [3, 3, 2, 5]

    def turn() -> Procedure[None]:
        field.loser = field.side
        yield from ()

    end = play(play_turns(field, turn), lambda path, question: dice.pop(0), ignore_events)
    assert end == BattleResult(0, "rout", 1, (0, 0))
