"""Who may use a rule: its runemarks, and what its text says of them, in odds and in battles alike."""

from __future__ import annotations

from typing import Any

import pytest

from cardgen.referee.trial import card_of_kind
from cardgen.rulesets.warcry.battle.activation import ability_options
from cardgen.rulesets.warcry.battle.attacks import reaction_rules
from cardgen.rulesets.warcry.battle.battle import recruits_of, usable_abilities
from cardgen.rulesets.warcry.cards import Ability
from cardgen.rulesets.warcry.effective import changes_of, why_not
from cardgen.rulesets.warcry.referee.initiative import DiceSet
from tests.rulesets.warcry.battle.players import combatant, sample, table_of, warband
from tests.rulesets.warcry.referee.fights import card, case, chances, fighter

ONLY_HEROES = "Only fighters with the Hero runemark can use this ability. "
NOT_BEASTS = "Fighters with the Beast runemark cannot use this ability. "
HEROES_AND_BEASTS = "Only fighters with the Hero or Beast runemark can use this ability. "
STRONGER = "Add 1 to the Strength characteristic of attacks made by this fighter until the end of their activation."
TOUGHER = "Add 1 to the Toughness characteristic of this fighter until the end of the battle round."
AID = 'Pick a friendly fighter within 6". That fighter has +1 Toughness until the end of the battle round.'


def ability(text: str, price: str = "double", **keys: Any) -> dict[str, Any]:
    return card("ability", "Own", price=price, text=text, **keys)


@pytest.mark.parametrize(
    ("text", "marks", "reason"),
    [
        (ONLY_HEROES, ("hero",), ""),
        (ONLY_HEROES, ("beast",), "it lacks the runemark Hero"),
        (HEROES_AND_BEASTS, ("beast",), ""),
        (HEROES_AND_BEASTS, (), "it lacks the runemark Hero or Beast"),
        (NOT_BEASTS, ("hero",), ""),
        (NOT_BEASTS, ("hero", "beast"), "it has the runemark Beast"),
    ],
)  # fmt: skip
def test_the_text_of_a_rule_says_who_may_use_it(text: str, marks: tuple[str, ...], reason: str) -> None:
    data = ability(text + STRONGER)
    rule = card_of_kind(data, Ability)
    assert changes_of(rule)
    assert why_not(rule, marks) == reason
    situation = {"attacker": fighter("Asha", marks=marks), "target": fighter("Borr"), "ability": data}
    table = table_of(sizes=(1, 1))
    table.combatants[0] = combatant(0, "Red 1", marks=marks)
    table.sides[0].rules, table.sides[0].sets = (rule,), [DiceSet(3, 2)]
    assert bool(ability_options(table, table.combatants[0], 2)) == (not reason)
    if reason:
        with pytest.raises(ValueError, match=f"Asha cannot use 'Own': {reason}"):
            case("attack", **situation)
        with pytest.raises(ValueError, match=f"Asha cannot use 'Own': {reason}"):
            case("activation", **situation)
    else:
        assert not case("attack", **situation).not_simulated


@pytest.mark.parametrize(("marks", "offered"), [((), ["Own"]), (("beast",), [])])
def test_a_reaction_is_not_offered_to_those_whom_its_text_excludes(marks: tuple[str, ...], offered: list[str]) -> None:
    text = (
        "A fighter can make this reaction after they are targeted by a melee attack action but before the hit rolls "
        "are made. Fighters with the Beast runemark cannot make this reaction. Remove 2 damage points from it."
    )
    table = table_of(sizes=(1, 1))
    table.combatants[0] = combatant(0, "Red 1", marks=marks)
    rule = card_of_kind(ability(text, "reaction"), Ability)
    assert changes_of(rule)
    table.sides[0].rules = (rule,)
    assert [*reaction_rules(table, table.combatants[0], "melee")] == offered


def test_an_ability_that_nobody_in_a_battle_may_use_is_left_out() -> None:
    grunts = recruits_of((warband("Foes", fighter("Grunt")), warband("Others", fighter("Grunt"))))
    rules = (ability(ONLY_HEROES + AID), ability(AID, runemarks=["hero"]), ability(NOT_BEASTS + AID))
    assert usable_abilities(rules, grunts) == rules[2:]


@pytest.mark.parametrize(
    ("data", "marks"),
    [
        (ability(TOUGHER, runemarks=["hero"]), ()),
        (ability(ONLY_HEROES + TOUGHER), ()),
        (ability(NOT_BEASTS + TOUGHER), ("beast",)),
    ],
)
def test_the_targets_own_ability_asks_for_its_runemarks(data: dict[str, Any], marks: tuple[str, ...]) -> None:
    situation = {"attacker": fighter("Asha"), "target": fighter("Borr", marks=marks), "target_ability": data}
    for trial in ("attack", "activation"):
        with pytest.raises(ValueError, match=r"Borr cannot use 'Own': it (lacks|has) the runemark"):
            case(trial, **situation)


def test_an_ability_of_a_friend_of_the_target_asks_for_no_runemarks_of_it() -> None:
    situation = {"attacker": fighter("Asha"), "target": fighter("Borr")}
    aided = case("attack", **situation, target_ability=ability(AID, runemarks=["hero"]))
    assert [note for note in aided.not_simulated if "'Own' is not applied" in note]
    both = case("attack", **situation, target_ability=ability(f"{TOUGHER} {AID}", runemarks=["hero"]))
    assert chances(both) == chances(case("attack", **situation))
    assert "'Own' is used by another fighter, as Borr lacks the runemark Hero" in "\n".join(both.not_simulated)


def test_an_ability_of_the_target_whose_value_counts_is_refused() -> None:
    data = ability(TOUGHER.replace("Add 1", "Add the value of this ability"))
    assert changes_of(card_of_kind(data, Ability))
    with pytest.raises(ValueError, match="'Own' depends on the value of its dice"):
        case("attack", attacker=fighter(), target=fighter("Borr"), target_ability=data)


def test_a_blessing_is_refused_for_those_whom_it_excludes() -> None:
    gift = card(
        "blessing", "Gift", points={"regular": 5, "elite": 5}, changes=[{"only_for": ["hero"]}, {"toughness": 1}]
    )
    with pytest.raises(ValueError, match="Asha cannot have 'Gift': it lacks the runemark Hero"):
        case("attack", attacker=fighter("Asha"), target=fighter("Borr"), blessing=gift)
    assert not case(
        "attack", attacker=fighter(marks=("hero",)), target=fighter("Borr"), target_blessing=None
    ).not_simulated


def test_a_battle_trait_strengthens_those_that_may_use_it() -> None:
    trait = card("trait", "Zeal", runemark="chaos", changes=[{"only_for": ["hero"]}, {"strength": 1}])
    plain = chances(case("attack", attacker=fighter(), target=fighter("Borr")))
    for marks, changes in (((), False), (("hero",), True)):
        odds = chances(case("attack", attacker=fighter(marks=marks), target=fighter("Borr"), trait=trait))
        assert (odds != plain) == changes


def test_heroism_lends_hero_for_inspiring_presence_alone() -> None:
    blessed = warband("Foes", (fighter("Grunt"), sample("blessing", "Heroism")))
    rules = (sample("ability", "Inspiring Presence"), ability(AID, runemarks=["hero"]))
    assert usable_abilities(rules, recruits_of((blessed, warband("Others", fighter("Grunt"))))) == rules[:1]
