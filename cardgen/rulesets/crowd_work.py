"""The work of a crowd's rows: most of it is in attacks that a process meets for the first time."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from cardgen.referee.pairings import Work


class AttackCount:
    """Counts the attacks that are new to a process in each of its rows.

    An attack is that of an attacker on all targets that differ only in their Wounds.
    """

    def __init__(self, fighters: Sequence[tuple[Hashable, tuple[Hashable, Hashable]] | str]) -> None:
        """Take the fighters of `race_scores`."""
        attackers: dict[Hashable, int] = {}
        targets: dict[Hashable, int] = {}
        # The numbers of each fighter as an attacker and as a target; None if its duels are joint chains.
        self._numbers = [
            None
            if isinstance(each, str)
            else (attackers.setdefault(each[0], len(attackers)), targets.setdefault(each[1][0], len(targets)))
            for each in fighters
        ]
        self._targets_of: list[set[int]] = [set() for _ in attackers]
        self._attackers_of: list[set[int]] = [set() for _ in targets]

    def work(self, number: int, others: Sequence[int]) -> Work:
        """Return the work of the next row: a class against some classes."""
        own = self._numbers[number]
        racers = [racer for other in others if (racer := self._numbers[other])] if own else []
        if not (own and racers):
            return Work(chains=len(others))
        attackers, targets = (set(each) for each in zip(*racers, strict=True))
        attacker, target = own
        fresh_targets = targets - self._targets_of[attacker]
        self._targets_of[attacker] |= fresh_targets
        for each in fresh_targets:
            self._attackers_of[each].add(attacker)
        fresh_attackers = attackers - self._attackers_of[target]
        self._attackers_of[target] |= fresh_attackers
        for each in fresh_attackers:
            self._targets_of[each].add(target)
        return Work(len(fresh_targets) + len(fresh_attackers), len(racers), len(others) - len(racers))
