"""Sentences are read as the effects that they were made from, and as nothing else."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings

from cardgen.grammar.reading import Level
from cardgen.rulesets.warniris.cards import Ability, Relic
from cardgen.rulesets.warniris.effect import Effect, Weapon
from cardgen.rulesets.warniris.wording.effects import describe
from cardgen.rulesets.warniris.wording.reader import read_text, referee_of, values
from tests.cases import each_case
from tests.random_cases import number_of_cases
from tests.rulesets.warniris.wording.test_wording import (
    EFFECTS,
    THINGS,
    Data,
    SmallEffects,
    on,
    single_conditions,
    single_deeds,
)


@settings(max_examples=number_of_cases(50, 1 / 100), deadline=None, derandomize=True)
@given(THINGS, EFFECTS)
def test_every_effect_is_read_from_its_sentence(thing: str, effect: Data) -> None:
    made = on(thing, effect)
    require_round_trip(made)


def require_round_trip(made: Any) -> None:
    text = describe(made)
    readings = read_text(made, text)
    assert [reading.level for reading in readings] == [Level.READ], text
    assert readings[0].value.effects == made.effects, text
    assert readings[0].canonical.replace("*", "") == text.replace("*", "")


@pytest.mark.parametrize("thing", ["relic", "once", "ability", "weapon"])
def test_small_effects_are_read_from_their_sentences(thing: str) -> None:
    for effect in random.Random(thing).sample(SmallEffects(), 100):
        require_round_trip(on(thing, effect))


@pytest.mark.parametrize("when", ["attacked", "turn_start"])
def test_every_value_is_read(when: str) -> None:
    chosen = random.Random(when)
    for deeds in chosen.sample(list(single_deeds()), 60):
        require_round_trip(on("relic", {"when": when, "enemies": deeds}))
    for condition in chosen.sample(list(single_conditions()), 60):
        require_round_trip(on("relic", {"when": when, "if": condition, "bearer": {"mind": 1}}))


AUTHORS = yaml.safe_load((Path(__file__).parents[1] / "authors.yaml").read_text(encoding="utf-8"))
# The share of the sentences of authors whose meaning effects can express; it only grows.
READ_AT_LEAST = 83


@each_case("row", AUTHORS, ids=lambda row: row["sentence"][:40])
def test_sentences_of_authors_mean_what_they_meant(row: Data) -> None:
    thing = thing_with(row["kind"], row["sentence"])
    readings = read_text(thing, row["sentence"])
    expected = {key: row[key] for key in ("once", "effects") if key in row}
    if expected:
        assert all(reading.level != Level.UNREAD for reading in readings)
        assert as_plain(values(thing, readings)) == expected
    else:
        assert any(reading.level == Level.UNREAD for reading in readings)


def thing_with(kind: str, text: str) -> Relic | Ability | Weapon:
    """Return a thing of a kind with a text; that of a character or a minion is an ability."""
    if kind == "weapon":
        return Weapon(name="X", type="CW", damage=1, text=text)
    return Relic(name="X", text=text) if kind == "relic" else Ability(name="X", text=text)


def as_plain(keys: Any) -> Any:
    if isinstance(keys, dict):
        return {key: as_plain(value) for key, value in keys.items()}
    return [as_plain(value) for value in keys] if isinstance(keys, list | tuple) else keys


@pytest.mark.parametrize(
    ("text", "referee"),
    [
        ("Its ranged weapons gain +5 cm Range.", "applies it when it Attacks"),
        ("At the beginning of each turn, roll a die; on a 5+, the bearer recovers a wound.",
         "rolls 1D6 and applies it at the start of each turn"),
        ("Once a battle, at the beginning of a turn, roll a die; on a 5+, the bearer recovers a wound.",
         "asks whether to use it, rolls 1D6, and applies it at the start of each turn"),
        ("At the end of each turn, if the same die shows a 5 or 6, the bearer regains 1 Wound.",
         "looks at the same die and applies it at the end of each turn"),
    ],
)  # fmt: skip
def test_what_the_referee_does_is_one_sentence(text: str, referee: str) -> None:
    thing = Relic.model_validate({"name": "X", "text": text})
    (reading,) = read_text(thing, text)
    reading = reading._replace(level=Level.READ)
    assert referee_of(thing, reading) == referee


def test_enough_sentences_of_authors_are_read() -> None:
    assert sum("effects" in row for row in AUTHORS) >= READ_AT_LEAST


@each_case(
    ("text", "effects"),
    [
        ("While the bearer has 2 Wounds or fewer left, it cannot React.",
         [{"if": {"wounds_at_most": 2}, "bearer": {"reactions": "none"}}]),
        ("Whenever this Character eliminates an enemy, friends within 10 cm regain 1 Wound.",
         [{"when": "eliminating", "if": {"range_within": 10}, "friends": {"heal": 1}}]),
        ("Enemies within 5 cm cannot react.", [{"if": {"range_within": 5}, "enemies": {"reactions": "none"}}]),
        ("Its ranged weapons gain +5 cm Range.",
         [{"when": "attacking", "if": {"weapon": "RW"}, "bearer": {"range": 5}}]),
        ("Foes no more than six centimetres away have a penalty of 1 to their Spirit.",
         [{"if": {"range_within": 6}, "enemies": {"spirit": -1}}]),
        ("At the beginning of each turn, roll a die; on a 5+, the bearer recovers a wound.",
         [{"when": "turn_start", "if": {"roll": [5, 6]}, "bearer": {"heal": 1}}]),
        ("If the bearer did not move this activation, its ranged weapons get +1 Penetration.",
         [{"when": "attacking", "if": {"weapon": "RW", "unmoved": "activation"}, "bearer": {"penetration": 1}}]),
        ("Against Minions, the bearer's combat weapons deal one extra point of damage.",
         [{"when": "attacking", "if": {"weapon": "CW", "against": "minion"}, "bearer": {"damage": 1}}]),
        ("Bodyguard: Friends within 3 cm cannot be chosen as targets while this Character stands.",
         [{"if": {"range_within": 3}, "friends": {"targeted": "never"}}]),
        ("She cannot be targeted from more than 20 cm away.",
         [{"when": "attacked", "if": {"range_over": 20}, "bearer": {"targeted": "never"}}]),
        ("As long as there's an enemy within 6cm he gets +1 Body.",
         [{"if": {"enemy_within": 6}, "bearer": {"body": 1}}]),
        ("With no friend inside 10 cm the bearer gains +1 Mind.", [{"if": {"friend_over": 10}, "bearer": {"mind": 1}}]),
        ("While in cover, +1 Body.", [{"if": {"place": "cover"}, "bearer": {"body": 1}}]),
        ("+1 M on every attack with a CW.", [{"when": "attacking", "if": {"weapon": "CW"}, "bearer": {"mind": 1}}]),
        ("Mo +3 while the bearer has not lost any Wounds.", [{"if": {"unhurt": True}, "bearer": {"movement": 3}}]),
        ("Its Ranged Weapons get +3cm Range, but only if it has not made a Move in this activation.",
         [{"when": "attacking", "if": {"weapon": "RW", "unmoved": "activation"}, "bearer": {"range": 3}}]),
        ("After failing a Mind Test, your Character may roll it again.", [{"bearer": {"reroll": "mind"}}]),
        ("When your Character Attacks through a gap, it does not suffer the -1 to Mind.",
         [{"when": "attacking", "if": {"weapon": "CW/RW"}, "bearer": {"gaps": "ignored"}}]),
        ("Your Character can re-roll a failed Body Test to resist Penetration.",
         [{"when": "attacked", "if": {"weapon": "CW/RW"}, "bearer": {"reroll": "resist"}}]),
        ("Miniatures in between are ignored when the bearer Attacks with a Ranged Weapon.",
         [{"when": "attacking", "if": {"weapon": "RW"}, "bearer": {"between": "ignored"}}]),
        ("Minions that Attack the bearer are penalized by 1 to Mind.",
         [{"when": "attacked", "if": {"weapon": "CW/RW", "against": "minion"}, "attacker": {"mind": -1}}]),
        ("She has +2 Body against Ranged Weapons fired from more than 20cm away, and -1 Body against Combat Weapons.",
         [{"when": "attacked", "if": {"weapon": "RW", "range_over": 20}, "bearer": {"body": 2}},
          {"when": "attacked", "if": {"weapon": "CW"}, "bearer": {"body": -1}}]),
        ("At the start of her Activation all friendly Characters within 8cm, including it, recover 1 Wound.",
         [{"when": "activation_start", "if": {"range_within": 8}, "bearer": {"heal": 1}, "friends": {"heal": 1}}]),
        ("Before the first turn, after deployment, your Character can make a Move of up to 6cm.",
         [{"when": "battle_start", "bearer": {"free_move": 6}}]),
        ("Whenever your Character resists the Penetration of a Power, it heals 1 Wound.",
         [{"when": "resisting", "if": {"weapon": "P"}, "bearer": {"heal": 1}}]),
        ("When the bearer is eliminated, each miniature within 3cm, friend or foe, takes a Body Test and loses 1 Wound "
         "if it fails.",
         [{"when": "eliminated", "if": {"range_within": 3}, "friends": {"deal": 1, "unless": "body"},
           "enemies": {"deal": 1, "unless": "body"}}]),
        ("An enemy Damaged by its Combat Weapon has its Movement halved until the end of its next Activation.",
         [{"when": "damaging", "for": "own-activation", "if": {"weapon": "CW"}, "target": {"halved": "movement"}}]),
        ("Your Pistol gets +1 P.",
         [{"when": "attacking", "if": {"weapon_name": "Pistol"}, "bearer": {"penetration": 1}}]),
        ("When she attacks with the Boarding Axe, she gets +1 Damage.",
         [{"when": "attacking", "if": {"weapon_name": "Boarding Axe"}, "bearer": {"damage": 1}}]),
        ("When he hits with Flash, the target gets -1 Body until the end of the turn.",
         [{"when": "hit", "for": "turn", "if": {"weapon_name": "Flash"}, "target": {"body": -1}}]),
        ("Its second Reaction each turn is at -1 Mind.",
         [{"when": "reacting", "if": {"reaction": "second"}, "bearer": {"mind": -1}}]),
        ("+1 M if the target was already attacked this turn by another friend.",
         [{"if": {"assisted": "friend"}, "bearer": {"mind": 1}}]),
        ("If an enemy starts its activation 5 cm or closer to you, it has -3 Mo until that activation is over.",
         [{"when": "enemy_activated", "for": "activation", "if": {"range_within": 5}, "actor": {"movement": -3}}]),
        ("When an enemy Character ends a Move within 6 cm, roll 1D6: on a 4+ it loses 1 Wound.",
         [{"when": "enemy_moved", "if": {"range_within": 6, "against": "character", "roll": [4, 5, 6]},
           "actor": {"deal": 1}}]),
        ("When an enemy within 6 cm attacks with a rifle, the attack fails.",
         [{"when": "enemy_attacking", "if": {"range_within": 6, "weapon_name": "rifle"},
           "actor": {"fails": "attack"}}]),
        ("No enemy within 6 cm may React.", [{"if": {"range_within": 6}, "enemies": {"reactions": "none"}}]),
        ("If the target is more than fifteen centimetres away, +1 Damage.",
         [{"when": "attacking", "if": {"range_over": 15}, "bearer": {"damage": 1}}]),
        ("When the bearer Attacks or Channels, an enemy of your choice takes 1 Damage, and you may shift it up to 3 cm "
         "without Tests.", [{"when": "attacking", "enemy": {"deal": 1, "move": 3}}]),
        ("For the rest of the battle the bearer has +1 Mind after eliminating a Character.",
         [{"when": "eliminating", "for": "battle", "if": {"against": "character"}, "bearer": {"mind": 1}}]),
    ],
)  # fmt: skip
def test_freedoms_of_authors(text: str, effects: list[Data]) -> None:
    thing = Ability.model_validate({"name": "X", "text": text})
    [reading] = read_text(thing, text)
    assert reading.level != Level.UNREAD
    assert as_plain(values(thing, [reading])) == {"effects": effects}


@each_case(
    ("text", "effects"),
    [
        ("Berserk! While at half Wounds or less, this Character cannot be healed.",
         [{"if": {"wounds_at_most": "half"}, "bearer": {"healing": "none"}}]),
        ("Choose an enemy within 12 cm at the start of your activation. Until the end of turn it suffers -1 Spirit.",
         [{"when": "activation_start", "for": "turn", "if": {"range_within": 12}, "enemy": {"spirit": -1}}]),
        ("At the start of every turn roll one die for this Relic. 1 to 3: this Character has +1 Mind for that turn. "
         "4 to 6: it has +1 Spirit for that turn instead.",
         [{"when": "turn_start", "for": "turn", "if": {"roll": [1, 2, 3]}, "bearer": {"mind": 1}},
          {"when": "turn_start", "for": "turn", "if": {"same_roll": [4, 5, 6]}, "bearer": {"spirit": 1}}]),
        ("Roll 1D6 at the start of each of your activations: 1-2 = Mo -3, 3-4 = nothing, 5-6 = Mo +5. Lasts until the "
         "end of that activation.",
         [{"when": "activation_start", "for": "activation", "if": {"roll": [1, 2]}, "bearer": {"movement": -3}},
          {"when": "activation_start", "for": "activation", "if": {"same_roll": [5, 6]}, "bearer": {"movement": 5}}]),
        ("At the end of each turn roll a die. 1: nothing; 2-6: the bearer regains 1 Wound.",
         [{"when": "turn_end", "if": {"roll": [2, 3, 4, 5, 6]}, "bearer": {"heal": 1}}]),
        ("At the end of each turn roll a die: on 1 nothing, the bearer regains 1 Wound.", None),
        ("At the end of each turn roll 1D6: on a 6 she heals 1 Wound, roll 1D6: on a 1 it takes 1 Damage.", None),
        ("At the end of each turn roll 1D6: on a 6 she heals 1 Wound. Roll a die: on a 1 it takes 1 Damage.", None),
        ("At the end of each turn roll a die: on a 1-3 the bearer heals 1 Wound, on a 3-6 two.", None),
        ("At the end of each turn roll a die: on a 1-3 the bearer heals 1 Wound, on a 4-6.", None),
        ("At the end of every turn, roll a D6. On a 6 this Character heals 2 Wounds.",
         [{"when": "turn_end", "if": {"roll": [6]}, "bearer": {"heal": 2}}]),
        ("When an enemy is eliminated, this Character may make a Move of 4 cm. This does not cost an action.", None),
        ("Choose an enemy within 12 cm. It takes 1 Damage.", None),
        ("The enemy is fast. It takes 1 Damage.", None),
    ],
)  # fmt: skip
def test_sentences_that_belong_together(text: str, effects: list[Data] | None) -> None:
    thing = Ability.model_validate({"name": "X", "text": text})
    readings = read_text(thing, text)
    is_read = all(reading.level == Level.READ for reading in readings)
    assert (as_plain(values(thing, readings)) if is_read else None) == (effects and {"effects": effects})


@each_case(
    "text",
    [
        "When the bearer hits an enemy, it takes 1 Damage.",
        "Each time an enemy attacks the bearer with a CW, it suffers -1 Body.",
        "The bearer never has +1 Mind.",
        "Only Characters within 10 cm have +1 Mind.",
        "Other friends have +1 Mind.",
        "The bearer has up to +1 Mind.",
        "The bearer has +1 Mind unless it Moves.",
        "Once per battle, the bearer has +6 Mind.",
        "The bearer fails a Test to hit.",
        "Enemies hit by Grukk have -1 Spirit until the end of the turn.",
        "At the start of its Activation, choose an enemy that another friendly Minion already attacked this turn.",
        "Her old rifle has +5 cm Range.",
        "When an enemy ends a Move within 6 cm, it may make a free Move of up to 4 cm.",
        "When an enemy ends a Move within 6 cm, he takes 1 Damage.",
        "When an enemy Attacks from over 10 cm, it has -1 Mind.",
        "When an enemy ends a Move, the attack fails.",
        "Each time an enemy misses the bearer, it gets +1 Mind until the end of the bearer's next Activation.",
        "At the start of each turn, enemies within 6 cm get -1 Mind until the end of its next Activation.",
    ],
)
def test_what_could_mean_something_else_is_not_read(text: str) -> None:
    [reading] = read_text(Ability.model_validate({"name": "X", "text": text}), text)
    assert reading.level == Level.UNREAD


@each_case(
    ("text", "once", "effect"),
    [
        ("(One use only) - At the end of an Activation of your Character, recovers 3 Wounds.",
         True, {"when": "activation_end", "bearer": {"heal": 3}}),
        ("Attacks/Channels directed at the bearer further than 9cm are penalized by 2 to Spirit and Mind.",
         False, {"when": "attacked", "if": {"range_over": 9}, "attacker": {"mind": -2, "spirit": -2}}),
        ("(One use only) - At the beginning of an Activation of the wearer and until the end of its next Activation, "
         "grants a bonus of 2 to Body and Mind.",
         True, {"when": "activation_start", "for": "own-activation", "bearer": {"body": 2, "mind": 2}}),
        ("(One use only) - At the beginning of a turn and until the end of the turn, Attacks/Channels performed at the "
         "bearer are penalized by 2 to Mind.",
         True, {"when": "turn_start", "for": "turn", "while": "attacked", "attacker": {"mind": -2}}),
        ("For each Damage point suffered, roll 1D6: On a 5 or 6, that point is ignored.",
         False, {"when": "damaged", "if": {"roll": [5, 6]}, "bearer": {"ignore": 1}}),
        ("At the beginning of an Activation of your Character and until the end of the turn, it has a penalty of 1 to "
         "Mind and Spirit.",
         False, {"when": "activation_start", "for": "turn", "bearer": {"mind": -1, "spirit": -1}}),
        ("Attacks/Channels made against the Character are penalized by 1 to Mind.",
         False, {"when": "attacked", "attacker": {"mind": -1}}),
    ],
)  # fmt: skip
def test_relics_are_read_in_the_form_that_the_rulebook_uses(text: str, once: bool, effect: Data) -> None:
    relic = Relic.model_validate({"name": "X", "text": text})
    [reading] = read_text(relic, text)
    assert reading.level == Level.READ
    assert (reading.value.effects, reading.value.once) == ((Effect.model_validate(effect),), once)


@each_case(("text", "level"), [
    ("At the start of its Activation, if the bearer has 2 Wounds or less, it has +1 Body until the end of the turn.",
     Level.READ),
    ("At the start of its Activation, until the end of the turn, if the bearer has 2 Wounds or less, it has +1 Body.",
     Level.LOOSELY),
    ("At the start of its Activation, it has +1 Body until the end of the turn while it has 2 Wounds or less.",
     Level.LOOSELY),
    ("At the start of its Activation, while it is unhurt, it has +1 Body until the end of the turn.", Level.LOOSELY),
    ("While it has 2 Wounds or less, it has +1 Body.", Level.READ),
])  # fmt: skip
def test_a_condition_inside_what_lasts_is_not_one_of_the_moment(text: str, level: Level) -> None:
    (reading,) = read_text(Ability.model_validate({"name": "Own", "text": text}), text)
    assert reading.level == level


@each_case(
    ("kind", "text", "effects"),
    [
        ("weapon", "If Damaged, the target has -3cm Movement until the end of the turn.",
         [{"for": "turn", "target": {"movement": -3}}]),
        ("weapon", "Effect: When Damaged, the target cannot React until the end of the turn.",
         [{"for": "turn", "target": {"reactions": "none"}}]),
        ("weapon", "If the target fails a Body Test, it cannot React until the end of the turn.",
         [{"for": "turn", "target": {"reactions": "none", "unless": "body"}}]),
        ("weapon", "At 2 Wounds or less, the target has -1 Mind.", None),
        ("character", "When Damaged, the attacker loses 1 Wound.", None),
        ("character", "When Damaged by a Combat Weapon, the attacker loses 1 Wound.",
         [{"when": "damaged", "if": {"weapon": "CW"}, "attacker": {"deal": 1}}]),
        ("character", "+1 Body at 2 Wounds or less.", [{"if": {"wounds_at_most": 2}, "bearer": {"body": 1}}]),
        ("character", "Enemies have -1 Body at 2 Wounds or less.", None),
        ("character", "When it Damages an enemy with a CW, it regains 1 Wound.",
         [{"when": "damaging", "if": {"weapon": "CW"}, "bearer": {"heal": 1}}]),
        ("character", "When it Damages an enemy with a CW, it loses 1 Wound.", None),
        # Whose Activation: that of the enemy, or that of the bearer.
        ("character", "Each enemy within 3cm loses 1 Wound at the end of its Activation.", None),
        ("character", "If he hasn't Moved by the end of his Activation, he gets +1 Body until the turn's over.",
         [{"when": "activation_end", "if": {"unmoved": "activation"}, "for": "turn", "bearer": {"body": 1}}]),
        ("character", "When you Activate her, one of your Characters within 6cm regains 1 Wound.", None),
        ("character", "When you Activate her, one of your other Characters within 6cm regains 1 Wound.",
         [{"when": "activation_start", "if": {"range_within": 6}, "friend": {"heal": 1}}]),
        ("character", "When an enemy within 5cm Attacks, regardless of distance, it loses 1 Wound.", None),
    ],
    ids=lambda each: each[:40] if isinstance(each, str) else "",
)  # fmt: skip
def test_spoken_and_legal_sentences(kind: str, text: str, effects: list[Data] | None) -> None:
    thing = thing_with(kind, text)
    readings = read_text(thing, text)
    is_read = all(reading.level == Level.READ for reading in readings)
    assert (as_plain(values(thing, readings)) if is_read else None) == (effects and {"effects": effects})
