"""Attack actions in a battle: possible targets, reactions, and damage."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from cardgen.game import Log, MemoizedCall, Procedure, choose, confirm
from cardgen.rulesets.warcry.cards import DICE, Ability, Rule
from cardgen.rulesets.warcry.changes import Change
from cardgen.rulesets.warcry.effective import changes_of
from cardgen.rulesets.warcry.limits import Weapon
from cardgen.rulesets.warcry.referee.activation import RECKONING, RESPITE
from cardgen.rulesets.warcry.referee.amounts import roll_amount
from cardgen.rulesets.warcry.referee.attack import (
    COUNTER,
    INSPIRING_PRESENCE,
    ONSLAUGHT,
    TAKE_COVER,
    Damage,
    PreparedAttack,
    face_to_hit,
    prepare_attack,
    resolve_attack,
)
from cardgen.rulesets.warcry.referee.battle.actions.performance import (
    Performance,
    allocate,
    falls_compete,
    needs_players,
    note_effects,
    plain_words,
)
from cardgen.rulesets.warcry.referee.battle.actions.reaction import (
    allows,
    apply_reaction,
    ask_reaction,
    disengage,
    reaction_rules,
)
from cardgen.rulesets.warcry.referee.battle.combatant import NOBODY, Combatant, Effect, Table, is_near_objective
from cardgen.rulesets.warcry.referee.battle.selection import candidates, is_ruled_out
from cardgen.rulesets.warcry.referee.fighter import DiceSet, FighterStats, weapons_for


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


ACTIONS = {"bonus_move": "bonus move", "bonus_attack": "bonus attack", "bonus_disengage": "bonus disengage"}
NO_ACTION = "no bonus action"


def has_bonus(change: Change) -> bool:
    """Return whether a change gives a bonus action."""
    return any(getattr(change, key) for key in ACTIONS)


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
    who.end_effects("move")
    who.has_moved = True


def _attack(use: Performance, who: Combatant, change: Change, refusals: set[Combatant]) -> Procedure[None]:
    """Make a bonus attack; that of Reckoning needs an enemy within 1 inch, which need not be its target."""
    if use.name.casefold() == RECKONING and not use.table.may_be_beside_enemy(who):
        return
    options = [each for each in attack_options(use.table, who) if _is_of_type(each, change.bonus_attack)]
    if change.against:
        others = [use.other] if use.other else []
        targets = others if change.against == "attacker" else use.picked or others
        options = [each for each in options if each.target in targets]
    labels: dict[str, AttackOption | None] = {"none": None, **{str(each): each for each in options}}
    option = yield from choose("bonus attack", use.table.side_of(who).name, "bonus attack", labels)
    if option:
        silent = {*use.table.combatants} if change.unanswered else refusals
        yield from make_attack(use.table, who, option, silent, has_more=True)


def _is_of_type(option: AttackOption, attack_type: bool | str) -> bool:
    return attack_type is True or (attack_type == "melee") == option.weapon.melee


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


FREE = "free"
OWN_KINDS = (*Change.FIGHTER_FIELDS, *Change.WEAPON_FIELDS, "heal", "bonus_move", "bonus_attack", "take_cover",
             "no_cover")  # fmt: skip
OWN_EFFECTS = ("wounds", "toughness", "take_cover")


class AbilityOption(NamedTuple):
    """An ability that can be used now, and the dice that pay for it, if it costs dice."""

    rule: Ability | Rule
    dice: DiceSet | None

    def __str__(self) -> str:
        price = self.dice or ("1 action" if self.rule.price == "action" else "free")
        return f"{self.rule.name} ({price})"

    @property
    def value(self) -> int:
        """The value of the ability: that of its dice."""
        return self.dice.value if self.dice else 0


def ability_options(table: Table, who: Combatant, actions: int) -> list[AbilityOption]:
    """Return the abilities that a fighter can use and pay for, and that change something.

    If the value of the dice does not matter, the smallest set pays.
    """
    if who is table.notes.silenced or "ability" in who.bans:
        return []
    return [
        AbilityOption(rule, dice)
        for rule in table.side_of(who).rules_with(*DICE, FREE)
        if allows(rule, who) and _is_useful(table, who, rule, actions)
        for dice in _payments(table, who, rule)
    ]


def _payments(table: Table, who: Combatant, rule: Ability | Rule) -> list[DiceSet | None]:
    """Return the sets that can pay: a triple pays for a double too, and a quad for either."""
    if rule.price == FREE:
        return [None]
    price = table.rulings["onslaught"] if _id(rule) == ONSLAUGHT else rule.price
    least = DICE.index(price or "") + 2
    sets = sorted((each for each in table.side_of(who).sets if each.size >= least), key=lambda e: (e.size, e.value))
    changes = changes_of(rule)
    uses_value = any(change.uses_value for change in changes) or not changes
    plain = list(dict.fromkeys(each._replace(lifted=False) for each in sets))
    return [*plain] if uses_value and _id(rule) != INSPIRING_PRESENCE else [*plain[:1]]


def _id(rule: Ability | Rule) -> str:
    return rule.id if isinstance(rule, Ability) else ""


def _is_useful(table: Table, who: Combatant, rule: Ability | Rule, actions: int) -> bool:
    """Return whether an ability is allowed now and changes something."""
    conditions = {
        RESPITE: not table.is_beside_enemy(who),
        RECKONING: table.is_half_down(who.side),
        INSPIRING_PRESENCE: bool(_inspirable(table, who)),
    }
    if not conditions.get(_id(rule), True):
        return False
    changes = changes_of(rule)
    if is_ruled_out(table, who, changes):
        return False
    return not changes or any(_changes_something(table, who, change, actions) for change in changes)


def _changes_something(table: Table, who: Combatant, change: Change, actions: int) -> bool:
    if change.only_if or change.not_if:
        return False
    if change.pick or change.roll or change.roll_each or change.when or change.of != "self" or change.on_roll:
        return change.pick is None or bool(candidates(table, who, change.pick, (), 6))
    if not any(getattr(change, name) for name in OWN_KINDS):
        return True
    if change.heal is not None:
        return who.damage > 0 and "heal" not in who.bans
    if change.bonus_move is not None:
        return "bonus" not in who.bans and (change.engaged or not table.is_beside_enemy(who))
    if change.bonus_attack:
        return bool(attack_options(table, who))
    if change.span == "round":
        return True
    if change.move and not table.is_beside_enemy(who) and actions and "move" not in who.bans:
        return True
    is_for_later = any(getattr(change, name) for name in OWN_EFFECTS)
    return is_for_later or (actions > 0 and _changes_an_attack(table, who, change, actions))


def _changes_an_attack(table: Table, who: Combatant, change: Change, actions: int) -> bool:
    """Return whether a weapon that changes may still be used in this activation, after a move or without one."""
    stats = who.stats
    weapons = weapons_for(stats.weapons, [change]) if change.nonzero(Change.WEAPON_FIELDS) else []
    return can_reach(table, who, weapons, stats.move if actions > 1 else 0)


class AbilityUse(NamedTuple):
    """A use of an ability; `refusals` are the fighters that make no reaction in the activation."""

    table: Table
    who: Combatant
    option: AbilityOption
    refusals: set[Combatant]

    @property
    def ability(self) -> str:
        """The id of its card, or ''."""
        return _id(self.option.rule)


def use_ability(use: AbilityUse) -> Procedure[Combatant | None]:
    """Pay for an ability and use it; return who Inspiring Presence activates next."""
    table, who, rule = use.table, use.who, use.option.rule
    side = table.side_of(who)
    if use.option.dice:
        side.sets.remove(next(each for each in side.sets if each._replace(lifted=False) == use.option.dice))
    side.note_use(rule)
    yield Log("{} uses {}: {}", (who.name, use.option, plain_words(rule)))
    if use.ability == INSPIRING_PRESENCE:
        return (yield from _inspire(use))
    if use.ability == RESPITE:
        table.distances.claim_apart(who, table.enemies(who))
    changes = changes_of(rule)
    performance = Performance(table, who, rule.name, use.option.value)
    for change in in_order(changes):
        yield from _apply_change(use, performance, change)
    if not changes or any(needs_players(change) or change.waits for change in changes):
        yield from note_effects(table, side, rule.name)
    return _next_fighter(performance, changes)


def in_order(changes: tuple[Change, ...]) -> list[Change]:
    """Return the changes with those for a single attack or move before the bonus action that they are for."""
    return _before_bonus(_before_bonus([*changes], "bonus_move", "move"), "bonus_attack", "attack")


def _before_bonus(changes: list[Change], bonus: str, action: str) -> list[Change]:
    """Put the changes for one action before the first bonus action of its kind."""
    first = next((index for index, change in enumerate(changes) if getattr(change, bonus)), len(changes))
    is_next = action == "attack"  # The next move of a fighter is another one than its bonus move.
    rest = sorted(changes[first:], key=lambda each: each.span != action and not (is_next and each.next == action))
    return [*changes[:first], *rest]


def _next_fighter(performance: Performance, changes: tuple[Change, ...]) -> Combatant | None:
    """Return the picked fighter if an ability activates it next."""
    activates = any(change.activates and change.of == "picked" for change in changes)
    return next((each for each in performance.picked if each.is_fresh), None) if activates else None


def _inspirable(table: Table, who: Combatant) -> list[Combatant]:
    """Return the friends that have not activated; abilities of others do not affect an exhausted one."""
    return [each for each in table.friends(who) if each.is_fresh and each is not table.notes.exhausted]


def _inspire(use: AbilityUse) -> Procedure[Combatant | None]:
    fresh = {str(each): each for each in _inspirable(use.table, use.who)}
    what = 'visible friend within 6" that activates next'
    options: dict[str, Combatant | None] = {**fresh, NOBODY: None}
    return (yield from choose("inspired", use.table.side_of(use.who).name, what, options))


def _apply_change(use: AbilityUse, performance: Performance, change: Change) -> Procedure[None]:
    if performance.is_over:
        return
    yield from performance.prepare(change)
    if has_bonus(change):
        yield from take_bonus_actions(performance, change, use.refusals)
    elif change.weapon.startswith("one"):
        weapon = yield from _single_weapon(use, change)
        use.who.effects.append(Effect((change,), change.span or "battle", weapon))
    else:
        yield from performance.apply(change)


def _single_weapon(use: AbilityUse, change: Change) -> Procedure[str]:
    """Ask for the weapon of a change of a single weapon; return its name, or ''."""
    weapons = weapons_for(use.who.stats.weapons, [change]) if change.weapon.startswith("one") else []
    names = [weapon.name for weapon in weapons]
    if not names:
        return ""
    what = f"weapon for {use.option.rule.name}"
    return (yield from choose("weapon", use.who.name, what, {name: name for name in names}))
