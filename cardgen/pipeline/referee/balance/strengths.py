"""What the scores tell: strength against cost, outliers, groups, and counters."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from cardgen.pipeline.referee.balance.card_fields import field_texts
from cardgen.pipeline.referee.balance.result import Balance
from cardgen.referee.scores import Side, StrengthFit, rank_correlation

# A score is clear if it exceeds this; a counter wins more than half of its duels by more than rounding.
_EVEN = 0.5 + 1e-9
# From these rank correlations on, strength follows cost closely, or at least loosely.
_CLOSE, _LOOSE = 0.7, 0.3
# The fit says nothing about costs below the lowest by more than this factor, or above the highest.
_FAR = 2.0


class Standing(NamedTuple):
    """The standing of a competitor.

    `strength` is its mean score, `low` to `high` the band of its cost, and `deviations` the distance from the usual
    strength in robust standard deviations. `usual_cost` is None if it would be far outside the costs of all. `counter`
    is the opponent that beats it most clearly, `cheap_counter` the one among those that cost at most as much, and
    `victim` the one that it beats most clearly, as places.
    """

    place: int
    strength: float
    cost: float | None
    expected: float | None = None
    low: float | None = None
    high: float | None = None
    deviations: float | None = None
    side: Side = ""
    usual_cost: float | None = None
    counter: int | None = None
    cheap_counter: int | None = None
    victim: int | None = None


class Group(NamedTuple):
    """The competitors with one value of a field.

    `surplus` is the mean of their strengths less those usual for their costs, or None without a fit; `strong` and
    `weak` count the outliers.
    """

    field: str
    value: str
    places: tuple[int, ...]
    strength: float
    surplus: float | None
    strong: int
    weak: int
    best: int
    worst: int


@dataclass(frozen=True)
class Strengths:
    """The standings of all competitors.

    `costs` are the costs of the competitors, and `fields` the fields of the groups.
    """

    balance: Balance
    costs: Sequence[float | None]
    fields: tuple[str, ...] = ()

    @cached_property
    def fit(self) -> StrengthFit | None:
        """The fit of strength against cost; None if too few competitors have costs."""
        pairs = ((self.costs[place], float(mean)) for place, mean in self.balance.ranking)
        return StrengthFit.of([(cost, mean) for cost, mean in pairs if cost is not None])

    @cached_property
    def agreement(self) -> float | None:
        """The rank correlation of cost and strength; None without a fit."""
        each = [(cost, one.strength) for one in self.standings if (cost := one.cost) is not None and cost > 0]
        return rank_correlation(each) if self.fit else None

    @cached_property
    def standings(self) -> list[Standing]:
        """The standings of all competitors, the strongest first."""
        return [self._standing(place, float(mean)) for place, mean in self.balance.ranking]

    @cached_property
    def by_place(self) -> list[Standing]:
        """The same in the order of the competitors."""
        return sorted(self.standings)

    @cached_property
    def float_rows(self) -> list[array[float]]:
        """All scores as floats; half a victory against itself."""
        return [array("d", [0.5 if score is None else float(score) for score in row]) for row in self.balance.scores]

    def outliers(self, side: Side) -> list[Standing]:
        """Return the competitors above the band ('strong') or below it ('weak'), the farthest first."""
        outside = [each for each in self.standings if each.side == side]
        return sorted(outside, key=lambda each: -abs(each.deviations or 0))

    def _standing(self, place: int, strength: float) -> Standing:
        cost = self.costs[place]
        counter, cheap_counter, victim = self._opponents(place, cost)
        standing = Standing(place, strength, cost, counter=counter, cheap_counter=cheap_counter, victim=victim)
        if self.fit is None or cost is None or cost <= 0:
            return standing
        low, high = self.fit.band(cost)
        return standing._replace(
            expected=self.fit.expected(cost),
            low=low,
            high=high,
            deviations=self.fit.deviations(cost, strength),
            side=self.fit.side(cost, strength),
            usual_cost=self._near(self.fit.usual_cost(strength)),
        )

    @cached_property
    def cost_limits(self) -> tuple[float, float]:
        """The lowest and the highest cost about which the fit says something."""
        costs = [cost for cost in self.costs if cost is not None and cost > 0]
        return min(costs) / _FAR, max(costs) * _FAR

    def _near(self, cost: float | None) -> float | None:
        """Return a cost, or None if the fit says nothing about it."""
        low, high = self.cost_limits
        return cost if cost is not None and low <= cost <= high else None

    def _opponents(self, place: int, cost: float | None) -> tuple[int | None, int | None, int | None]:
        """Return the best counter, the best of those that cost at most as much, and the clearest victim."""
        scores = [(float(score), other) for other, score in enumerate(self.balance.scores[place]) if score is not None]
        lowest, highest = min(scores), max(scores)
        costs = self.costs
        cheap = (
            min((pair for pair in scores if (its := costs[pair[1]]) is not None and its <= cost), default=(1.0, -1))
            if cost is not None
            else (1.0, -1)
        )
        return (
            lowest[1] if 1 - lowest[0] > _EVEN else None,
            cheap[1] if 1 - cheap[0] > _EVEN else None,
            highest[1] if highest[0] > _EVEN else None,
        )

    @cached_property
    def groups(self) -> list[Group]:
        """The groups of each field, the strongest for their costs first; without a fit, the strongest."""
        return [group for field in self.fields for group in self._groups_of(field)]

    def _groups_of(self, field: str) -> list[Group]:
        places: dict[str, list[int]] = {}
        for place, card in enumerate(self.balance.cards):
            for value in field_texts(card, field):
                places.setdefault(value, []).append(place)
        groups = [self._group(field, value, members) for value, members in places.items()]
        return sorted(groups, key=lambda each: (-_order_of(each), each.value))

    def _group(self, field: str, value: str, places: Sequence[int]) -> Group:
        members = [self.by_place[place] for place in places]
        surpluses = [each.strength - each.expected for each in members if each.expected is not None]
        return Group(
            field,
            value,
            tuple(places),
            sum(each.strength for each in members) / len(members),
            sum(surpluses) / len(surpluses) if surpluses else None,
            sum(each.side == "strong" for each in members),
            sum(each.side == "weak" for each in members),
            max(members, key=_worth).place,
            min(members, key=_worth).place,
        )


def agreement_words(agreement: float) -> str:
    """Return the rank correlation of cost and strength, and what it means."""
    degree = "closely" if agreement >= _CLOSE else "loosely"
    words = f"strength follows cost {degree}" if agreement >= _LOOSE else "strength hardly follows cost"
    return f"{words} (rank correlation {agreement:.2f})"


def _order_of(group: Group) -> float:
    return group.strength if group.surplus is None else group.surplus


def _worth(standing: Standing) -> float:
    """Return the order of competitors within a group: by strength for the cost, or else by strength."""
    return standing.strength if standing.deviations is None else standing.deviations


def fit_curve(strengths: Strengths, steps: int = 80) -> Iterator[tuple[float, float, float, float]]:
    """Yield costs from the lowest to the highest with the usual strength and the band."""
    costs = [cost for cost in strengths.costs if cost is not None and cost > 0]
    if strengths.fit is None:
        return
    low, high = min(costs), max(costs)
    for step in range(steps + 1):
        cost = low + (high - low) * step / steps
        yield cost, strengths.fit.expected(cost), *strengths.fit.band(cost)
