"""Climbs, jumps, gaps, and falls (seed: Climbing to Falling)."""

from __future__ import annotations

from typing import NamedTuple

from cardgen.game import Log, MemoizedCall, Procedure, Roll
from cardgen.rulesets.skirmish.referee.aim import fall_hit
from cardgen.rulesets.skirmish.referee.blow import Outcome, resolve
from cardgen.rulesets.skirmish.referee.charts import initiative_test
from cardgen.rulesets.skirmish.referee.warrior import Health, Rules, Warrior

INCHES_PER_TEST, HIGHEST_JUMP, WIDEST_GAP = 2, 6, 3
EDGE = 1


class Landing(NamedTuple):
    """How a warrior gets up, down, or across: in words, and its health."""

    words: str
    health: Health

    @property
    def has_fallen(self) -> bool:
        """Whether it fell."""
        return self.words == FALLS


SUCCEEDS, STAYS, FALLS = "succeeds", "does not move", "falls"


def fall(who: Warrior, health: Health, height: float, rules: Rules, roller: str = "") -> Procedure[Landing]:
    """Fall from a height in inches: D3 hits of that Strength.

    `roller` is who rolls for injuries, by the ruling `fall-dice`.
    """
    hits = yield Roll("hits", who.name, f'hits of a fall of {height:g}"', 3)
    blow = fall_hit(who, height, who.name if ("fall-dice", "owner") in rules or not roller else roller, rules)
    yield Log("{}: {} at {}", (who.name, f"{hits} {'hit' if hits == 1 else 'hits'}", blow.basis))
    outcome: Outcome = yield MemoizedCall(resolve, (((blow, hits),), health))
    return Landing(FALLS, outcome.health)


def jump(who: Warrior, health: Health, height: float, rules: Rules, roller: str = "") -> Procedure[Landing]:
    """Jump down: an Initiative test for each complete 2 inches, and a fall if one fails.

    Raises ValueError for more than 6 inches.
    """
    if height > HIGHEST_JUMP:
        raise ValueError(f'a jump must be at most {HIGHEST_JUMP}" high, not {height:g}"')
    for number in range(1, int(height // INCHES_PER_TEST) + 1):
        if not (yield from initiative_test(who.name, who.i, f"jump, test {number}")):
            return (yield from fall(who, health, height, rules, roller))
    return Landing(SUCCEEDS, health)


def climb(
    who: Warrior, health: Health, height: float, rules: Rules, *, down: bool = False, levels: int = 1, roller: str = ""
) -> Procedure[Landing]:
    """Climb up, or else stay; or climb down, or else fall.

    Raises ValueError for animals, and for a height above the Movement.
    """
    if "animal" in who.rules:
        raise ValueError(f"{who.name} is an animal and cannot climb")
    if height > who.m:
        raise ValueError(f'{who.name} can climb at most {who.m}", not {height:g}"')
    for _ in range(levels if ("climb-levels", "each") in rules else 1):
        if not (yield from initiative_test(who.name, who.i, f"climb {'down' if down else 'up'}")):
            return (yield from fall(who, health, height, rules, roller)) if down else Landing(STAYS, health)
    return Landing(SUCCEEDS, health)


def leap(who: Warrior, health: Health, width: float, movement: float, depth: float, rules: Rules) -> Procedure[Landing]:
    """Jump over a gap: a fall without enough movement, or else an Initiative test.

    `depth` is the height of the fall. Raises ValueError for more than 3 inches.
    """
    if width > WIDEST_GAP:
        raise ValueError(f'a gap must be at most {WIDEST_GAP}" wide, not {width:g}"')
    is_far_enough = movement >= width
    if is_far_enough and (yield from initiative_test(who.name, who.i, "jump over a gap")):
        return Landing(SUCCEEDS, health)
    return (yield from fall(who, health, depth, rules))


def slip(who: Warrior, health: Health, height: float, rules: Rules, roller: str = "") -> Procedure[Landing]:
    """Test whether a warrior felled near an edge slips over it."""
    if (yield from initiative_test(who.name, who.i, "stays on the edge")):
        return Landing(SUCCEEDS, health)
    return (yield from fall(who, health, height, rules, roller))
