"""Situations that a rules lawyer computed by hand from the player's reference alone."""

from __future__ import annotations

from typing import Any

from tests.cases import each_case
from tests.rulesets.diskwars.referee.cases import F, card, case, figures

WALL = {"kind": "terrain", "name": "Wall", "defensive": "counter"}
FORT = {"kind": "terrain", "name": "Fort", "keywords": ["fortified"]}
BOG = {"kind": "terrain", "name": "Bog", "dangerous": "physical"}
A, B, C = card(attack="3"), card("B"), card("C")
OUT = "casualty"


def bow(missile: int = 1, strength: str = "2", reach: str = "siege", damage: str = "physical") -> dict[str, Any]:
    return card(ranged=[{"name": "Bow", "missile": missile, "range": reach, "strength": strength, "damage": damage}])


def one(name: str, **keys: Any) -> dict[str, Any]:
    return card(name, **keys)


Situation = tuple[str, dict[str, Any], str, str, Any]
# The trial, its values, a disk, a state, and the chance of it; the battle die has two hits.
MELEE: list[Situation] = [
    ("melee", {"attackers": (A,), "defenders": (B,)}, "B", OUT, 1),
    ("melee", {"attackers": (A,), "defenders": (one("B", toughness=4),)}, "B", "3 damage", 1),
    ("melee", {"attackers": (A,), "defenders": (one("B", stamina=1),)}, "B", "1 wound", 1),
    ("melee", {"attackers": (A,), "defenders": (one("B", immune=["physical"]),)}, "B", "0 damage", 1),
    ("melee", {"attackers": (A,), "defenders": (one("B", immune=["arcane"]),)}, "B", OUT, 1),
    ("melee", {"attackers": (A,), "defenders": (one("B", resistant=["physical"]),)}, "B", "2 damage", 1),
    ("melee", {"attackers": (card(attack="d6"),), "defenders": (one("B", toughness=5),)}, "B", OUT, F(1, 3)),
    ("melee", {"attackers": (card(attack="d6"),), "defenders": (one("B", resistant=["physical"]),)}, "B", OUT, F(1, 3)),
    ("melee", {"attackers": (card(attack="2"),), "defenders": (B,), "empowered": "attackers"}, "B", OUT, 1),
    ("melee", {"attackers": (A,), "defenders": (B,), "empowered": "both"}, "B", OUT, 1),
    ("melee", {"attackers": (A,), "defenders": (B,), "empowered": "defenders"}, "B", "3 damage", 1),
    (
        "melee",
        {"attackers": (one("A", attack="3", swift="attack", toughness=1),), "defenders": (B,)},
        "A",
        "0 damage",
        1,
    ),
    (
        "melee",
        {"attackers": (one("A", attack="3", slow="attack", toughness=1),), "defenders": (B,)},
        "B",
        "0 damage",
        1,
    ),
    ("melee", {"attackers": (one("A", attack="3", slow="counter", toughness=1),), "defenders": (B,)}, "B", OUT, 1),
    (
        "melee",
        {"attackers": (one("A", attack="3", slow="both"),), "defenders": (one("B", slow="both"),)},
        "A",
        "1 damage",
        1,
    ),
    (
        "melee",
        {"attackers": (one("A", attack="9", toughness=1),), "defenders": (B,), "beneath": WALL},
        "B",
        "0 damage",
        1,
    ),
    ("melee", {"attackers": (card(attack="2"), one("D")), "defenders": (B,)}, "B", OUT, 1),
    ("melee", {"attackers": (one("A", attack="3", keywords=["frenzy"]),), "defenders": (B, C)}, "C", OUT, 1),
    ("melee", {"attackers": (one("A", attack="3", keywords=["frenzy"]),), "defenders": (B, C)}, "A", "2 damage", 1),
    ("melee", {"attackers": (one("A", keywords=["frenzy"], attack="d6"),), "defenders": (B, C)}, "B", OUT, F(2, 3)),
    ("scrum", {"disks": (A, B, C)}, "C", "0 damage", 1),
    ("scrum", {"disks": (A, one("B", stamina=1), C)}, "C", "1 damage", 1),
    ("scrum", {"disks": (A, one("B", toughness=4, attack="d6"), C)}, "C", OUT, F(2, 3)),
]
OTHERS: list[Situation] = [
    ("attack", {"attacker": bow(), "target": B}, "B", "2 damage", F(1, 2)),
    ("attack", {"attacker": bow(3), "target": B}, "B", OUT, F(1, 2)),
    ("attack", {"attacker": bow(3), "target": B, "cover": True}, "B", OUT, F(1, 4)),
    ("attack", {"attacker": bow(), "target": B, "cover": True}, "B", "2 damage", F(1, 2)),
    ("attack", {"attacker": bow(), "target": B, "distance": "siege"}, "B", "2 damage", F(1, 6)),
    ("attack", {"attacker": bow(), "target": B, "damage": 1}, "B", OUT, F(1, 2)),
    ("attack", {"attacker": bow(), "target": B, "damage": 1, "empowered": True}, "B", "3 damage", F(1, 2)),
    ("attack", {"attacker": bow(), "target": one("B", resistant=["ranged"])}, "B", "1 damage", F(1, 2)),
    (
        "attack",
        {"attacker": bow(damage="true-damage"), "target": one("B", immune=["physical"])},
        "B",
        "2 damage",
        F(1, 2),
    ),
    ("attack", {"attacker": bow(2), "target": one("B", stamina=1, toughness=2)}, "B", OUT, F(1, 4)),
    ("attack", {"attacker": bow(), "target": B, "nearby": (C,)}, "C, after scatter", "2 damage", F(1, 12)),
    (
        "attack",
        {"attacker": bow(), "target": B, "nearby": (one("C", immune=["physical"]), one("D"))},
        "C, after scatter",
        "0 damage",
        1,
    ),
    ("impact", {"mover": card(impact=2), "target": B}, "", "2 damage", 1),
    ("impact", {"mover": card(impact=2), "target": B, "terrain": FORT}, "", "0 damage", 1),
    ("impact", {"mover": card(impact=2, keywords=["relentless"]), "target": B, "flips": 2}, "", OUT, 1),
    ("magic", {"caster": card(magic=3), "target": one("B", immune=["physical"])}, "", OUT, 1),
    ("magic", {"caster": card(magic=3), "target": one("B", resistant=["arcane"])}, "", "2 damage", 1),
    ("dangerous", {"disk": one("B"), "terrain": BOG}, "", OUT, F(2, 3)),
    ("dangerous", {"disk": one("B", keywords=["flying"]), "terrain": BOG}, "", "0 damage", 1),
    ("dangerous", {"disk": one("B", keywords=["strider"]), "terrain": BOG, "stops": True}, "", "0 damage", 1),
    ("dangerous", {"disk": one("B", stamina=1), "terrain": BOG, "reinforces": True}, "", "1 wound", F(2, 3)),
    ("unstable", {"user": A, "target": B, "damage": 3}, "A", OUT, F(1, 6)),
    ("unstable", {"user": one("A", immune=["arcane"]), "target": B, "damage": 3, "type": "arcane"}, "A", "0 damage", 1),
]


@each_case("situation", [*MELEE, *OTHERS], ids=lambda each: f"{each[0]} {each[2]} {each[3]}")
def test_situations(situation: Situation) -> None:
    trial, values, disk, state, chance = situation
    table = figures(case(trial, {"battle-die": "hit"}, **values))
    assert sum(value for (title, words), value in table.items() if words == state and disk in ("", title)) == chance
