"""One activation in a battle: actions, measurements, and reactions."""

from __future__ import annotations

from cardgen.game import Decision, Log, Procedure, in_scope
from cardgen.rulesets.warniris.referee import modifiers
from cardgen.rulesets.warniris.referee.attack import (
    ATTACK_POINTS,
    CHARGE_POINTS,
    MOVE_POINTS,
    resolve_attack,
    resolve_pending,
)
from cardgen.rulesets.warniris.referee.battle import movement
from cardgen.rulesets.warniris.referee.battle.action_menu import (
    ATTACK,
    MOVE,
    REACT,
    USE,
    Plan,
    choose_plans,
    is_possible,
)
from cardgen.rulesets.warniris.referee.battle.attack_action import AttackAction, weapon_of
from cardgen.rulesets.warniris.referee.battle.crowd import minions
from cardgen.rulesets.warniris.referee.battle.event_log import log_event, log_move
from cardgen.rulesets.warniris.referee.battle.marks import NO, YES, end_activation_marks
from cardgen.rulesets.warniris.referee.battle.movement import measure_attack, out_of_range
from cardgen.rulesets.warniris.referee.effects.auras import ask_auras, ask_for_move
from cardgen.rulesets.warniris.referee.effects.conditions import changes_more_than_movement
from cardgen.rulesets.warniris.referee.effects.effects import (
    start_activation,
    start_acts,
    start_effects,
    use_effects,
)
from cardgen.rulesets.warniris.referee.game import Game
from cardgen.rulesets.warniris.referee.reaction_offers import (
    PLAIN_MOVE_POINTS,
    ask_late,
    ask_reactions,
    offer_later,
    react_to_move,
)
from cardgen.rulesets.warniris.referee.sight import ask_crossed
from cardgen.rulesets.warniris.referee.state import State


def activate(game: Game, state: State, who: int, actions: int) -> Procedure[State]:
    """An activation with a number of actions (section 6; ruling `same-action`)."""
    state = yield from begin_activation(game, state, who)
    taken: tuple[str, ...] = ()
    plans: list[Plan] = []
    while state.stands(who) and not game.is_over(state):
        allowed = actions + modifiers.extra_actions(game, state, who)
        if len(taken) >= allowed:
            break
        plans = plans or (yield from choose_plans(game, state, who, allowed, taken))
        if not plans:
            break
        plan, plans = plans[0], plans[1:]
        if not is_possible(game, state, who, plan, taken):
            if plan.target < 0 or state.stands(plan.target):
                yield Log("not possible any more: {}", (plan.weapon or plan.kind,))
            plans = []
            continue
        state, used = yield from _follow(game, state, who, plan, len(taken))
        taken += used
        if plans and plans[0].kind != MOVE:
            state = yield from ask_late(game, state)
    return (yield from end_activation(game, state, who))


def _follow(game: Game, state: State, who: int, plan: Plan, taken: int) -> Procedure[tuple[State, tuple[str, ...]]]:
    """Do what was chosen in the menu; return the action that it was, unless it was none or impossible."""
    if plan.kind == USE:
        return (yield from use_effects(game, state, who, plan.effects)), ()
    if plan.kind == REACT:
        return (yield from in_scope(f"action {taken}", react_to_move(game, state, who))), ()
    return (yield from follow_plan(game, state, who, plan, taken + 1))


def begin_activation(game: Game, state: State, who: int) -> Procedure[State]:
    """Start an activation. What may be used in it is in the menu of its first action."""
    state = state.begin_activation(who).set_status(who, state.mode.statuses[who]._replace(has_acted=True))
    return (yield from start_activation(game, state, who, is_automatic=True))


def end_activation(game: Game, state: State, who: int) -> Procedure[State]:
    """End an activation. Nothing tells Minions apart, so nothing noted about them is kept."""
    if state.stands(who):
        state = yield from start_effects(game, state, "activation_end", (who,))
    game.notes.forget(minions(game))
    return end_activation_marks(game, state.end_window("activation"))


def follow_plan(
    game: Game, state: State, who: int, plan: Plan, count: int, *, in_group: bool = False
) -> Procedure[tuple[State, tuple[str, ...]]]:
    """Take the action of a plan, the one with this count; return which one. An impossible one is not used up."""
    action = _take_action(game, state, who, plan, in_group=in_group)
    state, used = yield from in_scope(f"action {count}", action)
    return state.end_window("action"), (used,) * bool(used)


def _take_action(game: Game, state: State, who: int, plan: Plan, *, in_group: bool) -> Procedure[tuple[State, str]]:
    if plan.kind != MOVE:
        return (yield from _take_attack(game, state, AttackAction(who, plan.target, plan.weapon)))
    if plan.passes_enemies or in_group or _decides_reactions_first(game, who):
        return (yield from _take_move(game, state, who, passes_enemies=plan.passes_enemies)), MOVE
    return (yield from _take_plain_move(game, state, who)), MOVE


def _decides_reactions_first(game: Game, who: int) -> bool:
    """Whether it matters that reactions to a Move come before what follows it."""
    return (
        game.rulings["reaction-when"] == "before-dice"
        or game.rulings["reaction-chain"] == "allowed"
        or game.has_trigger(who, "activation_end")
        or "enemy_moved" in game.triggers
        or any(changes_more_than_movement(effect) for effect in game.miniatures[who].effects)
    )


