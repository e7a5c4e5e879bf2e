"""Markov chains: exact state distributions, pushed through memoized transitions."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, lcm
from operator import add, sub
from typing import Any, Generic, TypeAlias, TypeVar

from cardgen.referee.die import Die
from cardgen.referee.odds import OddsSolver, TooManyPathsError
from cardgen.referee.requests import Procedure, clamp_counters

T = TypeVar("T", bound=Hashable)
# The duels of the cards that come with cardgen have up to 4,000; a state takes 1 to 6 KiB.
MAX_STATES = 250_000


class MarkovChain(Generic[T]):
    """Runs state distributions through steps.

    `is_final` returns whether a state no longer changes, and `outcome_of` returns the outcome of a state at the end.
    With more than MAX_STATES states, running it raises TooManyPathsError.
    """

    def __init__(
        self,
        is_final: Callable[[State], bool],
        outcome_of: Callable[[State], T],
        odds: OddsSolver | None = None,
    ) -> None:
        self._is_final, self._outcome_of = is_final, outcome_of
        self._odds = odds or OddsSolver()
        self._modes: list[Hashable] = []
        self._mode_numbers: dict[Hashable, int] = {}
        self._state_numbers: dict[tuple[int, Counters], int] = {}
        self._states: list[tuple[int, Counters]] = []
        self._final: set[int] = set()
        self._outcomes: dict[int, T] = {}
        self._caches: dict[Hashable, TransitionCache] = {}
        self._kernels: dict[tuple[Hashable, ...], Kernel] = {}

    def step(self, name: str, transitions: Sequence[Transition], bounds: CounterBounds = ()) -> Step:
        """Return a step; steps with the same keys share their results."""
        keys = tuple([part.key for part in transitions])
        kernel = self._kernels.setdefault(keys, Kernel())
        caches = tuple([self._caches.setdefault(key, {}) for key in keys])
        return Step(name, tuple(transitions), bounds, kernel, caches)

    def run(self, start: State, steps: Iterable[Step]) -> Die[T]:
        """Return the exact distribution of the outcomes after all steps."""
        outcomes, weights = self._outcomes, dict[T, int]()
        for number, weight in self._push(start, steps).items():
            if number not in outcomes:
                outcomes[number] = self._outcome_of(self._state_of(number))
            outcome = outcomes[number]
            weights[outcome] = weights.get(outcome, 0) + weight
        return Die.of(weights)

    def final_states(self, start: State, steps: Iterable[Step]) -> Die[State]:
        """Return the exact distribution of the states after all steps."""
        return Die.of({self._state_of(number): weight for number, weight in self._push(start, steps).items()})

    def mean_change(self, start: State, transition: Transition, counter: int) -> Fraction:
        """Return the mean change of a counter by a transition."""
        counters = clamp_counters(start[1], transition.bounds)
        changes, total = self._changes((start[0], counters), transition)
        return Fraction(sum(by[counter] * weight for _, by, weight in changes), total)

    def _push(self, start: State, steps: Iterable[Step]) -> StateWeights:
        spread, total = {self._state_number((self._mode_number(start[0]), start[1])): 1}, 1
        # Final states, with the total weight at that time.
        ends: list[tuple[StateWeights, int]] = []
        for step in steps:
            if not self._final.isdisjoint(spread):
                ends.append(({number: spread.pop(number) for number in self._final & spread.keys()}, total))
            kernel = step.kernel
            try:
                spread = kernel.push(spread)
            except KeyError:
                self._extend(step, spread)
                spread = kernel.push(spread)
            total *= kernel.total
        return _combine([*ends, (spread, total)])

    def _extend(self, step: Step, spread: StateWeights) -> None:
        """Add the missing branches of states to the kernel of a step."""
        kernel = step.kernel
        for number in spread:
            if number not in kernel.branches:
                kernel.add(number, *self._branches(number, step))

    def _branches(self, number: int, step: Step) -> tuple[Branches, int]:
        """Return a state's branches in a step, and their total weight."""
        mode, counters = self._states[number]
        shown = (mode, clamp_counters(counters, step.bounds))
        entry = step.kernel.cache.get(shown)
        if entry is None:
            entry = step.kernel.cache[shown] = self._compose(shown, step)
        changes, total = entry
        number_of = self._state_number
        return tuple([(number_of((new, tuple(map(add, counters, by)))), weight) for new, by, weight in changes]), total

    def _compose(self, shown: tuple[int, Counters], step: Step) -> tuple[WeightedChanges, int]:
        """Return the changes by all transitions, and their total weight."""
        spread, total = {shown: 1}, 1
        for transition, cache in zip(step.transitions, step.caches, strict=True):
            entries = [self._transition(state, transition, cache) for state in spread]
            common = lcm(*[each for _, each in entries])
            total *= common
            after = dict[tuple[int, Counters], int]()
            for ((_, counters), weight), (changes, each) in zip(spread.items(), entries, strict=True):
                factor = weight * (common // each)
                for new, by, share in changes:
                    state = (new, tuple(map(add, counters, by)))
                    after[state] = after.get(state, 0) + factor * share
            spread = after
        divisor = gcd(*spread.values())
        ends = [(new, tuple(map(sub, end, shown[1])), weight // divisor) for (new, end), weight in spread.items()]
        return tuple(ends), total // divisor

    def _transition(
        self, state: tuple[int, Counters], transition: Transition, cache: TransitionCache
    ) -> tuple[WeightedChanges, int]:
        """Return the changes by a transition, and their total weight."""
        mode, shown = state[0], clamp_counters(state[1], transition.bounds)
        changes = cache.get((mode, shown))
        if changes is None:
            changes = cache[mode, shown] = self._changes((self._modes[mode], shown), transition)
        return changes

    def _changes(self, state: State, transition: Transition) -> tuple[WeightedChanges, int]:
        """Return the changes by a transition from a state, and their total weight."""
        after, shown = self._odds.distribution(transition.procedure, state), state[1]
        number_of = self._mode_number
        return tuple(
            [(number_of(new), tuple(map(sub, end, shown)), w) for (new, end), w in after.weights.items()]
        ), after.total

    def _mode_number(self, mode: Hashable) -> int:
        number = self._mode_numbers.setdefault(mode, len(self._modes))
        if number == len(self._modes):
            self._modes.append(mode)
        return number

    def _state_number(self, state: tuple[int, Counters]) -> int:
        number = self._state_numbers.get(state)
        if number is None:
            if len(self._states) == MAX_STATES:
                raise TooManyPathsError
            number = self._state_numbers[state] = len(self._states)
            self._states.append(state)
            if self._is_final(self._state_of(number)):
                self._final.add(number)
        return number

    def _state_of(self, number: int) -> State:
        mode, counters = self._states[number]
        return self._modes[mode], counters


def _combine(ends: list[tuple[StateWeights, int]]) -> StateWeights:
    """Merge distributions with different total weights; the last total is the largest."""
    whole, joined = ends[-1][1], StateWeights()
    for spread, total in ends:
        factor = whole // total
        for number, weight in spread.items():
            joined[number] = joined.get(number, 0) + weight * factor
    return joined


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


@dataclass(frozen=True, slots=True)
class Transition:
    """A procedure from one state to the next, with counter bounds.

    The procedure sees a counter `n` as min(n, bound); None means no bound, and without `bounds` it sees all counters
    unchanged. From the bound upward, the procedure must change a counter by the same amount whatever its value is.
    Transitions with the same `key` must behave in the same way.
    """

    key: Hashable
    procedure: Callable[[State], Procedure[State]]
    bounds: CounterBounds = ()


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
