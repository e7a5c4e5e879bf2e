"""Battle traits: the alternative that counts, and granted rules that always apply."""

from __future__ import annotations

from typing import Any

import pytest

from cardgen.referee.trial import card_of_kind
from cardgen.rulesets.warcry.battle.battle import rules_in_words
from cardgen.rulesets.warcry.battle.table import Side
from cardgen.rulesets.warcry.cards import Trait
from cardgen.rulesets.warcry.effective import narrow, passive_changes, settle
from tests.cases import each_case
from tests.rulesets.warcry.referee.fights import card, case, chances, fighter, means

OMENS = card(
    "trait",
    "Omens",
    runemark="chaos",
    text="Choose one of these:",
    choices=[
        {"name": "Blood", "changes": [{"strength": 2}, {"impact": -2}, {"initiative": "ties"}]},
        {"name": "Cold Smoke", "text": "Nobody sees them."},
        {"name": "Ash", "runemarks": ["beast"], "changes": [{"strength": 2}]},
        {"name": "Fire", "price": "double", "changes": [{"strength": 2}]},
    ],
)
PLAIN = card("trait", "Brawn", runemark="chaos", changes=[{"strength": 2}])
MOVED = "Your fighters have +1 Strength in melee attacks if they have made a move action in this activation."
PAIR: dict[str, Any] = {"attacker": fighter("A"), "target": fighter("B", "M5 T5 W60")}


@pytest.mark.parametrize("choice", ["Blood", "blood"])
def test_an_attack_is_made_with_the_chosen_alternative(choice: str) -> None:
    assert chances(case("attack", **PAIR, trait=OMENS, choice=choice)) == chances(case("attack", **PAIR, trait=PLAIN))
    swapped = {"attacker": fighter("B"), "target": fighter("A")}
    tough = card("trait", "T", runemark="chaos", choices=[{"name": "Hide", "changes": [{"toughness": 3}]}])
    expected = case("attack", attacker=fighter("B"), target=fighter("A", "M5 T7 W10"))
    assert chances(case("attack", **swapped, target_trait=tough, target_choice="Hide")) == chances(expected)


def test_activations_have_the_chosen_alternative() -> None:
    chosen = case("activation", **PAIR, trait=OMENS, choice="Blood")
    assert chances(chosen) == chances(case("activation", **PAIR, trait=PLAIN))


@pytest.mark.parametrize(
    ("choice", "note"), [("Cold Smoke", "'Cold Smoke' has only text"), ("Fire", "'Fire' has the price 'double'")]
)
def test_an_alternative_in_words_or_with_a_price_changes_nothing(choice: str, note: str) -> None:
    matter = case("attack", **PAIR, trait=OMENS, choice=choice)
    assert chances(matter) == chances(case("attack", **PAIR))
    assert matter.not_simulated == (note,)


def test_an_alternative_is_for_fighters_with_its_runemarks() -> None:
    beast = {**PAIR, "attacker": fighter("A", marks=("beast",))}
    assert chances(case("attack", **PAIR, trait=OMENS, choice="Ash")) == chances(case("attack", **PAIR))
    assert chances(case("attack", **beast, trait=OMENS, choice="Ash")) == chances(case("attack", **PAIR, trait=PLAIN))


def test_a_granted_rule_without_a_price_always_applies() -> None:
    trait = card("trait", "T", runemark="chaos", grants=[{"name": "Brawn", "changes": [{"strength": 2}]}])
    assert chances(case("attack", **PAIR, trait=trait)) == chances(case("attack", **PAIR, trait=PLAIN))


