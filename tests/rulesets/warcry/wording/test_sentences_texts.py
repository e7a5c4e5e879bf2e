"""Freedoms of authors: titles, fragments, 'you', and words in other places, each with what must not be read."""

from __future__ import annotations

from typing import Any

import pytest

from cardgen.rulesets.warcry.cards import Ability
from cardgen.rulesets.warcry.wording.reader import READER
from tests.cases import each_case
from tests.rulesets.warcry.wording.test_reader import data_of

PICKED: list[dict[str, Any]] = [{"pick": {"side": "enemy", "within": 6, "visible": True}}]
READ: list[tuple[str, list[dict[str, Any]]]] = [
    ("Shields up! Toughness +1 til the round is over.", [{"toughness": 1, "for": "round"}]),
    ("Stabby stabby: +1 A for the next melee attack you make.", [{"attacks": 1, "weapon": "melee", "next": "attack"}]),
    ("Double your Strength until the end of your activation.", [{"double": ["strength"], "for": "activation"}]),
    ("S +1 on your missile attacks this activation.", [{"strength": 1, "weapon": "missile", "for": "activation"}]),
    ("Its Toughness is raised by 1 until the battle round ends.", [{"toughness": 1, "for": "round"}]),
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
     [{"only_if": {"rounds": [*range(2, 10)]}}, {"bonus_attack": True}]),
    ("Roll a die. On 2 or 3 this fighter suffers 1 damage point; on 4 or 5, D3; on 6, six.",
     [{"roll": 1}, {"on_roll": "2-3", "deal": 1}, {"on_roll": "4-5", "deal": "d3"}, {"on_roll": "6", "deal": 6}]),
    ("This fighter's next missile attack has +1 Attacks, and the target derives no benefit from cover.",
     [{"attacks": 1, "weapon": "missile", "next": "attack"}, {"no_cover": "missile", "next": "attack"}]),
    ("This fighter makes a bonus attack and then a bonus move.", [{"bonus_attack": True}, {"bonus_move": "move"}]),
    ("This fighter has +1 Strength, or +2 if the value of this ability is 5 or 6.",
     [{"unless": {"least_value": 5}, "strength": 1}, {"if": {"least_value": 5}, "strength": 2}]),
    ("Add 2 to this fighter's Move and 1 to its Toughness this activation.",
     [{"move": 2, "for": "activation"}, {"toughness": 1, "for": "activation"}]),
    ("This fighter makes a bonus move. If it ends within 1\" of an enemy, that enemy suffers 1 damage point.",
     [{"bonus_move": "move"}, {"if": {"enemy_within": 1}, "pick": {"side": "enemy", "within": 1}},
      {"if": {"enemy_within": 1}, "of": "picked", "deal": 1}]),
    ("Pick a visible enemy within 6\". Make a bonus attack against it.",
     [*PICKED, {"bonus_attack": True, "against": "picked"}]),
    ("After an enemy within 6\" moves, make a bonus attack against it.",
     [{"when": {"event": "enemy-move", "enemy": {"side": "enemy", "within": 6}}, "bonus_attack": True,
       "against": "picked"}]),
    ("Heal a friendly Monster or Beast within 3\" D3 damage.",
     [{"pick": {"side": "friend", "within": 3, "any_runemarks": ["monster", "beast"]}},
      {"of": "picked", "heal": "d3"}]),
    ("Roll a die. On a 1, nothing happens. On a 2+, this fighter heals 1 damage.",
     [{"roll": 1}, {"on_roll": "2+", "heal": 1}]),
    ("Until the end of the battle round, when this fighter would be taken down, roll a die.",
     [{"when": {"event": "would-fall"}, "roll": 1, "for": "round"}]),
    ("An enemy within 1\" loses 3 wounds. If this takes it down, this fighter makes a bonus attack.",
     [{"pick": {"side": "enemy", "within": 1}}, {"of": "picked", "deal": 3},
      {"if": {"of": "picked", "down": True}, "bonus_attack": True}]),
    ("Each enemy within 3\" suffers D3 damage on a 4+. Roll separately.",
     [{"roll_each": {"side": "enemy", "within": 3}}, {"on_roll": "4+", "of": "rolled", "deal": "d3"}]),
    ("If this fighter took down an enemy this activation, it makes a bonus move.",
     [{"if": {"took_down": "any"}, "bonus_move": "move"}]),
    ("It may take no further actions this activation.", [{"cannot": ["act"], "for": "activation"}]),
    ("Pick a visible enemy within 6\". Push it 2\" straight away from this fighter.",
     [*PICKED, {"of": "picked", "shift": 2, "exact": True, "direction": "away"}]),
    ("Pick a visible enemy within 6\". You can push it 2\" straight away from this fighter.",
     [*PICKED, {"of": "picked", "shift": 2, "exact": True, "may": True, "direction": "away"}]),
    ("Pick a visible enemy within 6\". You can push it up to 2\" straight away from this fighter.",
     [*PICKED, {"of": "picked", "shift": 2, "direction": "away"}]),
    ("Until the end of its activation, add 1 to the Attacks of this fighter's melee attacks if the target is wounded.",
     [{"attacks": 1, "weapon": "melee", "target": {"side": "enemy", "damaged": 1}, "for": "activation"}]),
    ("This round, subtract 1 from the damage points allocated to this fighter by each hit from melee attack actions.",
     [{"damage": -1, "weapon": "melee", "incoming": True, "for": "round"}]),
    ("Friendly fighters within 3\" have +1 Toughness this round. It does not affect this fighter.",
     [{"of": {"side": "friend", "within": 3, "another": True}, "toughness": 1, "for": "round"}]),
    ("This activation, count hit rolls of 5+ from melee attack actions made by this fighter as critical hits.",
     [{"weapon": "melee", "critical_face": 5, "for": "activation"}]),
    ("Pick a visible enemy within 6\" and roll a die. On a 6, allocate 3 damage points.",
     [{**PICKED[0]}, {"roll": 1}, {"on_roll": "6", "of": "picked", "deal": 3}]),
    ("Any enemy that ends a move within 3\" of this fighter before the end of the round takes 1 damage.",
     [{"when": {"event": "enemy-move", "within": 3}, "of": "picked", "for": "round", "deal": 1}]),
    ("Pick a visible enemy within 6\" and roll a die. If the roll is higher than the Toughness characteristic of that "
     "fighter, it is taken down.",
     [*PICKED, {"roll": 1}, {"on_roll": "over-toughness", "of": "picked", "taken_down": True}]),
    ("Add 1 to this fighter's Move and 1 to its Toughness this activation, provided it has the Hero runemark.",
     [{"move": 1, "for": "activation", "if": {"runemarks": ["hero"]}}, {"toughness": 1, "for": "activation",
       "if": {"runemarks": ["hero"]}}]),
    ("Add 1 to Attacks and 1 to Strength of this fighter's missile attacks.",
     [{"attacks": 1, "weapon": "missile"}, {"strength": 1, "weapon": "missile"}]),
    ("Add 1 to each friendly fighter's Move this round.", [{"of": {"side": "friend"}, "move": 1, "for": "round"}]),
    ("Roll 2 dice for each enemy within 1\". For each 4+, allocate 2 damage points to that fighter.",
     [{"roll_each": {"side": "enemy", "within": 1}, "dice_each": 2}, {"on_roll": "4+", "of": "rolled", "deal": 2}]),
    ("Pick 2 visible enemies within 6\" and roll a D6 for each. On a 4+, that fighter takes 1 damage.",
     [{"pick": {**PICKED[0]["pick"], "count": 2}}, {"roll_each": "picked"},
      {"on_roll": "4+", "of": "rolled", "deal": 1}]),
    ("Pick a visible enemy within 6\" and roll a die. If the roll is less than or equal to the value of this ability, "
     "it takes 2 damage. Otherwise, it takes 1.",
     [*PICKED, {"roll": 1}, {"on_roll": "up-to-value", "of": "picked", "deal": 2},
      {"on_roll": "over-value", "of": "picked", "deal": 1}]),
    ("This fighter can make a bonus move of up to 3\". They can do this even if they are within 1\" of an enemy.",
     [{"bonus_move": 3, "may": True, "engaged": True}]),
    ("This fighter makes a bonus move. It can fly when making that move action.",
     [{"bonus_move": "move"}, {"flies": True, "for": "move"}]),
    ("This fighter makes a bonus attack. Until the end of that action, add 1 to this fighter's Toughness.",
     [{"bonus_attack": True}, {"toughness": 1, "for": "attack"}]),
    ("This fighter makes a bonus attack. If the target of that attack is taken down, it may make a bonus move.",
     [{"bonus_attack": True}, {"if": {"felled": True}, "bonus_move": "move", "may": True}]),
    ("This fighter makes a bonus move. If it ends within 1\" of an enemy, pick one of those enemies and roll 2 dice.",
     [{"bonus_move": "move"}, {"if": {"enemy_within": 1}, "pick": {"side": "enemy", "within": 1}},
      {"if": {"enemy_within": 1}, "roll": 2}]),
    ("Roll 6 dice for one visible enemy within 6\". For each 4+, it suffers 3 damage.",
     [*PICKED, {"roll": 6}, {"on_roll": "4+", "of": "picked", "deal": 3}]),
    ("Pick a visible enemy within 6\" and roll 2 dice for that fighter. For each 4+, it suffers 3 damage.",
     [*PICKED, {"roll": 2}, {"on_roll": "4+", "of": "picked", "deal": 3}]),
    ("Pick an enemy within 6\". If it is visible, it takes 1 damage.",
     [{"pick": {"side": "enemy", "within": 6}}, {"if": {"of": "picked", "visible": True}, "of": "picked", "deal": 1}]),
    ("This round, add 2 to this fighter's Toughness. In addition, it cannot make move actions.",
     [{"toughness": 2, "for": "round"}, {"cannot": ["move"], "for": "round"}]),
    ("This round, add 2 to this fighter's Toughness. In addition, it has +1 Move until the end of its activation.",
     [{"toughness": 2, "for": "round"}, {"move": 1, "for": "activation"}]),
    ("This fighter makes a bonus move. At the end of that move action, pick an enemy within 1\" and roll a die.",
     [{"bonus_move": "move"}, {"pick": {"side": "enemy", "within": 1}}, {"roll": 1}]),
    ("Halve the damage points allocated to this fighter by missile attack actions, rounding up.",
     [{"weapon": "missile", "incoming": True, "half_damage": "up"}]),
    ("Add 1 to the Attacks of attack actions made by this fighter and by friendly fighters within 3\" this round.",
     [{"attacks": 1, "for": "round"},
      {"of": {"side": "friend", "within": 3, "another": True}, "attacks": 1, "for": "round"}]),
    ("Pick a visible enemy within 6\". This round, friends add 1 to the Strength of attack actions that target "
     "that fighter.",
     [*PICKED, {"of": {"side": "friend"}, "strength": 1, "target": "picked", "for": "round"}]),
    ("This activation, this fighter's melee attack actions have a Range characteristic of 2.",
     [{"weapon": "melee", "fixes": ["range"], "fixed_at": 2, "for": "activation"}]),
    ("This fighter makes a bonus move and after it, if it ends within 1\" of an enemy, it picks one of these enemies.",
     [{"bonus_move": "move"}, {"if": {"enemy_within": 1}, "pick": {"side": "enemy", "within": 1}}]),
    ("A fighter that is taken down by a melee attack can make this reaction before it is removed: the attacker takes 1 "
     "damage.",
     [{"reacts": {"event": "taken-down", "attack": "melee"}}, {"of": "attacker", "deal": 1}]),
    ("If a friendly fighter within 2\" is the target of an attack, this one may become the target instead.",
     [{"when": {"event": "targeted", "of": {"side": "friend", "within": 2}}, "becomes_target": True, "may": True}]),
    ("Use this after you took down an enemy with a melee attack this activation. Bonus move action.",
     [{"only_if": {"took_down": "melee"}}, {"bonus_move": "move"}]),
    ("Use this after you took down an enemy with an attack this activation. Bonus move action.",
     [{"only_if": {"took_down": "attack"}}, {"bonus_move": "move"}]),
    ("Friendly fighters can re-roll 1 hit roll for each melee attack if there's another friendly fighter within 1\" of "
     "the target.",
     [{"of": {"side": "friend"}, "weapon": "melee", "target": {"side": "enemy", "within": 1, "to": "others"},
       "reroll": "one"}]),
    ("This fighter makes a bonus attack. Add 1 to the Attacks of that attack for each friendly fighter within 3\" of "
     "the target.",
     [{"bonus_attack": True},
      {"attacks": 1, "per": {"side": "friend", "within": 3, "to": "target"}, "for": "attack"}]),
    ("This activation, this fighter's attacks have +1 Strength if the target is within 3\" of an objective.",
     [{"strength": 1, "target": {"side": "enemy", "objective_within": 3}, "for": "activation"}]),
    ("This fighter has +1 Move and +1 Toughness for each friendly fighter within 3\".",
     [{"move": 1, "toughness": 1, "per": {"side": "friend", "within": 3}}]),
    ("This fighter can make a bonus disengage action. Enemies cannot make reactions to it.",
     [{"bonus_disengage": True, "may": True, "unanswered": True}]),
    ("This fighter makes a bonus attack and enemies cannot react to that action.",
     [{"bonus_attack": True, "unanswered": True}]),
    ("This fighter makes a bonus move. Until the end of its activation, enemies cannot react to it.",
     [{"bonus_move": "move"}, {"cannot": ["be-answered"], "for": "activation"}]),
    ("Once per battle, you may declare a great feast: remove 2 damage points from this fighter.",
     [{"only_if": {"once": "battle"}}, {"heal": 2}]),
    ("This fighter may move through enemies and ignores the vertical distance when it climbs.",
     [{"passes": "enemies"}, {"climbs": True}]),
]  # fmt: skip


