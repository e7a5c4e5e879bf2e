"""Attack actions in a battle: possible targets, reactions and what they cost, damage, and bonus actions."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import NamedTuple

from cardgen.game import Log, MemoizedCall, Procedure, choose, choose_one, confirm
from cardgen.rulesets.warcry.battle.moments import REACTION, after_damage, begin_attack, happens, spend
from cardgen.rulesets.warcry.battle.performance import (
    Performance,
    allocate,
    condition_holds,
    end_effects,
    falls_compete,
    is_ruled_out,
    leave_rest,
    note_effects,
)
from cardgen.rulesets.warcry.battle.table import Combatant, Effect, Table, is_near_objective
from cardgen.rulesets.warcry.cards import Ability, Rule
from cardgen.rulesets.warcry.changes import WEAPON_NUMBERS, Change, with_facts
from cardgen.rulesets.warcry.effective import before_wait, changes_of, follows_hit_rolls, needs_players, why_not
from cardgen.rulesets.warcry.limits import Weapon
from cardgen.rulesets.warcry.referee.activation import (
    ADJACENT,
    DISENGAGE_MOVE,
    RECKONING,
    STRIKE_THEM_DOWN,
    strike_them_down,
)
from cardgen.rulesets.warcry.referee.attack import (
    COUNTER,
    TAKE_COVER,
    Damage,
    PreparedAttack,
    counted,
    face_to_hit,
    prepare_attack,
    resolve_from_rolls,
    roll_amount,
)
from cardgen.rulesets.warcry.referee.fighter import weapons_for
from cardgen.rulesets.warcry.selections import Group
from cardgen.rulesets.warcry.wording.sentences import given
from cardgen.rulesets.warcry.words import Fact

UNIVERSAL_REACTIONS = {"counter": "Counter", "take-cover": "Take Cover", STRIKE_THEM_DOWN: "Strike Them Down"}
NO_REACTION, NO_REACTION_NOW = "no reaction", "no reaction in this activation"


def allows(rule: Ability | Rule, who: Combatant) -> bool:
    """Return whether a fighter may use a rule by its runemarks."""
    return not why_not(rule, who.marks_for(getattr(rule, "id", "")))


class Timing(NamedTuple):
    """When a reaction to an attack is made, by its event, and whether the damage would take the target down."""

    event: str
    is_deadly: bool = False


BEFORE_HIT_ROLLS, AFTER_DAMAGE = Timing("targeted"), Timing("resolved")


def reaction_rules(
    table: Table, who: Combatant, attack_type: str, timing: Timing = BEFORE_HIT_ROLLS
) -> dict[str, Ability | Rule]:
    """Return the reactions of a fighter to an attack that are made then and not universal, by name."""
    return {
        rule.name: rule
        for rule in table.side_of(who).rules_with("reaction")
        if getattr(rule, "id", "") not in UNIVERSAL_REACTIONS
        and allows(rule, who)
        and _answers(rule, attack_type, timing)
        if not is_ruled_out(table, who, rule)
    }


def _answers(rule: Ability | Rule, attack_type: str, timing: Timing) -> bool:
    """Return whether a reaction can answer attacks of a type then; one whose moment was not read is made before."""
    moments = [change.reacts for change in changes_of(rule) if change.reacts]
    if not moments:
        return timing is BEFORE_HIT_ROLLS
    return any(
        moment.event == timing.event
        and moment.attack in ("any", attack_type)
        and not isinstance(moment.of, Group)
        and (timing.is_deadly or not moment.deadly)
        for moment in moments
    )


def ask_reaction(
    table: Table,
    who: Combatant,
    universal: tuple[str, ...],
    refusals: set[Combatant],
    has_more: bool,
    rules: Iterable[str] = (),
) -> Procedure[str]:
    """Ask for a reaction and take its cost; return the id of a universal one, the name of another, or ''.

    Nothing is asked of a fighter that cannot react, or that makes no reaction in this activation.
    """
    if not who.can_react or who in refusals:
        return ""
    options = {UNIVERSAL_REACTIONS[each]: each for each in universal}
    options |= {name: name for name in rules}
    if not options:
        return ""
    refusal_options = {NO_REACTION: "", **({NO_REACTION_NOW: NO_REACTION_NOW} if has_more else {})}
    what = f"reaction of {who.name} ({_cost(who)})"
    reaction = yield from choose("reaction", table.side_of(who).name, what, {**options, **refusal_options})
    if reaction == NO_REACTION_NOW:
        refusals.add(who)
        return ""
    if reaction:
        yield from _pay(who)
    return reaction


def apply_reaction(table: Table, who: Combatant, rule: Ability | Rule, attacker: Combatant) -> Procedure[None]:
    """Apply a reaction of a card; the players apply words, bonus attacks, and what comes after the hit rolls."""
    table.note_use(who, rule)
    changes = changes_of(rule)
    is_late = any(change.reacts and change.reacts.event != "targeted" for change in changes)
    use = Performance(table, who, rule.name, other=attacker)
    now = () if is_late else before_wait(changes)
    for change in now:
        if follows_hit_rolls(change):
            continue
        yield from use.prepare(change)
        if change.bonus_move is None:
            yield from use.apply(change)
        else:
            yield from take_bonus_actions(use, change, set())
        yield from after_damage(table, who, REACTION, rule.name)
    by_players = (follows_hit_rolls(change) or needs_players(change) for change in now)
    if not changes or is_late or any(by_players):
        yield from note_effects(table, table.side_of(who), rule.name)
        yield from after_damage(table, who, REACTION, rule.name)
    elif now != changes:
        yield from leave_rest(rule, now)


def disengage(table: Table, who: Combatant, *, is_answered: bool = True) -> Procedure[None]:
    """Disengage, which an enemy within 1 inch may answer first (core rules: Disengage Actions)."""
    yield Log('{} disengages up to {}"', (who.name, DISENGAGE_MOVE))
    yield from happens(table, "enemy-disengage", who)
    if not who.stands:
        return
    near = [each for each in table.enemies(who) if table.distances.is_within(who, each, ADJACENT) is not False]
    can_be_answered = is_answered and "be-answered" not in who.bans
    striker = (yield from ask_striker(table, who, near)) if can_be_answered else None
    if striker:
        points = yield MemoizedCall(strike_them_down, (who.name,))
        yield from allocate(table, who, points)
        yield from after_damage(table, striker, REACTION, UNIVERSAL_REACTIONS[STRIKE_THEM_DOWN])
    if who.stands:
        table.distances.move(who, DISENGAGE_MOVE)
        table.distances.claim_apart(who, table.enemies(who))
        yield from happens(table, "disengage", who)


def ask_striker(table: Table, who: Combatant, near: list[Combatant]) -> Procedure[Combatant | None]:
    """Ask which enemy answers a disengage action with Strike Them Down, and take the cost."""
    able = [each for each in near if each.can_react]
    what = f"fighter that makes Strike Them Down against {who.name}"
    striker = yield from choose_one("striker", table.sides[1 - who.side].name, what, able, NO_REACTION)
    if striker:
        yield from _pay(striker)
    return striker


def _cost(who: Combatant) -> str:
    if who.has_free_reaction:
        return "free: Spite"
    if who.is_waiting:
        return "costs its second activation"
    return "costs its only action" if who.actions == 1 else f"costs 1 of {who.actions} actions"


def _pay(who: Combatant) -> Procedure[None]:
    if who.pay_for_reaction():
        yield Log("{} reacts for free", (who.name,))
    else:
        left = f"{who.actions} action left" if who.actions else "no activation left"
        yield Log("{} reacts: {}", (who.name, left))


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
    sure = []
    for option in options:
        low, high = table.distances.bounds(attacker, option.target)
        is_in_range = option.weapon.min_range <= low and high <= option.weapon.range
        if is_in_range and len(_covers(table, attacker, option.weapon, option.target)) == 1:
            sure.append(option)
    return sure


def _covers(table: Table, attacker: Combatant, weapon: Weapon, target: Combatant) -> tuple[bool, ...]:
    """Return whether the target may be in cover, if that changes the face that hits, or allows Take Cover."""
    if "cover" in target.bans:
        return (False,)
    known = table.distances.fact(attacker, target)
    if known is not None:
        return (known,)
    strength, toughness = (counted(each, table.rulings) for each in (weapon.strength, target.stats.toughness))
    faces = {face_to_hit(strength, toughness + plus) for plus in (0, 1)}
    may_change = attacker.awaited or target.awaited or target.answering  # Numbers that are not known before the attack.
    can_take_cover = not weapon.melee and target.can_react and "mount" not in target.stats.runemarks
    return (
        (False, True)
        if can_take_cover or ((len(faces) > 1 or may_change) and not attacker.stats.ignores_cover(weapon))
        else (False,)
    )


def make_attack(
    table: Table, attacker: Combatant, option: AttackOption, refusals: set[Combatant], has_more: bool
) -> Procedure[None]:
    """Make an attack action, with the target's reaction: before the hit rolls, or before or after the damage.

    `refusals` are the fighters that make no reaction in this activation, which can be said if more actions follow.
    """
    target, weapon = option.target, option.weapon
    attacker.has_attacked = True
    table.distances.claim(attacker, target, weapon.min_range, weapon.range)
    if len(_covers(table, attacker, weapon, target)) > 1:
        table.distances.note(attacker, target, option.cover)
    place = attacker.stats.weapons.index(option.weapon)
    yield from _check_effects(table, attacker, option.weapon)
    cover = table.distances.fact(attacker, target)
    yield from _check_effects(table, target, cover=cover)
    answering = target.answering
    _weaken(attacker, answering)
    firsts = yield from begin_attack(table, attacker, target, weapon, cover)
    yield from happens(table, "targeted", target, attacker, weapon.attack_type)
    option = option._replace(weapon=attacker.stats.weapons[place])
    table.rolled = None
    yield Log("{}: {} at {}{}", (attacker.name, weapon.name, target.name, " in cover" if option.cover else ""))
    react = partial(_react, table, attacker, option, refusals, has_more)
    reaction = yield from react(BEFORE_HIT_ROLLS)
    _weaken(attacker, [each for each in target.answering if not any(each is known for known in answering)])
    is_made = not attacker.is_down  # by a reaction before the hit rolls
    if is_made:
        option = option._replace(weapon=attacker.stats.weapons[place])  # The reaction may have changed it.
        option = option._replace(weapon=(yield from _strengthen(table, attacker, option)))
        prepared = _prepare(table, attacker, option, reaction)
        damage, table.rolled = yield MemoizedCall(resolve_from_rolls, (prepared,))
        for first in firsts if table.rolled.criticals else ():
            spend(table, *first)
        is_deadly = target.damage + damage.target >= target.stats.wounds
        reaction = reaction or (yield from react(Timing("totaled", is_deadly)))
        yield from _allocate_to_both(table, attacker, target, damage)
    attacker.has_felled = target.is_down
    yield from end_effects(table, (attacker, target), "attack")
    yield from end_effects(table, [attacker], "own attack")
    if is_made:
        yield from happens(table, "attacks", attacker, target, weapon.attack_type)
    yield from after_damage(table, attacker, weapon.attack_type, whom=target)
    table.rolled = None
    yield from after_damage(table, target, REACTION, UNIVERSAL_REACTIONS.get(reaction, ""))
    if not reaction:
        yield from react(AFTER_DAMAGE)


def _weaken(attacker: Combatant, answering: Iterable[Effect]) -> None:
    """Put what the effects on a target change in the attacks on it in force for an attack."""
    for effect in answering:
        changes = tuple(change.model_copy(update={"incoming": False}) for change in effect.changes)
        attacker.effects.append(Effect(changes, "attack"))


def _check_effects(
    table: Table, who: Combatant, weapon: Weapon | None = None, cover: bool | None = None
) -> Procedure[None]:
    """Put the effects of an attacker with a weapon, or of a target, in force for an attack if their condition holds.

    `cover` says whether the target is in cover, if that is known.
    """
    for effect in who.awaited:
        if effect.condition is None or not any(_counts(each, weapon) for each in effect.changes):
            continue
        condition = effect.condition
        if condition.cover and cover is not None and effect.about is who:
            if not cover:
                continue
            condition = condition.model_copy(update={"cover": False})
        if not given(condition).keys() - {"of"} or (yield from condition_holds(table, who, condition, effect.about)):
            who.effects.append(Effect(effect.changes, "attack", effect.weapon))


def _counts(change: Change, weapon: Weapon | None) -> bool:
    """Return whether a change counts for an attacker with a weapon, or for a target."""
    if weapon is None:
        return change.toughness != 0
    return change.has(WEAPON_NUMBERS) and bool(weapons_for([weapon], [change]))


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


def _react(
    table: Table,
    attacker: Combatant,
    option: AttackOption,
    refusals: set[Combatant],
    has_more: bool,
    timing: Timing,
) -> Procedure[str]:
    """Ask for the target's reaction at some time, and apply that of a card; return its id or name, or ''."""
    target, is_melee = option.target, option.weapon.melee
    if "be-answered" in attacker.bans:
        return ""
    can_take_cover = not is_melee and option.cover and "mount" not in target.stats.runemarks
    universal = (COUNTER,) if is_melee else (TAKE_COVER,) if can_take_cover else ()
    universal = universal if timing is BEFORE_HIT_ROLLS else ()
    rules = reaction_rules(table, target, option.weapon.attack_type, timing)
    reaction = yield from ask_reaction(table, target, universal, refusals, has_more, rules)
    if rule := rules.get(reaction):
        yield from apply_reaction(table, target, rule, attacker)
    return reaction


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
        attacker.stats,
        option.weapon,
        target,
        cover=option.cover,
        reaction=reaction if reaction in UNIVERSAL_REACTIONS else "",
        rulings=table.rulings,
    )


