"""Abilities in a battle: who may use which, the dice that pay, and what they do."""

from __future__ import annotations

from typing import NamedTuple

from cardgen.game import Log, Procedure, choose
from cardgen.rulesets.warcry.cards import DICE, Ability, Rule
from cardgen.rulesets.warcry.changes import Change
from cardgen.rulesets.warcry.effective import changes_of
from cardgen.rulesets.warcry.referee.activation_trials import RECKONING, RESPITE
from cardgen.rulesets.warcry.referee.attack_trials import INSPIRING_PRESENCE, ONSLAUGHT
from cardgen.rulesets.warcry.referee.battle.actions.attack_action import attack_options, can_reach
from cardgen.rulesets.warcry.referee.battle.actions.bonus_actions import has_bonus, take_bonus_actions
from cardgen.rulesets.warcry.referee.battle.actions.performance import Performance, needs_players
from cardgen.rulesets.warcry.referee.battle.actions.reaction import allows
from cardgen.rulesets.warcry.referee.battle.actions.words import note_effects, plain_words
from cardgen.rulesets.warcry.referee.battle.combatant import Combatant, Effect
from cardgen.rulesets.warcry.referee.battle.questions import NOBODY
from cardgen.rulesets.warcry.referee.battle.selection import candidates, known_state
from cardgen.rulesets.warcry.referee.battle.table import Table
from cardgen.rulesets.warcry.referee.fighter import weapons_for
from cardgen.rulesets.warcry.referee.initiative_phase import DiceSet

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
    if any(_is_ruled_out(table, who, change) for change in changes):
        return False
    return not changes or any(_changes_something(table, who, change, actions) for change in changes)


def _is_ruled_out(table: Table, who: Combatant, change: Change) -> bool:
    """Return whether a fighter is known not to be allowed to use an ability now."""
    needs, forbids = change.only_if, change.not_if
    return bool((needs and known_state(table, who, needs) is False) or (forbids and known_state(table, who, forbids)))


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
    changes = changes_of(rule)
    performance = Performance(table, who, rule.name, use.option.value)
    for change in in_order(changes):
        yield from _apply_change(use, performance, change)
    if not changes or any(needs_players(change) or change.when for change in changes):
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
