"""Attacks, channels, and reactions, with tests, re-rolls, and damage (section 6)."""

from __future__ import annotations

from cardgen.game import AbstractedCall, Decision, Log, Procedure
from cardgen.rulesets.warniris.referee import counter_bounds, modifiers
from cardgen.rulesets.warniris.referee.conditions import (
    AttackAction,
    has_freedom,
    heal,
    log_event,
    lost_weapon,
    meets_condition,
    meets_state,
    party_members,
    weapon_of,
)
from cardgen.rulesets.warniris.referee.effects import (
    DamageSource,
    ask_auras_again,
    deal_damage,
    start_acts,
    start_effects,
    start_weapon_effects,
)
from cardgen.rulesets.warniris.referee.game import ActiveEffect, Game, PendingReaction, State
from cardgen.rulesets.warniris.referee.measurements import (
    charge,
    measure_attack,
    measure_diverted,
    out_of_charge_range,
    out_of_range,
)
from cardgen.rulesets.warniris.referee.miniature import DAMAGE_CHANGE, BoundEffect
from cardgen.rulesets.warniris.referee.modifiers import reactions_used, take_test


def resolve_attack(game: Game, state: State, attack: AttackAction) -> Procedure[State]:
    """An attack, a channel or a reaction, from the first effect that it starts to the last.

    Whether it is legal was looked at before (`objection`). A reaction may begin with a combat weapon's free Move
    (ruling `reaction-cw-move`). Reactions that wait for a point of it happen there.
    """
    problem = lost_weapon(game, state, attack)
    if problem:
        yield Log("not possible: {}", (problem,))
        return state
    if attack.reaction:
        return (yield from _resolve_reaction(game, state, attack))
    return (yield from _resolve_alone(game, state, attack))


def _resolve_reaction(game: Game, state: State, attack: AttackAction) -> Procedure[State]:
    """A reaction: nothing of the action that it interrupts is over after it."""
    outer = state
    if out_of_range(game, state, attack):
        state, after_move = yield from charge(game, state, attack)
        if after_move is None:
            return state.nested_in(outer)
        attack = after_move
    state = yield from ask_auras_again(game, state, attack)
    return (yield from _resolve_alone(game, state, attack)).nested_in(outer)


def _resolve_alone(game: Game, state: State, attack: AttackAction) -> Procedure[State]:
    """An attack whose odds do not depend on the reactions that wait for the end of the action."""
    if any(each.point != "end" for each in state.mode.pending_reactions):
        return (yield from _resolve(state, game, attack))
    after = yield AbstractedCall(_resolve, state.set_pending(), (game, attack), counter_bounds.of_attack(game, attack))
    return after.set_pending(*state.mode.pending_reactions)  # type: ignore[no-any-return]


def _resolve(state: State, game: Game, attack: AttackAction) -> Procedure[State]:
    if not weapon_of(game, state, attack).needs_test:
        state = yield from start_acts(game, state, "enemy_attacking", attack.attacker, attack)
        if not _both_stand(state, attack) or (yield from _fails(game, state, attack)):
            return state.end_window("attack")
        state = log_event(game, state, "attack", attack.attacker, attack.target, attack)
        return (yield from _apply_without_test(game, state, attack))
    state, attack, has_hit = yield from _resolve_hit(game, state, attack)
    if has_hit and _both_stand(state, attack):
        state = yield from _resolve_resistance(game, state, attack)
    if state.stands(attack.attacker):
        state = yield from start_effects(game, state, "attack_end", (attack.attacker,), attack)
    return state.end_window("attack")


