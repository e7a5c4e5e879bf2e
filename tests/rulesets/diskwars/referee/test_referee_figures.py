"""The exact figures of the rules, for every possible battle die, and as ranges while it is unknown."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from cardgen.referee.battles import is_ring
from cardgen.referee.odds import odds
from cardgen.referee.rounds import initiative_chance
from cardgen.rulesets.diskwars.referee import order
from cardgen.rulesets.diskwars.referee.disk import (
    Crossing,
    Disk,
    Harm,
    Health,
    Ranged,
    Shot,
    ShotEnd,
    cross,
    damage_taken,
    end_round,
    shoot,
    suffer,
    suffer_all,
    unleash,
)
from cardgen.rulesets.diskwars.referee.melee import Engagement, fight, fight_scrum
from cardgen.rulesets.diskwars.referee.strength import Strength
from tests.cases import each_case
from tests.rulesets.diskwars.referee.cases import CANDIDATES, F, card, case, disk, figures, ranged, rules

FRESH, RULES = Health(), rules()


def shots(attack: Ranged, value: Callable[[Any], Any], target: Disk | None = None, **keys: Any) -> dict[str, Fraction]:
    """The chance or mean of `value` of a shot, for each candidate."""
    rulings = keys.pop("rulings", RULES)
    health = keys.pop("health", FRESH)
    shots_by_die = {
        name: Shot("S", attack, target or disk("T"), faces, rulings, **keys) for name, faces in CANDIDATES.items()
    }
    return {name: odds(shoot, shot, health).mean(lambda end: F(value(end))) for name, shot in shots_by_die.items()}


def by_die(text: str) -> dict[str, Fraction]:
    """Figures by candidate from a line such as 'HC 1/2, SMX 7/27'."""
    return {name: F(part.split()[1]) for part in text.split(", ") for name in part.split()[0]}


def at_least(number: int) -> Callable[[ShotEnd], bool]:
    return lambda end: end.target.dice >= number


def is_out(end: ShotEnd) -> bool:
    return end.target.health.is_out


def on_target(end: ShotEnd) -> int:
    return end.target.damage


def on_other(end: ShotEnd) -> int:
    assert end.bystander is not None
    return end.bystander.damage


def melee(attacker: Disk, defender: Disk, empowered: tuple[bool, bool] = (False, False)) -> Any:
    healths = tuple(Health(is_empowered=each) for each in empowered)
    return odds(fight, Engagement((attacker, defender), 1, RULES), healths)


def test_a_roll_names_the_die_that_it_takes_while_nobody_knows() -> None:
    bow = {"name": "Bow", "missile": 2, "range": "long", "strength": "1", "damage": "physical"}
    values = {"attacker": card("A", ranged=[bow]), "target": card("T")}
    notes = [str(each) for each in case("attack", **values).not_simulated]
    assert any("two faces with hit, since nobody knows" in each for each in notes)
    assert not case("attack", {"battle-die": "critical"}, **values).not_simulated


OTHER = {"bystander": disk("O")}
SHOTS: dict[str, tuple[Any, ...]] = {
    "F2": (ranged(3), at_least(2), {}, "HC 1/2, SMX 7/27"),
    "F8 cover": (ranged(3), at_least(1), {"has_cover": True}, "HC 3/4, SMX 5/9"),
    "F8 open": (ranged(3), at_least(1), {}, "HC 7/8, SMX 19/27"),
    "F8 cover, two": (ranged(3), at_least(2), {"has_cover": True}, "HC 1/4, SMX 1/9"),
    "F8 one die": (ranged(1), at_least(1), {"has_cover": True}, "HC 1/2, SMX 1/3"),
    "F9 target": (ranged(3, "2"), on_target, OTHER, "HC 3, SMX 2"),
    "F9 other": (ranged(3, "2"), on_other, OTHER, "HC 1/2, S 2/3, MX 1/3"),
    "F9 target in cover": (ranged(3, "2"), on_target, {"has_cover": True, **OTHER}, "HC 2, SMX 4/3"),
    "F9 other, cover": (ranged(3, "2"), on_other, {"has_cover": True, **OTHER}, "HC 1/3, S 4/9, MX 2/9"),
    "F9 other at all": (
        ranged(3, "2"), lambda end: on_other(end) > 0, OTHER, "HC 397/1728, S 217/729, MX 919/5832"
    ),
    "F10 one": (ranged(3, "2"), at_least(1), {"is_siege": True}, "C 19/27, HSMX 91/216"),
    "F10 two": (ranged(3, "2"), at_least(2), {"is_siege": True}, "C 7/27, HSMX 2/27"),
    "F10 target": (ranged(3, "2"), on_target, {"is_siege": True}, "C 2, HSMX 1"),
    "F10 other": (ranged(3, "2"), on_other, {"is_siege": True, **OTHER}, "CS 1/3, HMX 1/6"),
    "F11": (ranged(2), lambda end: end.target.health.is_activated, {}, "C 5/9, HSMX 11/36"),
    "F12": (ranged(2, "d6"), is_out, {"target": disk(toughness=4)}, "HC 11/24, SMX 17/54"),
    "F12 each halved": (
        ranged(2, "d6"), is_out, {"target": disk(toughness=4, resistant={"physical"})}, "HC 1/6, SMX 2/27"
    ),
    "F12 sum halved": (
        ranged(2, "d6"), is_out,
        {"target": disk(toughness=4, resistant={"physical"}), "rulings": rules(packets="sum")}, "HC 1/8, SMX 1/18",
    ),
}  # fmt: skip


@each_case("name", SHOTS)
def test_shots(name: str) -> None:
    attack, value, keys, expected = SHOTS[name]
    assert shots(attack, value, **keys) == by_die(expected)


def test_one_d6_serves_all_hits_of_a_shot() -> None:
    """F1, with a die that always hits."""
    shot = Shot("S", ranged(2, "d6"), disk(toughness=7), ("hit",) * 6, RULES)
    assert odds(shoot, shot, FRESH).chance(is_out) == F(1, 2)


def test_the_range_of_the_open_die() -> None:
    bow = {"name": "Bow", "missile": 3, "range": "long", "strength": "2"}
    matter: dict[str, Any] = {"attacker": card(ranged=[bow]), "target": card("B"), "distance": "long"}
    title = "B: hits and critical hits"
    table = figures(case("attack", **matter))
    assert table[f"{title}, by the candidates of its dice", "2 or more: at least"] == F(7, 27)
    assert table[f"{title}, by the candidates of its dice", "2 or more: at most"] == F(1, 2)
    assert figures(case("attack", {"battle_die": "chaos"}, **matter))[title, "2 or more"] == F(7, 27)


def test_melee_without_dice() -> None:
    """F3."""
    attacker, defender = disk("A", "3", "0", 4), disk("B", "0", "2", 3)
    (result,) = melee(attacker, defender).weights
    assert result == (Health(2), Health(is_out=True))
    (result,) = melee(attacker, defender._replace(stamina=1)).weights
    assert result == (Health(2), Health(wounds=1))
    tough = disk("B", toughness=4, resistant={"physical"})
    three = (disk("A", "3"), disk("A2", "3"), tough)
    (result,) = odds(fight, Engagement(three, 2, RULES), (FRESH,) * 3).weights
    assert result[2].is_out
    a, b, c = disk("A", "3", "0", 4), disk("B", "4", "2", 3), disk("C", "0", "9", 9)
    (result,) = odds(fight_scrum, (a, b, c), (FRESH,) * 3, RULES).weights
    assert result == (Health(2), Health(is_out=True), FRESH)


@pytest.mark.parametrize(
    ("swift", "stamina", "attacker_out"), [({"attack"}, 0, F(1, 2)), (set(), 0, 1), ({"attack"}, 1, 1)]
)
def test_swift(swift: set[str], stamina: int, attacker_out: Fraction) -> None:
    """F4."""
    die = melee(disk("A", "d6", "0", 3, swift=swift), disk("B", "0", "3", 4, stamina=stamina))
    assert die.chance(lambda ends: ends[0].is_out) == attacker_out
    assert die.chance(lambda ends: ends[1].is_out or ends[1].wounds > 0) == F(1, 2)


def test_empowered() -> None:
    """F5."""
    for empowered, chance in {(0, 0): F(1, 2), (1, 0): F(2, 3), (0, 1): F(1, 3), (1, 1): F(1, 2)}.items():
        die = melee(disk("A", "d6"), disk("B", toughness=4), (bool(empowered[0]), bool(empowered[1])))
        assert die.chance(lambda ends: ends[1].is_out) == chance
    for toughness in range(1, 7):
        die = melee(disk("A", "d6"), disk("B", toughness=toughness))
        assert die.chance(lambda ends: ends[1].is_out) == F(7 - toughness, 6)


@pytest.mark.parametrize(("amount", "packets"), [(1, 9), (2, 6), (3, 3), (4, 3)])
def test_stamina(amount: int, packets: int) -> None:
    """F6."""
    target = disk(toughness=3, stamina=2)
    assert suffer_all(target, FRESH, [Harm(amount)] * packets, RULES).is_out
    assert not suffer_all(target, FRESH, [Harm(amount)] * (packets - 1), RULES).is_out


def test_the_end_of_the_round_clears_damage() -> None:
    target = disk(toughness=3, stamina=2)
    assert end_round(target, suffer(target, FRESH, Harm(2), RULES), RULES) == FRESH


def test_resistant() -> None:
    """F7."""
    target = disk(resistant={"physical"})
    assert sum(damage_taken(target, Harm(face), RULES) for face in range(1, 7)) == 12
    assert damage_taken(target, Harm(1), RULES) == 1
    assert suffer_all(target, FRESH, [Harm(5), Harm(5)], RULES).damage == 6


@pytest.mark.parametrize(
    ("toughness", "flips", "keys", "chance"),
    [
        (5, 2, {}, F(5, 6)),
        (7, 2, {}, F(7, 12)),
        (5, 2, {"resistant": {"arcane"}}, F(1, 3)),
        (4, 2, {"stamina": 1}, F(1, 4)),
        (4, 3, {"stamina": 1}, F(2, 3)),
    ],
)
def test_dangerous_terrain(toughness: int, flips: int, keys: dict[str, Any], chance: Fraction) -> None:
    """F13."""
    die = odds(cross, disk(toughness=toughness, **keys), FRESH, "arcane", Crossing(flips), RULES)
    assert die.chance(lambda health: health.is_out) == chance


def test_initiative_roll() -> None:
    """F14."""
    chances = [initiative_chance((points, 0)) for points in range(7)]
    assert chances == [F(1, 2), F(21, 31), F(13, 16), F(10, 11), F(33, 34), 1, 1]


def test_order_of_cards() -> None:
    """F15 and F16."""
    for word, chance in {"any": F(5, 8), "not-slow": F(2, 3)}.items():
        table = figures(case("order", first=word, second=word))
        assert table["card 1", "first player"] == chance
    rings = [is_ring(each, order.BEATS) for each in product(order.STRATEGIES[:3], repeat=3)]
    assert F(sum(rings), len(rings)) == F(2, 9)


def test_unstable() -> None:
    """F17."""
    for name, faces in CANDIDATES.items():
        die = odds(unleash, disk(), disk("B"), (Strength(1), Harm(1)), faces, "chaos", RULES)
        assert die.chance(lambda end: end.strikes_user) == F(1, 3 if name == "X" else 6)


@pytest.mark.parametrize(("setting", "both"), [("one", F(1, 2)), ("each", F(1, 4))])
def test_an_unstable_d6(setting: str, both: Fraction) -> None:
    """F5: a d6 removes toughness 4 in half of the cases; user and target share it by the ruling shared-d6."""
    user, target = disk(toughness=4), disk("B", toughness=4)
    blow, faces = (Strength(0, True), Harm(1)), CANDIDATES["X"]
    die = odds(unleash, user, target, blow, faces, "chaos", rules(shared_d6=setting))
    assert die.chance(lambda end: end.target.is_out) == F(1, 2)
    assert die.chance(lambda end: end.target.is_out and end.user.is_out) == F(1, 3) * both


@pytest.mark.parametrize(("own_dice", "chance"), [(True, F(1, 4)), (False, F(1, 2))])
def test_separate_dice(own_dice: bool, chance: Fraction) -> None:
    """F18."""
    disks = (disk("A", "d6", keywords={"frenzy"}), disk("B", toughness=4), disk("C", toughness=4))
    die = odds(fight, Engagement(disks, 1, RULES, own_dice), (FRESH,) * 3)
    assert die.chance(lambda ends: ends[1].is_out and ends[2].is_out) == chance
