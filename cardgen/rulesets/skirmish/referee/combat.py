"""A round of close combat: strike order, targets, and blows (seed: The close combat phase)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any, NamedTuple, TypeAlias

from cardgen.game import Decision, MemoizedCall, Procedure, Roll, Ruling, at_least, put
from cardgen.rulesets.skirmish.referee.aim import Fighter, mount_strikes, strikes
from cardgen.rulesets.skirmish.referee.blow import Outcome, Volley, resolve, resolve_more
from cardgen.rulesets.skirmish.referee.warrior import FALLEN, FIT, OUT, STUNNED, Health, Rules

FRAIL, ABLE, ANY = "frail", "able", "any"
# A policy. Its setting is among the rules in force, like those of rulings.
TARGETS = Ruling(
    "targets",
    "Whom does a warrior attack in close combat if it can choose?",
    {
        FRAIL: "The enemy with the fewest Wounds left, then the lowest Toughness. Equal enemies are equally likely.",
        ABLE: "The enemy with the highest Weapon Skill, then the highest Strength. Equal enemies are equally likely.",
        ANY: "Any enemy, each with the same chance.",
    },
)

Fighters: TypeAlias = tuple[Fighter, ...]
# The health of each fighter of a combat.
Healths: TypeAlias = tuple[Health, ...]
STUPID_NEED = 4
# Ranks of the strike order: chargers, most fighters, weapons that strike last, and who stood up.
CHARGERS, OTHERS, SLOW, RISEN = range(4)


class Striker(NamedTuple):
    """A fighter or its mount, with its place in the strike order."""

    rank: int
    slowness: int
    side: int
    who: int
    is_mount: bool = False


class CombatEnd(NamedTuple):
    """The end of a round: health, the fighters who can still cause a critical hit, and the wounds by each side.

    `felled` has the fighters who felled an enemy, each with that enemy.
    """

    healths: Healths
    may_crit: tuple[bool, ...]
    wounds: tuple[int, ...] = (0, 0)
    felled: tuple[tuple[int, int], ...] = ()

    def after(self, striker: Striker, target: int, outcome: Outcome) -> CombatEnd:
        """Return the end of the round with the outcome of some blows."""
        wounds = put(self.wounds, striker.side, self.wounds[striker.side] + outcome.wounds)
        may_crit = put(self.may_crit, striker.who, outcome.may_crit)
        is_felled = self.healths[target].state == FIT and outcome.health.state in FALLEN
        felled = (*self.felled, (striker.who, target)) if is_felled else self.felled
        return CombatEnd(put(self.healths, target, outcome.health), may_crit, wounds, felled)


def strikers_of(fighters: Iterable[Fighter], healths: Healths) -> list[Striker]:
    """Return everyone who strikes, and mounts, in the order of rank and Initiative."""
    strikers = []
    for who, (fighter, health) in enumerate(zip(fighters, healths, strict=True)):
        rank = RISEN if fighter.stood_up else CHARGERS if fighter.charges else OTHERS
        is_slow = rank == OTHERS and "strikes-last" in fighter.weapon.rules
        strikers.append(Striker(SLOW if is_slow else rank, -fighter.warrior.i, fighter.side, who))
        if fighter.warrior.mount and health.is_mounted:
            strikers.append(Striker(rank, -fighter.warrior.mount.i, fighter.side, who, True))
    return sorted(strikers)


def _order(
    fighters: Fighters, group: Iterable[Striker], healths: Healths, leader: int, rules: Rules
) -> Procedure[list[Striker]]:
    """Return those of equal rank and Initiative who can still strike, in order; the two sides roll off."""
    tied = [each for each in group if healths[each.who].state == FIT and targets_of(fighters, each.who, healths)]
    first = tied[0].side if tied else 0
    if len({each.side for each in tied}) > 1:
        first = leader
        if ("equal-initiative", "roll") in rules or leader < 0:
            name = next(fighters[each.who].warrior.name for each in tied if not each.side)
            first = (yield Roll("roll-off", "", f"equal Initiative: 1 if {name} strikes first", 2)) - 1
    return sorted(tied, key=lambda each: (each.side != first, each.is_mount,
                                          *_precedence(fighters[each.who], healths[each.who])))  # fmt: skip


def strike_order(fighter: Fighter) -> tuple[Any, ...]:
    """Return the place of a fighter's parting blow among those of its side."""
    return -fighter.warrior.i, *_precedence(fighter)


def _precedence(fighter: Fighter, health: Health | None = None) -> tuple[Any, ...]:
    """Return the place among strikers of one side with equal Initiative: those who strike harder come first.

    It compares all numbers and the health, so that the order in which warriors are listed makes no difference.
    """
    warrior = fighter.warrior
    profile = repr(_with_lists((*warrior[1:], *fighter[2:])))
    return -warrior.a, -warrior.s, -warrior.ws, profile, repr(health), warrior.name


def _with_lists(value: Any) -> Any:
    """Return a value with lists for sets, whose order differs from run to run."""
    if isinstance(value, frozenset):
        return sorted(value)
    return [*map(_with_lists, value)] if isinstance(value, tuple) else value


