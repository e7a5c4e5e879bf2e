"""Two fighters alone: exact chances for both orders, one duel rolled, and all pairs."""

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
from cardgen.rulesets.adjudication import Entrant, Figures, Matter, Meeting, Terms
from cardgen.rulesets.warcry.procedures.activation import ACTIONS, Plan, Scene, absorbed, activate, blow_at
from cardgen.rulesets.warcry.procedures.attack import COUNTER, Harm, Swing, strike, swing
from cardgen.rulesets.warcry.procedures.profile import Body, NoWeaponError, body, left_out
from cardgen.rulesets.warcry.procedures.situations import DuelSituation

ROUNDS = {"three": 3, "four": 4, "five": 5}


@lru_cache(maxsize=4096)
def _harms(blow: Swing) -> Die[Harm]:
    """What one attack may do."""
    return odds(strike, blow)


class Duel(NamedTuple):
    """Two fighters' plans against each other, at one distance, for so many battle rounds."""

    plans: tuple[Plan, Plan]
    rounds: int
    distance: int
    reactions: int

    def fight(self, first: int) -> Procedure[tuple[int, int]]:
        """Activations in turn, the same order each battle round; damage points of both at the end."""
        state = (0, 0)
        for _ in range(self.rounds):
            for who in (first, 1 - first):
                if not self.over(state):
                    state = yield from self.turn(who, state)
        return state

    def turn(self, who: int, state: tuple[int, int]) -> Procedure[tuple[int, int]]:
        """One activation of one of them."""
        scene = Scene(state[1 - who], state[who], self.distance)
        after = yield from activate(self.plans[who], scene, self.reactions)
        return (after.attacker, after.target) if who == 0 else (after.target, after.attacker)

    def over(self, state: tuple[int, int]) -> bool:
        """Whether one is taken down."""
        return any(points >= plan.wounds for points, plan in zip(state, self.plans, strict=True))

    def odds(self, first: int) -> Die[tuple[int, int]]:
        """The exact distribution of the damage points of both at the end, attack by attack."""
        weights: dict[tuple[int, int], int] = {(0, 0): 1}
        for _ in range(self.rounds):
            for who in (first, 1 - first):
                for action in range(ACTIONS):
                    weights = self._struck(weights, who, answered=action < self.reactions)
        return Die.of(weights)

    def _struck(self, weights: dict[tuple[int, int], int], who: int, *, answered: bool) -> dict[tuple[int, int], int]:
        """All states after one attack of `who`; those that are over stay as they are."""
        plan = self.plans[who]
        blow = blow_at(plan, self.distance, answered=answered)
        if blow is None:
            return weights
        harms = _harms(blow)
        after: dict[tuple[int, int], int] = {}
        for state, weight in weights.items():
            if self.over(state):
                after[state] = after.get(state, 0) + weight * harms.total
                continue
            scene = Scene(state[1 - who], state[who], self.distance)
            for harm, share in harms.weights.items():
                end = absorbed(scene, plan, harm)
                points = (end.attacker, end.target) if who == 0 else (end.target, end.attacker)
                after[points] = after.get(points, 0) + weight * share
        return after

    def winner(self, state: tuple[int, int]) -> int | None:
        """Who took the other down; None for neither, or both."""
        down = [points >= plan.wounds for points, plan in zip(state, self.plans, strict=True)]
        return None if down[0] == down[1] else down.index(False)


def duel_of(a: Body, b: Body, rounds: int, distance: int, terms: Terms) -> Duel:
    """The duel of two fighters."""
    reactions = 1 if terms.policy["reactions"] == "first" else 0
    return Duel((_plan(a, b, terms), _plan(b, a, terms)), rounds, distance, reactions)


def _plan(one: Body, other: Body, terms: Terms) -> Plan:
    """Two attacks an activation with the weapon of the highest mean damage that reaches, first in the list."""
    plain = tuple(swing(one, arm, other, cover=False, reaction="", rulings=terms.rulings) for arm in one.arms)
    best = tuple(sorted(plain, key=_mean, reverse=True))
    answered = tuple(blow._replace(reaction=COUNTER) if blow.arm.melee else blow for blow in best)
    return Plan(one.name, other.name, 0, answered, best, one.wounds, other.wounds)


def _mean(blow: Swing) -> int:
    """Six times the mean damage of an attack."""
    hits = 6 - blow.need
    return blow.arm.attacks * (hits * blow.arm.damage + blow.arm.critical)


def set_up_duel(situation: DuelSituation, terms: Terms) -> Matter:
    """A duel of two cards with their blessings."""
    a, b = body(situation.a, situation.blessing_a), body(situation.b, situation.blessing_b)
    if a.name == b.name:
        a, b = a._replace(name=f"{a.name} 1"), b._replace(name=f"{b.name} 2")
    duel = duel_of(a, b, situation.rounds, situation.distance, terms)
    names = (a.name, b.name)

    def figures() -> tuple[Figures, ...]:
        return tuple(_figures(duel, first, names) for first in (0, 1))

    def told(state: tuple[int, int]) -> tuple[str, ...]:
        winner = duel.winner(state)
        end = "nobody wins" if winner is None else f"{names[winner]} wins"
        shown = zip(names, state, duel.plans, strict=True)
        return (*(f"{name}: {points} damage points of {plan.wounds}" for name, points, plan in shown), end)

    first = 0 if situation.first == "a" else 1
    cards = (situation.blessing_a, situation.blessing_b)
    return Matter(f"{a.name} against {b.name}", lambda: duel.fight(first), told, list, figures, left_out(*cards))


def _figures(duel: Duel, first: int, names: tuple[str, str]) -> Figures:
    die = duel.odds(first)
    won = die.map(duel.winner)
    words = (*((f"{name} wins", who) for who, name in enumerate(names)), ("neither wins", None))
    parts = tuple((text, _chance(won, who)) for text, who in words)
    down = tuple(
        (f"{name} is taken down", die.chance(partial(_down, who, duel.plans[who].wounds)))
        for who, name in enumerate(names)
    )
    means = tuple((f"mean damage points of {name}", die.mean(itemgetter(who))) for who, name in enumerate(names))
    return Figures(f"{names[first]} goes first", parts, down, means)


def _down(who: int, wounds: int, state: tuple[int, int]) -> bool:
    return state[who] >= wounds


def _chance(won: Die[int | None], who: object) -> Fraction:
    return won.chance(lambda winner: winner == who)


def _entering(entrant: Entrant) -> Body:
    """A fighter with its blessing; one that finds no weapon to better adds nothing."""
    try:
        return body(entrant.card, entrant.carries)
    except NoWeaponError:
        return body(entrant.card)


def meetings(entrants: Sequence[Entrant], terms: Terms) -> Iterator[Meeting]:
    """A duel of every two fighters with their blessings, within 1 inch; both orders count alike."""
    people = [_entering(entrant) for entrant in entrants]
    rounds = ROUNDS[terms.rulings["rounds"]]
    for one, other in combinations(range(len(people)), 2):
        duel = duel_of(people[one], people[other], rounds, 1, terms)
        won = [duel.odds(first).map(duel.winner) for first in (0, 1)]
        wins, loses = (sum((_chance(die, who) for die in won), Fraction(0)) / 2 for who in (0, 1))
        yield Meeting(one, other, wins, loses)
