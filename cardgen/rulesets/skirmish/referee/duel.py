"""Duels over turns, of two warriors or of as many as equal points buy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from cardgen.game import (
    Competitor,
    Die,
    ExactDuel,
    OddsTable,
    Pairing,
    Procedure,
    RulesConfig,
    State,
    Step,
    Transition,
    copies_by_points,
    label_table,
    round_robin_pairings,
)
from cardgen.rulesets.skirmish.referee.aim import Fighter, strikes
from cardgen.rulesets.skirmish.referee.cards import warrior_of
from cardgen.rulesets.skirmish.referee.combat import Healths, fight_round, put
from cardgen.rulesets.skirmish.referee.warrior import DOWN, FIT, OUT, STATES, STUNNED, Health, Rules, Warrior
from cardgen.rulesets.skirmish.referee.weapon import Weapon

# Turns of both players in a duel, and in one of several warriors.
TURNS, LONGEST = 12, 40


class Clash(NamedTuple):
    """The mode of a duel: health, whether a new combat begins, who stood up, and who leads by wounds."""

    healths: Healths
    is_new: bool = True
    stood_up: tuple[bool, ...] = (False, False)
    leader: int = -1


class Survivors(NamedTuple):
    """The health of both at the end, and how many of each side are left."""

    healths: Healths
    left: tuple[int, ...]


def rules_of(config: RulesConfig) -> Rules:
    """Return the rulings in force as pairs."""
    return frozenset(config.rulings.items())


def recover(health: Health) -> tuple[Health, bool]:
    """Return the health after a Recovery phase, and whether the warrior stood up."""
    if health.state == STUNNED:
        return health._replace(state=DOWN), False
    return health._replace(state=FIT), health.state == DOWN


class WarriorDuel(ExactDuel[Survivors]):
    """Two warriors in turns; those in reserve step in one after another.

    In a new combat, the player whose turn it is charges. Whoever is knocked down stands up as soon as possible.
    """

    def __init__(self, fighters: Sequence[Fighter], rules: Rules, turns: int, copies: tuple[int, int] = (1, 1)) -> None:
        super().__init__((fighters[0].warrior.name, fighters[1].warrior.name))
        self.fighters, self.rules, self.turns, self.copies = tuple(fighters), rules, turns, copies

    def arm(self, weapons: Sequence[str | None]) -> None:
        """Give each fighter the weapon of a name, unless it is None."""
        for place, (fighter, name) in enumerate(zip(self.fighters, weapons, strict=True)):
            if name is not None:
                armed = fighter._replace(weapon=fighter.warrior.weapon(name, is_ranged=False))
                self.fighters = put(self.fighters, place, armed)

    def initial_state(self) -> State:
        """Return the first two warriors, and the number of the others."""
        healths = tuple(each.warrior.health for each in self.fighters)
        return Clash(healths), tuple(count - 1 for count in self.copies)

    def steps(self, first: int) -> Iterator[Step]:
        """Yield the turns of both players."""
        for turn in range(self.turns):
            owner = (first + turn) % 2
            transition = Transition(("turn", owner), partial(self._turn, owner), (1, 1))
            yield self.chain.step(f"turn {turn + 1}", [transition], (1, 1))

    def _turn(self, owner: int, state: State) -> Procedure[State]:
        clash, reserves = state
        health, has_risen = recover(clash.healths[owner])
        its_rank = clash.stood_up[1 - owner] and ("stand-up", "next-turn") in self.rules
        stood_up = put((its_rank, its_rank), owner, has_risen)
        clash = clash._replace(healths=put(clash.healths, owner, health), stood_up=stood_up)
        if clash.is_new and (has_risen or health.state != FIT):
            return clash, reserves
        fighters = tuple(
            each._replace(charges=clash.is_new and who == owner, first=clash.is_new, stood_up=stood_up[who])
            for who, each in enumerate(self.fighters)
        )
        end = yield from fight_round(fighters, clash.healths, self.rules, clash.leader)
        leads = ("equal-initiative", "wounds") in self.rules and end.wounds[0] != end.wounds[1]
        leader = int(end.wounds[1] > end.wounds[0]) if leads else -1
        return self._step_in(clash._replace(healths=end.healths, is_new=False, leader=leader), reserves)

    def _step_in(self, clash: Clash, reserves: tuple[int, ...]) -> State:
        """Return the state in which a warrior of the reserve replaces one who is out of action."""
        for who, health in enumerate(clash.healths):
            if health.state == OUT and reserves[who]:
                healths = put(clash.healths, who, self.fighters[who].warrior.health)
                return Clash(healths, True, put(clash.stood_up, who, False)), put(reserves, who, reserves[who] - 1)
        return clash, reserves

    def is_over(self, state: State) -> bool:
        """Return whether one side has nobody left."""
        return any(health.state == OUT for health in state[0].healths)

    def outcome(self, state: State) -> Survivors:
        """Return the health of both, and who is left."""
        healths: Healths = state[0].healths
        return Survivors(
            healths, tuple(more + (each.state != OUT) for each, more in zip(healths, state[1], strict=True))
        )

    def winner(self, outcome: Survivors) -> int | None:
        """Return the side whose enemies are all out of action."""
        return None if all(outcome.left) else 1 - outcome.left.index(0)

    def outcome_lines(self, outcome: Survivors) -> tuple[str, ...]:
        """Return the health of both, and who wins."""
        winner = self.winner(outcome)
        lines = (f"{name}: {health}" for name, health in zip(self.names, outcome.healths, strict=True))
        return (*lines, "nobody wins" if winner is None else f"{self.names[winner]} wins")

    def tables(self, die: Die[Survivors], title: str) -> Iterator[OddsTable]:
        """Yield who wins, and the state of each."""
        yield OddsTable(title, self.win_rows(die, "neither wins"))
        for who, name in enumerate(self.names):
            yield state_table(name, die.map(partial(_health_of, who)))


def _health_of(who: int, outcome: Survivors) -> Health:
    return outcome.healths[who]


def state_table(title: str, die: Die[Health]) -> OddsTable:
    """Return the chances of each state and of each number of Wounds."""
    most = max(health.wounds for health in die.weights)
    table = label_table(title, die.map(str), (*(str(Health(count)) for count in range(most, -1, -1)), *STATES[1:]))
    has_mount = any(health.is_mounted for health in die.weights)
    mount = (("on foot", die.chance(lambda each: not each.is_mounted)),) if has_mount else ()
    return OddsTable(title, table.parts, mount)


def best_weapon(warrior: Warrior, target: Warrior, config: RulesConfig) -> Weapon:
    """Return the weapon of a warrior for a duel: the first, or the one with the most wounds over two rounds."""
    if config.policy["weapon"] == "first":
        return warrior.melee_weapons[0]

    def mean(weapon: Weapon) -> Fraction:
        one, other = Fighter(warrior, 0, weapon), Fighter(target, 1, target.melee_weapons[0])
        rounds = (one._replace(first=True), one)
        volleys = [strikes(each, other, warrior.health, target.health, rules_of(config)) for each in rounds]
        return sum((count * blow.mean_wounds for volley in volleys for blow, count in volley), Fraction(0))

    return max(warrior.melee_weapons, key=mean)


def duel_of(one: Warrior, other: Warrior, config: RulesConfig, turns: int = 0) -> WarriorDuel:
    """Return the duel of two warriors, by the policies `weapon` and `forces`."""
    fighters = Fighter(one, 0, best_weapon(one, other, config)), Fighter(other, 1, best_weapon(other, one, config))
    copies = copies_by_points(one.points, other.points) if config.policy["forces"] == "points" else (1, 1)
    return WarriorDuel(fighters, rules_of(config), turns or (LONGEST if max(copies) > 1 else TURNS), copies)


def round_robin(competitors: Sequence[Competitor], config: RulesConfig) -> Iterator[Pairing]:
    """Yield the duel of every two warriors."""
    warriors = [warrior_of(each.card) for each in competitors]
    return round_robin_pairings(warriors, lambda one, other: duel_of(one, other, config))
