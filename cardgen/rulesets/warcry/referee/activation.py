"""An activation against one target: up to two actions and an ability."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from cardgen.game import Log, MemoizedCall, Procedure
from cardgen.rulesets.warcry.referee.ability_changes import Volley, resolve_volley
from cardgen.rulesets.warcry.referee.amounts import roll_amount
from cardgen.rulesets.warcry.referee.attack import PreparedAttack, resolve_attack
from cardgen.rulesets.warcry.referee.disengage import ADJACENT, DISENGAGE_MOVE, strike_them_down
from cardgen.rulesets.warcry.referee.fighter import FighterStats, in_range

ACTIONS = 2


class ActivationState(NamedTuple):
    """Damage points of target and attacker, and the inches between them.

    `has_attacked` says whether the changes for a single attack are over.
    """

    target: int
    attacker: int
    distance: int
    has_attacked: bool = True


@dataclass(frozen=True, eq=False, slots=True)
class ActivationPlan:
    """How a fighter spends an activation, its ability included.

    `attacks` are those it prefers, one for each weapon, and `first_attacks` replace them until one is made. `heal` is a
    number, 'd3' or 'd6' that the ability removes, and `heal_apart` whether that needs a target more than 1 inch away.
    `bonus_move` is in inches. `bonus_attack_range` is the distance in inches within which the ability gives an attack,
    -1 for none. With `strikes` the target answers a disengage action. With `hemmed_in` another enemy is within 1 inch
    at first. `actions` are those beside the ability, and `volleys` the damage that it allocates. A plan equals only
    itself, as it is part of many memoized calls.
    """

    attacker: FighterStats
    target: FighterStats
    attacks: tuple[PreparedAttack, ...]
    heal: int | str = 0
    heal_apart: bool = False
    bonus_move: int | str = 0
    bonus_attack_range: int = -1
    strikes: bool = False
    hemmed_in: bool = False
    actions: int = ACTIONS
    first_attacks: tuple[PreparedAttack, ...] = ()
    volleys: tuple[Volley, ...] = ()

    def is_target_down(self, state: ActivationState) -> bool:
        """Whether the target has as many damage points as Wounds."""
        return state.target >= self.target.wounds

    def is_attacker_down(self, state: ActivationState) -> bool:
        """Whether the attacker is taken down by a reaction."""
        return state.attacker >= self.attacker.wounds

    def is_over(self, state: ActivationState) -> bool:
        """Whether one of the two is taken down."""
        return self.is_target_down(state) or self.is_attacker_down(state)

    def attack_in_range(self, distance: int, has_attacked: bool = True) -> PreparedAttack | None:
        """Return the first attack in range, with the target's reaction, or None."""
        attacks = self.attacks if has_attacked else self.first_attacks
        return next((attack for attack in attacks if in_range(attack.weapon, distance)), None)


def activate(plan: ActivationPlan, reactions: int, state: ActivationState) -> Procedure[ActivationState]:
    """Activate once: the ability first, then two actions.

    An action is an attack if a weapon is in range, or else a move or a disengage action. The target answers the first
    `reactions` of the actions that it can answer. Nothing happens if one of the two is taken down already.
    """
    if plan.is_over(state):
        return state
    state, reactions = yield from _use_ability(plan, reactions, state._replace(has_attacked=not plan.first_attacks))
    state = yield MemoizedCall(take_actions, (plan, reactions, plan.actions, state))
    return state._replace(has_attacked=True)


def _use_ability(
    plan: ActivationPlan, reactions: int, state: ActivationState
) -> Procedure[tuple[ActivationState, int]]:
    """Use the ability; return the reactions left too."""
    name = plan.attacker.name
    if plan.heal and not (plan.heal_apart and state.distance <= ADJACENT):
        points = yield from roll_amount(plan.heal, name)
        state = state._replace(attacker=max(0, state.attacker - points))
        yield Log("{} removes {} damage points", (name, points))
    for volley in plan.volleys if not plan.is_over(state) else ():
        if state.distance <= volley.within:
            points = yield MemoizedCall(resolve_volley, (volley, name))
            state = state._replace(target=min(plan.target.wounds, state.target + points))
    if plan.bonus_move:
        inches = yield from roll_amount(plan.bonus_move, name)
        state = _bonus_move(plan, state, inches)
    if (
        not plan.is_over(state)
        and state.distance <= plan.bonus_attack_range
        and (attack := plan.attack_in_range(state.distance, state.has_attacked))
    ):
        return (yield from _make_attack(plan, attack, reactions, state))
    return state, reactions


