"""Requests of a running procedure: dice, decisions, measurements, and log entries.

A procedure is a generator: it yields requests and receives the answers. A question has a `key`, its name within its
scope. Scopes and key make up the path from which a seeded die is derived, and which transcripts record.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Hashable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias, TypeGuard, TypeVar

from cardgen.referee.scoreboard import Scoreboard

T = TypeVar("T")


class Modifier(NamedTuple):
    """A change of a printed number: its source and amount."""

    source: str
    amount: int

    def __str__(self) -> str:
        return f"{self.amount:+d} {self.source}"


@dataclass(frozen=True, slots=True)
class Test:
    """A die that succeeds on `need` or less.

    The answer is whether it did. `basis` names the number before modifiers ('Mind 4'), and `modifiers` are its changes.
    """

    key: str
    who: str
    what: str
    need: int
    basis: str = ""
    modifiers: tuple[Modifier, ...] = ()
    sides: int = 6

    __test__ = False

    def outcome(self, face: int) -> bool:
        """Return the answer for a face of the die."""
        return face <= self.need

    def branches(self) -> list[tuple[Any, int]]:
        """Return every answer with its weight."""
        wins = min(max(self.need, 0), self.sides)
        return [(answer, weight) for answer, weight in ((True, wins), (False, self.sides - wins)) if weight]


class Roll(NamedTuple):
    """A die whose answer is its face.

    With `wins`, the answer is whether it shows one of these faces. With `faces`, the names of all faces in order, the
    answer is the name of the face; faces with the same name are next to each other. A hidden die is rolled from the
    secret of the match, and neither shown nor written to the transcript.
    """

    key: str
    who: str
    what: str
    sides: int = 6
    wins: tuple[int, ...] = ()
    is_hidden: bool = False
    faces: tuple[str, ...] = ()

    def outcome(self, face: int) -> int | bool | str:
        """Return the answer for a face of the die."""
        if self.faces:
            return self.faces[face - 1]
        return face in self.wins if self.wins else face

    def branches(self) -> list[tuple[Any, int]]:
        """Return every answer with its weight."""
        if self.faces:
            return list(Counter(self.faces).items())
        if not self.wins:
            return [(face, 1) for face in range(1, self.sides + 1)]
        wins = len(self.wins)
        return [(answer, weight) for answer, weight in ((True, wins), (False, self.sides - wins)) if weight]


class Decision(NamedTuple):
    """A decision between unique options; `default` is the choice of the policy.

    If options are equally good for the policy, they are its `ties`, and it takes each of them with the same chance; one
    that stands for several equal copies is there several times.
    A single option is never asked for: it is the answer.
    """

    key: str
    who: str
    what: str
    options: tuple[str, ...]
    default: str = ""
    ties: tuple[str, ...] = ()


class SealedDecision(NamedTuple):
    """A decision that nobody but `who` sees until the procedure tells it.

    Transcripts contain neither its options nor its answer, but a sealed text that the secret of the match opens.
    """

    key: str
    who: str
    what: str
    options: tuple[str, ...]


class Measurement(NamedTuple):
    """A whole number that players measure or count; the bounds are inclusive."""

    key: str
    who: str
    what: str
    low: int
    high: int
    unit: str = ""


class MarkedMeasurement(NamedTuple):
    """A measurement to which players may add marks, such as '12 gap'; `hint` tells them which.

    The answer is a tuple of the number and the marks that apply, in the order in which they were named.
    """

    key: str
    who: str
    what: str
    low: int
    high: int
    unit: str
    marks: tuple[str, ...]
    hint: str = ""


class Selection(NamedTuple):
    """A selection of any number of unique options, also none.

    The answer is a tuple of the options in the order in which they were named. With `most`, it has at most this number
    of options, and can repeat them, except those of `once`.
    """

    key: str
    who: str
    what: str
    options: tuple[str, ...]
    most: int = 0
    once: tuple[str, ...] = ()


class Log(NamedTuple):
    """A log entry: a text with '{}' for each of its parts.

    It has no answer.
    """

    text: str
    parts: tuple[object, ...] = ()

    def __str__(self) -> str:
        return self.text.format(*self.parts)


class SecretLog(NamedTuple):
    """A secret of one side.

    It has no answer, and is not written to transcripts.
    """

    who: str
    text: str


class LiveScoreboard(NamedTuple):
    """A function that returns how the battle stands now, for screens.

    It has no answer, and is not written to transcripts. It must not tell secrets.
    """

    current: Callable[[], Scoreboard]


class EnterScope(NamedTuple):
    """The start of a scope, which contains the following requests."""

    name: str


class LeaveScope(NamedTuple):
    """The end of the innermost scope."""


class MemoizedCall(NamedTuple):
    """A call of a procedure that depends only on its arguments.

    Its odds are computed once for equal arguments.
    """

    procedure: Callable[..., Generator[Any, Any, Any]]
    arguments: tuple[Hashable, ...]


class AbstractedCall(NamedTuple):
    """A memoized call of `procedure(state, *arguments)` with bounds for the state's counters.

    `state` is a NamedTuple of a mode and counters, and so is the outcome. The procedure sees a counter n as
    min(n, bound); None means no bound. From the bound upward, it must change the counter by the same amount whatever
    its value is. Odds are computed once for states that differ only beyond the bounds.
    """

    procedure: Callable[..., Generator[Any, Any, Any]]
    state: Any
    arguments: tuple[Hashable, ...]
    bounds: tuple[int | None, ...]

    @property
    def clamped(self) -> Any:
        """The state with clamped counters."""
        mode, counters = self.state
        return self.state._make((mode, clamp_counters(counters, self.bounds)))


def clamp_counters(counters: tuple[int, ...], bounds: tuple[int | None, ...]) -> tuple[int, ...]:
    """Return each counter n as min(n, bound); None means no bound.

    Without bounds, return the counters unchanged.
    """
    if not bounds:
        return counters
    return tuple([c if b is None or c < b else b for c, b in zip(counters, bounds, strict=True)])


DieRequest: TypeAlias = Test | Roll
Question: TypeAlias = Test | Roll | Decision | SealedDecision | Measurement | MarkedMeasurement | Selection
Request: TypeAlias = (
    Question | Log | SecretLog | LiveScoreboard | EnterScope | LeaveScope | MemoizedCall | AbstractedCall
)
# A face or a number, an option, or a tuple of what was measured or selected.
Answer: TypeAlias = int | str | tuple[int | str, ...]
Procedure: TypeAlias = Generator[Request, Any, T]


def is_hidden(question: Question) -> TypeGuard[Roll]:
    """Return whether a question is a hidden die."""
    return isinstance(question, Roll) and question.is_hidden


def forced_answer(question: Decision | SealedDecision | Selection) -> Answer | None:
    """Return the only possible answer, or None if there are several."""
    if isinstance(question, Selection):
        return None if question.options else ()
    return question.options[0] if len(question.options) == 1 else None


def in_scope(name: str, procedure: Procedure[T]) -> Procedure[T]:
    """Run a procedure within a named scope, and return its result."""
    yield EnterScope(name)
    result = yield from procedure
    yield LeaveScope()
    return result


def roll_pool(count: int, die: Roll, start: T, add: Callable[..., T], *arguments: Hashable) -> Procedure[T]:
    """Roll a die `count` times, and fold the answers into `start`.

    Each answer is added by `add(result, answer, *arguments)`. The odds of equal intermediate results are computed once,
    so `add` should discard information that does not matter.
    """
    if not count:
        return start
    rest: Any = yield MemoizedCall(roll_pool, (count - 1, die, start, add, *arguments))
    answer = yield die
    return add(rest, answer, *arguments)
