"""Steps of Markov chains: their transitions, and what was computed for them.

A state is a pair of a `mode`, which is any hashable value, and `counters`, a tuple of whole numbers. A step consists of
transitions, and each transition has a bound for each counter. States that differ only beyond the bounds share their
results.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from math import lcm
from typing import Any, TypeAlias

from cardgen.referee.requests import Procedure

Counters: TypeAlias = tuple[int, ...]
CounterBounds: TypeAlias = tuple[int | None, ...]
State: TypeAlias = tuple[Any, Counters]
# For each result of a step: the number of the new mode, the change of each counter, and the weight.
WeightedChanges: TypeAlias = tuple[tuple[int, Counters, int], ...]
# Weights by the number of the state.
StateWeights: TypeAlias = dict[int, int]
# The number of each next state, and its weight.
Branches: TypeAlias = tuple[tuple[int, int], ...]

# Changes and their total weight, by the mode and the clamped counters of the state.
TransitionCache: TypeAlias = dict[tuple[int, Counters], tuple[WeightedChanges, int]]

# All that changes of counters depend on, and the modes that can follow.
Likeness: TypeAlias = tuple[Hashable, tuple[Hashable, ...]]


class Library:
    """Changes of counters by likeness, which several chains share; it starts anew when it is full.

    The first number of a change is the place of the new mode among those of the likeness.
    """

    def __init__(self, most: int = 100_000) -> None:
        self._most = most
        self._entries: dict[Hashable, tuple[WeightedChanges, int]] = {}

    def changes(self, key: Hashable, solve: Callable[[], tuple[WeightedChanges, int]]) -> tuple[WeightedChanges, int]:
        """Return the changes for a key, and their total weight; they are solved once."""
        entry = self._entries.get(key)
        if entry is None:
            if len(self._entries) >= self._most:
                self._entries.clear()
            entry = self._entries[key] = solve()
        return entry


@dataclass(frozen=True, slots=True)
class Transition:
    """A procedure from one state to the next, with counter bounds.

    The procedure sees a counter `n` as min(n, bound); None means no bound, and without `bounds` it sees all counters
    unchanged. From the bound upward, the procedure must change a counter by the same amount whatever its value is.
    Transitions with the same `key` must behave in the same way.

    With `likeness`, chains with a common library share results: it returns all that the changes of the counters of a
    state depend on, and the modes that can follow; None if it cannot tell.
    """

    key: Hashable
    procedure: Callable[[State], Procedure[State]]
    bounds: CounterBounds = ()
    likeness: Callable[[State], Likeness | None] | None = None


@dataclass(slots=True)
class Kernel:
    """The branches of each state computed so far for a step.

    The weights of each state's branches add up to `total`.
    """

    total: int = 1
    branches: dict[int, Branches] = field(default_factory=dict)
    cache: TransitionCache = field(default_factory=dict)

    def add(self, number: int, branches: Branches, total: int) -> None:
        """Add the branches of a state; `total` is their total weight."""
        common = lcm(self.total, total)
        if common != self.total:
            factor = common // self.total
            self.branches = {known: _scale(some, factor) for known, some in self.branches.items()}
            self.total = common
        self.branches[number] = _scale(branches, common // total)

    def push(self, spread: StateWeights) -> StateWeights:
        """Return the distribution after the step; all weights are multiplied by `total`.

        Raises KeyError for a state whose branches have not been added.
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


def _scale(branches: Branches, factor: int) -> Branches:
    return branches if factor == 1 else tuple([(then, weight * factor) for then, weight in branches])


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """Transitions that follow each other; equal states between them are merged.

    `bounds` apply to all transitions together. Create steps with `MarkovChain.step`, which shares their caches.
    """

    name: str
    transitions: tuple[Transition, ...]
    bounds: CounterBounds
    kernel: Kernel
    caches: tuple[TransitionCache, ...]

    def procedure(self, state: State) -> Procedure[State]:
        """Play all transitions once, and return the new state."""
        for transition in self.transitions:
            state = yield from transition.procedure(state)
        return state
