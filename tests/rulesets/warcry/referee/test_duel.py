"""The price of reactions in a duel: whoever has not activated yet pays one with an action."""

from __future__ import annotations

import pytest

from cardgen.referee.trial import Competitor
from cardgen.rulesets.warcry.referee.duel import FighterDuel, fighter_duel, round_robin
from cardgen.rulesets.warcry.referee.fighter import fighter_stats
from tests.rulesets.warcry.referee.fights import card, case, chances, fighter, rolled, terms

REAPER = fighter("Reaper", "M4 T4 W12", "Scythe: scythe R2 A3 S4 D2/5")
HALBERDIER = fighter("Halberdier", "M4 T4 W10", "Lamp: reach R2 A3 S4 D1/4")
ARCHER = fighter("Archer", "M4 T3 W10", "Bow: ranged R2-20 A2 S3 D1/4")


def duel_of(distance: int = 1, policy: str = "first") -> FighterDuel:
    stats = fighter_stats(REAPER), fighter_stats(HALBERDIER)
    return fighter_duel(*stats, 4, distance, terms(policy={"reactions": policy}))


@pytest.mark.parametrize(("first", "percent"), [(0, "94.00"), (1, "47.97")])
def test_a_reaction_costs_an_action(first: int, percent: str) -> None:
    duel = duel_of()
    assert f"{float(duel.odds(first).map(duel.winner).chance_of(0) * 100):.2f}" == percent


@pytest.mark.parametrize(
    ("distance", "policy", "actions"), [(1, "first", 3), (1, "never", 4), (5, "first", 4)], ids=str
)
def test_who_activates_second_has_an_action_less_after_a_counter(distance: int, policy: str, actions: int) -> None:
    assert len(list(duel_of(distance, policy).steps(0))) == 4 * actions


def test_only_melee_attacks_are_countered() -> None:
    duel = fighter_duel(fighter_stats(ARCHER), fighter_stats(HALBERDIER), 1, 2, terms())
    assert [len(list(duel.steps(first))) for first in (0, 1)] == [4, 3]


def test_who_has_activated_does_not_react() -> None:
    """One round: only the attacks of whoever goes first are answered, and only the first of them."""
    for seed in range(20):
        _, log = rolled(case("duel", a=REAPER, b=HALBERDIER, rounds=1), str(seed))
        counters = [line for line in map(str, log) if "counters" in line]
        assert len(counters) == 1
        assert counters[0].startswith("Halberdier")


def test_a_counter_leaves_one_attack() -> None:
    """Two attacks of a Reaper, one of a Halberdier that still stands."""
    _, log = rolled(case("duel", a=REAPER, b=HALBERDIER, rounds=1), "2")
    attacks = [line.split(":")[0] for line in map(str, log) if " critical hit" in line]
    assert attacks == ["Reaper", "Reaper", "Halberdier"]


def test_a_duel_lasts_as_many_rounds_as_the_ruling_says() -> None:
    values = {"a": REAPER, "b": HALBERDIER}
    three = chances(case("duel", {"rounds": "three"}, **values))
    assert three == chances(case("duel", rounds=3, **values)) != chances(case("duel", **values))
    assert chances(case("duel", rounds=4, **values)) == chances(case("duel", **values))


def test_a_blessing_is_for_a_weapon_in_range() -> None:
    abbess = fighter("Abbess", "M5 T4 W20", "Breath: blast R3-7 A2 S5 D3/6", "Censer: mace R1 A4 S4 D2/4")
    might = card("blessing", "Might", points={"regular": 1, "elite": 1}, changes=[{"strength": 1, "weapon": "one"}])
    for trial, key, pair in (
        ("attack", "blessing", {"attacker": abbess, "target": HALBERDIER, "distance": 1}),
        ("duel", "blessing_a", {"a": abbess, "b": HALBERDIER}),
    ):
        assert chances(case(trial, **pair, **{key: might})) != chances(case(trial, **pair))
    competitors = [Competitor(abbess), Competitor(abbess, might), Competitor(HALBERDIER)]
    plain, blessed = (pairing.wins for pairing in round_robin(competitors, terms()) if pairing.other == 2)
    assert blessed > plain


def test_a_duel_says_what_it_leaves_out() -> None:
    notes = case("duel", a=fighter("A"), b=fighter("B")).not_simulated
    assert notes == ("abilities, battle traits, moves, and reactions other than Counter",)


@pytest.mark.parametrize("policy", ["first", "never"])
def test_of_weapons_with_the_same_mean_damage_the_order_makes_no_difference(policy: str) -> None:
    """Against a Toughness of 2, both allocate 4.5 points on average."""
    weapons = ("Cane: sword R3 A3 S2 D3/3", "Needle: sword R12 A3 S3 D2/3")
    foe = fighter("Foe", "M4 T2 W1")
    one, other = (fighter("Asha", "M5 T3 W13", *order) for order in (weapons, weapons[::-1]))
    found = [chances(case("duel", policy={"reactions": policy}, a=each, b=foe, rounds=2)) for each in (one, other)]
    assert found[0] == found[1]
