"""Odds as ranges: what several candidates for unknown dice have in common."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import zip_longest

from cardgen.referee.trial import OddsTable, PreparedTrial, Rows

BY_CANDIDATES = "by the candidates of its dice"


def range_rows(every: Sequence[Rows]) -> Iterator[tuple[str, Fraction]]:
    """Yield the lowest and the highest figure of each label, or its only one; a label that is missing has 0."""
    figures = [dict(rows) for rows in every]
    for label in dict.fromkeys(label for rows in figures for label in rows):
        values = [rows.get(label, Fraction(0)) for rows in figures]
        if min(values) == max(values):
            yield label, values[0]
        else:
            yield f"{label}: at least", min(values)
            yield f"{label}: at most", max(values)


def range_table(every: Sequence[OddsTable]) -> OddsTable:
    """Return the odds table of ranges over the candidates; one that they all agree on stays as it is."""
    first, *others = every
    if all(each == first for each in others):
        return first
    chances = tuple(range_rows([(*each.parts, *each.chances) for each in every]))
    means = tuple(range_rows([each.means for each in every]))
    return OddsTable(f"{first.title}, {BY_CANDIDATES}", chances=chances, means=means)


def range_tables(every: Iterable[Sequence[OddsTable]]) -> tuple[OddsTable, ...]:
    """Return the tables of ranges over the candidates, whose tables are in the same order."""
    together = zip_longest(*every, fillvalue=OddsTable(""))
    return tuple(range_table(tables) for tables in together)


def over_candidates(trials: Sequence[PreparedTrial]) -> PreparedTrial:
    """Return one trial of several that differ in unknown dice: rolls use the first, and its odds are ranges."""
    if len(trials) == 1:
        return trials[0]
    return replace(trials[0], odds=lambda: range_tables([each.odds() for each in trials if each.odds]))
