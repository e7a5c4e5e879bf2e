"""Conditions of effects: whether one may start, and whether its deeds only heal."""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.rulesets.warniris.condition import Condition
from cardgen.rulesets.warniris.effect import INSTANT_KEYS, Deeds
from cardgen.rulesets.warniris.moments import KILLS, STRIKES
from cardgen.rulesets.warniris.referee.battle.attack_action import (
    AppliedEffect,
    AttackAction,
    ModifierContext,
    effects_on,
    meets_condition,
    meets_weapon,
    opponent_kind,
    party_members,
    profile_of,
)
from cardgen.rulesets.warniris.referee.battle.marks import can_pay
from cardgen.rulesets.warniris.referee.effects.bearer_state import meets_state
from cardgen.rulesets.warniris.referee.game import Game
from cardgen.rulesets.warniris.referee.miniature import BoundEffect
from cardgen.rulesets.warniris.referee.state import State


def may_start(game: Game, state: State, who: int, number: int, attack: AttackAction | None) -> bool:
    """Whether an effect may start: not used up, and what it asks for holds, its die apart."""
    effect = game.miniatures[who].effects[number]
    if not is_unused(game, state, who, effect) or not can_pay(state, who, effect):
        return False
    if not meets_state(game, effect, state, who) or not matches_attack(game, state, who, effect, attack):
        return False
    return not only_rerolls(effect) and not (game.is_interactive and _heals_nobody(game, state, who, effect, attack))


def _heals_nobody(game: Game, state: State, who: int, effect: BoundEffect, attack: AttackAction | None) -> bool:
    """Whether an effect only heals at once, and nobody whom it may concern has lost a Wound."""
    if effect.span or effect.condition.takes_chance or not all(only_heals(deeds) for _, deeds in effect.deeds):
        return False
    concerned = (other for party, _ in effect.deeds for other in party_members(game, state, who, party, attack))
    return not any(is_hurt(game, state, other) for other in concerned)


def only_heals(deeds: Deeds) -> bool:
    """Whether deeds give Wounds back, and do nothing else."""
    others = (*INSTANT_KEYS[1:], "ignore", "unless")
    return bool(deeds.heal) and not (deeds.can_last or any(getattr(deeds, name) for name in others))


def is_hurt(game: Game, state: State, who: int) -> bool:
    """Whether a miniature stands and has lost a Wound."""
    return 0 < state.wounds(who) < game.miniatures[who].wounds


def effects_now(game: Game, state: State, who: int, context: ModifierContext) -> Iterator[AppliedEffect]:
    """Every effect that bears on `who` now, and those that start and end at this moment."""
    yield from effects_on(game, state, who, context)
    in_force = {(active.owner, active.effect_number) for active in state.mode.active_effects}
    for owner, fighter in enumerate(game.miniatures):
        for number, effect in enumerate(fighter.effects):
            lasting = effect.is_constant or effect.span or (owner, number) in in_force
            if lasting or effect.when not in context.events_of(owner) or not is_unused(game, state, owner, effect):
                continue
            if matches_attack(game, state, owner, effect, context.attack) and meets_state(game, effect, state, owner):
                for party, deeds in effect.deeds:
                    if who in party_members(game, state, owner, party, context.attack):
                        yield AppliedEffect(owner, effect, deeds)


def sure_effects_now(game: Game, state: State, who: int, context: ModifierContext) -> Iterator[AppliedEffect]:
    """The same without those that depend on a choice or a die that is yet to come."""
    for each in effects_now(game, state, who, context):
        if each.effect.is_constant or each.effect.span or each.effect.is_certain:
            yield each


def only_rerolls(effect: BoundEffect) -> bool:
    """True for what is decided when the die has been seen."""
    return not effect.span and all(deeds.reroll for _, deeds in effect.deeds)


def matches_attack(game: Game, state: State, who: int, effect: BoundEffect, attack: AttackAction | None) -> bool:
    """Whether this attack is one that the effect speaks of. A reaction applies no effects (section 6: Reaction)."""
    if effect.active_at in KILLS and not _matches_kill(game, state, who, effect.condition, attack):
        return False
    if attack is None:
        return not effect.weapon
    if effect.weapon and (who, effect.weapon) != (attack.attacker, attack.weapon):
        return False
    if attack.reaction and who == attack.attacker and (effect.weapon or effect.active_at in ("hit", "damaging")):
        return False
    bears_here = effect.active_at in STRIKES or (effect.when in STRIKES and not effect.during)
    return not bears_here or meets_condition(game, state, effect.condition, who, attack)


def _matches_kill(game: Game, state: State, who: int, condition: Condition, attack: AttackAction | None) -> bool:
    """Whether somebody was eliminated by what the effect speaks of."""
    if not (condition.weapon or condition.weapon_name or condition.against):
        return True
    if attack is None or who not in attack.pair:
        return False
    is_kind = condition.against in (None, opponent_kind(game, attack.opponent(who)))
    return is_kind and meets_weapon(condition, profile_of(game, state, attack))


def is_unused(game: Game, state: State, who: int, effect: BoundEffect) -> bool:
    """Whether a thing is left to be used, in this battle and this turn."""
    counter = game.use_counters.get((who, effect.source))
    is_spent = counter is not None and not state.counters[counter]
    return not (is_spent or effect.source in state.mode.statuses[who].used_sources)


def changes_more_than_movement(effect: BoundEffect) -> bool:
    """Whether an effect of a Move does more than to change how far it goes."""
    if effect.active_at != "moving":
        return False
    names = (name for _, deeds in effect.deeds for name in deeds.model_fields_set)
    return not effect.is_certain or bool(set(names) - {"movement"})
