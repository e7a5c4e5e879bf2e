"""Melee: engagements of disks above and beneath, swift and slow, and scrums (seed: Melee Phase)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, TypeAlias

from cardgen.game import Decision, Log, Procedure, Ruling, put
from cardgen.rulesets.diskwars.referee.disk import (
    Disk,
    Harm,
    Health,
    Rules,
    damage_taken,
    suffer_all,
    suffer_at_once,
)
from cardgen.rulesets.diskwars.referee.strength import Strength

Healths: TypeAlias = tuple[Health, ...]
ATTACK, COUNTER = ROLES = ("attack", "counter")
# Steps of an engagement.
SWIFT, ORDINARY, SLOW = range(3)
WEAKEST, STRONGEST, ANY = "weakest", "strongest", "any"
TARGETS = Ruling(
    "targets",
    "Whom does a disk damage in melee if it can choose, and which engagement is fought first?",
    {
        WEAKEST: "The enemy with the fewest wounds left, then the least toughness left; the next one once that is sure "
        "to be wounded. Equal enemies are equally likely.",
        STRONGEST: "The enemy with the highest strength; the next one once that is sure to be wounded. Equal enemies "
        "are equally likely.",
        ANY: "Any enemy, each with the same chance.",
    },
)


class Engagement(NamedTuple):
    """An engagement: the disks of it, of which the first `attackers` lie on the others.

    Each hurts one enemy. With frenzy, an attacker hurts all of them; with `own_dice`, a d6 is rolled for each. `pins`
    are the attackers and defenders that touch, by default all; `sides` are the places of the players of the disks in
    initiative order, by default one of attackers and one of defenders. `policy` chooses whom a disk hurts if no player
    does. `first` is the first player of a battle, who chooses the order of engagements.
    """

    disks: tuple[Disk, ...]
    attackers: int
    rules: Rules
    own_dice: bool = False
    pins: frozenset[tuple[int, int]] = frozenset()
    sides: tuple[int, ...] = ()
    policy: str = TARGETS.default
    first: str = ""

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

    def strength(self, who: int, healths: Healths) -> Strength:
        """Return the strength of a disk in its role and health, with empowerment."""
        disk = self.disks[who].at(healths[who])
        printed = disk.attack if self.role(who) == ATTACK else disk.counter
        return printed._replace(number=printed.number + healths[who].is_empowered)

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

    By the ruling `melee-hits`, the damage of each disk can cause a wound of its own, the highest first.
    By the ruling `shared-d6`, a disk that damages several rolls a d6 for each.

    In each step, attackers choose whom they hurt before defenders do, and then the dice are rolled; by the ruling
    `melee-choice`, all choose before the first step. By the ruling `two-pinned`, each defender can be in an engagement
    of its own.
    """
    lowers = [*range(engagement.attackers, len(engagement.disks))]
    if ("two-pinned", "two") in engagement.rules and len({low for _, low in engagement.pins} or lowers) > 1:
        while lowers:
            low = yield from _choose(engagement, "engagement", engagement.first, "next engagement", lowers, healths, {})
            lowers.remove(low)
            healths = yield from fight(engagement.alone(low), healths)
        return healths
    has_own_dice = engagement.own_dice or ("shared-d6", "each") in engagement.rules
    harm_disk = suffer_all if ("melee-hits", "each") in engagement.rules else suffer_at_once
    chosen: list[tuple[int, list[int]]] = []
    if chooses_first := ("melee-choice", "start") in engagement.rules:
        chosen = yield from _aim(engagement, _order(engagement, healths), healths)
    for step in (SWIFT, ORDINARY, SLOW):
        strikers = [who for who in _order(engagement, healths)
                    if engagement.step(who) == step and not healths[who].is_out]  # fmt: skip
        if chooses_first:
            aims = [(who, [each for each in targets if not healths[each].is_out])
                    for who, targets in chosen if who in strikers]  # fmt: skip
        else:
            aims = yield from _aim(engagement, strikers, healths)
        blows: dict[int, list[Harm]] = {}
        for who, targets in aims:
            amount = 0
            for number, target in enumerate(targets):
                disk, name = engagement.disks[who], engagement.disks[target].name
                strength = engagement.strength(who, healths)
                if not number or (strength.is_rolled and has_own_dice):
                    amount = yield from strength.amount(disk.name, f"{engagement.role(who)} strength against {name}")
                yield Log("{} deals {} damage to {}", (disk.name, amount, name))
                blows.setdefault(target, []).append(Harm(amount))
        for target, harms in blows.items():
            after = harm_disk(engagement.disks[target], healths[target], sorted(harms, reverse=True), engagement.rules)
            healths = put(healths, target, after)
    return healths


