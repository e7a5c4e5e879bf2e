"""The reading of a procedure that works out every outcome with its exact chance."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from math import lcm
from operator import add, sub
from typing import Any, TypeVar

from cardgen.referee.die import Die
from cardgen.referee.requests import Call, Choice, Enter, Glance, Leave, Number, Procedure, Say, Whisper

T = TypeVar("T", bound=Hashable)

MOST_PATHS = 10_000


class TooManyPathsError(Exception):
    """A procedure has more outcomes than can be enumerated; it can still be rolled."""


class UndecidedError(Exception):
    """A procedure asks for something that no policy decides, so that it has no odds."""


class Odds:
    """Enumerates procedures, and remembers those that they call.

    Choices are made as advised. A procedure must depend on its answers only, and what it calls on its arguments.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[Any, ...], Die[Any]] = {}

    def of(self, start: Callable[..., Procedure[T]], *arguments: Any) -> Die[T]:
        """The exact distribution of what `start(*arguments)` returns.

        Raises TooManyPathsError, and UndecidedError for a question without advice.
        """
        ends: list[tuple[T, int, int]] = []
        todo: list[tuple[tuple[Any, ...], int, int]] = [((), 1, 1)]
        while todo:
            ends.append(self._run(start(*arguments), *todo.pop(), todo))
            if len(ends) + len(todo) > MOST_PATHS:
                raise TooManyPathsError
        return _joined(ends)

    def _run(
        self, procedure: Procedure[T], answers: tuple[Any, ...], weight: int, total: int, todo: list[Any]
    ) -> tuple[T, int, int]:
        """Follow the answers, then always the first branch; the other branches are left to do."""
        given = iter(answers)
        answer: Any = None
        try:
            while True:
                request = procedure.send(answer)
                kind = type(request)
                if kind in _TOLD:
                    answer = None
                elif kind is Choice:
                    answer = _advised(request)  # type: ignore[arg-type]
                elif (answer := next(given, _END)) is _END:
                    (answer, share), *others = self._branches(request)
                    whole = share + sum(other for _, other in others)
                    todo.extend(((*answers, other), weight * part, total * whole) for other, part in others)
                    answers = (*answers, answer)
                    weight, total = weight * share, total * whole
        except StopIteration as end:
            return end.value, weight, total

    def _branches(self, request: Any) -> list[tuple[Any, int]]:
        if type(request) is Call:
            return list(self._called(request.procedure, *request.arguments).weights.items())
        if type(request) is Glance:
            return self._glanced(request)
        if type(request) is Number:
            raise UndecidedError(request.what)
        branches: list[tuple[Any, int]] = request.branches()
        return branches

    def _called(self, *call: Any) -> Die[Any]:
        found = self._known.get(call)
        if found is None:
            found = self._known[call] = self.of(*call)
        return found

    def _glanced(self, request: Glance) -> list[tuple[Any, int]]:
        """What becomes of the state, from what becomes of all that look alike."""
        make, counters, shown = request.state._make, request.state[1], request.shown
        unseen = tuple(map(sub, counters, shown[1]))
        after = self._called(request.procedure, shown, *request.arguments)
        return [(make((mode, tuple(map(add, left, unseen)))), weight) for (mode, left), weight in after.weights.items()]


_END = object()
_TOLD: frozenset[type] = frozenset({Say, Whisper, Enter, Leave})


def _advised(choice: Choice) -> str:
    if not choice.advised:
        raise UndecidedError(choice.what)
    return choice.advised


def _joined(ends: list[tuple[T, int, int]]) -> Die[T]:
    common = lcm(*{total for _, _, total in ends})
    weights: dict[T, int] = {}
    for outcome, weight, total in ends:
        weights[outcome] = weights.get(outcome, 0) + weight * (common // total)
    return Die.of(weights)


def odds(start: Callable[..., Procedure[T]], *arguments: Any) -> Die[T]:
    """The exact distribution of one procedure's outcome."""
    return Odds().of(start, *arguments)
