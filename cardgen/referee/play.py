"""Plays a procedure once, with seeded dice or the players' answers."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable, Generator
from dataclasses import dataclass
from hashlib import shake_256
from typing import Any, NamedTuple, TypeAlias, TypeVar

from cardgen.codes import Code
from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.referee.answer_check import check_answer
from cardgen.referee.requests import (
    AbstractedCall,
    Answer,
    Decision,
    EnterScope,
    LeaveScope,
    LiveScoreboard,
    Log,
    MemoizedCall,
    Procedure,
    Question,
    Roll,
    SealedDecision,
    SecretLog,
    Selection,
    Test,
    forced_answer,
    is_hidden,
)

_BLOCK = 64
LONGEST_SEED = 200


def new_seed() -> str:
    """Return an unpredictable seed: 16 hexadecimal digits."""
    return secrets.token_hex(8)


def seed_or_new(seed: str | None) -> str:
    """Return the seed, or a new one.

    Raises CardgenError if it is too long or not text.
    """
    require_seed(seed or "")
    return seed or new_seed()


def require_seed(seed: str) -> None:
    """Raise CardgenError for a seed that is too long, or has bytes that are not valid UTF-8."""
    if len(seed) > LONGEST_SEED:
        message = f"must be at most {LONGEST_SEED} characters long, not {len(seed)}"
    elif any("\ud800" <= character <= "\udfff" for character in seed):
        message = "must be text in UTF-8"
    else:
        return
    raise CardgenError(Diagnostic(Code.NOT_POSSIBLE, message, Place("--seed")))


def seeded_face(seed: str, path: str, sides: int) -> int:
    """Return the face, from 1 to `sides`, of the die at `path`.

    SHAKE-256 of seed and path yields a stream of numbers. Numbers that would favor some faces are skipped.
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

# Answers the question at a path: with a face of the die, the text of an option, a number, or a tuple.
AnswerSource: TypeAlias = Callable[[str, Question], "Answer | SealedAnswer"]


@dataclass(frozen=True, slots=True)
class Event:
    """A question, its path ('turn 1/action 2/hit'), and its unprocessed answer."""

    path: str
    question: Question
    answer: Answer


class SealedAnswer(NamedTuple):
    """The answer to a sealed decision: the text that transcripts contain, and the option."""

    text: str
    option: str


LogEntry: TypeAlias = Event | str
Listener: TypeAlias = Callable[[LogEntry], None]
SecretListener: TypeAlias = Callable[[SecretLog], None]


class _EventPaths:
    """Builds the path of each question.

    A repeated path ends with '#2', '#3', and so on.
    """

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


def ignore_events(_: object) -> None:
    """Do nothing: the listener for plays whose events nobody needs."""


def play(procedure: Procedure[T], answer: AnswerSource, listen: Listener, confide: SecretListener = ignore_events) -> T:
    """Play a procedure to its end, and return its result.

    `answer` answers each question, `listen` receives every event except hidden dice, and `confide` receives secrets of
    one side. Raises InvalidAnswerError for an answer that its question does not allow.
    """
    course = questions(procedure, listen, confide)
    reply: Any = None
    while True:
        try:
            asked = course.send(reply)
        except StopIteration as end:
            result: T = end.value
            return result
        reply = answer(*asked)


def questions(
    procedure: Procedure[T],
    listen: Listener,
    confide: SecretListener = ignore_events,
    show: Callable[[LiveScoreboard], None] = ignore_events,
) -> Generator[tuple[str, Question], Answer | SealedAnswer, T]:
    """Yield each question of a procedure with its path, take its answer, and return the result as `play` does.

    `show` receives the scoreboard.
    """
    listeners: dict[type, Callable[[Any], None]]
    listeners = {Log: lambda log: listen(str(log)), SecretLog: confide, LiveScoreboard: show}
    paths, stack = _EventPaths(), [procedure]
    value: Any = None
    while True:
        request, value = _next_request(stack, value), None
        match request:
            case _Result(result):
                return result  # type: ignore[no-any-return]
            case Log() | SecretLog() | LiveScoreboard():
                listeners[type(request)](request)
            case EnterScope(name):
                paths.enter(name)
            case LeaveScope():
                paths.leave()
            case MemoizedCall(called, arguments):
                stack.append(called(*arguments))
            case AbstractedCall(called, state, arguments):
                stack.append(called(state, *arguments))
            case _:
                path = paths.path_of(request.key)
                value = _forced(request)
                if value is None:
                    value = _result(request, path, (yield path, request), listen)


class _Result(NamedTuple):
    """The result of a procedure that has ended."""

    value: Any


def _next_request(stack: list[Procedure[Any]], value: Any) -> Any:
    """Send a value to the innermost procedure, and return the next request, or the result of the outermost."""
    while stack:
        try:
            return stack[-1].send(value)
        except StopIteration as end:
            stack.pop()
            value = end.value
    return _Result(value)


def _forced(question: Question) -> Answer | None:
    """Return the only possible answer, which is not asked for, or None."""
    return forced_answer(question) if isinstance(question, Decision | SealedDecision | Selection) else None


def _result(question: Question, path: str, reply: Answer | SealedAnswer, listen: Listener) -> Answer:
    """Check and record an answer, and return it as the procedure takes it."""
    if isinstance(reply, SealedAnswer):
        listen(Event(path, question, reply.text))
        return reply.option
    check_answer(question, reply)
    if not is_hidden(question):
        listen(Event(path, question, reply))
    if isinstance(question, Test | Roll) and isinstance(reply, int):
        return question.outcome(reply)
    return reply


def seeded_answers(seed: str) -> AnswerSource:
    """Return a source of seeded dice and default decisions.

    It raises LookupError for a question that only the players can answer.
    """

    def answer(path: str, question: Question) -> Answer:
        if isinstance(question, Test | Roll):
            return seeded_face(seed, path, question.sides)
        if isinstance(question, Decision) and question.ties:
            return question.ties[seeded_face(seed, path, len(question.ties)) - 1]
        if isinstance(question, Decision) and question.default:
            return question.default
        raise LookupError(question.what)

    return answer


def roll(procedure: Procedure[T], seed: str, listen: Listener = ignore_events) -> T:
    """Play a procedure with seeded dice, and return its result."""
    return play(procedure, seeded_answers(seed), listen)
