"""An attack action, with the reactions to it (core rules, known from public sources; battlepack: Reactions)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from cardgen.referee.requests import Call, Procedure, Roll, Say
from cardgen.rulesets.warcry.procedures.profile import Arm, Body

CRITICAL = 6
COUNTER, TAKE_COVER = "counter", "take-cover"
REACTIONS = (COUNTER, TAKE_COVER)


class Tally(NamedTuple):
    """What the hit rolls of an attack showed. Dice that show 1 are misses too."""

    ones: int = 0
    misses: int = 0
    hits: int = 0
    criticals: int = 0

    def plus(self, face: int, need: int) -> Tally:
        """With one die more; a 6 is always a critical hit."""
        ones, misses, hits, criticals = self
        if face == CRITICAL:
            return Tally(ones, misses, hits, criticals + 1)
        if face >= need:
            return Tally(ones, misses, hits + 1, criticals)
        return Tally(ones + (face == 1), misses + 1, hits, criticals)


class Swing(NamedTuple):
    """An attack that is ready: the weapon, what its dice need, and how the target answers.

    `reaction` is 'counter', 'take-cover' or ''; `cover` the face that Take Cover needs. `each_one` says that every
    1 counts for Counter, `ones_miss` that they are misses for it too (rulings).
    """

    who: str
    target: str
    arm: Arm
    need: int
    reaction: str = ""
    cover: int = 4
    each_one: bool = False
    ones_miss: bool = True


class Harm(NamedTuple):
    """Damage points that an attack allocates to its target, and by Counter to the attacker."""

    target: int = 0
    attacker: int = 0


def need(strength: int, toughness: int) -> int:
    """What a die must show to hit: 3 with Strength over Toughness, 4 with the same, 5 with less."""
    return 3 if strength > toughness else 4 if strength == toughness else 5


def swing(attacker: Body, arm: Arm, target: Body, *, cover: bool, reaction: str, rulings: Mapping[str, str]) -> Swing:
    """An attack with a weapon. Raises ValueError for a reaction that the target cannot make.

    Cover adds 1 to the Toughness, unless the attacker's battle trait ignores it.
    """
    sort = "melee" if arm.melee else "missile"
    counted = cover and attacker.ignores not in ("any", sort)
    if reaction == COUNTER and not arm.melee:
        raise ValueError("Counter answers melee attacks only")
    if reaction == TAKE_COVER:
        if arm.melee:
            raise ValueError("Take Cover answers missile attacks only")
        if not cover:
            raise ValueError("Take Cover needs cover")
        if "mount" in target.runemarks:
            raise ValueError(f"{target.name} has the Mount runemark and cannot make Take Cover")
    return Swing(
        attacker.name,
        target.name,
        arm,
        need(arm.strength, target.toughness + counted),
        reaction,
        target.cover,
        rulings["counter-ones"] == "each",
        rulings["ones-miss"] == "counted",
    )


def volley(count: int, lowest: int, who: str) -> Procedure[Tally]:
    """The hit rolls: each die hits on `lowest` or more."""
    if not count:
        return Tally()
    rest = yield Call(volley, (count - 1, lowest, who))
    face = yield Roll("hit", who, f"to hit, {lowest}+")
    tally: Tally = rest.plus(face, lowest)
    return tally


def softened(criticals: int, face: int, who: str) -> Procedure[int]:
    """How many critical hits become hits: a die for each, on `face` or more."""
    if not criticals:
        return 0
    rest = yield Call(softened, (criticals - 1, face, who))
    saved = yield Roll("cover", who, f"Take Cover, {face}+", wins=tuple(range(face, 7)))
    return int(rest) + bool(saved)


def countered(tally: Tally, *, each_one: bool = False, ones_miss: bool = True) -> int:
    """Damage points that Counter allocates to the attacker: 2 for any 1, and 1 for two misses or more."""
    ones = tally.ones if each_one else min(1, tally.ones)
    misses = tally.misses if ones_miss else tally.misses - tally.ones
    return 2 * ones + (1 if misses >= 2 else 0)


def strike(blow: Swing) -> Procedure[Harm]:
    """An attack from its first hit roll to the damage that it allocates."""
    tally = yield Call(volley, (blow.arm.attacks, blow.need, blow.who))
    yield Say("{}: {} hits, {} critical, {} misses", (blow.who, tally.hits, tally.criticals, tally.misses))
    hits, criticals = tally.hits, tally.criticals
    back = 0
    if blow.reaction == COUNTER:
        back = countered(tally, each_one=blow.each_one, ones_miss=blow.ones_miss)
        yield Say("{} counters: {} damage to {}", (blow.target, back, blow.who))
    elif blow.reaction == TAKE_COVER:
        saved = yield Call(softened, (criticals, blow.cover, blow.target))
        hits, criticals = hits + saved, criticals - saved
        yield Say("{} takes cover: {} critical become hits", (blow.target, saved))
    return Harm(hits * blow.arm.damage + criticals * blow.arm.critical, back)
