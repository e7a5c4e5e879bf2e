"""What `cardgen explain` says that the referee does with the sentences of rules."""

from __future__ import annotations

from typing import Any

import pytest

from cardgen.game import Level
from cardgen.rulesets.warcry.battle.battle import ADJUDICATED
from cardgen.rulesets.warcry.cards import Ability, Blessing, Trait
from cardgen.rulesets.warcry.wording.consequences import read_sentences
from cardgen.rulesets.warcry.wording.reader import PLAYED, READER

MOMENT = "Make this reaction when a melee attack targets this fighter, before the hit rolls."


def said(thing: Any) -> list[str]:
    return [READER.referee(thing, reading) for reading in READER.read(thing, thing.text or "")]


def ability(text: str, price: str = "double", name: str = "Hook") -> Ability:
    return Ability.model_validate({"name": name, "price": price, "text": text})


def test_what_the_referee_plays_by_name_is_said_of_every_sentence() -> None:
    text = (
        'Make this reaction when a visible enemy within 1" makes a disengage action. Roll a die. On a 4+, that enemy '
        "is allocated D6 damage points."
    )
    assert {*said(ability(text, "reaction", "Strike Them Down"))} == {PLAYED["strike-them-down"]}
    assert "disengage, activation, and battle" in PLAYED["strike-them-down"]
    cover = "Make this reaction when a missile attack targets this fighter in cover, before the hit rolls."
    assert said(ability(cover, "reaction", "Take Cover")) == [PLAYED["take-cover"]]
    spite = Blessing.model_validate({"name": "Spite", "points": {"regular": 30, "elite": 30}, "text": "Sing."})
    assert said(spite) == [PLAYED["spite"]]


def test_everything_that_battles_know_by_name_is_said() -> None:
    assert PLAYED.keys() == ADJUDICATED


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('Make this reaction when an enemy within 1" makes a disengage action. '
         "That enemy is allocated 3 damage points.",
         ["leaves the reaction to the players", "asks the players for the effect"]),
        (f"{MOMENT} If any hit roll shows a 1, the attacker is allocated 2 damage points.",
         ["offers the reaction to such attacks", "asks the players for the effect"]),
        (f"{MOMENT} The attacker is allocated 2 damage points.",
         ["offers the reaction to such attacks", "allocates the damage points"]),
        ("Make this reaction after a melee attack targeting this fighter is resolved. "
         "The attacker is allocated 2 damage points.",
         ["offers the reaction to such attacks", "asks the players for the effect"]),
    ],
)  # fmt: skip
def test_what_the_referee_does_with_a_reaction(text: str, expected: list[str]) -> None:
    assert said(ability(text, "reaction")) == expected


def test_nothing_is_applied_of_a_text_with_a_sentence_that_is_not_read() -> None:
    read, unread = said(ability("Remove 3 damage points from this fighter. Sing a song of stone."))
    assert read == "leaves it to the players, for another sentence of the text is not read, or only loosely"
    assert unread == "leaves it to the players"
    loose = ability("If this fighter is in cover, it has +1 Strength until the end of the battle round.")
    assert said(loose) == ["leaves it to the players, for it is only read loosely"]


def test_what_comes_after_a_later_moment_is_for_the_players() -> None:
    text = "Remove 3 damage points from this fighter. At the end of every battle round, remove 1 damage point from it."
    assert said(ability(text)) == ["removes the damage points", "shows it to the players, who apply it then"]


@pytest.mark.parametrize(
    ("condition", "expected"),
    [("it has any damage points", "checks whether it is true"), ("it is in cover", "asks whether it is true")],
)
def test_whether_a_condition_is_asked_is_said(condition: str, expected: str) -> None:
    text = f'Pick an enemy within 3". If {condition}, allocate 2 damage points to it.'
    assert said(ability(text))[-1] == f"allocates the damage points, {expected}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("After the initiative phase, save 1 extra wild die.", "applies it at its moment"),
        ("At the end of every battle round, pick an enemy. Remove that enemy from the battlefield.",
         "applies it at its moment"),
        ('At the end of every battle round, pick two of your fighters within 9" of each other. They swap places.',
         "asks for its effect at its moment"),
        ('Enemies within 3" of any of your fighters cannot make disengage actions.',
         "shows it to the players at the start of each battle round"),
        ("Your fighters have +1 Strength in melee attacks if they have made a move action in this activation.",
         "adds it to the numbers of the fighters while it is so"),
        ("Your fighters have +1 Toughness.", "adds it to the numbers of the fighters"),
        ("You start the battle with 1 extra wild die.", "applies it when dice are rolled"),
    ],
)  # fmt: skip
def test_what_is_done_with_a_battle_trait_is_said(text: str, expected: str) -> None:
    trait = Trait.model_validate({"name": "Own", "runemark": "order", "text": text})
    assert said(trait)[-1] == expected


def test_who_may_use_a_rule_is_said() -> None:
    text = (
        "Only fighters with the Hero runemark can use this. Fighters with the Beast runemark cannot use this ability. "
    )
    steps = ["offers it to these fighters only", "offers it to all other fighters", "removes the damage points"]
    assert said(ability(text + "Remove 2 damage points from this fighter.")) == steps


@pytest.mark.parametrize("moment", ["At the end", "At the start", "At the beginning"])
@pytest.mark.parametrize("price", ["double", ""])
def test_the_battle_round_is_not_every_battle_round(moment: str, price: str) -> None:
    """Of an ability, it is the present one; a rule that means every battle round says so."""
    the, every = (
        f"{moment} of {which} battle round, remove 1 damage point from this fighter." for which in ("the", "each")
    )
    assert [reading.level for reading in read_sentences(the, price)] == [Level.UNREAD]
    assert [reading.level for reading in read_sentences(every, price)] == [Level.READ]


def test_what_is_limited_in_words_is_not_added_to_the_numbers() -> None:
    trait = Trait.model_validate(
        {"name": "Ire", "runemark": "chaos", "text": "Once per battle, friendly fighters have +1 Strength."}
    )
    assert said(trait) == ["counts how often it is used; asks whether it is used"]
    luck = {"name": "Luck", "points": {"regular": 5, "elite": 5}, "text": "Once per battle, it has +1 Toughness."}
    assert said(Blessing.model_validate(luck)) == ["leaves it to the players"]
