"""Attacks, channels, and reactions, with tests, re-rolls, and damage (section 6)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from cardgen.game import AbstractedCall, Decision, Log, Procedure, Roll, Test
from cardgen.rulesets.warniris.referee import counter_bounds, modifiers
from cardgen.rulesets.warniris.referee.attack_action import (
    AppliedEffect,
    AttackAction,
    ModifierContext,
    effects_on,
    log_event,
    meets_condition,
    meets_wounds,
    party_members,
    weapon_type,
)
from cardgen.rulesets.warniris.referee.effects import (
    NO,
    YES,
    DamageSource,
    deal_damage,
    heal,
    is_unused,
    mark_used,
    start_effects,
    start_weapon_effects,
)
from cardgen.rulesets.warniris.referee.game import Game, PendingReaction, State
from cardgen.rulesets.warniris.referee.miniature import DAMAGE_CHANGE
from cardgen.rulesets.warniris.referee.movement import charge, measure_attack, out_of_charge_range, out_of_range
from cardgen.rulesets.warniris.referee.policy import should_use


def take_test(
    game: Game, state: State, test: Test, who: int, kind: str, context: ModifierContext
) -> Procedure[tuple[State, bool]]:
    """Take a test (section 4), and once more where an effect says so; a die is re-rolled once at most.

    `sort` is hit, resist or timing. Friends may re-roll a failure; an enemy's effect forces a success again.
    """
    succeeded = yield test
    if game.has_rerolls:
        for each in _reroll_effects(game, state, who, kind, context):
            if (game.sides[each.owner] == game.sides[who]) != succeeded:
                state, rerolls = yield from _decide_reroll(game, state, each)
                if rerolls:
                    return state, (yield replace(test, key=f"{test.key} again", what=f"{test.what}, again"))
    return state, succeeded


def _reroll_effects(game: Game, state: State, who: int, kind: str, context: ModifierContext) -> Iterator[AppliedEffect]:
    """The effects that re-roll this die: those that bear, and those whose moment this is."""
    yield from (each for each in effects_on(game, state, who, context) if each.deeds.reroll == kind)
    for owner, fighter in enumerate(game.miniatures):
        for effect in fighter.effects:
            lasting = effect.is_constant or effect.span
            if lasting or effect.when not in context.events_of(owner) or not is_unused(game, state, owner, effect):
                continue
            attack, condition = context.attack, effect.condition
            if attack and not meets_condition(game, condition, weapon_type(game, state, attack), owner, attack):
                continue
            for party, deeds in effect.deeds:
                concerned = deeds.reroll == kind and who in party_members(game, state, owner, party, attack)
                if concerned and meets_wounds(condition, state, owner):
                    yield AppliedEffect(owner, effect, deeds)


def _decide_reroll(game: Game, state: State, each: AppliedEffect) -> Procedure[tuple[State, bool]]:
    """Whether the die is re-rolled: a thing for once only is used up by it."""
    effect, owner = each.effect, each.owner
    if effect.once or game.is_interactive:
        advised = YES if not effect.once or should_use(game, state, owner, effect) else NO
        what = f"re-roll by {effect.name}"
        if (yield Decision(what, game.name(owner), what, (YES, NO), advised)) == NO:
            return state, False
        state = mark_used(game, state, owner, effect)
    if effect.condition.roll and not effect.is_constant:
        return state, (yield Roll(effect.name, game.name(owner), effect.name, wins=effect.condition.roll))
    return state, True


def resolve_attack(game: Game, state: State, attack: AttackAction) -> Procedure[State]:
    """An attack, a channel or a reaction, from the first effect that it starts to the last.

    Whether it is legal was looked at before (`legality`). A reaction may begin with a combat weapon's free Move (ruling
    `reaction-cw-move`). Reactions that wait for a point of it happen there.
    """
    if attack.reaction:
        return (yield from _resolve_reaction(game, state, attack))
    return (yield from _resolve_alone(game, state, attack))


def _resolve_reaction(game: Game, state: State, attack: AttackAction) -> Procedure[State]:
    """A reaction: nothing of the action that it interrupts is over after it."""
    outer, after_move = state, attack
    if out_of_range(game, state, attack):
        state, after_move = yield from charge(game, state, attack)
    if after_move:
        state = yield from _resolve_alone(game, state, after_move)
    return state.nested_in(outer)


def _resolve_alone(game: Game, state: State, attack: AttackAction) -> Procedure[State]:
    """An attack whose odds do not depend on the reactions that wait for the end of the action."""
    if any(each.point != "end" for each in state.mode.pending_reactions):
        return (yield from _resolve(state, game, attack))
    after = yield AbstractedCall(_resolve, state.set_pending(), (game, attack), counter_bounds.of_attack(game, attack))
    return after.set_pending(*state.mode.pending_reactions)  # type: ignore[no-any-return]


def _resolve(state: State, game: Game, attack: AttackAction) -> Procedure[State]:
    state = log_event(game, state, "attack", attack.attacker, attack.target, attack)
    if not modifiers.weapon_of(game, state, attack).needs_test:
        return (yield from _apply_without_test(game, state, attack))
    state = yield from _start_attack_effects(game, state, attack)
    state, attack, diverted = yield from _test_between(game, state, attack)
    if not (diverted and game.rulings["between-hit"] == "skipped"):
        state, hit = yield from take_test(
            game, state, modifiers.hit_test(game, state, attack), attack.attacker, "hit", modifiers.hit_context(attack)
        )
        if not hit:
            return state.end_window("attack")
    state = log_event(game, state, "hit", attack.attacker, attack.target, attack)
    state = yield from _interrupt(game, state, attack, "hit")
    if not (state.stands(attack.attacker) and state.stands(attack.target)):
        return state.end_window("attack")
    state = yield from start_effects(game, state, "hit", (attack.attacker,), attack)
    state, resisted = yield from take_test(
        game,
        state,
        modifiers.resist_test(game, state, attack),
        attack.target,
        "resist",
        modifiers.resist_context(attack),
    )
    if resisted:
        return log_event(game, state, "resist", attack.target, attack.attacker, attack).end_window("attack")
    state = yield from _interrupt(game, state, attack, "resist")
    if state.stands(attack.attacker) and state.stands(attack.target):
        state = yield from _deal_damage(game, state, attack)
    return state.end_window("attack")


def _start_attack_effects(game: Game, state: State, attack: AttackAction) -> Procedure[State]:
    """The effects that start with the attack, the attacker's first."""
    state = yield from start_effects(game, state, "attacking", (attack.attacker,), attack)
    if attack.reaction:
        state = yield from start_effects(game, state, "reacting", (attack.attacker,), attack)
    state = yield from start_effects(game, state, "attacked", (attack.target,), attack)
    return state


