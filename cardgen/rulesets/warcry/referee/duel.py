"""The duel: two fighters alone, exact or rolled, and the round robin of all pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from itertools import combinations
from operator import itemgetter
from typing import NamedTuple

from cardgen.referee.die import Die
from cardgen.referee.odds import odds
from cardgen.referee.requests import Procedure
from cardgen.referee.trial import Competitor, OddsTable, Pairing, PreparedTrial, RulesConfig
from cardgen.rulesets.warcry.referee.activation import (
    ACTIONS,
    ActivationPlan,
    ActivationState,
    activate,
    apply_damage,
    attack_in_range,
)
from cardgen.rulesets.warcry.referee.attack import COUNTER, Damage, PreparedAttack, prepare_attack, resolve_attack
from cardgen.rulesets.warcry.referee.fighter import FighterStats, NoWeaponError, fighter_stats, not_simulated
from cardgen.rulesets.warcry.referee.situations import FighterDuelSituation

ROUNDS = {"three": 3, "four": 4, "five": 5}


@lru_cache(maxsize=4096)
def _damage_odds(attack: PreparedAttack) -> Die[Damage]:
    """What one attack may do."""
    return odds(resolve_attack, attack)


class FighterDuel(NamedTuple):
    """Two fighters' plans against each other, at one distance, for so many battle rounds."""

    plans: tuple[ActivationPlan, ActivationPlan]
    rounds: int
    distance: int
    reactions: int

    def play(self, first: int) -> Procedure[tuple[int, int]]:
        """Activations in turn, the same order each battle round; damage points of both at the end."""
        state = (0, 0)
        for _ in range(self.rounds):
            for who in (first, 1 - first):
                if not self.is_over(state):
                    state = yield from self.turn(who, state)
        return state

    def turn(self, who: int, state: tuple[int, int]) -> Procedure[tuple[int, int]]:
        """One activation of one of them."""
        before = ActivationState(state[1 - who], state[who], self.distance)
        after = yield from activate(self.plans[who], before, self.reactions)
        return (after.attacker, after.target) if who == 0 else (after.target, after.attacker)

    def is_over(self, state: tuple[int, int]) -> bool:
        """Whether one is taken down."""
        return any(points >= plan.wounds for points, plan in zip(state, self.plans, strict=True))

    def odds(self, first: int) -> Die[tuple[int, int]]:
        """The exact distribution of the damage points of both at the end, attack by attack."""
        weights: dict[tuple[int, int], int] = {(0, 0): 1}
        for _ in range(self.rounds):
            for who in (first, 1 - first):
                for action in range(ACTIONS):
                    weights = self._after_attack(weights, who, answered=action < self.reactions)
        return Die.of(weights)

    def _after_attack(
        self, weights: dict[tuple[int, int], int], who: int, *, answered: bool
    ) -> dict[tuple[int, int], int]:
        """All states after one attack of `who`; those that are over stay as they are."""
        plan = self.plans[who]
        attack = attack_in_range(plan, self.distance, answered=answered)
        if attack is None:
            return weights
        damage_die = _damage_odds(attack)
        after: dict[tuple[int, int], int] = {}
        for state, weight in weights.items():
            if self.is_over(state):
                after[state] = after.get(state, 0) + weight * damage_die.total
                continue
            before = ActivationState(state[1 - who], state[who], self.distance)
            for harm, share in damage_die.weights.items():
                end = apply_damage(before, plan, harm)
                points = (end.attacker, end.target) if who == 0 else (end.target, end.attacker)
                after[points] = after.get(points, 0) + weight * share
        return after

    def winner(self, state: tuple[int, int]) -> int | None:
        """Who took the other down; None for neither, or both."""
        down = [points >= plan.wounds for points, plan in zip(state, self.plans, strict=True)]
        return None if down[0] == down[1] else down.index(False)


def fighter_duel(a: FighterStats, b: FighterStats, rounds: int, distance: int, config: RulesConfig) -> FighterDuel:
    """The duel of two fighters."""
    reactions = 1 if config.policy["reactions"] == "first" else 0
    return FighterDuel((_plan(a, b, config), _plan(b, a, config)), rounds, distance, reactions)


