"""Reactions: who can make which, and what they cost."""

from __future__ import annotations

from collections.abc import Iterable

from cardgen.game import Log, MemoizedCall, Procedure, choose, choose_one
from cardgen.rulesets.warcry.cards import Ability, Rule
from cardgen.rulesets.warcry.changes import Change
from cardgen.rulesets.warcry.effective import changes_of, follows_hit_rolls
from cardgen.rulesets.warcry.referee.activation import ADJACENT, DISENGAGE_MOVE, STRIKE_THEM_DOWN, strike_them_down
from cardgen.rulesets.warcry.referee.amounts import roll_amount
from cardgen.rulesets.warcry.referee.battle.actions.performance import (
    Performance,
    allocate,
    needs_players,
    note_effects,
)
from cardgen.rulesets.warcry.referee.battle.combatant import Combatant, Table
from cardgen.rulesets.warcry.referee.battle.selection import is_ruled_out
from cardgen.rulesets.warcry.selections import Group

UNIVERSAL_REACTIONS = {"counter": "Counter", "take-cover": "Take Cover", STRIKE_THEM_DOWN: "Strike Them Down"}
ATTACK_EVENTS = ("targeted", "totaled", "resolved")
NO_REACTION, NO_REACTION_NOW = "no reaction", "no reaction in this activation"


def allows(rule: Ability | Rule, who: Combatant) -> bool:
    """Return whether a fighter has the runemarks for a rule: all for an ability card, any for a trait's rule."""
    marks = who.marks_for(getattr(rule, "id", ""))
    if isinstance(rule, Ability):
        return marks.issuperset(rule.runemarks)
    return not rule.runemarks or not marks.isdisjoint(rule.runemarks)


def reaction_rules(table: Table, who: Combatant, attack_type: str) -> dict[str, Ability | Rule]:
    """Return the reactions of a fighter to an attack that are not universal, by name."""
    return {
        rule.name: rule
        for rule in table.side_of(who).rules_with("reaction")
        if getattr(rule, "id", "") not in UNIVERSAL_REACTIONS and allows(rule, who) and _answers(rule, attack_type)
        if not is_ruled_out(table, who, changes_of(rule))
    }


def _answers(rule: Ability | Rule, attack_type: str) -> bool:
    """Return whether a reaction can answer attacks of a type; one whose moment was not read can."""
    moments = [change.reacts for change in changes_of(rule) if change.reacts]
    return not moments or any(
        moment.event in ATTACK_EVENTS and moment.attack in ("any", attack_type) and not isinstance(moment.of, Group)
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
    table.side_of(who).note_use(rule)
    changes = changes_of(rule)
    is_late = any(change.reacts and change.reacts.event != "targeted" for change in changes)
    use = Performance(table, who, rule.name, other=attacker)
    for change in () if is_late else changes:
        yield from _apply_change(use, change)
    if not changes or is_late or any(_is_left_to_players(change) for change in changes):
        yield from note_effects(table, table.side_of(who), rule.name)


def _is_left_to_players(change: Change) -> bool:
    return follows_hit_rolls(change) or change.waits or needs_players(change)


def _apply_change(use: Performance, change: Change) -> Procedure[None]:
    if use.is_over or follows_hit_rolls(change):
        return
    yield from use.prepare(change)
    if use.is_over:
        return
    if change.bonus_move is None:
        yield from use.apply(change)
    elif change.engaged or not use.table.is_beside_enemy(use.who):
        far = use.who.stats.move if change.bonus_move == "move" else change.bonus_move
        inches = yield from roll_amount(far, use.who.name)
        yield Log("{} may make a bonus move of up to {} inches", (use.who.name, inches))
        use.table.distances.move(use.who, inches)


def disengage(table: Table, who: Combatant, *, is_answered: bool = True) -> Procedure[None]:
    """Disengage, which an enemy within 1 inch may answer first (core rules: Disengage Actions)."""
    yield Log('{} disengages up to {}"', (who.name, DISENGAGE_MOVE))
    near = [each for each in table.enemies(who) if table.distances.is_within(who, each, ADJACENT) is not False]
    can_be_answered = is_answered and "be-answered" not in who.bans
    if can_be_answered and (yield from ask_striker(table, who, near)):
        points = yield MemoizedCall(strike_them_down, (who.name,))
        yield from allocate(table, who, points)
    if who.stands:
        table.distances.move(who, DISENGAGE_MOVE)
        table.distances.claim_apart(who, table.enemies(who))


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
