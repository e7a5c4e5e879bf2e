"""Tests with re-rolls (section 4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from cardgen.game import Decision, Procedure, Roll, Test
from cardgen.rulesets.warniris.referee import modifiers
from cardgen.rulesets.warniris.referee.battle.attack_action import (
    AppliedEffect,
    ModifierContext,
)
from cardgen.rulesets.warniris.referee.battle.marks import NO, YES, can_pay, mark_used, pay_cost
from cardgen.rulesets.warniris.referee.effects.conditions import effects_now, is_unused
from cardgen.rulesets.warniris.referee.game import Game
from cardgen.rulesets.warniris.referee.policy import should_use
from cardgen.rulesets.warniris.referee.state import State


def take_test(
    game: Game, state: State, test: Test, who: int, kind: str, context: ModifierContext
) -> Procedure[tuple[State, bool]]:
    """Take a test (section 4), and once more where an effect says so; a die is re-rolled once at most.

    `kind` is hit, resist, timing, or between; effects can also name the attribute. Friends may
    re-roll a failure; an enemy's effect forces a success again.
    """
    succeeded = yield test
    if game.has_rerolls:
        for each in reroll_effects(game, state, who, reroll_kinds(test, kind), context):
            if (game.sides[each.owner] == game.sides[who]) != succeeded:
                state, rerolls = yield from _decide_reroll(game, state, each)
                if rerolls:
                    return state, (yield replace(test, key=f"{test.key} again", what=f"{test.what}, again"))
    return state, succeeded


def reroll_kinds(test: Test, kind: str) -> frozenset[str]:
    """Return the names by which effects can re-roll a test: its kind, and its attribute."""
    return frozenset({"any", kind, test.basis.partition(" ")[0].lower()})


def reroll_effects(
    game: Game, state: State, who: int, kinds: frozenset[str], context: ModifierContext
) -> Iterator[AppliedEffect]:
    """The effects that re-roll this die: those that bear, and those whose moment this is.

    What lasts has been used, and its die rolled, when it started.
    """
    for each in effects_now(game, state, who, context):
        if each.deeds.reroll in kinds and (each.effect.span or _can_use(game, state, each)):
            yield each


def _can_use(game: Game, state: State, each: AppliedEffect) -> bool:
    return can_pay(state, each.owner, each.effect) and is_unused(game, state, each.owner, each.effect)


def _decide_reroll(game: Game, state: State, each: AppliedEffect) -> Procedure[tuple[State, bool]]:
    """Whether the die is re-rolled: what is used up by it, or costs Wounds, is worth a question."""
    effect, owner = each.effect, each.owner
    if effect.span:
        return state, True
    if effect.once:
        advised = YES if should_use(game, state, owner, effect) else NO
        what = f"re-roll by {effect.name}"
        if (yield Decision(what, game.name(owner), what, (YES, NO), advised)) == NO:
            return state, False
    state, is_paid = yield from pay_cost(game, state, owner, effect)
    if not is_paid:
        return state, False
    state = mark_used(game, state, owner, effect)
    if effect.condition.roll and not effect.is_constant:
        starts = yield Roll(effect.name, game.name(owner), effect.name, wins=effect.condition.roll)
        if not starts:
            return state, False
    attribute = effect.condition.test
    if attribute and not effect.is_constant:
        reasons = modifiers.modifiers_on(game, state, owner, attribute, ModifierContext(frozenset()))
        what = f"for {effect.name}"
        return state, (yield modifiers.attribute_test(game, what, owner, what, attribute, reasons))
    return state, True
