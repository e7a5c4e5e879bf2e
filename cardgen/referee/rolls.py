"""Common rolls: needs, sums, and roll-offs."""

from __future__ import annotations

from collections.abc import Sequence

from cardgen.referee.requests import Procedure, Roll


def at_least(key: str, who: str, what: str, need: int, sides: int = 6) -> Roll:
    """Return a die that succeeds on `need` or more. Raises ValueError if no side is that high."""
    if need > sides:
        raise ValueError(f"a D{sides} is never {need} or more")
    return Roll(key, who, f"{what}, {need} or more", sides, tuple(range(need, sides + 1)))


def at_most(key: str, who: str, what: str, need: int, sides: int = 6) -> Roll:
    """Return a die that succeeds on `need` or less. Raises ValueError if no side is that low."""
    if need < 1:
        raise ValueError(f"a D{sides} is never {need} or less")
    return Roll(key, who, f"{what}, {need} or less", sides, tuple(range(1, need + 1)))


def roll_sum(count: int, key: str, who: str, what: str, sides: int = 6) -> Procedure[int]:
    """Roll several dice, and return their sum."""
    total = 0
    for _ in range(count):
        total += yield Roll(key, who, f"{what}, {count}D{sides}", sides)
    return total


def roll_off(names: Sequence[str], what: str = "roll-off", sides: int = 6) -> Procedure[int]:
    """Roll a die for each of two names until the results differ; return the place of the higher one."""
    while True:
        one = yield Roll("roll-off", names[0], what, sides)
        other = yield Roll("roll-off", names[1], what, sides)
        if one != other:
            return int(other > one)
