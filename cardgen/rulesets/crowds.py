"""Scores of all pairs of a crowd of fighters, each distinct duel computed once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, Generic, TypeAlias, TypeVar

from cardgen.referee.pairings import CrowdScores, RowTask, Work
from cardgen.referee.race import Assault, scores
from cardgen.rulesets.duels import ExactDuel, pairing_of

A = TypeVar("A", bound=Hashable)
T = TypeVar("T", bound=tuple[Hashable, Hashable])
# Returns the assault of an attacking side on a target, or None if their duel is not a race.
AssaultOf: TypeAlias = Callable[[A, T], Assault | None]
# The duel of two fighters, given by their indices.
DuelOf: TypeAlias = Callable[[int, int], ExactDuel[Any]]


def race_scores(
    fighters: Sequence[tuple[A, T] | str], assault_of: AssaultOf[A, T], duel_of: DuelOf | None = None
) -> CrowdScores:
    """Return the scores of all fighters, of races and of other duels.

    A fighter whose duels are races is given by all that its assaults depend on, and by all that assaults on it depend
    on: what a single attack depends on, and its Wounds. `assault_of` is called once for each two of the distinct
    values. Any other fighter is given by a text with all that its duels depend on; these duels are those of `duel_of`.
    Equal fighters are one class.
    """
    firsts: dict[tuple[A, T] | str, int] = {}
    for place, fighter in enumerate(fighters):
        firsts.setdefault(fighter, place)
    numbers = {fighter: number for number, fighter in enumerate(firsts)}
    crowd = _Crowd([*firsts], [*firsts.values()], assault_of, duel_of)
    return CrowdScores(tuple(numbers[each] for each in fighters), crowd.row, tuple(map(str, firsts)), crowd.work)


class _AssaultsOf(dict[T, Assault | None], Generic[A, T]):
    """The assaults of one attacker by target, computed when they are first needed."""

    def __init__(self, attacker: A, assault_of: AssaultOf[A, T]) -> None:
        self._attacker, self._assault_of = attacker, assault_of

    def __missing__(self, target: T) -> Assault | None:
        assault = self[target] = self._assault_of(self._attacker, target)
        return assault


class _Crowd(Generic[A, T]):
    """Distinct fighters, the place of each among all, and their scores."""

    def __init__(
        self,
        fighters: Sequence[tuple[A, T] | str],
        places: Sequence[int],
        assault_of: AssaultOf[A, T],
        duel_of: DuelOf | None,
    ) -> None:
        self._fighters, self._places, self._duel_of = fighters, places, duel_of
        attackers = dict.fromkeys(fighter[0] for fighter in fighters if not isinstance(fighter, str))
        self._assaults = {attacker: _AssaultsOf(attacker, assault_of) for attacker in attackers}

    def row(self, number: int, others: Sequence[int]) -> list[float]:
        """Return the scores of a class against some classes."""
        fighter = self._fighters[number]
        if isinstance(fighter, str):
            return [self._duel_score(number, other) for other in others]
        races = self._races(fighter, [self._fighters[other] for other in others])
        if None not in races:
            return scores(race for race in races if race)
        results = iter(scores(race for race in races if race))
        return [
            next(results) if race else self._duel_score(number, other)
            for race, other in zip(races, others, strict=True)
        ]

    def _races(self, fighter: tuple[A, T], others: Sequence[tuple[A, T] | str]) -> list[tuple[Assault, Assault] | None]:
        """Return the assaults of a fighter and each other on each other; None for a duel that is not a race."""
        own, target, assaults = self._assaults[fighter[0]], fighter[1], self._assaults
        return [
            (assault, back)
            if not isinstance(other, str) and (assault := own[other[1]]) and (back := assaults[other[0]][target])
            else None
            for other in others
        ]

    def work(self, tasks: Sequence[RowTask], workers: int) -> list[Work]:
        """Return the work of each row, for as many processes that take the rows in turn."""
        racers = [None if isinstance(each, str) else each for each in self._fighters]
        counts = [WorkCount(racers) for _ in range(workers)]
        return [counts[number % workers].work(*task) for number, task in enumerate(tasks)]

    def _duel_score(self, one: int, other: int) -> float:
        if one == other:
            return 0.5
        assert self._duel_of, "every duel is a race"
        pairing = pairing_of(one, other, self._duel_of(self._places[one], self._places[other]))
        return float((1 + pairing.wins - pairing.loses) / 2)


# What the assaults of a fighter depend on, and those on it: what a single attack depends on, and its Wounds.
Fighter: TypeAlias = tuple[Hashable, tuple[Hashable, Hashable]]


class WorkCount:
    """Counts the work of the rows of one process, in their order.

    An attack is that of an attacker on all targets that differ only in their Wounds, and an assault that on one of
    them. Fighters whose duels are joint chains are None.
    """

    def __init__(self, fighters: Sequence[Fighter | None]) -> None:
        self._fighters = fighters
        self._attacks = _FirstMeetings([each and (each[0], each[1][0]) for each in fighters])
        self._assaults = _FirstMeetings(fighters)

    def work(self, number: int, others: Sequence[int]) -> Work:
        """Return the work of the next row: a class against some classes."""
        racers = [other for other in others if self._fighters[other]] if self._fighters[number] else []
        if not racers:
            return Work(chains=len(others))
        meetings = self._attacks.count(number, racers), self._assaults.count(number, racers)
        return Work(*meetings, len(racers), len(others) - len(racers))


class _FirstMeetings:
    """Counts the pairs of an attacker and a target that meet for the first time."""

    def __init__(self, pairs: Sequence[tuple[Hashable, Hashable] | None]) -> None:
        attackers: dict[Hashable, int] = {}
        targets: dict[Hashable, int] = {}
        # The number of each fighter as an attacker, and as a target.
        self._attackers = [attackers.setdefault(pair and pair[0], len(attackers)) for pair in pairs]
        self._targets = [targets.setdefault(pair and pair[1], len(targets)) for pair in pairs]
        self._targets_of: list[set[int]] = [set() for _ in attackers]
        self._attackers_of: list[set[int]] = [set() for _ in targets]

    def count(self, number: int, others: Sequence[int]) -> int:
        """Return how many attackers and targets meet for the first time in both directions of some duels."""
        attacker, target = self._attackers[number], self._targets[number]
        targets = {*map(self._targets.__getitem__, others)} - self._targets_of[attacker]
        self._targets_of[attacker] |= targets
        for each in targets:
            self._attackers_of[each].add(attacker)
        attackers = {*map(self._attackers.__getitem__, others)} - self._attackers_of[target]
        self._attackers_of[target] |= attackers
        for each in attackers:
            self._targets_of[each].add(target)
        return len(targets) + len(attackers)
