"""The readings of a procedure that play it through once: with dice of a seed, or with answers of the players."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from cardgen.referee.requests import (
    Call,
    Choice,
    Enter,
    Glance,
    Leave,
    Number,
    Procedure,
    Question,
    Roll,
    Say,
    Test,
    Whisper,
)
from cardgen.referee.seed import rolled

T = TypeVar("T")

# Answers a question that stands at a path: a face of the die, the words of an option, or a number.
Answer: TypeAlias = Callable[[str, Question], int | str]


@dataclass(frozen=True, slots=True)
class Event:
    """A question of a procedure, where it stood ('turn 1/action 2/hit'), and its answer as it was given."""

    path: str
    question: Question
    answer: int | str


Told: TypeAlias = Event | str
Listener: TypeAlias = Callable[[Told], None]
Confidant: TypeAlias = Callable[[Whisper], None]


class ImpossibleError(ValueError):
    """An answer that its question does not allow, with a sentence for whoever gave it."""


class _Paths:
    """The path of each question; one that comes again at the same place has '#2' behind it."""

    def __init__(self) -> None:
        self._scopes: list[str] = []
        self._seen: Counter[str] = Counter()

    def enter(self, name: str) -> None:
        self._scopes.append(self._once("/".join([*self._scopes, name])).rpartition("/")[2])

    def leave(self) -> None:
        self._scopes.pop()

    def of(self, key: str) -> str:
        return self._once("/".join([*self._scopes, key]))

    def _once(self, path: str) -> str:
        self._seen[path] += 1
        count = self._seen[path]
        return path if count == 1 else f"{path}#{count}"


def nobody(_: Told | Whisper) -> None:
    """The listener of a play that nobody watches, and the confidant of one without secrets."""


def play(procedure: Procedure[T], answer: Answer, listen: Listener, confide: Confidant = nobody) -> T:
    """Play a procedure to its end; `answer` gives each answer, and `listen` hears of everything that happens.

    `confide` hears what only one side may know. Raises ImpossibleError for an answer that cannot be.
    """
    paths, stack = _Paths(), [procedure]
    value: Any = None
    while True:
        try:
            request = stack[-1].send(value)
        except StopIteration as end:
            stack.pop()
            if not stack:
                result: T = end.value
                return result
            value = end.value
            continue
        value = None
        match request:
            case Say():
                listen(str(request))
            case Whisper():
                confide(request)
            case Enter(name):
                paths.enter(name)
            case Leave():
                paths.leave()
            case Call(called, arguments):
                stack.append(called(*arguments))
            case Glance(called, state, arguments):
                stack.append(called(state, *arguments))
            case _:
                value = _answered(request, paths.of(request.key), answer, listen)


def _answered(question: Question, path: str, answer: Answer, listen: Listener) -> int | str | bool:
    given = answer(path, question)
    check(question, given)
    listen(Event(path, question, given))
    if isinstance(question, Test | Roll) and isinstance(given, int):
        return question.read(given)
    return given


def check(question: Question, given: object) -> None:
    """Raise ImpossibleError, with what would be possible, for an answer that the question does not allow."""
    whole = isinstance(given, int) and not isinstance(given, bool)
    match question:
        case Test() | Roll():
            if not whole or not 1 <= given <= question.sides:  # type: ignore[operator]
                raise ImpossibleError(f"a D{question.sides} shows 1 to {question.sides}, never {_shown(given)}")
        case Number():
            if not whole or not question.low <= given <= question.high:  # type: ignore[operator]
                raise ImpossibleError(f"{question.what}: from {question.low} to {question.high}, not {_shown(given)}")
        case Choice():
            if given not in question.options:
                raise ImpossibleError(f"{question.what}: {_shown(given)} is none of {', '.join(question.options)}")


def _shown(given: object) -> str:
    text = str(given)
    return text if len(text) <= 40 else f"{text[:40]}…"


def seeded(seed: str) -> Answer:
    """Dice of a seed; choices as advised. Raises LookupError for what only the table knows."""

    def answer(path: str, question: Question) -> int | str:
        if isinstance(question, Test | Roll):
            return rolled(seed, path, question.sides)
        if isinstance(question, Choice) and question.advised:
            return question.advised
        raise LookupError(question.what)

    return answer


def roll(procedure: Procedure[T], seed: str, listen: Listener = nobody) -> T:
    """Play a procedure with the dice of a seed."""
    return play(procedure, seeded(seed), listen)
