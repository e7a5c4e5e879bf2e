"""An attack action: hit rolls, critical hits, and reactions (battlepack: Reactions)."""

from __future__ import annotations

from collections.abc import Mapping
from operator import add
from typing import NamedTuple

from cardgen.game import Log, MemoizedCall, Procedure, Roll, quantity, roll_pool
from cardgen.rulesets.warcry.referee.fighter import FighterStats
from cardgen.rulesets.warcry.weapon import Weapon

CRITICAL = 6
COUNTER, TAKE_COVER = "counter", "take-cover"
REACTIONS = (COUNTER, TAKE_COVER)


class Tally(NamedTuple):
    """Result of the hit rolls of an attack.

    Dice that show 1 are misses too.
    """

    ones: int = 0
    misses: int = 0
    hits: int = 0
    criticals: int = 0

    def plus(self, face: int, hit_face: int, critical_face: int = CRITICAL) -> Tally:
        """Return the tally with one more die; a 6 is always critical, and so is whatever reaches the critical face."""
        ones, misses, hits, criticals = self
        if face >= critical_face:
            return Tally(ones, misses, hits, criticals + 1)
        if face >= hit_face:
            return Tally(ones, misses, hits + 1, criticals)
        return Tally(ones + (face == 1), misses + 1, hits, criticals)

    def with_rerolled(self, again: Tally, kind: str) -> Tally:
        """Return the tally with the dice that showed a 1, all misses, or one of them, replaced by others."""
        ones, misses = (0, self.misses - self.ones) if kind == "ones" else (0, 0)
        if kind == "one":
            ones, misses = max(0, self.ones - 1), self.misses - 1
        hits, criticals = self.hits + again.hits, self.criticals + again.criticals
        return Tally(ones + again.ones, misses + again.misses, hits, criticals)

    @property
    def words(self) -> str:
        """Its counts, such as '1 hit, 2 critical hits, 0 misses'."""
        hits, criticals = quantity(self.hits, "hit"), quantity(self.criticals, "critical hit")
        return f"{hits}, {criticals}, {quantity(self.misses, 'miss', 'misses')}"


class Damage(NamedTuple):
    """Damage points allocated to the target, and by Counter to the attacker."""

    target: int = 0
    attacker: int = 0


class PreparedAttack(NamedTuple):
    """An attack with all that its rolls depend on.

    The weapon, the face that its dice need, and the target's reaction.

    `reaction` is 'counter', 'take-cover' or ''; `cover` the face that Take Cover needs. `each_one` says that every
    1 counts for Counter, `ones_miss` that they are misses for it too (rulings).
    """

    attacker: str
    target: str
    weapon: Weapon
    hit_face: int
    reaction: str = ""
    cover_face: int = 4
    every_one_counts: bool = False
    ones_are_misses: bool = True
    reroll: str = ""
    critical_face: int = CRITICAL

    @property
    def max_damage(self) -> Damage:
        """The most that it can allocate to each of the two."""
        dice, counted_ones = self.weapon.attacks, self.weapon.attacks if self.every_one_counts else 1
        return Damage(dice * max(self.weapon.damage, self.weapon.critical), 2 * counted_ones + 1)


def face_to_hit(strength: int, toughness: int) -> int:
    """Return the face that a die needs to hit.

    3 with Strength over Toughness, 4 if they are equal, 5 with less (core rules: Making Attack Actions).
    """
    return 3 if strength > toughness else 4 if strength == toughness else 5


def prepare_attack(
    attacker: FighterStats,
    weapon: Weapon,
    target: FighterStats,
    *,
    cover: bool,
    reaction: str,
    rulings: Mapping[str, str],
) -> PreparedAttack:
    """Prepare an attack with a weapon.

    Raises ValueError for a reaction that the target cannot make.

    Cover adds 1 to the Toughness, unless the attacker's battle trait ignores it.
    """
    attack_type = "melee" if weapon.melee else "missile"
    cover_counts = cover and attacker.ignored_cover not in ("any", attack_type)
    if reaction == COUNTER and not weapon.melee:
        raise ValueError("Counter answers melee attacks only")
    if reaction == TAKE_COVER:
        if weapon.melee:
            raise ValueError("Take Cover answers missile attacks only")
        if not cover:
            raise ValueError("Take Cover needs cover")
        if "mount" in target.runemarks:
            raise ValueError(f"{target.name} has the Mount runemark and cannot make Take Cover")
    return PreparedAttack(
        attacker.name,
        target.name,
        weapon,
        face_to_hit(weapon.strength, target.toughness + cover_counts),
        reaction,
        target.cover_face,
        rulings["counter-ones"] == "each",
        rulings["ones-miss"] == "counted",
        _reroll_of(attacker, attack_type),
        _critical_face_of(attacker, attack_type),
    )


