"""Melee: engagements of disks above and beneath, swift and slow, and scrums (seed: Melee Phase)."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from cardgen.game import Decision, Log, Procedure, put
from cardgen.rulesets.diskwars.referee.disk import Disk, Harm, Health, Rules
from cardgen.rulesets.diskwars.referee.harm import suffer

Healths: TypeAlias = tuple[Health, ...]
ATTACK, COUNTER = ROLES = ("attack", "counter")
# Steps of an engagement.
SWIFT, ORDINARY, SLOW = range(3)


class Engagement(NamedTuple):
    """An engagement: the disks of it, of which the first `attackers` lie on the others.

    Each hurts one enemy. With frenzy, an attacker hurts all of them; with `own_dice`, a d6 is rolled for each. `pins`
    are the attackers and defenders that touch, by default all; `sides` are the players of the disks, by default one of
    attackers and one of defenders.
    """

    disks: tuple[Disk, ...]
    attackers: int
    rules: Rules
    own_dice: bool = False
    pins: frozenset[tuple[int, int]] = frozenset()
    sides: tuple[int, ...] = ()

    def role(self, who: int) -> str:
        """Return the role of a disk."""
        return ATTACK if who < self.attackers else COUNTER

    def touched(self, who: int) -> list[int]:
        """Return the disks that a disk lies on, or beneath."""
        if who < self.attackers:
            return [low for low in range(self.attackers, len(self.disks)) if not self.pins or (who, low) in self.pins]
        return [up for up in range(self.attackers) if not self.pins or (up, who) in self.pins]

    def enemies(self, who: int) -> list[int]:
        """Return the disks that a disk can hurt."""
        return [each for each in self.touched(who) if not self.sides or self.sides[each] != self.sides[who]]

    def alone(self, low: int) -> Engagement:
        """Return the engagement of a single defender."""
        pins = self.pins or frozenset((up, low) for up in range(self.attackers))
        return self._replace(pins=frozenset(pin for pin in pins if pin[1] == low))

    def step(self, who: int) -> int:
        """Return the step in which a disk deals its damage."""
        disk = self.disks[who]
        # With types of damage, the first type is for physical damage, which melee deals in both roles.
        role = ATTACK if ("swift-types", "damage") in self.rules else self.role(who)
        is_swift, is_slow = role in disk.swift, role in disk.slow
        if ("swift-and-slow", "opponents") in self.rules:
            others = [self.disks[each] for each in self.enemies(who)]
            is_swift, is_slow = (
                is_swift and not any(disk.swift & other.slow for other in others),
                is_slow and not any(disk.slow & other.swift for other in others),
            )
        return ORDINARY if is_swift == is_slow else SWIFT if is_swift else SLOW


def fight(engagement: Engagement, healths: Healths) -> Procedure[Healths]:
    """Resolve an engagement: in each step, all damage is dealt at once, by disks that are not casualties.

    Attackers choose whom they hurt before defenders do. By the ruling `two-pinned`, each defender can be in an
    engagement of its own.
    """
    lowers = range(engagement.attackers, len(engagement.disks))
    if ("two-pinned", "two") in engagement.rules and len({low for _, low in engagement.pins} or lowers) > 1:
        for low in lowers:
            healths = yield from fight(engagement.alone(low), healths)
        return healths
    for step in (SWIFT, ORDINARY, SLOW):
        blows: list[tuple[int, Harm]] = []
        for who, health in enumerate(healths):
            if engagement.step(who) == step and not health.is_out:
                blows += yield from _blows(engagement, who, healths)
        for target, harm in blows:
            healths = put(healths, target, suffer(engagement.disks[target], healths[target], harm, engagement.rules))
    return healths


def _blows(engagement: Engagement, who: int, healths: Healths) -> Procedure[list[tuple[int, Harm]]]:
    """Choose whom a disk hurts, and roll its strength if that is d6."""
    disk, role = engagement.disks[who], engagement.role(who)
    has_frenzy = role == ATTACK and "frenzy" in disk.keywords
    hurts_friends = has_frenzy and ("frenzy-friends", "all") in engagement.rules
    beneath = engagement.touched(who) if hurts_friends else engagement.enemies(who)
    targets = [each for each in beneath if not healths[each].is_out]
    if not targets:
        return []
    if not has_frenzy:
        targets = [(yield from _choose(engagement, who, targets))]
    printed = disk.attack if role == ATTACK else disk.counter
    strength = printed._replace(number=printed.number + healths[who].is_empowered)
    blows, amount = [], 0
    for number, target in enumerate(targets):
        name = engagement.disks[target].name
        if not number or (strength.is_rolled and engagement.own_dice):
            amount = yield from strength.amount(disk.name, f"{role} strength against {name}")
        yield Log("{} deals {} damage to {}", (disk.name, amount, name))
        blows.append((target, Harm(amount)))
    return blows


def _choose(engagement: Engagement, who: int, targets: list[int]) -> Procedure[int]:
    """Ask which enemy a disk hurts; by default, it is the first."""
    names = {engagement.disks[each].name: each for each in targets}
    what = f"enemy for its {engagement.role(who)} strength"
    default = next(iter(names))
    return names[(yield Decision("target", engagement.disks[who].name, what, tuple(names), default))]


def fight_scrum(disks: tuple[Disk, ...], healths: Healths, rules: Rules) -> Procedure[Healths]:
    """Resolve a scrum, in which each disk pins the next one, from the top down.

    An engagement that arises as a casualty is removed is not fought in this phase.
    """
    for top in range(len(disks) - 1):
        pair = healths[top : top + 2]
        if any(each.is_out for each in pair):
            continue
        after = yield from fight(Engagement(disks[top : top + 2], 1, rules), pair)
        healths = (*healths[:top], *after, *healths[top + 2 :])
    return healths
