"""Reactions: who can make which, and what they cost."""

from __future__ import annotations

from cardgen.game import Log, Procedure, choose, choose_one
from cardgen.rulesets.warcry.cards import Ability, Rule
from cardgen.rulesets.warcry.changes import Change
from cardgen.rulesets.warcry.referee.activation import roll_amount
from cardgen.rulesets.warcry.referee.battle.actions.damage import remove_damage
from cardgen.rulesets.warcry.referee.battle.actions.words import note_effects
from cardgen.rulesets.warcry.referee.battle.combatant import Combatant, Effect
from cardgen.rulesets.warcry.referee.battle.table import Table
from cardgen.rulesets.warcry.referee.disengage import STRIKE_THEM_DOWN

UNIVERSAL_REACTIONS = {"counter": "Counter", "take-cover": "Take Cover", STRIKE_THEM_DOWN: "Strike Them Down"}
NO_REACTION, NO_REACTION_NOW = "no reaction", "no reaction in this activation"


def allows(rule: Ability | Rule, who: Combatant) -> bool:
    """Return whether a fighter has the runemarks for a rule: all for an ability card, any for a trait's rule."""
    marks = who.marks_for(getattr(rule, "id", ""))
    if isinstance(rule, Ability):
        return marks.issuperset(rule.runemarks)
    return not rule.runemarks or not marks.isdisjoint(rule.runemarks)


def reaction_rules(table: Table, who: Combatant) -> dict[str, Ability | Rule]:
    """Return the reactions of a fighter that are not universal, by name."""
    return {
        rule.name: rule
        for rule in table.side_of(who).rules_with("reaction")
        if getattr(rule, "id", "") not in UNIVERSAL_REACTIONS and allows(rule, who)
    }


def ask_reaction(
    table: Table,
    who: Combatant,
    universal: tuple[str, ...],
    refusals: set[Combatant],
    has_more: bool,
    with_rules: bool = False,
) -> Procedure[str]:
    """Ask for a reaction and take its cost; return the id of a universal one, the name of another, or ''.

    Nothing is asked of a fighter that cannot react, or that makes no reaction in this activation.
    """
    if not who.can_react or who in refusals:
        return ""
    options = {UNIVERSAL_REACTIONS[each]: each for each in universal}
    options |= {name: name for name in reaction_rules(table, who)} if with_rules else {}
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


def apply_reaction(table: Table, who: Combatant, rule: Ability | Rule) -> Procedure[None]:
    """Apply a reaction of a card; the players apply one in words, and a bonus attack."""
    table.side_of(who).note_use(rule)
    for change in rule.changes:
        yield from _apply_change(table, who, change)
    if not rule.changes or any(change.bonus_attack for change in rule.changes):
        yield from note_effects(table, table.side_of(who), rule.name)


def _apply_change(table: Table, who: Combatant, change: Change) -> Procedure[None]:
    if change.heal is not None:
        yield from remove_damage(who, (yield from _amount(who, change.heal)))
    elif change.bonus_move is not None and not table.is_beside_enemy(who):
        inches = yield from _amount(who, change.bonus_move)
        yield Log("{} may make a bonus move of up to {} inches", (who.name, inches))
        table.distances.move(who, inches)
    elif change.bonus_move is None and not change.bonus_attack:
        who.effects.append(Effect((change,), change.span or "battle"))


def _amount(who: Combatant, amount: int | str) -> Procedure[int]:
    """Return an amount; no dice pay for a reaction, so that it has no value."""
    return (yield from roll_amount(0 if amount == "value" else amount, who.name))


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
    return f"costs 1 of {who.actions} actions"


def _pay(who: Combatant) -> Procedure[None]:
    if who.pay_for_reaction():
        yield Log("{} reacts for free", (who.name,))
    else:
        left = f"{who.actions} action left" if who.actions else "no activation left"
        yield Log("{} reacts: {}", (who.name, left))
