"""What is in force several times, and weapons that are lent only for a while."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from cardgen.referee.odds import odds
from cardgen.referee.play import play
from cardgen.referee.trial import Competitor
from cardgen.rulesets.warniris.referee.attack import resolve_attack, resolve_pending
from cardgen.rulesets.warniris.referee.conditions import AttackAction
from cardgen.rulesets.warniris.referee.effects import start_effects
from cardgen.rulesets.warniris.referee.game import PendingReaction
from cardgen.rulesets.warniris.trials import TRIALS
from tests.rulesets.crowd_scores import assert_same_scores
from tests.rulesets.warniris.referee.fights import card, table, terms
from tests.rulesets.warniris.referee.test_effects_of_sentences import PLAIN, gifted

CLAWS = {"name": "Claws", "type": "CW", "range": 1, "penetration": 5, "damage": 1}
WHILE_UNHURT = {"if": {"unhurt": True}, "bearer": {"weapon": CLAWS}}


@pytest.mark.parametrize(
    ("effect", "times"),
    [
        ({"bearer": {"weapon": CLAWS}}, 1),
        ({"bearer": {"reroll": "hit", "reactions": "more"}}, 1),
        ({"enemies": {"fails": "attack", "healing": "none"}}, 1),
        ({"bearer": {"mind": 1}}, 2),
        ({"bearer": {"actions": 1}}, 2),
        ({"cumulative": False, "bearer": {"mind": 1}}, 1),
        ({"while": "activation_end", "bearer": {"heal": 1}}, 2),
        ({"while": "activation_end", "cumulative": False, "bearer": {"heal": 1}}, 1),
        ({"while": "attacking", "bearer": {"mind": 1}}, 2),
    ],
    ids=str,
)
def test_only_what_adds_up_is_in_force_twice(effect: dict[str, Any], times: int) -> None:
    game = table(gifted({"when": "turn_start", "for": "battle", **effect}), PLAIN)
    state = game.initial_state()
    for _ in range(2):
        (state,) = odds(start_effects, game, state, "turn_start", (0,)).weights
    in_force = [each for each in state.mode.active_effects if each.affected or "while" in effect]
    assert sum(bool(members) for each in in_force for _, members in each.affected or (("", (0,)),)) == times


def test_many_attacks_that_lend_a_weapon_have_few_states() -> None:
    """Each attack may lend it once more, which makes no difference; each sum would be a state of its own."""
    lends = [{"when": "enemy_attacking", "for": "battle", "if": {"test": "mind"}, "bearer": {"weapon": CLAWS}}] * 3
    pair = [Competitor(card(name, "M4 B3 S3 W3", "Axe: CW R1 P1 D1"), relic(*lends)) for name in ("One", "Other")]
    assert_same_scores(TRIALS, pair, terms())


def relic(*effects: dict[str, Any]) -> dict[str, Any]:
    return {"kind": "relic", "name": "Relic", "effects": [*effects]}


@pytest.mark.parametrize(("setting", "reactions"), [("spent", 0), ("kept", 1)])
def test_a_late_reaction_needs_its_weapon(setting: str, reactions: int) -> None:
    """Its reactor had a weapon while it was unhurt, and was hurt by the action to which it reacts."""
    game = table(gifted(WHILE_UNHURT, lines=()), PLAIN, rulings={"reaction-spent": setting})
    state = game.initial_state().change_counter(0, -1).change_counter(game.reaction_counter(0), -1)
    waiting = state.set_pending(PendingReaction(0, "Claws", "end"))
    lines = list[Any]()
    after = play(resolve_pending(game, waiting, 1, "end"), lambda *_: pytest.fail("asked"), lines.append)
    assert any("A no longer has Claws" in str(line) for line in lines)
    assert after.wounds(1) == 4
    assert after.counters[game.reaction_counter(0)] == reactions


def test_an_attack_goes_on_with_the_weapon_that_it_began_with() -> None:
    """The enemy hurts its attacker, whose weapon is lent to the unhurt, at the first moment of the attack."""
    thorns = {"when": "enemy_attacking", "actor": {"deal": 1}}
    spiky = card("B", "M3 B1 S3 W4", abilities=[{"name": "Thorns", "effects": [thorns]}])
    game = table(gifted(WHILE_UNHURT, lines=()), spiky)
    attack = AttackAction(0, 1, "Claws")
    after = odds(resolve_attack, game, game.initial_state(), attack)
    assert after.chance(lambda state: state.wounds(1) == 3) == Fraction(5, 6) ** 2
    hurt = game.initial_state().change_counter(0, -1)
    assert set(odds(resolve_attack, game, hurt, attack).weights) == {hurt}


def test_of_lent_weapons_with_the_same_name_each_keeps_its_own() -> None:
    thorns = {"when": "enemy_attacking", "actor": {"deal": 1}}
    strong = {"if": {"unhurt": True}, "bearer": {"weapon": {**CLAWS, "damage": 4}}}
    spiky = card("B", "M3 B1 S3 W4", abilities=[{"name": "Thorns", "effects": [thorns, strong]}])
    game = table(gifted(WHILE_UNHURT, lines=()), spiky)
    after = odds(resolve_attack, game, game.initial_state(), AttackAction(0, 1, "Claws"))
    assert {state.wounds(1) for state in after.weights} == {3, 4}


def test_crowds_of_unhurt_bearers_of_weapons() -> None:
    axe = "Axe: CW R1 P1 D1"
    crowd = [Competitor(card(f"C{wounds}", f"M4 B3 S3 W{wounds}", axe), relic(WHILE_UNHURT)) for wounds in (2, 3)]
    assert_same_scores(TRIALS, [*crowd, Competitor(card("Other", "M4 B3 S3 W4", axe))], terms())