def _test_between(game: Game, state: State, attack: AttackAction) -> Procedure[tuple[State, AttackAction, bool]]:
    """A test for each miniature in between; the first failure makes that one the target.

    Section 4: Miniatures in between; rulings `between-order`, `interference-cover` and `penalty-scope`.
    """
    for count, other in enumerate(attack.between, 1):
        test = modifiers.hit_test(game, state, attack, f"between {count}")
        state, succeeded = yield from take_test(
            game, state, test, attack.attacker, "between", modifiers.hit_context(attack)
        )
        if not succeeded:
            yield Log("{} is in the way and becomes the target", (game.name(other),))
            return (yield from _redirect(game, state, attack, other))
    return state, attack, False


def _redirect(
    game: Game, state: State, attack: AttackAction, new_target: int
) -> Procedure[tuple[State, AttackAction, bool]]:
    """What weighed on the attack for the first target's sake is over; the new target's effects start."""
    remaining = tuple(f for f in state.mode.active_effects if not (f.owner == attack.target and f.until == "attack"))
    state = State(state.mode._replace(active_effects=remaining), state.counters)
    attack = attack._replace(target=new_target, between=())
    state = yield from start_effects(game, state, "attacked", (new_target,), attack)
    return state, attack, True


def _interrupt(game: Game, state: State, attack: AttackAction, point: str) -> Procedure[State]:
    """Reactions that were timed for this point (ruling `reaction-when`); none comes within a reaction."""
    if attack.reaction or not state.mode.pending_reactions:
        return state
    return (yield from resolve_pending(game, state, attack.attacker, point))


def resolve_pending(game: Game, state: State, actor: int, point: str) -> Procedure[State]:
    """Resolve the reactions that wait for this point of an action.

    At its end all that are left are resolved. One happens only if both its reactor and the enemy still stand,
    and the enemy is in Range and in sight of it then (section 6: Reaction; rulings `reaction-chain`, `reaction-spent`).
    """
    for each in state.mode.pending_reactions:
        if point in (each.point, "end"):
            state = state.set_pending(*(other for other in state.mode.pending_reactions if other != each))
            if state.stands(each.reactor) and state.stands(actor):
                state = yield from _resolve_late(game, state, actor, each)
    return state


