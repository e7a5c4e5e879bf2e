"""How far the steps of a duel look at their counters, so that states which differ beyond that share one kernel."""

from __future__ import annotations

from cardgen.referee.chain import Bounds
from cardgen.rulesets.warniris.procedures.blow import Blow
from cardgen.rulesets.warniris.procedures.fighter import Power
from cardgen.rulesets.warniris.procedures.table import Table
from cardgen.rulesets.warniris.profile import Profile

STRIKING = frozenset({"attacking", "attacked", "hit", "damaging", "damaged", "reacting", "eliminated"})


def lasts(table: Table, window: str) -> bool:
    """True when some effect may be in force until the end of that window."""
    return any(power.span == window for power in _powers(table))


def at(table: Table, moments: frozenset[str], who: int) -> Bounds:
    """The bounds of a step in which no attack is made, only effects of these moments start; `who` is active."""
    powers = [power for power in _powers(table) if power.when in moments or power.during in moments]
    others = any(party != "bearer" and _sudden(power) for power in powers for party, _ in power.deeds)
    if others:
        wounds: Bounds = (None, None)
    else:
        mine, its = None if any(map(_sudden, powers)) else table.threshold(who) + 1, table.threshold(1 - who) + 1
        wounds = (mine, its) if who == 0 else (its, mine)
    reactions = (1, 1) if "turn_start" in moments else (0, 0)
    return (*wounds, 0, 0, *reactions, *_uses(table, moments))


def striking(table: Table, who: int, mine: int, its: int | None, *, reacting: bool) -> Bounds:
    """The bounds of an action of `who` or of a part of it, who may lose `mine` wounds.

    The other one may lose `its`, None for the most that an attack can deal; `reacting` is whether it may use up its
    reaction.
    """
    if any(map(_moves_wounds, _powers(table))) or any(p.healing and p.needs_test for p in _profiles(table)):
        wounds: Bounds = (None, None)
    else:
        acting, other = _bound(table, who, mine), _bound(table, 1 - who, _worst(table) if its is None else its)
        wounds = (acting, other) if who == 0 else (other, acting)
    reactions = (0, int(reacting)) if who == 0 else (int(reacting), 0)
    return (*wounds, 0, 0, *reactions, *_uses(table, STRIKING))


def _bound(table: Table, who: int, loss: int) -> int:
    """How far wounds are looked at of which so many may be lost: beyond it, no threshold is reached, nor the end."""
    return table.threshold(who) + loss + 1


def blow(table: Table, blow: Blow) -> Bounds:
    """The bounds of one attack: it takes wounds off its target alone, or off what is in between."""
    found: Bounds | None = table.memory.get(("bounds", blow))
    if found is None:
        wounds: list[int | None] = [None] * len(table.fighters)
        heals = any(weapon.healing for weapon in _profiles(table) if weapon.name == blow.weapon)
        if not (heals or blow.between or any(map(_moves_wounds, _powers(table)))):
            wounds[blow.attacker] = _bound(table, blow.attacker, 0)
            wounds[blow.target] = _bound(table, blow.target, 1 if blow.reaction else _worst(table))
        found = table.memory["bounds", blow] = (*wounds, 0, 0, *[0] * len(wounds), *_uses(table, STRIKING))
    return found


def _uses(table: Table, moments: frozenset[str]) -> Bounds:
    """A thing for once a battle is looked at where it may be used."""
    return tuple(
        1 if any(_used_at(power, moments) for power in table.fighters[who].powers if power.source == source) else 0
        for who, source in table.uses
    )


def _used_at(power: Power, moments: frozenset[str]) -> bool:
    rerolls = any(deeds.reroll for _, deeds in power.deeds)
    return power.when in moments or (rerolls and moments == STRIKING)


def _powers(table: Table) -> list[Power]:
    return [power for fighter in table.fighters for power in fighter.powers]


def _sudden(power: Power) -> bool:
    """True for an effect that moves wounds at once."""
    return any(deeds.heal or deeds.deal for _, deeds in power.deeds)


def _moves_wounds(power: Power) -> bool:
    """True for an effect that heals or deals during attacks, or that adds to damage for a while."""
    piling = power.span is not None and any(deeds.damage > 0 for _, deeds in power.deeds)
    return piling or (_sudden(power) and (power.when in STRIKING or power.during in STRIKING))


def _worst(table: Table) -> int:
    """The most points that one attack can deal."""
    more = sum(deeds.damage for power in _powers(table) for _, deeds in power.deeds if deeds.damage > 0)
    return max((profile.damage for profile in _profiles(table)), default=0) + more


def _profiles(table: Table) -> list[Profile]:
    """Every weapon and power that somebody has, or may be lent."""
    lent = [deeds.weapon for power in _powers(table) for _, deeds in power.deeds if deeds.weapon]
    return [*lent, *(weapon for fighter in table.fighters for weapon in fighter.weapons)]
