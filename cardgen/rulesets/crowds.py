"""Scores of all pairs of a crowd of fighters, each distinct duel computed once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, Generic, TypeAlias, TypeVar

from cardgen.referee.pairings import CrowdScores
from cardgen.referee.race import Assault, scores
from cardgen.rulesets.duels import ExactDuel, pairing_of

A = TypeVar("A", bound=Hashable)
T = TypeVar("T", bound=Hashable)
# An attacking side and a target, as two of the distinct ones.
AssaultOf: TypeAlias = Callable[[A, T], Assault]
# The duel of two fighters, given by their indices.
DuelOf: TypeAlias = Callable[[int, int], ExactDuel[Any]]


def race_scores(
    fighters: Sequence[tuple[A, T] | str], assault_of: AssaultOf[A, T], duel_of: DuelOf | None = None
) -> CrowdScores:
    """Return the scores of all fighters, of races and of other duels.

    A fighter whose duels are races is given by all that its assaults depend on, and by all that assaults on it depend
    on; `assault_of` is called once for each two of the distinct values. Any other fighter is given by a text with all
    that its duels depend on; these duels are those of `duel_of`. Equal fighters are one class.
    """
    firsts: dict[tuple[A, T] | str, int] = {}
    for place, fighter in enumerate(fighters):
        firsts.setdefault(fighter, place)
    numbers = {fighter: number for number, fighter in enumerate(firsts)}
    crowd = _Crowd([*firsts], [*firsts.values()], assault_of, duel_of)
    return CrowdScores(tuple(numbers[each] for each in fighters), crowd.row, tuple(map(str, firsts)))


class _AssaultsOf(dict[T, Assault], Generic[A, T]):
    """The assaults of one attacker by target, computed when they are first needed."""

    def __init__(self, attacker: A, assault_of: AssaultOf[A, T]) -> None:
        self._attacker, self._assault_of = attacker, assault_of

    def __missing__(self, target: T) -> Assault:
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
        racers = [other for other in (self._fighters[each] for each in others) if not isinstance(other, str)]
        if isinstance(fighter, str):
            return [self._duel_score(number, other) for other in others]
        if len(racers) == len(others):
            return self._race_row(fighter, racers)
        races = iter(self._race_row(fighter, racers))
        return [
            self._duel_score(number, other) if isinstance(self._fighters[other], str) else next(races)
            for other in others
        ]

    def _race_row(self, fighter: tuple[A, T], others: Sequence[tuple[A, T]]) -> list[float]:
        assaults, target = self._assaults, fighter[1]
        own = assaults[fighter[0]]
        return scores([(own[its_target], assaults[its_attacker][target]) for its_attacker, its_target in others])

    def _duel_score(self, one: int, other: int) -> float:
        if one == other:
            return 0.5
        assert self._duel_of
        pairing = pairing_of(one, other, self._duel_of(self._places[one], self._places[other]))
        return float((1 + pairing.wins - pairing.loses) / 2)
