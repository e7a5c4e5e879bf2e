"""Requests of a running procedure: dice and common rolls, decisions, measurements, log entries, and the scoreboard."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Generator, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias, TypeGuard, TypeVar

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place
from cardgen.referee.die import PAIRED, Die, uniform
from cardgen.runtime.installation import FAST


class UnitStatus(NamedTuple):
    """How a unit stands, in words such as '3/5'; `is_out` is true if it is lost for good."""

    name: str
    state: str
    is_out: bool = False


class SideStatus(NamedTuple):
    """How a side stands: its score in words, which may be empty, and its units."""

    name: str
    score: str
    units: tuple[UnitStatus, ...]


class Scoreboard(NamedTuple):
    """How a battle stands: the time in words, such as 'Turn 2', and its sides."""

    time: str
    sides: tuple[SideStatus, ...]


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
    of options, and can repeat them, except those of `once`. `bounds` are the least and the greatest number of options
    that a player is let choose. Saves of older versions can hold any number, so a procedure must accept others, too.
    """

    key: str
    who: str
    what: str
    options: tuple[str, ...]
    most: int = 0
    once: tuple[str, ...] = ()
    bounds: tuple[int, int] | None = None


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
    # FAST PATH. Reason: states that differ beyond the bounds share their odds, so that a duel of two cards takes a
    # quarter of the time or less.
    if not (bounds and FAST):
        return counters
    return tuple([c if b is None or c < b else b for c, b in zip(counters, bounds, strict=True)])


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


MAX_LENGTH, MAX_DICE, MAX_SIDES, MAX_TERMS, MAX_NUMBER = 100, 100, 1000, 10, 1_000_000
# Limit of the work for exact odds; beyond it, they are refused.
MAX_WORK = 2_000_000

_TERM = re.compile(
    r"([+-]?)(?:(\d{0,12})d(\d{1,12}|%)(?:(kh|kl|dh|dl)(\d{1,12}))?|(\d{1,12}))", re.IGNORECASE | re.ASCII
)
HELP = "write 2d6, d66, d3, 4d6kh3 (keep the highest 3), or 2d6+1"


@dataclass(frozen=True, slots=True)
class DiceTerm:
    """A term of a dice expression: `count` dice, each with `sides` sides.

    Only the `keep` highest dice count, or the lowest if `highest` is false. With 0 sides, the term is the number
    `count`. `sign` is 1 or -1.
    """

    sign: int
    count: int
    sides: int
    keep: int
    highest: bool = True

    @property
    def paired(self) -> bool:
        """True for dice such as the D66.

        They are two dice, read as tens and units.
        """
        return self.sides in PAIRED

    def total(self, faces: list[int]) -> int:
        """Return the signed sum of the dice kept."""
        if self.paired:
            tens, units = faces[::2], faces[1::2]
            faces = [10 * ten + unit for ten, unit in zip(tens, units, strict=True)]
        kept = sorted(faces, reverse=self.highest)[: self.keep]
        return self.sign * sum(kept)


class DiceExpression(NamedTuple):
    """A sum of dice and numbers."""

    text: str
    terms: tuple[DiceTerm, ...]

    def procedure(self) -> Procedure[int]:
        """Roll every die and return the sum."""
        total = 0
        for part in self.terms:
            if not part.sides:
                total += part.sign * part.count
                continue
            sides, dice = (PAIRED[part.sides], 2 * part.count) if part.paired else (part.sides, part.count)
            faces = []
            for _ in range(dice):
                face = yield Roll(f"d{sides}", "", f"d{sides}", sides)
                faces.append(face)
            total += part.total(faces)
        return total

    def odds(self) -> Die[int]:
        """Return the exact distribution of the sum.

        Raises CardgenError if it would take too long to compute.
        """
        total = Die.constant(0)
        for part in self.terms:
            die = _term_odds(part, self.text)
            total = total.flat_map(lambda so_far, die=die: die.map(lambda more: so_far + more))  # type: ignore[misc]
        return total


def parse(text: str) -> DiceExpression:
    """Parse dice notation.

    Raises CardgenError if it is invalid or beyond the limits.
    """
    written = text.replace(" ", "")
    if len(text) > MAX_LENGTH:
        raise _error(text, f"must be at most {MAX_LENGTH} characters long, not {len(text)}")
    parts, at = [], 0
    while at < len(written):
        match = _TERM.match(written, at)
        if match is None or (at and not match[1]):
            raise _error(text, f"is not valid dice notation from '{written[at : at + 12]}' on")
        parts.append(_parse_term(text, match))
        at = match.end()
    if not parts:
        raise _error(text, "is empty")
    if len(parts) > MAX_TERMS:
        raise _error(text, f"must have at most {MAX_TERMS} terms, not {len(parts)}")
    return DiceExpression(text, tuple(parts))


def _parse_term(text: str, match: re.Match[str]) -> DiceTerm:
    sign = -1 if match[1] == "-" else 1
    if match[6]:
        if int(match[6]) > MAX_NUMBER:
            raise _error(text, f"must not contain a number over {MAX_NUMBER}")
        return DiceTerm(sign, int(match[6]), 0, 0)
    count = int(match[2] or 1)
    sides = 100 if match[3] == "%" else int(match[3])
    if not 1 <= count <= MAX_DICE:
        raise _error(text, f"must roll between 1 and {MAX_DICE} dice, not {count}")
    if not 1 <= sides <= MAX_SIDES:
        raise _error(text, f"must use dice with 1 to {MAX_SIDES} sides, not {sides}")
    word, number = (match[4] or "kh").lower(), int(match[5] or count)
    keep = number if word[0] == "k" else count - number
    if not 1 <= keep <= count or (word[0] == "d" and not match[5]):
        raise _error(text, f"must keep between 1 and {count} dice, not {keep}")
    return DiceTerm(sign, count, sides, keep, highest=word in ("kh", "dl"))


