"""What the scores tell: strength against cost, outliers, groups, counters, and teams.

A battle of two teams is a line of duels: each side sends its members one by one in random order, the loser of a duel
leaves, and the winner meets the next opponent, unhurt. A draw counts as half a victory of each. The side that has
members left wins. For two teams in two orders, the chance to win is computed from the scores; only the teams and their
orders are random, so the error is that of the sample.
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import fsum, sqrt
from statistics import NormalDist
from typing import Any, NamedTuple, overload

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place
from cardgen.model.card_values import is_number
from cardgen.referee.scores import Cycles, Score, ScoreMatrix, Side, StrengthFit, find_cycles, rank_correlation
from cardgen.referee.trial import Competitor, GameTrials

# The field with the name of the card that a competitor carries.
CARRIES = "carries"
# The field with the cost of a card, unless the game or the user names another.
COST = "points"


def field_texts(competitor: Competitor, path: str) -> tuple[str, ...]:
    """Return the values of a field, such as 'faction' or 'stats.wounds', as texts; a list has several."""
    if path == CARRIES:
        return (str(competitor.carries["name"]),) if competitor.carries else ()
    return tuple(dict.fromkeys(str(value) for value in _values(competitor.card, path.split("."))))


def cost_of(competitor: Competitor, trials: GameTrials, path: str | None) -> float | None:
    """Return the cost of a competitor; None if it has none.

    The field `path` has priority over the game's own reckoning.
    """
    if path is None and trials.cost:
        cost = trials.cost(competitor)
        return None if cost is None else float(cost)
    numbers = _numbers(competitor, path or COST)
    return float(numbers[0]) if len(numbers) == 1 else None


def has_number(competitor: Competitor, path: str) -> bool:
    """Return whether a field of a competitor has a number."""
    return bool(_numbers(competitor, path))


def inner_fields(competitor: Competitor, path: str) -> set[str]:
    """Return the keys below a field, such as those of 'stats'."""
    return {str(key) for each in _below(competitor.card, path.split(".")) if isinstance(each, dict) for key in each}


def _numbers(competitor: Competitor, path: str) -> list[int | float]:
    return [value for value in _values(competitor.card, path.split(".")) if is_number(value)]


def _values(value: Any, keys: list[str]) -> Iterator[Any]:
    """Yield the single values below some keys."""
    return (each for each in _below(value, keys) if each is not None and not isinstance(each, dict))


def _below(value: Any, keys: list[str]) -> Iterator[Any]:
    """Yield what is below some keys; lists are searched item by item."""
    if isinstance(value, list | tuple):
        for item in value:
            yield from _below(item, keys)
    elif not keys:
        yield value
    elif isinstance(value, dict) and keys[0] in value:
        yield from _below(value[keys[0]], keys[1:])


# In a crowd, only the clearest cycles are listed.
MOST_CROWD_CYCLES = 1000


@dataclass(frozen=True, slots=True)
class Gain:
    """The gain of bearers from a carried card: mean, most, and least."""

    name: str
    mean: Score
    most: tuple[str, Score]
    least: tuple[str, Score]


@dataclass(frozen=True)
class Balance:
    """The scores of all pairs of competitors.

    A score is the chance that the row beats the column, where a draw counts half; the diagonal is None. Scores are
    fractions, or floats for crowds. Each of `competitors` has the name of a card and the name of the card that it
    carries, or ''; `cards` has their data.
    """

    competitors: tuple[tuple[str, str], ...]
    scores: Sequence[Sequence[Score | None]]
    cards: tuple[Competitor, ...] = ()

    @cached_property
    def is_crowd(self) -> bool:
        """Whether scores are floats."""
        return any(isinstance(score, float) for score in self.scores[0])

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of competitors: 'Halvane Doru', 'Halvane Doru + Iron Halo'."""
        return tuple(f"{card} + {carried}" if carried else card for card, carried in self.competitors)

    @cached_property
    def gains(self) -> list[Gain]:
        """The gain from each carried card, the largest first.

        It is averaged over all opponents except the bearer itself.
        """
        all_gains = []
        for name in dict.fromkeys(carried for _, carried in self.competitors if carried):
            gains = {card: self._gain(card, name) for card, carried in self.competitors if carried == name}
            ordered = sorted(gains.items(), key=lambda each: (-each[1], each[0]))
            all_gains.append(Gain(name, _mean(list(gains.values())), ordered[0], ordered[-1]))
        return sorted(all_gains, key=lambda gain: (-gain.mean, gain.name))

    def _gain(self, card: str, carried: str) -> Score:
        bare, bearing = (self.scores[self.competitors.index((card, each))] for each in ("", carried))
        others = [place for place, (other, _) in enumerate(self.competitors) if other != card]
        pairs = [(bearing[place], bare[place]) for place in others]
        return _mean([one - other for one, other in pairs if one is not None and other is not None])

    @cached_property
    def ranking(self) -> list[tuple[int, Score]]:
        """Indices of competitors with their mean scores, the highest first."""
        means = [(place, _mean([score for score in row if score is not None])) for place, row in enumerate(self.scores)]
        return sorted(means, key=lambda each: (-each[1], self.names[each[0]]))

    def extremes(self, place: int) -> tuple[int, int]:
        """Return the easiest and the hardest opponent of a competitor."""
        others = [(score, other) for other, score in enumerate(self.scores[place]) if score is not None]
        return max(others)[1], min(others)[1]

    @cached_property
    def cycles(self) -> Cycles:
        """Cycles of three cards with their lowest scores, the clearest first."""
        return find_cycles(self.scores, MOST_CROWD_CYCLES if self.is_crowd else None)


