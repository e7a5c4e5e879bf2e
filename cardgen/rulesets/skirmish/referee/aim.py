"""Blows before their dice: what is needed to hit, to wound, and to save, with all modifiers."""

from __future__ import annotations

from typing import NamedTuple

from cardgen.game import Modifier
from cardgen.rulesets.skirmish.referee import charts
from cardgen.rulesets.skirmish.referee.blow import AUTOMATIC, SIX, Blow, Volley
from cardgen.rulesets.skirmish.referee.warrior import Health, Rules, Warrior, Weapon

SOFT, HARD = "soft", "hard"
COVER = {SOFT: -1, HARD: -2}
# The rules of an attacker or a weapon that change blows, and those of targets that are not man-sized.
BLOW_RULES, NOT_MAN_SIZED = frozenset({"poison", "killing-blow"}), frozenset({"swarm", "large", "monster"})


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


def _blow(attacker: str, target: Warrior, hit: int, strength: int, kind: str, rules: Rules, profile: int = 0) -> Blow:
    """Return a blow without saves; `profile` is its Strength without bonuses."""
    wound = charts.need_to_wound(strength, target.t)
    basic = charts.need_to_wound(profile or strength, target.t) if ("critical-needs", "profile") in rules else wound
    can_be_critical, traits = kind in ("melee", "shot") and basic < SIX, target.rules & {"swarm"}
    return Blow(attacker, target.name, hit, wound, ward=target.ward, kind=kind, can_be_critical=can_be_critical,
                traits=traits, rules=rules, basis=f"Strength {strength}")  # fmt: skip


def _with_saves(blow: Blow, target: Warrior, its: Health, armed: Weapon | None, strength: int, piercing: int) -> Blow:
    saves = [target.save(armed, is_mounted=on) for on in (its.is_mounted, False)]
    now, later = (charts.need_to_save(each, strength, piercing) for each in saves)
    return blow._replace(save=now, foot_save=later)


def _traits(attacker: Warrior, weapon: Weapon, target: Warrior) -> frozenset[str]:
    traits = (attacker.rules | weapon.rules) & BLOW_RULES
    return traits - {"killing-blow"} if target.rules & NOT_MAN_SIZED else traits


def strikes(one: Fighter, other: Fighter, own: Health, its: Health, rules: Rules) -> Volley:
    """Return the attacks of a fighter on another one in a round of close combat, without those of its mount."""
    warrior, weapon = one.warrior, one.weapon
    plain, extra = warrior.attacks(own), 0 if own.is_mounted else weapon.attacks
    if "extra-only" not in weapon.rules:
        plain, extra = plain + extra, 0
    charges = one.charges and (own.is_mounted or "mounted-only" not in weapon.rules)
    volley = []
    for count, is_extra in ((plain, False), (extra, True)):
        strength, piercing = weapon.in_round(warrior.s, charges=charges, first=one.first, is_extra=is_extra)
        blow = _strike(one, other, its, warrior.ws, strength + one.dives, piercing, rules)
        volley.append((blow._replace(traits=blow.traits | _traits(warrior, weapon, other.warrior)), count))
    return tuple([(blow, count) for blow, count in volley if count])


def mount_strikes(one: Fighter, other: Fighter, own: Health, its: Health, rules: Rules) -> Volley:
    """Return the attacks of a fighter's mount on an enemy."""
    mount = one.warrior.mount
    if mount is None or not mount.a or not own.is_mounted:
        return ()
    blow = _strike(one, other, its, mount.ws, mount.s, 0, rules)
    return ((blow._replace(attacker=f"{mount.name} of {one.warrior.name}"), mount.a),)


