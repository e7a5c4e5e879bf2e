"""Conditions on an attack: the name of its weapon, the order of reactions, and who attacked before."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from cardgen.referee.odds import odds
from cardgen.rulesets.warniris.referee.attack import resolve_attack
from cardgen.rulesets.warniris.referee.conditions import AttackAction, LogEvent
from cardgen.rulesets.warniris.referee.duel import Duel
from tests.rulesets.warniris.referee.fights import card, table

GUN = "Long Gun: RW R30 P5 D1"


def gifted(*effects: dict[str, Any], stats: str, lines: tuple[str, ...]) -> dict[str, Any]:
    return card("A", stats, *lines, abilities=[{"name": "Gift", "effects": list(effects)}])


@pytest.mark.parametrize(("weapon", "lost"), [("Hex Staff", Fraction(1, 3)), ("Bolt", Fraction(1, 4))])
def test_a_weapon_is_known_by_its_name(weapon: str, lost: Fraction) -> None:
    """S3 hits in 1/2; S3 resists in 1/2, and less 1 in 1/3."""
    effect = {"when": "hit", "if": {"weapon_name": "hex-staff"}, "target": {"spirit": -1}}
    lines = ("Hex Staff: P R30 D1", "Bolt: P R30 D1")
    game = table(gifted(effect, stats="M3 B3 S3 W4", lines=lines), card("B", "M3 B3 S3 W4"))
    found = odds(resolve_attack, game, game.initial_state(), AttackAction(0, 1, weapon, 5))
    assert found.chance(lambda state: state.wounds(1) == 3) == lost


def test_the_second_reaction_is_worse() -> None:
    """M2 hits in 2/6, in its second Reaction in 1/6, and in its two Attacks in 2/6 each; B1 resists in 1/6."""
    effects: list[dict[str, Any]] = [
        {"bearer": {"reactions": "more"}},
        {"when": "reacting", "if": {"reaction": "second"}, "bearer": {"mind": -1}},
    ]
    bearer = gifted(*effects, stats="M2 B5 S1 W9", lines=("Blade: CW R1 P9 D1",))
    game = table(card("B", "M1 B1 S1 W9", "Stick: CW R1 D0"), bearer, records=False)
    found = Duel(game, 1).final_states(0)
    assert found.mean(lambda state: 9 - state[1][0]) == Fraction(7, 6) * Fraction(5, 6)


@pytest.mark.parametrize(
    ("kind", "before", "is_met"),
    [
        ("minion", {}, True),
        ("friend", {}, True),
        ("character", {}, False),
        ("minion", {"turn": 2}, False),
        ("minion", {"weapon": "P"}, False),
        ("minion", {"subject": 0}, False),
        ("friend", {"actor": 0}, False),
        ("friend", {"kind": "hit"}, False),
    ],
)
def test_a_friend_has_attacked_the_target_before(kind: str, before: dict[str, Any], is_met: bool) -> None:
    """M3 hits in 3/6, and with 1 more in 4/6; B1 resists in 1/6."""
    effect = {"when": "attacking", "if": {"assisted": kind}, "bearer": {"mind": 1}}
    people = [gifted(effect, stats="M3 B3 S3 W4", lines=(GUN,)), card("B", "M3 B1 S3 W4")]
    game = table(*people, card("F", "M3 B3 S3 W1", kind="minion"), sides=(0, 1, 0))
    event = LogEvent("attack", 2, 1, "RW", 5, 0)._replace(**before)
    found = odds(resolve_attack, game, game.initial_state().add_events(event), AttackAction(0, 1, "Long Gun", 5))
    assert found.chance(lambda state: state.wounds(1) == 3) == Fraction(4 if is_met else 3, 6) * Fraction(5, 6)
