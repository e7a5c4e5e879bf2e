"""A round of close combat: strike order, targets, and blows (seed: The close combat phase)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple, TypeAlias

from cardgen.game import Decision, MemoizedCall, Procedure, Roll
from cardgen.rulesets.skirmish.referee.aim import Fighter, mount_strikes, strikes
from cardgen.rulesets.skirmish.referee.blow import Outcome, Volley, resolve
from cardgen.rulesets.skirmish.referee.warrior import FIT, OUT, STUNNED, Health, Rules

# The health of each fighter of a combat.
Healths: TypeAlias = tuple[Health, ...]
STUPID_NEED = 4
# Ranks of the strike order.
CHARGERS, OTHERS, SLOW, RISEN = range(4)


class Striker(NamedTuple):
    """A fighter or its mount, with its place in the strike order."""

    rank: int
    slowness: int
    side: int
    who: int
    is_mount: bool = False


class CombatEnd(NamedTuple):
    """The end of a round: health, the fighters who can still cause a critical hit, and the wounds by each side."""

    healths: Healths
    may_crit: tuple[bool, ...]
    wounds: tuple[int, int] = (0, 0)


def rank_of(fighter: Fighter) -> int:
    """Return the rank of a fighter: chargers first, then most, then weapons that strike last, then who stood up."""
    if fighter.stood_up:
        return RISEN
    if fighter.charges:
        return CHARGERS
    return SLOW if "strikes-last" in fighter.weapon.rules else OTHERS


def strikers_of(fighters: Iterable[Fighter], healths: Healths) -> list[Striker]:
    """Return everyone who strikes, and mounts, in the order of rank and Initiative."""
    strikers = []
    for who, fighter in enumerate(fighters):
        rank, mount = rank_of(fighter), fighter.warrior.mount
        strikers.append(Striker(rank, -fighter.warrior.i, fighter.side, who))
        if mount and mount.a and healths[who].is_mounted:
            strikers.append(Striker(min(rank, OTHERS) if rank != RISEN else rank, -mount.i, fighter.side, who, True))
    return sorted(strikers)


def strike_order(
    fighters: tuple[Fighter, ...], strikers: list[Striker], leader: int, rules: Rules
) -> Procedure[list[Striker]]:
    """Return the strikers in order; the sides roll off if Initiative is equal.

    `leader` is the side that inflicted more wounds in the last round, or -1.
    """
    order: list[Striker] = []
    for _, group in groupby(strikers, key=lambda each: each[:2]):
        tied = list(group)
        if len({each.side for each in tied}) > 1:
            first = leader
            if ("equal-initiative", "roll") in rules or leader < 0:
                name = next(fighters[each.who].warrior.name for each in tied if not each.side)
                first = (yield Roll("roll-off", "", f"equal Initiative: 1 if {name} strikes first", 2)) - 1
            tied.sort(key=lambda each: (each.side != first, each.who))
        order += tied
    return order


def fight_round(
    fighters: tuple[Fighter, ...], healths: Healths, rules: Rules, leader: int = -1, *, asks: bool = False
) -> Procedure[CombatEnd]:
    """Play a round of close combat in which everyone touches every enemy.

    Fighters who are not fit do not strike. With `asks`, players choose the targets of each attack.
    """
    end = CombatEnd(healths, (True,) * len(fighters))
    order = yield from strike_order(fighters, strikers_of(fighters, healths), leader, rules)
    for striker in order:
        if asks or len(fighters) > 2:
            end = yield from take_blows(fighters, striker, end, rules, asks=asks)
        else:
            end = yield MemoizedCall(take_blows, (fighters, striker, end, rules))
    return end


def targets_of(fighters: tuple[Fighter, ...], who: int, healths: Healths) -> list[int]:
    """Return the enemies that a fighter can attack: standing ones, or else fallen ones."""
    reach = fighters[who].reach or [each for each, its in enumerate(fighters) if its.side != fighters[who].side]
    enemies = [each for each in reach if healths[each].state != OUT]
    return [each for each in enemies if healths[each].state == FIT] or enemies


def take_blows(
    fighters: tuple[Fighter, ...], striker: Striker, so_far: CombatEnd, rules: Rules, *, asks: bool = False
) -> Procedure[CombatEnd]:
    """Resolve all attacks of a striker, if it can still fight."""
    fighter, own = fighters[striker.who], so_far.healths[striker.who]
    targets = targets_of(fighters, striker.who, so_far.healths)
    if own.state != FIT or not targets or (striker.is_mount and not own.is_mounted):
        return so_far
    if fighter.is_stupid and not striker.is_mount:
        fights = yield Roll("stupidity", fighter.warrior.name, "fights in spite of stupidity", wins=(4, 5, 6))
        if not fights:
            return so_far
    end = so_far
    for target, volley in (yield from _aim(fighters, striker, targets, so_far, rules, asks=asks)):
        end = yield from _hit(end, striker, target, volley)
    if ("stunned-kill", "free") in rules and so_far.healths[targets[0]].state != FIT:
        for target in targets:
            if end.healths[target].state == STUNNED:
                outcome = Outcome(end.healths[target]._replace(state=OUT), end.may_crit[striker.who], 1)
                end = _set(end, target, outcome, striker)
    return end


def _hit(so_far: CombatEnd, striker: Striker, target: int, volley: Volley) -> Procedure[CombatEnd]:
    outcome: Outcome = yield MemoizedCall(resolve, (volley, so_far.healths[target], so_far.may_crit[striker.who]))
    return _set(so_far, target, outcome, striker)


def _set(so_far: CombatEnd, target: int, outcome: Outcome, striker: Striker) -> CombatEnd:
    """Return the end of the round with the outcome of some blows."""
    healths, may_crit, wounds = list(so_far.healths), list(so_far.may_crit), list(so_far.wounds)
    healths[target], may_crit[striker.who] = outcome.health, outcome.may_crit
    wounds[striker.side] += outcome.wounds
    return CombatEnd(tuple(healths), tuple(may_crit), (wounds[0], wounds[1]))


def _aim(
    fighters: tuple[Fighter, ...],
    striker: Striker,
    targets: list[int],
    so_far: CombatEnd,
    rules: Rules,
    *,
    asks: bool,
) -> Procedure[list[tuple[int, Volley]]]:
    """Choose the target of each attack before any die; return the volleys by target."""
    fighter, own = fighters[striker.who], so_far.healths[striker.who]

    def volley_at(target: int) -> Volley:
        its = so_far.healths[target]
        if striker.is_mount:
            return mount_strikes(fighter, fighters[target], its, rules)
        return strikes(fighter, fighters[target], own, its, rules)

    shares: dict[int, list[int]] = {}
    for part in [part for part, (_, count) in enumerate(volley_at(targets[0])) for _ in range(count)]:
        target = _default_target(targets, shares, so_far.healths)
        if asks:
            names = {fighters[each].warrior.name: each for each in targets}
            what = f"target of an attack{' of the mount' if striker.is_mount else ''}"
            target = names[(yield Decision("target", fighter.warrior.name, what, tuple(names)))]
        shares.setdefault(target, []).append(part)
    return [(target, _share(volley_at(target), parts)) for target, parts in shares.items()]


def _default_target(targets: list[int], shares: Iterable[int], healths: Healths) -> int:
    """Return the target of the next attack: one attack for each stunned enemy, and all others for the first one."""
    stunned = (each for each in targets if healths[each].state == STUNNED and each not in shares)
    return next(stunned, next((each for each in targets if healths[each].state != STUNNED), targets[0]))


def _share(volley: Volley, parts: list[int]) -> Volley:
    """Return the given attacks of a volley, each named by its place."""
    return tuple((blow, parts.count(place)) for place, (blow, _) in enumerate(volley) if place in parts)