def _take_plain_move(game: Game, state: State, who: int) -> Procedure[State]:
    """Make a Move that needs no die; enemies say at the next question whether they react to it."""
    state, distance = yield from _begin_move(game, state, who)
    game.notes.move(who, distance)
    offer_later(game, state, who)
    state = log_move(game, state, who, 0, failed=False)
    return state.end_window("move")


def _begin_move(game: Game, state: State, who: int) -> Procedure[tuple[State, int]]:
    """Start what applies to a Move; return how far it may go, in cm."""
    promised = movement.expected_movement(game, state, who)
    state = yield from start_effects(game, state, "moving", (who,))
    state = yield from ask_for_move(game, state, who)
    distance = modifiers.move_distance(game, state, who)
    if distance != promised:
        yield Log("{} may Move up to {} cm", (game.name(who), distance))
    return state, distance


def _take_move(game: Game, state: State, who: int, *, passes_enemies: bool) -> Procedure[State]:
    """Make a Move, with reactions and Body tests (section 6)."""
    state, distance = yield from _begin_move(game, state, who)
    state = yield from ask_reactions(game, state, who, MOVE_POINTS if passes_enemies else PLAIN_MOVE_POINTS)
    if state.stands(who):
        game.notes.move(who, distance)
        waiting = len(state.mode.pending_reactions)
        state = yield from resolve_pending(game, state, who, "way")
        if state.stands(who) and len(state.mode.pending_reactions) != waiting:
            game.notes.move(who, distance)
        if state.stands(who):
            most = len(game.enemies(state, who))
            crossed = (yield from ask_crossed(game, who, most)) if passes_enemies else 0
            passed = yield from movement.cross_enemies(game, state, who, crossed)
            state = log_move(game, state, who, passed, failed=passed < crossed)
    state = yield from start_acts(game, state.end_window("move"), "enemy_moved", who)
    return (yield from resolve_pending(game, state, who, "end"))


def _take_attack(game: Game, state: State, attack: AttackAction) -> Procedure[tuple[State, str]]:
    """Make an attack or a channel, with measurements and reactions; return '' if it was impossible."""
    who = attack.attacker
    attack, problem = yield from measure_attack(game, state, attack)
    charges = yield from _decide_charge(game, state, attack, problem)
    if problem and not charges:
        yield Log("not possible: {}", (problem,))
        return state, ""
    state = log_event(game, state, "aim", who, attack.target, attack)
    state = yield from ask_reactions(game, state, who, _reaction_points(game, state, attack, charges=charges), attack)
    if charges:
        state = yield from _charge_and_attack(game, state, attack)
    elif state.stands(who) and state.stands(attack.target):
        state = yield from _attack_after_reactions(game, state, attack)
    state = log_event(game, state, "done", who, attack.target, None)
    return (yield from resolve_pending(game, state, who, "end")), ATTACK


def _attack_after_reactions(game: Game, state: State, attack: AttackAction) -> Procedure[State]:
    """Make an attack without a Move; where a reaction has moved somebody, it is measured again."""
    attack, problem = yield from measure_attack(game, state, attack)
    problem = problem or out_of_range(game, state, attack)
    if problem:
        yield Log("not possible: {}", (problem,))
        return state
    return (yield from _attack(game, state, attack))


def _reaction_points(game: Game, state: State, attack: AttackAction, *, charges: bool) -> dict[str, str]:
    """Return the moments that an attack has; without a Test, nothing comes between its beginning and its end."""
    if charges:
        return CHARGE_POINTS
    return ATTACK_POINTS if weapon_of(game, state, attack).needs_test else {"before": ATTACK_POINTS["before"]}


def _decide_charge(game: Game, state: State, attack: AttackAction, problem: str) -> Procedure[bool]:
    """Return whether a free Move comes first: because it must, or to get past a gap or miniatures in between."""
    if _may_charge(game, state, attack, problem):
        return True
    brings_move = movement.has_free_move(game, attack, weapon_of(game, state, attack).type)
    if problem or not brings_move or not (attack.gap or attack.between):
        return False
    what = "makes its free Move first"
    return bool((yield Decision("free move", game.name(attack.attacker), what, (NO, YES))) == YES)


def _may_charge(game: Game, state: State, attack: AttackAction, problem: str) -> bool:
    """Return whether a free Move comes first: the target is out of Range or hidden."""
    brings_move = movement.has_free_move(game, attack, weapon_of(game, state, attack).type)
    if not brings_move or movement.out_of_charge_range(game, state, attack):
        return False
    return bool(problem or out_of_range(game, state, attack))


def _charge_and_attack(game: Game, state: State, attack: AttackAction) -> Procedure[State]:
    """Make a free Move, with reactions part-way, and the attack after it."""
    if state.mode.pending_reactions:
        game.notes.move(attack.attacker, movement.free_movement(game, state, attack.attacker))
    state = yield from resolve_pending(game, state, attack.attacker, "way")
    if state.stands(attack.attacker) and state.stands(attack.target):
        state, after_move = yield from movement.charge(game, state, attack)
        if after_move:
            state = yield from _attack(game, state, after_move)
    return state


def _attack(game: Game, state: State, attack: AttackAction) -> Procedure[State]:
    state = yield from ask_auras(game, state, attack)
    return (yield from resolve_attack(game, state, attack))
