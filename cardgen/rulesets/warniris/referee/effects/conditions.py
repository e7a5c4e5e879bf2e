"""Conditions of effects, and what effects do at once."""

from __future__ import annotations

from collections.abc import Iterator

from cardgen.game import Log, Procedure, Roll, quantity
from cardgen.rulesets.warniris.effect import DEEDS, Condition, Deeds, Die
from cardgen.rulesets.warniris.limits import TABLE_DIAGONAL
from cardgen.rulesets.warniris.referee.battle.attack_action import (
    AppliedEffect,
    AttackAction,
    ModifierContext,
    can_pay,
    effects_on,
    has_freedom,
    meets_condition,
    meets_weapon,
    opponent_kind,
    party_members,
    profile_of,
)
from cardgen.rulesets.warniris.referee.effects.bearer_state import meets_state
from cardgen.rulesets.warniris.referee.game import Game, State
from cardgen.rulesets.warniris.referee.miniature import BoundEffect
from cardgen.rulesets.warniris.words import KILLS, STRIKES


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
    return deeds.keys == ("heal",)


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


def heal(game: Game, state: State, who: int, points: int, what: str) -> Procedure[State]:
    """Give wounds back, never above the printed number (section 2: Wounds)."""
    regained = min(points, game.miniatures[who].wounds - state.wounds(who))
    if regained <= 0 or not state.stands(who) or has_freedom(game, state, who, "healing"):
        return state
    yield Log(
        "{}: {} regains {} and has {}",
        (what, game.name(who), quantity(regained, "Wound"), state.wounds(who) + regained),
    )
    return game.notes.note_counters(state.change_counter(who, regained))


_ACTIONS = {"P": "Channel", "any": "Attack or Channel"}
_WEAPONS = {"CW": " with a CW", "RW": " with an RW"}


def do_at_once(game: Game, state: State, who: int, other: int, effect: BoundEffect, deeds: Deeds) -> Procedure[State]:
    """Heal somebody, say where its player may set it, and score; `who` is the bearer."""
    if deeds.most_healed:
        points = yield from amount(game, other, f"{effect.name}: Wounds", deeds.heal, deeds.heal_die)
        state = yield from heal(game, state, other, points, effect.name)
    yield from _steps(game, who, other, effect, deeds)
    if deeds.free_attack:
        action = f"{_ACTIONS.get(deeds.free_attack, 'Attack')}{_WEAPONS.get(deeds.free_attack, '')}"
        yield Log("{}: {} may make a free {}", (effect.name, game.name(other), action))
    if deeds.score:
        yield Log("{}: {} scores {} VP", (effect.name, game.name(other), deeds.score))
        state = game.notes.note_counters(state.change_counter(game.vp_counter(game.sides[other]), deeds.score))
    return state


def amount(game: Game, who: int, what: str, points: int, die: Die | None) -> Procedure[int]:
    """Return a number of points, with a die for more of them; the faces of a D3 are those of a D6 in pairs."""
    if not die:
        return points
    faces = tuple(str(1 + (face - 1) * int(die[1:]) // 6) for face in range(1, 7))
    return points + int((yield Roll(f"{what} {game.name(who)}", game.name(who), what, faces=faces)))


def _steps(game: Game, who: int, other: int, effect: BoundEffect, deeds: Deeds) -> Procedure[None]:
    """Say how far a miniature may be moved, and how; nothing is known about its distances then."""
    for name in deeds.keys:
        deed, value = DEEDS[name], getattr(deeds, name)
        if deed.by_players == "Move":
            distance = (value,) if isinstance(value, int) else ()
            bearer = (game.name(who),) * (deed.log.count("{}") - 2 - len(distance))
            yield Log(deed.log, (effect.name, game.name(other), *distance, *bearer))
            game.notes.move(other, *distance or (TABLE_DIAGONAL,))
    if deeds.swap:
        game.notes.move(who, TABLE_DIAGONAL)
