"""The Magic and Shooting phases: shooters, targets, distances, and hits."""

from __future__ import annotations

from functools import partial

from cardgen.game import (
    MarkedMeasurement,
    Measurement,
    MemoizedCall,
    Procedure,
    choose,
    choose_in_turn,
    choose_one,
    confirm,
)
from cardgen.rulesets.skirmish.referee.aim import HARD, SOFT, Shot, shots, spell_hit
from cardgen.rulesets.skirmish.referee.battle.harm import rules_for, take_harm
from cardgen.rulesets.skirmish.referee.battle.table import Model, Table
from cardgen.rulesets.skirmish.referee.blow import Outcome, Volley, resolve
from cardgen.rulesets.skirmish.referee.warrior import Weapon

# What keeps a model from shooting.
NO_SHOT = ("ran", "charged", "failed", "rallied", "resting", "shot", "fled", "stupid")
MOST_HITS, MOST_STRENGTH, FARTHEST = 12, 10, 144
COVER_HINT = "+ soft or hard for cover"


def usable_weapons(table: Table, who: Model) -> list[Weapon]:
    """Return the weapons with which a model can shoot in this phase."""
    if not who.is_free or who.has_acted(*NO_SHOT) or (who.has_acted("fell") and table.says("after-fall", "never")):
        return []
    moved = _has_moved(table, who)
    return [each for each in who.warrior.missile_weapons if not (moved and "move-or-fire" in each.rules)]


def _has_moved(table: Table, who: Model) -> bool:
    return who.has_acted("moved", "jumped") or (who.has_acted("rose") and table.says("standing-moves", "moves"))


def shooting_phase(table: Table) -> Procedure[None]:
    """Let the models of a side shoot one after another."""
    ready = partial(table.of, table.side, lambda each: bool(usable_weapons(table, each)))
    yield from choose_in_turn("shooter", table.sides[table.side], "who shoots", ready, partial(_aim, table))


def _aim(table: Table, who: Model) -> Procedure[None]:
    """Choose a target, and shoot."""
    targets = [each for each in table.enemies(who) if not each.contacts and not each.is_hidden]
    seen = "the nearest in sight" if table.says("nearest", "visible") else "the nearest of all"
    easier = "one with a lower number to hit" if table.says("easier", "need") else "one with less cover"
    what = f'target: {seen}, {easier}, or from more than 2" up, any in sight'
    target = yield from choose_one("target", who.name, what, targets, "none")
    if target:
        who.is_hidden = False
        yield from shoot(table, who, target, is_charging=False)
    who.acts.add("shot")


def shoot(table: Table, who: Model, target: Model, *, is_charging: bool) -> Procedure[None]:
    """Shoot at a target, or at a charger that starts more than half of its charge away."""
    weapons = who.warrior.missile_weapons if is_charging else usable_weapons(table, who)
    weapon = yield from choose("weapon", who.name, "weapon", {each.name: each for each in weapons})
    what = f"distance from {who.name} to {target.name}"
    answer = yield MarkedMeasurement("distance", "", what, 0, FARTHEST, "inches", (SOFT, HARD), COVER_HINT)
    distance, cover = answer[0], HARD if HARD in answer else SOFT if SOFT in answer else ""
    if distance > weapon.range:
        return
    can_fire_all = weapon.shots > 1 and (not weapon.shots_within or distance <= weapon.shots_within)
    is_volley = can_fire_all and (yield from confirm("volley", who.name, f"fires {weapon.shots} shots"))
    shot = Shot(distance, _has_moved(table, who) and not is_charging, cover, is_charging, is_volley)
    rules = rules_for(table, target)
    yield from _hit(table, target, shots(who.warrior, target.warrior, weapon, shot, target.health, rules))


def _hit(table: Table, target: Model, volley: Volley) -> Procedure[None]:
    outcome: Outcome = yield MemoizedCall(resolve, (volley, target.health))
    yield from take_harm(table, target, outcome.health)


def magic_phase(table: Table) -> Procedure[None]:
    """Let spells strike models; casting itself, and all other spells, are left to the players."""
    wizards = table.of(table.side, lambda each: each.warrior.wizard > 0 and not each.has_acted("stupid"))
    casters = partial(table.of, table.side, lambda each: each in wizards and each.is_fit)
    yield from choose_in_turn("caster", table.sides[table.side], "whose spell strikes", casters, partial(_cast, table))


def _cast(table: Table, who: Model) -> Procedure[None]:
    """Let a spell strike a model."""
    who.is_hidden = False
    target = yield from choose_one("target", who.name, "model that the spell strikes", table.enemies(who), "none")
    if target:
        strength = yield Measurement("strength", who.name, "Strength of the hits", 1, MOST_STRENGTH)
        hits = yield Measurement("hits", who.name, "hits", 1, MOST_HITS)
        blow = spell_hit(target.warrior, strength, target.health, rules_for(table, target))
        yield from _hit(table, target, ((blow, hits),))