def _reroll_of(attacker: FighterStats, attack_type: str) -> str:
    """Return which hit rolls of an attack are re-rolled: 'misses', 'ones', or ''."""
    kinds = {kind for weapons, kind in attacker.rerolls if weapons in ("any", attack_type)}
    return next((kind for kind in ("misses", "ones", "one") if kind in kinds), "")


def _critical_face_of(attacker: FighterStats, attack_type: str) -> int:
    """Return the lowest face that is a critical hit of an attack."""
    return min((face for weapons, face in attacker.critical_faces if weapons in ("any", attack_type)), default=CRITICAL)


def roll_hits(count: int, hit_face: int, who: str, critical_face: int = CRITICAL) -> Procedure[Tally]:
    """Roll to hit: each die hits on `hit_face` or more, and critically on `critical_face` or more."""
    die = Roll("hit", who, f"to hit, {hit_face}+")
    return (yield from roll_pool(count, die, Tally(), Tally.plus, hit_face, critical_face))


def roll_take_cover(criticals: int, face: int, who: str) -> Procedure[int]:
    """Return how many critical hits Take Cover turns into hits.

    A die for each, which needs `face` or more.
    """
    die = Roll("cover", who, f"Take Cover, {face}+", wins=tuple(range(face, 7)))
    return (yield from roll_pool(criticals, die, 0, add))


def counter_damage(tally: Tally, *, every_one_counts: bool = False, ones_are_misses: bool = True) -> int:
    """Return the damage points that Counter allocates to the attacker.

    2 for any 1, and 1 for two misses or more (battlepack: Universal Reactions).
    """
    ones = tally.ones if every_one_counts else min(1, tally.ones)
    misses = tally.misses if ones_are_misses else tally.misses - tally.ones
    return 2 * ones + (1 if misses >= 2 else 0)


def resolve_attack(attack: PreparedAttack) -> Procedure[Damage]:
    """Resolve an attack from its hit rolls to its damage."""
    tally = yield from resolve_hits(attack)
    returned = 0
    if attack.reaction == COUNTER:
        returned = counter_damage(
            tally, every_one_counts=attack.every_one_counts, ones_are_misses=attack.ones_are_misses
        )
        yield Log("{} counters: {} damage to {}", (attack.target, returned, attack.attacker))
    return Damage(tally.hits * attack.weapon.damage + tally.criticals * attack.weapon.critical, returned)


def _rerolled(tally: Tally, kind: str) -> int:
    """Return how many hit rolls are re-rolled; a single one is a miss, and a 1 if there is one."""
    return {"ones": tally.ones, "one": min(1, tally.misses)}.get(kind, tally.misses)


def resolve_hits(attack: PreparedAttack) -> Procedure[Tally]:
    """Make the hit rolls of an attack; Take Cover then turns critical hits into hits."""
    rest = (attack.hit_face, attack.attacker, attack.critical_face)
    tally: Tally = yield MemoizedCall(roll_hits, (attack.weapon.attacks, *rest))
    if attack.reroll and (count := _rerolled(tally, attack.reroll)):
        again: Tally = yield MemoizedCall(roll_hits, (count, *rest))
        tally = tally.with_rerolled(again, attack.reroll)
    yield Log("{}: {}", (attack.attacker, tally.words))
    if attack.reaction != TAKE_COVER:
        return tally
    saved = yield MemoizedCall(roll_take_cover, (tally.criticals, attack.cover_face, attack.target))
    yield Log("{} takes cover: {} to {}", (attack.target, quantity(saved, "critical hit"), quantity(saved, "hit")))
    return tally._replace(hits=tally.hits + saved, criticals=tally.criticals - saved)
