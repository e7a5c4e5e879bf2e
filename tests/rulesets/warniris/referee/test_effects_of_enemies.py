"""Effects that start when enemies activate, move, and attack, with odds worked out by hand."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from cardgen.referee.odds import odds
from cardgen.referee.play import play
from cardgen.rulesets.warniris.battle.activation import activate
from cardgen.rulesets.warniris.referee.attack import resolve_attack
from cardgen.rulesets.warniris.referee.conditions import AttackAction
from cardgen.rulesets.warniris.referee.duel import Duel
from cardgen.rulesets.warniris.referee.effects import start_activation
from cardgen.rulesets.warniris.referee.measurements import charge
from cardgen.rulesets.warniris.referee.modifiers import move_distance
from tests.rulesets.warniris.battle.test_activation import MOVE, Script
from tests.rulesets.warniris.referee.fights import card, table

GUN, BLADE = "Gun: RW R30 P5 D1", "Blade: CW R1 P5 D1"
ACTIVE = card("A", "M3 B3 S3 W4", GUN, BLADE)


def watcher(*effects: dict[str, Any], line: str = "Stick: CW R1 D0") -> dict[str, Any]:
    return card("B", "M1 B1 S1 W4", line, abilities=[{"name": "Watch", "effects": list(effects)}])


@pytest.mark.parametrize(
    ("condition", "lost"),
    [
        ({"range_within": 6, "roll": [5, 6]}, Fraction(5, 18)),
        ({"range_within": 6}, Fraction(0)),
        ({"range_within": 4}, Fraction(5, 12)),
        ({"weapon": "P"}, Fraction(5, 12)),
        ({"weapon_name": "gun"}, Fraction(0)),
        ({"against": "minion"}, Fraction(5, 12)),
    ],
)
def test_an_attack_can_fail(condition: dict[str, Any], lost: Fraction) -> None:
    """M3 hits in 1/2; B1 resists in 1/6; two faces of six stop the attack."""
    effect = {"when": "enemy_attacking", "if": condition, "actor": {"fails": "attack"}}
    game = table(ACTIVE, watcher(effect))
    found = odds(resolve_attack, game, game.initial_state().at_distance(5), AttackAction(0, 1, "Gun", 5))
    assert found.chance(lambda state: state.wounds(1) == 3) == lost


def test_a_channel_without_a_test_can_fail() -> None:
    effect = {"when": "enemy_attacking", "if": {"weapon": "P", "roll": [6]}, "actor": {"fails": "attack"}}
    healer = card("A", "M3 B3 S3 W4", "Balm: P R12 H2")
    game = table(healer, watcher(effect), card("C", "M3 B3 S3 W4"), sides=(0, 1, 0))
    found = odds(resolve_attack, game, game.initial_state().change_counter(2, -3), AttackAction(0, 2, "Balm", 5))
    assert dict(found.map(lambda state: state.wounds(2))) == {3: Fraction(5, 6), 1: Fraction(1, 6)}


def test_the_attacker_gets_a_penalty() -> None:
    """M3 less 1 hits in 1/3."""
    game = table(ACTIVE, watcher({"when": "enemy_attacking", "actor": {"mind": -1}}))
    found = odds(resolve_attack, game, game.initial_state(), AttackAction(0, 1, "Gun", 5))
    assert found.chance(lambda state: state.wounds(1) == 3) == Fraction(1, 3) * Fraction(5, 6)


@pytest.mark.parametrize(("distance", "lost"), [(5, Fraction(1, 4)), (6, Fraction(0))])
def test_the_start_of_an_activation_hurts(distance: int, lost: Fraction) -> None:
    """Three faces of six, and Body 3 saves in half of the cases."""
    condition = {"range_within": 5, "roll": [4, 5, 6]}
    game = table(ACTIVE, watcher({"when": "enemy_activated", "if": condition, "actor": {"deal": 1, "unless": "body"}}))
    found = odds(start_activation, game, game.initial_state().at_distance(distance), 0)
    assert found.chance(lambda state: state.wounds(0) == 3) == lost


def test_a_penalty_ends_with_the_activation() -> None:
    game = table(ACTIVE, watcher({"when": "enemy_activated", "for": "activation", "actor": {"movement": -3}}))
    [state] = odds(start_activation, game, game.initial_state(), 0).weights
    assert (move_distance(game, state, 0), move_distance(game, state, 1)) == (7, 10)
    assert move_distance(game, state.end_window("activation"), 0) == 10


def test_a_duel_in_which_each_activation_hurts() -> None:
    """Neither deals Damage with its weapon; A activates once in each of two turns, and B heals at these moments."""
    effects = [{"when": "enemy_activated", "actor": {"deal": 1}}, {"when": "enemy_activated", "bearer": {"heal": 1}}]
    game = table(card("A", "M1 B1 S1 W9", "Stick: CW R1 D0"), watcher(*effects), records=False)
    [counters] = {state[1][:2] for state in Duel(game, 2).final_states(0).weights}
    assert counters == (7, 4)


@pytest.mark.parametrize(("wounds", "arrives"), [(4, True), (1, False)])
def test_the_end_of_a_charge_hurts(wounds: int, arrives: bool) -> None:
    game = table(ACTIVE, watcher({"when": "enemy_moved", "if": {"range_within": 2}, "actor": {"deal": 1}}))
    state = game.initial_state().at_distance(8).change_counter(0, wounds - 4)
    [(after, attack)] = odds(charge, game, state, AttackAction(0, 1, "Blade", 8)).weights
    assert (after.wounds(0), bool(attack)) == (wounds - 1, arrives)


@pytest.mark.parametrize(("answer", "wounds"), [("yes", 3), ("no", 4)])
def test_the_table_says_who_has_moved_near(answer: str, wounds: int) -> None:
    effect = {"when": "enemy_moved", "if": {"range_within": 2}, "actor": {"deal": 1}}
    game = table(ACTIVE, watcher(effect), asked=True)
    script = Script(action=[MOVE], **{"near A": [answer]})
    after = play(activate(game, game.initial_state(), 0, 1), script, list[Any]().append)
    assert after.wounds(0) == wounds
    assert ("B", "near A") in script.asked
