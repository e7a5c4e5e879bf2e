"""What the parts of a duel come down to, so that duels which are alike in it share what is known of them.

All of it holds under the same rulings and the same policy.
"""

from __future__ import annotations

from collections.abc import Hashable

from cardgen.rulesets.warniris.procedures import bounds, reckoning
from cardgen.rulesets.warniris.procedures.blow import Blow
from cardgen.rulesets.warniris.procedures.fighter import Power
from cardgen.rulesets.warniris.procedures.table import Table

_ACTIVE = bounds.STRIKING | {"moving"}


def of_effects(table: Table) -> Hashable:
    """What the effects outside of attacks depend on: without any, on nothing."""
    if not any(fighter.powers for fighter in table.fighters):
        return None
    return table.distance, tuple((each.powers, each.wounds, each.minion) for each in table.fighters)


def of_blow(table: Table, blow: Blow | None) -> Hashable:
    """The few numbers that an attack depends on; where effects may change them on the way, the table as a whole."""
    if blow is None:
        return None
    if not plain(table):
        return table, blow
    state = table.start()
    timing = reckoning.timing_test(table, state, blow).need if blow.reaction else None
    hit, resist = reckoning.hit_test(table, state, blow).need, reckoning.resist_test(table, state, blow).need
    points, healing = reckoning.damage(table, state, blow), reckoning.weapon(table, state, blow).healing
    target = table.fighters[blow.target]
    guards = tuple(power for power in target.powers if power.guards)
    most = target.wounds if healing else None
    return (
        *blow.pair,
        timing,
        hit,
        resist,
        points,
        healing,
        most,
        _circumstances(table, blow) if guards else None,
        guards,
    )


def _circumstances(table: Table, blow: Blow) -> Hashable:
    """What the conditions of effects may ask of an attack."""
    kind = reckoning.weapon(table, table.start(), blow).type
    return kind, blow.reaction, blow.distance, tuple(fighter.minion for fighter in table.fighters)


def plain(table: Table) -> bool:
    """True when nothing that happens in a duel changes the numbers of an attack."""
    found: bool | None = table.memory.get("plain")
    if found is None:
        powers = [power for fighter in table.fighters for power in fighter.powers]
        found = table.memory["plain"] = table.steady and not table.rerolls and all(map(_constant, powers))
    return found


def _constant(power: Power) -> bool:
    """Whether an effect is the same in every attack: it always bears, guards without limit, or has no part in any."""
    if power.condition.wounds_at_most is not None:
        return False
    if power.standing:
        return True
    if power.guards:
        return not (power.once or power.weapon)
    return not (power.span or power.during) and power.when not in _ACTIVE
