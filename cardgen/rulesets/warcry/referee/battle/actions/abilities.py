"""Abilities in a battle: who may use which, the dice that pay, and what they do."""

from __future__ import annotations

from typing import NamedTuple

from cardgen.game import Log, Procedure, choose
from cardgen.rulesets.warcry.cards import DICE, Ability, Rule
from cardgen.rulesets.warcry.changes import Change
from cardgen.rulesets.warcry.referee.activation import roll_amount
from cardgen.rulesets.warcry.referee.activation_trials import RECKONING, RESPITE
from cardgen.rulesets.warcry.referee.attack_trials import INSPIRING_PRESENCE, ONSLAUGHT
from cardgen.rulesets.warcry.referee.battle.actions.attack_action import attack_options, can_reach, make_attack
from cardgen.rulesets.warcry.referee.battle.actions.damage import remove_damage
from cardgen.rulesets.warcry.referee.battle.actions.reaction import allows
from cardgen.rulesets.warcry.referee.battle.actions.words import note_effects, plain_words
from cardgen.rulesets.warcry.referee.battle.combatant import Combatant, Effect
from cardgen.rulesets.warcry.referee.battle.questions import NOBODY
from cardgen.rulesets.warcry.referee.battle.table import Table
from cardgen.rulesets.warcry.referee.fighter import weapons_for
from cardgen.rulesets.warcry.referee.initiative_phase import DiceSet

FREE = "free"
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
    if who is table.notes.silenced:
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
    uses_value = any(change.uses_value for change in rule.changes) or not rule.changes
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
    return not rule.changes or any(_changes_something(table, who, change, actions) for change in rule.changes)


def _changes_something(table: Table, who: Combatant, change: Change, actions: int) -> bool:
    if change.heal is not None:
        return who.damage > 0
    if change.bonus_move is not None:
        return not table.is_beside_enemy(who)
    if change.bonus_attack:
        return bool(attack_options(table, who))
    if change.span == "round":
        return True
    if change.move and not table.is_beside_enemy(who) and actions:
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
    for change in rule.changes:
        yield from _apply_change(use, change)
    if not rule.changes:
        yield from note_effects(table, side, rule.name)
    return None


def _inspirable(table: Table, who: Combatant) -> list[Combatant]:
    """Return the friends that have not activated; abilities of others do not affect an exhausted one."""
    return [each for each in table.friends(who) if each.is_fresh and each is not table.notes.exhausted]


def _inspire(use: AbilityUse) -> Procedure[Combatant | None]:
    fresh = {str(each): each for each in _inspirable(use.table, use.who)}
    what = 'visible friend within 6" that activates next'
    options: dict[str, Combatant | None] = {**fresh, NOBODY: None}
    return (yield from choose("inspired", use.table.side_of(use.who).name, what, options))


def _apply_change(use: AbilityUse, change: Change) -> Procedure[None]:
    who = use.who
    if change.heal is not None:
        points = yield from roll_amount(_amount(use, change.heal), who.name)
        yield from remove_damage(who, points)
    elif change.bonus_move is not None:
        yield from _move_bonus(use, change.bonus_move)
    elif change.bonus_attack:
        yield from _attack_bonus(use)
    else:
        weapon = yield from _single_weapon(use, change)
        who.effects.append(Effect((change,), change.span or "battle", weapon))


def _amount(use: AbilityUse, amount: int | str) -> int | str:
    return use.option.value if amount == "value" else amount


def _move_bonus(use: AbilityUse, amount: int | str) -> Procedure[None]:
    """Make a bonus move, which is not possible within 1 inch of an enemy."""
    if use.table.is_beside_enemy(use.who):
        return
    inches = yield from roll_amount(_amount(use, amount), use.who.name)
    yield Log("{} may make a bonus move of up to {} inches", (use.who.name, inches))
    use.table.distances.move(use.who, inches)


def _attack_bonus(use: AbilityUse) -> Procedure[None]:
    """Make a bonus attack; that of Reckoning needs an enemy within 1 inch, which need not be its target."""
    table, who = use.table, use.who
    if use.ability == RECKONING and not table.may_be_beside_enemy(who):
        return
    options = attack_options(table, who)
    labels = {str(each): each for each in options}
    option = yield from choose("bonus attack", table.side_of(who).name, "bonus attack", {"none": None, **labels})
    if option:
        yield from make_attack(table, who, option, use.refusals, has_more=True)


def _single_weapon(use: AbilityUse, change: Change) -> Procedure[str]:
    """Ask for the weapon of a change of a single weapon; return its name, or ''."""
    weapons = weapons_for(use.who.stats.weapons, [change]) if change.weapon.startswith("one") else []
    names = [weapon.name for weapon in weapons]
    if not names:
        return ""
    what = f"weapon for {use.option.rule.name}"
    return (yield from choose("weapon", use.who.name, what, {name: name for name in names}))