@pytest.mark.parametrize("weapon", ["one", "one-melee"])
def test_a_trait_of_a_single_weapon_counts_for_the_one_that_attacks(weapon: str) -> None:
    trait = card("trait", "T", runemark="chaos", changes=[{"strength": 2, "weapon": weapon}])
    armed = {**PAIR, "attacker": fighter("A", "M5 T4 W10", "Bow: ranged R3-9 A3 S3 D1/4", "Axe: axe R1 A3 S4 D1/4")}
    values: dict[str, Any] = {**armed, "weapon": "Axe"}
    assert chances(case("attack", **values, trait=trait)) == chances(case("attack", **values, trait=PLAIN))
    values = {**armed, "distance": 1}
    assert chances(case("attack", **values, trait=trait)) == chances(case("attack", **values, trait=PLAIN))
    unarmed = {**PAIR, "attacker": fighter("A", "M5 T4 W10", "Bow: ranged R3-9 A3 S3 D1/4")}
    missile = {**trait, "changes": [{"strength": 2, "weapon": "one-melee"}]}
    assert chances(case("attack", **unarmed, trait=missile)) == chances(case("attack", **unarmed))


def test_a_choice_counts_for_falls_and_the_initiative() -> None:
    horns = card("trait", "Fire", runemark="chaos", changes=[{"impact": -2}])
    chosen = case("fall", fighter=fighter("A"), enemy_trait=OMENS, enemy_choice="Blood")
    assert means(chosen) == means(case("fall", fighter=fighter("A"), enemy_trait=horns))
    ties = card("trait", "Masters", runemark="chaos", changes=[{"initiative": "ties"}])
    values: dict[str, Any] = {"wild_a": 0, "wild_b": 0}
    for player in "ab":
        chosen = case("initiative", **{**values, f"trait_{player}": OMENS, f"choice_{player}": "Blood"})
        assert chances(chosen) == chances(case("initiative", **{**values, f"trait_{player}": ties}))
        assert chosen.not_simulated == ()
    in_words = case("initiative", trait_a=OMENS, choice_a="Cold Smoke")
    assert in_words.not_simulated == ("'Cold Smoke' has only text",)


@each_case(
    ("trial", "values", "message"),
    [
        ("attack", {**PAIR, "trait": OMENS}, "'Omens' offers a choice; name Blood, Cold Smoke, Ash, or Fire"),
        ("attack", {**PAIR, "target_trait": OMENS}, "'Omens' offers a choice"),
        ("attack", {**PAIR, "trait": OMENS, "choice": "Blod"}, "unknown choice 'Blod'; did you mean 'Blood'?"),
        ("attack", {**PAIR, "trait": PLAIN, "choice": "Blood"}, "'Brawn' offers no choice"),
        ("attack", {**PAIR, "choice": "Blood"}, "a choice needs a battle trait"),
        ("attack", {**PAIR, "target_choice": "Blood"}, "a choice needs a battle trait"),
        ("initiative", {"trait_a": OMENS}, "'Omens' offers a choice"),
        ("initiative", {"choice_b": "Blood"}, "a choice needs a battle trait"),
        ("fall", {"fighter": fighter("A"), "enemy_trait": OMENS}, "'Omens' offers a choice"),
        ("fall", {"fighter": fighter("A"), "enemy_choice": "Ash"}, "a choice needs a battle trait"),
    ],
)
def test_a_choice_that_cannot_be_made(trial: str, values: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match="^" + message.replace("?", r"\?")):
        case(trial, **values)


def test_the_trait_of_the_card_keeps_its_alternatives() -> None:
    trait = card_of_kind(OMENS, Trait)
    (rule,) = narrow(trait, "cold-smoke").choices
    assert rule.name == "Cold Smoke"
    assert settle(trait, rule).choices == ()
    assert narrow(trait, None) == narrow(trait, "Smoke") == trait
    assert [each.name for each in trait.choices] == ["Blood", "Cold Smoke", "Ash", "Fire"]


