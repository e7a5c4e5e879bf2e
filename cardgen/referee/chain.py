"""Chains of steps, worked out exactly: distributions of states, pushed through kernels that are remembered.

A state is a pair: a `mode`, which is any hashable value, and `counters`, a tuple of whole numbers. A step says how far
it looks at each counter; so states that differ beyond that share one kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from math import lcm
from operator import add, sub
from typing import Any, Generic, TypeAlias, TypeVar

from cardgen.referee.die import Die
from cardgen.referee.odds import Odds
from cardgen.referee.requests import Procedure, seen

T = TypeVar("T", bound=Hashable)
Counters: TypeAlias = tuple[int, ...]
Bounds: TypeAlias = tuple[int | None, ...]
State: TypeAlias = tuple[Any, Counters]
# The modes after a step by number, by how much each counter changes, and the weight.
Changes: TypeAlias = tuple[tuple[int, Counters, int], ...]
# States by number, and their weights.
Spread: TypeAlias = dict[int, int]
Branches: TypeAlias = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Step:
    """A procedure from a state to the next, and the bounds of what it sees of the counters.

    A counter of `n` is shown to it as min(n, bound), and None stands for no bound. Beyond the bound the step must
    change the counter by the same amount, whatever it is. Steps of the same name must be the same.
    """

    name: str
    procedure: Callable[[State], Procedure[State]]
    bounds: Bounds


@dataclass(slots=True)
class Kernel:
    """What a step makes of each state known so far; the weights of a state's branches always come to `total`."""

    total: int = 1
    branches: dict[int, Branches] = field(default_factory=dict)

    def learn(self, number: int, branches: Branches, total: int) -> None:
        """Add what becomes of one more state; `total` is the weight of all its branches."""
        common = lcm(self.total, total)
        if common != self.total:
            factor = common // self.total
            self.branches = {known: _scaled(some, factor) for known, some in self.branches.items()}
            self.total = common
        self.branches[number] = _scaled(branches, common // total)

    def push(self, spread: Spread) -> Spread:
        """What becomes of a distribution of states, whose weights grow by `total`.

        Raises KeyError for a state that is not known.
        """
        branches = self.branches
        if self.total == 1:
            after = {branches[number][0][0]: weight for number, weight in spread.items()}
            if len(after) == len(spread):
                return after
        after = {}
        for number, weight in spread.items():
            for then, share in branches[number]:
                if then in after:
                    after[then] += weight * share
                else:
                    after[then] = weight * share
        return after


def _scaled(branches: Branches, factor: int) -> Branches:
    return branches if factor == 1 else tuple([(then, weight * factor) for then, weight in branches])


class Chain(Generic[T]):
    """Runs distributions of states through steps.

    `over` says of which states nothing more becomes, and `read` what a state means at the end.
    """

    def __init__(self, over: Callable[[State], bool], read: Callable[[State], T], odds: Odds | None = None) -> None:
        self._over, self._read = over, read
        self._odds = odds or Odds()
        self._modes: list[Hashable] = []
        self._mode_numbers: dict[Hashable, int] = {}
        self._numbers: dict[tuple[int, Counters], int] = {}
        self._states: list[tuple[int, Counters]] = []
        self._ended: set[int] = set()
        self._meanings: dict[int, T] = {}
        self._changes: dict[tuple[str, int, Counters], tuple[Changes, int]] = {}
        self._kernels: dict[str, Kernel] = {}

    def run(self, start: State, steps: Iterable[Step]) -> Die[T]:
        """The exact distribution of what the states after all steps mean."""
        spread, total = {self._state(self._mode(start[0]), start[1]): 1}, 1
        # What has ended waits here, with the weight that everything had then.
        ends: list[tuple[Spread, int]] = []
        for step in steps:
            if not self._ended.isdisjoint(spread):
                ends.append(({number: spread.pop(number) for number in self._ended & spread.keys()}, total))
            kernel = self._kernels.setdefault(step.name, Kernel())
            try:
                spread = kernel.push(spread)
            except KeyError:
                self._learn(kernel, step, spread)
                spread = kernel.push(spread)
            total *= kernel.total
        return self._meant([*ends, (spread, total)])

    def _meant(self, ends: list[tuple[Spread, int]]) -> Die[T]:
        """Join what has ended at different times."""
        whole, joined = ends[-1][1], dict[int, int]()
        for spread, total in ends:
            factor = whole // total
            for number, weight in spread.items():
                joined[number] = joined.get(number, 0) + weight * factor
        weights, meanings = dict[T, int](), self._meanings
        for number, weight in joined.items():
            if number not in meanings:
                meanings[number] = self._read(self._shown(number))
            meaning = meanings[number]
            weights[meaning] = weights.get(meaning, 0) + weight
        return Die.of(weights)

    def _learn(self, kernel: Kernel, step: Step, spread: Spread) -> None:
        """Work out what a step makes of those states that its kernel does not know."""
        for number in spread.keys() - kernel.branches.keys():
            kernel.learn(number, *self._branches(number, step))

    def _branches(self, number: int, step: Step) -> tuple[Branches, int]:
        """The states that become of a state in a step, and the weight of all of them."""
        mode, counters = self._states[number]
        shown = seen(counters, step.bounds)
        key = (step.name, mode, shown)
        found = self._changes.get(key)
        if found is None:
            found = self._changes[key] = self._worked_out(mode, shown, step)
        changes, total = found
        state = self._state
        return tuple([(state(new, tuple(map(add, counters, by))), weight) for new, by, weight in changes]), total

    def _worked_out(self, mode: int, shown: Counters, step: Step) -> tuple[Changes, int]:
        """What a step makes of all states that look like this to it."""
        after = self._odds.of(step.procedure, (self._modes[mode], shown))
        changes = tuple(
            [
                (self._mode(new), tuple(map(sub, counters, shown)), weight)
                for (new, counters), weight in after.weights.items()
            ]
        )
        return changes, after.total

    def _mode(self, mode: Hashable) -> int:
        number = self._mode_numbers.setdefault(mode, len(self._modes))
        if number == len(self._modes):
            self._modes.append(mode)
        return number

    def _state(self, mode: int, counters: Counters) -> int:
        key = (mode, counters)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self._states)
            self._states.append(key)
            if self._over(self._shown(number)):
                self._ended.add(number)
        return number

    def _shown(self, number: int) -> State:
        mode, counters = self._states[number]
        return self._modes[mode], counters
