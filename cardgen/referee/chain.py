"""Chains of steps, worked out exactly: distributions of states, pushed through kernels that are remembered.

A state is a pair: a `mode`, which is any hashable value, and `counters`, a tuple of whole numbers. A step has parts,
and each says how far it looks at each counter; so states that differ beyond that share what becomes of them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from math import gcd, lcm
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


# What becomes of states by their mode and what is seen of their counters; and the weight of all changes of each.
Lore: TypeAlias = dict[tuple[int, Counters], tuple[Changes, int]]


@dataclass(frozen=True, slots=True)
class Part:
    """A procedure from a state to the next, and the bounds of what it sees of the counters.

    A counter of `n` is shown to it as min(n, bound), and None stands for no bound. Beyond the bound the procedure must
    change the counter by the same amount, whatever it is. Parts of the same key must do the same.
    """

    key: Hashable
    procedure: Callable[[State], Procedure[State]]
    bounds: Bounds


@dataclass(slots=True)
class Kernel:
    """What a step makes of each state known so far; the weights of a state's branches always come to `total`."""

    total: int = 1
    branches: dict[int, Branches] = field(default_factory=dict)
    lore: Lore = field(default_factory=dict)

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


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """Parts that follow each other. Where one of them ends alike on several ways, the next is worked out once.

    `bounds` are those of all parts together. Made by `Chain.step`, which keeps what it learns of it.
    """

    name: str
    parts: tuple[Part, ...]
    bounds: Bounds
    kernel: Kernel
    lores: tuple[Lore, ...]

    def procedure(self, state: State) -> Procedure[State]:
        """All parts, played through once."""
        for part in self.parts:
            state = yield from part.procedure(state)
        return state


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
        self._lores: dict[Hashable, Lore] = {}
        self._kernels: dict[tuple[Hashable, ...], Kernel] = {}

    def step(self, name: str, parts: Sequence[Part], bounds: Bounds) -> Step:
        """A step of parts; what is known of others with the same keys is known of it."""
        keys = tuple([part.key for part in parts])
        kernel = self._kernels.setdefault(keys, Kernel())
        lores = tuple([self._lores.setdefault(key, {}) for key in keys])
        return Step(name, tuple(parts), bounds, kernel, lores)

    def run(self, start: State, steps: Iterable[Step]) -> Die[T]:
        """The exact distribution of what the states after all steps mean."""
        meanings, weights = self._meanings, dict[T, int]()
        for number, weight in self._pushed(start, steps).items():
            if number not in meanings:
                meanings[number] = self._read(self._shown(number))
            meaning = meanings[number]
            weights[meaning] = weights.get(meaning, 0) + weight
        return Die.of(weights)

    def states(self, start: State, steps: Iterable[Step]) -> Die[State]:
        """The exact distribution of the states after all steps."""
        return Die.of({self._shown(number): weight for number, weight in self._pushed(start, steps).items()})

    def _pushed(self, start: State, steps: Iterable[Step]) -> Spread:
        spread, total = {self._state(self._mode(start[0]), start[1]): 1}, 1
        # What has ended waits here, with the weight that everything had then.
        ends: list[tuple[Spread, int]] = []
        for step in steps:
            if not self._ended.isdisjoint(spread):
                ends.append(({number: spread.pop(number) for number in self._ended & spread.keys()}, total))
            kernel = step.kernel
            try:
                spread = kernel.push(spread)
            except KeyError:
                self._learn(step, spread)
                spread = kernel.push(spread)
            total *= kernel.total
        return _joined([*ends, (spread, total)])

    def _learn(self, step: Step, spread: Spread) -> None:
        """Work out what a step makes of those states that its kernel does not know."""
        kernel = step.kernel
        for number in spread:
            if number not in kernel.branches:
                kernel.learn(number, *self._branches(number, step))

    def _branches(self, number: int, step: Step) -> tuple[Branches, int]:
        """The states that become of a state in a step, and the weight of all of them."""
        mode, counters = self._states[number]
        shown = (mode, seen(counters, step.bounds))
        found = step.kernel.lore.get(shown)
        if found is None:
            found = step.kernel.lore[shown] = self._composed(shown, step)
        changes, total = found
        state = self._state
        return tuple([(state(new, tuple(map(add, counters, by))), weight) for new, by, weight in changes]), total

    def _composed(self, shown: tuple[int, Counters], step: Step) -> tuple[Changes, int]:
        """What all parts of a step, one after the other, make of states that look like this to it."""
        spread, total = {shown: 1}, 1
        for part, lore in zip(step.parts, step.lores, strict=True):
            found = [(state, weight, *self._known(state, part, lore)) for state, weight in spread.items()]
            common = lcm(*[each for _, _, _, each in found])
            total *= common
            spread = {}
            for (_, counters), weight, changes, each in found:
                factor = weight * (common // each)
                for new, by, share in changes:
                    state = (new, tuple(map(add, counters, by)))
                    spread[state] = spread.get(state, 0) + factor * share
        divisor = gcd(*spread.values())
        ends = [(new, tuple(map(sub, end, shown[1])), weight // divisor) for (new, end), weight in spread.items()]
        return tuple(ends), total // divisor

    def _known(self, state: tuple[int, Counters], part: Part, lore: Lore) -> tuple[Changes, int]:
        """What a part makes of a state."""
        mode, shown = state[0], seen(state[1], part.bounds)
        found = lore.get((mode, shown))
        if found is None:
            after = self._odds.of(part.procedure, (self._modes[mode], shown))
            changes = [(self._mode(new), tuple(map(sub, end, shown)), w) for (new, end), w in after.weights.items()]
            found = lore[mode, shown] = tuple(changes), after.total
        return found

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


def _joined(ends: list[tuple[Spread, int]]) -> Spread:
    """Join what has ended at different times."""
    whole, joined = ends[-1][1], Spread()
    for spread, total in ends:
        factor = whole // total
        for number, weight in spread.items():
            joined[number] = joined.get(number, 0) + weight * factor
    return joined
