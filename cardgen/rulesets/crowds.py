"""Scores of all pairs of a crowd of fighters, each distinct duel computed once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import TypeAlias, TypeVar

from cardgen.referee.pairings import CrowdScores
from cardgen.referee.race import Assault, scores

A = TypeVar("A", bound=Hashable)
T = TypeVar("T", bound=Hashable)
# An attacking side and a target, as two of the distinct ones.
AssaultOf: TypeAlias = Callable[[A, T], Assault]


def race_scores(fighters: Sequence[tuple[A, T]], assault_of: AssaultOf[A, T]) -> CrowdScores:
    """Return the scores of races between all fighters.

    Each fighter is given by all that its assaults depend on, and by all that assaults on it depend on. Fighters that
    are equal in both are one class, and `assault_of` is called once for each two of the distinct values.
    """
    distinct = list(dict.fromkeys(fighters))
    numbers = {fighter: number for number, fighter in enumerate(distinct)}
    targets = list(dict.fromkeys(target for _, target in distinct))
    assaults = {
        attacker: {target: assault_of(attacker, target) for target in targets}
        for attacker in dict.fromkeys(attacker for attacker, _ in distinct)
    }
    return CrowdScores(tuple(numbers[fighter] for fighter in fighters), _race_rows(distinct, assaults))


def _race_rows(fighters: Sequence[tuple[A, T]], assaults: Mapping[A, Mapping[T, Assault]]) -> Iterator[list[float]]:
    for place, (attacker, target) in enumerate(fighters):
        own, others = assaults[attacker], fighters[place:]
        yield scores([(own[its_target], assaults[its_attacker][target]) for its_attacker, its_target in others])
