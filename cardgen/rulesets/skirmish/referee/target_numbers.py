"""Before the dice: what is needed to hit, to wound, and to save; courage; climbs, jumps, and falls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from cardgen.game import Log, MemoizedCall, Modifier, Procedure, Roll, quantity, roll_sum
from cardgen.rulesets.skirmish.referee.warrior import (
    AUTOMATIC,
    FALLEN,
    FIT,
    OUT,
    SIX,
    Blow,
    Health,
    Outcome,
    Rules,
    Volley,
    Warrior,
    Weapon,
    fall_strength,
    flight_dice,
    initiative_test,
    leadership_test,
    need_to_save,
    need_to_shoot,
    need_to_strike,
    need_to_wound,
    resolve,
)

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
    wound = need_to_wound(strength, target.t)
    basic = need_to_wound(profile or strength, target.t) if ("critical-needs", "profile") in rules else wound
    can_be_critical, traits = kind in ("melee", "shot") and basic < SIX, target.rules & {"swarm"}
    return Blow(attacker, target.name, hit, wound, ward=target.ward, kind=kind, can_be_critical=can_be_critical,
                traits=traits, rules=rules, basis=f"Strength {strength}")  # fmt: skip


def _with_saves(blow: Blow, target: Warrior, its: Health, armed: Weapon | None, strength: int, piercing: int) -> Blow:
    saves = [target.save(armed, is_mounted=on) for on in (its.is_mounted, False)]
    now, later = (need_to_save(each, strength, piercing) for each in saves)
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
    charges = one.charges and (own.is_mounted or not weapon.rules & {"mounted-only", "rider-charge"})
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
    target, need = other.warrior, max(2, need_to_strike(skill, other.warrior.ws) - one.dives)
    protects = {("obstacle", "always")} | ({("obstacle", "first")} if one.first else set())
    if one.is_afraid or (other.is_defended and not rules.isdisjoint(protects)):
        need = SIX
    blow = _blow(one.warrior.name, target, need, strength, "melee", rules, one.weapon.strength or one.warrior.s)
    hatred = one.warrior.rules & {"hatred"} if one.first else frozenset()
    return _with_saves(blow._replace(traits=blow.traits | hatred), target, its, other.weapon, strength, piercing)


def parting_blow(one: Fighter, other: Fighter, its: Health, rules: Rules) -> Volley:
    """Return the one automatic hit of an opponent on a fighter who runs."""
    strength, piercing = one.weapon.in_round(one.warrior.s, charges=one.charges, first=one.first)
    blow = _strike(one, other, its, one.warrior.ws, strength + one.dives, piercing, rules)
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


def shot_fault(target: Warrior, weapon: Weapon, shot: Shot) -> str:
    """Return why a weapon cannot shoot at a target, or ''."""
    distance = shot.distance or 0
    if distance > weapon.range:
        return f'{target.name} is {distance}" away; {weapon.name} has a range of {weapon.range}"'
    if shot.moved and "move-or-fire" in weapon.rules:
        return f"{weapon.name} cannot be used after a move"
    if shot.is_volley and weapon.shots_within and distance > weapon.shots_within:
        return f'{weapon.name} fires all shots only within {weapon.shots_within}"'
    return ""


def shots(shooter: Warrior, target: Warrior, weapon: Weapon, shot: Shot, its: Health, rules: Rules) -> Volley:
    """Return the shots of a warrior at a target.

    Raises ValueError for a target out of range, and for a weapon that cannot be used after a move.
    """
    if fault := shot_fault(target, weapon, shot):
        raise ValueError(fault)
    modifiers = shot_modifiers(weapon, target, shot, rules)
    hit = need_to_shoot(shooter.bs, sum(each.amount for each in modifiers))
    profile = weapon.strength or shooter.s
    blow = _blow(shooter.name, target, hit, profile + weapon.bonus, "shot", rules, profile)
    basis = ", ".join([f"BS {shooter.bs}: {7 - shooter.bs} or more", *map(str, modifiers)])
    blow = blow._replace(traits=blow.traits | _traits(shooter, weapon, target), basis=basis)
    blow = _with_saves(blow, target, its, None, profile + weapon.bonus, weapon.piercing)
    return ((blow, weapon.shots if shot.is_volley else 1),)


def spell_hit(caster: str, target: Warrior, strength: int, its: Health, rules: Rules) -> Blow:
    """Return one hit of a spell, which is never critical."""
    return _with_saves(_blow(caster, target, AUTOMATIC, strength, "spell", rules), target, its, None, strength, 0)


def fall_hit(target: Warrior, height: float, roller: str, rules: Rules) -> Blow:
    """Return one hit of a fall from a height in inches: no armor save, and never critical."""
    strength = fall_strength(height, rounds_up=("fall-height", "up") in rules)
    return _blow(roller, target, AUTOMATIC, strength, "fall", rules)


LEADER_REACH = 6


class Opponent(NamedTuple):
    """An opponent of a fighter who breaks: its health, and whether it can still cause a critical hit."""

    fighter: Fighter
    health: Health
    may_crit: bool = True


Opponents: TypeAlias = tuple[Opponent, ...]


class Break(NamedTuple):
    """How a fighter leaves a combat: whether it runs, its health, and the names of those who struck it critically."""

    runs: bool
    health: Health
    criticals: tuple[str, ...] = ()


def count_opponents(opponents: Sequence[Opponent], rules: Rules) -> int:
    """Return how many opponents count for All Alone."""
    counts_all = ("fallen-opponents", "all") in rules
    return sum(each.health.state == FIT or (counts_all and each.health.state in FALLEN) for each in opponents)


def break_away(one: Fighter, health: Health, opponents: Opponents, rules: Rules, dice: int = 2) -> Procedure[Break]:
    """Resolve the parting blows of opponents and the flight of a fighter that breaks, on foot if it loses its mount."""
    strikes_all = ("parting-blows", "all") in rules
    batch = rules - {("milder-injury", "new")} | {("milder-injury", "worse")}
    criticals: tuple[str, ...] = ()
    for opponent in opponents:
        if health.state == OUT or opponent.health.state not in ((FIT, *FALLEN) if strikes_all else (FIT,)):
            continue
        volley = parting_blow(opponent.fighter, one, health, batch)
        outcome: Outcome = yield MemoizedCall(resolve, (volley, health, opponent.may_crit))
        health = outcome.health
        if opponent.may_crit and not outcome.may_crit:
            criticals = (*criticals, opponent.fighter.warrior.name)
    if health.state != FIT and not (strikes_all and health.state in FALLEN):
        yield Log("{} does not get away", (one.warrior.name,))
        return Break(False, health, criticals)
    dice = dice if health.is_mounted else min(dice, flight_dice(one.warrior.m))
    inches = yield from roll_sum(dice, "flight", one.warrior.name, "flight in inches")
    yield Log('{} runs {}" away', (one.warrior.name, inches))
    return Break(True, health, criticals)


def alone_test(
    one: Fighter, health: Health, opponents: Opponents, leadership: int, rules: Rules
) -> Procedure[Break | None]:
    """Take the All Alone test; return None if it is passed or not needed."""
    is_immune = "immune" in one.warrior.rules and ("alone-immune", "never") in rules
    if is_immune or health.state != FIT or count_opponents(opponents, rules) < 2:
        return None
    if (yield from leadership_test(one.warrior.name, leadership, "All Alone")):
        return None
    return (yield from break_away(one, health, opponents, rules))


def flight_length(warrior: Warrior, rules: Rules, *, was_alone: bool) -> int:
    """Return how many D6 inches a fleeing warrior runs."""
    return 2 if was_alone and ("flight", "cause") in rules else flight_dice(warrior.move)


INCHES_PER_TEST, HIGHEST_JUMP, WIDEST_GAP, EDGE = 2, 6, 3, 1
SUCCEEDS, STAYS, FALLS = "succeeds", "does not move", "falls"


class Landing(NamedTuple):
    """How a warrior gets up, down, or across: in words, and its health."""

    words: str
    health: Health

    def __str__(self) -> str:
        return f"{self.words}: {self.health}"


class Attempt(NamedTuple):
    """What a warrior attempts: a height in inches, of which a climb has levels, or a gap with movement left."""

    height: float
    levels: int = 1
    width: float = 0
    movement: float = 0


def fall(who: Warrior, health: Health, attempt: Attempt, rules: Rules, roller: str = "") -> Procedure[Landing]:
    """Fall: D3 hits whose Strength is the height.

    `roller` is who rolls for injuries, by the ruling `fall-dice`.
    """
    hits = yield Roll("hits", who.name, f'hits of a fall of {attempt.height:g}"', 3)
    blow = fall_hit(who, attempt.height, who.name if ("fall-dice", "owner") in rules or not roller else roller, rules)
    yield Log("{}: {} at {}", (who.name, quantity(hits, "hit"), blow.basis))
    outcome: Outcome = yield MemoizedCall(resolve, (((blow, hits),), health))
    return Landing(FALLS, outcome.health)


def jump(who: Warrior, health: Health, attempt: Attempt, rules: Rules, roller: str = "") -> Procedure[Landing]:
    """Jump down: an Initiative test for each complete 2 inches, and a fall if one fails.

    Raises ValueError for more than 6 inches.
    """
    if attempt.height > HIGHEST_JUMP:
        raise ValueError(f'a jump must be at most {HIGHEST_JUMP}" high, not {attempt.height:g}"')
    for number in range(1, int(attempt.height // INCHES_PER_TEST) + 1):
        if not (yield from initiative_test(who.name, who.i, f"jump, test {number}")):
            return (yield from fall(who, health, attempt, rules, roller))
    return Landing(SUCCEEDS, health)


def can_climb(who: Warrior, health: Health) -> bool:
    """Return whether a warrior can climb at all: animals cannot, and so neither can those who ride one."""
    return "animal" not in who.rules and not health.is_mounted


def climb_up(who: Warrior, health: Health, attempt: Attempt, rules: Rules, roller: str = "") -> Procedure[Landing]:
    """Climb up, or else stay.

    Raises ValueError for those who cannot climb, and for a height above the Movement.
    """
    if not can_climb(who, health):
        raise ValueError(f"{who.name} {'is an animal' if 'animal' in who.rules else 'is mounted'} and cannot climb")
    if attempt.height > who.m:
        raise ValueError(f'{who.name} can climb at most {who.m}", not {attempt.height:g}"')
    for _ in range(attempt.levels if ("climb-levels", "each") in rules else 1):
        if not (yield from initiative_test(who.name, who.i, "climb")):
            return Landing(STAYS, health)
    return Landing(SUCCEEDS, health)


def climb_down(who: Warrior, health: Health, attempt: Attempt, rules: Rules, roller: str = "") -> Procedure[Landing]:
    """Climb down, or else fall; the limits are those of a climb up."""
    landing = yield from climb_up(who, health, attempt, rules)
    return landing if landing.words == SUCCEEDS else (yield from fall(who, health, attempt, rules, roller))


def leap(who: Warrior, health: Health, attempt: Attempt, rules: Rules, roller: str = "") -> Procedure[Landing]:
    """Jump over a gap: a fall without enough movement, or else an Initiative test.

    Raises ValueError for more than 3 inches.
    """
    if attempt.width > WIDEST_GAP:
        raise ValueError(f'a gap must be at most {WIDEST_GAP}" wide, not {attempt.width:g}"')
    if attempt.movement >= attempt.width and (yield from initiative_test(who.name, who.i, "jump over a gap")):
        return Landing(SUCCEEDS, health)
    return (yield from fall(who, health, attempt, rules, roller))


def slip(who: Warrior, health: Health, attempt: Attempt, rules: Rules, roller: str = "") -> Procedure[Landing]:
    """Test whether a warrior felled near an edge slips over it."""
    if (yield from initiative_test(who.name, who.i, "stay on the edge")):
        return Landing(SUCCEEDS, health)
    return (yield from fall(who, health, attempt, rules, roller))


PROCEDURES = {"fall": fall, "jump": jump, "climb up": climb_up, "climb down": climb_down, "jump over a gap": leap}
