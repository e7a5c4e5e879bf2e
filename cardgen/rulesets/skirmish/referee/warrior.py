"""Warriors and weapons as the procedures use them, made from cards, and the state of a warrior during a game."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil, floor
from typing import Any, NamedTuple, TypeAlias

from cardgen.game import (
    CardData,
    Log,
    MemoizedCall,
    Procedure,
    Roll,
    at_least,
    at_most,
    find_by_name,
    missing_part,
    quantity,
    roll_sum,
    slugify,
)

NEVER = 7
# A need of 7 to 9 is a 6 and then this or more; 10 or more is impossible.
DOUBLE_NEEDS = {7: 4, 8: 5, 9: 6}
BEST_SAVE, MOST_STRENGTH, FAST = 1, 10, 6


def need_to_strike(own_skill: int, enemy_skill: int) -> int:
    """Return the face that hits in close combat."""
    if own_skill > enemy_skill:
        return 3
    return 5 if enemy_skill > 2 * own_skill else 4


def need_to_shoot(skill: int, modifier: int = 0) -> int:
    """Return the number that a shot needs, at least 2 because a 1 always misses."""
    return max(2, 7 - skill - modifier)


def need_to_wound(strength: int, toughness: int) -> int:
    """Return the face that wounds, or NEVER."""
    if toughness >= strength + 4:
        return NEVER
    return min(6, max(2, 4 + toughness - strength))


def need_to_save(save: int, strength: int, piercing: int = 0) -> int:
    """Return the face that an armor save needs against a Strength, or NEVER; a 1 always fails."""
    need = max(BEST_SAVE, save) + max(0, strength - 3) + piercing
    return max(2, need) if need < NEVER else NEVER


def fall_strength(height: float, *, rounds_up: bool = False) -> int:
    """Return the Strength of the hits of a fall from a height in inches."""
    return min(MOST_STRENGTH, ceil(height) if rounds_up else floor(height))


def flight_dice(move: int) -> int:
    """Return the number of dice for the flight of a model that panics."""
    return 3 if move > FAST else 2


def rout_threshold(models: int) -> int:
    """Return how many models out of action make a force test for a rout."""
    return ceil(models / 4)


def leadership_test(who: str, leadership: int, what: str = "Leadership test") -> Procedure[bool]:
    """Roll 2D6; the Leadership or less passes."""
    return bool((yield MemoizedCall(_sum_within, (who, leadership, what))))


def _sum_within(who: str, leadership: int, what: str) -> Procedure[bool]:
    return (yield from roll_sum(2, "leadership", who, f"{what}, {leadership} or less")) <= leadership


def initiative_test(who: str, initiative: int, what: str = "Initiative test") -> Procedure[bool]:
    """Roll a D6; the Initiative or less passes, but a 6 always fails."""
    need = min(initiative, 5)
    return bool(need and (yield at_most("initiative", who, what, need)))


FIT, DOWN, STUNNED, OUT = STATES = ("fit", "knocked down", "stunned", "out of action")
FALLEN = (DOWN, STUNNED)
# The faces of an injury roll.
INJURIES = (DOWN, DOWN, STUNNED, STUNNED, OUT, OUT)
# The rulings in force, as pairs of a ruling and its setting.
Rules: TypeAlias = frozenset[tuple[str, str]]
WARRIORS = ("warrior",)
ARMOR = {"none": NEVER, "light": 6, "heavy": 5}
_NUMBERS = ("m", "ws", "bs", "s", "t", "w", "i", "a", "ld", "points", "wizard")
# What a text can say of a warrior that the referee plays by these keys.
_PROFILE = (*_NUMBERS, "ward")


class Weapon(NamedTuple):
    """A weapon: its range in inches (0 in close combat), its Strength, and its rules.

    `strength` is a number, or 0 for that of the user, to which `bonus` is added always, `charge_bonus` in the turn of a
    charge, and `first_bonus` in the first round of a combat. `first_strength` replaces all of them in that round.
    """

    name: str
    range: int = 0
    strength: int = 0
    bonus: int = 0
    charge_bonus: int = 0
    first_bonus: int = 0
    first_strength: int = 0
    hands: int = 1
    attacks: int = 0
    shots: int = 1
    shots_within: int = 0
    shots_penalty: int = 0
    piercing: int = 0
    rules: frozenset[str] = frozenset()

    @property
    def is_ranged(self) -> bool:
        """Whether it is for the Shooting phase."""
        return self.range > 0

    def in_round(self, user: int, *, charges: bool, first: bool, is_extra: bool = True) -> tuple[int, int]:
        """Return the Strength and the armor piercing of an attack in a round of close combat.

        With the rule 'extra-only', the first round improves only extra attacks.
        """
        if first and self.first_strength and (is_extra or "extra-only" not in self.rules):
            return self.first_strength, self.piercing
        extra = self.bonus + self.charge_bonus * charges + self.first_bonus * first
        return min(MOST_STRENGTH, (self.strength or user) + extra), 0 if self.first_strength else self.piercing


HAND_WEAPON = Weapon("Hand weapon", rules=frozenset({"parry"}))


def worse(one: str, other: str) -> str:
    """Return the worse of two states."""
    return max(one, other, key=STATES.index)


class Health(NamedTuple):
    """What is left of a warrior: Wounds, state, and whether it has its mount and has lost its frenzy."""

    wounds: int
    state: str = FIT
    is_mounted: bool = False
    is_calm: bool = False

    def __str__(self) -> str:
        wounds = quantity(self.wounds, "Wound")
        return self.state if self.state != FIT else f"{wounds}, mounted" if self.is_mounted else wounds


class Mount(NamedTuple):
    """A mount: its Movement, and how it strikes."""

    name: str
    m: int
    ws: int = 0
    s: int = 0
    i: int = 0
    a: int = 0
    barded: bool = False


class Warrior(NamedTuple):
    """A warrior: profile, equipment, and special rules.

    `armor` is the armor save without shield and mount, or NEVER. `texts` are those of its own special rules and magic
    items, by their names.
    """

    name: str
    m: int
    ws: int
    bs: int
    s: int
    t: int
    w: int
    i: int
    a: int
    ld: int
    weapons: tuple[Weapon, ...] = (HAND_WEAPON,)
    armor: int = NEVER
    has_shield: bool = False
    ward: int = NEVER
    mount: Mount | None = None
    rules: frozenset[str] = frozenset()
    points: int = 0
    wizard: int = 0
    texts: tuple[tuple[str, str], ...] = ()

    @property
    def in_words(self) -> frozenset[str]:
        """The special rules and magic items that say more than its profile and its ward save."""
        return frozenset(name for name, text in self.texts if not self._is_profile(text))

    def _is_profile(self, text: str) -> bool:
        from cardgen.rulesets.skirmish.wording import WARRIORS, claims_of  # loaded here to read cards fast

        read = claims_of(WARRIORS, text)
        said = [each for claim in read.claims for each in claim.meaning]
        return read.is_whole and all(key in _PROFILE and getattr(self, key) == value for key, value in said)

    @property
    def health(self) -> Health:
        """Its state at the start."""
        return Health(self.w, FIT, self.mount is not None)

    @property
    def melee_weapons(self) -> list[Weapon]:
        """The weapons for close combat; a hand weapon, if it has no other."""
        return [each for each in self.weapons if not each.is_ranged] or [HAND_WEAPON]

    @property
    def missile_weapons(self) -> list[Weapon]:
        """The weapons for the Shooting phase."""
        return [each for each in self.weapons if each.is_ranged]

    @property
    def move(self) -> int:
        """Its Movement, or that of its mount, which barding slows by 1."""
        return self.mount.m - self.mount.barded if self.mount else self.m

    @property
    def unit_strength(self) -> int:
        """Its Unit Strength: 1 on foot, 2 mounted, 3 or its Wounds if it is large."""
        if "monster" in self.rules:
            return self.w
        return 3 if "large" in self.rules else 2 if self.mount else 1

    def save(self, weapon: Weapon | None = None, *, is_mounted: bool) -> int:
        """Return its armor save in close combat with a weapon, or with None against anything else."""
        save = self.armor - (is_mounted + (is_mounted and self.mount is not None and self.mount.barded))
        if self.has_shield and (weapon is None or weapon.hands < 2):
            save -= 1 + (weapon is not None and "parry" in weapon.rules and not is_mounted)
        return save

    def attacks(self, health: Health) -> int:
        """Return its Attacks in close combat, without those of weapons and mount."""
        return self.a + ("frenzy" in self.rules and not health.is_calm)

    def weapon(self, name: str | None, *, is_ranged: bool) -> Weapon:
        """Return the weapon of a name, or the first one.

        Raises ValueError for a name that it does not have, and if it has none.
        """
        weapons = self.missile_weapons if is_ranged else self.melee_weapons
        match = find_by_name(weapons, name) if name is not None else weapons[0] if weapons else None
        if match is None:
            # A weapon that it does not have at all is looked for among all of its weapons.
            use = " for shooting" if is_ranged else " for close combat"
            has_it = name is None or find_by_name(self.weapons, name) is not None
            weapons, use = (weapons, use) if has_it else (list(self.weapons), "")
            raise ValueError(missing_part(self.name, "weapon", name, (each.name for each in weapons), use))
        return match


def warrior_of(data: CardData, name: str = "") -> Warrior:
    """Return the warrior of a card, with a name of its own if there is one.

    Raises ValueError for a card of another kind.
    """
    if data.get("kind") not in WARRIORS:
        raise ValueError(f"card must be of kind 'warrior', not {data.get('kind')!r}")
    weapons = tuple(weapon_of(each) for each in data.get("weapons", ()))
    text = data.get("text") or ""
    return Warrior(
        name=name or data["name"],
        weapons=weapons if any(not each.is_ranged for each in weapons) else (HAND_WEAPON, *weapons),
        armor=data.get("save") or ARMOR[data.get("armor", "none")],
        has_shield=data.get("shield", False),
        ward=data.get("ward") or NEVER,
        mount=_mount_of(data["mount"]) if data.get("mount") else None,
        rules=frozenset(map(slugify, data.get("rules", ()))),
        texts=(
            *data.get("special", {}).items(),
            *((each, text if each in text else "") for each in data.get("magic", ())),
        ),
        **{each: data.get(each, 0) for each in _NUMBERS},
    )


def _mount_of(data: Mapping[str, Any]) -> Mount:
    return Mount(**{each: data[each] for each in Mount._fields if each in data})


def weapon_of(data: Mapping[str, Any]) -> Weapon:
    """Return the weapon of a card."""
    numbers = {each: data[each] for each in Weapon._fields if each in data and each != "rules"}
    return Weapon(**numbers, rules=frozenset(map(slugify, data.get("rules", ()))))


SIX, AUTOMATIC = 6, 0


class Blow(NamedTuple):
    """An attack or a shot, with everything that its rolls depend on.

    `hit` is the number to hit, or AUTOMATIC. `save` is the armor save that it leaves, and `foot_save` the one after the
    target has lost its mount. `kind` is 'melee', 'shot', 'spell', or 'fall'. `traits` are the special rules that apply.
    """

    attacker: str
    target: str
    hit: int
    wound: int
    save: int = NEVER
    foot_save: int = NEVER
    ward: int = NEVER
    kind: str = "melee"
    can_be_critical: bool = True
    traits: frozenset[str] = frozenset()
    rules: Rules = frozenset()
    basis: str = ""


# The attacks of a warrior on a target: different ones, and how many of each.
Volley: TypeAlias = tuple[tuple[Blow, int], ...]


class Tally(NamedTuple):
    """What some blows have done to a target so far: Wounds left, injury dice, and mount.

    `has_mount` says that the next wound kills the mount, `lost_mount` that one has. `may_crit` says that the attacker
    can still cause a critical hit, and `is_spent` that further wounds are lost.
    """

    wounds: int
    dice: int = 0
    has_mount: bool = False
    lost_mount: bool = False
    may_crit: bool = True
    is_out: bool = False
    is_spent: bool = False


class Outcome(NamedTuple):
    """The health of a target after some blows, the wounds, and whether the attacker can still cause a critical hit."""

    health: Health
    may_crit: bool = True
    wounds: int = 0


def _roll_to_hit(blow: Blow) -> Procedure[str]:
    """Roll to hit; return 'hit', 'poisoned' if poison wounds without a roll, or ''."""
    what = f"to hit {blow.target} ({blow.basis})"
    if blow.hit in DOUBLE_NEEDS:
        if not (yield at_least("hit", blow.attacker, what, SIX)):
            return ""
        return "hit" if (yield at_least("again", blow.attacker, what, DOUBLE_NEEDS[blow.hit])) else ""
    if blow.hit >= NEVER:
        return ""
    face = yield Roll("hit", blow.attacker, f"{what}, {blow.hit} or more")
    return "poisoned" if face == SIX and "poison" in blow.traits else "hit" if face >= blow.hit else ""


def strike(blow: Blow, tally: Tally) -> Procedure[Tally]:
    """Resolve one attack, except for the injury rolls."""
    hit = "hit" if blow.hit == AUTOMATIC else (yield from _roll_to_hit(blow))
    if not hit and "hatred" in blow.traits:
        hit = yield from _roll_to_hit(blow)
    if not hit or tally.is_out:
        return tally
    is_poisoned = hit == "poisoned"
    can_be_critical = tally.may_crit and (
        blow.can_be_critical or (is_poisoned and ("poison-sixes", "critical") in blow.rules)
    )
    if is_poisoned:
        rolls = can_be_critical and ("poison", "critical") in blow.rules
        face = SIX if rolls and (yield at_least("poison", blow.attacker, "critical hit of poison", SIX)) else 0
    elif blow.wound >= NEVER:
        return tally
    else:
        face = yield Roll("wound", blow.attacker, f"to wound {blow.target}, {blow.wound} or more")
        if face < blow.wound:
            return tally
        if face == SIX and "killing-blow" in blow.traits:
            return tally if (yield from _is_saved(blow, NEVER)) else tally._replace(is_out=True)
    if face == SIX and can_be_critical:
        return (yield from _strike_critically(blow, tally))
    saved = yield from _is_saved(blow, blow.foot_save if tally.lost_mount else blow.save)
    return tally if saved else _wounded(blow, tally)


def _strike_critically(blow: Blow, tally: Tally) -> Procedure[Tally]:
    """Resolve a critical hit by the ruling `critical`."""
    yield Log("{} causes a critical hit", (blow.attacker,))
    tally = tally._replace(may_crit=blow.kind == "shot" and ("critical-shots", "one") not in blow.rules)
    ward = blow.ward if ("critical-ward", "allowed") in blow.rules else NEVER
    wounds = 0
    for number in range(1 if "swarm" in blow.traits and ("swarm-critical", "one") in blow.rules else 2):
        is_rolled = ("critical", "hits") in blow.rules or (number and ("critical", "extra") in blow.rules)
        if is_rolled and (
            blow.wound >= NEVER
            or not (yield at_least("critical", blow.attacker, f"to wound {blow.target}", blow.wound))
        ):
            continue
        wounds += not (yield from _is_saved(blow._replace(ward=ward), NEVER))
    has_two_rolls = wounds == tally.wounds == 2 and ("critical-wounds", "two") in blow.rules
    for _ in range(min(wounds, 1) if tally.has_mount else wounds):
        tally = _wounded(blow, tally)
    return tally._replace(dice=2) if has_two_rolls else tally


def _is_saved(blow: Blow, save: int) -> Procedure[bool]:
    """Roll the armor save and the ward save of a target."""
    if save < NEVER and (yield at_least("save", blow.target, "armor save", save)):
        return True
    return blow.ward < NEVER and (yield at_least("ward", blow.target, "ward save", blow.ward))


def _wounded(blow: Blow, tally: Tally) -> Tally:
    """Return the tally after one more wound, which may kill the mount or need an injury roll."""
    if tally.is_spent:
        return tally
    if "finish" in blow.traits:
        return tally._replace(is_out=True)
    if tally.has_mount:
        return tally._replace(has_mount=False, lost_mount=True, is_spent=("cavalry-critical", "lost") in blow.rules)
    if tally.wounds > 1:
        return tally._replace(wounds=tally.wounds - 1)
    if "swarm" in blow.traits and ("swarms", "none") in blow.rules:
        return tally._replace(wounds=0, is_out=True)
    return tally._replace(wounds=0, dice=tally.dice + 1)


def strike_often(blow: Blow, attacks: int, tally: Tally) -> Procedure[Tally]:
    """Resolve several attacks, one after another, except for the injury rolls."""
    if attacks > 1:
        tally = yield MemoizedCall(strike_often, (blow, attacks - 1, tally))
    tally = yield MemoizedCall(strike, (blow, tally))
    return tally


def resolve(volley: Volley, health: Health, may_crit: bool = True) -> Procedure[Outcome]:
    """Resolve all attacks of a warrior on a target, with their injury rolls.

    By the ruling `own-victim`, they are rolled together, or the rest is lost once the target falls.
    """
    blow = volley[0][0]
    if health.state == STUNNED and blow.kind == "melee" and "parting" not in blow.traits:
        yield Log("{} is stunned, and out of action", (blow.target,))
        return Outcome(health._replace(state=OUT), may_crit, 1)
    batches: tuple[Volley, ...] = (volley,)
    if ("own-victim", "lost") in blow.rules and blow.kind == "melee":
        batches = tuple(((each, 1),) for each, count in volley for _ in range(count))
    end, was = Outcome(health, may_crit), health.state
    for batch in batches:
        if end.health.state == was:
            end = yield from _resolve_batch(batch, end)
    return end


def resolve_more(volley: Volley, health: Health, may_crit: bool = True) -> Procedure[Outcome]:
    """Resolve attacks on an enemy that their model has felled in this phase, such as those of its mount.

    No model fells an enemy and finishes it in one phase (seed: Attacking stunned and downed warriors). The attacks are
    as against a standing enemy, or lost by the ruling `own-victim`, and the worst injury counts.
    """
    blow = volley[0][0]
    if ("own-victim", "lost") in blow.rules:
        return Outcome(health, may_crit)
    standing = health._replace(state=FIT, wounds=0)
    outcome: Outcome = yield MemoizedCall(resolve, (volley, standing, may_crit))
    return outcome._replace(health=outcome.health._replace(state=worse(health.state, outcome.health.state)))


def _resolve_batch(volley: Volley, so_far: Outcome) -> Procedure[Outcome]:
    blow, health = volley[0][0], so_far.health
    has_mount = health.is_mounted and ("cavalry", "mount") in blow.rules
    start = tally = Tally(health.wounds, 0, has_mount, may_crit=so_far.may_crit)
    for each, count in volley:
        tally = yield MemoizedCall(strike_often, (_against(each, health), count, tally))
    state = yield MemoizedCall(injure, (blow, tally.dice, tally.is_out, health.state))
    wounds = start.wounds - tally.wounds + max(0, tally.dice - 1) + tally.lost_mount
    is_calm = health.is_calm or (state != FIT and ("frenzy", "felled") in blow.rules)
    after = Health(tally.wounds, state, health.is_mounted and not tally.lost_mount, is_calm)
    return Outcome(after, tally.may_crit, so_far.wounds + max(wounds, tally.is_out))


def _against(blow: Blow, health: Health) -> Blow:
    """Return the blow against a target in its state: a knocked down one is hit and finished in close combat."""
    if health.state == FIT or "parting" in blow.traits:
        return blow
    if blow.kind == "melee":
        return blow._replace(hit=AUTOMATIC, traits=blow.traits | {"finish"})
    is_finished = health.state == DOWN and ("shot-while-down", "out") in blow.rules
    return blow._replace(traits=blow.traits | {"finish"}) if is_finished else blow


def injure(blow: Blow, dice: int, is_out: bool, state: str) -> Procedure[str]:
    """Roll for injuries, of which the worst counts, and return the state after them."""
    after = OUT if is_out else FIT
    for _ in range(0 if is_out else dice):
        after = worse(after, (yield Roll("injury", blow.attacker, f"injury of {blow.target}", faces=INJURIES)))
    if after == FIT:
        return state
    after = worse(state, after) if ("milder-injury", "worse") in blow.rules else after
    yield Log("{} is {}", (blow.target, after))
    return after