def _order(engagement: Engagement, healths: Healths) -> list[int]:
    """Return the disks in the order in which they choose: attackers, then defenders; each player's strongest first.

    Frenzy leaves no choice, so those that have it come first. The order in which disks are listed makes no difference,
    nor do names, unless disks are alike; those of a battle keep the order of their army then.
    """

    def key(who: int) -> tuple[Any, ...]:
        disk, strength = engagement.disks[who], engagement.strength(who, healths)
        player = engagement.sides[who] if engagement.sides else 0
        has_choice = "frenzy" not in disk.keywords
        return (
            engagement.role(who),
            player,
            has_choice,
            -strength.doubled_mean,
            disk.in_melee,
            healths[who],
            disk.name if not engagement.sides else "",
        )

    return sorted(range(len(engagement.disks)), key=key)


def _aim(engagement: Engagement, strikers: list[int], healths: Healths) -> Procedure[list[tuple[int, list[int]]]]:
    """Choose whom each disk hurts; return those that hurt somebody, each with its targets."""
    aims: list[tuple[int, list[int]]] = []
    # The strengths that strike each disk in this step.
    blows: dict[int, list[Strength]] = {}
    for who in strikers:
        disk, role = engagement.disks[who], engagement.role(who)
        has_frenzy = role == ATTACK and "frenzy" in disk.keywords
        hurts_friends = has_frenzy and ("frenzy-friends", "all") in engagement.rules
        beneath = engagement.touched(who) if hurts_friends else engagement.enemies(who)
        targets = [each for each in _order(engagement, healths) if each in beneath and not healths[each].is_out]
        if targets and not has_frenzy:
            # A disk that can deal damage must, so it passes over those that are immune.
            able = [each for each in targets if damage_taken(engagement.disks[each], Harm(1), engagement.rules)]
            what = f"enemy for its {role} strength"
            targets = [(yield from _choose(engagement, "target", disk.name, what, able or targets, healths, blows))]
        for target in targets:
            blows.setdefault(target, []).append(engagement.strength(who, healths))
        if targets:
            aims.append((who, targets))
    return aims


def _choose(
    engagement: Engagement, key: str, who: str, what: str, targets: list[int], healths: Healths,
    blows: dict[int, list[Strength]],
) -> Procedure[int]:  # fmt: skip
    """Ask which of some disks is a target; by default, the policy decides."""
    disks, names = engagement.disks, {engagement.disks[each].name: each for each in targets}
    ranks = {each: _rank(engagement, each, healths[each], blows.get(each, ())) for each in targets}
    kinds = {each: (disks[each].in_melee, healths[each], sorted(blows.get(each, ())), disks[each].card)
             for each in targets if ranks[each] == min(ranks.values())}  # fmt: skip
    best = sorted(kinds, key=lambda each: (kinds[each][:3], disks[each].name))
    # Of equal copies that the same blows strike, the first one stands for all.
    ties = tuple(next(disks[other].name for other in best if kinds[other] == kinds[each]) for each in best)
    return names[(yield Decision(key, who, what, tuple(names), ties[0], ties if len({*ties}) > 1 else ()))]


def _rank(engagement: Engagement, target: int, health: Health, blows: Iterable[Strength]) -> tuple[int, ...]:
    """Return the rank of a target for the policy: the lowest is chosen."""
    disk = engagement.disks[target].at(health)
    sure = sum(damage_taken(disk, Harm(each.least), engagement.rules) for each in blows)
    left = disk.toughness + health.is_empowered - health.damage - sure
    if engagement.policy == ANY:
        return ()
    printed = disk.attack if engagement.role(target) == ATTACK else disk.counter
    if engagement.policy == STRONGEST:
        return left <= 0, -printed.doubled_mean
    return left <= 0, disk.stamina - health.wounds, left


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
