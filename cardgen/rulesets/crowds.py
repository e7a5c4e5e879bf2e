"""Scores of all pairs of a crowd of fighters, each distinct duel computed once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

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
    fighters: Sequence[tuple[A, T] | None], assault_of: AssaultOf[A, T], duel_of: DuelOf | None = None
) -> CrowdScores:
    """Return the scores of all fighters, of races and of other duels.

    Each fighter is given by all that its assaults depend on, and by all that assaults on it depend on. Fighters that
    are equal in both are one class, and `assault_of` is called once for each two of the distinct values. A fighter
    whose duels are not races is None; these duels are those of `duel_of`.
    """
    firsts: dict[Hashable, int] = {}
    for place, fighter in enumerate(fighters):
        firsts.setdefault(_class_key(place, fighter), place)
    numbers = {key: number for number, key in enumerate(firsts)}
    classes = tuple(numbers[_class_key(place, fighter)] for place, fighter in enumerate(fighters))
    racers = [fighter for fighter in fighters if fighter]
    targets = dict.fromkeys(target for _, target in racers)
    assaults = {
        attacker: {target: assault_of(attacker, target) for target in targets}
        for attacker in dict.fromkeys(attacker for attacker, _ in racers)
    }
    places = [*firsts.values()]
    return CrowdScores(classes, _rows([(place, fighters[place]) for place in places], assaults, duel_of))


def _class_key(place: int, fighter: tuple[A, T] | None) -> Hashable:
    return place if fighter is None else fighter


def _rows(
    fighters: Sequence[tuple[int, tuple[A, T] | None]],
    assaults: Mapping[A, Mapping[T, Assault]],
    duel_of: DuelOf | None,
) -> Iterator[list[float]]:
    for number, (place, fighter) in enumerate(fighters):
        others = fighters[number:]
        if duel_of and not (fighter and all(other for _, other in others)):
            races = iter(_race_row(fighter, [other for _, other in others if other], assaults) if fighter else ())
            yield [
                next(races) if fighter and other else _duel_score(duel_of, place, its_place)
                for its_place, other in others
            ]
        elif fighter:
            yield _race_row(fighter, [other for _, other in others if other], assaults)


def _race_row(
    fighter: tuple[A, T], others: Sequence[tuple[A, T]], assaults: Mapping[A, Mapping[T, Assault]]
) -> list[float]:
    own, target = assaults[fighter[0]], fighter[1]
    return scores([(own[its_target], assaults[its_attacker][target]) for its_attacker, its_target in others])


def _duel_score(duel_of: DuelOf, one: int, other: int) -> float:
    if one == other:
        return 0.5
    pairing = pairing_of(one, other, duel_of(one, other))
    return float((1 + pairing.wins - pairing.loses) / 2)
