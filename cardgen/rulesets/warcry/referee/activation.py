"""An activation against one target: up to two actions and an ability."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from cardgen.game import Log, MemoizedCall, Procedure, Roll
from cardgen.rulesets.warcry.referee.attack import PreparedAttack, resolve_attack
from cardgen.rulesets.warcry.referee.fighter import FighterStats, in_range

ACTIONS = 2
ADJACENT = 1


class ActivationState(NamedTuple):
    """Damage points that target and attacker have, and the inches between them."""

    target: int
    attacker: int
    distance: int


@dataclass(frozen=True, eq=False, slots=True)
class ActivationPlan:
    """How a fighter spends an activation: the attacks it prefers, one for each weapon, with the ability counted in.

    `heal` is a number, 'd3' or 'd6' that the ability removes, `bonus_move` inches and `bonus_attack` what it gives
    beside the two actions. A plan equals only itself, as it is part of many memoized calls.
    """

    attacker: FighterStats
    target: FighterStats
    attacks: tuple[PreparedAttack, ...]
    heal: int | str = 0
    bonus_move: int | str = 0
    bonus_attack: bool = False

    def is_target_down(self, state: ActivationState) -> bool:
        """Whether the target is taken down: it has as many damage points as Wounds."""
        return state.target >= self.target.wounds

    def is_attacker_down(self, state: ActivationState) -> bool:
        """Whether the attacker is taken down, by Counter."""
        return state.attacker >= self.attacker.wounds

    def attack_in_range(self, distance: int) -> PreparedAttack | None:
        """The first attack that reaches so far, with the target's reaction; None where no weapon does."""
        return next((attack for attack in self.attacks if in_range(attack.weapon, distance)), None)


def activate(plan: ActivationPlan, reactions: int, state: ActivationState) -> Procedure[ActivationState]:
    """One activation: the ability first, then two actions, each an attack where a weapon reaches, or else a move.

    The target answers the first `reactions` attacks; the rest of the damage is lost where a fighter is taken down.
    Nothing happens where one of the two is taken down already.
    """
    if plan.is_target_down(state) or plan.is_attacker_down(state):
        return state
    name = plan.attacker.name
    if plan.heal:
        points = yield from _roll_amount(plan.heal, name)
        state = state._replace(attacker=max(0, state.attacker - points))
        yield Log("{} removes {} damage points", (name, points))
    if plan.bonus_move:
        inches = yield from _roll_amount(plan.bonus_move, name)
        state = _move_closer(plan, state, inches)
    if plan.bonus_attack and state.distance <= ADJACENT and (attack := plan.attack_in_range(state.distance)):
        state, reactions = yield from _make_attack(plan, attack, reactions, state)
    state = yield MemoizedCall(take_actions, (plan, reactions, ACTIONS, state))
    return state


def take_actions(
    plan: ActivationPlan, reactions: int, actions_left: int, state: ActivationState
) -> Procedure[ActivationState]:
    """The actions that are left while both stand."""
    if not actions_left or plan.is_target_down(state) or plan.is_attacker_down(state):
        return state
    state, reactions = yield from take_action(plan, reactions, state)
    state = yield MemoizedCall(take_actions, (plan, reactions, actions_left - 1, state))
    return state


def take_action(plan: ActivationPlan, reactions: int, state: ActivationState) -> Procedure[tuple[ActivationState, int]]:
    """An attack where a weapon reaches, or else a move; returns the reactions that are left too."""
    if attack := plan.attack_in_range(state.distance):
        return (yield from _make_attack(plan, attack, reactions, state))
    state = _move_closer(plan, state, plan.attacker.move)
    yield Log("{} moves to {} inches", (plan.attacker.name, state.distance))
    return state, reactions


def _make_attack(
    plan: ActivationPlan, attack: PreparedAttack, reactions: int, state: ActivationState
) -> Procedure[tuple[ActivationState, int]]:
    """An attack; damage is allocated point by point up to the Wounds, and the rest is lost."""
    if not reactions:
        attack = attack._replace(reaction="")
    damage = yield MemoizedCall(resolve_attack, (attack,))
    target = min(plan.target.wounds, state.target + damage.target)
    attacker = min(plan.attacker.wounds, state.attacker + damage.attacker)
    yield Log("{} has {} damage points of {}", (plan.target.name, target, plan.target.wounds))
    return ActivationState(target, attacker, state.distance), max(0, reactions - 1)


def _move_closer(plan: ActivationPlan, state: ActivationState, inches: int) -> ActivationState:
    """A move straight at the target, until the first weapon is in range; out of reach it goes as far as it can."""
    weapon = plan.attacks[0].weapon
    nearest_in_range = min(max(state.distance, weapon.min_range), weapon.range)
    way = nearest_in_range - state.distance
    return state._replace(distance=state.distance + max(-inches, min(inches, way)))


def _roll_amount(amount: int | str, who: str) -> Procedure[int]:
    """A number, D3 (half a D6, rounded up) or D6."""
    if not isinstance(amount, str):
        return amount
    face = yield Roll(amount, who, amount.upper())
    return (int(face) + 1) // 2 if amount == "d3" else int(face)
