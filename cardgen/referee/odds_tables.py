"""Odds tables of dice: the rows of a distribution, and of reaching a number."""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

from cardgen.referee.die import Die
from cardgen.referee.trial import OddsTable

# Words and their chance, a row each.
Rows: TypeAlias = tuple[tuple[str, Fraction], ...]


def distribution_rows(die: Die[int]) -> Rows:
    """Return the chance of each number, the lowest first."""
    return tuple((str(value), chance) for value, chance in sorted(die))


def at_least_rows(die: Die[int]) -> Rows:
    """Return the chance of each number or more; 0 or more is certain and left out."""
    return tuple((f"{least} or more", _chance_of_at_least(die, least)) for least in sorted(die.weights) if least)


def _chance_of_at_least(die: Die[int], least: int) -> Fraction:
    return die.chance(lambda value: value >= least)


def distribution_table(title: str, die: Die[int], chances: Rows = (), mean: str = "mean") -> OddsTable:
    """Return the table of a number: the chance of each value, other chances about it, and its mean."""
    return OddsTable(title, distribution_rows(die), chances, ((mean, die.mean(int)),))
