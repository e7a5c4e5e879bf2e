"""Moves and abilities with dice: flips, impact, dangerous terrain, Magic, and Unstable (seed: Ability Reference)."""

from __future__ import annotations

from typing import NamedTuple

from cardgen.game import Log, Procedure, Roll
from cardgen.rulesets.diskwars.referee.battle_die import Faces, battle_die
from cardgen.rulesets.diskwars.referee.disk import ARCANE, IMPACT, MAGIC, PHYSICAL, Disk, Harm, Health, Rules
from cardgen.rulesets.diskwars.referee.harm import suffer, suffer_all


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
    user: Disk, target: Disk, healths: tuple[Health, Health], harm: Harm, faces: Faces, result: str, rules: Rules
) -> Procedure[Backlash]:
    """Resolve damage of an unstable ability: on one result of a battle die, it strikes its user, too."""
    strikes_user = (yield battle_die(faces, user.name, "unstable")) == result
    own, its = healths
    own = suffer(user, own, harm, rules) if strikes_user else own
    return Backlash(strikes_user, own, suffer(target, its, harm, rules))


def flips_to_pin(gap: int, diameter: float) -> int:
    """Return the flips until a disk lies on another whose edge is `gap` mm from its own; to touch is not enough."""
    return int(gap // diameter) + 1


def flips_into_range(gap: int, diameter: float, reach: float, rules: Rules) -> int:
    """Return the flips until the edge of a disk is within `reach` mm of another that is `gap` mm away."""
    flips = max(0, int(-(-(gap - reach) // diameter)))
    return flips + (gap - flips * diameter == reach and ("range-edge", "beyond") in rules)
