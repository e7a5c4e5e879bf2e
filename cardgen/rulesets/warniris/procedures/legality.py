"""What may be done (section 6: Attack, Channel; ruling `heal-target`)."""

from __future__ import annotations

from cardgen.rulesets.warniris.procedures import reckoning
from cardgen.rulesets.warniris.procedures.blow import Blow
from cardgen.rulesets.warniris.procedures.state import State
from cardgen.rulesets.warniris.procedures.table import Table


def objection(table: Table, state: State, blow: Blow) -> str:
    """Why an attack may not be made, or '' when it may."""
    attacker, target = table.name(blow.attacker), table.name(blow.target)
    if not state.stands(blow.attacker):
        return f"{attacker} is eliminated"
    if not state.stands(blow.target):
        return f"{target} is eliminated"
    profile = reckoning.weapon(table, state, blow)
    if blow.attacker == blow.target and profile.needs_test:
        return f"{attacker} cannot attack itself"
    if table.sides[blow.attacker] == table.sides[blow.target] and profile.needs_test:
        return f"{target} is a friend of {attacker}"
    if table.sides[blow.attacker] != table.sides[blow.target] and not profile.needs_test:
        return f"{blow.weapon} only heals, and {target} is an enemy"
    return out_of_reach(table, state, blow)


def out_of_reach(table: Table, state: State, blow: Blow) -> str:
    """Why a target is too far away, or '' (Range includes its limit, ruling `distance`)."""
    reach = reckoning.reach(table, state, blow)
    if blow.distance is None or blow.distance <= reach:
        return ""
    return f"{table.name(blow.target)} is {blow.distance} cm away, and {blow.weapon} reaches {reach} cm"
