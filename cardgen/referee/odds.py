"""Exact odds: the outcomes of procedures with their chances, and fractions as decimals, percentages, and bars."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from fractions import Fraction
from math import lcm
from operator import add, sub
from typing import Any, TypeVar

from cardgen.referee.die import Die
from cardgen.referee.requests import (
    AbstractedCall,
    Answer,
    Decision,
    EnterScope,
    LeaveScope,
    LiveScoreboard,
    Log,
    MarkedMeasurement,
    Measurement,
    MemoizedCall,
    Procedure,
    SecretLog,
    Selection,
    forced_answer,
)


def decimal(value: Fraction, digits: int) -> str:
    """Return a decimal with exactly `digits` places: '0.706626'.

    It is rounded half to even.
    """
    scaled = round(value * 10**digits)
    sign, scaled = ("-" if scaled < 0 else ""), abs(scaled)
    whole, rest = divmod(scaled, 10**digits)
    return f"{sign}{whole}.{rest:0{digits}d}" if digits else f"{sign}{whole}"


def percent(value: Fraction, digits: int = 1) -> str:
    """Return a percentage such as '70.7 %'.

    Only 0 and 1 are shown as 0 and 100; chances that round to them are shown as '<0.1 %' and '>99.9 %'.
    """
    text = decimal(value * 100, digits)
    if value and Fraction(text) == 0:
        return f"<{decimal(Fraction(1, 10**digits), digits)} %"
    if value < 1 and Fraction(text) == 100:
        return f">{decimal(100 - Fraction(1, 10**digits), digits)} %"
    return f"{text} %"


def short_fraction(value: Fraction, longest: int = 12) -> str:
    """Return a fraction such as '5/9', or '' if too long.

    The limit is `longest` characters.
    """
    text = str(value)
    return text if len(text) <= longest else ""


_EIGHTHS = " ▏▎▍▌▋▊▉█"


def bar(value: Fraction, width: int) -> str:
    """Return a bar of block characters for a share of 1.

    `width` is in characters.
    """
    eighths = round(value * width * 8)
    full, rest = divmod(eighths, 8)
    return ("█" * full + (_EIGHTHS[rest] if rest else "")).ljust(width)


T = TypeVar("T", bound=Hashable)

# Enough for all sorted results of ten dice.
MAX_PATHS = 12_500


class TooManyPathsError(Exception):
    """A procedure has too many outcomes to enumerate.

    It can still be rolled. The text, if there is one, advises what to change. `fighters` are the names of the two whose
    duel it is, if it is one of many.
    """

    fighters: tuple[str, str] | None = None


class UndecidedError(Exception):
    """A procedure has no odds: no policy answers its question."""


class OddsSolver:
    """Enumerates procedures, and caches the procedures that they call.

    Every decision takes its default, or each of its ties with the same chance. A procedure must depend only on its
    answers, and a called procedure also on its arguments.
    """

    def __init__(self) -> None:
        self._cache: dict[tuple[Any, ...], Die[Any]] = {}
        # The paths that were enumerated.
        self.paths = 0

    def distribution(self, start: Callable[..., Procedure[T]], *arguments: Any) -> Die[T]:
        """Return the exact distribution of the result of `start(*arguments)`.

        Raises TooManyPathsError, and UndecidedError for a question without a default.
        """
        todo: list[tuple[tuple[Any, ...], int, int]] = []
        ends = [self._run(start(*arguments), (), 1, 1, todo)]
        if not todo:
            return Die.constant(ends[0][0])
        while todo:
            self.paths += 1
            ends.append(self._run(start(*arguments), *todo.pop(), todo))
            if len(ends) + len(todo) > MAX_PATHS:
                raise TooManyPathsError
        common = lcm(*{total for _, _, total in ends})
        weights: dict[T, int] = {}
        for outcome, weight, total in ends:
            weights[outcome] = weights.get(outcome, 0) + weight * (common // total)
        return Die.of(weights)

    def _run(
        self, procedure: Procedure[T], answers: tuple[Any, ...], weight: int, total: int, todo: list[Any]
    ) -> tuple[T, int, int]:
        """Follow the answers, then always the first branch.

        Add other branches to `todo`.
        """
        replay = iter(answers)
        answer: Any = None
        try:
            while True:
                request = procedure.send(answer)
                kind = type(request)
                if kind in _UNANSWERED:
                    answer = None
                elif (kind is Decision and not request.ties) or kind is Selection:  # type: ignore[union-attr]
                    answer = _default_of(request)  # type: ignore[arg-type]
                elif (answer := next(replay, _END)) is _END:
                    (answer, share), *others = self._branches(request)
                    whole = share + sum(other for _, other in others)
                    todo.extend(((*answers, other), weight * part, total * whole) for other, part in others)
                    answers = (*answers, answer)
                    weight, total = weight * share, total * whole
        except StopIteration as end:
            return end.value, weight, total

    def _branches(self, request: Any) -> list[tuple[Any, int]]:
        if type(request) is MemoizedCall:
            return list(self._memoized(request.procedure, *request.arguments).weights.items())
        if type(request) is AbstractedCall:
            # The branches of a state from those of its clamped state.
            make, counters, shown = request.state._make, request.state[1], request.clamped
            unseen = tuple(map(sub, counters, shown[1]))
            after = self._memoized(request.procedure, shown, *request.arguments)
            return [
                (make((mode, tuple(map(add, left, unseen)))), weight) for (mode, left), weight in after.weights.items()
            ]
        if type(request) is Decision:
            return [*Counter(request.ties).items()]
        if type(request) in _MEASURED:
            raise UndecidedError(request.what)
        branches: list[tuple[Any, int]] = request.branches()
        return branches

    def _memoized(self, *call: Any) -> Die[Any]:
        die = self._cache.get(call)
        if die is None:
            die = self._cache[call] = self.distribution(*call)
        return die


_END = object()
_MEASURED: frozenset[type] = frozenset({Measurement, MarkedMeasurement})
_UNANSWERED: frozenset[type] = frozenset({Log, SecretLog, LiveScoreboard, EnterScope, LeaveScope})


def _default_of(choice: Decision | Selection) -> Answer:
    forced = forced_answer(choice)
    if forced is not None:
        return forced
    if isinstance(choice, Selection) or not choice.default:
        raise UndecidedError(choice.what)
    return choice.default


def odds(start: Callable[..., Procedure[T]], *arguments: Any) -> Die[T]:
    """Return the exact distribution of a procedure's outcome.

    Raises TooManyPathsError, and UndecidedError for a question without a default.
    """
    return OddsSolver().distribution(start, *arguments)
