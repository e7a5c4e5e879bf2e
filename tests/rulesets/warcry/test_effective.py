"""Changes in force: those of a card, or those that its text says."""

from __future__ import annotations

from typing import Any

import pytest

from cardgen.referee.trial import card_data
from cardgen.rulesets.warcry.cards import Ability, Blessing, Trait
from cardgen.rulesets.warcry.changes import Change
from cardgen.rulesets.warcry.effective import LEFT, changes_of, for_players, in_battle, limit_of, passive_changes
from cardgen.rulesets.warcry.referee.fighter import fighter_stats, not_simulated
from cardgen.rulesets.warcry.wording.reader import READER
from tests.rulesets.warcry.referee.fights import fighter

FIGHTER = fighter()


def blessing(text: str) -> Blessing:
    return Blessing.model_validate({"name": "Hide", "points": {"regular": 15, "elite": 20}, "text": text})


def test_a_text_that_is_read_counts_as_changes() -> None:
    ability = Ability(name="Mend", price="double", text="Remove 3 damage points from this fighter.")
    assert changes_of(ability) == (Change(heal=3),)
    half = Ability(name="Mend", price="double", text="Remove 3 damage points from this fighter. Sing.")
    assert changes_of(half) == ()
    own = Ability(name="Mend", price="double", changes=(Change(heal=1),), text="Remove 3 damage points from it.")
    assert changes_of(own) == (Change(heal=1),)


def test_a_trait_in_words_changes_the_numbers_of_the_fighters_it_is_for() -> None:
    trait = Trait(name="Bold", runemark="chaos", text="Your fighters with the Hero runemark have +1 Toughness.")
    assert [change.toughness for change in passive_changes(trait, ("hero",))] == [1]
    assert passive_changes(trait, ("beast",)) == ()
    assert for_players(trait) == ()


def test_a_trait_with_a_condition_is_for_the_players() -> None:
    text = "Your fighters have +1 Strength in melee attacks if they have made a move action in this activation."
    trait = Trait(name="Wave", runemark="death", text=text)
    assert for_players(trait) == (trait,)
    aimed = Trait(name="Near", runemark="death", text='Your fighters within 3" of an objective have +1 Toughness.')
    assert passive_changes(aimed, ()) == ()
    assert for_players(aimed) == (aimed,)


def test_a_blessing_in_words_changes_the_numbers_of_its_fighter() -> None:
    text = "This fighter has +2 Toughness."
    (reading,) = READER.read(blessing(text), text)
    assert READER.referee(blessing(text), reading) == "adds it to the numbers of the fighter"
    assert fighter_stats(FIGHTER, card_data(blessing(text))).toughness == fighter_stats(FIGHTER).toughness + 2
    assert [*not_simulated(card_data(blessing(text)))] == []


@pytest.mark.parametrize(
    "text", ["This fighter has +1 Toughness while it is in cover.", 'Enemies within 3" have -1 Toughness.']
)
def test_what_a_blessing_says_and_is_not_applied_is_said(text: str) -> None:
    (reading,) = READER.read(blessing(text), text)
    assert READER.referee(blessing(text), reading) == "leaves it to the players"
    assert fighter_stats(FIGHTER, card_data(blessing(text))) == fighter_stats(FIGHTER)
    (note,) = not_simulated(card_data(blessing(text)))
    assert note.startswith("'Hide' is not applied: ")


def test_numbers_of_a_trait_with_a_condition_of_use_are_for_the_players_and_its_moments_happen() -> None:
    changes = [
        {"only_if": {"moved": True}},
        {"strength": 1, "of": {"side": "friend"}},
        {"when": {"event": "round-end"}, "pick": {"side": "enemy"}},
        {"of": "picked", "deal": 1},
    ]
    trait = Trait.model_validate({"name": "Ire", "runemark": "chaos", "changes": changes})
    assert (passive_changes(trait), limit_of(trait, trait)) == ((), None)
    done = [what for _, what in in_battle(trait, is_limited=False)]
    assert done == [LEFT[0], LEFT[0], "applies it at its moment", "applies it at its moment"]


@pytest.mark.parametrize(
    ("limit", "once"),
    [({"once": "round"}, "round"), ({"changes": [{"only_if": {"once": "battle"}}, {"move": 1}]}, "battle")],
)
def test_a_trait_is_limited_by_its_key_or_its_changes(limit: dict[str, object], once: str) -> None:
    trait = Trait.model_validate({"name": "Ire", "runemark": "chaos", "text": "Once per battle, sing.", **limit})
    found = limit_of(trait, trait)
    assert found is not None
    assert found.once == once
    assert passive_changes(trait) == ()


@pytest.mark.parametrize("group", [{"within": 6}, {"within": 3, "visible": True}, {"within": "value"}], ids=str)
def test_what_is_for_fighters_near_another_is_left_to_the_players(group: dict[str, Any]) -> None:
    change = {"attacks": 1, "weapon": "melee", "of": {"side": "friend", **group}}
    trait = Trait.model_validate({"name": "Chant", "runemark": "chaos", "changes": [change]})
    assert [what for _, what in in_battle(trait, is_limited=False)] == [LEFT[0]]
