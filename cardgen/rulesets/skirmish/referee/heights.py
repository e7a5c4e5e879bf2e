"""Climbs, jumps, gaps, and falls (seed: Climbing to Falling)."""

from __future__ import annotations

from typing import NamedTuple

from cardgen.game import Log, MemoizedCall, Procedure, Roll, quantity
from cardgen.rulesets.skirmish.referee.aim import fall_hit
from cardgen.rulesets.skirmish.referee.blow import Outcome, resolve
from cardgen.rulesets.skirmish.referee.charts import initiative_test
from cardgen.rulesets.skirmish.referee.warrior import Health, Rules, Warrior

INCHES_PER_TEST, HIGHEST_JUMP, WIDEST_GAP, EDGE = 2, 6, 3, 1
SUCCEEDS, STAYS, FALLS = "succeeds", "does not move", "falls"


class Landing(NamedTuple):
    """How a warrior gets up, down, or across: in words, and its health."""

    words: str
    health: Health

    def __str__(self) -> str:
        return f"{self.words}: {self.health}"


class Attempt(NamedTuple):
    """What a warrior attempts: a height in inches, of which a climb has levels, or a gap with movement left."""

    height: float
    levels: int = 1
    width: float = 0
    movement: float = 0


def fall(who: Warrior, health: Health, attempt: Attempt, rules: Rules, roller: str = "") -> Procedure[Landing]:
    """Fall: D3 hits whose Strength is the height.

    `roller` is who rolls for injuries, by the ruling `fall-dice`.
    """
    hits = yield Roll("hits", who.name, f'hits of a fall of {attempt.height:g}"', 3)
    blow = fall_hit(who, attempt.height, who.name if ("fall-dice", "owner") in rules or not roller else roller, rules)
    yield Log("{}: {} at {}", (who.name, quantity(hits, "hit"), blow.basis))
    outcome: Outcome = yield MemoizedCall(resolve, (((blow, hits),), health))
    return Landing(FALLS, outcome.health)


def jump(who: Warrior, health: Health, attempt: Attempt, rules: Rules, roller: str = "") -> Procedure[Landing]:
    """Jump down: an Initiative test for each complete 2 inches, and a fall if one fails.

    Raises ValueError for more than 6 inches.
    """
    if attempt.height > HIGHEST_JUMP:
        raise ValueError(f'a jump must be at most {HIGHEST_JUMP}" high, not {attempt.height:g}"')
    for number in range(1, int(attempt.height // INCHES_PER_TEST) + 1):
        if not (yield from initiative_test(who.name, who.i, f"jump, test {number}")):
            return (yield from fall(who, health, attempt, rules, roller))
    return Landing(SUCCEEDS, health)


def can_climb(who: Warrior, health: Health) -> bool:
    """Return whether a warrior can climb at all: animals cannot, and so neither can those who ride one."""
    return "animal" not in who.rules and not health.is_mounted


def climb_up(who: Warrior, health: Health, attempt: Attempt, rules: Rules, roller: str = "") -> Procedure[Landing]:
    """Climb up, or else stay.

    Raises ValueError for those who cannot climb, and for a height above the Movement.
    """
    if not can_climb(who, health):
        raise ValueError(f"{who.name} {'is an animal' if 'animal' in who.rules else 'is mounted'} and cannot climb")
    if attempt.height > who.m:
        raise ValueError(f'{who.name} can climb at most {who.m}", not {attempt.height:g}"')
    for _ in range(attempt.levels if ("climb-levels", "each") in rules else 1):
        if not (yield from initiative_test(who.name, who.i, "climb")):
            return Landing(STAYS, health)
    return Landing(SUCCEEDS, health)


def climb_down(who: Warrior, health: Health, attempt: Attempt, rules: Rules, roller: str = "") -> Procedure[Landing]:
    """Climb down, or else fall; the limits are those of a climb up."""
    landing = yield from climb_up(who, health, attempt, rules)
    return landing if landing.words == SUCCEEDS else (yield from fall(who, health, attempt, rules, roller))


def leap(who: Warrior, health: Health, attempt: Attempt, rules: Rules, roller: str = "") -> Procedure[Landing]:
    """Jump over a gap: a fall without enough movement, or else an Initiative test.

    Raises ValueError for more than 3 inches.
    """
    if attempt.width > WIDEST_GAP:
        raise ValueError(f'a gap must be at most {WIDEST_GAP}" wide, not {attempt.width:g}"')
    if attempt.movement >= attempt.width and (yield from initiative_test(who.name, who.i, "jump over a gap")):
        return Landing(SUCCEEDS, health)
    return (yield from fall(who, health, attempt, rules, roller))


def slip(who: Warrior, health: Health, attempt: Attempt, rules: Rules, roller: str = "") -> Procedure[Landing]:
    """Test whether a warrior felled near an edge slips over it."""
    if (yield from initiative_test(who.name, who.i, "stay on the edge")):
        return Landing(SUCCEEDS, health)
    return (yield from fall(who, health, attempt, rules, roller))


PROCEDURES = {"fall": fall, "jump": jump, "climb up": climb_up, "climb down": climb_down, "jump over a gap": leap}