def _resolve_hit(game: Game, state: State, attack: AttackAction) -> Procedure[tuple[State, AttackAction, bool]]:
    """From the effects that start with an attack to those that start when it has hit its target."""
    state = yield from start_attack_effects(game, state, attack)
    if not _both_stand(state, attack) or (yield from _fails(game, state, attack)):
        return state, attack, False
    state, attack, problem = yield from test_between(game, state, attack)
    if problem:
        yield Log("not possible: {}", (problem,))
    if problem or not _both_stand(state, attack):
        return state, attack, False
    state = log_event(game, state, "attack", attack.attacker, attack.target, attack)
    if not attack.hits:
        test, context = modifiers.hit_test(game, state, attack), modifiers.hit_context(attack)
        state, hit = yield from take_test(game, state, test, attack.attacker, "hit", context)
        if not hit:
            state = yield from start_effects(game, state, "missed", (attack.target,), attack)
            return (yield from start_effects(game, state, "missing", (attack.attacker,), attack)), attack, False
    state = log_event(game, state, "hit", attack.attacker, attack.target, attack)
    state = yield from _interrupt(game, state, attack, "hit")
    if _both_stand(state, attack):
        state = yield from start_effects(game, state, "hit", (attack.attacker,), attack)
    if _both_stand(state, attack):
        state = yield from start_effects(game, state, "struck", (attack.target,), attack)
    return state, attack, True


def _resolve_resistance(game: Game, state: State, attack: AttackAction) -> Procedure[State]:
    """From the target's test to resist to the damage."""
    test, context = modifiers.resist_test(game, state, attack), modifiers.resist_context(attack)
    state, resisted = yield from take_test(game, state, test, attack.target, "resist", context)
    if resisted:
        state = log_event(game, state, "resist", attack.target, attack.attacker, attack)
        state = yield from start_effects(game, state, "resisting", (attack.target,), attack)
        return (yield from start_effects(game, state, "resisted", (attack.attacker,), attack))
    state = yield from _interrupt(game, state, attack, "resist")
    return (yield from _deal_damage(game, state, attack)) if _both_stand(state, attack) else state


def _fails(game: Game, state: State, attack: AttackAction) -> Procedure[bool]:
    """Whether an effect takes the result from an attack or a channel."""
    fails = has_freedom(game, state, attack.attacker, "fails", modifiers.hit_context(attack))
    if fails:
        yield Log("{} loses its Attack or Channel", (game.name(attack.attacker),))
    return fails


def _both_stand(state: State, attack: AttackAction) -> bool:
    return state.stands(attack.attacker) and state.stands(attack.target)


def start_attack_effects(game: Game, state: State, attack: AttackAction) -> Procedure[State]:
    """The effects that start with the attack, the attacker's first."""
    state = yield from start_acts(game, state, "enemy_attacking", attack.attacker, attack)
    state = yield from start_effects(game, state, "attacking", (attack.attacker,), attack)
    if attack.reaction:
        state = yield from start_effects(game, state, "reacting", (attack.attacker,), attack)
    state = yield from start_effects(game, state, "attacked", (attack.target,), attack)
    return state


def _interrupt(game: Game, state: State, attack: AttackAction, point: str) -> Procedure[State]:
    """Reactions that were timed for this point (ruling `reaction-when`); none comes within a reaction.

    What changes the attack, such as a Camo Cloak, changes nothing of a reaction to it.
    """
    if attack.reaction or not state.mode.pending_reactions:
        return state
    after = yield from resolve_pending(game, state.end_window("attack"), attack.attacker, point)
    return after.nested_in(state)


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
            elif state.stands(each.reactor):
                state = keep_reaction(game, state, each.reactor)
    return state


def keep_reaction(game: Game, state: State, who: int) -> State:
    """The state after a reaction that came too late to happen (ruling `reaction-spent`)."""
    return state if game.rulings["reaction-spent"] == "spent" else state.change_counter(game.reaction_counter(who), 1)


def _resolve_late(game: Game, state: State, actor: int, each: PendingReaction) -> Procedure[State]:
    hits = each.point != "end" and game.rulings["reaction-hit"] == "timing"
    distance = each.distance if game.is_interactive else state.mode.distance
    attack = AttackAction(
        each.reactor, actor, each.weapon, distance, each.gap, each.between, True, hits, each.is_second
    )
    yield Log("{} reacts", (game.name(each.reactor),))
    problem = lost_weapon(game, state, attack)
    if not problem and game.is_interactive:
        attack, problem = yield from measure_attack(game, state, attack)
    elif not problem:
        problem = out_of_charge_range(game, state, attack)
    if problem:
        words = "spent" if game.rulings["reaction-spent"] == "spent" else "kept for later"
        yield Log("not possible: {}; the Reaction is {}", (problem, words))
        return keep_reaction(game, state, each.reactor)
    return (yield from resolve_attack(game, state, attack))


