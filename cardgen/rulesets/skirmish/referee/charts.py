"""The charts: numbers needed to hit, to wound, and to save, flights, and rout thresholds."""

from __future__ import annotations

from math import ceil, floor

from cardgen.game import MemoizedCall, Procedure, at_most, roll_sum

NEVER = 7
# A need of 7 to 9 is a 6 and then this or more; 10 or more is impossible.
DOUBLE_NEEDS = {7: 4, 8: 5, 9: 6}
BEST_SAVE, MOST_STRENGTH, FAST = 1, 10, 6


def need_to_strike(own_skill: int, enemy_skill: int) -> int:
    """Return the face that hits in close combat."""
    if own_skill > enemy_skill:
        return 3
    return 5 if enemy_skill > 2 * own_skill else 4


def need_to_shoot(skill: int, modifier: int = 0) -> int:
    """Return the number that a shot needs, at least 2 because a 1 always misses."""
    return max(2, 7 - skill - modifier)


def need_to_wound(strength: int, toughness: int) -> int:
    """Return the face that wounds, or NEVER."""
    if toughness >= strength + 4:
        return NEVER
    return min(6, max(2, 4 + toughness - strength))


def need_to_save(save: int, strength: int, piercing: int = 0) -> int:
    """Return the face that an armor save needs against a Strength, or NEVER; a 1 always fails."""
    need = max(BEST_SAVE, save) + max(0, strength - 3) + piercing
    return max(2, need) if need < NEVER else NEVER


def fall_strength(height: float, *, rounds_up: bool = False) -> int:
    """Return the Strength of the hits of a fall from a height in inches."""
    return min(MOST_STRENGTH, ceil(height) if rounds_up else floor(height))


def flight_dice(move: int) -> int:
    """Return the number of dice for the flight of a model that panics."""
    return 3 if move > FAST else 2


def rout_threshold(models: int) -> int:
    """Return how many models out of action make a force test for a rout."""
    return ceil(models / 4)


def leadership_test(who: str, leadership: int, what: str = "Leadership test") -> Procedure[bool]:
    """Roll 2D6; the Leadership or less passes."""
    return bool((yield MemoizedCall(_sum_within, (who, leadership, what))))


def _sum_within(who: str, leadership: int, what: str) -> Procedure[bool]:
    return (yield from roll_sum(2, "leadership", who, f"{what}, {leadership} or less")) <= leadership


def initiative_test(who: str, initiative: int, what: str = "Initiative test") -> Procedure[bool]:
    """Roll a D6; the Initiative or less passes, but a 6 always fails."""
    need = min(initiative, 5)
    return bool(need and (yield at_most("initiative", who, what, need)))