def fight_round(fighters: Fighters, healths: Healths, rules: Rules, leader: int = -1) -> Procedure[CombatEnd]:
    """Play a round of close combat; fighters who are not fit do not strike.

    `leader` is the side that inflicted more wounds in the last round, or -1.
    """
    end = CombatEnd(healths, (True,) * len(fighters))
    for _, group in groupby(strikers_of(fighters, healths), key=lambda each: each[:2]):
        for striker in (yield from _order(fighters, group, end.healths, leader, rules)):
            end = yield MemoizedCall(take_blows, (fighters, striker, end, rules))
    return end


def targets_of(fighters: Fighters, who: int, healths: Healths) -> list[int]:
    """Return the enemies that a fighter can attack: standing ones, or else fallen ones."""
    reach = fighters[who].reach or [each for each, its in enumerate(fighters) if its.side != fighters[who].side]
    enemies = [each for each in reach if healths[each].state != OUT]
    return [each for each in enemies if healths[each].state == FIT] or enemies


def take_blows(fighters: Fighters, striker: Striker, end: CombatEnd, rules: Rules) -> Procedure[CombatEnd]:
    """Resolve all attacks of a striker, if it can still fight."""
    fighter, own = fighters[striker.who], end.healths[striker.who]
    targets = targets_of(fighters, striker.who, end.healths)
    if own.state != FIT or not targets:
        return end
    what = "to fight in spite of stupidity"
    if fighter.is_stupid and not (yield at_least("stupidity", fighter.warrior.name, what, STUPID_NEED)):
        return end
    are_fallen = end.healths[targets[0]].state != FIT
    for target, volley in (yield from _aim(fighters, striker, targets, end.healths, rules)):
        method = resolve_more if (striker.who, target) in end.felled else resolve
        outcome: Outcome = yield MemoizedCall(method, (volley, end.healths[target], end.may_crit[striker.who]))
        end = end.after(striker, target, outcome)
    for target in targets if are_fallen and ("stunned-kill", "free") in rules else ():
        if end.healths[target].state == STUNNED and (striker.who, target) not in end.felled:
            dead = Outcome(end.healths[target]._replace(state=OUT), end.may_crit[striker.who], 1)
            end = end.after(striker, target, dead)
    return end


def _aim(
    fighters: Fighters, striker: Striker, targets: list[int], healths: Healths, rules: Rules
) -> Procedure[list[tuple[int, Volley]]]:
    """Choose the target of each attack before any die; return the volleys by target."""
    fighter, names = fighters[striker.who], {fighters[each].warrior.name: each for each in targets}
    attacks, own = mount_strikes if striker.is_mount else strikes, healths[striker.who]
    volleys = {each: attacks(fighter, fighters[each], own, healths[each], rules) for each in targets}
    what = f"target of an attack{' of the mount' if striker.is_mount else ''}"
    shares: dict[int, list[int]] = {}
    for part in [part for part, (_, count) in enumerate(volleys[targets[0]]) for _ in range(count)]:
        ties = _default_targets(fighters, targets, shares, healths, rules)
        target = names[
            (
                yield Decision(
                    "target", fighter.warrior.name, what, tuple(names), ties[0], ties if len({*ties}) > 1 else ()
                )
            )
        ]
        shares.setdefault(target, []).append(part)
    return [(target, _share(volleys[target], parts)) for target, parts in shares.items()]


def _share(volley: Volley, parts: list[int]) -> Volley:
    return tuple((blow, parts.count(part)) for part, (blow, _) in enumerate(volley) if part in parts)


def _default_targets(
    fighters: Fighters, targets: list[int], shares: Mapping[int, Any], healths: Healths, rules: Rules
) -> tuple[str, ...]:
    """Return the names of equally good targets of the next attack.

    Each stunned enemy is attacked once, and all other attacks are at the enemy that the policy chooses. Of equal copies
    of a warrior, one stands for all, as many times as there are copies.
    """
    stunned = [each for each in targets if healths[each].state == STUNNED and each not in shares]
    others = [each for each in targets if healths[each].state != STUNNED]
    if not stunned and (chosen := [each for each in others or targets if each in shares]):
        return (fighters[chosen[-1]].warrior.name,)

    def rank(who: int) -> tuple[int, ...]:
        warrior = fighters[who].warrior
        if (TARGETS.id, ANY) in rules:
            return ()
        return (-warrior.ws, -warrior.s) if (TARGETS.id, ABLE) in rules else (healths[who].wounds, warrior.t)

    ranks = {each: rank(each) for each in stunned or others or targets}
    equal = [each for each in ranks if ranks[each] == min(ranks.values())]
    if len(equal) == 1:
        return (fighters[equal[0]].warrior.name,)
    best = sorted(equal, key=lambda each: _precedence(fighters[each], healths[each]))
    warriors = {each: fighters[each].warrior for each in best}
    kinds = {each: (warrior.name.rstrip("0123456789"), fighters[each]._replace(warrior=warrior._replace(name="")),
                    healths[each]) for each, warrior in warriors.items()}  # fmt: skip
    return tuple(next(warriors[other].name for other in best if kinds[other] == kinds[each]) for each in best)
