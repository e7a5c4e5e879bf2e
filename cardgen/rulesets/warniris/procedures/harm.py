"""Wounds lost and given back, and what a miniature's own effects make of each point (section 4: Damage).

This module and `effects` know each other: an effect deals damage, and damage starts effects.
"""

from __future__ import annotations

from typing import NamedTuple

from cardgen.referee.requests import Log, MemoizedCall, Procedure
from cardgen.rulesets.warniris.procedures import effects
from cardgen.rulesets.warniris.procedures.blow import AttackAction
from cardgen.rulesets.warniris.procedures.deeds import log_event
from cardgen.rulesets.warniris.procedures.fighter import LOSS_PREVENTION
from cardgen.rulesets.warniris.procedures.state import State
from cardgen.rulesets.warniris.procedures.table import Game


class DamageSource(NamedTuple):
    """Whose deed it is, and the attack by which it came, if it was one."""

    dealer: int
    attack: AttackAction | None


def heal(game: Game, state: State, who: int, points: int, what: str) -> Procedure[State]:
    """Give wounds back, never above the printed number (section 2: Wounds)."""
    regained = min(points, game.miniatures[who].wounds - state.wounds(who))
    if regained <= 0 or not state.stands(who):
        return state
    yield Log("{}: {} regains {} (now {})", (what, game.name(who), regained, state.wounds(who) + regained))
    return state.change_counter(who, regained)


def deal_damage(
    game: Game, state: State, victim: int, points: int, source: DamageSource
) -> Procedure[tuple[State, int]]:
    """Take wounds off; returns the state and how many points were not ignored.

    Each point that counts is a victory point for the side that dealt it (section 7; rulings `overkill-vp`,
    `friendly-vp`, `ignored-vp`).
    """
    if points <= 0 or not state.stands(victim):
        return state, 0
    before = state.wounds(victim)
    if LOSS_PREVENTION in game.miniatures[victim].triggered_effects or game.has_trigger(victim, "damaged"):
        state, unignored = yield MemoizedCall(_resolve_points, (game, state, victim, points, source, 0, before))
    else:
        state, unignored = _lose_wounds(game, state, victim, points, source, before), points
    lost = before - state.wounds(victim)
    if lost > 0:
        yield Log("{} loses {} (now {})", (game.name(victim), lost, state.wounds(victim)))
        state = log_event(game, state, "damage", source.dealer, victim, source.attack)
    if not state.stands(victim):
        yield Log("{} is eliminated", (game.name(victim),))
        state = log_event(game, state, "eliminate", source.dealer, victim, source.attack)
        if "eliminated" in game.triggers:
            state = yield from effects.start_effects(game, state, "eliminated", (victim,), source.attack)
    return state, unignored


def _lose_wounds(game: Game, state: State, victim: int, points: int, source: DamageSource, scorable: int) -> State:
    """The state after so many points that nothing ignores; `room` of them may still score."""
    lost = min(points, state.wounds(victim))
    return _score_points(game, state.change_counter(victim, -lost), victim, points, source, scorable)


def _score_points(game: Game, state: State, victim: int, points: int, source: DamageSource, scorable: int) -> State:
    side = game.sides[source.dealer]
    scored = points if game.rulings["overkill-vp"] == "all" else min(points, scorable)
    return state if side == game.sides[victim] else state.change_counter(game.vp_counter(side), scored)


def _resolve_points(
    game: Game, state: State, victim: int, points: int, source: DamageSource, ignored: int, scorable: int
) -> Procedure[tuple[State, int]]:
    """Point by point; `free` points are ignored already, and no more than `room` may score as wounds."""
    if not (state.stands(victim) or game.rulings["overkill-vp"] == "all"):
        return state, 0
    if not ignored:
        state, ignored = yield from _count_ignored(game, state, victim, source.attack)
    unignored = 0 if ignored else 1
    if unignored:
        state = _lose_wounds(game, state, victim, 1, source, scorable)
        if "damaged" in game.triggers and state.stands(victim):
            state = yield from effects.start_effects(game, state, "damaged", (victim,), source.attack)
    elif game.rulings["ignored-vp"] == "scored":
        state = _score_points(game, state, victim, 1, source, scorable)
    if points == 1:
        return state, unignored
    scorable -= unignored or game.rulings["ignored-vp"] == "scored"
    state, more = yield MemoizedCall(
        _resolve_points, (game, state, victim, points - 1, source, max(0, ignored - 1), max(0, scorable))
    )
    return state, unignored + more


def _count_ignored(game: Game, state: State, victim: int, attack: AttackAction | None) -> Procedure[tuple[State, int]]:
    """How many points, from this one on, the first effect that ignores any takes away."""
    for active in state.mode.active_effects:
        effect = game.miniatures[active.owner].effects[active.effect_number]
        if active.owner == victim and effect.during == "damaged" and effect.ignored_points:
            return state, effect.ignored_points
    for number in game.miniatures[victim].triggered_effects.get(LOSS_PREVENTION, ()):
        if effects.may_start(game, state, victim, number, attack):
            state, starts = yield from effects.confirm_start(game, state, victim, number)
            if starts:
                ignored = game.miniatures[victim].effects[number].ignored_points
                yield Log("{} ignores {}", (game.name(victim), ignored))
                return state, ignored
    return state, 0
