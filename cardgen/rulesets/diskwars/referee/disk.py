"""Disks and terrain as the procedures use them, made from cards, and what happens to a disk during a battle."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from itertools import product
from math import ceil
from typing import Any, NamedTuple, TypeAlias

from cardgen.game import (
    Assumed,
    CardData,
    Log,
    PreparedTrial,
    Procedure,
    Roll,
    RulesConfig,
    find_by_name,
    missing_part,
    numbered_names,
    over_candidates,
    quantity,
    roll_pool,
)
from cardgen.rulesets.diskwars import RULESET
from cardgen.rulesets.diskwars.referee.strength import Strength

# The rulings in force, as pairs of a ruling and its setting.
Rules: TypeAlias = frozenset[tuple[str, str]]
DISKS, TERRAIN, COMMANDS = ("disk",), ("terrain",), ("command",)
RANGES = ("short", "medium", "long", "siege")
PHYSICAL, ARCANE, TRUE_DAMAGE = DAMAGE_TYPES = ("physical", "arcane", "true-damage")
# What a disk can be immune or resistant to besides types of damage.
IMPACT, MAGIC, RANGED = "impact", "magic", "ranged"
# What fortified terrain makes disks immune to, even if by the ruling `immune-to` cards can name no source.
IMPACT_DAMAGE = "impact damage"


class Ranged(NamedTuple):
    """A ranged attack: its missile value, maximum range, strength, and type of damage."""

    name: str
    missile: int
    range: str
    strength: Strength
    damage: str = PHYSICAL


class Health(NamedTuple):
    """What has happened to a disk: damage and wound tokens, and its other tokens."""

    damage: int = 0
    wounds: int = 0
    is_empowered: bool = False
    is_activated: bool = False
    is_out: bool = False

    def __str__(self) -> str:
        if self.is_out:
            return "casualty"
        tokens = [f"{self.damage} damage"] if self.damage or not self.wounds else []
        tokens += [quantity(self.wounds, "wound")] if self.wounds else []
        return ", ".join(tokens)

    @classmethod
    def of(cls, disk: Disk, damage: int, wounds: int, *tokens: bool) -> Health:
        """Return the health of a disk. Raises ValueError for tokens with which it would be a casualty."""
        health = cls(damage, wounds, *tokens)
        if wounds > disk.stamina or damage >= disk.toughness + health.is_empowered:
            raise ValueError(f"{disk.name} would be a casualty with {damage} damage and {quantity(wounds, 'wound')}")
        return health


class Harm(NamedTuple):
    """Damage of one source: its amount, its type, and the source if immune and resistant can name it."""

    amount: int
    damage: str = PHYSICAL
    source: str = ""


class Disk(NamedTuple):
    """A disk: its numbers, and its keywords; `card` is the name of its card, where copies of it fight.

    `if_wounded` is what it adds to its numbers while it has a wound token.
    """

    name: str
    attack: Strength
    counter: Strength
    toughness: int
    movement: int = 0
    stamina: int = 0
    size: str = "small"
    keywords: frozenset[str] = frozenset()
    immune: frozenset[str] = frozenset()
    resistant: frozenset[str] = frozenset()
    swift: frozenset[str] = frozenset()
    slow: frozenset[str] = frozenset()
    ranged: tuple[Ranged, ...] = ()
    impact: int = 0
    magic: int = 0
    cost: int = 0
    card: str = ""
    if_wounded: tuple[tuple[str, int], ...] = ()

    @property
    def in_melee(self) -> tuple[Any, ...]:
        """What counts of it in melee."""
        types = (PHYSICAL in self.immune, PHYSICAL in self.resistant, "frenzy" in self.keywords)
        steps = tuple(sorted(self.swift)), tuple(sorted(self.slow))
        return self.attack, self.counter, self.toughness, self.stamina, *types, *steps

    def ranged_attack(self, name: str | None) -> Ranged:
        """Return the ranged attack of a name, or the first one.

        Raises ValueError for a name that it does not have, and if it has none.
        """
        match = find_by_name(self.ranged, name) if name is not None else next(iter(self.ranged), None)
        if match is None:
            raise ValueError(missing_part(self.name, "ranged attack", name, (each.name for each in self.ranged)))
        return match

    def with_rule(self, stat: str, amount: int) -> Disk:
        """Return the disk with an amount added to one of its numbers, which can fall below 0 until all are added."""
        was: Any = getattr(self, stat)
        now: Any = was._replace(number=was.number + amount) if isinstance(was, Strength) else was + amount
        return self._replace(**{stat: now})

    def at(self, health: Health) -> Disk:
        """Return the disk with the numbers that it has in this health."""
        return reduce(lambda disk, rule: disk.with_rule(*rule), self.if_wounded if health.wounds else (), self)

    def with_terrain(self, terrain: Terrain | None, rules: Rules) -> Disk:
        """Return the disk with what the terrain that it overlaps gives; `defensive-type` can turn its swift around."""
        if terrain is None:
            return self
        immune = self.immune | ({IMPACT_DAMAGE} if "fortified" in terrain.keywords else set())
        is_turned = ("defensive-type", "attack") in rules and terrain.swift == _ROLES["counter"]
        return self._replace(immune=immune, swift=self.swift | (_ROLES["attack"] if is_turned else terrain.swift))


class Terrain(NamedTuple):
    """A terrain piece: its keywords, the type of its damage or '', the swift that it gives, and its other ability."""

    name: str
    keywords: frozenset[str]
    dangerous: str
    swift: frozenset[str]
    ability: str = ""


_NUMBERS = ("toughness", "movement", "stamina", "impact", "magic", "cost")
_WORDS = {"": (), "attack": ("attack",), "counter": ("counter",), "both": ("attack", "counter")}
_ROLES = {word: frozenset[str](roles) for word, roles in _WORDS.items()}


def disk_of(data: CardData, name: str = "") -> Disk:
    """Return the disk of a card, with a name of its own if there is one.

    Raises ValueError for a card of another kind.
    """
    _require_kind(data, DISKS)
    numbers: dict[str, Any] = {key: data.get(key) or 0 for key in _NUMBERS}
    names: dict[str, Any] = {key: frozenset(data.get(key, ())) for key in ("keywords", "immune", "resistant")}
    return Disk(
        name or data["name"],
        Strength.read(data["attack"]),
        Strength.read(data["counter"]),
        size=data["disk"],
        swift=_ROLES[data.get("swift") or ""],
        slow=_ROLES[data.get("slow") or ""],
        ranged=tuple(map(_ranged_of, data.get("ranged", ()))),
        **numbers,
        **names,
    )


def disks_of(cards: Iterable[CardData]) -> tuple[Disk, ...]:
    """Return the disks of cards; those that share a name are numbered."""
    data = tuple(cards)
    names = numbered_names([each["name"] for each in data])
    return tuple(disk_of(each, name)._replace(card=each["name"]) for each, name in zip(data, names, strict=True))


def _ranged_of(data: Any) -> Ranged:
    strength = Strength.read(data["strength"])
    return Ranged(data["name"], data["missile"], data["range"], strength, data.get("damage", PHYSICAL))


def terrain_of(data: CardData | None) -> Terrain | None:
    """Return the terrain of a card, or None for None. Raises ValueError for a card of another kind."""
    if data is None:
        return None
    _require_kind(data, TERRAIN)
    keywords, swift = frozenset(data.get("keywords", ())), _ROLES[data.get("defensive") or ""]
    return Terrain(data["name"], keywords, data.get("dangerous") or "", swift, data.get("ability") or "")


def _require_kind(data: CardData, kinds: tuple[str, ...]) -> None:
    if data.get("kind") not in kinds:
        raise ValueError(f"card must be of kind '{kinds[0]}', not {data.get('kind')!r}")


def names_harm(names: frozenset[str], harm: Harm, rules: Rules) -> bool:
    """Return whether immune or resistant to these names applies to some damage."""
    if harm.damage == TRUE_DAMAGE:
        return False
    if harm.source == IMPACT and IMPACT_DAMAGE in names:
        return True
    return harm.damage in names or (harm.source in names and ("immune-to", "sources") in rules)


def damage_taken(disk: Disk, harm: Harm, rules: Rules) -> int:
    """Return the damage that a disk takes from one source: none if immune, half of it rounded up if resistant.

    By the ruling `resistant-twice`, it is halved again if the disk is resistant to both its type and its source.
    """
    if names_harm(disk.immune, harm, rules):
        return 0
    if not names_harm(disk.resistant, harm, rules):
        return harm.amount
    is_named_twice = {harm.damage, harm.source} <= disk.resistant and ("immune-to", "sources") in rules
    return -(-harm.amount // (4 if is_named_twice and ("resistant-twice", "twice") in rules else 2))


def suffer(disk: Disk, health: Health, harm: Harm, rules: Rules) -> Health:
    """Return the health of a disk after damage of one source."""
    return suffer_at_once(disk, health, (harm,), rules)


def suffer_at_once(disk: Disk, health: Health, harms: Iterable[Harm], rules: Rules) -> Health:
    """Return the health of a disk after damage of several sources at the same moment.

    Each is halved on its own, and all tokens are placed before they are compared with the toughness. Damage as high as
    that causes a single wound, which takes all damage off a disk with stamina left. By the ruling `true-damage`, every
    true damage does, or true damage ignores stamina.
    """
    taken = [(harm, amount) for harm in harms if (amount := damage_taken(disk, harm, rules))]
    if health.is_out or not taken:
        return health
    disk = disk.at(health)
    is_true = any(harm.damage == TRUE_DAMAGE for harm, _ in taken)
    damage = health.damage + sum(amount for _, amount in taken)
    if damage < disk.toughness + health.is_empowered and not (is_true and ("true-damage", "toughness") in rules):
        return health._replace(damage=damage)
    if health.wounds < disk.stamina and not (is_true and ("true-damage", "further") in rules):
        return health._replace(damage=0, wounds=health.wounds + 1)
    return health._replace(damage=0, is_out=True)


def suffer_all(disk: Disk, health: Health, harms: Iterable[Harm], rules: Rules) -> Health:
    """Return the health after damage of several sources, one after another."""
    for harm in harms:
        health = suffer(disk, health, harm, rules)
    return health


def suffer_hits(disk: Disk, health: Health, hits: Iterable[Harm], rules: Rules) -> Health:
    """Return the health after the hits of one shot: one after another, or by the ruling `shot-hits` at once."""
    return (suffer_at_once if ("shot-hits", "together") in rules else suffer_all)(disk, health, hits, rules)


def packets(disk: Disk, harm: Harm, count: int, rules: Rules) -> Iterator[Harm]:
    """Yield the damage of the hits of one shot.

    Each counts on its own, unless their sum is halved by the ruling `packets`.
    """
    if ("packets", "sum") in rules and names_harm(disk.resistant, harm, rules):
        yield harm._replace(amount=count * harm.amount)
    else:
        yield from (harm for _ in range(count))


def end_round(disk: Disk, health: Health, rules: Rules) -> Health:
    """Return the health after the end phase, in which all tokens but wounds come off.

    By the ruling `token-order`, the empowerment may come off first, and cause a wound.
    """
    if health.is_out:
        return health
    disk = disk.at(health)
    is_hurt = health.is_empowered and health.damage >= max(1, disk.toughness)
    if is_hurt and ("token-order", "empowerment") in rules:
        return Health(wounds=min(health.wounds + 1, disk.stamina), is_out=health.wounds >= disk.stamina)
    return Health(wounds=health.wounds)


HIT, CRITICAL, SCATTER, MISS, CHAOS = RESULTS = ("hit", "critical", "scatter", "miss", "chaos")
Faces: TypeAlias = tuple[str, ...]
RULING, OPEN = "battle-die", "open"


def candidates(setting: str) -> tuple[Faces, ...]:
    """Return the possible faces of the battle die under a setting of the ruling: the result that is there twice."""
    every = tuple(tuple(map(str, faces)) for faces in RULESET.dice["battle"])
    return tuple(faces for faces in every if setting == OPEN or faces.count(setting) > 1)


def battle_die(faces: Faces, who: str, what: str) -> Roll:
    """Return a battle die, whose answer is its result."""
    return Roll("battle", who, what, len(faces), faces=faces)


def over_dice(config: RulesConfig, prepare: Callable[..., PreparedTrial], *options: Iterable[Any]) -> PreparedTrial:
    """Return a trial whose odds are ranges over the possible faces of the battle die, and over further options."""
    dice = candidates(config.rulings[RULING])
    trial = over_candidates([prepare(*case) for case in product(dice, *options)])
    if len(dice) == 1:
        return trial
    twice = next(face for face in dice[0] if dice[0].count(face) > 1)
    note = Assumed(
        f"a battle die that is rolled has two faces with {twice}, since nobody knows which result it has twice"
    )
    return replace(trial, not_simulated=(*trial.not_simulated, note))


class Tally(NamedTuple):
    """Battle dice by result: hits, critical hits, and scatter. The others do nothing."""

    hits: int = 0
    criticals: int = 0
    scatters: int = 0

    @property
    def damaging(self) -> int:
        """The number of dice that deal damage."""
        return self.hits + self.criticals

    def __str__(self) -> str:
        return f"hits {self.hits}, critical hits {self.criticals}, scatter {self.scatters}"


class Shot(NamedTuple):
    """A ranged attack on a target.

    `bystander` is the disk that scatter hits, or None. At siege range, only critical hits count.
    """

    shooter: str
    attack: Ranged
    target: Disk
    faces: Faces
    rules: Rules
    bystander: Disk | None = None
    is_siege: bool = False
    has_cover: bool = False

    @property
    def dice(self) -> int:
        """The number of battle dice: the missile value, one fewer against cover, but at least one."""
        return max(1, self.attack.missile - self.has_cover) if self.attack.missile else 0


class Struck(NamedTuple):
    """What a shot does to a disk: the dice that damage it, the damage that it takes, and its health."""

    dice: int
    damage: int
    health: Health

    def words(self, was: Health) -> str:
        """Return the health in words, with an activation token that it `was` without."""
        is_new = self.health.is_activated and not was.is_activated and not self.health.is_out
        return f"{self.health}, activated" if is_new else str(self.health)


class ShotEnd(NamedTuple):
    """What a shot does to its target and to the disk that scatter hits."""

    target: Struck
    bystander: Struck | None = None


def count(tally: Tally, face: str, is_siege: bool, counts_scatter: bool) -> Tally:
    """Return the tally with one more battle die."""
    if face == HIT and not is_siege:
        return tally._replace(hits=tally.hits + 1)
    if face == CRITICAL:
        return tally._replace(criticals=tally.criticals + 1)
    return tally._replace(scatters=tally.scatters + 1) if face == SCATTER and counts_scatter else tally


# Asks for the disk that scatter hits, and returns it with its health.
Seek: TypeAlias = Callable[[], Procedure[tuple[Disk, Health] | None]]


def shoot(shot: Shot, health: Health, its: Health | None = None, seek: Seek | None = None) -> Procedure[ShotEnd]:
    """Resolve a ranged attack on a target with this health; `its` is that of the disk that scatter hits.

    With `seek`, that disk is only looked for after a scatter.

    The d6 of a strength is rolled once, and serves all hits and critical hits. By the ruling `scatter-strength`, those
    after scatter have a d6 of their own.
    """
    other = shot.bystander
    die = battle_die(shot.faces, shot.shooter, f"{shot.attack.name} at {shot.target.name}")
    tally: Tally = yield from roll_pool(shot.dice, die, Tally(), count, shot.is_siege, bool(other or seek))
    yield Log("{}: {}", (shot.target.name, tally))
    if seek and tally.scatters:
        other, its = (yield from seek()) or (None, None)
    again = Tally()
    if other and tally.scatters:
        die = battle_die(shot.faces, shot.shooter, f"scatter at {other.name}")
        again = yield from roll_pool(tally.scatters, die, Tally(), count, shot.is_siege, False)
    what = f"strength of {shot.attack.name}"
    strength = yield from shot.attack.strength.amount(shot.shooter, what)
    struck = _strike(shot, shot.target, health, tally, strength)
    if other is None:
        return ShotEnd(struck)
    if again.damaging and ("scatter-strength", "new") in shot.rules:
        strength = yield from shot.attack.strength.amount(shot.shooter, f"{what} after scatter")
    return ShotEnd(struck, _strike(shot, other, its or Health(), again, strength))


def _strike(shot: Shot, disk: Disk, health: Health, tally: Tally, strength: int) -> Struck:
    """Return what the dice do to a disk; a critical hit also activates it."""
    harm = Harm(strength, shot.attack.damage, RANGED)
    harms = tuple(packets(disk, harm, tally.damaging, shot.rules))
    after = suffer_hits(disk, health, harms, shot.rules)
    after = after._replace(is_activated=after.is_activated or tally.criticals > 0)
    return Struck(tally.damaging, sum(damage_taken(disk, each, shot.rules) for each in harms), after)


def bystander_of(attack: Ranged, nearby: tuple[Disk, ...], rules: Rules) -> Disk | None:
    """Return the disk that scatter hits: the closest one, or by the ruling `immune-scatter` the closest not immune."""
    harm = Harm(1, attack.damage, RANGED)
    skips = ("immune-scatter", "next") in rules
    return next((each for each in nearby if not (skips and names_harm(each.immune, harm, rules))), None)


class Crossing(NamedTuple):
    """Flips after which a disk overlaps the same dangerous terrain.

    `stops` is true if the move ends there, and `reinforces` if the disk does not move but reinforces onto it.
    """

    flips: int
    stops: bool = False
    reinforces: bool = False

    def rolls(self, disk: Disk, rules: Rules) -> int:
        """Return how often the disk takes damage: flying disks and striders ignore terrain while they move."""
        if self.reinforces:
            return 1
        if "strider" in disk.keywords:
            return int(self.stops and ("strider-rest", "hurt") in rules)
        if "flying" in disk.keywords:
            return int(self.stops)
        return min(self.flips, 1) if ("dangerous-again", "once") in rules else self.flips


def cross(disk: Disk, health: Health, damage: str, crossing: Crossing, rules: Rules) -> Procedure[Health]:
    """Resolve dangerous terrain: d6 damage of its type each time, until the disk is a casualty."""
    for _ in range(crossing.rolls(disk, rules)):
        if health.is_out:
            break
        amount = yield Roll("dangerous", disk.name, f"{damage} damage of dangerous terrain")
        health = suffer(disk, health, Harm(amount, damage), rules)
        yield Log("{}: {}", (disk.name, health))
    return health


def trample(mover: Disk, disk: Disk, health: Health, flips: int, rules: Rules) -> Health:
    """Return the health of a disk that a mover with impact pins after some flips of one move."""
    times = min(flips, 1) if ("impact-again", "once") in rules else flips
    return suffer_all(disk, health, [Harm(mover.impact, PHYSICAL, IMPACT)] * times, rules)


def cast(caster: Disk, disk: Disk, health: Health, rules: Rules) -> Health:
    """Return the health of a disk after Magic, a focus ability without dice."""
    return suffer(disk, health, Harm(caster.magic, ARCANE, MAGIC), rules)


class Backlash(NamedTuple):
    """An unstable ability: whether it strikes its user, and the health of user and target."""

    strikes_user: bool
    user: Health
    target: Health


def unleash(
    user: Disk, target: Disk, blow: tuple[Strength, Harm], faces: Faces, result: str, rules: Rules
) -> Procedure[Backlash]:
    """Resolve damage of an unstable ability: on one result of a battle die, it strikes its user, too.

    By the ruling `shared-d6`, each of them may have a d6 of its own.
    """
    strikes_user = (yield battle_die(faces, user.name, "unstable")) == result
    strength, harm = blow
    harm = harm._replace(amount=(yield from strength.amount(user.name, f"damage to {target.name}")))
    its, own = suffer(target, Health(), harm, rules), Health()
    if strikes_user:
        if strength.is_rolled and ("shared-d6", "each") in rules:
            harm = harm._replace(amount=(yield from strength.amount(user.name, f"damage to {user.name}")))
        own = suffer(user, own, harm, rules)
    return Backlash(strikes_user, own, its)


def flips_to_pin(gap: int, diameter: float) -> int:
    """Return the flips until a disk lies on another whose edge is `gap` mm from its own; to touch is not enough."""
    return int(gap // _exactly(diameter)) + 1


def flips_into_range(gap: int, diameter: float, reach: float, rules: Rules) -> int:
    """Return the flips until the edge of a disk is within `reach` mm of another that is `gap` mm away."""
    step, end = _exactly(diameter), _exactly(reach)
    flips = max(0, ceil((gap - end) / step))
    return flips + (gap - flips * step == end and ("range-edge", "beyond") in rules)


def _exactly(length: float) -> Fraction:
    """Return a length without the error of its float: 3in is 76.2 mm, so that five flips of it are exactly 381 mm."""
    return Fraction(length).limit_denominator(10_000)