@each_case(("text", "changes"), READ, ids=lambda each: each[:40] if isinstance(each, str) else "")
def test_what_authors_write_is_read(text: str, changes: list[dict[str, Any]]) -> None:
    assert data_of(text, "double") == changes


@each_case(
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
        "Allocate 3 damage points.",  # to whom
        'Enemies within 3" have -1 Move. It does not affect this fighter.',  # anyway
        "Each enemy has -1 Move and this fighter has +1 Move if this fighter has moved.",
        "During that move action, this fighter can fly.",  # which one
        "This fighter makes a bonus attack. During that move action, this fighter can fly.",
        'This fighter makes a bonus attack even if it is within 1" of an enemy.',
        "If the target is taken down, this fighter makes a bonus move.",
        "Roll 2 dice for that fighter. For each 4+, it suffers 1 damage.",
        "If this fighter is visible, it has +1 Move.",
        'Pick an enemy within 6". If this fighter is in cover, it takes 1 damage.',  # which of them
        "After that move action, this fighter has +1 Toughness.",  # which one
        "This fighter makes a bonus attack. After that move action, it has +1 Toughness.",
        "Remove 1 damage point from this fighter after that attack.",
        'Pick an enemy within 6". Allocate 1 damage point to it at the end of that action.',
        'This fighter makes a bonus move if it is in cover, pick an enemy within 1".',  # what depends on it
        'Pick an enemy within 6". This fighter makes a bonus attack that targets that friendly fighter.',
        'Each friendly fighter within 3" of the target has +1 Move.',  # which target
        "Enemies cannot react to it.",  # to what
        "This fighter has +1 Move. Enemies cannot react to that action.",
        "You may declare a great feast: remove 2 damage points from this fighter.",  # at will
        "Once per battle, you may declare no attack: remove 2 damage points from this fighter.",
        'Pick a friendly fighter within 6". It moves 2" directly away from that fighter.',
        'This fighter is within 6" of a visible enemy.',
    ],
)
def test_what_is_unclear_is_not_read(text: str) -> None:
    data = data_of(text, "double")
    assert data is None or data == PICKED


