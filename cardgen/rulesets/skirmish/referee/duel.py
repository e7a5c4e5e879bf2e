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
    round_robin_pairings,
)
from cardgen.rulesets.skirmish.referee.aim import Fighter, strikes
from cardgen.rulesets.skirmish.referee.cards import warrior_of
from cardgen.rulesets.skirmish.referee.combat import Healths, fight_round
from cardgen.rulesets.skirmish.referee.warrior import DOWN, FIT, OUT, STATES, STUNNED, Health, Rules, Warrior
from cardgen.rulesets.skirmish.referee.weapon import Weapon

# Turns of both players in a duel, and in one of several warriors; and the most copies of the dearer warrior.
TURNS, LONGEST = 12, 40
MOST_COPIES = 4


class Clash(NamedTuple):
    """The mode of a duel: health, whether a new combat begins, who stood up, and who leads by wounds."""

    healths: Healths
    is_new: bool = True
    stood_up: tuple[bool, bool] = (False, False)
    leader: int = -1


class Survivors(NamedTuple):
    """The health of both at the end, and how many of each side are left."""

    healths: Healths
    left: tuple[int, int]


def recover(health: Health) -> tuple[Health, bool]:
    """Return the health after a Recovery phase, and whether the warrior stood up."""
    if health.state == STUNNED:
        return health._replace(state=DOWN), False
    return health._replace(state=FIT), health.state == DOWN


class WarriorDuel(ExactDuel[Survivors]):
    """Two warriors in turns; those in reserve step in one after another.

    In a new combat, the player whose turn it is charges. Whoever is knocked down stands up as soon as possible.
    """

    def __init__(
        self,
        fighters: tuple[Fighter, Fighter],
        rules: Rules,
        turns: int = TURNS,
        copies: tuple[int, int] = (1, 1),
        names: tuple[str, str] | None = None,
    ) -> None:
        super().__init__(names or (fighters[0].warrior.name, fighters[1].warrior.name))
        self.fighters, self.rules, self.turns, self.copies = fighters, rules, turns, copies

    def initial_state(self) -> State:
        """Return the first two warriors, and the number of the others."""
        one, other = self.fighters
        return Clash((one.warrior.health, other.warrior.health)), (self.copies[0] - 1, self.copies[1] - 1)

    def steps(self, first: int) -> Iterator[Step]:
        """Yield the turns of both players."""
        for turn in range(self.turns):
            owner = (first + turn) % 2
            transition = Transition(("turn", owner), partial(self._turn, owner), (1, 1))
            yield self.chain.step(f"turn {turn + 1}", [transition], (1, 1))

    def _turn(self, owner: int, state: State) -> Procedure[State]:
        clash, reserves = state
        healths, stood_up = list(clash.healths), list(clash.stood_up)
        healths[owner], stood_up[owner] = recover(healths[owner])
        if ("stand-up", "own-turn") in self.rules:
            stood_up[1 - owner] = False
        after = Clash((healths[0], healths[1]), clash.is_new, (stood_up[0], stood_up[1]), clash.leader)
        if clash.is_new and (stood_up[owner] or healths[owner].state != FIT):
            return after, reserves
        fighters = tuple(
            each._replace(charges=clash.is_new and who == owner, first=clash.is_new, stood_up=stood_up[who])
            for who, each in enumerate(self.fighters)
        )
        end = yield from fight_round(fighters, after.healths, self.rules, clash.leader)
        leader = -1
        if ("equal-initiative", "wounds") in self.rules and end.wounds[0] != end.wounds[1]:
            leader = int(end.wounds[1] > end.wounds[0])
        return self._step_in(after._replace(healths=end.healths, is_new=False, leader=leader), reserves)

    def _step_in(self, clash: Clash, reserves: tuple[int, ...]) -> State:
        """Return the state in which a warrior of the reserve replaces one who is out of action."""
        for who, health in enumerate(clash.healths):
            if health.state == OUT and reserves[who]:
                healths, stood_up, left = list(clash.healths), list(clash.stood_up), list(reserves)
                healths[who], stood_up[who] = self.fighters[who].warrior.health, False
                left[who] -= 1
                return Clash((healths[0], healths[1]), True, (stood_up[0], stood_up[1])), (left[0], left[1])
        return clash, reserves

    def is_over(self, state: State) -> bool:
        """Return whether one side has nobody left."""
        return any(health.state == OUT for health in state[0].healths)

    def outcome(self, state: State) -> Survivors:
        """Return the health of both, and who is left."""
        clash, reserves = state
        left = [count + (health.state != OUT) for health, count in zip(clash.healths, reserves, strict=True)]
        return Survivors(clash.healths, (left[0], left[1]))

    def winner(self, outcome: Survivors) -> int | None:
        """Return the side whose enemies are all out of action."""
        return None if all(outcome.left) else outcome.left.index(0) ^ 1

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
    labels = die.map(str)
    wounds = [str(Health(count)) for count in range(max(health.wounds for health in die.weights), -1, -1)]
    parts = tuple((label, labels.chance_of(label)) for label in (*wounds, *STATES[1:]) if label in labels.weights)
    has_mount = any(health.is_mounted for health in die.weights)
    mount = (("on foot", die.chance(lambda each: not each.is_mounted)),) if has_mount else ()
    return OddsTable(title, parts, mount)


def best_weapon(warrior: Warrior, target: Warrior, policy: str, rules: Rules) -> Weapon:
    """Return the weapon of a warrior for a duel: the first, or the one with the most wounds over two rounds."""
    if policy == "first":
        return warrior.melee_weapons[0]

    def mean(weapon: Weapon) -> Fraction:
        one, other = Fighter(warrior, 0, weapon), Fighter(target, 1, target.melee_weapons[0])
        rounds = one._replace(first=True), one
        volleys = [strikes(each, other, warrior.health, target.health, rules) for each in rounds]
        return sum(
            (count * blow.mean_wounds for volley in volleys for blow, count in volley),
            Fraction(0),
        )

    return max(warrior.melee_weapons, key=mean)


def duel_of(one: Warrior, other: Warrior, config: RulesConfig) -> WarriorDuel:
    """Return the duel of two warriors, by the policies `weapon` and `forces`."""
    rules, policy = frozenset(config.rulings.items()), config.policy["weapon"]
    fighters = (
        Fighter(one, 0, best_weapon(one, other, policy, rules)),
        Fighter(other, 1, best_weapon(other, one, policy, rules)),
    )
    copies = copies_by_points(one.points, other.points) if config.policy["forces"] == "points" else (1, 1)
    return WarriorDuel(fighters, rules, LONGEST if max(copies) > 1 else TURNS, copies)


def copies_by_points(one: int, other: int) -> tuple[int, int]:
    """Return how many copies of two warriors cost about the same; of the dearer one, at most four."""
    if not one or not other:
        return (1, 1)
    ratio = Fraction(max(one, other), min(one, other)).limit_denominator(MOST_COPIES)
    many, few = ratio.numerator, ratio.denominator
    return (many, few) if one < other else (few, many)


def round_robin(competitors: Sequence[Competitor], config: RulesConfig) -> Iterator[Pairing]:
    """Yield the duel of every two warriors."""
    warriors = [warrior_of(each.card) for each in competitors]
    return round_robin_pairings(warriors, lambda one, other: duel_of(one, other, config))
