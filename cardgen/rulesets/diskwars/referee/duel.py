"""Duels over rounds, in which one disk lies on the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cardgen.game import (
    Competitor,
    OddsSolver,
    Pairing,
    Procedure,
    RelayDuel,
    RulesConfig,
    copies_in_force,
    put,
    round_robin_pairings,
)
from cardgen.rulesets.diskwars.referee.disk import Disk, Health, disk_of
from cardgen.rulesets.diskwars.referee.harm import end_round
from cardgen.rulesets.diskwars.referee.melee import Engagement, Healths, fight

# Rounds of a battle, and of a duel of several copies; and the most copies of the dearer disk.
ROUNDS, LONGEST, MOST_COPIES = 5, 15, 3


class Clash(NamedTuple):
    """Two disks: their health, and which one lies on the other; -1 if neither does yet."""

    healths: Healths
    top: int = -1


class DiskDuel(RelayDuel[Clash]):
    """Two disks in melee, round after round; whoever goes first pins the other.

    The next copy of a casualty pins the enemy.
    """

    def __init__(
        self, disks: tuple[Disk, Disk], config: RulesConfig, rounds: int = 0, solver: OddsSolver | None = None
    ) -> None:
        copies = copies_in_force(config, disks[0].cost, disks[1].cost, MOST_COPIES)
        names = (disks[0].name, disks[1].name)
        super().__init__(names, rounds or (LONGEST if max(copies) > 1 else ROUNDS), copies, solver)
        self.disks, self.rules = disks, config.pairs

    def begin(self) -> Clash:
        """Return the clash of the first two disks."""
        return Clash((Health(), Health()))

    def turn(self, owner: int, clash: Clash) -> Procedure[Clash]:
        """Play a melee phase and an end phase."""
        top = owner if clash.top < 0 else clash.top
        order = (top, 1 - top)
        disks = (self.disks[top], self.disks[1 - top])
        after = yield from fight(Engagement(disks, 1, self.rules), tuple(clash.healths[who] for who in order))
        ends = [end_round(disk, health, self.rules) for disk, health in zip(disks, after, strict=True)]
        return Clash(tuple(ends[order.index(who)] for who in (0, 1)), top)

    def relieve(self, clash: Clash, fallen: tuple[int, ...]) -> Clash:
        """Return the clash after another copy has pinned the enemy; if both are new, the next turn decides who pins."""
        if len(fallen) > 1:
            return self.begin()
        return Clash(put(clash.healths, fallen[0], Health()), fallen[0])

    def is_out(self, clash: Clash, who: int) -> bool:
        """Return whether a disk is a casualty."""
        return clash.healths[who].is_out

    def words(self, clash: Clash, who: int) -> str:
        """Return the health of a disk."""
        return str(clash.healths[who])


def round_robin(competitors: Sequence[Competitor], config: RulesConfig) -> Iterator[Pairing]:
    """Yield the duel of every two disks."""
    disks, solver = [disk_of(each.card, "disk") for each in competitors], OddsSolver()

    def duel_of(one: Disk, other: Disk) -> DiskDuel:
        return DiskDuel((one, other), config, solver=solver)

    return round_robin_pairings(disks, duel_of)
