"""Distances: claims, moves, and what they exclude."""

from __future__ import annotations

from cardgen.rulesets.warcry.battle.table import FAR, Distances
from tests.rulesets.warcry.battle.players import combatant

BOW = "Bow: ranged R6-20 A2 S3 D1/4"


def test_claims_narrow_the_bounds_until_somebody_moves() -> None:
    one, other, third = (combatant(side, str(side)) for side in (0, 1, 1))
    distances = Distances()
    distances.claim(one, other, 0, 3)
    distances.claim(other, one, 1, 5)
    distances.claim(one, third, 8, FAR)
    assert distances.bounds(one, other) == (1, 3)
    distances.move(one, 2)
    assert (distances.bounds(one, other), distances.bounds(third, one)[0]) == ((0, 5), 6)
    distances.forget(other)
    assert distances.bounds(one, other) == (0, FAR)


def test_what_is_within() -> None:
    one, other = combatant(0, "a"), combatant(1, "b")
    distances = Distances()
    assert distances.is_within(one, other, 1) is None
    distances.claim_apart(one, [other])
    assert distances.is_within(one, other, 1) is False
    distances.forget(one)
    distances.claim(one, other, 0, 1)
    assert distances.is_within(one, other, 1) is True


def test_a_weapon_is_excluded_by_both_ends_of_its_range() -> None:
    one, other = combatant(0, "a", "M5 T4 W10", BOW), combatant(1, "b")
    bow, distances = one.stats.weapons[0], Distances()
    distances.claim(one, other, 0, 3)
    assert (distances.allows(one, other, bow), distances.allows(one, other, bow, move=3)) == (False, True)
    distances.forget(one)
    distances.claim(one, other, 21, FAR)
    assert (distances.allows(one, other, bow), distances.allows(one, other, bow, move=1)) == (False, True)


def test_facts_last_until_a_move() -> None:
    one, other = combatant(0, "a"), combatant(1, "b")
    distances = Distances()
    distances.note(one, other, True)
    assert (distances.fact(one, other), distances.fact(other, one)) == (True, None)
    distances.move(other, 1)
    assert distances.fact(one, other) is None
