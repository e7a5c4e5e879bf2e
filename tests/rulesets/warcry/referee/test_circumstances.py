"""Battle traits of the battlepack in one attack, against enumerations of all dice, and what is said of all others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any

import pytest

from cardgen.referee.trial import Assumed, Idle, card_data
from cardgen.rulesets.warcry.cards import Trait
from tests.cases import each_case
from tests.rulesets.warcry.referee.fights import card, case, chances, fighter, means
from tests.rulesets.warcry.test_cards import all_of

F = Fraction
BLADE = "Blade: sword R1 A3 S4 D2/5"
BOW = "Bow: ranged R3-12 A3 S4 D1/4"


@lru_cache
def trait(name: str) -> dict[str, Any]:
    return dict(card_data(all_of(Trait)[name]))


def armed(name: str, weapon: str = BLADE, stats: str = "M5 T4 W12", **keys: Any) -> dict[str, Any]:
    """Return a fighter of the faction that a battle trait is for."""
    return fighter("A", stats, weapon, faction=trait(name)["runemark"], **keys)


Score = Callable[[list[str]], int]


def by_hand(dice: int, need: int, score: Score, cover: int = 0) -> dict[int, Fraction]:
    """The damage of all rolls: each die misses, hits from a face on, or hits critically on a 6.

    With `cover`, each critical hit but the first becomes a hit on that face or more.
    """
    found = Counter[int]()
    for faces in product(range(1, 7), repeat=dice):
        results = ["critical" if face == 6 else "hit" if face >= need else "miss" for face in faces]
        for saves in product(range(1, 7), repeat=dice) if cover else [()]:
            seen = [*results]
            for place, save in enumerate(saves):
                is_first = "critical" not in results[:place]
                if results[place] == "critical" and save >= cover and not is_first:
                    seen[place] = "hit"
            found[score(seen)] += 1
    return {points: F(count, found.total()) for points, count in found.items()}


def points(hit: int, critical: int, first: int | None = None) -> Score:
    """Return the damage of results; `first` are the points of the first critical hit if they differ."""

    def score(results: list[str]) -> int:
        hits, criticals = results.count("hit"), results.count("critical")
        is_other = first is not None and criticals
        return hits * hit + (criticals - 1) * critical + (first or 0) if is_other else hits * hit + criticals * critical

    return score


PLAIN, SHOT = points(2, 5), points(1, 4)
MELEE: list[tuple[str, dict[str, Any], dict[int, Fraction]]] = [
    ("Wave of Terror", {}, by_hand(3, 4, PLAIN)),
    ("Wave of Terror", {"moved": True}, by_hand(3, 3, PLAIN)),
    ("Wave of Terror", {"moved": True, "cover": True}, by_hand(3, 4, PLAIN)),
    ("Power of the Tides", {}, by_hand(3, 4, PLAIN)),
    ("Power of the Tides", {"round": 1}, by_hand(3, 4, PLAIN)),
    ("Power of the Tides", {"round": 2}, by_hand(3, 4, PLAIN)),
    ("Power of the Tides", {"round": 3}, by_hand(3, 3, PLAIN)),
    ("Power of the Tides", {"round": 4}, by_hand(3, 3, PLAIN)),
    ("Plunging Killers", {"dropped": 1}, by_hand(3, 4, PLAIN)),
    ("Plunging Killers", {"dropped": 2}, by_hand(3, 3, PLAIN)),
    ("Plunging Killers", {"dropped": 5, "target": fighter("B", "M5 T5 W12")}, by_hand(3, 3, PLAIN)),
    ("Form a Lance", {"near_friends": 1}, by_hand(3, 4, PLAIN)),
    ("Form a Lance", {"near_friends": 2}, by_hand(3, 3, PLAIN)),
    ("Aspire to Glory", {}, by_hand(3, 4, points(2, 5, 6))),
    ("Pain-fuelled Rapture", {}, by_hand(3, 4, PLAIN)),
    ("Pain-fuelled Rapture", {"triggered": True}, by_hand(5, 4, PLAIN)),
    ("Entertain Me!", {"target": fighter("B", "M5 T7 W12")}, by_hand(3, 4, PLAIN)),
    ("Entertain Me!", {"target": fighter("B", "M5 T7 W12"), "cover": True}, by_hand(3, 4, PLAIN)),
    ("Entertain Me!", {"target": fighter("B", "M5 T3 W12")}, by_hand(3, 3, PLAIN)),
    ("Relentless Destroyers", {"cover": True}, by_hand(3, 4, PLAIN)),
]


@each_case(("name", "values", "expected"), MELEE, ids=[f"{name} {[*values]}" for name, values, _ in MELEE])
def test_the_attacker_s_trait(name: str, values: dict[str, Any], expected: dict[int, Fraction]) -> None:
    matter = case(
        "attack", **{"attacker": armed(name), "target": fighter("B", "M5 T4 W12"), **values}, trait=trait(name)
    )
    assert {number: chances(matter)[str(number)] for number in expected} == expected
    assert means(matter)["mean damage"] == sum(number * chance for number, chance in expected.items())
    assert chances(matter)["B is taken down"] == sum(each for number, each in expected.items() if number >= 12)


SHOTS: list[tuple[str, dict[str, Any], dict[int, Fraction]]] = [
    ("Deathless Minions", {}, by_hand(3, 4, points(1, 4, 1))),
    ("Deathless Minions", {"cover": True, "reaction": "take-cover"}, by_hand(3, 5, points(1, 4, 1), cover=4)),
    ("Deathless Minions", {"marks": ()}, by_hand(3, 4, SHOT)),
    ("Deathless Minions", {"weapon": BLADE}, by_hand(3, 4, PLAIN)),
    ("A Good Deal", {}, by_hand(3, 4, points(1, 2))),
    ("A Good Deal", {"weapon": BLADE}, by_hand(3, 4, points(1, 3))),
    ("A Good Deal", {"weapon": "Maul: hammer R1 A2 S5 D4/9"}, by_hand(2, 3, points(2, 7))),
    ("Courageous Defenders", {"cover": True, "reaction": "take-cover"}, {}),
]


@each_case(("name", "values", "expected"), SHOTS, ids=[f"{name} {[*values]}" for name, values, _ in SHOTS])
def test_the_target_s_trait(name: str, values: dict[str, Any], expected: dict[int, Fraction]) -> None:
    attacker = fighter("A", "M5 T4 W12", values.pop("weapon", BOW))
    target = fighter("B", "M5 T4 W12", marks=values.pop("marks", ("minion",)), faction=trait(name)["runemark"])
    matter = case("attack", attacker=attacker, target=target, target_trait=trait(name), **values)
    assert {number: chances(matter)[str(number)] for number in expected} == expected


def test_a_trait_that_has_no_effect_says_so_or_why() -> None:
    """What a rule needs is said only if it changes something: not of a rule for other attacks or other targets."""
    archer, target = armed("Aspire to Glory", BOW), {"target": fighter("B", "M5 T4 W12")}
    matter = case("attack", attacker=archer, trait=trait("Aspire to Glory"), **target)
    assert matter.not_simulated == ("'Aspire to Glory' has no effect on this attack",)
    minions = trait("Deathless Minions")
    for marks, weapon, said in (
        (("minion",), BLADE, "'Deathless Minions' has no effect on this attack"),
        (("minion",), BOW, "'Deathless Minions' was not used before in this battle round"),
        ((), BOW, "'Deathless Minions' counts only if B has the Minion runemark"),
    ):
        b = fighter("B", "M5 T4 W12", marks=marks, faction="death")
        matter = case("attack", attacker=fighter("A", "M5 T4 W12", weapon), target=b, target_trait=minions)
        assert matter.not_simulated == (said,)


@pytest.mark.parametrize(("cost", "mean"), [(125, F(9, 2) + F(91, 216)), (126, F(9, 2))])
def test_aspire_to_glory_is_for_cheap_fighters(cost: int, mean: Fraction) -> None:
    """3 dice, 2 on a 4 or 5, 5 on a 6: 4.5 on average; one more if there is any 6."""
    attacker = {**armed("Aspire to Glory"), "points": cost}
    matter = case("attack", attacker=attacker, target=fighter("B"), trait=trait("Aspire to Glory"))
    assert means(matter)["mean damage"] == mean


@pytest.mark.parametrize("distance", [1, 2])
def test_a_point_blank_volley_has_a_minimum_range_of_one(distance: int) -> None:
    values: dict[str, Any] = {
        "attacker": armed("Point-blank Volley", BOW),
        "target": fighter("B"),
        "distance": distance,
    }
    with pytest.raises(ValueError, match=rf"the target is {distance} away"):
        case("attack", **values)
    near = case("attack", **values, trait=trait("Point-blank Volley"))
    assert chances(near) == chances(case("attack", **{**values, "distance": 5}))
    with pytest.raises(ValueError, match="the target is 0 away"):
        case("attack", **{**values, "distance": 0}, trait=trait("Point-blank Volley"))


@each_case(
    ("name", "values", "note"),
    [
        ("Wave of Terror", {}, "counts only if A has made a move action in this activation (--moved)"),
        ("Power of the Tides", {}, "counts only if it is battle round 3 or 4 (--round)"),
        ("Power of the Tides", {"round": 1}, "counts only if it is battle round 3 or 4 (--round)"),
        ("Form a Lance", {"near_friends": 1}, 'counts only if 2 or more other friendly fighters are within 1" of A'),
        ("Plunging Killers", {}, "counts only if in this activation, A has ended a move action at least 2\" lower"),
        ("Pain-fuelled Rapture", {}, "counts only after its moment (--triggered): "),
        ("Ravenous Gorging", {}, "is not applied: After a melee attack by one of your fighters takes"),
        ("Aspire to Glory", {}, "was not used before in this battle round"),
        ("Entertain Me!", {"target": fighter("B", "M5 T7 W12")}, "has picked the target"),
    ],
)  # fmt: skip
def test_what_a_trait_needs_is_said(name: str, values: dict[str, Any], note: str) -> None:
    matter = case("attack", **{"attacker": armed(name), "target": fighter("B"), "trait": trait(name), **values})
    (told,) = matter.not_simulated
    assert told.startswith(f"'{name}' {note}")
    kinds = {"Aspire to Glory": Assumed, "Entertain Me!": Assumed, "Ravenous Gorging": str}
    assert type(told) is kinds.get(name, Idle)


@pytest.mark.parametrize("option", ["moved", "triggered", "round", "dropped", "near_friends"])
def test_an_option_without_a_trait_that_needs_it_has_no_effect(option: str) -> None:
    value: Any = True if option in ("moved", "triggered") else 2
    matter = case("attack", attacker=fighter("A"), target=fighter("B"), **{option: value})
    assert matter.not_simulated == (f"--{option.replace('_', '-')} has no effect on this attack",)


def test_no_trait_is_ignored() -> None:
    """Each of the battlepack changes the odds of some attack, or is named above them."""
    assert len(all_of(Trait)) == 61
    for name in all_of(Trait):
        for choice in [each["name"] for each in trait(name).get("choices", ())] or [None]:
            values: dict[str, Any] = {
                "attacker": armed(name),
                "target": fighter("B"),
                "trait": trait(name),
                "choice": choice,
            }
            plain = case("attack", **{**values, "trait": None, "choice": None})
            matter = case("attack", **values)
            assert matter.not_simulated or chances(matter) != chances(plain), name


def test_an_activation_says_what_it_does_not_apply() -> None:
    """Its attacks come before and after moves, and a trait that counts once counts in one of them only."""
    for name in ("Wave of Terror", "Aspire to Glory", "Form a Lance"):
        values: dict[str, Any] = {"attacker": armed(name), "target": fighter("B"), "moved": True, "near_friends": 2}
        matter = case("activation", **values, trait=trait(name))
        assert chances(matter) == chances(case("activation", **values))
        assert matter.not_simulated[0].startswith(f"'{name}' is not applied: ")
    tides: dict[str, Any] = {
        "attacker": armed("Power of the Tides"),
        "target": fighter("B"),
        "trait": trait("Power of the Tides"),
    }
    assert chances(case("activation", **tides, round=3)) != chances(case("activation", **tides, round=1))


def home(name: str, **keys: Any) -> dict[str, Any]:
    """Return a battle trait of all fighters of Chaos."""
    return card("trait", name, runemark="chaos", **keys)


def test_the_minimum_of_the_target_s_trait_is_that_of_the_number_with_the_ability() -> None:
    """Damage 2 + 1 - 2 is 1; 1 attack + 1 - 1 is 1, too."""
    club = fighter("A", "M5 T4 W12", "Club: club R1 A1 S4 D2/2")
    edge = card("ability", "Edge", price="double", changes=[{"damage": 1, "critical": 1, "for": "activation"}])
    dwarf = fighter("B", "M5 T4 W12", faction="kharadron-overlords")
    deal = case("attack", attacker=club, target=dwarf, ability=edge, target_trait=trait("A Good Deal"))
    assert means(deal)["mean damage"] == F(1, 2)

    fury = card("ability", "Fury", price="double", changes=[{"attacks": 1, "for": "activation"}])
    shields = home("Shields", changes=[{"attacks": -1, "at_least": 1, "incoming": True, "of": {"side": "friend"}}])
    values = {"attacker": club, "target": fighter("B", "M5 T4 W12"), "ability": fury, "target_trait": shields}
    assert means(case("attack", **values))["mean damage"] == 1
    assert chances(case("activation", **values, activations=1))["4"] == F(1, 4), "two attacks, both with one die"


@each_case(
    ("rule", "note"),
    [
        ({"text": "Once per battle, friendly fighters have +1 Strength."}, "battle"),
        ({"text": "Once per battle round, friendly fighters have +1 Strength."}, "battle round"),
        ({"text": "Friendly fighters have +1 Strength.", "once": "battle"}, "battle"),
        ({"changes": [{"only_if": {"once": "battle"}, "strength": 1, "of": {"side": "friend"}}]}, "battle"),
        ({"once": "round", "grants": [{"name": "Ire", "text": "Friendly fighters have +1 Strength."}]}, "battle round"),
    ],
)
def test_a_trait_that_is_limited_by_its_key_or_its_words_is_assumed_to_be_unused(
    rule: dict[str, Any], note: str
) -> None:
    values = {"attacker": fighter("A", "M5 T4 W12", BLADE), "target": fighter("B"), "trait": home("Ire", **rule)}
    matter = case("attack", **values)
    assert means(matter)["mean damage"] == 3 * (F(1, 2) * 2 + F(1, 6) * 5), "3+"
    assert matter.not_simulated == (f"'Ire' was not used before in this {note}",)
    assert isinstance(matter.not_simulated[0], Assumed)
    several = case("activation", **values)
    assert chances(several) == chances(case("activation", **{**values, "trait": None})), "not in every attack"
    assert [type(each) for each in several.not_simulated] == [str]


def test_a_blessing_that_is_limited_by_its_words_does_not_count() -> None:
    for often, change in (("battle", "+1 Toughness"), ("battle round", "+4 Wounds")):
        text = f"Once per {often}, this fighter has {change}."
        gift = card("blessing", "Luck", points={"regular": 5, "elite": 5}, text=text)
        values = {"attacker": fighter("A", "M5 T4 W12", BLADE), "target": fighter("B", "M5 T4 W12")}
        matter = case("attack", **values, target_blessing=gift)
        assert chances(matter) == chances(case("attack", **values))
        assert all(note.startswith("'Luck' is not applied: ") for note in matter.not_simulated)


def test_a_trait_that_waits_for_a_condition_of_use_does_not_count() -> None:
    rule = home("Ire", changes=[{"only_if": {"moved": True}}, {"strength": 1, "of": {"side": "friend"}}])
    values: dict[str, Any] = {"attacker": fighter("A", "M5 T4 W12", BLADE), "target": fighter("B")}
    matter = case("attack", **values, trait=rule)
    assert chances(matter) == chances(case("attack", **values))
    assert any(note.startswith("'Ire' is not applied: ") for note in matter.not_simulated)


def test_the_damage_points_of_a_rapture_are_added_to_those_of_the_fighter() -> None:
    values: dict[str, Any] = {
        "attacker": armed("Pain-fuelled Rapture"), "target": fighter("B"), "trait": trait("Pain-fuelled Rapture"),
        "triggered": True, "reaction": "counter",
    }  # fmt: skip
    matter = case("attack", **values, damage=8)
    assert "A is taken down" in chances(matter)
    assert chances(matter)["A is taken down"] == 1 - chances(case("attack", **values))["0"], "12 Wounds, 11 points"
    said = "'Pain-fuelled Rapture' has allocated 3 damage points to A, beside those of --damage"
    assert matter.not_simulated == (said, "the damage of an attack counts although Counter takes A down")
    with pytest.raises(ValueError, match=r"12 Wounds: with 9 damage points and the 3 of its battle trait it is taken"):
        case("attack", **values, damage=9)
    assert case("attack", **{**values, "triggered": False}, damage=9)


def test_a_fighter_that_has_dropped_has_moved() -> None:
    values: dict[str, Any] = {
        "attacker": armed("Wave of Terror", BLADE),
        "target": fighter("B"),
        "trait": trait("Wave of Terror"),
    }
    assert chances(case("attack", **values, dropped=2)) == chances(case("attack", **values, moved=True))
    assert case("attack", **values, dropped=2).not_simulated == ()
