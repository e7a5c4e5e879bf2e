"""Attack actions in a battle: possible targets, reactions, and damage."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from cardgen.game import Log, MemoizedCall, Procedure, choose
from cardgen.rulesets.warcry.referee.attack import (
    COUNTER,
    TAKE_COVER,
    Damage,
    PreparedAttack,
    face_to_hit,
    prepare_attack,
    resolve_attack,
)
from cardgen.rulesets.warcry.referee.battle.actions.damage import allocate, falls_compete
from cardgen.rulesets.warcry.referee.battle.actions.reaction import apply_reaction, ask_reaction, reaction_rules
from cardgen.rulesets.warcry.referee.battle.combatant import Combatant
from cardgen.rulesets.warcry.referee.battle.questions import is_near_objective
from cardgen.rulesets.warcry.referee.battle.table import Table
from cardgen.rulesets.warcry.referee.fighter import FighterStats
from cardgen.rulesets.warcry.weapon import Weapon


class AttackOption(NamedTuple):
    """An attack that is possible as far as is known."""

    target: Combatant
    weapon: Weapon
    cover: bool

    def __str__(self) -> str:
        return f'{self.weapon.name} ({self.weapon.reach}") at {self.target}{", in cover" if self.cover else ""}'


def attack_options(table: Table, attacker: Combatant) -> list[AttackOption]:
    """Return the attacks that are possible, with and without cover where that matters."""
    if "attack" in attacker.bans:
        return []
    return [
        AttackOption(target, weapon, cover)
        for target in table.enemies(attacker)
        for weapon in attacker.stats.weapons
        if table.distances.allows(attacker, target, weapon)
        if target.bans.isdisjoint(("be-attacked", "be-struck" if weapon.melee else "be-shot"))
        for cover in _covers(table, attacker, weapon, target)
    ]


def can_reach(table: Table, attacker: Combatant, weapons: Iterable[Weapon], inches: int) -> bool:
    """Return whether an enemy may be in range of some weapons after a move of some inches."""
    return any(
        table.distances.allows(attacker, target, weapon, inches)
        for weapon in weapons
        for target in table.enemies(attacker)
    )


def sure_options(table: Table, attacker: Combatant, options: list[AttackOption]) -> list[AttackOption]:
    """Return the attacks whose target is known to be in range, and whose cover is known or does not matter."""
    return [
        option
        for option in options
        if len(_covers(table, attacker, option.weapon, option.target)) == 1
        if _is_sure(table, attacker, option)
    ]


def _is_sure(table: Table, attacker: Combatant, option: AttackOption) -> bool:
    low, high = table.distances.bounds(attacker, option.target)
    return option.weapon.min_range <= low and high <= option.weapon.range


def _covers(table: Table, attacker: Combatant, weapon: Weapon, target: Combatant) -> tuple[bool, ...]:
    """Return whether the target may be in cover, if that changes anything."""
    if "cover" in target.bans:
        return (False,)
    known = table.distances.fact(attacker, target)
    if known is not None:
        return (known,)
    matters = _cover_changes_face(attacker.stats, weapon, target.stats) or _can_take_cover(table, weapon, target)
    return (False, True) if matters else (False,)


def _cover_changes_face(attacker: FighterStats, weapon: Weapon, target: FighterStats) -> bool:
    if attacker.ignored_cover in ("any", "melee" if weapon.melee else "missile"):
        return False
    faces = [face_to_hit(weapon.strength, target.toughness + plus) for plus in (0, 1)]
    return faces[0] != faces[1]


def _can_take_cover(table: Table, weapon: Weapon, target: Combatant) -> bool:
    return not weapon.melee and target.can_react and "mount" not in target.stats.runemarks


def make_attack(
    table: Table, attacker: Combatant, option: AttackOption, refusals: set[Combatant], has_more: bool
) -> Procedure[None]:
    """Make an attack action, with the target's reaction.

    `refusals` are the fighters that make no reaction in this activation, which can be said if more actions follow.
    """
    target, weapon = option.target, option.weapon
    table.distances.claim(attacker, target, weapon.min_range, weapon.range)
    if len(_covers(table, attacker, weapon, target)) > 1:
        table.distances.note(attacker, target, option.cover)
    option = option._replace(weapon=(yield from _strengthen(table, attacker, option)))
    yield Log("{}: {} at {}{}", (attacker.name, weapon.name, target.name, " in cover" if option.cover else ""))
    reaction = yield from _react(table, attacker, option, refusals, has_more)
    prepared = _prepare(table, attacker, option, reaction)
    damage = yield MemoizedCall(resolve_attack, (prepared,))
    yield from _allocate_to_both(table, attacker, target, damage)
    for who in (attacker, target):
        who.end_effects("attack")
    attacker.end_effects("own attack")


def _allocate_to_both(table: Table, attacker: Combatant, target: Combatant, damage: Damage) -> Procedure[None]:
    """Allocate the damage points of an attack and of Counter; the attacker's player orders two falls that compete.

    They happen at the same time, in the combat phase (core rules: Sequencing).
    """
    falls = [(target, damage.target, attacker), (attacker, damage.attacker, None)]
    if falls_compete(table) and all(who.damage + points >= who.stats.wounds for who, points, _ in falls):
        names = {who.name: who for who, *_ in falls}
        first = yield from choose("fall", table.side_of(attacker).name, "who is taken down first", names)
        falls.sort(key=lambda fall: fall[0] is not first)
    for who, points, by in falls:
        yield from allocate(table, who, points, by)


def _universal_reactions(option: AttackOption) -> Iterator[str]:
    """Yield the universal reactions to an attack."""
    if option.weapon.melee:
        yield COUNTER
    elif option.cover and "mount" not in option.target.stats.runemarks:
        yield TAKE_COVER


def _react(
    table: Table, attacker: Combatant, option: AttackOption, refusals: set[Combatant], has_more: bool
) -> Procedure[str]:
    """Ask for the target's reaction; return the universal one, or ''."""
    target = option.target
    if "be-answered" in attacker.bans:
        return ""
    universal = tuple(_universal_reactions(option))
    rules = reaction_rules(table, target, "melee" if option.weapon.melee else "missile")
    reaction = yield from ask_reaction(table, target, universal, refusals, has_more, rules)
    if rule := rules.get(reaction):
        yield from apply_reaction(table, target, rule, attacker)
    return reaction if reaction in universal else ""


def _strengthen(table: Table, attacker: Combatant, option: AttackOption) -> Procedure[Weapon]:
    """Add 1 to the Strength for Desperate Strength, if that changes what the dice need."""
    (objective, side), weapon = table.notes.strength, option.weapon
    stronger = weapon.model_copy(update={"strength": weapon.strength + 1})
    faces = {_prepare(table, attacker, option._replace(weapon=each)).hit_face for each in (weapon, stronger)}
    if not objective or side != attacker.side or len(faces) == 1:
        return weapon
    return stronger if (yield from is_near_objective(table, option.target, objective)) else weapon


def _prepare(table: Table, attacker: Combatant, option: AttackOption, reaction: str = "") -> PreparedAttack:
    target = option.target.stats
    return prepare_attack(
        attacker.stats, option.weapon, target, cover=option.cover, reaction=reaction, rulings=table.rulings
    )
