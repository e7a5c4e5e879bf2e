"""Dice pools: the same die rolled several times, worked out one die after the other."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from cardgen.referee.requests import MemoizedCall, Procedure, Roll

T = TypeVar("T", bound=Hashable)


def roll_pool(count: int, die: Roll, start: T, add: Callable[..., T], *arguments: Hashable) -> Procedure[T]:
    """Roll a die so many times and return `start` with every answer added by `add(sum, answer, *arguments)`.

    Pools that come to the same so far are worked out once, so `add` should forget what does not matter.
    """
    if not count:
        return start
    rest: Any = yield MemoizedCall(roll_pool, (count - 1, die, start, add, *arguments))
    answer = yield die
    return add(rest, answer, *arguments)