class ClassRows(Sequence[Sequence[Score | None]]):
    """The scores of all competitors, whose classes share theirs; each row is made when it is read."""

    def __init__(self, classes: Sequence[int], matrix: ScoreMatrix) -> None:
        self._classes, self._matrix = classes, matrix

    def __len__(self) -> int:
        """Return the number of competitors."""
        return len(self._classes)

    @overload
    def __getitem__(self, place: int) -> list[Score | None]: ...
    @overload
    def __getitem__(self, place: slice) -> list[list[Score | None]]: ...
    def __getitem__(self, place: int | slice) -> list[Score | None] | list[list[Score | None]]:
        """Return the row of a competitor; it has no score against itself."""
        if isinstance(place, slice):
            return [self[each] for each in range(*place.indices(len(self)))]
        scores = self._matrix.rows[self._classes[place]]
        row: list[Score | None] = [scores[number] for number in self._classes]
        row[place] = None
        return row


def _mean(scores: Sequence[Score]) -> Score:
    is_float = scores and isinstance(scores[0], float)
    return (fsum(scores) if is_float else sum(scores, Fraction(0))) / max(1, len(scores))


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


# Members of a team unless the user says otherwise, and battles of two groups.
MOST_MEMBERS, SAMPLES = 15, 200
# The chance that an error bound holds.
_CONFIDENCE = 0.95
_WIDTH = NormalDist().inv_cdf((1 + _CONFIDENCE) / 2)


@dataclass(frozen=True, slots=True)
class TeamRequest:
    """The teams to simulate: their greatest cost and number of members, the battles of two groups, and the seed."""

    points: float | None = None
    members: int | None = None
    samples: int = SAMPLES
    seed: str = "balance"


class Estimate(NamedTuple):
    """A chance estimated from a sample, and the bound of its error that holds in 95 of 100 cases."""

    chance: float
    error: float


class TeamResult(NamedTuple):
    """The chance of a group's teams to win against each other group, and against all of them."""

    group: str
    overall: Estimate
    against: dict[str, Estimate]


