"""A blessing that costs less for an elite fighter.

Why is this bad?
    A fighter with 23 Wounds or more has more time to use a blessing, and pays at least as much for it. Mostly the two
    prices are in the wrong order.

Example
    game: warcry
    kind: blessing
    name: Fury
    points: {regular: 40, elite: 30}  # WC309: 30
    changes:
      - {attacks: +1, critical: +1, weapon: one-melee}

Use instead
    game: warcry
    kind: blessing
    name: Fury
    points: {regular: 30, elite: 40}
    changes:
      - {attacks: +1, critical: +1, weapon: one-melee}
"""

from cardgen.game import Finding, Findings, rule
from cardgen.rulesets.warcry.cards import Prices


@rule("WC309", "warning", "likely")
def find(prices: Prices) -> Findings:
    """Yield an elite price below the regular one."""
    if prices.elite < prices.regular:
        message = f"the elite price, {prices.elite}, is lower than the regular price, {prices.regular}"
        yield Finding(message, ("elite",), help="swap the two prices")
