"""One attack or channel, as geometry and choice have settled it."""

from __future__ import annotations

from typing import NamedTuple

from cardgen.rulesets.warniris.effect import Condition, Foe
from cardgen.rulesets.warniris.procedures.state import State
from cardgen.rulesets.warniris.procedures.table import Table
from cardgen.rulesets.warniris.profile import Profile


class Blow(NamedTuple):
    """Who strikes whom, with which weapon or power, and how they stand to each other.

    `distance` in cm, None for touching: in range of everything. `gap` is true where the target shows through a gap
    in its cover. `between` are the miniatures in the line, from the attacker outward.
    """

    attacker: int
    target: int
    weapon: str
    distance: int | None = None
    gap: bool = False
    between: tuple[int, ...] = ()
    reaction: bool = False

    @property
    def pair(self) -> tuple[int, int]:
        """Attacker and target."""
        return self.attacker, self.target

    def opponent(self, who: int) -> int:
        """The other one of the pair; for somebody who is not of it, the attacker."""
        return self.target if who == self.attacker else self.attacker


def weapons(table: Table, state: State, who: int) -> dict[str, Profile]:
    """The weapons and powers that a miniature may use now, by name: its card's, and those that effects lend it."""
    key = ("weapons", who, state.mode, table.condition(state) if table.thresholds else ())
    found: dict[str, Profile] | None = None if table.asked else table.memory.get(key)
    if found is None:
        fighter = table.fighters[who]
        found = {weapon.name: weapon for weapon in fighter.weapons}
        lent = [
            deeds.weapon
            for power in fighter.standing
            for party, deeds in power.deeds
            if party == "bearer" and deeds.weapon and enough(power.condition, state, who)
        ]
        for force in state.mode.forces:
            on = dict(force.on)
            for party, deeds in table.fighters[force.owner].powers[force.power].deeds:
                if deeds.weapon and who in on.get(party, ()):
                    lent.append(deeds.weapon)
        found.update((weapon.name, weapon) for weapon in lent)
        table.memory[key] = found
    return found


def enough(condition: Condition, state: State, owner: int) -> bool:
    """Whether the bearer has few enough wounds left."""
    return condition.wounds_at_most is None or state.wounds(owner) <= condition.wounds_at_most


def in_reach(condition: Condition, distance: int | None) -> bool:
    """Whether a distance fits the condition: over is strictly more, within includes the limit (ruling `distance`)."""
    away = distance or 0
    if condition.range_over is not None and away <= condition.range_over:
        return False
    return condition.range_within is None or away <= condition.range_within


def fits(table: Table, condition: Condition, kind: str, owner: int, blow: Blow) -> bool:
    """Whether an attack with a weapon of this type is one that the condition speaks of."""
    if condition.weapon and condition.weapon != kind:
        return False
    if condition.against and condition.against != foe(table, blow.opponent(owner)):
        return False
    return in_reach(condition, blow.distance)


def foe(table: Table, who: int) -> Foe:
    """'character' or 'minion'."""
    return "minion" if table.fighters[who].minion else "character"
