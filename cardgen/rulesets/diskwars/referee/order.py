"""The order of players: the initiative roll, and command cards by strategy (seed: Setup; Resolve Command Cards)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

from cardgen.game import Procedure, Roll
from cardgen.rulesets.diskwars.referee.disk import Rules

BOLD, STEADY, DEVIOUS, SLOW = STRATEGIES = ("bold", "steady", "devious", "slow")
# The strategy that each comes before.
BEATS = {BOLD: STEADY, STEADY: DEVIOUS, DEVIOUS: BOLD}
# Strategies that are drawn at random: any, or any but slow.
ANY, NOT_SLOW = "any", "not-slow"
DRAWS = {ANY: STRATEGIES, NOT_SLOW: STRATEGIES[:3]}


def draw_strategy(who: str, word: str) -> Procedure[str]:
    """Return a strategy, or draw one at random."""
    if word not in DRAWS:
        return word
    return str((yield Roll("strategy", who, "strategy", len(DRAWS[word]), faces=DRAWS[word])))


def resolution_order(strategies: Sequence[str], rules: Rules) -> tuple[int, ...]:
    """Return the players in the order in which their cards are resolved.

    Players are in initiative order. Each card is compared with that of the first player; if that is slow, the others
    are compared with each other.
    """
    quick = [who for who, strategy in enumerate(strategies) if strategy != SLOW]
    slow = [who for who, strategy in enumerate(strategies) if strategy == SLOW]
    if slow[:1] == [0]:
        return (*_among(quick, strategies, rules), *slow)
    return (*_around(quick, strategies, ("several-cards", "compared") in rules), *slow)


def is_ring(strategies: Sequence[str]) -> bool:
    """Return whether no card comes before both others: one each of bold, steady, and devious."""
    return set(BEATS) <= set(strategies)


def _among(players: list[int], strategies: Sequence[str], rules: Rules) -> list[int]:
    """Return the order of players without the first one."""
    if not is_ring([strategies[who] for who in players]):
        return _compared(players, strategies)
    return _around(players, strategies, True) if ("card-ring", "second") in rules else players


def _around(players: list[int], strategies: Sequence[str], is_compared: bool) -> list[int]:
    """Return the order of players by comparison with the card of the first of them."""
    first, *others = players
    before = [who for who in others if BEATS[strategies[who]] == strategies[first]]
    after = [who for who in others if who not in before]
    return [*before, first, *(_compared(after, strategies) if is_compared else after)]


def _compared(players: list[int], strategies: Sequence[str]) -> list[int]:
    """Return the order of players with at most two strategies; equal ones keep their order."""
    present = {strategies[who] for who in players}
    beaten = {BEATS[strategy] for strategy in present}
    return sorted(players, key=lambda who: strategies[who] in beaten)


def initiative_roll(names: Sequence[str], unspent: Sequence[int]) -> Procedure[int]:
    """Roll d6 plus unspent recruitment points for two players until the totals differ; return the winner's place."""
    while True:
        totals = []
        for name, points in zip(names, unspent, strict=True):
            what = f"initiative, +{points}" if points else "initiative"
            totals.append((yield Roll("initiative", name, what)) + points)
        if totals[0] != totals[1]:
            return int(totals[1] > totals[0])


def initiative_chance(unspent: Sequence[int]) -> Fraction:
    """Return the chance that the first of two players wins the initiative roll."""
    totals = [(one + unspent[0], other + unspent[1]) for one, other in product(range(1, 7), repeat=2)]
    wins, losses = (sum(1 for one, other in totals if sign * (one - other) > 0) for sign in (1, -1))
    return Fraction(wins, wins + losses)
