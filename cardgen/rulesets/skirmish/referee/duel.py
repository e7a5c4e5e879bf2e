"""Duels over turns, of two warriors or of as many as equal points buy."""

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
from cardgen.rulesets.skirmish.referee.aim import Fighter
from cardgen.rulesets.skirmish.referee.combat import Healths, fight_round
from cardgen.rulesets.skirmish.referee.warrior import DOWN, FIT, OUT, STUNNED, Health, warrior_of

# Turns of both players in a duel, and in one of several warriors; and the most copies of the dearer warrior.
TURNS, LONGEST, MOST_COPIES = 12, 30, 3


class Clash(NamedTuple):
    """Two fighters: their health, whether a new combat begins, who stood up, and who leads by wounds."""

    healths: Healths
    is_new: bool = True
    stood_up: tuple[bool, ...] = (False, False)
    leader: int = -1


def recover(health: Health) -> tuple[Health, bool]:
    """Return the health after a Recovery phase, and whether the warrior stood up."""
    if health.state == STUNNED:
        return health._replace(state=DOWN), False
    return health._replace(state=FIT), health.state == DOWN


class WarriorDuel(RelayDuel[Clash]):
    """Two warriors in turns; those in reserve step in one after another.

    In a new combat, the player whose turn it is charges. Whoever is knocked down stands up as soon as possible.
    """

    def __init__(
        self, fighters: tuple[Fighter, Fighter], config: RulesConfig, turns: int = 0, solver: OddsSolver | None = None
    ) -> None:
        one, other = (each.warrior for each in fighters)
        copies = copies_in_force(config, one.points, other.points, MOST_COPIES)
        super().__init__((one.name, other.name), turns or (LONGEST if max(copies) > 1 else TURNS), copies, solver)
        self.fighters, self.rules = fighters, config.pairs

    def begin(self) -> Clash:
        """Return the clash of the first two warriors."""
        return Clash(tuple(each.warrior.health for each in self.fighters))

    def turn(self, owner: int, clash: Clash) -> Procedure[Clash]:
        """Play the Recovery and the Close Combat phase of a side."""
        health, has_risen = recover(clash.healths[owner])
        its_rank = clash.stood_up[1 - owner] and ("stand-up", "next-turn") in self.rules
        stood_up = put((its_rank, its_rank), owner, has_risen)
        clash = clash._replace(healths=put(clash.healths, owner, health), stood_up=stood_up)
        if clash.is_new and (has_risen or health.state != FIT):
            return clash
        fighters = tuple(
            each._replace(charges=clash.is_new and who == owner, first=clash.is_new, stood_up=stood_up[who])
            for who, each in enumerate(self.fighters)
        )
        end = yield from fight_round(fighters, clash.healths, self.rules, clash.leader)
        leads = ("equal-initiative", "wounds") in self.rules and end.wounds[0] != end.wounds[1]
        leader = int(end.wounds[1] > end.wounds[0]) if leads else -1
        return clash._replace(healths=end.healths, is_new=False, leader=leader)

    def relieve(self, clash: Clash, fallen: tuple[int, ...]) -> Clash:
        """Return a new combat with other warriors."""
        healths, stood_up = clash.healths, clash.stood_up
        for who in fallen:
            healths, stood_up = put(healths, who, self.fighters[who].warrior.health), put(stood_up, who, False)
        return Clash(healths, True, stood_up)

    def is_out(self, clash: Clash, who: int) -> bool:
        """Return whether a warrior is out of action."""
        return clash.healths[who].state == OUT

    def words(self, clash: Clash, who: int) -> str:
        """Return the health of a warrior."""
        return str(clash.healths[who])


def round_robin(competitors: Sequence[Competitor], config: RulesConfig) -> Iterator[Pairing]:
    """Yield the duel of every two warriors; equal blows share their odds, whoever strikes them."""
    warriors, solver = [warrior_of(each.card, "warrior") for each in competitors], OddsSolver()
    fighters = [Fighter(each, 0, each.melee_weapons[0]) for each in warriors]

    def duel_of(one: Fighter, other: Fighter) -> WarriorDuel:
        return WarriorDuel((one, other._replace(side=1)), config, solver=solver)

    return round_robin_pairings(fighters, duel_of)