def simulate_teams(
    strengths: Strengths, request: TeamRequest, on_progress: Callable[[int, int, str], None]
) -> list[TeamResult]:
    """Return the results of the teams of all groups of the first field, the strongest first.

    Raises CardgenError if fewer than two groups can form a team.
    """
    field = strengths.fields[0]
    groups = [group for group in strengths.groups if group.field == field]
    recruits = {group.value: members for group in groups if (members := _recruits(strengths, group, request))}
    if len(recruits) < 2:
        message = f"teams need at least two groups by '{field}', not {len(recruits)}"
        help_ = "group the cards by another field with --by, or allow teams more points"
        raise CardgenError(Diagnostic(Code.NOT_POSSIBLE, message, Place("--teams"), help_))
    samples: dict[str, dict[str, list[float]]] = {name: {} for name in recruits}
    pairs = list(combinations(recruits, 2))
    for done, (one, other) in enumerate(pairs, 1):
        chances = [*_battles(strengths, request, (one, recruits[one]), (other, recruits[other]))]
        samples[one][other], samples[other][one] = chances, [1 - chance for chance in chances]
        on_progress(done, len(pairs), one)
    results = (_result(name, against) for name, against in samples.items())
    return sorted(results, key=lambda each: (-each.overall.chance, each.group))


def _recruits(strengths: Strengths, group: Group, request: TeamRequest) -> list[tuple[int, float]]:
    """Return the members of a group that a team can afford, with their costs."""
    if request.points is None:
        return [(place, 0.0) for place in group.places]
    costs = ((place, strengths.costs[place]) for place in group.places)
    return [(place, cost) for place, cost in costs if cost is not None and 0 < cost <= request.points]


def _battles(
    strengths: Strengths,
    request: TeamRequest,
    one: tuple[str, Sequence[tuple[int, float]]],
    other: tuple[str, Sequence[tuple[int, float]]],
) -> Iterator[float]:
    """Yield the chances of the first group's teams in battles with the second's."""
    dice = random.Random(f"{request.seed}/{one[0]}/{other[0]}")
    scores = strengths.float_rows
    for _ in range(request.samples):
        teams = [_team(members, request, dice) for _, members in (one, other)]
        yield line_battle([[scores[a][b] for b in teams[1]] for a in teams[0]])


def _team(recruits: Sequence[tuple[int, float]], request: TeamRequest, dice: random.Random) -> list[int]:
    """Return a random team: members are added until no other one fits. The same card may be in it several times."""
    points = request.points or 0.0
    most = request.members or MOST_MEMBERS
    team: list[int] = []
    affordable = [*recruits]
    while affordable and len(team) < most:
        place, cost = dice.choice(affordable)
        team.append(place)
        points -= cost
        affordable = [pair for pair in affordable if pair[1] <= points] if request.points is not None else affordable
    return team


def line_battle(scores: Sequence[Sequence[float]]) -> float:
    """Return the chance of the first side to win, from the scores of its members (rows) against the others."""
    # The chance that each number of the first side's members has fallen when the next opponent comes.
    before = [1.0] + [0.0] * len(scores)
    for column in range(len(scores[0])):
        after = [0.0] * len(before)
        fallen = 0.0
        for row, line in enumerate(scores):
            fallen += before[row]
            after[row] = fallen * line[column]
            fallen *= 1 - line[column]
        after[-1] = before[-1] + fallen
        before = after
    return fsum(before[:-1])


def _result(name: str, against: dict[str, list[float]]) -> TeamResult:
    means = {other: _estimate(chances) for other, chances in against.items()}
    overall = fsum(each.chance for each in means.values()) / len(means)
    error = sqrt(fsum(each.error**2 for each in means.values())) / len(means)
    return TeamResult(name, Estimate(overall, error), means)


def _estimate(chances: Sequence[float]) -> Estimate:
    count = len(chances)
    mean = fsum(chances) / count
    variance = fsum((chance - mean) ** 2 for chance in chances) / (count - 1) if count > 1 else 0.25
    return Estimate(mean, _WIDTH * sqrt(variance / count))
