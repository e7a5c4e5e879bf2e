"""The work of a crowd's rows: most of it is in attacks that a process meets for the first time."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TypeAlias

from cardgen.referee.pairings import Work

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
