"""Moves and reinforcements: what ends a move, impact, and dangerous terrain."""

from __future__ import annotations

from typing import Any

import pytest

from cardgen.referee.rounds import DeckCard
from cardgen.rulesets.diskwars.referee.battle.table import Piece, Table, move, reinforce
from cardgen.rulesets.diskwars.referee.disk import Health, Terrain
from tests.rulesets.diskwars.referee.battle.players import Script, piece, run_with, table_of

BOG = Terrain("Mire", frozenset({"rough"}), "physical", frozenset())
FIRE = Terrain("Fire", frozenset(), "arcane", frozenset())


def moved(who: Piece, *others: Piece, dice: Any = None, flips: Any = (), on: Any = (), **rulings: str) -> Script:
    """Move a disk by up to 4 flips; `on` is what it overlaps after each leg."""
    script = Script(dice, flips=list(flips), on=[(each,) if each else () for each in on])
    run_with(move(table_of(who, *others, terrain=(BOG, FIRE), **rulings), who, 4), script)
    return script


def test_a_move_ends_on_an_enemy_but_not_on_a_friend() -> None:
    who, friend, enemy = piece(0, "A"), piece(0, "B"), piece(1, "C")
    script = moved(who, friend, enemy, flips=[1, 1, 1], on=["B", "C"])
    assert len(script.of("flips")) == 2
    assert who.beneath == [enemy]


@pytest.mark.parametrize(
    ("keywords", "rulings", "legs"),
    [
        ({"relentless"}, {}, 2),
        ({"relentless"}, {"relentless_first": "same"}, 4),
        ({"flying"}, {}, 1),
        (set(), {}, 1),
    ],
)
def test_relentless_and_flying_disks(keywords: set[str], rulings: dict[str, str], legs: int) -> None:
    """K8 and U40: the same enemy after every flip."""
    script = moved(piece(0, "A", keywords=keywords), piece(1, "B"), flips=[1] * 4, on=["B"] * 4, **rulings)
    assert len(script.of("on")) == legs


@pytest.mark.parametrize(
    ("keywords", "before", "rulings", "damage", "legs"),
    [
        (set(), [], {}, 1, 1),
        (set(), [BOG], {}, 4, 4),
        (set(), [BOG], {"dangerous_again": "once"}, 1, 4),
        ({"strider"}, [], {}, 0, 4),
        ({"strider"}, [], {"strider_rest": "hurt"}, 1, 4),
        ({"flying"}, [], {}, 1, 1),
        ({"flying", "strider"}, [], {}, 0, 1),
        ({"flying", "strider"}, [], {"strider_rest": "hurt"}, 1, 1),
    ],
)
def test_rough_and_dangerous_terrain(
    keywords: set[str], before: Any, rulings: dict[str, str], damage: int, legs: int
) -> None:
    """T3, T7, U31, and U36."""
    who = piece(0, "A", keywords=keywords)
    who.ground = before
    script = moved(who, piece(1, "B"), flips=[1] * 4, on=["Mire"] * 4, **rulings)
    assert who.health.damage == damage
    assert len(script.of("on")) == legs


@pytest.mark.parametrize(("flips", "legs"), [([1, 1, 1], 3), ([1, 2, 1], 2)])
def test_rough_terrain_ends_a_move_that_comes_back_to_it(flips: list[int], legs: int) -> None:
    """T7: of two flips, the first one left the terrain."""
    who = piece(0, "A")
    who.ground = [BOG]
    script = moved(who, piece(1, "B"), flips=flips, on=["Mire"] * 3)
    assert len(script.of("on")) == legs


@pytest.mark.parametrize(
    ("rulings", "enemy", "friend"),
    [({}, 4, 4), ({"impact_friends": "enemies"}, 4, 0), ({"impact_again": "once"}, 2, 2)],
)
def test_impact(rulings: dict[str, str], enemy: int, friend: int) -> None:
    """K5 and U29: a relentless disk with impact 2 pins both in two flips."""
    foe, mate = piece(1, "B"), piece(0, "C")
    script = Script(flips=[1, 1], on=[("B", "C"), ("B", "C")])
    who = piece(0, "A", impact=2, keywords={"relentless"})
    run_with(move(table_of(who, foe, mate, **rulings), who, 4), script)
    assert (foe.health.damage, mate.health.damage) == (enemy, friend)