# Bonus actions by their keys.
ACTIONS = {key: key.replace("_", " ") for key in with_facts(Fact.BONUS)}
NO_ACTION = "no bonus action"


def take_bonus_actions(use: Performance, change: Change, refusals: set[Combatant]) -> Procedure[None]:
    """Let the fighters that a change is for take their bonus actions, or one of them."""
    times = yield from use.times_for(change)
    for who in times:
        if not who.stands or "bonus" in who.bans:
            continue
        keys = [key for key in ACTIONS if getattr(change, key)]
        if change.either:
            options: dict[str, list[str]] = {ACTIONS[key]: [key] for key in keys}
            keys = yield from choose(
                "bonus action", use.table.side_of(who).name, "bonus action", {**options, NO_ACTION: []}
            )
        for key in keys * (2 if change.twice else 1):
            yield from _TAKE[key](use, who, change, refusals)
    use.end_chance(*(key.removeprefix("bonus_") for key in ACTIONS if getattr(change, key)))


def _move(use: Performance, who: Combatant, change: Change, refusals: set[Combatant]) -> Procedure[None]:
    """Make a bonus move, which few rules allow within 1 inch of an enemy."""
    is_held = use.table.is_beside_enemy(who) and not change.engaged
    if is_held or change.bonus_move is None or "move" in who.bans:
        return
    far = who.stats.move if change.bonus_move == "move" else change.bonus_move
    inches = yield from roll_amount(sum(use.faces) if far == "rolled" else far, who.name, use.value)
    closer = ", which must end closer to the closest visible enemy" if change.closer else ""
    yield Log("{} may make a bonus move of up to {} inches{}", (who.name, inches, closer))
    use.table.distances.move(who, inches)
    yield from end_effects(use.table, [who], "move")
    who.has_moved = True


