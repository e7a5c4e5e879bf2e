"""Damage points: allocated, removed, and what happens to a fighter that is taken down."""

from __future__ import annotations

from cardgen.game import Log, Procedure, confirm
from cardgen.rulesets.warcry.referee.battle.combatant import Combatant
from cardgen.rulesets.warcry.referee.battle.questions import is_near_objective
from cardgen.rulesets.warcry.referee.battle.table import Fall, Table
from cardgen.rulesets.warcry.referee.impact import impact_damage

# The distance at which a fall counts for Mystic Glade and for objectives.
NEAR = 3
# The rule of Raze to the Ground, in which only the first fall near an objective scores.
FIRST_FALL = "fall-near-objective"


def allocate(table: Table, who: Combatant, points: int, attacker: Combatant | None = None) -> Procedure[None]:
    """Allocate damage points one by one; the rest is lost once the fighter is taken down.

    `attacker` is the fighter whose attack allocates them, if it is an attack.
    """
    if not points or who.is_down:
        return
    allocated = who.allocate(points)
    if not who.is_down:
        yield Log("{}: +{} damage, {} of {} Wounds", (who.name, allocated, who.damage, who.stats.wounds))
        return
    yield Log("{} is taken down", (who.name,))
    yield from _record_fall(table, Fall(who, attacker))
    table.distances.forget(who)


def falls_compete(table: Table) -> bool:
    """Return whether only the next fall near an objective scores, so that the order of two matters."""
    return table.plan.secondary.rule == FIRST_FALL and not table.notes.near_objective


def _record_fall(table: Table, fall: Fall) -> Procedure[None]:
    table.notes.falls.append(fall)
    rule, losses = table.plan.secondary.rule, table.notes.near_objective
    is_open = falls_compete(table)
    is_open |= rule == "enemy-falls-near-objective" and not any(
        each.side == fall.victim.side and each.is_down for each in losses
    )
    if is_open and (yield from is_near_objective(table, fall.victim)):
        losses.append(fall.victim)
    if rule == "bloodgifted" and fall.attacker and not table.notes.bloodgifted:
        yield from _give_blood(table, fall.victim, fall.attacker)


def _give_blood(table: Table, victim: Combatant, attacker: Combatant) -> Procedure[None]:
    """Make the attacker bloodgifted if it is within 3 inches (Mystic Glade, ruling `bloodgifted`)."""
    near = table.distances.is_within(victim, attacker, NEAR)
    if near is None:
        near = yield from confirm("near", attacker.name, f'within {NEAR}" of {victim.name}')
    if near:
        table.notes.bloodgifted = attacker
        yield Log("{} is bloodgifted", (attacker.name,))


def remove_damage(who: Combatant, points: int) -> Procedure[None]:
    """Remove damage points from a fighter, unless that is forbidden."""
    if "heal" in who.bans:
        yield Log("{} cannot have damage points removed", (who.name,))
        return
    removed = who.remove(points)
    yield Log("{} removes {} damage, {} of {} Wounds", (who.name, removed, who.damage, who.stats.wounds))


def suffer_impact(table: Table, who: Combatant) -> Procedure[None]:
    """Roll the impact damage of a fighter that falls, with the enemies' battle trait, unless that is forbidden."""
    table.distances.forget(who)
    if "impact" in who.bans:
        yield Log("{} cannot suffer impact damage", (who.name,))
        return
    enemy = table.sides[1 - who.side]
    changes = enemy.changes if table.enemies(who) else ()
    low = table.rulings["impact-table"] == "low"
    points = yield from impact_damage(who.name, sum(change.impact for change in changes), low_is_worse=low)
    if not points:
        yield Log("{} lands unharmed", (who.name,))
    yield from allocate(table, who, points)
