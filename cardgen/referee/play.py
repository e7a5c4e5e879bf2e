"""Plays a procedure once, with seeded dice or the players' answers."""

from __future__ import annotations

import re
import secrets
from collections import Counter
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from hashlib import shake_256
from typing import Any, NamedTuple, TypeAlias, TypeVar

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place
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
                # The only possible answer, which is not asked for, or None.
                value = forced_answer(request) if isinstance(request, Decision | SealedDecision | Selection) else None
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


_SEALED = re.compile("[0-9a-f]{18}")


class InvalidAnswerError(ValueError):
    """An answer that its question does not allow.

    The text is a message for the user.
    """


def check_answer(question: Question, answer: object) -> None:
    """Raise InvalidAnswerError, with the valid range or options, for an invalid answer."""
    match question:
        case Test() | Roll():
            if not _is_between(answer, 1, question.sides):
                message = f"a D{question.sides} must be between 1 and {question.sides}, not {_clipped(answer)}"
                raise InvalidAnswerError(message)
        case Measurement():
            if not _is_between(answer, question.low, question.high):
                raise InvalidAnswerError(_out_of_bounds(question, answer))
        case MarkedMeasurement():
            number, *marks = answer if isinstance(answer, tuple) and answer else (answer,)
            if not (isinstance(answer, tuple) and _is_between(number, question.low, question.high)):
                raise InvalidAnswerError(_out_of_bounds(question, number))
            _check_options(question.what, question.marks, marks, "mark")
        case Selection():
            if not isinstance(answer, tuple):
                raise InvalidAnswerError(f"{question.what}: must be a list of options, not {_clipped(answer)}")
            _check_options(question.what, question.options, answer, "option", _repeatable(question))
            if question.most and len(answer) > question.most:
                raise InvalidAnswerError(f"{question.what}: must be at most {question.most} options, not {len(answer)}")
        case Decision():
            _check_options(question.what, question.options, (answer,), "option")
        case SealedDecision():
            if not (isinstance(answer, str) and _SEALED.fullmatch(answer)):
                raise InvalidAnswerError(f"{question.what}: must be sealed, not {_clipped(answer)}")


def check_new_answer(question: Question, answer: object) -> None:
    """Raise InvalidAnswerError for an invalid answer, and for one that only saves of older versions can hold."""
    check_answer(question, answer)
    if isinstance(question, Selection) and question.bounds and isinstance(answer, tuple):
        low, high = question.bounds
        if not low <= len(answer) <= high:
            raise InvalidAnswerError(f"choose {_count_hint(low, high)}, not {len(answer)}")


def _count_hint(low: int, high: int) -> str:
    """Return how many to choose: 'exactly 2', '1 to 3'."""
    return f"exactly {low}" if low == high else f"{low} to {high}"


def _repeatable(question: Selection) -> tuple[str, ...]:
    return tuple(each for each in question.options if each not in question.once) if question.most else ()


def _is_between(answer: object, low: int, high: int) -> bool:
    return isinstance(answer, int) and not isinstance(answer, bool) and low <= answer <= high


def _out_of_bounds(question: Measurement | MarkedMeasurement, answer: object) -> str:
    return f"{question.what}: must be between {question.low} and {question.high}, not {_clipped(answer)}"


def _check_options(
    what: str, options: tuple[str, ...], answers: Iterable[object], noun: str, repeatable: tuple[str, ...] = ()
) -> None:
    """Raise InvalidAnswerError unless the answers are options, and different ones or `repeatable`."""
    seen: list[object] = []
    for each in answers:
        if each not in options:
            one_of = ", ".join(options)
            raise InvalidAnswerError(f"{what}: unknown {noun} '{_clipped(each)}' (one of {one_of})")
        if each in seen and each not in repeatable:
            raise InvalidAnswerError(f"{what}: repeated {noun} '{_clipped(each)}'")
        seen.append(each)


def _clipped(answer: object) -> str:
    text = str(answer)
    return text if len(text) <= 40 else f"{text[:40]}…"


# If a selection has room for more options than this, the hint shows how to repeat one.
MANY = 4


def entry_line(entry: LogEntry) -> str:
    """Return the line for a roll, decision, measurement, or text."""
    if isinstance(entry, str):
        return f"    {entry}"
    question, answer = entry.question, entry.answer
    match question:
        case Test():
            result = "success" if answer <= question.need else "failure"  # type: ignore[operator]
            return f"{question_text(question)}: rolled {answer}: {result}"
        case Roll(faces=(_, *_)):
            return f"{_who(question)}{question.what}: rolled {question.faces[answer - 1]}"  # type: ignore[operator]
        case Roll():
            result = f": {'yes' if answer in question.wins else 'no'}" if question.wins else ""
            return f"{question_text(question)}: rolled {answer}{result}"
        case SealedDecision():
            return f"{_who(question)}{question.what}: chosen, unseen"
        case _:
            return f"{_who(question)}{question.what}: {answer_text(answer)}"


def answer_text(answer: Answer) -> str:
    """Return an answer in words: '12 gap', 'Ash, Elm', or 'none' for an empty selection."""
    if not isinstance(answer, tuple):
        return str(answer)
    if answer and isinstance(answer[0], int):
        return f"{answer[0]} {', '.join(map(str, answer[1:]))}".rstrip()
    return ", ".join(map(str, answer)) or "none"


def question_text(question: Question) -> str:
    """Return the question in words, with the modifiers of its number."""
    who = _who(question)
    match question:
        case Test():
            basis = ", ".join(filter(None, (question.basis, *map(str, question.modifiers))))
            reasons = f" ({basis})" if basis else ""
            return f"{who}{question.what}{reasons}: {question.need} or less on a D{question.sides}"
        case Roll(faces=(_, *_)):
            return f"{who}{question.what}, {' or '.join(dict.fromkeys(question.faces))}"
        case Roll():
            wins = f" ({' or '.join(map(str, question.wins))})" if question.wins else ""
            return f"{who}{question.what}{wins}, a D{question.sides}"
        case Decision() | SealedDecision():
            return f"{who}{question.what}?"
        case Measurement():
            unit = f" in {question.unit}" if question.unit else ""
            return f"{who}{question.what}{unit}, {question.low} to {question.high}"
        case MarkedMeasurement():
            hint = question.hint or "+ " + ", ".join(question.marks)
            return f"{who}{question.what} in {question.unit} ({hint})"
        case Selection():
            none = "" if question.bounds and question.bounds[0] else "; Enter for none"
            return f"{who}{question.what}? ({_selection_hint(question)}{none})"


def _selection_hint(question: Selection) -> str:
    """Return how to name options; '1x5' is a number that is named five times."""
    if question.bounds:
        return f"{_count_hint(*question.bounds)} of the numbers"
    if question.most == 1:
        return "a number"
    if not question.most:
        return "any numbers"
    return f"numbers in order, such as {'1x5' if question.most > MANY else '1 2'}"


def _who(question: Question) -> str:
    return f"{question.who}: " if question.who else ""
