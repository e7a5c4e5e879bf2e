"""Facts of the rules and their rulings, each of which the procedures hold."""

from __future__ import annotations

from typing import Any

import pytest

from cardgen.referee.odds import odds
from cardgen.rulesets.diskwars.referee.disk import (
    Crossing,
    Harm,
    Health,
    Shot,
    bystander_of,
    cast,
    damage_taken,
    end_round,
    flips_into_range,
    flips_to_pin,
    shoot,
    suffer,
    trample,
)
from cardgen.rulesets.diskwars.referee.melee import Engagement, fight
from cardgen.rulesets.diskwars.referee.order import resolution_order
from tests.cases import each_case
from tests.rulesets.diskwars.referee.cases import F, card, case, disk, figures, ranged, rules

FRESH, RULES = Health(), rules()
B, S, D, SLOW = "bold", "steady", "devious", "slow"


@each_case(
    ("strategies", "rulings", "places"),
    [
        ((S, B), {}, (1, 0)),
        ((D, S), {}, (1, 0)),
        ((B, D), {}, (1, 0)),
        ((B, S), {}, (0, 1)),
        ((B, B), {}, (0, 1)),
        ((SLOW, D), {}, (1, 0)),
        ((SLOW, SLOW), {}, (0, 1)),
        ((B, S, B, D), {}, (3, 0, 1, 2)),
        ((B, S, B, D), {"several_cards": "compared"}, (3, 0, 2, 1)),
        ((SLOW, S, B), {}, (2, 1, 0)),
        ((SLOW, S, B, D), {}, (1, 2, 3, 0)),
        ((SLOW, S, B, D), {"card_ring": "second"}, (2, 1, 3, 0)),
        ((B, SLOW, D), {}, (2, 0, 1)),
    ],
)
def test_order_of_cards(strategies: tuple[str, ...], rulings: dict[str, str], places: tuple[int, ...]) -> None:
    assert resolution_order(strategies, rules(**rulings)) == places


@pytest.mark.parametrize(
    ("keys", "harm", "rulings", "taken"),
    [
        ({"immune": {"impact"}}, Harm(3, "physical", "impact"), {}, 0),
        ({"immune": {"impact"}}, Harm(3, "physical", "impact"), {"immune_to": "types"}, 3),
        ({"immune": {"arcane"}}, Harm(3, "physical"), {}, 3),
        ({"resistant": {"magic"}}, Harm(3, "arcane", "magic"), {}, 2),
        ({"immune": {"physical"}, "resistant": {"physical"}}, Harm(3, "true-damage"), {}, 3),
        ({"resistant": {"arcane", "ranged"}}, Harm(6, "arcane", "ranged"), {}, 3),
        ({"resistant": {"arcane", "ranged"}}, Harm(6, "arcane", "ranged"), {"resistant_twice": "twice"}, 2),
        ({"resistant": {"arcane"}}, Harm(6, "arcane", "ranged"), {"resistant_twice": "twice"}, 3),
        ({"resistant": {"physical", "impact"}}, Harm(5, "physical", "impact"),
         {"resistant_twice": "twice", "immune_to": "types"}, 3),
    ],
)  # fmt: skip
def test_immune_and_resistant(keys: dict[str, Any], harm: Harm, rulings: dict[str, str], taken: int) -> None:
    assert damage_taken(disk(**keys), harm, rules(**rulings)) == taken


def test_true_damage_may_ignore_toughness() -> None:
    harm = Harm(1, "true-damage")
    assert suffer(disk(), FRESH, harm, RULES) == Health(1)
    assert suffer(disk(), FRESH, harm, rules(true_damage="toughness")).is_out


def test_true_damage_may_ignore_stamina() -> None:
    """U15."""
    harm, target = Harm(3, "true-damage"), disk(toughness=3, stamina=1)
    assert suffer(target, FRESH, harm, RULES) == Health(wounds=1)
    assert suffer(target, FRESH, harm, rules(true_damage="further")).is_out
    assert suffer(target, FRESH, harm._replace(damage="arcane"), rules(true_damage="further")) == Health(wounds=1)


def test_the_end_phase_can_wound_an_empowered_disk() -> None:
    health = Health(3, is_empowered=True)
    assert end_round(disk(toughness=3), health, RULES) == FRESH
    assert end_round(disk(toughness=3), health, rules(token_order="empowerment")).is_out
    assert end_round(disk(toughness=3, stamina=1), health, rules(token_order="empowerment")) == Health(wounds=1)


