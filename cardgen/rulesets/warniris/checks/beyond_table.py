"""A bonus that takes Range or Movement beyond the table.

Why is this bad?
    The table is 60 cm by 42 cm, which is 73 cm from corner to corner. A longer distance has no use, and is usually a
    mistake, such as inches or millimeters.

Example
    kind: character
    name: Asha
    stats: {M: 3, B: 3, S: 3, W: 5, Mo: 40}
    abilities:
      - name: Seven Leagues
        once: true
        effects: [{when: moving, bearer: {movement: +40}}]  # WN308: 49

Use instead
    kind: character
    name: Asha
    stats: {M: 3, B: 3, S: 3, W: 5, Mo: 40}
    abilities:
      - name: Seven Leagues
        once: true
        effects: [{when: moving, bearer: {movement: +20}}]
"""

from cardgen.game import CheckContext, CheckScope, Confidence, Finding, Findings, Severity
from cardgen.rulesets.warniris.attribute_bounds import FighterCard, fighters_in_play
from cardgen.rulesets.warniris.cards import Character, Minion
from cardgen.rulesets.warniris.effect import Effect
from cardgen.rulesets.warniris.limits import TABLE_DIAGONAL

CODE, NAME = "WN308", "beyond-table"
SEVERITY, CONFIDENCE = Severity.WARNING, Confidence.CERTAIN
LOOKS_AT = Effect


def find(effect: Effect, context: CheckContext) -> Findings:
    """Yield the bonuses that take even the shortest Range or Movement beyond the table."""
    for whom, deeds in effect.deeds:
        for key in ("movement", "range"):
            bonus = getattr(deeds, key)
            if bonus > 0 and (total := _lowest_value(key, whom, context) + bonus) > TABLE_DIAGONAL:
                message = (
                    f"{key.capitalize()} becomes {total} cm or more, but the table's diagonal is {TABLE_DIAGONAL} cm"
                )
                yield Finding(message, (whom, key), help="lower the bonus")


def _lowest_value(key: str, whom: str, context: CheckContext) -> int:
    """Return the shortest value: the card's own for its bearer, that of all cards in play for others."""
    if whom == "bearer" and isinstance(context.card, Character | Minion):
        return _lengths(context.card)[key]
    return context.scope.compute_once(_shortest_lengths)[key]


def _lengths(fighter: FighterCard) -> dict[str, int]:
    ranges = [weapon.range for weapon in fighter.weapons]
    return {"movement": fighter.stats.movement, "range": min(ranges, default=0)}


def _shortest_lengths(scope: CheckScope) -> dict[str, int]:
    each = [_lengths(fighter) for fighter in scope.compute_once(fighters_in_play)]
    return {key: min((one[key] for one in each), default=0) for key in ("movement", "range")}
