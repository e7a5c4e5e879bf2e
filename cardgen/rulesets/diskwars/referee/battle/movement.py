"""Moves and reinforcements: flips, pinning, impact, and terrain (seed: Move; Terrain Abilities)."""

from __future__ import annotations

from cardgen.game import Log, Measurement, Procedure, confirm
from cardgen.rulesets.diskwars.referee.battle.table import Piece, Table
from cardgen.rulesets.diskwars.referee.disk import IMPACT, Harm
from cardgen.rulesets.diskwars.referee.moves import Crossing, cross


def move(table: Table, who: Piece, flips: int, *, may_fight: bool = True) -> Procedure[None]:
    """Move a disk by flips, each of which can pin, trample, and cross terrain; without `may_fight`, onto no enemy."""
    left, first_pins, struck, crossed = flips, set[Piece](), set[Piece](), set[str]()
    is_flying, is_sure = "flying" in who.disk.keywords, not who.disk.keywords.isdisjoint(("flying", "strider"))
    models = [each for each in table.present if may_fight or each.side == who.side]
    while left and who.is_present:
        until = "flips until its move ends" if is_flying else "flips until it overlaps something, or its move ends"
        used = yield Measurement("flips", who.name, until, 0, left)
        if not used:
            break
        # Of several flips, all but the last overlapped nothing, so the last one brings the disk back onto terrain.
        before, left = [*who.ground] if used == 1 else [], left - used
        yield from table.leave(who)
        yield from table.lay(who, models)
        enemies, stopped = set(table.pinned_by(who)), not (who.beneath or who.ground)
        ends = any("rough" in each.keywords for each in who.ground if each not in before) and not is_sure
        is_first = not first_pins or (enemies <= first_pins and table.says("relentless-first", "same"))
        halts = bool(enemies) and not ("relentless" in who.disk.keywords and is_first)
        first_pins |= enemies
        yield from _trample(table, who, struck)
        clears = table.says("cleared-way", "goes-on") and table.says("impact-moment", "before")
        halts &= not (clears and not table.pinned_by(who))
        if is_flying or not is_sure:
            yield from _cross(table, who, crossed, Crossing(1, stops=True))
        if is_flying or ends or halts or stopped:
            break
    if flips != left and not is_flying and is_sure and table.says("strider-rest", "hurt"):
        yield from _cross(table, who, crossed, Crossing(1, stops=True))


def _trample(table: Table, who: Piece, struck: set[Piece]) -> Procedure[None]:
    """Deal impact damage to the disks that a moving disk pins now."""
    impact = table.profile(who).impact
    friends = table.pinned_by(who, is_enemy=False) if table.says("impact-friends", "all") else []
    pinned = [each for each in (*table.pinned_by(who), *friends) if impact]
    if table.says("impact-again", "once"):
        pinned = [each for each in pinned if each not in struck]
    struck.update(pinned)
    yield from table.hurt([(each, Harm(impact, source=IMPACT)) for each in pinned])


def _cross(table: Table, who: Piece, crossed: set[str], crossing: Crossing) -> Procedure[None]:
    """Roll for the dangerous terrain that a disk overlaps."""
    for each in [each for each in who.ground if each.dangerous]:
        is_again = each.name in crossed and table.says("dangerous-again", "once")
        crossed.add(each.name)
        if who.is_present and not is_again:
            disk = table.profile(who)
            who.health = yield from cross(disk, who.health, each.dangerous, crossing, table.rules)
            yield from table.hurt(())


def reinforce(table: Table, who: Piece) -> Procedure[None]:
    """Bring a disk from the reserve onto the field, with an activation token."""
    is_flanking = "flank" in who.disk.keywords and (
        yield from confirm("flank", who.name, "flanks: touches any edge, outside of enemy zones, and pins no enemy")
    )
    may_pin = table.says("reinforce-enemy", "allowed") and not is_flanking
    who.place, who.health = "field", who.health._replace(is_activated=True)
    yield Log("{} reinforces", (who.name,))
    models = [each for each in table.present if may_pin or each.side == who.side]
    yield from table.lay(who, models)
    yield from _cross(table, who, set(), Crossing(1, reinforces=True))