def _strike(one: Fighter, other: Fighter, its: Health, skill: int, strength: int, piercing: int, rules: Rules) -> Blow:
    target, need = other.warrior, max(2, charts.need_to_strike(skill, other.warrior.ws) - one.dives)
    protects = {("obstacle", "always")} | ({("obstacle", "first")} if one.first else set())
    if one.is_afraid or (other.is_defended and not rules.isdisjoint(protects)):
        need = SIX
    blow = _blow(one.warrior.name, target, need, strength, "melee", rules, one.weapon.strength or one.warrior.s)
    hatred = one.warrior.rules & {"hatred"} if one.first else frozenset()
    return _with_saves(blow._replace(traits=blow.traits | hatred), target, its, other.weapon, strength, piercing)


def parting_blow(one: Fighter, other: Fighter, its: Health, rules: Rules) -> Volley:
    """Return the one automatic hit of an opponent on a fighter who runs."""
    strength, piercing = one.weapon.in_round(one.warrior.s, charges=one.charges, first=one.first)
    blow = _strike(one, other, its, one.warrior.ws, strength, piercing, rules)
    has_critical = blow.can_be_critical and ("parting-blows", "standing") in rules
    traits = ((blow.traits | _traits(one.warrior, one.weapon, other.warrior)) - {"poison", "hatred"}) | {"parting"}
    return ((blow._replace(hit=AUTOMATIC, can_be_critical=has_critical, traits=traits), 1),)


def shot_modifiers(weapon: Weapon, target: Warrior, shot: Shot, rules: Rules) -> tuple[Modifier, ...]:
    """Return all modifiers of a shot."""
    is_steady = bool(weapon.rules & {"thrown", "pistol"})
    is_long = shot.distance is not None and 2 * shot.distance > weapon.range
    candidates = (
        ("long range", -int(is_long and not is_steady)),
        ("moved", -int(shot.moved and not is_steady)),
        ("charging target", -int(shot.is_charging)),
        ("single target", -int(("single-target", "counted") in rules)),
        (f"{shot.cover} cover", COVER.get(shot.cover, 0)),
        ("large target", int(bool(target.rules & {"large", "monster"}))),
        ("all shots", -weapon.shots_penalty if shot.is_volley else 0),
    )
    return tuple(Modifier(source, amount) for source, amount in candidates if amount)


def shots(shooter: Warrior, target: Warrior, weapon: Weapon, shot: Shot, its: Health, rules: Rules) -> Volley:
    """Return the shots of a warrior at a target.

    Raises ValueError for a target out of range, and for a weapon that cannot be used after a move.
    """
    distance = shot.distance or 0
    if distance > weapon.range:
        raise ValueError(f'{target.name} is {distance}" away; {weapon.name} has a range of {weapon.range}"')
    if shot.moved and "move-or-fire" in weapon.rules:
        raise ValueError(f"{weapon.name} cannot be used after a move")
    if shot.is_volley and weapon.shots_within and distance > weapon.shots_within:
        raise ValueError(f'{weapon.name} fires all shots only within {weapon.shots_within}"')
    modifiers = shot_modifiers(weapon, target, shot, rules)
    hit = charts.need_to_shoot(shooter.bs, sum(each.amount for each in modifiers))
    profile = weapon.strength or shooter.s
    blow = _blow(shooter.name, target, hit, profile + weapon.bonus, "shot", rules, profile)
    basis = ", ".join([f"BS {shooter.bs}: {7 - shooter.bs} or more", *map(str, modifiers)])
    blow = blow._replace(traits=blow.traits | _traits(shooter, weapon, target), basis=basis)
    blow = _with_saves(blow, target, its, None, profile + weapon.bonus, weapon.piercing)
    return ((blow, weapon.shots if shot.is_volley else 1),)


def spell_hit(target: Warrior, strength: int, its: Health, rules: Rules) -> Blow:
    """Return one hit of a spell, which is never critical."""
    return _with_saves(_blow("spell", target, AUTOMATIC, strength, "spell", rules), target, its, None, strength, 0)


def fall_hit(target: Warrior, height: float, roller: str, rules: Rules) -> Blow:
    """Return one hit of a fall from a height in inches: no armor save, and never critical."""
    strength = charts.fall_strength(height, rounds_up=("fall-height", "up") in rules)
    return _blow(roller, target, AUTOMATIC, strength, "fall", rules)