def _deal_damage(game: Game, state: State, attack: AttackAction) -> Procedure[State]:
    """Damage, then what the weapon gives back, then its effects; none of them where everything was ignored."""
    state = yield from start_effects(game, state, DAMAGE_CHANGE, (attack.attacker,), attack)
    points = modifiers.attack_damage(game, state, attack)
    state, unignored = yield from deal_damage(game, state, attack.target, points, DamageSource(attack.attacker, attack))
    if (unignored or not points) and not attack.reaction:
        healing = weapon_of(game, state, attack).healing
        if healing:
            state = yield from heal(game, state, attack.target, healing, attack.weapon)
        state = yield from start_effects(game, state, "damaging", (attack.attacker,), attack)
    return state


def _apply_without_test(game: Game, state: State, attack: AttackAction) -> Procedure[State]:
    """Apply a line that only heals or protects, without a test (section 4)."""
    profile = weapon_of(game, state, attack)
    state = yield from heal(game, state, attack.target, profile.healing, attack.weapon)
    state = yield from start_weapon_effects(game, state, attack)
    state = yield from start_effects(game, state, "attack_end", (attack.attacker,), attack)
    return state.end_window("attack")


ATTACK_POINTS = {"before": "before the first die", "hit": "when it has hit", "resist": "when it was not resisted"}
MOVE_POINTS = {"before": "before it moves", "way": "part-way along the Move"}
CHARGE_POINTS = {
    **MOVE_POINTS,
    "hit": ATTACK_POINTS["hit"],
    "resist": ATTACK_POINTS["resist"],
}


def react(game: Game, state: State, attack: AttackAction, points: dict[str, str]) -> Procedure[State]:
    """Time a reaction to the action that begins now.

    A success lets it happen at one of `points`; a failure leaves it for the end of the action (rulings `reaction-hit`
    and `reaction-spent`).
    """
    state, attack = spend_reaction(game, state, attack)
    return (yield from time_reaction(game, state, attack, points))


def spend_reaction(game: Game, state: State, attack: AttackAction) -> tuple[State, AttackAction]:
    """Use up a reaction; return the state after it, and the attack, which may be the reactor's second in this turn."""
    is_second = game.counts_reactions and reactions_used(game, state, attack.attacker) == 1
    state = state.change_counter(game.reaction_counter(attack.attacker), -1)
    return state, attack._replace(is_second=is_second)


def time_reaction(game: Game, state: State, attack: AttackAction, points: dict[str, str]) -> Procedure[State]:
    """Time a reaction that has been used up.

    A success lets it happen at one of `points`; a failure leaves it for the end of the action (rulings `reaction-hit`
    and `reaction-spent`).
    """
    state, in_time = yield from take_timing_test(game, state, attack)
    point = "end"
    if in_time:
        point = yield from _choose_point(game, attack, points)
    if point == "before" and not game.is_interactive:
        hits = game.rulings["reaction-hit"] == "timing"
        return (yield from resolve_attack(game, state, attack._replace(hits=hits)))
    pending = PendingReaction(
        attack.attacker, attack.weapon, point, attack.distance, attack.gap, attack.between, attack.is_second
    )
    state = state.set_pending(*state.mode.pending_reactions, pending)
    return (yield from resolve_pending(game, state, attack.target, point)) if point == "before" else state


def take_timing_test(game: Game, state: State, attack: AttackAction) -> Procedure[tuple[State, bool]]:
    """Take the test to time a reaction; nothing that weighs on it outlasts it (ruling `reaction-cloak`)."""
    outer = state
    state = yield from ask_auras_again(game, state, attack)
    if game.rulings["reaction-cloak"] == "hindered" and "attacked" in game.triggers:
        state = yield from start_effects(game, state, "attacked", (attack.target,), attack)
    context = modifiers.timing_context(game, attack)
    test = modifiers.timing_test(game, state, attack)
    state, in_time = yield from take_test(game, state, test, attack.attacker, "timing", context)
    return (state if state.mode.active_effects == outer.mode.active_effects else _end_timing(state, outer)), in_time