def take_actions(
    plan: ActivationPlan, reactions: int, actions_left: int, state: ActivationState
) -> Procedure[ActivationState]:
    """Take the actions that are left while both stand."""
    if not actions_left or plan.is_over(state):
        return state
    is_hemmed_in = plan.hemmed_in and actions_left == plan.actions
    state, reactions = yield from take_action(plan, reactions, state, is_hemmed_in)
    state = yield MemoizedCall(take_actions, (plan, reactions, actions_left - 1, state))
    return state


def take_action(
    plan: ActivationPlan, reactions: int, state: ActivationState, is_hemmed_in: bool = False
) -> Procedure[tuple[ActivationState, int]]:
    """Attack, disengage, or move; return the reactions left too."""
    if attack := plan.attack_in_range(state.distance, state.has_attacked):
        return (yield from _make_attack(plan, attack, reactions, state))
    if is_hemmed_in or state.distance <= ADJACENT:
        return (yield from _disengage(plan, reactions, state))
    state = _move_closer(plan, state, plan.attacker.move)
    yield Log("{} moves to {} inches", (plan.attacker.name, state.distance))
    return state, reactions


def _make_attack(
    plan: ActivationPlan, attack: PreparedAttack, reactions: int, state: ActivationState
) -> Procedure[tuple[ActivationState, int]]:
    """Attack; return the reactions left too.

    Damage is allocated point by point up to the Wounds, and the rest is lost.
    """
    if not reactions:
        attack = attack._replace(reaction="")
    damage = yield MemoizedCall(resolve_attack, (attack,))
    target = min(plan.target.wounds, state.target + damage.target)
    attacker = min(plan.attacker.wounds, state.attacker + damage.attacker)
    yield Log("{} has {} damage points of {}", (plan.target.name, target, plan.target.wounds))
    return ActivationState(target, attacker, state.distance), max(0, reactions - 1)


def _disengage(plan: ActivationPlan, reactions: int, state: ActivationState) -> Procedure[tuple[ActivationState, int]]:
    """Disengage, which the target may answer.

    With an enemy within 1 inch no move action is possible; a disengage action goes up to 3 inches and ends more than
    1 inch away (core rules: Disengage Actions).
    """
    name, wounds = plan.attacker.name, plan.attacker.wounds
    after = _move_closer(plan, state, DISENGAGE_MOVE if plan.attacker.move else 0)
    is_beside_target = state.distance <= ADJACENT
    if not is_beside_target:
        after = after._replace(distance=max(ADJACENT + 1, after.distance))
    elif after.distance <= ADJACENT:
        yield Log("{} stays where it is", (name,))
        return state, reactions
    if plan.strikes and reactions and is_beside_target:
        points = yield MemoizedCall(strike_them_down, (name,))
        after = after._replace(attacker=min(wounds, state.attacker + points))
        yield Log("{} has {} damage points of {}", (name, after.attacker, wounds))
        reactions -= 1
    if plan.is_attacker_down(after):
        return after._replace(distance=state.distance), reactions
    yield Log("{} disengages to {} inches", (name, after.distance))
    return after, reactions


def _bonus_move(plan: ActivationPlan, state: ActivationState, inches: int) -> ActivationState:
    """Move with an ability, if no enemy is within 1 inch.

    Go as close as its bonus attack needs if the move is long enough, or else into range.
    """
    nearest, attack_range = state.distance - inches, plan.bonus_attack_range
    if plan.hemmed_in or state.distance <= ADJACENT:
        return state
    if nearest <= attack_range < state.distance and plan.attack_in_range(attack_range):
        return state._replace(distance=attack_range)
    return _move_closer(plan, state, inches)


def _move_closer(plan: ActivationPlan, state: ActivationState, inches: int) -> ActivationState:
    """Move straight into range of the first weapon, or toward it."""
    weapon = plan.attacks[0].weapon
    nearest_in_range = min(max(state.distance, weapon.min_range), weapon.range)
    way = nearest_in_range - state.distance
    return state._replace(distance=state.distance + max(-inches, min(inches, way)))
