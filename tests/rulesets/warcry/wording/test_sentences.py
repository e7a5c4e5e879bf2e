"""Sentences: the canonical words of changes, and the way back."""

from __future__ import annotations

import itertools
from contextlib import suppress
from typing import Any

import pytest
from pydantic import ValidationError

from cardgen.rulesets.warcry.changes import Change
from cardgen.rulesets.warcry.selections import Group
from cardgen.rulesets.warcry.wording.consequences import read_sentences
from cardgen.rulesets.warcry.wording.sentences import one_phrase, sentences, statements
from tests.cases import each_case
from tests.rulesets.warcry.wording.change_space import ChangeSpace, atoms

WRITTEN: list[tuple[dict[str, Any], str]] = [
    ({"move": 1, "toughness": -1, "wounds": 3}, "This fighter has +1 Move, −1 Toughness and +3 Wounds."),
    ({"move": 1, "attacks": 1, "for": "round"},
     "This fighter has +1 Move until the end of the battle round. "
     "This fighter’s attacks have +1 Attacks until the end of the battle round."),
    ({"damage": 1, "critical": 2, "weapon": "melee", "for": "attack"},
     "This fighter’s melee attacks have +1 Damage for hits and +2 Damage for critical hits for this attack."),
    ({"strength": 1, "weapon": "one"}, "One of this fighter’s weapons has +1 Strength."),
    ({"attacks": 1, "weapon": "one-missile", "for": "activation"},
     "One of this fighter’s missile weapons has +1 Attacks until the end of its activation."),
    ({"critical_face": 5, "next": "attack", "for": "round"},
     "This fighter’s next attack scores critical hits on 5+ until the end of the battle round."),
    ({"critical_face": "hit", "weapon": "melee", "for": "activation"},
     "Every hit of this fighter’s melee attacks counts as a critical hit until the end of its activation."),
    ({"heal": 1}, "Remove 1 damage point from this fighter."),
    ({"heal": "value"}, "Remove damage points equal to the value of this ability from this fighter."),
    ({"heal": "d6", "bonus_move": 3, "bonus_attack": True},
     "Remove D6 damage points from this fighter. This fighter makes a bonus move of up to 3\". "
     "This fighter makes a bonus attack."),
    ({"bonus_move": "value"}, "This fighter makes a bonus move of up to the value of this ability in inches."),
    ({"take_cover": 3}, "This fighter’s Take Cover reactions turn critical hits into hits on 3+."),
    ({"no_cover": "melee"}, "Cover does not add to Toughness against this fighter’s melee attacks."),
    ({"wild_dice": -1}, "You start the battle with 1 fewer wild die."),
    ({"wild_dice": 2}, "You start the battle with 2 extra wild dice."),
    ({"initiative": "ties"}, "You decide who wins ties for the initiative."),
    ({"impact": -2}, "Enemies have −2 to their rolls for impact damage."),
    ({"only_if": {"took_down": "any"}}, "This fighter may use this ability only if it has taken down an enemy in this "
     "activation."),
    ({"pick": {"side": "friend", "another": True, "within": 6, "visible": True}},
     "Pick another visible friendly fighter within 6\"."),
    ({"strength": 1, "weapon": "melee", "of": {"side": "friend", "moved": True}},
     "Melee attacks by your fighters that have made a move action in this activation have +1 Strength."),
    ({"pick": {"side": "enemy", "count": 2, "leader": True}}, "Pick 2 enemies that lead their warband."),
    ({"pick": {"side": "enemy", "damaged": 1}}, "Pick an enemy with at least 1 damage point."),
    ({"if": {"wounds_left": 1}, "move": 1}, "If this fighter has at most 1 Wound left, this fighter has +1 Move."),
    ({"if": {"cost": 100}, "move": 1}, "If this fighter costs 100 points or less, this fighter has +1 Move."),
    ({"sets": {"swap": True}, "may": True},
     "You may pick two of your doubles, triples, or quads and swap their values."),
    ({"survives": 1}, "This fighter is not taken down and has 1 Wound left."),
    ({"attacks": 1, "per": "hit", "per_points": 2},
     "This fighter’s attacks have +1 Attacks for each hit of that attack."),
    ({"sets": {"value": 6}, "of": "rolled"}, "Change its value to 6."),
    ({"toughness": 1, "times": "half-value", "for": "round"},
     "Add half the value of this ability, rounded up, to the Toughness of this fighter "
     "until the end of the battle round."),
    ({"strength": 1, "weapon": "melee", "for": "round", "of": {"side": "friend", "within": 4, "aura": "stay"}},
     "Melee attacks by your fighters while within 4\" of this fighter have +1 Strength "
     "until the end of the battle round."),
]  # fmt: skip


