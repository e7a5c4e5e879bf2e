"""What was done, as missions count it; kept only where somebody wants to know."""

from __future__ import annotations

from typing import NamedTuple

from cardgen.rulesets.warniris.procedures.blow import Blow, weapons
from cardgen.rulesets.warniris.procedures.state import State
from cardgen.rulesets.warniris.procedures.table import Table


class Deed(NamedTuple):
    """An event, who did it to whom, with what, from how far (cm), and in which turn.

    Events are attack, hit, resist, damage and eliminate. For 'resist' it is the target that did it, to the attacker.
    """

    event: str
    by: int
    of: int
    weapon: str
    distance: int | None
    turn: int


def note(table: Table, state: State, event: str, by: int, of: int, blow: Blow | None) -> State:
    """The state with one more deed, where a record is kept."""
    if not table.records:
        return state
    kind = weapons(table, state, blow.attacker)[blow.weapon].type if blow else ""
    deed = Deed(event, by, of, kind, blow.distance if blow else None, state.mode.turn)
    return State(state.mode._replace(deeds=(*state.mode.deeds, deed)), state.counters)
