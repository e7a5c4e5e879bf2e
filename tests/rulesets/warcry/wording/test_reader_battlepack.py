"""Turns of phrase of the battlepack: quoted names, sets in brackets, icons that were lost, and choices."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cases import each_case
from tests.rulesets.warcry.wording.test_reader import data_of

SETS = "[double], [triple] or [quad]"


@each_case(
    ("text", "changes"),
    [
        (f"After the initiative phase, you can pick a {SETS} you have. Change the value of those ability dice to 2.",
         [{"when": {"event": "initiative"}, "may": True, "sets": {"value": 2}}]),
        (f"After the initiative phase, starting with the attacker, you can pick a {SETS} you have. Add 1 to the value "
         "of those ability dice, to a maximum of 6.",
         [{"when": {"event": "initiative"}, "may": True, "sets": {"add": 1}}, {"goes_first": "attacker"}]),
        ("A friendly fighter with this battle trait can use the 'Stone Skin' ability without needing or spending any "
         "ability dice.",
         [{"pick": {"side": "friend"}}, {"of": "picked", "lends": {"ability": "Stone Skin", "free": True}}]),
        ("When a friendly fighter with this battle trait uses the 'Old Song' reaction, if the enemy fighter has the "
         "Beast (#) runemark, add 1 to the roll.",
         [{"if": {"uses": "Old Song", "enemy_mark": "beast"}, "adds_to_roll": 1}]),
        ("After an enemy fighter with the Hero (#) runemark and/or that has a Wounds characteristic of 9 or greater "
         "has been taken down by a melee attack action made by a friendly fighter with this battle trait, save 1 extra "
         "wild die.",
         [{"when": {"event": "takes-down", "attack": "melee", "of": {"side": "friend"},
                    "enemy": {"side": "enemy", "runemarks": ["hero"], "wounds": 9, "one_of": True}}, "save_wild": 1}]),
        ("Count the first critical hit from a melee attack action that targets a friendly fighter with this battle "
         "trait that has the Mount (#) runemark as a hit instead.",
         [{"of": {"side": "friend", "runemarks": ["mount"]}, "weapon": "melee", "incoming": True,
           "first_critical": "hit"}]),
        ("When an attack targets one of your fighters, you can make a deal. If you do so, the attacker's player saves "
         "1 extra wild die.",
         [{"when": {"event": "targeted", "of": "friend"}, "chooses": True}, {"of": "attacker", "save_wild": 1}]),
    ],
)  # fmt: skip
def test_a_turn_of_phrase_is_read(text: str, changes: list[dict[str, Any]]) -> None:
    assert data_of(text) == changes


@pytest.mark.parametrize(
    "text",
    [
        "Pick an enemy with the Brute (*) or Agile (*) runemark.",  # Emphasis swallows the second runemark.
        "Pick an enemy with the Brute (or Agile) runemark.",
        'You may remove 1 damage point from this fighter. If you do so, pick an enemy within 3".',
        "When one of your fighters makes a melee attack action, the target cannot add 1 to its Toughness.",
        f"After the initiative phase, you can pick a {SETS}. It is yours.",
        # What happens when a battle round ends comes between its end and the next one.
        "This fighter has +1 Toughness until the start of the next battle round.",
        "This fighter has +1 Toughness until the next battle round begins.",
    ],
)
def test_what_is_not_clear_is_not_read(text: str) -> None:
    assert data_of(text) is None


def test_a_name_can_end_a_sentence() -> None:
    (change,) = data_of("Each friendly fighter may use *Old Song* as a reaction.") or [{}]
    assert change["lends"] == {"ability": "Old Song", "reaction": True}
    assert data_of('Pick an enemy within 3". If the rule that is used is *Old Song*, it suffers 1 damage.') is not None
    assert data_of("This fighter may use this ability only if the rule that is used is *Old Song*.") is not None