@pytest.mark.parametrize(("setting", "legs"), [("over", 1), ("goes-on", 2)])
def test_impact_clears_the_way(setting: str, legs: int) -> None:
    """U45."""
    script = moved(piece(0, "A", impact=2), piece(1, "B", toughness=2), piece(1, "C"), flips=[1, 1], on=["B", "C"],
                   cleared_way=setting)  # fmt: skip
    assert len(script.of("on")) == legs


@pytest.mark.parametrize(("side", "keywords"), [(1, {"relentless"}), (0, set())])
def test_a_disk_that_an_earlier_flip_killed_is_not_offered_again(side: int, keywords: set[str]) -> None:
    """An enemy under a relentless disk, and a friend under any disk."""
    who, victim = piece(0, "A", impact=2, keywords=keywords), piece(side, "B", toughness=2)
    script = moved(who, victim, piece(1, "C"), flips=[1, 1], on=["B", ""])
    assert victim.is_lost
    assert [[option for option in each.options if option in "BC"] for each in script.of("on")] == [["B", "C"], ["C"]]


def test_a_flyer_tramples_only_where_it_lands() -> None:
    foe = piece(1, "B")
    moved(piece(0, "A", impact=2, keywords={"flying"}), foe, flips=[4], on=["B"])
    assert foe.health.damage == 2


def test_a_disk_that_leaves_lets_those_above_it_fall() -> None:
    low = piece(1, "C")
    who = piece(0, "B", low)
    top = piece(0, "A", who)
    run_with(move(table_of(top, who, low, friendly_pin="enemies"), who, 1), Script(flips=[1], falls=[("C",)]))
    assert top.beneath == [low]
    assert who.beneath == []


def reinforced(table: Table, who: Piece, **answers: Any) -> Script:
    who.place = "reserve"
    script = Script(**answers)
    run_with(reinforce(table, who), script)
    return script


@pytest.mark.parametrize(
    ("keywords", "rulings", "options"),
    [
        (set(), {}, ("B", "C", "Fire")),
        (set(), {"reinforce_enemy": "forbidden"}, ("C", "Fire")),
        ({"flank"}, {}, ("C", "Fire")),
    ],
)
def test_reinforcements(keywords: set[str], rulings: dict[str, str], options: tuple[str, ...]) -> None:
    """V3, V4, K1, and U6."""
    who = piece(0, "A", keywords=keywords)
    table = table_of(who, piece(1, "B"), piece(0, "C"), terrain=(FIRE,), **rulings)
    script = reinforced(table, who, flank="yes", on=[("Fire",)], dice=[3])
    assert script.of("on")[0].options == options
    assert who.health == Health(3, is_activated=True)
    assert who.is_present


def test_impact_that_a_passive_ability_lowers_heals_nobody() -> None:
    """K5."""
    who, foe = piece(0, "A", impact=1), piece(1, "B", health=Health(damage=2))
    table = table_of(who, foe)
    table.players[0].cards = [DeckCard("Mud", {"bonuses": [{"stat": "impact", "amount": -2, "when": "always"}]})]
    run_with(move(table, who, 4), Script(flips=[1], on=[("B",)]))
    assert foe.health.damage == 2


def test_a_disk_and_terrain_of_one_name_are_told_apart() -> None:
    who, tower = piece(0, "A"), piece(1, "Mire")
    table = table_of(who, tower, terrain=(BOG,))
    script = Script(flips=[1], on=[("Mire (terrain)",)])
    run_with(move(table, who, 4), script)
    assert script.of("on")[0].options == ("Mire", "Mire (terrain)")
    assert (who.beneath, who.ground) == ([], [BOG])
