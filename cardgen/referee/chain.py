"""Chains of phases, worked out exactly: distributions of states, pushed through kernels that are remembered.

A state is a pair: a `mode`, which is any hashable value, and `counters`, a tuple of whole numbers. A phase says how far
it looks at each counter; so states that differ beyond that share one kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from math import lcm
from operator import add, sub
from typing import Any, TypeAlias

from cardgen.referee.die import Die
from cardgen.referee.odds import Odds
from cardgen.referee.requests import Procedure, seen

Counters: TypeAlias = tuple[int, ...]
Bounds: TypeAlias = tuple[int | None, ...]
State: TypeAlias = tuple[Any, Counters]
# The modes after a phase by number, by how much each counter changes, and the weight.
Changes: TypeAlias = tuple[tuple[int, Counters, int], ...]
# The states after a phase by number, and their weights; and the weight of all of them.
Kernel: TypeAlias = tuple[tuple[tuple[int, int], ...], int]


@dataclass(frozen=True, slots=True)
class Phase:
    """One step of a chain: a procedure from a state to the next, and the bounds of what it sees of the counters.

    A counter of `n` is shown to it as min(n, bound), and None stands for no bound. Beyond the bound the phase must
    change the counter by the same amount, whatever it is. Phases of the same name must be the same.
    """

    name: str
    procedure: Callable[[State], Procedure[State]]
    bounds: Bounds


class Chain:
    """Runs distributions of states through phases. `over` says of which states nothing more becomes."""

    def __init__(self, over: Callable[[State], bool], odds: Odds | None = None) -> None:
        self._over = over
        self._odds = odds or Odds()
        self._modes: list[Hashable] = []
        self._mode_numbers: dict[Hashable, int] = {}
        self._numbers: dict[tuple[int, Counters], int] = {}
        self._states: list[tuple[int, Counters, bool]] = []
        self._changes: dict[tuple[str, int, Counters], tuple[Changes, int]] = {}
        self._kernels: dict[str, dict[int, Kernel]] = {}

    def run(self, start: State, phases: Iterable[Phase]) -> Die[State]:
        """The exact distribution of states after all phases."""
        mode, counters = start
        spread = {self._state(self._mode(mode), counters): 1}
        for phase in phases:
            spread = self._push(spread, phase)
        modes = self._modes
        ends = ((self._states[number], weight) for number, weight in spread.items())
        return Die.of({(modes[mode], counters): weight for (mode, counters, _), weight in ends})

    def _push(self, spread: dict[int, int], phase: Phase) -> dict[int, int]:
        known = self._kernels.setdefault(phase.name, {})
        for number in spread.keys() - known.keys():
            known[number] = self._kernel(number, phase)
        common = lcm(*{known[number][1] for number in spread})
        after: dict[int, int] = {}
        get = after.get
        for number, weight in spread.items():
            branches, total = known[number]
            scaled = weight if total == common else weight * (common // total)
            for then, share in branches:
                after[then] = get(then, 0) + scaled * share
        return after

    def _kernel(self, number: int, phase: Phase) -> Kernel:
        mode, counters, done = self._states[number]
        if done:
            return ((number, 1),), 1
        shown = seen(counters, phase.bounds)
        key = (phase.name, mode, shown)
        found = self._changes.get(key)
        if found is None:
            found = self._changes[key] = self._worked_out(mode, shown, phase)
        changes, total = found
        state = self._state
        return tuple([(state(new, tuple(map(add, counters, by))), weight) for new, by, weight in changes]), total

    def _worked_out(self, mode: int, shown: Counters, phase: Phase) -> tuple[Changes, int]:
        """What a phase makes of all states that look like this to it."""
        after = self._odds.of(phase.procedure, (self._modes[mode], shown))
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
            self._states.append((mode, counters, self._over((self._modes[mode], counters))))
        return number