def _attack(use: Performance, who: Combatant, change: Change, refusals: set[Combatant]) -> Procedure[None]:
    """Make a bonus attack; that of Reckoning needs an enemy within 1 inch, which need not be its target."""
    if use.name.casefold() == RECKONING and not use.table.may_be_beside_enemy(who):
        return
    kind, options = change.bonus_attack, attack_options(use.table, who)
    options = [each for each in options if kind is True or (kind == "melee") == each.weapon.melee]
    if change.against:
        others = [use.other] if use.other else []
        targets = others if change.against == "attacker" else use.picked or others
        options = [each for each in options if each.target in targets]
    labels: dict[str, AttackOption | None] = {"none": None, **{str(each): each for each in options}}
    option = yield from choose("bonus attack", use.table.side_of(who).name, "bonus attack", labels)
    who.has_felled = False
    if option:
        silent = {*use.table.combatants} if change.unanswered else refusals
        yield from make_attack(use.table, who, option, silent, has_more=True)


def _disengage(use: Performance, who: Combatant, change: Change, refusals: set[Combatant]) -> Procedure[None]:
    """Disengage, which enemies may answer as they do any other disengage action."""
    table = use.table
    side = table.side_of(who).name
    if (
        "disengage" not in who.bans
        and table.may_be_beside_enemy(who)
        and (yield from confirm("disengage", side, f"{who.name} makes a bonus disengage action"))
    ):
        yield from disengage(table, who, is_answered=not change.unanswered)


_TAKE = {"bonus_move": _move, "bonus_attack": _attack, "bonus_disengage": _disengage}
