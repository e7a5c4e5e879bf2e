"""Blows before their dice: what is needed to hit, to wound, and to save, with all modifiers."""

from __future__ import annotations

from typing import NamedTuple

from cardgen.game import Modifier
from cardgen.rulesets.skirmish.referee.blow import AUTOMATIC, SIX, Blow, Volley
from cardgen.rulesets.skirmish.referee.charts import (
    fall_strength,
    need_to_save,
    need_to_shoot,
    need_to_strike,
    need_to_wound,
)
from cardgen.rulesets.skirmish.referee.warrior import Health, Rules, Warrior
from cardgen.rulesets.skirmish.referee.weapon import Weapon

SOFT, HARD = "soft", "hard"
COVER = {SOFT: -1, HARD: -2}
# The rules of an attacker or a weapon that change blows, and those of targets that are no man-sized bodies.
BLOW_RULES = frozenset({"poison", "killing-blow"})
NOT_MAN_SIZED = frozenset({"swarm", "large", "monster"})


class Fighter(NamedTuple):
    """A warrior in close combat, and what changes its blows in this round.

    `reach` are the places of the fighters that it touches; without any, it touches every enemy.
    """

    warrior: Warrior
    side: int
    weapon: Weapon
    charges: bool = False
    first: bool = False
    stood_up: bool = False
    dives: bool = False
    is_afraid: bool = False
    is_defended: bool = False
    is_stupid: bool = False
    reach: tuple[int, ...] = ()


class Shot(NamedTuple):
    """What changes a shot: the distance in inches, movement, cover, and a charging target."""

    distance: int | None = None
    moved: bool = False
    cover: str = ""
    is_charging: bool = False
    is_volley: bool = False


def _traits(attacker: Warrior, weapon: Weapon | None, target: Warrior) -> frozenset[str]:
    traits = (attacker.rules | (weapon.rules if weapon else frozenset())) & BLOW_RULES
    if target.rules & NOT_MAN_SIZED:
        traits -= {"killing-blow"}
    return traits | (target.rules & {"swarm"})


def _can_be_critical(wound: int, basic_strength: int, target: Warrior, rules: Rules) -> bool:
    if ("critical-needs", "profile") in rules:
        wound = need_to_wound(basic_strength, target.t)
    return wound < SIX


def strikes(one: Fighter, other: Fighter, own: Health, its: Health, rules: Rules) -> Volley:
    """Return the attacks of a fighter on another one in a round of close combat, without those of its mount."""
    warrior, weapon = one.warrior, one.weapon
    plain, extra = warrior.attacks(own), 0 if own.is_mounted else weapon.attacks
    need = need_to_strike(warrior.ws, other.warrior.ws)
    if "extra-only" not in weapon.rules:
        plain, extra = plain + extra, 0
    volley = []
    for count, is_extra in ((plain, False), (extra, True)):
        strength, piercing = weapon.in_round(warrior.s, charges=one.charges, first=one.first, is_extra=is_extra)
        blow = _strike(one, other, its, need, strength + one.dives, piercing, rules)
        critical = _can_be_critical(blow.wound, weapon.strength or warrior.s, other.warrior, rules)
        traits = blow.traits | _traits(warrior, weapon, other.warrior)
        volley.append((blow._replace(can_be_critical=critical, traits=traits), count))
    return tuple([(blow, count) for blow, count in volley if count])


def mount_strikes(one: Fighter, other: Fighter, its: Health, rules: Rules) -> Volley:
    """Return the attacks of a fighter's mount on an enemy."""
    mount = one.warrior.mount
    if mount is None or not mount.a:
        return ()
    need = need_to_strike(mount.ws, other.warrior.ws)
    blow = _strike(one, other, its, need, mount.s, 0, rules)
    return ((blow._replace(attacker=f"{mount.name} of {one.warrior.name}"), mount.a),)


def _strike(one: Fighter, other: Fighter, its: Health, need: int, strength: int, piercing: int, rules: Rules) -> Blow:
    target = other.warrior
    basis = f"Strength {strength}"
    if one.is_afraid or (other.is_defended and _obstacle_counts(one, rules)):
        need, basis = SIX, f"{basis}, {'afraid' if one.is_afraid else 'defended obstacle'}"
    elif one.dives:
        need = max(2, need - 1)
    saves = [target.save(other.weapon, is_mounted=mounted) for mounted in (its.is_mounted, False)]
    wound = need_to_wound(strength, target.t)
    return Blow(
        one.warrior.name,
        target.name,
        need,
        wound,
        need_to_save(saves[0], strength, piercing),
        need_to_save(saves[1], strength, piercing),
        target.ward,
        "melee",
        _can_be_critical(wound, strength, target, rules),
        (target.rules & {"swarm"}) | (one.warrior.rules & {"hatred"} if one.first else frozenset()),
        rules,
        basis,
    )


