"""Dice: exact outcomes with whole-number weights, without floating point, and what dice can show at all."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from operator import itemgetter
from typing import Generic, NamedTuple, TypeVar

from cardgen.units import with_article

T = TypeVar("T", bound=Hashable)
U = TypeVar("U", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Die(Generic[T]):
    """A distribution: outcomes with positive whole-number weights, which have no common divisor.

    Two dice are equal if they give the same chances. Build one with `Die.of`, which reduces the weights.
    """

    weights: Mapping[T, int]
    total: int

    @classmethod
    def of(cls, weights: Mapping[T, int]) -> Die[T]:
        """Return the die with these weights, without outcomes of weight 0.

        Raises ValueError if a weight is negative or all are 0.
        """
        if any(weight < 0 for weight in weights.values()):
            raise ValueError("weights must not be negative")
        divisor = gcd(*weights.values())
        if not divisor:
            raise ValueError("at least one weight must be positive")
        kept = {outcome: weight // divisor for outcome, weight in weights.items() if weight}
        return cls(kept, sum(kept.values()))

    @classmethod
    def constant(cls, outcome: T) -> Die[T]:
        """Return the die with only this outcome."""
        return cls({outcome: 1}, 1)

    def __hash__(self) -> int:
        return hash(frozenset(self.weights.items()))

    def __iter__(self) -> Iterator[tuple[T, Fraction]]:
        return ((outcome, Fraction(weight, self.total)) for outcome, weight in self.weights.items())

    def chance(self, predicate: Callable[[T], bool]) -> Fraction:
        """Return the chance that `predicate` is true for the outcome."""
        return Fraction(sum(weight for outcome, weight in self.weights.items() if predicate(outcome)), self.total)

    def chance_of(self, outcome: T) -> Fraction:
        """Return the chance of one outcome."""
        return Fraction(self.weights.get(outcome, 0), self.total)

    def mean(self, value: Callable[[T], int | Fraction]) -> Fraction:
        """Return the mean of `value` over the outcomes."""
        total = Fraction(0)
        for outcome, weight in self.weights.items():
            total += value(outcome) * weight
        return total / self.total

    def map(self, change: Callable[[T], U]) -> Die[U]:
        """Return the distribution of `change(outcome)`; equal results are merged."""
        joined: dict[U, int] = {}
        for outcome, weight in self.weights.items():
            result = change(outcome)
            joined[result] = joined.get(result, 0) + weight
        return Die.of(joined)

    def flat_map(self, follow: Callable[[T], Die[U]]) -> Die[U]:
        """Return the distribution after rolling the die that follows each outcome."""
        return mixture([(follow(outcome), weight) for outcome, weight in self.weights.items()])


def mixture(parts: list[tuple[Die[T], int]]) -> Die[T]:
    """Return the mixture of dice, each with a weight."""
    common = 1
    for die, _ in parts:
        common *= die.total // gcd(common, die.total)
    joined: dict[T, int] = {}
    for die, share in parts:
        scale = share * (common // die.total)
        for outcome, weight in die.weights.items():
            joined[outcome] = joined.get(outcome, 0) + weight * scale
    return Die.of(joined)


def uniform(sides: int) -> Die[int]:
    """Return the fair die with faces from 1 to `sides`."""
    return Die(dict.fromkeys(range(1, sides + 1), 1), sides)


SIDES = 6
# Dice such as the D66 are two dice, read as tens and units.
PAIRED = {33: 3, 44: 4, 66: 6, 88: 8}


class Dice(NamedTuple):
    """Dice that are rolled together and added up; a D66 is read as tens and units.

    A die of a game has a `name` and `faces` of its own; those of others are 1 to `sides`.
    """

    number: int = 1
    sides: int = SIDES
    name: str = ""
    faces: tuple[int, ...] = ()

    @property
    def shown(self) -> Collection[int]:
        """What one of the dice can show."""
        if self.faces:
            return self.faces
        digits = range(1, PAIRED.get(self.sides, 0) + 1)
        return [10 * ten + unit for ten in digits for unit in digits] or range(1, self.sides + 1)

    @property
    def low(self) -> int:
        """The least result."""
        return self.number * min(self.shown)

    @property
    def high(self) -> int:
        """The greatest result."""
        return self.number * max(self.shown)

    def __str__(self) -> str:
        name = self.name or f"D{self.sides}"
        return with_article(name) if self.number == 1 else f"{self.number}{' ' if self.name else ''}{name}"


class Misfit(NamedTuple):
    """A result that dice never show, or always: its place in a text, what is wrong, and what to do about it."""

    span: tuple[int, int]
    message: str
    help: str


def misfit(dice: Dice, low: int, high: int) -> str:
    """Return why dice never show a result from `low` to `high`, or always, or ''."""
    verb = "shows" if dice.number == 1 else "show"
    if low > dice.high:
        return f"{dice} {verb} {dice.high} at most"
    if high < dice.low:
        return f"{dice} {verb} {dice.low} at least"
    if dice.number == 1 and not any(low <= face <= high for face in dice.shown):
        return f"{dice} never shows {low}" + (f" to {high}" if high > low else "")
    return f"{dice} always {verb} {dice.low} or more" if low <= dice.low and high >= dice.high else ""


# '2D6', 'a D6', 'D66'. Several dice that are not added up, and sums with numbers, are not read.
_DICE = re.compile(r"\b(\d{0,2})[dD](\d{1,3})\b(?!\s*(?:[+\-−–]|plus|minus)\s*\d)")
_UNREAD = re.compile(r"\bdice\b|\bD\d+\s*(?:[+\-−–]|plus|minus)\s*\d|\b(?:add|subtract|plus|minus)\b", re.IGNORECASE)
# What one of several dice shows: 'For each 5+, …'.
_OF_EACH = re.compile(r"\b(?:[Ff]or )?(?:[Ee]ach|[Ee]very|[Aa]ny) (?P<first>\d{1,2})\+(?=[\s,.;:)]|$)")
_RESULT = re.compile(
    r"\b(?:[Oo]n an?|[Rr]oll(?:s|ed)?(?: of)?(?: an?)?|[Ss]hows an?|D\d+[:,]?) (?P<first>\d{1,2})"
    r"(?:(?P<up>\+| or (?:more|higher))|(?P<down> or (?:less|lower))|[-–](?P<last>\d{1,2}))?"
    r"(?=[\s,.;:)]|$)(?! (?:or|cm|mm|inch|dice))"
    r"(?: on an? (?P<own>\d{0,2}D\d{1,3}))?"
    r"|\b(?P<plus>\d{1,2})\+ on (?:an?|one|1) ?(?P<one>\d{0,2}D\d{1,3}|die)"
)


def dice_of_game(candidates: Mapping[str, Sequence[Sequence[int | str]]]) -> dict[str, tuple[int, ...]]:
    """Return what the dice of a game show, by name: numbers only, and of every candidate if the faces are unknown."""
    faces = {name: [face for each in every for face in each] for name, every in candidates.items()}
    return {
        name: tuple(face for face in shown if isinstance(face, int))
        for name, shown in faces.items()
        if all(isinstance(face, int) for face in shown)
    }


def misfits(text: str, own_dice: Mapping[str, tuple[int, ...]] | None = None) -> Iterator[Misfit]:
    """Yield the results in a text that its dice never show, or always; a die of no kind has six sides.

    `own_dice` are the faces of the game's dice by name, which a text writes with spaces or hyphens, and in any case.
    """
    own_dice = own_dice or {}
    if _UNREAD.search(text):
        if re.search(r"\b(?i:dice)\b", text) and not any(_named_dice(text, own_dice)):
            for match in _OF_EACH.finditer(text):
                if message := misfit(Dice(), int(match["first"]), Dice().high):
                    yield Misfit((match.start("first"), match.end()), message, "use 2+ to 6+")
        return
    named = sorted(_named_dice(text, own_dice), key=itemgetter(0))
    for match in _RESULT.finditer(text):
        own = _DICE.fullmatch(match["own"] or match["one"] or "")
        before = [dice for at, dice in named if at <= match.start()]
        dice = _dice(own, own_dice) if own else before[-1] if before else Dice()
        group = "plus" if match["plus"] else "first"
        face = int(match[group])
        high = dice.high if match["up"] or match["plus"] else int(match["last"] or face)
        low = dice.low if match["down"] else face
        if dice.number and (dice.sides or dice.faces) and (message := misfit(dice, low, max(high, low))):
            start, end = match.start(group), match.end("up" if match["up"] else group) + bool(match["plus"])
            least, most = dice.low, dice.high
            advice = f"use {least + 1}+ to {most}+" if most > least else "roll another die"
            yield Misfit((start, end), message, f"{advice}, or roll 2D6" if dice == Dice() else advice)


def dice_named_in(text: str, own_dice: Mapping[str, tuple[int, ...]] | None = None) -> list[Dice]:
    """Return the dice that a text names; none if it changes what they show, or rolls several that are not added up."""
    return [] if _UNREAD.search(text) else [dice for _, dice in _named_dice(text, own_dice or {})]


def _named_dice(text: str, own_dice: Mapping[str, tuple[int, ...]]) -> Iterator[tuple[int, Dice]]:
    """Yield dice with their places in a text."""
    yield from ((match.start(), _dice(match, own_dice)) for match in _DICE.finditer(text))
    for name, faces in own_dice.items():
        words = re.compile(rf"(?:\b(\d{{1,2}}) ?)?\b{name.replace('-', '[ -]')}\b", re.IGNORECASE)
        yield from ((match.start(), Dice(int(match[1] or 1), 0, name, faces)) for match in words.finditer(text))


def _dice(match: re.Match[str], own_dice: Mapping[str, tuple[int, ...]]) -> Dice:
    """Return dice such as 2D6; a game can have a die of that name with other faces."""
    name = f"d{match[2]}"
    if name in own_dice:
        return Dice(int(match[1] or 1), 0, name, own_dice[name])
    return Dice(int(match[1] or 1), int(match[2]))