def _end_timing(state: State, outer: State) -> State:
    return state.end_window("attack").nested_in(outer)


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


def test_between(game: Game, state: State, attack: AttackAction) -> Procedure[tuple[State, AttackAction, str]]:
    """A test for each miniature in between; the first failure makes that one the target.

    Return the attack after them, and why it ends with them or ''. Section 4: Miniatures in between; rulings
    `between-order`, `between-hit` and `diverted-sight`.
    """
    if has_freedom(game, state, attack.attacker, "between", modifiers.hit_context(attack)):
        return state, attack, ""
    is_outward = game.rulings["between-order"] == "outward"
    line = tuple(other for other in attack.between if state.stands(other))
    for count, other in enumerate(line if is_outward else line[::-1], 1):
        test = modifiers.between_test(game, state, attack, f"between {count}")
        state, succeeded = yield from take_test(
            game, state, test, attack.attacker, "between", modifiers.hit_context(attack)
        )
        if not succeeded:
            yield Log("{} is in the way and becomes the target", (game.name(other),))
            return (yield from _divert(game, state, attack, other))
    return state, attack, ""


def _divert(
    game: Game, state: State, attack: AttackAction, new_target: int
) -> Procedure[tuple[State, AttackAction, str]]:
    """Aim an attack at a miniature in between: it is measured anew, and that one's effects start.

    What weighed on the attack for the first target's sake is over.
    """
    former = attack.target
    hits = attack.hits or game.rulings["between-hit"] == "skipped"
    attack = attack._replace(target=new_target, between=(), hits=hits, distance=_distance_in_line(game, attack))
    problem = ""
    if game.is_interactive:
        attack, problem = yield from measure_diverted(game, state, attack)
    state = _without_former_target(game, state, attack, former)
    if not problem:
        state = yield from ask_auras_again(game, state, attack)
        state = yield from start_effects(game, state, "attacked", (new_target,), attack)
    return state, attack, problem


def _without_former_target(game: Game, state: State, attack: AttackAction, former: int) -> State:
    """The state in which the effects of the attack are those that the new target calls for."""

    def holds(active: ActiveEffect) -> bool:
        if active.until != "attack" or active.owner not in (attack.attacker, former):
            return True
        effect = game.miniatures[active.owner].effects[active.effect_number]
        return active.owner != former and (effect.is_constant or _is_called_for(game, state, effect, attack))

    kept = tuple(filter(holds, state.mode.active_effects))
    begun = {(each.owner, each.effect_number) for each in kept}
    effects = enumerate(game.miniatures[attack.attacker].effects)
    started = [
        ActiveEffect(attack.attacker, number, _affected(game, state, effect, attack), "attack")
        for number, effect in effects
        if (attack.attacker, number) not in begun and _starts_with(game, state, effect, attack)
    ]
    return State(state.mode._replace(active_effects=kept), state.counters).add_effects(*started)


def _is_called_for(game: Game, state: State, effect: BoundEffect, attack: AttackAction) -> bool:
    return meets_condition(game, state, effect.condition, attack.attacker, attack)


def _starts_with(game: Game, state: State, effect: BoundEffect, attack: AttackAction) -> bool:
    """Whether an effect applies to an attack for its new target's sake, and without a choice or a die."""
    is_choosy = effect.depends_on_distance or effect.condition.against
    is_free = effect.is_certain and not (effect.span or effect.weapon or effect.condition.asks_table)
    return bool(
        is_choosy
        and is_free
        and (effect.when == "attacking" or (effect.when == "reacting" and attack.reaction))
        and meets_state(game, effect, state, attack.attacker)
        and _is_called_for(game, state, effect, attack)
    )


def _affected(
    game: Game, state: State, effect: BoundEffect, attack: AttackAction
) -> tuple[tuple[str, tuple[int, ...]], ...]:
    return tuple((party, party_members(game, state, attack.attacker, party, attack)) for party, _ in effect.deeds)


def _distance_in_line(game: Game, attack: AttackAction) -> int | None:
    """The distance of miniatures in between where nobody measures."""
    return attack.distance if game.distance_between is None else game.distance_between
