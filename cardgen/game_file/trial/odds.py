"""Exact odds of the trials of a game file."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction
from heapq import heappop, heappush
from typing import Any

from cardgen.game_file.trial.program import Program
from cardgen.game_file.trial.run import Counter, Run, State
from cardgen.referee.die import Die
from cardgen.referee.odds import OddsSolver, TooManyPathsError

_DIGITS = re.compile(r"([0-9]{1,9})")
# Branches of the states of a trial, together with those of the trials that it calls.
MAX_BRANCHES = 50_000
# Paths of throws that lead to these branches, for all candidates of dice together: some seconds of work.
MAX_PATHS = 200_000
_ADVICE = "roll it instead, or throw fewer dice, repeat steps less often, and 'set' fewer different values"


class TrialOdds:
    """Exact odds of outcomes.

    States are worked off in the order of their positions, so that equal states are merged before they go on. The odds
    for all candidates of dice share the `paths` that are left.
    """

    def __init__(self, paths: Counter) -> None:
        self._solver = OddsSolver()
        self._paths = paths
        self._left = MAX_BRANCHES
        self._calls: dict[tuple[Any, ...], dict[str, Fraction]] = {}

    def outcomes(self, program: Program, run: Run) -> dict[str, Fraction]:
        """Return the chance of each outcome.

        Outcomes are in the order of the steps that lead to them, and of their numbers.

        Raises TooManyPathsError if there are too many states.
        """
        states: defaultdict[tuple[int, ...], defaultdict[State, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
        pending = [program.start().position]
        states[pending[0]][program.start()] = Fraction(1)
        ends: defaultdict[str, Fraction] = defaultdict(Fraction)
        while pending:
            here: defaultdict[str, Fraction] = defaultdict(Fraction)
            for state, weight in states.pop(heappop(pending)).items():
                for after, chance in self._branches(program, run, state):
                    if after.end is not None:
                        here[after.end] += weight * chance
                        continue
                    if after.position not in states:
                        heappush(pending, after.position)
                    states[after.position][after] += weight * chance
            for outcome in sorted(here, key=_natural_key):
                ends[outcome] += here[outcome]
        return dict(ends)

    def _branches(self, program: Program, run: Run, state: State) -> Iterator[tuple[State, Fraction]]:
        call = program.call_at(run, state)
        if call is None:
            branches = list(self._throws(program, run, state))
        else:
            outcomes = self._call(*call).items()
            branches = [(program.after_call(run, state, outcome), chance) for outcome, chance in outcomes]
        self._left -= len(branches)
        if self._left < 0 or self._paths.left < 0:
            raise TooManyPathsError(_ADVICE)
        return iter(branches)

    def _throws(self, program: Program, run: Run, state: State) -> Die[State]:
        before = self._solver.paths
        try:
            return self._solver.distribution(program.advance, run, state)
        except TooManyPathsError:
            raise TooManyPathsError(_ADVICE) from None
        finally:
            self._paths.left -= self._solver.paths - before

    def _call(self, program: Program, run: Run) -> Mapping[str, Fraction]:
        """Return the odds of a called trial, computed once for equal values.

        A card equals only itself.
        """
        key = (program.name, *((name, type(value), _identity(value)) for name, value in run.values.items()))
        if key not in self._calls:
            self._calls[key] = self.outcomes(program, run)
        return self._calls[key]


def _natural_key(text: str) -> list[tuple[int, str]]:
    """Return a key that sorts '2 wounds' before '10 wounds'."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in _DIGITS.split(text)]


def _identity(value: Any) -> Any:
    return value if isinstance(value, str | int | float | None) else id(value)
