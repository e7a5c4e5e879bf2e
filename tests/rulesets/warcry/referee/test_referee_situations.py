"""Situations of the rules, worked out die by die from the rulebook, against the referee."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from tests.cases import each_case
from tests.rulesets.warcry.referee.fights import card, case, chances, fighter, means

F = Fraction
BLADE = "Blade: sword R1 A3 S4 D2/5"
BOW = "Bow: ranged R3-12 A3 S4 D1/4"


def by_hand(dice: int, need: int, hit: int, critical: int, *, cover: int = 0, less: int = 0) -> dict[int, Fraction]:
    """The damage of all rolls of some dice; with `cover`, critical hits become hits on that face or more."""
    found = Counter[int]()
    for faces in product(range(1, 7), repeat=dice):
        for saves in product(range(1, 7), repeat=dice if cover else 0):
            points = 0
            for place, face in enumerate(faces):
                is_critical = face == 6 and not (cover and saves[place] >= cover)
                points += critical if is_critical else hit if face >= need else 0
            found[points] += 1
    return {points: F(count, found.total()) for points, count in found.items()}


def target(toughness: int = 4, wounds: int = 10, **keys: Any) -> dict[str, Any]:
    return fighter("B", f"M5 T{toughness} W{wounds}", **keys)


def trait(**keys: Any) -> dict[str, Any]:
    return card("trait", "T", runemark="chaos", **keys)


def blessing(**change: Any) -> dict[str, Any]:
    return card("blessing", "Gift", points={"regular": 10, "elite": 10}, changes=[change])


def ability(price: str = "double", **change: Any) -> dict[str, Any]:
    return card("ability", "Trick", price=price, changes=[change])


A, ARCHER = fighter("A", "M5 T4 W10", BLADE), fighter("A", "M5 T4 W10", BOW)
ACTION: dict[str, Any] = {"for": "activation"}
SITUATIONS: list[tuple[str, dict[str, Any], dict[int, Fraction]]] = [
    ("equal", {"target": target(4)}, by_hand(3, 4, 2, 5)),
    ("stronger by one", {"target": target(3)}, by_hand(3, 3, 2, 5)),
    ("stronger by three", {"target": target(1)}, by_hand(3, 3, 2, 5)),
    ("weaker by one", {"target": target(5)}, by_hand(3, 5, 2, 5)),
    ("weaker by eight", {"target": target(12)}, by_hand(3, 5, 2, 5)),
    ("cover makes equal weaker", {"target": target(4), "cover": True}, by_hand(3, 5, 2, 5)),
    ("cover makes stronger equal", {"target": target(3), "cover": True}, by_hand(3, 4, 2, 5)),
    ("cover is no matter by two", {"target": target(2), "cover": True}, by_hand(3, 3, 2, 5)),
    ("cover ignored", {"target": target(4), "cover": True, "trait": trait(changes=[{"no_cover": "melee"}])},
     by_hand(3, 4, 2, 5)),
    ("cover ignored by melee and by missile attacks",
     {"target": target(4), "cover": True,
      "trait": trait(changes=[{"no_cover": "melee"}, {"no_cover": "missile"}])}, by_hand(3, 4, 2, 5)),
    ("cover not ignored by shots", {"attacker": ARCHER, "target": target(4), "cover": True, "distance": 5,
                                    "trait": trait(changes=[{"no_cover": "melee"}])}, by_hand(3, 5, 1, 4)),
    ("take cover", {"attacker": ARCHER, "target": target(3), "cover": True, "reaction": "take-cover"},
     by_hand(3, 4, 1, 4, cover=4)),
    ("take cover with the Order trait", {"attacker": ARCHER, "target": target(3), "cover": True,
                                         "reaction": "take-cover", "target_trait": trait(changes=[{"take_cover": 3}])},
     by_hand(3, 4, 1, 4, cover=3)),
    ("Ferocity", {"target": target(4), "blessing": blessing(attacks=1, weapon="one-melee")}, by_hand(4, 4, 2, 5)),
    ("Might", {"target": target(4), "blessing": blessing(strength=1, weapon="one")}, by_hand(3, 3, 2, 5)),
    ("Brutality", {"target": target(4), "blessing": blessing(damage=1, weapon="one-melee")}, by_hand(3, 4, 3, 5)),
    ("Savagery", {"target": target(4), "blessing": blessing(critical=1, weapon="one-melee")}, by_hand(3, 4, 2, 6)),
    ("Resilience", {"target": target(4), "target_blessing": blessing(toughness=1)}, by_hand(3, 5, 2, 5)),
    ("Swiftness", {"target": target(4), "blessing": blessing(move=1)}, by_hand(3, 4, 2, 5)),
    ("Might and Resilience", {"target": target(4), "blessing": blessing(strength=1, weapon="one"),
                              "target_blessing": blessing(toughness=1)}, by_hand(3, 4, 2, 5)),
    ("Onslaught", {"target": target(4), "ability": ability("triple", attacks=1, weapon="melee", **ACTION),
                   "dice": "triple"}, by_hand(4, 4, 2, 5)),
    ("Onslaught by a quad", {"target": target(4), "ability": ability("triple", attacks=1, weapon="melee", **ACTION),
                             "dice": "quad"}, by_hand(4, 4, 2, 5)),
    ("Onslaught adds to Ferocity", {"target": target(4), "blessing": blessing(attacks=1, weapon="one-melee"),
                                    "ability": ability("triple", attacks=1, weapon="melee", **ACTION)},
     by_hand(5, 4, 2, 5)),
    ("Onslaught not for shots", {"attacker": ARCHER, "target": target(4), "distance": 6,
                                 "ability": ability("triple", attacks=1, weapon="melee", **ACTION)},
     by_hand(3, 4, 1, 4)),
    ("value as Strength", {"target": target(6), "value": 3, "ability": ability(strength=1, times="value", **ACTION)},
     by_hand(3, 3, 2, 5)),
    ("half the value, up", {"target": target(6), "value": 3,
                            "ability": ability(strength=1, times="half-value", **ACTION)}, by_hand(3, 4, 2, 5)),
    ("the far end of Range", {"attacker": ARCHER, "target": target(4), "distance": 12}, by_hand(3, 4, 1, 4)),
    ("the near end of Range", {"attacker": ARCHER, "target": target(4), "distance": 3}, by_hand(3, 4, 1, 4)),
]  # fmt: skip


@each_case(("values", "expected"), [each[1:] for each in SITUATIONS], ids=[each[0] for each in SITUATIONS])
def test_damage_of_an_attack(values: dict[str, Any], expected: dict[int, Fraction]) -> None:
    matter = case("attack", **{"attacker": A, **values})
    assert {points: chances(matter)[str(points)] for points in expected} == expected
    assert means(matter)["mean damage"] == sum(points * chance for points, chance in expected.items())
    assert chances(matter)["B is taken down"] == sum(chance for points, chance in expected.items() if points >= 10)


@pytest.mark.parametrize(
    ("dice", "need", "harm"),
    [(1, 4, {2: F(1, 6), 0: F(5, 6)}),
     (2, 4, {3: F(5, 36), 2: F(6, 36), 1: F(4, 36), 0: F(21, 36)}),
     (2, 5, {3: F(7, 36), 2: F(4, 36), 1: F(9, 36), 0: F(16, 36)}),
     (2, 3, {3: F(3, 36), 2: F(8, 36), 1: F(1, 36), 0: F(24, 36)})],
)  # fmt: skip
def test_counter(dice: int, need: int, harm: dict[int, Fraction]) -> None:
    """2 points for any 1; 1 for two misses or more, and a 1 is a miss too."""
    one = fighter("A", "M5 T4 W10", f"Blade: sword R1 A{dice} S4 D2/5")
    matter = case("attack", attacker=one, target=target({3: 3, 4: 4, 5: 5}[need]), reaction="counter")
    assert matter.odds is not None
    table = next(each for each in matter.odds() if each.title.startswith("Counter"))
    assert {int(label): chance for label, chance in table.parts if label.isdigit()} == harm


@each_case(
    ("values", "message"),
    [
        ({"target": target(), "reaction": "take-cover", "cover": True}, "missile attacks only"),
        ({"attacker": ARCHER, "target": target(), "reaction": "counter"}, "melee attacks only"),
        ({"attacker": ARCHER, "target": target(), "reaction": "take-cover"}, "needs cover"),
        ({"attacker": ARCHER, "target": target(marks=("mount",)), "reaction": "take-cover", "cover": True}, "Mount"),
        ({"attacker": ARCHER, "target": target(), "distance": 2}, "2 away"),
        ({"attacker": ARCHER, "target": target(), "distance": 13}, "13 away"),
        ({"target": target(), "ability": ability("triple", attacks=1, **ACTION), "dice": "double"}, "costs"),
        ({"target": target(), "ability": ability("quad", attacks=1, **ACTION), "dice": "triple"}, "costs"),
        ({"target": target(), "ability": {**ability(attacks=1, **ACTION), "runemarks": ["hero"]}}, "lacks"),
        ({"target": target(), "target_damage": 10}, "taken down"),
    ],
)
def test_what_the_rules_forbid(values: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        case("attack", **{"attacker": A, **values})


@pytest.mark.parametrize("trial", ["attack", "activation"])
def test_two_fighters_of_one_card_are_numbered(trial: str) -> None:
    """Otherwise, two rows and two tables would say 'Asha is taken down', one of each fighter."""
    matter = case(trial, attacker=A, target=A, reaction="counter", damage=9, target_damage=1)
    assert matter.odds is not None
    titles = [table.title for table in matter.odds()]
    assert len({*titles}) == len(titles)
    assert f"{A['name']} 1" in matter.title
    assert f"{A['name']} 2" in matter.title
    down = [words for words in chances(matter) if "taken down" in words or "within 2" in words]
    assert [words.split(" is ")[0].split(" within ")[0] for words in down] == [f"{A['name']} 2", f"{A['name']} 1"]
    assert any(f"Counter takes {A['name']} 1 down" in note for note in matter.not_simulated)


def test_a_blessing_that_costs_a_fighter_its_battle_trait_is_named() -> None:
    trait = card("trait", "Glory", runemark="chaos", once="round",
                 changes=[{"first_critical": 1, "weapon": "melee", "of": {"side": "friend", "cost": 105}}])  # fmt: skip
    gift = card("blessing", "Gift", points={"regular": 10, "elite": 10}, changes=[{"wounds": 1}])
    (note,) = (each for each in case("attack", attacker=A, target=target(), trait=trait, blessing=gift).not_simulated
               if "counts only" in each)  # fmt: skip
    assert note == (
        f"'Glory' counts only if {A['name']} costs 105 points or less; with 'Gift', it costs 110 (ruling blessing-cost)"
    )
