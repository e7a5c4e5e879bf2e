"""Freedoms of authors: titles, fragments, 'you', and words in other places, each with what must not be read."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rulesets.warcry.wording.test_reader import data_of

PICKED: list[dict[str, Any]] = [{"pick": {"side": "enemy", "within": 6, "visible": True}}]
READ: list[tuple[str, list[dict[str, Any]]]] = [
    ("Shields up! Toughness +1 til the round is over.", [{"toughness": 1, "for": "round"}]),
    ("Stabby stabby: +1 A for the next melee attack you make.", [{"attacks": 1, "weapon": "melee", "next": "attack"}]),
    ("Double your Strength until the end of your activation.", [{"double": ["strength"], "for": "activation"}]),
    ("S +1 on your missile attacks this activation.", [{"strength": 1, "weapon": "missile", "for": "activation"}]),
    ("Its Toughness is raised by 1 before the battle round ends.", [{"toughness": 1, "for": "round"}]),
    ("This fighter has 1 added to its Move this activation.", [{"move": 1, "for": "activation"}]),
    ("Attack actions this fighter makes with a weapon whose Range is 3 in or less are made at +1 Strength.",
     [{"strength": 1, "reach": 3}]),
    ("Next attack action this activation: 5s count as crits too.",
     [{"critical_face": 5, "next": "attack", "for": "activation"}]),
    ("You may re-roll a single hit roll each time this fighter carries out a melee attack action.",
     [{"reroll": "one", "weapon": "melee"}]),
    ("Bonus disengage action, right now.", [{"bonus_disengage": True}]),
    ("Visible enemy, 6 inches max: -1 Move this battle round.",
     [*PICKED, {"of": "picked", "move": -1, "for": "round"}]),
    ("Javelin: enemy within 6\" that you can see. Roll 2 dice, each 5+ = 2 damage.",
     [*PICKED, {"roll": 2}, {"on_roll": "5+", "of": "picked", "deal": 2}]),
    ("This fighter has +1 Attacks. This lasts until the end of the battle round.", [{"attacks": 1, "for": "round"}]),
    ("Each enemy within 3\" subtracts 1 from its Attacks. Never below 1.",
     [{"of": {"side": "enemy", "within": 3}, "attacks": -1, "at_least": 1}]),
    ("+2 Move. Can't use it if you're within 1in of an enemy.", [{"move": 2}, {"not_if": {"enemy_within": 1}}]),
    ("You can use this ability only in the second or a later battle round: this fighter makes a bonus attack.",
     [{"only_if": {"rounds": [2, 3, 4]}}, {"bonus_attack": True}]),
    ("Roll a die. On 2 or 3 this fighter suffers 1 damage point; on 4 or 5, D3; on 6, six.",
     [{"roll": 1}, {"on_roll": "2-3", "deal": 1}, {"on_roll": "4-5", "deal": "d3"}, {"on_roll": "6", "deal": 6}]),
    ("This fighter's next missile attack has +1 Attacks, and the target derives no benefit from cover.",
     [{"attacks": 1, "weapon": "missile", "next": "attack"}, {"no_cover": "missile", "next": "attack"}]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "changes"), READ, ids=lambda each: each[:40] if isinstance(each, str) else "")
def test_what_authors_write_is_read(text: str, changes: list[dict[str, Any]]) -> None:
    assert data_of(text, "double") == changes


@pytest.mark.parametrize(
    "text",
    [
        "Melee only. This fighter has +1 Strength.",  # not a title
        "Minions: +1 Attacks.",
        "Melee attacks: this fighter makes a bonus attack.",
        "No reactions! This fighter has +1 Move.",
        'Pick a visible enemy within 6". +1 Attacks this activation.',  # for whom
        'Pick a friendly fighter within 6". -1 Toughness this activation.',
        'When an enemy ends a move action within 3" of this fighter, +1 Attacks.',
        "The target derives no benefit from cover.",  # of which attack
        "This fighter makes a bonus move. This lasts until the end of the battle round.",  # nothing lasts
        "Hit rolls of 4 count as critical hits.",  # not those of 5
        "Use this reaction only if this fighter is in cover. This fighter makes a bonus move.",  # an ability
        'Visible enemy within 6".',  # and then
        'This fighter is within 6" of a visible enemy.',
    ],
)
def test_what_is_unclear_is_not_read(text: str) -> None:
    data = data_of(text, "double")
    assert data is None or data == PICKED


@pytest.mark.parametrize("text", ["You have +1 Move.", "+1 Attacks this battle round.", 'Enemy within 6": -1 Move.'])
def test_you_are_nobody_on_the_battlefield_in_a_battle_trait(text: str) -> None:
    assert data_of(text) is None
