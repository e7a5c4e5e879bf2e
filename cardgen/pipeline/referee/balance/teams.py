"""Teams: random warbands of groups against each other, simulated with the exact scores of duels.

A battle of two teams is a line of duels: each side sends its members one by one in random order, the loser of a duel
leaves, and the winner meets the next opponent, unhurt. A draw counts as half a victory of each. The side that has
members left wins. For two teams in two orders, the chance to win is computed from the scores; only the teams and their
orders are random, so the error is that of the sample.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import fsum, sqrt
from statistics import NormalDist
from typing import NamedTuple

from cardgen.codes import Code
from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.pipeline.referee.balance.strengths import Group, Strengths

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