def _obstacle_counts(one: Fighter, rules: Rules) -> bool:
    return ("obstacle", "always") in rules or (one.first and ("obstacle", "first") in rules)


def parting_blow(one: Fighter, other: Fighter, own: Health, its: Health, rules: Rules) -> Volley:
    """Return the one automatic hit of an opponent on a fighter who runs."""
    blow, _ = strikes(one, other, own, its, rules)[0]
    has_critical = blow.can_be_critical and ("parting-blows", "standing") in rules
    traits = (blow.traits - {"poison", "hatred"}) | {"parting"}
    return ((blow._replace(hit=AUTOMATIC, can_be_critical=has_critical, traits=traits), 1),)


def shot_modifiers(weapon: Weapon, target: Warrior, shot: Shot, rules: Rules) -> tuple[Modifier, ...]:
    """Return all modifiers of a shot."""
    is_steady = "thrown" in weapon.rules or "pistol" in weapon.rules
    is_long = shot.distance is not None and 2 * shot.distance > weapon.range
    candidates = (
        ("long range", -1 if is_long and not is_steady else 0),
        ("moved", -1 if shot.moved and not is_steady else 0),
        ("charging target", -int(shot.is_charging)),
        ("single target", -1 if ("single-target", "counted") in rules else 0),
        (f"{shot.cover} cover", COVER.get(shot.cover, 0)),
        ("large target", int(bool(target.rules & {"large", "monster"}))),
        ("all shots", -weapon.shots_penalty if shot.is_volley else 0),
    )
    return tuple(Modifier(source, amount) for source, amount in candidates if amount)


def shots(shooter: Warrior, target: Warrior, weapon: Weapon, shot: Shot, its: Health, rules: Rules) -> Volley:
    """Return the shots of a warrior at a target.

    Raises ValueError for a target out of range, and for a weapon that cannot be used after a move.
    """
    if shot.distance is not None and shot.distance > weapon.range:
        raise ValueError(f'{target.name} is {shot.distance}" away; {weapon.name} has a range of {weapon.range}"')
    if shot.moved and "move-or-fire" in weapon.rules:
        raise ValueError(f"{weapon.name} cannot be used after a move")
    if shot.is_volley and weapon.shots_within and (shot.distance or 0) > weapon.shots_within:
        raise ValueError(f'{weapon.name} fires all shots only within {weapon.shots_within}"')
    modifiers = shot_modifiers(weapon, target, shot, rules)
    hit = need_to_shoot(shooter.bs, sum(each.amount for each in modifiers))
    strength = (weapon.strength or shooter.s) + weapon.bonus
    saves = [need_to_save(target.save(is_mounted=on), strength, weapon.piercing) for on in (its.is_mounted, False)]
    wound = need_to_wound(strength, target.t)
    basis = ", ".join([f"BS {shooter.bs}: {7 - shooter.bs} or more", *map(str, modifiers)])
    blow = Blow(
        shooter.name,
        target.name,
        hit,
        wound,
        saves[0],
        saves[1],
        target.ward,
        "shot",
        _can_be_critical(wound, strength, target, rules),
        _traits(shooter, weapon, target),
        rules,
        basis,
    )
    return ((blow, weapon.shots if shot.is_volley else 1),)


def spell_hit(target: Warrior, strength: int, its: Health, rules: Rules) -> Blow:
    """Return one hit of a spell, which is never critical."""
    save = need_to_save(target.save(is_mounted=its.is_mounted), strength)
    return Blow("spell", target.name, AUTOMATIC, need_to_wound(strength, target.t), save, save, target.ward, "spell",
                can_be_critical=False, traits=target.rules & {"swarm"}, rules=rules)  # fmt: skip


def fall_hit(target: Warrior, height: float, roller: str, rules: Rules) -> Blow:
    """Return one hit of a fall from a height in inches: no armor save, and never critical."""
    strength = fall_strength(height, rounds_up=("fall-height", "up") in rules)
    wound = need_to_wound(strength, target.t)
    return Blow(roller, target.name, AUTOMATIC, wound, ward=target.ward, kind="fall", can_be_critical=False,
                traits=target.rules & {"swarm"}, rules=rules, basis=f"Strength {strength}")  # fmt: skip
