"""An activation against one target: up to two actions and an ability, then the next one in a later battle round."""

from __future__ import annotations

from typing import NamedTuple

from cardgen.referee.requests import Call, Procedure, Roll, Say
from cardgen.rulesets.warcry.procedures.attack import Harm, Swing, strike
from cardgen.rulesets.warcry.procedures.profile import Arm

ACTIONS = 2
CLOSE = 1


class Plan(NamedTuple):
    """How a fighter spends an activation: its name, Move and blows by weapon, with the ability counted in.

    `plain` are the blows without a reaction, in the same order. `wounds` are those of both. `heal` is a number, 'd3' or
    'd6' that the ability removes, `bonus_move` inches and `bonus_attack` what it gives beside the two actions.
    """

    name: str
    target: str
    move: int
    blows: tuple[Swing, ...]
    plain: tuple[Swing, ...]
    wounds: int
    target_wounds: int
    heal: int | str = 0
    bonus_move: int | str = 0
    bonus_attack: bool = False


class Scene(NamedTuple):
    """Damage points that target and attacker have, and the inches between them."""

    target: int
    attacker: int
    distance: int


def standing(scene: Scene, plan: Plan) -> bool:
    """Whether both still stand: a fighter with as many damage points as Wounds is taken down."""
    return scene.target < plan.target_wounds and scene.attacker < plan.wounds


def activate(plan: Plan, scene: Scene, reactions: int) -> Procedure[Scene]:
    """One activation: the ability first, then two actions, each an attack where a weapon reaches, or else a move.

    The target answers the first `reactions` attacks; the rest of the damage is lost where a fighter is taken down.
    """
    if plan.heal:
        points = yield from _amount(plan.heal, plan.name)
        scene = scene._replace(attacker=max(0, scene.attacker - points))
        yield Say("{} removes {} damage points", (plan.name, points))
    if plan.bonus_move:
        inches = yield from _amount(plan.bonus_move, plan.name)
        scene = _nearer(plan, scene, inches)
    if plan.bonus_attack and scene.distance <= CLOSE:
        scene, reactions = yield from _attack(plan, scene, reactions)
    scene = yield Call(act, (plan, scene, reactions, ACTIONS))
    return scene


def act(plan: Plan, scene: Scene, reactions: int, left: int) -> Procedure[Scene]:
    """The actions that are left: each an attack where a weapon reaches, or else a move."""
    if not left or not standing(scene, plan):
        return scene
    if blow_at(plan, scene.distance, answered=False) is None:
        scene = _nearer(plan, scene, plan.move)
        yield Say("{} moves to {} inches", (plan.name, scene.distance))
    else:
        scene, reactions = yield from _attack(plan, scene, reactions)
    after: Scene = yield Call(act, (plan, scene, reactions, left - 1))
    return after


def _attack(plan: Plan, scene: Scene, reactions: int) -> Procedure[tuple[Scene, int]]:
    blow = blow_at(plan, scene.distance, answered=reactions > 0)
    if blow is None:
        return scene, reactions
    harm = yield Call(strike, (blow,))
    scene = absorbed(scene, plan, harm)
    yield Say("{} has {} damage points of {}", (plan.target, scene.target, plan.target_wounds))
    return scene, max(0, reactions - 1)


def absorbed(scene: Scene, plan: Plan, harm: Harm) -> Scene:
    """The scene after damage: allocated point by point up to the Wounds; the rest is lost."""
    target = min(plan.target_wounds, scene.target + harm.target)
    return Scene(target, min(plan.wounds, scene.attacker + harm.attacker), scene.distance)


def blow_at(plan: Plan, distance: int, *, answered: bool) -> Swing | None:
    """With what the fighter strikes at a distance; None where nothing reaches."""
    blows = plan.blows if answered else plan.plain
    return next((blow for blow in blows if blow.arm.in_range(distance)), None)


def _nearer(plan: Plan, scene: Scene, inches: int) -> Scene:
    """A move straight at the target, until the first weapon is in range; out of reach it goes as far as it can."""
    best = plan.plain[0].arm
    wanted = _edge(best, scene.distance)
    gone = min(inches, abs(scene.distance - wanted))
    return scene._replace(distance=scene.distance - gone if wanted < scene.distance else scene.distance + gone)


def _edge(arm: Arm, distance: int) -> int:
    """The distance nearest to this one at which a weapon reaches."""
    return min(max(distance, arm.near), arm.reach)


def _amount(amount: int | str, who: str) -> Procedure[int]:
    """A number, D3 (half a D6, rounded up) or D6."""
    if not isinstance(amount, str):
        return amount
    face = yield Roll(amount, who, amount.upper())
    return (int(face) + 1) // 2 if amount == "d3" else int(face)
