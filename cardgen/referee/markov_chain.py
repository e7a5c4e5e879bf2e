"""Markov chains: exact state distributions, pushed through memoized transitions."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from fractions import Fraction
from math import gcd, lcm
from operator import add, sub
from typing import Generic, TypeVar

from cardgen.referee.chain_step import (
    Branches,
    CounterBounds,
    Counters,
    Kernel,
    Library,
    State,
    StateWeights,
    Step,
    Transition,
    TransitionCache,
    WeightedChanges,
)
from cardgen.referee.die import Die
from cardgen.referee.odds import OddsSolver, TooManyPathsError
from cardgen.referee.requests import clamp_counters

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
        library: Library | None = None,
    ) -> None:
        self._is_final, self._outcome_of, self._library = is_final, outcome_of, library
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
        """Return the changes of a state, from the library if it has one like it."""
        likeness = transition.likeness(state) if transition.likeness and self._library is not None else None
        if likeness is None or self._library is None:
            return self._solve(state, transition, self._mode_number)
        key, modes = likeness
        changes, total = self._library.changes(key, lambda: self._solve(state, transition, modes.index))
        numbers = [self._mode_number(mode) for mode in modes]
        return tuple([(numbers[place], by, weight) for place, by, weight in changes]), total

    def _solve(
        self, state: State, transition: Transition, number_of: Callable[[Hashable], int]
    ) -> tuple[WeightedChanges, int]:
        after, shown = self._odds.distribution(transition.procedure, state), state[1]
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