@pytest.mark.parametrize(("once", "words"), [("round", "once per battle round"), ("battle", "once per battle")])
def test_a_trait_of_limited_use_does_not_always_apply(once: str, words: str) -> None:
    """Whoever names it for an attack uses it then; wild dice and the initiative have a moment of their own."""
    trait = {**PLAIN, "once": once, "changes": [{"strength": 2}]}
    matter = case("attack", **PAIR, trait=trait)
    assert chances(matter) == chances(case("attack", **PAIR, trait=PLAIN))
    unused = f"in this {words.removeprefix('once per ')}"
    assert matter.not_simulated == (f"'Brawn' was not used before {unused}",)
    matter = case("activation", **PAIR, trait=trait)
    assert chances(matter) == chances(case("activation", **PAIR))
    assert matter.not_simulated[0].startswith("'Brawn' is not applied: ")
    omen = card("trait", "Omen", runemark="chaos", once=once, changes=[{"wild_dice": 1}, {"initiative": "ties"}])
    assert len(passive_changes(card_of_kind(omen, Trait))) == 2
    assert case("attack", **PAIR, trait=omen).not_simulated[0].startswith("'Omen' does not bear on this attack: ")


def test_the_match_tracker_asks_whether_a_trait_of_limited_use_is_used() -> None:
    side = Side(0, "Red", card_of_kind({**PLAIN, "once": "round"}, Trait), ())
    assert side.words == ()
    assert [*rules_in_words([side], [])] == []


@pytest.mark.parametrize(
    ("rule", "note"),
    [
        ({"changes": [{"strength": 1, "weapon": "melee", "if": {"moved": True}}]}, "'Wave' counts only if A has "),
        ({"text": MOVED}, "'Wave' counts only if A has made a move action"),
        ({"text": "Nobody sees them."}, "'Wave' has only text"),
        ({"changes": [{"attacks": 2, "next": "attack"}]}, "'Wave' is not applied: "),
        ({"changes": [{"strength": 1, "if": {"within": 3, "of": "target"}}]}, "'Wave' is not applied: "),
        ({"changes": [{"half_damage": "up"}]}, "'Wave' is not applied: "),
    ],
)  # fmt: skip
def test_what_a_trait_gives_under_a_condition_is_named(rule: dict[str, Any], note: str) -> None:
    """Odds without it must not pass for odds with it; the tracker leaves it to the players."""
    trait = card("trait", "Wave", runemark="chaos", **rule)
    matter = case("attack", **PAIR, trait=trait)
    assert chances(matter) == chances(case("attack", **PAIR))
    (told,) = matter.not_simulated
    assert told.startswith(note)
    side = Side(0, "One", card_of_kind(trait, Trait), ())
    assert [each.name for each in side.words] == ["Wave"] * ("only text" in note)
    assert len(list(rules_in_words([side], ()))) == (0 if "counts only if" in note else 1)


@pytest.mark.parametrize(
    "change", [{"reroll": "ones"}, {"critical_face": 5}, {"critical_face": "hit"}, {"double": ["attacks"]}]
)
def test_what_always_applies_is_not_named(change: dict[str, Any]) -> None:
    matter = case("attack", **PAIR, trait=card("trait", "Zeal", runemark="chaos", changes=[change]))
    assert chances(matter) != chances(case("attack", **PAIR))
    assert matter.not_simulated == ()


def test_a_rule_about_range_that_is_not_computed_may_allow_an_attack() -> None:
    """Battlepack: Point-blank Volley treats the minimum Range of a missile weapon as 1."""
    archer = fighter("A", "M5 T4 W10", "Bow: ranged R3-15 A3 S4 D1/4")
    volley = card("trait", "Point-blank Volley", runemark="chaos", once="round",
                  text="Declare a volley: the minimum Range of the weapon counts as 1.")  # fmt: skip
    matter = case("attack", attacker=archer, target=fighter("B"), distance=1, trait=volley)
    assert matter.not_simulated == (
        "Bow reaches from 3 to 15 inches, and the target is 1 away; 'Point-blank Volley' must allow it",
        "'Point-blank Volley' has only text",
    )
    with pytest.raises(ValueError, match="the target is 16 away"):
        case("attack", attacker=archer, target=fighter("B"), distance=16, trait=volley)
    with pytest.raises(ValueError, match="the target is 1 away"):
        case("attack", attacker=archer, target=fighter("B"), distance=1)
