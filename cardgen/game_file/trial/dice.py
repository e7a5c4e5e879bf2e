"""Dice of trials: sums in dice notation, and pools with successes."""

from __future__ import annotations

from bisect import insort
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from cardgen.referee.dice_notation import PAIRED, DiceExpression, DiceTerm
from cardgen.referee.requests import MemoizedCall, Procedure, Roll
from cardgen.validation.suggestion import slugify

# What a die shows: a number, or the name of a face.
Face: TypeAlias = int | str


@dataclass(frozen=True, slots=True)
class GameDie:
    """A die of the game: its name and its faces in order.

    A die with unknown faces has several lists of faces.
    """

    name: str
    candidates: tuple[tuple[Face, ...], ...]

    @property
    def is_numeric(self) -> bool:
        """True if all faces are numbers, which can be added."""
        return all(isinstance(face, int) for faces in self.candidates for face in faces)

    @property
    def faces(self) -> tuple[Face, ...]:
        """All different faces, also of other candidates."""
        return tuple(dict.fromkeys(face for faces in self.candidates for face in faces))


class OneDie(NamedTuple):
    """A die of a pool, and how a log names it.

    A face in `reroll` is rolled once more, and what it then shows counts. `names` are the names of the faces; without
    them, a die has the numbers from 1 to `sides`.
    """

    who: str
    what: str
    sides: int
    names: tuple[Face, ...] = ()
    reroll: tuple[Face, ...] = ()

    def roll(self) -> Procedure[Face]:
        """Roll the die, and return its face."""
        face = yield from self._once(self.what)
        if face in self.reroll:
            face = yield from self._once(f"{self.what}, rolled again")
        return face

    def _once(self, what: str) -> Procedure[Face]:
        shown = yield Roll(slugify(what), self.who, what, self.sides, faces=tuple(map(str, self.names)))
        return self.names[tuple(map(str, self.names)).index(shown)] if self.names else shown


class Tally(NamedTuple):
    """How the dice of a pool count.

    With `successes`, the result is the number of dice that show one of these faces, and otherwise the sum. With `keep`,
    only as many of the best dice count, or of the worst if `highest` is false.
    """

    successes: tuple[Face, ...] | None = None
    keep: int | None = None
    highest: bool = True

    @property
    def start(self) -> Any:
        """The state without any die."""
        return 0 if self.keep is None else ()

    def add(self, state: Any, face: Face) -> Any:
        """Return the state with one more die: a number, or the sorted values of the dice kept."""
        value = self._value(face)
        if self.keep is None:
            return state + value
        kept = list(state)
        insort(kept, value)
        return tuple(kept[-self.keep :] if self.highest else kept[: self.keep]) if self.keep else ()

    def _value(self, face: Face) -> int:
        if self.successes is None:
            return int(face)
        is_success = face in self.successes
        return int(is_success) if isinstance(face, str) or self.keep is None else face

    def result(self, state: Any) -> int:
        """Return the number of successes, or the sum."""
        if self.keep is None:
            return int(state)
        named = self.successes is not None and any(isinstance(face, str) for face in self.successes)
        if self.successes is None or named:
            return int(sum(state))
        return sum(value in self.successes for value in state)


def roll_pool(count: int, die: OneDie, tally: Tally) -> Procedure[int]:
    """Roll a pool of dice, and return its result."""
    state = yield from _roll_some(count, die, tally)
    return tally.result(state)


def _roll_some(count: int, die: OneDie, tally: Tally) -> Procedure[Any]:
    """Roll dice one after the other.

    The odds of equal intermediate states are computed once.
    """
    if not count:
        return tally.start
    state = yield MemoizedCall(_roll_some, (count - 1, die, tally))
    face = yield from die.roll()
    return tally.add(state, face)


def roll_sum(dice: DiceExpression, who: str, what: str) -> Procedure[int]:
    """Roll dice notation, and return the sum."""
    total = 0
    for term in dice.terms:
        total += term.sign * ((yield MemoizedCall(_roll_term, (term, who, what))) if term.sides else term.count)
    return total


def _roll_term(term: DiceTerm, who: str, what: str) -> Procedure[int]:
    tally = Tally(None, None if term.keep == term.count else term.keep, term.highest)
    if not term.paired:
        total = yield from roll_pool(term.count, OneDie(who, what, term.sides), tally)
        return total
    state = tally.start
    die = OneDie(who, what, PAIRED[term.sides])
    for _ in range(term.count):
        tens = yield from die.roll()
        units = yield from die.roll()
        state = tally.add(state, 10 * int(tens) + int(units))
    return tally.result(state)