def test_scatter_can_pass_over_an_immune_disk() -> None:
    near, far = disk("N", immune={"physical"}), disk("F")
    assert bystander_of(ranged(1), (near, far), RULES) == near
    assert bystander_of(ranged(1), (near, far), rules(immune_scatter="next")) == far


def test_scatter_can_have_a_d6_of_its_own() -> None:
    """Two dice, of which one scatters: with one d6, both disks take the same damage."""
    faces = ("hit", "hit", "hit", "scatter", "scatter", "scatter")

    def same(**rulings: str) -> Any:
        shot = Shot("S", ranged(2, "d6"), disk("T"), faces, rules(**rulings), disk("O"))
        end: Any = odds(shoot, shot, FRESH)
        die = end.map(lambda each: (each.target.damage, each.bystander.damage))
        both = die.chance(lambda pair: pair[0] > 0 and pair[1] > 0)
        return die.chance(lambda pair: pair[0] == pair[1] > 0) / both

    assert same() == 1
    assert same(scatter_strength="new") < F(1, 2)


def test_swift_and_slow_cancel() -> None:
    attacker = disk("A", "9", "0", 3, swift={"attack"})
    both = attacker._replace(slow=frozenset({"attack"}))
    defender = disk("B", "0", "3", 4)

    def end(*disks: Any, **rulings: str) -> Any:
        (result,) = odds(fight, Engagement(disks, 1, rules(**rulings)), (FRESH, FRESH)).weights
        return result

    assert end(attacker, defender) == (FRESH, Health(is_out=True))
    assert end(both, defender) == (Health(is_out=True), Health(is_out=True))
    slow = defender._replace(slow=frozenset({"attack", "counter"}))
    assert end(attacker, slow, swift_and_slow="opponents") == (Health(is_out=True), Health(is_out=True))


@pytest.mark.parametrize(
    ("keywords", "crossing", "rulings", "rolls"),
    [
        (set(), Crossing(3), {}, 3),
        (set(), Crossing(3), {"dangerous_again": "once"}, 1),
        ({"flying"}, Crossing(3), {}, 0),
        ({"flying"}, Crossing(3, stops=True), {}, 1),
        ({"strider"}, Crossing(3, stops=True), {}, 0),
        ({"strider"}, Crossing(3, stops=True), {"strider_rest": "hurt"}, 1),
        ({"strider"}, Crossing(1, reinforces=True), {}, 1),
    ],
)
def test_dangerous_terrain(keywords: set[str], crossing: Crossing, rulings: dict[str, str], rolls: int) -> None:
    assert crossing.rolls(disk(keywords=keywords), rules(**rulings)) == rolls


def test_impact_and_magic() -> None:
    assert trample(disk(impact=2), disk(), FRESH, 3, RULES) == Health(6)
    assert trample(disk(impact=2), disk(), FRESH, 3, rules(impact_again="once")) == Health(2)
    assert cast(disk(magic=2), disk(), FRESH, RULES) == Health(2)


@pytest.mark.parametrize(("gap", "flips"), [(0, 1), (39, 1), (40, 2), (41, 2), (80, 3)])
def test_flips_to_pin(gap: int, flips: int) -> None:
    assert flips_to_pin(gap, 40) == flips


def test_flips_into_range() -> None:
    assert [flips_into_range(gap, 40, 75, RULES) for gap in (75, 76, 115, 116)] == [0, 1, 1, 2]
    assert flips_into_range(115, 40, 75, rules(range_edge="beyond")) == 2


@pytest.mark.parametrize("diameter", [76.2, 3 * 25.4])
def test_a_disk_in_inches_that_only_touches_does_not_pin(diameter: float) -> None:
    """Five flips of 76.2 mm are 381 mm."""
    assert [flips_to_pin(gap, diameter) for gap in (380, 381)] == [5, 6]


def test_a_disk_in_inches_is_in_range_at_the_very_end_of_a_segment() -> None:
    """381 mm less six flips of 50.8 mm are 76.2 mm."""
    assert [flips_into_range(gap, 50.8, 76.2, RULES) for gap in (381, 382)] == [6, 7]
    assert flips_into_range(381, 38.1, 76.2, rules(range_edge="beyond")) == 9


