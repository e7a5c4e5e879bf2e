"""What actions leave on record for missions: Moves, enemies passed, targets chosen, and Attacks that are done."""

from __future__ import annotations

from typing import Any

import pytest

from cardgen.referee.play import play
from cardgen.rulesets.warniris.battle.activation import activate
from cardgen.rulesets.warniris.battle.missions import times_earned
from cardgen.rulesets.warniris.battle.reactions import LATER
from cardgen.rulesets.warniris.cards import Earn
from cardgen.rulesets.warniris.referee.game import Game
from tests.rulesets.warniris.battle.test_activation import Script, acted
from tests.rulesets.warniris.referee.fights import card, sample, table

MOVE, THROUGH = "Move up to 10 cm", "Move through enemies, up to 10 cm"
FRAIL = card("Frail", "M5 B3 S5 W1", "Bow: RW R20 D1", "Axe: CW R1 D1", "Ray: P R20 D1")
GUARD = card("Guard", "M5 B5 S5 W9", "Gun: RW R20 D1")
WARD = card("Ward", "M5 B5 S5 W9", "Gun: RW R20 D1")


def three(**rulings: str) -> Game:
    """One miniature against a guard and its ward."""
    return table(FRAIL, GUARD, WARD, sides=(0, 1, 1), asked=True, rulings=rulings)


def earned(mission: str, side: int, script: Script) -> int:
    game = three()
    state, *_ = acted(script, game)
    return times_earned(game, state, side, Earn.model_validate(sample("mission", mission)["earn"]), "activation")


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ({"enemies_in_the_way": [2]}, 1),
        ({"enemies_in_the_way": [1]}, 0),
        ({"enemies_in_the_way": [2], "through_1": [6]}, 0),
        ({"enemies_in_the_way": [2], "through_2": [6]}, 0),
    ],
)
def test_a_move_through_enemies_is_on_record(answers: dict[str, Any], expected: int) -> None:
    assert earned("Evasive Maneuvers", 0, Script(action=[THROUGH], **answers)) == expected


def test_a_free_move_is_a_move_too() -> None:
    game = three()
    script = Script(action=["Axe (CW R1 D1) at Guard"], distance=[9])
    state, *_ = acted(script, game)
    kinds = [event.kind for event in state.mode.events]
    assert kinds[:4] == ["aim", "move", "attack", "hit"]
    assert kinds[-1] == "done"


@pytest.mark.parametrize(("dice", "kinds"), [([1], ["move", "pass"]), ([6], ["move"])])
def test_a_free_move_through_an_enemy_is_on_record(dice: list[int], kinds: list[str]) -> None:
    script = Script(action=["Axe (CW R1 D1) at Guard"], distance=[(9, "through")], through_1=dice)
    state, *_ = acted(script, three())
    assert [event.kind for event in state.mode.events if event.kind in ("move", "pass")] == kinds
    script = Script(action=["Axe (CW R1 D1) at Guard"], distance=[(9, "through")], through_1=dice)
    state, *_ = acted(script, three(**{"free-move-counts": "apart"}))
    assert not any(event.kind in ("move", "pass") for event in state.mode.events)


def test_two_plain_moves_are_two_on_record() -> None:
    game = three()
    state = play(activate(game, game.initial_state(), 0, 2), Script(action=[(MOVE, MOVE)]), lambda _: None)
    assert [(event.kind, event.move) for event in state.mode.events] == [("move", 1), ("move", 2)]


BOW = "Bow (RW R20 D1) at "
SHOT = {"reaction": [("Guard with Gun", LATER)]}


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ({"action": [f"{BOW}Ward"], "moment": ["before the first die"], "resist": [6]}, 1),
        ({"action": [f"{BOW}Ward"], "moment": ["when it has hit"], "resist": [6]}, 1),
        ({"action": [f"{BOW}Ward"], "moment": ["when it was not resisted"], "resist": [6, 6]}, 1),
        ({"action": [f"{BOW}Ward"], "timing": [6], "resist": [1, 6]}, 0),
        ({"action": [f"{BOW}Guard"], "moment": ["before the first die"], "resist": [6]}, 0),
    ],
)
def test_an_attack_that_a_reaction_stops_is_a_rescue(answers: dict[str, Any], expected: int) -> None:
    """Only one that saves another Character, and only before the Attack is done."""
    script = Script(**{key: list(each) for key, each in (SHOT | answers).items()})
    assert earned("Last-Minute Rescue", 1, script) == expected


def test_an_enemy_that_falls_in_its_move_has_attacked_nobody() -> None:
    script = Script(action=[MOVE], reaction=["Guard with Gun"], resist=[6])
    assert earned("Last-Minute Rescue", 1, script) == 0


def test_a_stopped_channel_is_no_stopped_attack() -> None:
    script = Script(
        action=["Ray (P R20 D1) at Ward"],
        reaction=[("Guard with Gun", LATER)],
        moment=["before the first die"],
        resist=[6],
    )
    assert earned("Last-Minute Rescue", 1, script) == 0
