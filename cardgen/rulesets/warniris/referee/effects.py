"""Effects that start and apply; damage and healing (section 4)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from cardgen.game import Decision, Log, MemoizedCall, Procedure, Roll
from cardgen.rulesets.warniris.effect import STRIKES, Deeds
from cardgen.rulesets.warniris.referee.attack_action import (
    GROUP_PARTIES,
    AttackAction,
    is_in_group,
    log_event,
    opponent_kind,
    party_members,
)
from cardgen.rulesets.warniris.referee.effect_conditions import (
    has_lasting,
    is_hurt,
    matches_attack,
    may_start,
    only_heals,
)
from cardgen.rulesets.warniris.referee.game import ActiveEffect, Game, State
from cardgen.rulesets.warniris.referee.miniature import LOSS_PREVENTION, BoundEffect
from cardgen.rulesets.warniris.referee.nearness import ask_near
from cardgen.rulesets.warniris.referee.policy import should_use

YES, NO = "yes", "no"


def start_effects(
    game: Game,
    state: State,
    trigger: str,
    bearers: Iterable[int],
    attack: AttackAction | None = None,
    *,
    is_past: bool = False,
    is_automatic: bool = False,
) -> Procedure[State]:
    """Start the effects of this moment of bearers that stand, or that are eliminated now; apply those in force.

    With `is_past` the moment was earlier in this turn: only effects that last longer than an activation start. With
    `is_automatic`, no effects start that are for once only, and so a choice.
    """
    if trigger not in game.triggers:
        return state
    for who in bearers:
        for number in game.miniatures[who].triggered_effects.get(trigger, ()):
            effect = game.miniatures[who].effects[number]
            if (is_past and effect.span not in ("turn", "battle")) or (is_automatic and effect.once):
                continue
            if (state.stands(who) or trigger == "eliminated") and may_start(game, state, who, number, attack):
                state = yield from _try_to_start(game, state, who, number, attack)
    for active in state.mode.active_effects:
        effect = game.miniatures[active.owner].effects[active.effect_number]
        if (
            effect.during == trigger
            and active.owner in bearers
            and matches_attack(game, state, active.owner, effect, attack)
        ):
            state = yield from _apply_instant(game, state, active.owner, effect, attack)
    return state


def start_weapon_effects(game: Game, state: State, attack: AttackAction) -> Procedure[State]:
    """Start the effects of a weapon or power that takes no test."""
    for number, effect in enumerate(game.miniatures[attack.attacker].effects):
        is_own = effect.weapon == attack.weapon and not effect.is_constant
        if is_own and may_start(game, state, attack.attacker, number, attack):
            state = yield from _try_to_start(game, state, attack.attacker, number, attack)
    return state


def _try_to_start(game: Game, state: State, who: int, number: int, attack: AttackAction | None) -> Procedure[State]:
    state, starts = yield from confirm_start(game, state, who, number)
    for each in game.miniatures[who].effects_used_with(number) if starts else ():
        state = yield from _apply(game, state, who, each, attack)
    return state


def confirm_start(game: Game, state: State, who: int, number: int) -> Procedure[tuple[State, bool]]:
    """Whether an effect that may start does: the choice to use up a thing for once only, then the effect's die."""
    effect = game.miniatures[who].effects[number]
    if effect.once:
        default = YES if should_use(game, state, who, effect) else NO
        if not game.is_interactive and default == NO:
            return state, False
        if (yield Decision(f"use {effect.name}", game.name(who), f"use {effect.name}", (YES, NO), default)) == NO:
            return state, False
        state = mark_used(game, state, who, effect)
    return (yield from _roll_to_start(game, state, who, effect))


def _roll_to_start(game: Game, state: State, who: int, effect: BoundEffect) -> Procedure[tuple[State, bool]]:
    if not effect.condition.roll:
        return state, True
    starts = yield Roll(effect.name, game.name(who), effect.name, wins=effect.condition.roll)
    return state, starts


def usable_effects(game: Game, state: State, who: int, trigger: str) -> dict[str, tuple[int, ...]]:
    """Return the numbers of the effects for once only that a miniature may use at this moment, by name."""
    usable: dict[str, tuple[int, ...]] = {}
    for number in game.miniatures[who].triggered_effects.get(trigger, ()):
        effect = game.miniatures[who].effects[number]
        if effect.once and may_start(game, state, who, number, None):
            usable.setdefault(effect.name, game.miniatures[who].effects_used_with(number))
    return usable


def use_effects(game: Game, state: State, who: int, numbers: tuple[int, ...]) -> Procedure[State]:
    """Use a thing for once only, with all its effects of this moment."""
    for number in numbers:
        effect = game.miniatures[who].effects[number]
        state = mark_used(game, state, who, effect)
        state, starts = yield from _roll_to_start(game, state, who, effect)
        if starts:
            state = yield from _apply(game, state, who, number, None)
    return state


def mark_used(game: Game, state: State, who: int, effect: BoundEffect) -> State:
    """The state after a thing for once only was used; without a limit nothing changes."""
    status = state.mode.statuses[who]
    if effect.once == "turn" and effect.source not in status.used_sources:
        return state.set_status(who, status._replace(used_sources=tuple(sorted((*status.used_sources, effect.source)))))
    counter = game.use_counters.get((who, effect.source))
    return state if counter is None else state.change_counter(counter, -state.counters[counter])