def _error(text: str, what: str) -> CardgenError:
    shown = text if len(text) <= 30 else f"{text[:30]}…"
    return CardgenError(Diagnostic(Code.BAD_DICE, f"'{shown}' {what}", Place("DICE"), HELP))


def _term_odds(part: DiceTerm, text: str) -> Die[int]:
    if not part.sides:
        return Die.constant(part.sign * part.count)
    faces = uniform(part.sides)
    if part.paired:
        side = PAIRED[part.sides]
        faces = uniform(side).flat_map(lambda ten: uniform(side).map(lambda unit: 10 * ten + unit))
    values = sorted(faces.weights, reverse=part.highest)
    if part.keep == part.count and part.count * part.count * len(values) * len(values) <= MAX_WORK:
        total = Die.constant(0)
        for _ in range(part.count):
            total = total.flat_map(lambda so_far: faces.map(lambda face: so_far + part.sign * face))
        return total
    if part.count * part.keep * len(values) * part.count * max(values) > MAX_WORK:
        raise CardgenError(
            Diagnostic(Code.TOO_MANY_OUTCOMES, f"'{text}' has too many outcomes for exact odds", Place("DICE"),
                       "use fewer dice, or roll them")
        )  # fmt: skip
    return _kept_dice_odds(values, part.count, part.keep).map(lambda value: part.sign * value)


def _kept_dice_odds(values: list[int], count: int, keep: int) -> Die[int]:
    """Return the distribution of the sum of the kept dice.

    These are the first `keep` of `count` dice, sorted as `values`. Each value is equally likely. The values are added
    one after the other: the number of dice that show a value follows from binomial coefficients.
    """
    ways: dict[tuple[int, int], int] = {(0, 0): 1}
    for value in values:
        after: dict[tuple[int, int], int] = {}
        for (used, total), weight in ways.items():
            combinations = 1
            for more in range(count - used + 1):
                counted = min(more, max(0, keep - used))
                state = (used + more, total + counted * value)
                after[state] = after.get(state, 0) + weight * combinations
                combinations = combinations * (count - used - more) // (more + 1)
        ways = after
    return Die.of({total: weight for (used, total), weight in ways.items() if used == count})


YES, NO = "yes", "no"


def choose(key: str, who: str, what: str, options: Mapping[str, T]) -> Procedure[T]:
    """Ask for one of several options by label; a single option is not asked for."""
    if len(options) == 1:
        return next(iter(options.values()))
    answer = yield Decision(key, who, what, tuple(options))
    return options[answer]


def confirm(key: str, who: str, what: str) -> Procedure[bool]:
    """Ask a question with the answers yes and no."""
    return (yield from choose(key, who, what, {YES: True, NO: False}))


def choose_one(key: str, who: str, what: str, items: Iterable[T], nobody: str = "") -> Procedure[T | None]:
    """Ask for one of some items by text, or, with the label `nobody`, for none; return None if there are none."""
    options: dict[str, T | None] = {nobody: None} if nobody else {}
    options |= {str(each): each for each in items}
    if not options:
        return None
    return (yield from choose(key, who, what, options))


def select(
    key: str, who: str, what: str, items: Iterable[T], bounds: tuple[int, int] | None = None
) -> Procedure[list[T]]:
    """Ask for any number of items by text, or for a number within bounds."""
    options = {str(each): each for each in items}
    names = (yield Selection(key, who, what, tuple(options), bounds=bounds)) if options else ()
    return [options[name] for name in names]


def choose_in_turn(
    key: str,
    who: str,
    what: str,
    ready: Callable[[], Iterable[T]],
    act: Callable[[T], Procedure[None]],
    nobody: str = "nobody else",
) -> Procedure[None]:
    """Ask for one item after another among those that are ready, and let each act, until nobody is chosen."""
    while items := [*ready()]:
        item = yield from choose_one(key, who, what, items, nobody)
        if item is None:
            return
        yield from act(item)


def at_least(key: str, who: str, what: str, need: int, sides: int = 6) -> Roll:
    """Return a die that succeeds on `need` or more. Raises ValueError if no side is that high."""
    if need > sides:
        raise ValueError(f"a D{sides} is never {need} or more")
    return Roll(key, who, f"{what}, {need} or more", sides, tuple(range(need, sides + 1)))


def at_most(key: str, who: str, what: str, need: int, sides: int = 6) -> Roll:
    """Return a die that succeeds on `need` or less. Raises ValueError if no side is that low."""
    if need < 1:
        raise ValueError(f"a D{sides} is never {need} or less")
    return Roll(key, who, f"{what}, {need} or less", sides, tuple(range(1, need + 1)))


def roll_sum(count: int, key: str, who: str, what: str, sides: int = 6) -> Procedure[int]:
    """Roll several dice, and return their sum."""
    total = 0
    for _ in range(count):
        total += yield Roll(key, who, f"{what}, {count}D{sides}", sides)
    return total


def roll_off(names: Sequence[str], what: str = "roll-off", sides: int = 6) -> Procedure[int]:
    """Roll a die for each of two names until the results differ; return the place of the higher one."""
    while True:
        one = yield Roll("roll-off", names[0], what, sides)
        other = yield Roll("roll-off", names[1], what, sides)
        if one != other:
            return int(other > one)
