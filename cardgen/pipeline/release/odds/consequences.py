"""What changed rules mean for a card, as text and as data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from cardgen.pipeline.release.content.released_card import CardKey
from cardgen.referee.number_format import decimal, percent

# By default, odds are computed for at most this many changed cards, in a project of at most this many cards; that takes
# about a second.
QUICK_CHANGES, QUICK_CARDS = 20, 200


class ChangedFigure(NamedTuple):
    """A figure of a benchmark before and after; None for a benchmark that one of the cards does not have.

    It is a chance, or else a mean.
    """

    title: str
    label: str
    old: Fraction | None
    new: Fraction | None
    is_chance: bool

    @property
    def texts(self) -> tuple[str, str]:
        """Both figures with as many digits as show their difference."""
        for digits in range(4):
            old, new = (self._text(value, digits) for value in (self.old, self.new))
            if old != new:
                break
        return old, new

    def _text(self, value: Fraction | None, digits: int) -> str:
        if value is None:
            return "none"
        return percent(value, digits) if self.is_chance else decimal(value, digits + 1)


class BalancePlace(NamedTuple):
    """The place of a card among all that fight, from 1, and its mean score: the chance to win, a draw counting half."""

    place: int
    fighters: int
    score: float


class Meaning(NamedTuple):
    """What the changed rules of a card mean; places are None for a card that does not fight."""

    figures: tuple[ChangedFigure, ...]
    old_place: BalancePlace | None = None
    new_place: BalancePlace | None = None


class Meanings(NamedTuple):
    """What changed rules mean by card, and what was not computed, or ''.

    `left_out` names the rules of cards that the odds and the duels of the balance leave to the players.
    """

    cards: Mapping[CardKey, Meaning]
    note: str = ""
    left_out: tuple[str, ...] = ()


NOTHING: Meanings = Meanings({})


def meaning_lines(meaning: Meaning) -> Iterator[str]:
    """Yield a line for each benchmark with its figures, and one for the places."""
    rows: dict[str, list[str]] = {}
    for figure in meaning.figures:
        old, new = figure.texts
        rows.setdefault(figure.title, []).append(f"{figure.label} {old} → {new}".strip())
    yield from (f"{title}: {', '.join(texts)}" for title, texts in rows.items())
    if meaning.old_place and meaning.new_place:
        old_place, new_place = meaning.old_place, meaning.new_place
        scores = f"wins {old_place.score * 100:.1f} % → {new_place.score * 100:.1f} % of its duels"
        both = (f"{each.place} of {each.fighters}" for each in (old_place, new_place))
        yield f"balance: place {' → '.join(both)}, {scores}"


def meaning_data(meaning: Meaning | None) -> dict[str, object]:
    """Return what changed rules mean as plain data for JSON; empty if nothing is known."""
    if meaning is None:
        return {"odds": [], "balance": None}
    figures = [
        {
            "benchmark": each.title,
            "figure": each.label,
            "sort": "chance" if each.is_chance else "mean",
            "old": None if each.old is None else float(each.old),
            "new": None if each.new is None else float(each.new),
        }
        for each in meaning.figures
    ]
    both = {"old": meaning.old_place, "new": meaning.new_place}
    return {"odds": figures, "balance": {name: each._asdict() if each else None for name, each in both.items()}}
