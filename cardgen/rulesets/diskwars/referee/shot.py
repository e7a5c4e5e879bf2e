"""Ranged attacks: battle dice, scatter, cover, siege range, and damage (seed: Ranged Attacks)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from cardgen.game import Log, Procedure, roll_pool
from cardgen.rulesets.diskwars.referee.battle_die import CRITICAL, HIT, SCATTER, Faces, battle_die
from cardgen.rulesets.diskwars.referee.disk import RANGED, Disk, Harm, Health, Ranged, Rules
from cardgen.rulesets.diskwars.referee.harm import damage_taken, names_harm, packets, suffer_hits


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
