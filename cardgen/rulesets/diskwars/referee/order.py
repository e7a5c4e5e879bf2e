"""The order of command cards by strategy (seed: Resolve Command Cards)."""

from __future__ import annotations

from collections.abc import Sequence

from cardgen.game import strategy_order
from cardgen.rulesets.diskwars.referee.disk import Rules

BOLD, STEADY, DEVIOUS, SLOW = STRATEGIES = ("bold", "steady", "devious", "slow")
# The strategy that each comes before.
BEATS = {BOLD: STEADY, STEADY: DEVIOUS, DEVIOUS: BOLD}
# Strategies that are drawn at random: any, or any but slow.
ANY, NOT_SLOW = "any", "not-slow"
DRAWS = {ANY: STRATEGIES, NOT_SLOW: STRATEGIES[:3]}


def resolution_order(strategies: Sequence[str], rules: Rules) -> tuple[int, ...]:
    """Return the players, in initiative order, in the order in which their cards are resolved."""
    is_compared, has_ring = ("several-cards", "compared") in rules, ("card-ring", "second") in rules
    return strategy_order(strategies, BEATS, SLOW, is_compared=is_compared, has_ring=has_ring)