def _resolve_late(game: Game, state: State, actor: int, each: PendingReaction) -> Procedure[State]:
    attack = AttackAction(each.reactor, actor, each.weapon, each.distance, each.gap, each.between, reaction=True)
    yield Log("{} reacts", (game.name(each.reactor),))
    if game.is_interactive:
        attack, problem = yield from measure_attack(game, state, attack)
    else:
        problem = out_of_charge_range(game, state, attack)
    if problem:
        yield Log("not possible: {}; the Reaction is spent", (problem,))
        return state
    return (yield from resolve_attack(game, state, attack))


def _deal_damage(game: Game, state: State, attack: AttackAction) -> Procedure[State]:
    """Damage, then what the weapon gives back, then its effects; none of them where everything was ignored."""
    state = yield from start_effects(game, state, DAMAGE_CHANGE, (attack.attacker,), attack)
    points = modifiers.attack_damage(game, state, attack)
    state, unignored = yield from deal_damage(game, state, attack.target, points, DamageSource(attack.attacker, attack))
    if (unignored or not points) and not attack.reaction:
        healing = modifiers.weapon_of(game, state, attack).healing
        if healing:
            state = yield from heal(game, state, attack.target, healing, attack.weapon)
        state = yield from start_effects(game, state, "damaging", (attack.attacker,), attack)
    return state


def _apply_without_test(game: Game, state: State, attack: AttackAction) -> Procedure[State]:
    """Apply a line that only heals or protects, without a test (section 4)."""
    profile = modifiers.weapon_of(game, state, attack)
    state = yield from heal(game, state, attack.target, profile.healing, attack.weapon)
    return (yield from start_weapon_effects(game, state, attack)).end_window("attack")


ATTACK_POINTS = {"before": "before the first die", "hit": "when it has hit", "resist": "when it was not resisted"}
MOVE_POINTS = {"before": "before it moves", "way": "part-way along the Move"}
CHARGE_POINTS = {
    **MOVE_POINTS,
    "hit": ATTACK_POINTS["hit"],
    "resist": ATTACK_POINTS["resist"],
}


def react(game: Game, state: State, attack: AttackAction, points: dict[str, str]) -> Procedure[State]:
    """Time a reaction to the action that begins now.

    A success lets it happen at one of `points`; a failure leaves it for the end of the action. It is used up in any
    case (ruling `reaction-spent`).
    """
    state = state.change_counter(game.reaction_counter(attack.attacker), -1)
    state, in_time = yield from _take_timing_test(game, state, attack)
    point = "end"
    if in_time:
        point = yield from _choose_point(game, attack, points)
    if point == "before":
        return (yield from resolve_attack(game, state, attack))
    pending = PendingReaction(attack.attacker, attack.weapon, point, attack.distance, attack.gap, attack.between)
    return state.set_pending(*state.mode.pending_reactions, pending)


def _take_timing_test(game: Game, state: State, attack: AttackAction) -> Procedure[tuple[State, bool]]:
    hindered = game.rulings["reaction-cloak"] == "hindered" and "attacked" in game.triggers
    before = state
    if hindered:
        state = yield from start_effects(game, state, "attacked", (attack.target,), attack)
    context = modifiers.timing_context(game, attack)
    test = modifiers.timing_test(game, state, attack)
    state, in_time = yield from take_test(game, state, test, attack.attacker, "timing", context)
    return (
        state.end_window("attack") if hindered and state.mode.active_effects != before.mode.active_effects else state
    ), in_time


def _choose_point(game: Game, attack: AttackAction, points: dict[str, str]) -> Procedure[str]:
    """The moment that the reactor's player names (ruling `reaction-when`)."""
    if game.rulings["reaction-when"] == "before-dice":
        return "before"
    advised = points.get(game.policy["moment"], next(iter(points.values())))
    if not game.is_interactive:
        chosen = advised
    else:
        options = tuple(points.values())
        chosen = yield Decision("moment", game.name(attack.attacker), "when does it react", options, advised)
    yield Log("{} times its Reaction: {}", (game.name(attack.attacker), chosen))
    return next(point for point, words in points.items() if words == chosen)


def may_react(game: Game, state: State, who: int) -> bool:
    """Whether a miniature has its reaction left. Minions never react (section 8)."""
    left = state.counters[game.reaction_counter(who)]
    return bool(left) and state.stands(who) and not game.miniatures[who].is_minion