ARCHER = card(ranged=[{"name": "Bow", "missile": 2, "range": "medium", "strength": "1"}])
BOG = {"kind": "terrain", "name": "Bog", "dangerous": "physical"}
FAULTS: dict[str, tuple[str, dict[str, Any]]] = {
    "Bow reaches medium range, not long range": (
        "attack",
        {"attacker": ARCHER, "target": card("B"), "distance": "long"},
    ),
    "A has no ranged attack$": ("attack", {"attacker": card(), "target": card("B")}),
    "B is immune to Bow": ("attack", {"attacker": ARCHER, "target": card("B", immune=["ranged"])}),
    "B would be a casualty": ("attack", {"attacker": ARCHER, "target": card("B"), "damage": 3}),
    "damage must be a number from 1 to 12 or d6, not '13'": (
        "unstable",
        {"user": card(), "target": card("B"), "damage": "13"},
    ),
    "must be a number or d6, not 'd3'": ("unstable", {"user": card(), "target": card("B"), "damage": "d3"}),
    "an engagement needs": ("melee", {"attackers": (card(),)}),
    "a scrum needs three": ("scrum", {"disks": (card(), card("B"))}),
    "A has no impact": ("impact", {"mover": card(), "target": card("B")}),
    "A has no Magic": ("magic", {"caster": card(), "target": card("B")}),
    "a fourth player": ("order", {"fourth": "bold"}),
    "A is not relentless, so its move ends when it pins an enemy: --flips is 1 at most": (
        "impact",
        {"mover": card(impact=1), "target": card("B"), "flips": 2},
    ),
    "A is relentless, but its move ends the second time that it pins an enemy: --flips is 2 at most": (
        "impact",
        {"mover": card(impact=1, keywords=["relentless"]), "target": card("B"), "flips": 3},
    ),
    "A is flying, so it pins nobody until its move ends: --flips is 1 at most": (
        "impact",
        {"mover": card(impact=1, keywords=["flying", "relentless"]), "target": card("B"), "flips": 2},
    ),
    "A has movement 4, so it cannot make 5 flips in one move": (
        "impact",
        {"mover": card(impact=1), "target": card("B"), "flips": 5, "friend": True},
    ),
    "A has movement 4, so it cannot make 6 flips": ("dangerous", {"disk": card(), "terrain": BOG, "flips": 6}),
    "A reinforces, so it does not flip": (
        "dangerous",
        {"disk": card(), "terrain": BOG, "flips": 2, "reinforces": True},
    ),
    "B is immune to arcane damage and cannot be the target": (
        "unstable",
        {"user": card(), "target": card("B", immune=["arcane"]), "damage": 1, "type": "arcane"},
    ),
    "no attacker has attack strength d6": (
        "melee",
        {"attackers": (card(),), "defenders": (card("B"),), "own_dice": True},
    ),
    "--own-dice needs an attacker with d6 that damages several defenders": (
        "melee",
        {"attackers": (card(attack="d6"),), "defenders": (card("B"), card("B")), "own_dice": True},
    ),
}


@each_case("message", FAULTS)
def test_what_the_rules_do_not_allow(message: str) -> None:
    trial, values = FAULTS[message]
    with pytest.raises(ValueError, match=message):
        case(trial, **values)


@pytest.mark.parametrize(
    ("keywords", "rulings", "values", "damage"),
    [
        (["relentless"], {}, {"flips": 2}, "4 damage"),
        (["relentless"], {"relentless_first": "same"}, {"flips": 3}, "6 damage"),
        ([], {}, {"flips": 3, "friend": True}, "6 damage"),
    ],
)
def test_flips_that_pin_again(
    keywords: list[str], rulings: dict[str, str], values: dict[str, Any], damage: str
) -> None:
    """K8, U29, and U40: friends do not end a move."""
    mover, target = card(impact=2, keywords=keywords), card("B", toughness=9)
    ((_, words),) = figures(case("impact", rulings, mover=mover, target=target, **values))
    assert words == damage


def test_without_a_weapon_the_first_attack_that_is_possible_is_used() -> None:
    bows: list[dict[str, Any]] = [
        {"name": "Bow", "missile": 1, "range": "long", "strength": "1"},
        {"name": "Mortar", "missile": 2, "range": "siege", "strength": "2", "damage": "arcane"},
    ]
    cases: list[tuple[dict[str, Any], str]] = [
        ({"target": card("B")}, "Bow"),
        ({"target": card("B"), "distance": "siege"}, "Mortar"),
        ({"target": card("B", immune=["physical"])}, "Mortar"),
    ]
    for keys, name in cases:
        assert case("attack", attacker=card(ranged=bows), **keys).title == f"A shoots at B with {name}"
    with pytest.raises(ValueError, match="Bow reaches long range, not siege range"):
        case("attack", attacker=card(ranged=bows), target=card("B"), weapon="Bow", distance="siege")


def test_two_disks_of_one_card_have_names_of_their_own() -> None:
    titles = [title for title, _ in figures(case("unstable", user=card(), target=card(), damage=1))]
    assert {"A 1", "A 2"} <= {title.partition(",")[0] for title in titles}
