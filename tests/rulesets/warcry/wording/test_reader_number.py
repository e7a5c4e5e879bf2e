"""Texts about one fighter or several that were picked, and words that a reading must not lose."""

from __future__ import annotations

import pytest

from cardgen.rulesets.warcry.changes import Change
from cardgen.rulesets.warcry.wording.consequences import read_sentences
from cardgen.rulesets.warcry.wording.sentences import sentences
from tests.rulesets.warcry.wording.test_reader import data_of

ONE, SEVERAL = 'Pick an enemy within 6".', 'Pick up to 2 enemies within 6".'


@pytest.mark.parametrize(
    "sentence",
    [
        "It is allocated 1 damage point.",
        "Allocate 1 damage point to that fighter.",
        "Allocate 1 damage point to that enemy.",
        "Its attacks have -1 Strength this battle round.",
        "That fighter's attacks have -1 Strength this battle round.",
        "Roll a die. On a 4+, that fighter cannot make move actions this battle round.",
    ],
)
def test_words_for_one_fighter_are_not_read_after_several_were_picked(sentence: str) -> None:
    assert data_of(f"{ONE} {sentence}", "double")
    assert data_of(f"{SEVERAL} {sentence}", "double") is None


@pytest.mark.parametrize(
    "sentence",
    [
        "Those fighters are allocated 1 damage point.",
        "Each of them is allocated 1 damage point.",
        "Allocate 1 damage point to each of those enemies.",
        "Allocate 1 damage point to them each.",
        "They suffer 1 damage each.",
        "Those fighters' attacks have -1 Strength this battle round.",
        "These enemies’ melee attacks have -1 Strength this battle round.",
    ],
)
def test_words_for_several_fighters_are_not_read_after_one_was_picked(sentence: str) -> None:
    assert data_of(f"{SEVERAL} {sentence}", "double")
    assert data_of(f"{ONE} {sentence}", "double") is None


@pytest.mark.parametrize("pick", [ONE, SEVERAL])
@pytest.mark.parametrize(
    "sentence", ["They cannot make move actions this battle round.", "Their attacks have -1 Attacks this round."]
)
def test_they_can_be_one_fighter_or_several(pick: str, sentence: str) -> None:
    assert data_of(f"{pick} {sentence}", "double")


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ('Pick an enemy within 6". Allocate 1 damage point to it each.', "to it each|to it"),
        (
            'Pick an enemy within 6". Allocate 1 damage point to it and each enemy within 1" of it each.',
            "of it each|of it",
        ),
        ("This fighter cannot also make reactions this battle round.", "cannot also|cannot"),
        ('Enemies within 3" cannot also make disengage actions this battle round.', "cannot also|cannot"),
        ("Remove up to D3 damage points from this fighter.", "up to D3|D3"),
        ("You may remove up to D3 damage points from this fighter.", "up to D3|D3"),
        ('Heal up to 3 damage points from a friendly fighter within 3".', "up to 3|3"),
        ("This fighter heals up to D6 damage points.", "up to D6|D6"),
        ("If your leader is on the battlefield, remove 1 damage point from this fighter.", "on the battlefield|alive"),
    ],
)
def test_a_word_is_not_lost(text: str, plain: str) -> None:
    assert data_of(text, "double") is None
    lost, _, kept = plain.partition("|")
    assert data_of(text.replace(lost, kept), "double")


def test_after_it_is_targeted_can_be_before_or_after_the_hit_rolls() -> None:
    text = "A fighter can make this reaction after it is targeted by a melee attack{}. The attacker takes 1 damage."
    assert read_sentences(text.format(""), "reaction")[0].level == "not read"
    assert data_of(text.format(" but before the hit rolls are made"), "reaction")
    assert data_of(text.format(" and the attack is resolved"), "reaction")


def test_several_picked_fighters_have_attacks_in_the_plural() -> None:
    changes = tuple(
        Change.model_validate(each)
        for each in (
            {"pick": {"side": "enemy", "within": 6, "count": 2}},
            {"of": "picked", "strength": -1, "for": "round"},
        )
    )
    text = " ".join(sentences(changes))
    assert text.endswith("Those fighters’ attacks have −1 Strength until the end of the battle round.")
    assert tuple(each for reading in read_sentences(text) for each in reading.value) == changes


def test_a_reading_is_shown_in_the_plural_after_several_were_picked() -> None:
    text = f"{SEVERAL} Allocate D3 damage points to each of those enemies."
    assert read_sentences(text)[1].canonical == "Each of those fighters is allocated D3 damage points."


def test_a_sentence_that_the_next_one_replaces_in_part_is_not_read_without_it() -> None:
    text = 'Roll a die for each enemy within 3". On a 4+, allocate 1 damage point to that fighter. {}'
    replaced = text.format("On a 6, allocate 3 damage points to that fighter instead.")
    assert [each.level for each in read_sentences(replaced, "double")] == ["read", "not read", "not read"]
    assert data_of(text.format("On a 6, allocate 3 damage points to that fighter."), "double")


@pytest.mark.parametrize(
    ("by", "level"),
    [("", "read"), (" by a melee attack action", "read"), (" by an enemy fighter's missile attack action", "read"),
     (" by an attack action", "read loosely"), (" by an enemy's attack", "read loosely"),
     (" by an enemy fighter", "read loosely"), (" by an enemy hero", "read")],
)  # fmt: skip
def test_who_is_taken_down_by_an_attack_is_not_taken_down_by_anything(by: str, level: str) -> None:
    """Impact damage takes fighters down, too, and a moment cannot say that it has to be an attack of any type."""
    text = f"After a friendly fighter is taken down{by}, this fighter makes a bonus move action."
    assert [each.level.value for each in read_sentences(text, "double")] == [level]
