"""Random ranged attacks and engagements against icepool, as fractions."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import icepool

from cardgen.referee.odds import odds
from cardgen.rulesets.diskwars.referee.disk import Disk, Health, Shot, shoot
from cardgen.rulesets.diskwars.referee.melee import Engagement, fight
from tests.cases import each_case
from tests.rulesets.diskwars.referee.cases import CANDIDATES, disk, ranged, rules

RULES, CASES = rules(), 12


def distribution(die: Any) -> dict[Any, Fraction]:
    return {outcome: Fraction(quantity, die.denominator()) for outcome, quantity in die.items()}


def health_after(target: Disk, packets: int, strength: int, is_halved: bool) -> tuple[int, int, bool]:
    """Damage, wounds, and whether it is a casualty, counted point by point."""
    damage = wounds = 0
    for _ in range(packets):
        damage += (strength + 1) // 2 if is_halved else strength
        if damage >= target.toughness:
            if wounds == target.stamina:
                return 0, wounds, True
            damage, wounds = 0, wounds + 1
    return damage, wounds, False


def as_tuple(health: Health) -> tuple[int, int, bool]:
    return health.damage, health.wounds, health.is_out


@each_case("seed", range(CASES))
def test_shots(seed: int) -> None:
    chance = random.Random(seed)
    faces = CANDIDATES[chance.choice("HCSMX")]
    missile, is_siege, has_cover = chance.randint(1, 4), chance.random() < 0.3, chance.random() < 0.4
    strength, is_halved = chance.choice(["1", "2", "3", "d6"]), chance.random() < 0.4
    target = disk("T", toughness=chance.randint(1, 7), stamina=chance.randint(0, 2),
                  resistant={"ranged"} if is_halved else set())  # fmt: skip
    other = disk("O", toughness=chance.randint(1, 5), stamina=chance.randint(0, 1))
    works = {"critical"} if is_siege else {"hit", "critical"}
    again = icepool.Die(list(faces)).map(lambda face: int(face in works))

    def resolved(face: str) -> Any:
        if face == "scatter":
            return again.map(lambda hit: (0, hit))
        return icepool.Die([(int(face in works), 0)])

    one = icepool.Die(list(faces)).map(resolved)
    dice = max(1, missile - has_cover)
    pool = one
    for _ in range(dice - 1):
        pool = icepool.map(lambda so_far, more: (so_far[0] + more[0], so_far[1] + more[1]), pool, one)
    rolled = icepool.d6 if strength == "d6" else icepool.Die([int(strength)])
    expected = icepool.map(
        lambda hits, amount: (
            health_after(target, hits[0], amount, is_halved),
            health_after(other, hits[1], amount, False),
        ),
        pool,
        rolled,
    )
    shot = Shot("S", ranged(missile, strength), target, faces, RULES, other, is_siege, has_cover)

    def healths(end: Any) -> tuple[tuple[int, int, bool], ...]:
        return as_tuple(end.target.health), as_tuple(end.bystander.health)

    actual = odds(shoot, shot, Health()).map(healths)
    assert dict(actual) == distribution(expected)


@each_case("seed", range(CASES))
def test_engagements(seed: int) -> None:
    chance = random.Random(seed)

    def strength() -> str:
        return chance.choice(["1", "2", "3", "d6"])

    def swiftness() -> dict[str, set[str]]:
        return {"swift": set(chance.choice([(), ("attack",), ("attack", "counter")])),
                "slow": set(chance.choice([(), (), ("counter",)]))}  # fmt: skip

    one, other = (
        disk(name, strength(), strength(), chance.randint(1, 6), stamina=chance.randint(0, 1), **swiftness())
        for name in "AB"
    )
    step = [
        ("attack" in one.slow) - ("attack" in one.swift),
        ("counter" in other.slow) - ("counter" in other.swift),
    ]

    def ends(attack: int, counter: int) -> tuple[tuple[int, int, bool], tuple[int, int, bool]]:
        above, beneath = health_after(one, 1, counter, False), health_after(other, 1, attack, False)
        if step[0] < step[1] and beneath[2]:
            above = (0, 0, False)
        if step[1] < step[0] and above[2]:
            beneath = (0, 0, False)
        return above, beneath

    def die(text: str) -> Any:
        return icepool.d6 if text == "d6" else icepool.Die([int(text)])

    printed = [("d6" if each.is_rolled else str(each.number)) for each in (one.attack, other.counter)]
    expected = icepool.map(ends, die(printed[0]), die(printed[1]))
    actual = odds(fight, Engagement((one, other), 1, RULES), (Health(), Health()))
    assert dict(actual.map(lambda healths: tuple(map(as_tuple, healths)))) == distribution(expected)