def test_the_referee_does_nothing_for_a_title() -> None:
    card = Ability(name="Wall", price="double", text="Shields up! This fighter has +1 Toughness.")
    title, rule = READER.read(card, card.text or "")
    assert READER.referee(card, title) == "does nothing for these words alone"
    assert READER.referee(card, rule) == "keeps it in force until its end"
    assert READER.values(card, (title, rule)) == {"changes": [{"toughness": 1}]}


@pytest.mark.parametrize("text", ["You have +1 Move.", "+1 Attacks this battle round.", 'Enemy within 6": -1 Move.'])
def test_you_are_nobody_on_the_battlefield_in_a_battle_trait(text: str) -> None:
    assert data_of(text) is None


@pytest.mark.parametrize("near", ["", ' within 3" of one of your fighters', ' within 6" of your leader'])
def test_it_is_nobody_when_an_enemy_falls_in_a_battle_trait(near: str) -> None:
    """It could be the enemy, or the fighter that is named; the tracker knows of no other."""
    assert data_of(f"When an enemy is taken down{near}, remove 1 damage point from it.") is None
    assert data_of(f"When an enemy{near} is taken down, it has +1 Attacks until the end of the battle round.") is None
    assert data_of(f"When an enemy{near} is taken down, save 1 extra wild die.")


