"""Requests of a procedure while it runs: dice, decisions and numbers; and what it logs.

A procedure is a generator that yields these and is sent the answers. Each request has a `key`: its name within the
scope it stands in, from which its die is derived and by which a transcript finds it again.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias, TypeVar

T = TypeVar("T")


class Modifier(NamedTuple):
    """Why a number is not the printed one: what it comes from, and by how much it changes it."""

    source: str
    amount: int

    def __str__(self) -> str:
        return f"{self.amount:+d} {self.source}"


@dataclass(frozen=True, slots=True)
class Test:
    """A die that succeeds on `need` or less; the answer is whether it did.

    `basis` names the number that `need` begins with ('Mind 4'), `reasons` say what changed it.
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
        """What a face of the die means."""
        return face <= self.need

    def branches(self) -> list[tuple[Any, int]]:
        """Every answer with its weight."""
        wins = min(max(self.need, 0), self.sides)
        return [(answer, weight) for answer, weight in ((True, wins), (False, self.sides - wins)) if weight]


class Roll(NamedTuple):
    """A die whose answer is its face or, where `wins` names faces, whether it shows one of them."""

    key: str
    who: str
    what: str
    sides: int = 6
    wins: tuple[int, ...] = ()

    def outcome(self, face: int) -> int | bool:
        """What a face of the die means."""
        return face in self.wins if self.wins else face

    def branches(self) -> list[tuple[Any, int]]:
        """Every answer with its weight."""
        if not self.wins:
            return [(face, 1) for face in range(1, self.sides + 1)]
        wins = len(self.wins)
        return [(answer, weight) for answer, weight in ((True, wins), (False, self.sides - wins)) if weight]


class Decision(NamedTuple):
    """A decision between options, told apart by their words; `advised` is what the policy in force would do."""

    key: str
    who: str
    what: str
    options: tuple[str, ...]
    default: str = ""


class Measurement(NamedTuple):
    """A whole number that somebody at the table measures or counts; both bounds are allowed."""

    key: str
    who: str
    what: str
    low: int
    high: int
    unit: str = ""


class Log(NamedTuple):
    """Something to tell: a text with '{}' for each of its parts. Nothing is answered."""

    text: str
    parts: tuple[object, ...] = ()

    def __str__(self) -> str:
        return self.text.format(*self.parts)


class SecretLog(NamedTuple):
    """Something that only one side may know until it shows. Nothing is answered, and no transcript says it."""

    who: str
    text: str


class EnterScope(NamedTuple):
    """From here on requests stand within this scope."""

    name: str


class LeaveScope(NamedTuple):
    """The scope that was entered last ends."""


class MemoizedCall(NamedTuple):
    """Another procedure and its arguments. Its outcome depends on nothing else, so that it is worked out once."""

    procedure: Callable[..., Generator[Any, Any, Any]]
    arguments: tuple[Hashable, ...]


class AbstractedCall(NamedTuple):
    """A Call of `procedure(state, *arguments)` that looks at the state's counters no further than their `bounds`.

    `state` is a NamedTuple of a mode and counters, and the outcome is one too. A counter of n is worked out as
    min(n, bound), None standing for no bound; beyond it, the procedure must change it by the same amount whatever it
    is. So states that differ only there are worked out once.
    """

    procedure: Callable[..., Generator[Any, Any, Any]]
    state: Any
    arguments: tuple[Hashable, ...]
    bounds: tuple[int | None, ...]

    @property
    def clamped(self) -> Any:
        """The state as the procedure may see it."""
        mode, counters = self.state
        return self.state._make((mode, clamp_counters(counters, self.bounds)))


def clamp_counters(counters: tuple[int, ...], bounds: tuple[int | None, ...]) -> tuple[int, ...]:
    """The counters as somebody sees them who looks at each no further than its bound; without bounds, as they are."""
    if not bounds:
        return counters
    return tuple([c if b is None or c < b else b for c, b in zip(counters, bounds, strict=True)])


DieRequest: TypeAlias = Test | Roll
Question: TypeAlias = Test | Roll | Decision | Measurement
Request: TypeAlias = (
    Test | Roll | Decision | Measurement | Log | SecretLog | EnterScope | LeaveScope | MemoizedCall | AbstractedCall
)
Procedure: TypeAlias = Generator[Request, Any, T]


def in_scope(name: str, procedure: Procedure[T]) -> Procedure[T]:
    """The same procedure, all of whose requests stand within a scope of that name."""
    yield EnterScope(name)
    result = yield from procedure
    yield LeaveScope()
    return result


def roll_pool(count: int, die: Roll, start: T, add: Callable[..., T], *arguments: Hashable) -> Procedure[T]:
    """Roll a die so many times and return `start` with every answer added by `add(sum, answer, *arguments)`.

    Pools that come to the same so far are worked out once, so `add` should forget what does not matter.
    """
    if not count:
        return start
    rest: Any = yield MemoizedCall(roll_pool, (count - 1, die, start, add, *arguments))
    answer = yield die
    return add(rest, answer, *arguments)
