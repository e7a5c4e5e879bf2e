"""Simultaneous damage, and choices in melee, which depend on no order of a list."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from cardgen.referee.play import roll
from cardgen.referee.trial import Competitor
from cardgen.rulesets.diskwars.referee.battle.battle import melee_phase
from cardgen.rulesets.diskwars.referee.disk import Harm, Health, suffer_at_once
from cardgen.rulesets.diskwars.referee.melee import WEAKEST
from tests.rulesets.diskwars.referee.battle.players import Script, piece, run_with, table_of
from tests.rulesets.diskwars.referee.cases import TRIALS, F, card, case, disk, figures, rules, terms

RULES, SLINGS = rules(), {"name": "Slings", "missile": 3, "range": "long", "strength": "3"}


def melee(attackers: Any, defenders: Any, rulings: Any = None, policy: str = WEAKEST, **more: Any) -> Any:
    return figures(case("melee", rulings, {"targets": policy}, attackers=attackers, defenders=defenders, **more))


def chances(table: Any, name: str) -> dict[str, Any]:
    return {words: value for (title, words), value in table.items() if title == name}


def test_damage_of_several_attackers_is_summed_before_it_is_compared() -> None:
    scouts, slingers = card("Scouts", attack="2"), card("Slingers")
    target = card("Target", counter="3", stamina=1)
    for attackers in set(permutations(("Scouts", "Scouts", "Slingers", "Slingers"))):
        cards = tuple(scouts if name == "Scouts" else slingers for name in attackers)
        assert chances(melee(cards, (target,)), "Target") == {"1 wound": 1}
        assert "Target: 1 wound" in case("melee", attackers=cards, defenders=(target,)).outcome_lines(
            roll(case("melee", attackers=cards, defenders=(target,)).start(), "seed")
        )


def test_simultaneous_damage_is_halved_blow_by_blow_and_wounds_once() -> None:
    target = disk(toughness=4, stamina=2, resistant={"physical"})
    assert suffer_at_once(target, Health(), [Harm(3), Harm(3), Harm(9)], RULES) == Health(wounds=1)
    assert suffer_at_once(target, Health(), [Harm(3), Harm(1)], RULES) == Health(3)


def test_swift_damage_is_compared_before_the_rest() -> None:
    """Two swift blows wound, and the third one stays as damage."""
    swift = card("Swift", attack="2", swift="attack")
    table = melee((swift, card("Plain", attack="2"), swift), (card("Target", toughness=4, stamina=1),))
    assert chances(table, "Target") == {"2 damage, 1 wound": 1}


def test_the_tracker_sums_damage() -> None:
    low = piece(1, "L", toughness=3, stamina=1)
    uppers = [piece(0, name, low, attack=attack) for name, attack in {"A": "2", "B": "1", "C": "2"}.items()]
    run_with(melee_phase(table_of(*uppers, low)), Script(target="A"))
    assert low.health == Health(wounds=1)


@pytest.mark.parametrize(("setting", "outcome"), [("each", "casualty"), ("together", "1 wound")])
def test_several_hits_of_one_shot(setting: str, outcome: str) -> None:
    values = {"attacker": card(ranged=[SLINGS]), "target": card("T", stamina=1)}
    table = chances(figures(case("attack", {"shot_hits": setting, "battle_die": "hit"}, **values)), "T")
    assert table.get("casualty", 0) == (F(1, 2) if setting == "each" else 0)
    assert table[outcome] > 0


WEAK, TOUGH, GRIM = card("Weak"), card("Tough", toughness=6), card("Grim", toughness=7, counter="5")


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ("weakest", {"Weak": {"casualty": 1}, "Tough": {"2 damage": 1}, "Grim": {"0 damage": 1}}),
        ("strongest", {"Weak": {"0 damage": 1}, "Tough": {"0 damage": 1}, "Grim": {"5 damage": 1}}),
    ],
)
def test_a_policy_chooses_whom_disks_damage(policy: str, expected: Any) -> None:
    """The first attacker is sure to wound the weakest, so the other one takes the next."""
    attackers = card("Rider", attack="3", toughness=9), card("Page", attack="2", toughness=9)
    for above in permutations(attackers):
        for beneath in permutations((WEAK, TOUGH, GRIM)):
            table = melee(above, beneath, policy=policy)
            assert {name: chances(table, name) for name in expected} == expected


def test_equal_enemies_are_equally_likely_and_equal_copies_are_one() -> None:
    twins = card("Left"), card("Right")
    table = melee((card(attack="3"),), twins)
    assert [chances(table, name)["casualty"] for name in ("Left", "Right")] == [F(1, 2), F(1, 2)]
    table = melee((card(attack="3"),), (card("Left"), card("Left")))
    assert chances(table, "Left 1") == {"casualty": 1}
    assert melee((card(attack="3"),), twins, policy="any") == melee((card(attack="3"),), twins)


@pytest.mark.parametrize(("names", "chance"), [(("Left", "Left"), F(1, 2)), (("Left", "Right"), F(1, 2))])
def test_each_attacker_draws_among_copies_by_the_policy_any(names: tuple[str, str], chance: F) -> None:
    """Two blows of 2 fall on the same disk half of the time, whether it is a copy of the other or only equal to it."""
    table = melee((card(attack="2"), card("Z", attack="2")), tuple(card(name) for name in names), policy="any")
    assert table["casualties", "nobody"] == chance


@pytest.mark.parametrize("policy", ["any", "weakest"])
def test_each_of_three_equal_enemies_is_equally_likely_if_two_are_copies(policy: str) -> None:
    for beneath in permutations((card("Left"), card("Left"), card("Right"))):
        assert melee((card(attack="3"),), beneath, policy=policy)["Right", "casualty"] == F(1, 3)


def test_copies_that_other_dice_strike_are_no_longer_equal() -> None:
    """A d6 and a 1 are at least 1 each, but what a third blow adds to them differs."""
    above = card("A", attack="d6"), card("B", attack="1"), card("C", attack="2")
    same, other = (
        melee(above, tuple(card(name, toughness=4) for name in names), policy="any")
        for names in (("Left", "Left"), ("Left", "Right"))
    )
    assert same["casualties", "nobody"] == other["casualties", "nobody"]


def test_nobody_attacks_an_immune_disk_by_choice() -> None:
    table = melee((card(attack="3"),), (card("Ghost", toughness=1, immune=["physical"]), card("Tough", toughness=9)))
    assert chances(table, "Tough") == {"3 damage": 1}


def test_the_policy_orders_engagements_of_one_disk() -> None:
    """With two engagements, the first one decides whether the attacker lives to fight the second."""
    deadly = card("Deadly", counter="9", toughness=4)
    for beneath in permutations((card("Meek"), deadly)):
        table = melee((card(attack="3"),), beneath, {"two_pinned": "two"})
        assert (chances(table, "Meek"), chances(table, "Deadly")) == ({"casualty": 1}, {"3 damage": 1})
        table = melee((card(attack="3"),), beneath, {"two_pinned": "two"}, "strongest")
        assert (chances(table, "Meek"), chances(table, "Deadly")) == ({"0 damage": 1}, {"3 damage": 1})


@pytest.mark.parametrize(("setting", "is_swift"), [("counter", True), ("attack", False)])
def test_the_ruling_on_defensive_terrain_holds_in_the_trial(setting: str, is_swift: bool) -> None:
    wall = {"kind": "terrain", "name": "Wall", "defensive": "counter"}
    table = melee((card(attack="3"),), (card("B", counter="3"),), {"defensive_type": setting}, beneath=wall)
    assert chances(table, "B") == {"0 damage" if is_swift else "casualty": 1}


def test_when_both_disks_of_a_duel_fall_neither_side_has_the_advantage() -> None:
    """Whose turn is next pins; it was always the disk named second."""
    one, other = card("A", attack="d6", counter="3", cost=2), card("B", attack="3", counter="d6", cost=2, toughness=2)
    crowd = Competitor({**one, "cost": 4}), Competitor({**other, "cost": 6})
    ((there,), (back,)) = (tuple(TRIALS.round_robin(each, terms())) for each in (crowd, crowd[::-1]))
    assert (there.wins, there.loses) == (back.loses, back.wins)
