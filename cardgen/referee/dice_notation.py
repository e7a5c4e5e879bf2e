"""Dice notation: '2d6', 'd66', 'd3', '4d6kh3', '2d6+1d3-1'."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from cardgen.codes import Code
from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.referee.die import Die, uniform
from cardgen.referee.requests import Procedure, Roll

MAX_LENGTH, MAX_DICE, MAX_SIDES, MAX_TERMS, MAX_NUMBER = 100, 100, 1000, 10, 1_000_000
# Limit of the work for exact odds; beyond it, they are refused.
MAX_WORK = 2_000_000
PAIRED = {33: 3, 44: 4, 66: 6, 88: 8}

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
