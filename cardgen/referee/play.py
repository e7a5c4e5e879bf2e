"""Plays a procedure once, with dice from a seed or answers of the players."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import shake_256
from typing import Any, TypeAlias, TypeVar

from cardgen.referee.requests import (
    AbstractedCall,
    Decision,
    EnterScope,
    LeaveScope,
    Log,
    Measurement,
    MemoizedCall,
    Procedure,
    Question,
    Roll,
    SecretLog,
    Test,
)

_BLOCK = 64
LONGEST_SEED = 200


def new_seed() -> str:
    """A seed that nobody can foretell: 16 hexadecimal digits."""
    return secrets.token_hex(8)


def seeded_face(seed: str, path: str, sides: int) -> int:
    """The face, from 1 to `sides`, of the die at `path`.

    SHAKE-256 of seed and path gives a stream of numbers; one that would favour some faces is passed over.
    """
    width = max(1, (sides.bit_length() + 14) // 8) if sides > 256 else 1
    fair = 256**width - 256**width % sides
    state = shake_256(f"{len(seed)}:{seed}{path}".encode())
    size = 0
    while True:
        start, size = size, size + width * _BLOCK
        stream = state.digest(size)
        for at in range(start, size, width):
            number = int.from_bytes(stream[at : at + width], "big")
            if number < fair:
                return number % sides + 1


T = TypeVar("T")

# Answers a question that stands at a path: a face of the die, the words of an option, or a number.
AnswerSource: TypeAlias = Callable[[str, Question], int | str]


@dataclass(frozen=True, slots=True)
class Event:
    """A question of a procedure, where it stood ('turn 1/action 2/hit'), and its answer as it was given."""

    path: str
    question: Question
    answer: int | str


LogEntry: TypeAlias = Event | str
Listener: TypeAlias = Callable[[LogEntry], None]
SecretListener: TypeAlias = Callable[[SecretLog], None]


class InvalidAnswerError(ValueError):
    """An answer that its question does not allow, with a sentence for whoever gave it."""


class _EventPaths:
    """The path of each question; one that comes again at the same place has '#2' behind it."""

    def __init__(self) -> None:
        self._scopes: list[str] = []
        self._seen: Counter[str] = Counter()

    def enter(self, name: str) -> None:
        self._scopes.append(self._unique("/".join([*self._scopes, name])).rpartition("/")[2])

    def leave(self) -> None:
        self._scopes.pop()

    def path_of(self, key: str) -> str:
        return self._unique("/".join([*self._scopes, key]))

    def _unique(self, path: str) -> str:
        self._seen[path] += 1
        count = self._seen[path]
        return path if count == 1 else f"{path}#{count}"


def ignore_events(_: LogEntry | SecretLog) -> None:
    """The listener of a play that nobody watches, and the confidant of one without secrets."""


def play(procedure: Procedure[T], answer: AnswerSource, listen: Listener, confide: SecretListener = ignore_events) -> T:
    """Play a procedure to its end; `answer` gives each answer, and `listen` hears of everything that happens.

    `confide` hears what only one side may know. Raises ImpossibleError for an answer that cannot be.
    """
    paths, stack = _EventPaths(), [procedure]
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
            case Log():
                listen(str(request))
            case SecretLog():
                confide(request)
            case EnterScope(name):
                paths.enter(name)
            case LeaveScope():
                paths.leave()
            case MemoizedCall(called, arguments):
                stack.append(called(*arguments))
            case AbstractedCall(called, state, arguments):
                stack.append(called(state, *arguments))
            case _:
                value = _ask(request, paths.path_of(request.key), answer, listen)


def _ask(question: Question, path: str, answer: AnswerSource, listen: Listener) -> int | str | bool:
    reply = answer(path, question)
    check_answer(question, reply)
    listen(Event(path, question, reply))
    if isinstance(question, Test | Roll) and isinstance(reply, int):
        return question.outcome(reply)
    return reply


def check_answer(question: Question, answer: object) -> None:
    """Raise ImpossibleError, with what would be possible, for an answer that the question does not allow."""
    whole = isinstance(answer, int) and not isinstance(answer, bool)
    match question:
        case Test() | Roll():
            if not whole or not 1 <= answer <= question.sides:  # type: ignore[operator]
                raise InvalidAnswerError(f"a D{question.sides} shows 1 to {question.sides}, never {_clipped(answer)}")
        case Measurement():
            if not whole or not question.low <= answer <= question.high:  # type: ignore[operator]
                raise InvalidAnswerError(
                    f"{question.what}: from {question.low} to {question.high}, not {_clipped(answer)}"
                )
        case Decision():
            if answer not in question.options:
                raise InvalidAnswerError(
                    f"{question.what}: {_clipped(answer)} is none of {', '.join(question.options)}"
                )


def _clipped(answer: object) -> str:
    text = str(answer)
    return text if len(text) <= 40 else f"{text[:40]}…"


def seeded_answers(seed: str) -> AnswerSource:
    """Dice of a seed; choices as advised. Raises LookupError for what only the table knows."""

    def answer(path: str, question: Question) -> int | str:
        if isinstance(question, Test | Roll):
            return seeded_face(seed, path, question.sides)
        if isinstance(question, Decision) and question.default:
            return question.default
        raise LookupError(question.what)

    return answer


def roll(procedure: Procedure[T], seed: str, listen: Listener = ignore_events) -> T:
    """Play a procedure with the dice of a seed."""
    return play(procedure, seeded_answers(seed), listen)