def test_what_is_used_once_per_battle_has_no_moment_of_every_battle_round() -> None:
    data = ({"only_if": {"once": "battle"}}, {"when": {"event": "round-start"}, "heal": 1})
    rule = tuple(map(Change.model_validate, data))
    text = sentences(rule)
    assert text == ("Only once per battle.", "At the start of a battle round, remove 1 damage point from this fighter.")
    assert tuple(change for each in read_sentences(" ".join(text)) for change in each.value) == rule
    assert sentences(rule[1:])[0].startswith("At the start of every battle round")


@each_case(("data", "text"), WRITTEN, ids=lambda each: "" if isinstance(each, str) else str(each))
def test_changes_have_canonical_words(data: dict[str, Any], text: str) -> None:
    assert sentences((Change.model_validate(data),)) == (text,)


def test_damage_of_a_single_weapon_is_not_halved() -> None:
    with pytest.raises(ValidationError, match="does not go with a single weapon"):
        Change.model_validate({"weapon": "one", "half_damage": "up"})


@pytest.mark.parametrize("sets", [{"swap": True}, {"gain": "quad", "value": 1}, {"value": 6, "either": True}])
def test_a_set_that_was_rolled_for_is_one_of_yours(sets: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match="rolled for"):
        Change.model_validate({"of": "rolled", "sets": sets})


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"deal": 2}, "Each of those fighters is allocated 2 damage points."),
        ({"heal": 1, "if": {"of": "picked", "cover": True}},
         "If that fighter is in cover, remove 1 damage point from that fighter."),
        ({"move": 1, "times": "value", "for": "round"},
         "Add the value of this ability to the Move of each of those fighters until the end of the battle round."),
    ],
)  # fmt: skip
def test_several_fighters_that_are_picked_are_all_meant(change: dict[str, Any], text: str) -> None:
    rule = ({"pick": {"side": "enemy", "within": 6, "count": 2}}, {"of": "picked", **change})
    changes = tuple(map(Change.model_validate, rule))
    assert sentences(changes) == ('Pick 2 enemies within 6".', text)
    assert [each for reading in read_sentences(" ".join(sentences(changes))) for each in reading.value] == [*changes]


def test_dice_are_called_by_their_number() -> None:
    group = {"side": "enemy", "within": 6, "visible": True}
    rule: list[dict[str, Any]] = [{"pick": group, "roll": 1}, {"on_roll": "4+", "of": "picked", "deal": "d3"}]
    assert sentences(tuple(map(Change.model_validate, rule))) == (
        "Pick a visible enemy within 6\" and roll a die.", "On a 4+, that fighter is allocated D3 damage points.",
    )  # fmt: skip
    rule[0]["roll"] = "value"
    assert sentences(tuple(map(Change.model_validate, rule)))[1].startswith("For each roll of 4+, that fighter")


@pytest.mark.parametrize("seed", range(4))
def test_what_was_written_is_read_as_the_same(seed: int) -> None:
    space = ChangeSpace(seed)
    for _ in range(60):
        rule = space.rule()
        text = " ".join(sentences(rule))
        readings = read_sentences(text)
        assert [each.text for each in readings if each.level != "read"] == [], text
        assert atoms(tuple(change for each in readings for change in each.value)) == atoms(rule), text


def test_different_rules_have_different_words() -> None:
    space = ChangeSpace(9)
    rules = [space.rule() for _ in range(300)]
    texts: dict[str, Any] = {}
    for rule in rules:
        assert texts.setdefault(" ".join(sentences(rule)), atoms(rule)) == atoms(rule)


@pytest.mark.parametrize("seed", range(2))
def test_a_text_says_what_the_changes_say_that_it_was_made_from(seed: int) -> None:
    space = ChangeSpace(seed)
    for _ in range(60):
        rule = space.rule()
        text = " ".join(sentences(rule))
        read = [change for each in read_sentences(text) for change in each.value]
        assert {*statements(read)} == {*statements(rule)}, text


DETAILS: dict[str, tuple[Any, ...]] = {
    "whole": (True,),
    "to": ("picked", "friends", "others", "leader", "subject", "target"),
    "to_mark": ("hero",),
    "to_count": (3,),
    "aura": ("stay", "move", "activation"),
}


def test_each_group_that_is_allowed_has_words() -> None:
    """No details of a distance go together for which there are no words."""
    said = set[str]()
    for count in range(len(DETAILS) + 1):
        for keys in itertools.combinations(DETAILS, count):
            for values in itertools.product(*(DETAILS[key] for key in keys)):
                data = {"side": "friend", "within": 3, **dict(zip(keys, values, strict=True))}
                with suppress(ValidationError):
                    said.add(one_phrase(Group.model_validate(data)))
    assert len(said) == 14
    with pytest.raises(ValidationError, match="'to_mark' needs 'to: friends'"):
        Group.model_validate({"side": "friend", "within": 3, "to": "picked", "to_mark": "hero"})