def test_a_fighter_that_was_picked_for_some_faces_is_not_that_of_others() -> None:
    start = 'Roll 3 dice. For each 3-5, a visible enemy within 6" takes 1 damage.'
    assert data_of(start, "quad")
    assert data_of(f"{start} For each 6, that enemy takes 3 damage.", "quad") is None


def test_the_attacks_of_an_attack_are_not_those_of_its_target() -> None:
    moment = "Use this reaction when this fighter is targeted by a melee attack."
    reacts = {"reacts": {"event": "targeted", "attack": "melee"}}
    change = {"of": "attacker", "attacks": -1, "for": "attack"}
    for words in ("For that attack, subtract 1 from the Attacks characteristic.", "That attack has -1 Attacks."):
        assert data_of(f"{moment} {words}", "reaction") == [reacts, change]
    for words in ("Subtract 1 from its Attacks.", "-1 Attacks for this attack.", "Subtract 1 from Attacks."):
        assert data_of(f"{moment} {words}", "reaction") is None


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("After an enemy ends a move action within 3\" of it, this fighter may make a move of up to 3\" directly away "
         "from it.",
         [{"reacts": {"event": "enemy-move", "within": 3}}, {"shift": 3, "direction": "away"}]),
        ("When a missile attack aimed at this fighter has been resolved and it was not taken down, roll a D6: on a 4+ "
         "the attacker suffers 3 damage if it is visible.",
         [{"reacts": {"event": "resolved", "attack": "missile"}}, {"roll": 1},
          {"if": {"of": "attacker", "visible": True}, "on_roll": "4+", "of": "attacker", "deal": 3}]),
        ("When this fighter is targeted by a melee attack, until the end of that attack, add 2 to its Toughness.",
         [{"reacts": {"event": "targeted", "attack": "melee"}}, {"toughness": 2, "for": "attack"}]),
    ],
    ids=lambda each: each[:40] if isinstance(each, str) else "",
)  # fmt: skip
def test_reactions_say_when_they_are_made(text: str, changes: list[dict[str, Any]]) -> None:
    assert data_of(text, "reaction") == changes


@pytest.mark.parametrize("end", ["after that attack action", "at the end of that attack action"])
def test_what_a_reaction_does_after_the_attack_is_not_done_before_it(end: str) -> None:
    start = (
        "A fighter can make this reaction after they are targeted by a melee attack action but before the hit rolls."
    )
    assert data_of(f"{start} Allocate 2 damage points to the attacker.", "reaction")
    assert data_of(f"{start} Allocate 2 damage points to the attacker {end}.", "reaction") is None
    assert data_of(f"{start} Add 1 to the Toughness characteristic of this fighter {end}.", "reaction") is None
    bonus = "This fighter makes a bonus attack action."
    assert data_of(f"{bonus} Remove 2 damage points from this fighter {end}.", "double")
