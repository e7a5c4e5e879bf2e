"""An activation against one target: up to two actions and an ability."""

from __future__ import annotations

from typing import NamedTuple

from cardgen.referee.requests import Log, MemoizedCall, Procedure, Roll
from cardgen.rulesets.warcry.referee.attack import Damage, PreparedAttack, resolve_attack
from cardgen.rulesets.warcry.referee.fighter import WeaponStats

ACTIONS = 2
ADJACENT = 1


class ActivationPlan(NamedTuple):
    """How a fighter spends an activation: its name, Move and blows by weapon, with the ability counted in.

    `plain` are the blows without a reaction, in the same order. `wounds` are those of both. `heal` is a number, 'd3' or
    'd6' that the ability removes, `bonus_move` inches and `bonus_attack` what it gives beside the two actions.
    """

    name: str
    target: str
    move: int
    attacks: tuple[PreparedAttack, ...]
    unanswered_attacks: tuple[PreparedAttack, ...]
    wounds: int
    target_wounds: int
    heal: int | str = 0
    bonus_move: int | str = 0
    bonus_attack: bool = False


class ActivationState(NamedTuple):
    """Damage points that target and attacker have, and the inches between them."""

    target: int
    attacker: int
    distance: int


def both_standing(state: ActivationState, plan: ActivationPlan) -> bool:
    """Whether both still stand: a fighter with as many damage points as Wounds is taken down."""
    return state.target < plan.target_wounds and state.attacker < plan.wounds


def activate(plan: ActivationPlan, state: ActivationState, reactions: int) -> Procedure[ActivationState]:
    """One activation: the ability first, then two actions, each an attack where a weapon reaches, or else a move.

    The target answers the first `reactions` attacks; the rest of the damage is lost where a fighter is taken down.
    """
    if plan.heal:
        points = yield from _roll_amount(plan.heal, plan.name)
        state = state._replace(attacker=max(0, state.attacker - points))
        yield Log("{} removes {} damage points", (plan.name, points))
    if plan.bonus_move:
        inches = yield from _roll_amount(plan.bonus_move, plan.name)
        state = _move_closer(plan, state, inches)
    if plan.bonus_attack and state.distance <= ADJACENT:
        state, reactions = yield from _make_attack(plan, state, reactions)
    state = yield MemoizedCall(take_actions, (plan, state, reactions, ACTIONS))
    return state


def take_actions(
    plan: ActivationPlan, state: ActivationState, reactions: int, actions_left: int
) -> Procedure[ActivationState]:
    """The actions that are left: each an attack where a weapon reaches, or else a move."""
    if not actions_left or not both_standing(state, plan):
        return state
    if attack_in_range(plan, state.distance, answered=False) is None:
        state = _move_closer(plan, state, plan.move)
        yield Log("{} moves to {} inches", (plan.name, state.distance))
    else:
        state, reactions = yield from _make_attack(plan, state, reactions)
    after: ActivationState = yield MemoizedCall(take_actions, (plan, state, reactions, actions_left - 1))
    return after


def _make_attack(
    plan: ActivationPlan, state: ActivationState, reactions: int
) -> Procedure[tuple[ActivationState, int]]:
    attack = attack_in_range(plan, state.distance, answered=reactions > 0)
    if attack is None:
        return state, reactions
    damage = yield MemoizedCall(resolve_attack, (attack,))
    state = apply_damage(state, plan, damage)
    yield Log("{} has {} damage points of {}", (plan.target, state.target, plan.target_wounds))
    return state, max(0, reactions - 1)


def apply_damage(state: ActivationState, plan: ActivationPlan, damage: Damage) -> ActivationState:
    """The scene after damage: allocated point by point up to the Wounds; the rest is lost."""
    target = min(plan.target_wounds, state.target + damage.target)
    return ActivationState(target, min(plan.wounds, state.attacker + damage.attacker), state.distance)


def attack_in_range(plan: ActivationPlan, distance: int, *, answered: bool) -> PreparedAttack | None:
    """With what the fighter strikes at a distance; None where nothing reaches."""
    attacks = plan.attacks if answered else plan.unanswered_attacks
    return next((blow for blow in attacks if blow.weapon.in_range(distance)), None)


def _move_closer(plan: ActivationPlan, state: ActivationState, inches: int) -> ActivationState:
    """A move straight at the target, until the first weapon is in range; out of reach it goes as far as it can."""
    best = plan.unanswered_attacks[0].weapon
    wanted = _nearest_distance_in_range(best, state.distance)
    moved = min(inches, abs(state.distance - wanted))
    return state._replace(distance=state.distance - moved if wanted < state.distance else state.distance + moved)


def _nearest_distance_in_range(weapon: WeaponStats, distance: int) -> int:
    """The distance nearest to this one at which a weapon reaches."""
    return min(max(distance, weapon.min_range), weapon.max_range)


def _roll_amount(amount: int | str, who: str) -> Procedure[int]:
    """A number, D3 (half a D6, rounded up) or D6."""
    if not isinstance(amount, str):
        return amount
    face = yield Roll(amount, who, amount.upper())
    return (int(face) + 1) // 2 if amount == "d3" else int(face)