def _apply(game: Game, state: State, who: int, number: int, attack: AttackAction | None) -> Procedure[State]:
    """What holds for a while comes into force; what is sudden happens, unless it waits for its moment."""
    effect = game.miniatures[who].effects[number]
    span = effect.span or ("attack" if attack else "move" if effect.when == "moving" else "")
    lasts = any(has_lasting(deeds) for _, deeds in effect.deeds)
    if effect.during and effect.span:
        return state.add_effects(ActiveEffect(who, number, (), effect.span))
    if lasts and span:
        affected = []
        for party, _ in effect.deeds:
            affected.append((party, (yield from _choose_affected(game, state, who, effect, party, attack))))
        state = state.add_effects(ActiveEffect(who, number, tuple(affected), span))
        if effect.span:
            yield Log("{} of {} holds until the end of the {}", (effect.name, game.name(who), span))
    return (yield from _apply_instant(game, state, who, effect, attack))


def _apply_instant(
    game: Game, state: State, who: int, effect: BoundEffect, attack: AttackAction | None
) -> Procedure[State]:
    """Do what an effect does at once; a reaction does nothing beyond its damage (section 6: Reaction)."""
    if attack and attack.reaction and who == attack.attacker:
        return state
    for party, deeds in effect.deeds:
        if deeds.heal or deeds.deal or deeds.move:
            hurt_only = only_heals(deeds)
            for other in (yield from _choose_affected(game, state, who, effect, party, attack, hurt_only=hurt_only)):
                state = yield from _apply_to(game, state, who, other, effect, deeds)
    return state


def _apply_to(game: Game, state: State, who: int, other: int, effect: BoundEffect, deeds: Deeds) -> Procedure[State]:
    if not state.stands(other):
        return state
    if deeds.heal:
        state = yield from heal(game, state, other, deeds.heal, effect.name)
    if deeds.move:
        yield Log("{}: its player may shift {} up to {} cm", (effect.name, game.name(other), deeds.move))
        game.notes.move(other, deeds.move)
    if deeds.deal:
        state, _ = yield from deal_damage(game, state, other, deeds.deal, DamageSource(who, None))
    return state


def _choose_affected(
    game: Game,
    state: State,
    who: int,
    effect: BoundEffect,
    party: str,
    attack: AttackAction | None,
    *,
    hurt_only: bool = False,
) -> Procedure[tuple[int, ...]]:
    """Whom an effect concerns; where the table alone knows the distances, it is asked."""
    candidates = party_members(game, state, who, party, attack)
    if party not in GROUP_PARTIES:
        return candidates
    if not (game.is_interactive and effect.depends_on_distance) or (attack and effect.active_at in STRIKES):
        return tuple(other for other in candidates if is_in_group(game, state, who, other, effect, party, attack))
    against = effect.condition.against if party == "enemies" else None
    concerned = [
        other
        for other in candidates
        if (not hurt_only or is_hurt(game, state, other)) and against in (None, opponent_kind(game, other))
    ]
    return (yield from ask_near(game, state, who, concerned, effect))


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
    return game.notes.note_counters(state.change_counter(who, regained))


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
        game.notes.note_counters(state)
        yield Log("{} loses {} (now {})", (game.name(victim), lost, state.wounds(victim)))
        state = log_event(game, state, "damage", source.dealer, victim, source.attack)
    if not state.stands(victim):
        yield Log("{} is eliminated", (game.name(victim),))
        state = log_event(game, state, "eliminate", source.dealer, victim, source.attack)
        state = yield from start_effects(game, state, "eliminated", (victim,), source.attack)
        if game.sides[source.dealer] != game.sides[victim]:
            state = yield from start_effects(game, state, "eliminating", (source.dealer,), source.attack)
    return state, unignored


def _lose_wounds(game: Game, state: State, victim: int, points: int, source: DamageSource, scorable: int) -> State:
    """The state after damage that nothing ignores, in points; `room` of them may still score."""
    lost = min(points, state.wounds(victim))
    return _score_points(game, state.change_counter(victim, -lost), victim, points, source, scorable)


def _score_points(game: Game, state: State, victim: int, points: int, source: DamageSource, scorable: int) -> State:
    scored = points if game.rulings["overkill-vp"] == "all" else min(points, scorable)
    is_friend = game.sides[source.dealer] == game.sides[victim]
    if is_friend and game.rulings["friendly-vp"] == "none":
        return state
    return state.change_counter(game.vp_counter(1 - game.sides[victim]), scored)


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
            state = yield from start_effects(game, state, "damaged", (victim,), source.attack)
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
        if active.owner == victim and effect.is_guard and matches_attack(game, state, victim, effect, attack):
            return state, effect.ignored_points
    for number in game.miniatures[victim].triggered_effects.get(LOSS_PREVENTION, ()):
        if may_start(game, state, victim, number, attack):
            state, starts = yield from confirm_start(game, state, victim, number)
            if starts:
                ignored = game.miniatures[victim].effects[number].ignored_points
                yield Log("{} ignores {}", (game.name(victim), ignored))
                state = yield from _apply_instant(game, state, victim, game.miniatures[victim].effects[number], attack)
                return state, ignored
    return state, 0
