"""The Magic and Shooting phases: shooters, targets, distances, and hits."""

from __future__ import annotations

from functools import partial

from cardgen.game import MarkedMeasurement, Measurement, MemoizedCall, Procedure, choose, choose_one, confirm
from cardgen.rulesets.skirmish.referee.aim import HARD, SOFT, Shot, shots, spell_hit
from cardgen.rulesets.skirmish.referee.battle.harm import rules_for, take_harm
from cardgen.rulesets.skirmish.referee.battle.table import Model, Table
from cardgen.rulesets.skirmish.referee.blow import Outcome, Volley, resolve
from cardgen.rulesets.skirmish.referee.weapon import Weapon

NO_SHOT = ("ran", "charged", "failed", "rallied", "resting", "shot", "fled", "stupid")
MOST_HITS, MOST_STRENGTH = 12, 10


def usable_weapons(table: Table, who: Model) -> dict[str, Weapon]:
    """Return the weapons with which a model can shoot now, by name."""
    moved = _has_moved(table, who)
    return {each.name: each for each in who.warrior.missile_weapons if not (moved and "move-or-fire" in each.rules)}


def _has_moved(table: Table, who: Model) -> bool:
    return who.has_acted("moved") or (who.has_acted("rose") and table.says("standing-moves", "moves"))


def can_shoot(table: Table, who: Model) -> bool:
    """Return whether a model can shoot in this phase."""
    if who.has_acted("fell") and table.says("after-fall", "never"):
        return False
    is_ready = who.is_fit and not who.is_engaged and not who.has_acted(*NO_SHOT)
    return is_ready and bool(usable_weapons(table, who))


def shooting_phase(table: Table) -> Procedure[None]:
    """Let the models of a side shoot one after another."""
    side = table.sides[table.side]
    ready = partial(can_shoot, table)
    while who := (yield from choose_one("shooter", side, "who shoots", table.of(table.side, ready), "nobody else")):
        who.acts.add("shot")
        targets = [each for each in table.enemies(who) if not each.is_engaged and not each.is_hidden]
        seen = "the nearest in sight" if table.says("nearest", "visible") else "the nearest of all"
        easier = "one with a lower number to hit" if table.says("easier", "need") else "one with less cover"
        what = f'target: {seen}, {easier}, or from more than 2" up, any in sight'
        target = yield from choose_one("target", who.name, what, targets, "none")
        if target:
            who.is_hidden = False
            yield from _shoot(table, who, target, is_charging=False)


def stand_and_shoot(table: Table, who: Model, charger: Model) -> Procedure[None]:
    """Shoot at a charger that starts more than half of its charge away."""
    yield from _shoot(table, who, charger, is_charging=True)


def _shoot(table: Table, who: Model, target: Model, *, is_charging: bool) -> Procedure[None]:
    weapons = {each.name: each for each in who.warrior.missile_weapons} if is_charging else usable_weapons(table, who)
    weapon = yield from choose("weapon", who.name, "weapon", weapons)
    what = f"distance from {who.name} to {target.name}"
    distance, *marks = yield MarkedMeasurement(
        "distance", "", what, 0, 96, "inches", (SOFT, HARD), "+ soft or hard cover"
    )
    if distance > weapon.range:
        return
    cover = HARD if HARD in marks else SOFT if SOFT in marks else ""
    can_fire_all = weapon.shots > 1 and (not weapon.shots_within or distance <= weapon.shots_within)
    is_volley = can_fire_all and (yield from confirm("volley", who.name, f"fires {weapon.shots} shots"))
    shot = Shot(distance, _has_moved(table, who) and not is_charging, cover, is_charging, is_volley)
    volley = shots(who.warrior, target.warrior, weapon, shot, target.health, rules_for(table, target))
    yield from _strike(table, target, volley)


def _strike(table: Table, target: Model, volley: Volley) -> Procedure[None]:
    outcome: Outcome = yield MemoizedCall(resolve, (volley, target.health))
    yield from take_harm(table, target, outcome.health)


def magic_phase(table: Table) -> Procedure[None]:
    """Let spells strike models; casting itself, and all other spells, are left to the players."""
    casters = table.of(table.side, lambda each: each.is_fit and each.warrior.wizard > 0)
    side = table.sides[table.side]
    while casters and (
        caster := (yield from choose_one("caster", side, "whose spell strikes a model", casters, "nobody's"))
    ):
        caster.is_hidden = False
        target = yield from choose_one("target", caster.name, "model that the spell strikes", table.enemies(caster))
        if target is None:
            return
        strength = yield Measurement("strength", caster.name, "Strength of the hits", 1, MOST_STRENGTH)
        hits = yield Measurement("hits", caster.name, "hits", 1, MOST_HITS)
        blow = spell_hit(target.warrior, strength, target.health, rules_for(table, target))
        yield from _strike(table, target, ((blow, hits),))
