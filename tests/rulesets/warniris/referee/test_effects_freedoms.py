"""Effects that lift a rule or set one: gaps, free crossing, more Actions, no Reactions, and kills as a moment."""

from __future__ import annotations

from fractions import Fraction as F  # noqa: N817
from typing import Any

import pytest

from cardgen.referee.odds import odds
from cardgen.referee.play import Event, play
from cardgen.referee.requests import Selection, Test
from cardgen.rulesets.warniris.battle.activation import activate
from cardgen.rulesets.warniris.referee.attack import resolve_attack
from cardgen.rulesets.warniris.referee.conditions import AttackAction
from cardgen.rulesets.warniris.referee.measurements import cross_enemies
from cardgen.rulesets.warniris.referee.modifiers import extra_actions, hit_test, may_react
from tests.rulesets.warniris.referee.fights import card, table

GUN = "Gun: RW R30 P5 D1"


def gifted(*effects: dict[str, Any], **more: Any) -> dict[str, Any]:
    return card("A", "M5 B3 S3 W4", GUN, abilities=[{"name": "Gift", "effects": list(effects), **more}])


PLAIN = card("B", "M3 B1 S3 W1", GUN)


@pytest.mark.parametrize(("effect", "need"), [({"gaps": "ignored"}, 5), ({"body": 1}, 4)])
def test_gaps_can_be_ignored(effect: dict[str, Any], need: int) -> None:
    game = table(gifted({"bearer": effect}), PLAIN)
    assert hit_test(game, game.initial_state(), AttackAction(0, 1, "Gun", 10, gap=True)).need == need
    assert hit_test(game, game.initial_state(), AttackAction(1, 0, "Gun", 10, gap=True)).need == 2


def test_enemies_can_be_crossed_freely() -> None:
    game = table(gifted({"bearer": {"crossing": "free"}}), PLAIN)
    told: list[Any] = []
    assert play(cross_enemies(game, game.initial_state(), 0, 2), lambda *_: 6, told.append)[1] == 2
    assert not any(isinstance(each, Event) and isinstance(each.question, Test) for each in told)
    assert play(cross_enemies(game, game.initial_state(), 1, 2), lambda *_: 6, told.append)[1] == 0


@pytest.mark.parametrize(
    ("gift", "passed"),
    [
        ({"bearer": {"reroll": "body"}}, [(0, F(1, 4)), (1, F(3, 16)), (2, F(9, 16))]),
        ({"when": "moving", "bearer": {"reroll": "any"}}, [(0, F(1, 4)), (1, F(3, 16)), (2, F(9, 16))]),
        ({"bearer": {"reroll": "mind"}}, [(0, F(1, 2)), (1, F(1, 4)), (2, F(1, 4))]),
        ({"when": "moving", "if": {"roll": [1, 2, 3]}, "bearer": {"reroll": "body"}},
         [(0, F(3, 8)), (1, F(15, 64)), (2, F(25, 64))]),
    ],
)  # fmt: skip
def test_a_body_test_of_a_move_can_be_rerolled(gift: dict[str, Any], passed: list[tuple[int, F]]) -> None:
    """Body 3 passes in 1/2, with a re-roll in 3/4, and with one that a die allows in half of the cases in 5/8."""
    game = table(gifted(gift), PLAIN)
    assert sorted(odds(cross_enemies, game, game.initial_state(), 0, 2).map(lambda result: result[1])) == passed


def test_a_reroll_that_is_used_up_helps_one_body_test_of_a_move() -> None:
    """The first failure is re-rolled: passing both takes 1/4 + 2 * 1/8; the second failure ends the Move."""
    game = table(gifted({"when": "moving", "bearer": {"reroll": "body"}}, once=True), PLAIN)
    passed = odds(cross_enemies, game, game.initial_state(), 0, 2).map(lambda result: result[1])
    assert sorted(passed) == [(0, F(1, 4)), (1, F(1, 4)), (2, F(1, 2))]


def test_an_activation_can_have_a_third_action() -> None:
    game = table(gifted({"bearer": {"actions": 1}}), PLAIN, asked=True)
    asked: list[str] = []

    def answer(path: str, question: Any) -> Any:
        if isinstance(question, Selection) and question.key == "action":
            asked.append(question.what)
        return () if isinstance(question, Selection) else 0

    play(activate(game, game.initial_state(), 0, 2), answer, list[Any]().append)
    play(activate(game, game.initial_state(), 1, 2), answer, list[Any]().append)
    assert asked == ["actions 1 to 3", "actions 1 to 2"]
    assert (extra_actions(game, game.initial_state(), 0), extra_actions(game, game.initial_state(), 1)) == (1, 0)


def test_reactions_can_be_forbidden() -> None:
    game = table(gifted({"enemies": {"reactions": "none"}}), PLAIN)
    assert may_react(game, game.initial_state(), 0)
    assert not may_react(game, game.initial_state(), 1)


def test_a_kill_is_a_moment() -> None:
    game = table(gifted({"when": "eliminating", "friends": {"heal": 1}, "bearer": {"heal": 2}}), PLAIN)
    hurt = game.initial_state().change_counter(0, -3)
    after = odds(resolve_attack, game, hurt, AttackAction(0, 1, "Gun", 10))
    wounds = {(state.wounds(0), state.stands(1)) for state in dict(after)}
    assert wounds == {(3, False), (1, True)}


def test_a_text_that_was_read_is_in_force() -> None:
    gift = {"name": "Gift", "text": "Once per turn, the bearer may ignore gaps. It is old."}
    known = {"name": "Sight", "text": "The bearer has +1 Body and ignores gaps in cover."}
    game = table(card("A", "M5 B3 S3 W4", GUN, abilities=[gift, known]), PLAIN)
    assert [(effect.name, effect.when) for effect in game.miniatures[0].effects] == [("Sight", "always")]
    assert hit_test(game, game.initial_state(), AttackAction(0, 1, "Gun", 10, gap=True)).need == 5
    assert game.miniatures[0].not_simulated == ("A: 'Gift' has only text",)
