"""Questions to the players, which are only asked if the answer changes something."""

from __future__ import annotations

from cardgen.game import Procedure, confirm
from cardgen.rulesets.warcry.referee.battle.combatant import Combatant
from cardgen.rulesets.warcry.referee.battle.table import Table

NOBODY, NEITHER = "nobody", "neither"


def is_near_objective(table: Table, who: Combatant, objective: str = "an objective") -> Procedure[bool]:
    """Ask whether a fighter is within 3 inches of an objective; the answer holds until it moves."""
    known = table.distances.fact(who, who, objective)
    if known is None:
        known = yield from confirm("near", table.side_of(who).name, f'{who.name} is within 3" of {objective}')
        table.distances.note(who, who, known, objective)
    return known
