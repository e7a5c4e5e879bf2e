"""How a duel ended, in words and as tables of odds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from operator import itemgetter
from typing import NamedTuple

from cardgen.game import Die, OddsTable, distribution_table


class DuelOutcome(NamedTuple):
    """How a duel ended: the winner (0, 1, or None for a draw), who was eliminated, and the VP of each side."""

    winner: int | None
    eliminated: tuple[bool, bool]
    vp: tuple[int, int]

    def lines(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return who is eliminated, who wins, and the VP."""
        winner = "a draw" if self.winner is None else f"{names[self.winner]} wins"
        fallen = [f"{name} is eliminated" for who, name in enumerate(names) if self.eliminated[who]]
        vp = ", ".join(f"{name} {points}" for name, points in zip(names, self.vp, strict=True))
        return (*fallen, f"{winner}; VP: {vp}")


def elimination_chances(names: Sequence[str], die: Die[DuelOutcome]) -> tuple[tuple[str, Fraction], ...]:
    """Return the chance of each side to be eliminated."""
    eliminated = die.map(lambda end: end.eliminated)
    return tuple((f"{name} eliminated", eliminated.chance(itemgetter(who))) for who, name in enumerate(names))


def vp_tables(names: Sequence[str], die: Die[DuelOutcome], title: str) -> Iterator[OddsTable]:
    """Yield the distribution of each side's VP."""
    vp = die.map(lambda end: end.vp)
    for who, name in enumerate(names):
        points = vp.map(itemgetter(who))
        yield distribution_table(f"VP of {name}, {title}", points, mean=f"mean VP of {name}")