def _plan(one: FighterStats, other: FighterStats, config: RulesConfig) -> ActivationPlan:
    """Two attacks an activation with the weapon of the highest mean damage that reaches, first in the list."""
    unanswered = tuple(
        prepare_attack(one, arm, other, cover=False, reaction="", rulings=config.rulings) for arm in one.weapons
    )
    best = tuple(sorted(unanswered, key=_mean_damage, reverse=True))
    answered = tuple(blow._replace(reaction=COUNTER) if blow.weapon.melee else blow for blow in best)
    return ActivationPlan(one.name, other.name, 0, answered, best, one.wounds, other.wounds)


def _mean_damage(attack: PreparedAttack) -> int:
    """Six times the mean damage of an attack."""
    hits = 6 - attack.hit_face
    return attack.weapon.attacks * (hits * attack.weapon.damage + attack.weapon.critical)


def set_up_duel(situation: FighterDuelSituation, config: RulesConfig) -> PreparedTrial:
    """A duel of two cards with their blessings."""
    a, b = fighter_stats(situation.a, situation.blessing_a), fighter_stats(situation.b, situation.blessing_b)
    if a.name == b.name:
        a, b = a._replace(name=f"{a.name} 1"), b._replace(name=f"{b.name} 2")
    duel = fighter_duel(a, b, situation.rounds, situation.distance, config)
    names = (a.name, b.name)

    def odds_tables() -> tuple[OddsTable, ...]:
        return tuple(_odds_table(duel, first, names) for first in (0, 1))

    def outcome_lines(state: tuple[int, int]) -> tuple[str, ...]:
        winner = duel.winner(state)
        end = "nobody wins" if winner is None else f"{names[winner]} wins"
        shown = zip(names, state, duel.plans, strict=True)
        return (*(f"{name}: {points} damage points of {plan.wounds}" for name, points, plan in shown), end)

    first = 0 if situation.first == "a" else 1
    cards = (situation.blessing_a, situation.blessing_b)
    return PreparedTrial(
        f"{a.name} against {b.name}", lambda: duel.play(first), outcome_lines, list, odds_tables, not_simulated(*cards)
    )


def _odds_table(duel: FighterDuel, first: int, names: tuple[str, str]) -> OddsTable:
    die = duel.odds(first)
    winners = die.map(duel.winner)
    words = (*((f"{name} wins", who) for who, name in enumerate(names)), ("neither wins", None))
    parts = tuple((text, _win_chance(winners, who)) for text, who in words)
    down = tuple(
        (f"{name} is taken down", die.chance(partial(_is_taken_down, who, duel.plans[who].wounds)))
        for who, name in enumerate(names)
    )
    means = tuple((f"mean damage points of {name}", die.mean(itemgetter(who))) for who, name in enumerate(names))
    return OddsTable(f"{names[first]} goes first", parts, down, means)


def _is_taken_down(who: int, wounds: int, state: tuple[int, int]) -> bool:
    return state[who] >= wounds


def _win_chance(won: Die[int | None], who: object) -> Fraction:
    return won.chance(lambda winner: winner == who)


def _competitor_stats(competitor: Competitor) -> FighterStats:
    """A fighter with its blessing; one that finds no weapon to better adds nothing."""
    try:
        return fighter_stats(competitor.card, competitor.carries)
    except NoWeaponError:
        return fighter_stats(competitor.card)


def round_robin(competitors: Sequence[Competitor], config: RulesConfig) -> Iterator[Pairing]:
    """A duel of every two fighters with their blessings, within 1 inch; both orders count alike."""
    fighters = [_competitor_stats(entrant) for entrant in competitors]
    rounds = ROUNDS[config.rulings["rounds"]]
    for one, other in combinations(range(len(fighters)), 2):
        duel = fighter_duel(fighters[one], fighters[other], rounds, 1, config)
        winners = [duel.odds(first).map(duel.winner) for first in (0, 1)]
        wins, loses = (sum((_win_chance(die, who) for die in winners), Fraction(0)) / 2 for who in (0, 1))
        yield Pairing(one, other, wins, loses)
