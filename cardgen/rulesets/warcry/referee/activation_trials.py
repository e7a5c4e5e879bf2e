"""The activation trial: its situation, the attacker's plans, and odds tables."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated

from cardgen.game import (
    Die,
    OddsSolver,
    OddsTable,
    Parameter,
    PreparedTrial,
    Procedure,
    RulesConfig,
    distribution_table,
    optional_card,
    plain_data,
    quantity,
)
from cardgen.rulesets.warcry.cards import Ability
from cardgen.rulesets.warcry.referee.ability_changes import is_own, volleys_of
from cardgen.rulesets.warcry.referee.activation import ACTIONS, ActivationPlan, ActivationState, activate
from cardgen.rulesets.warcry.referee.attack import COUNTER, REACTIONS, TAKE_COVER, PreparedAttack
from cardgen.rulesets.warcry.referee.attack_trials import AttackActionSituation, AttackSetup, attack_setup, words_only
from cardgen.rulesets.warcry.referee.disengage import ADJACENT, STRIKE_THEM_DOWN
from cardgen.rulesets.warcry.referee.fighter import MAX_DISTANCE, FighterStats
from cardgen.rulesets.warcry.weapon import Weapon

RESPITE, RECKONING = "respite", "reckoning"
ALL_REACTIONS = (*REACTIONS, STRIKE_THEM_DOWN)


@dataclass(frozen=True, slots=True)
class ActivationSituation(AttackActionSituation):
    """One activation or more: two actions each, and an ability in the first."""

    reaction: Annotated[str | None, Parameter("word", "Target's reaction.", words=ALL_REACTIONS)] = None
    activations: Annotated[int, Parameter("number", "Number of activations.", low=1, high=6)] = 2
    reactions: Annotated[int, Parameter("number", "Actions in each activation that the target answers.", high=2)] = 1
    again: Annotated[bool, Parameter("flag", "Use the ability in every activation.")] = False
    enemies_near: Annotated[bool, Parameter("flag", "Another enemy is within 1 inch of the attacker at first.")] = False
    half_down: Annotated[bool, Parameter("flag", "Half or more of the attacker's warband is taken down.")] = False


def set_up_activation(situation: ActivationSituation, config: RulesConfig) -> PreparedTrial:
    """Set up activations against one target.

    Raises ValueError for an attack or ability that the rules do not allow.
    """
    if situation.again and situation.ability is None:
        raise ValueError("--again repeats an ability; name one with --ability")
    if situation.reactions > 1 and situation.reaction is None:
        raise ValueError("--reactions counts the actions that the target answers; name its answer with --reaction")
    first = _plan(situation, config, ability=True)
    later = first if situation.again or situation.ability is None else _plan(situation, config, ability=False)
    if situation.enemies_near:
        later = replace(later, hemmed_in=False)
    plans = (first, *[later] * (situation.activations - 1))
    distance = first.attacks[0].weapon.range if situation.distance is None else situation.distance
    _check_conditions(situation, distance)
    start = ActivationState(situation.target_damage, situation.damage, distance)

    def procedure() -> Procedure[ActivationState]:
        state = start
        for plan in plans:
            state = yield from activate(plan, situation.reactions, state)
        return state

    def outcome_lines(state: ActivationState) -> tuple[str, ...]:
        ends = ((plans[-1].target, state.target), (plans[-1].attacker, state.attacker))
        return tuple(
            f"{who.name}: taken down" if points >= who.wounds else f"{who.name}: {points} damage points of {who.wounds}"
            for who, points in ends
        )

    count = quantity(len(plans), "activation")
    return PreparedTrial(
        f"{first.attacker.name} against {first.target.name}: {count}",
        procedure,
        outcome_lines,
        plain_data,
        lambda: _activation_tables(plans, situation.reactions, start),
        tuple(words_only(situation, in_activation=True)),
    )


def _activation_tables(
    plans: tuple[ActivationPlan, ...], reactions: int, start: ActivationState
) -> tuple[OddsTable, ...]:
    """Return the odds tables of the activations.

    They say who is taken down by the end of each, and the damage points of both after the last: the attacker's only
    if they can change.
    """
    solver, die = OddsSolver(), Die.constant(start)
    target_down, attacker_down = [], []
    for count, plan in enumerate(plans, 1):
        die = die.flat_map(partial(solver.distribution, activate, plan, reactions))
        words = f"within {quantity(count, 'activation')}"
        target_down.append((f"{plan.target.name} {words}", die.chance(plan.is_target_down)))
        attacker_down.append((f"{plan.attacker.name} {words}", die.chance(plan.is_attacker_down)))
    chances = (*target_down, *(row for row in attacker_down if row[1]))
    points, own = die.map(lambda state: state.target), die.map(lambda state: state.attacker)
    tables = [
        OddsTable("Taken down", chances=chances),
        distribution_table(f"Damage points of {plans[0].target.name}", points),
    ]
    if own.chance_of(start.attacker) < 1:
        tables.append(distribution_table(f"Damage points of {plans[0].attacker.name}", own))
    return tuple(tables)


def _check_conditions(situation: ActivationSituation, distance: int) -> None:
    """Raise ValueError if the condition of Respite or Reckoning does not hold."""
    ability = _ability_id(situation)
    if ability == RESPITE and (situation.enemies_near or distance <= ADJACENT):
        raise ValueError("Respite cannot be used within 1 inch of an enemy")
    if ability == RECKONING and not situation.half_down:
        raise ValueError("Reckoning needs half of the warband taken down")


def _ability_id(situation: ActivationSituation) -> str:
    """Return the id of the attacker's ability, or ''."""
    ability = optional_card(situation.ability, Ability)
    return ability.id if ability else ""


def _is_action(situation: ActivationSituation) -> bool:
    """Return whether the attacker's ability takes one of its actions."""
    ability = optional_card(situation.ability, Ability)
    return ability is not None and ability.price == "action"


def _plan(situation: ActivationSituation, config: RulesConfig, *, ability: bool) -> ActivationPlan:
    """Plan an activation, with or without the ability.

    The chosen weapon comes first; others follow unless one was named.
    """
    setup = attack_setup(situation, config, ability=ability)
    attacks = _attacks(setup, setup.lasting)
    first_attacks = _attacks(setup, setup.attacker)
    return ActivationPlan(
        setup.lasting,
        setup.target,
        attacks,
        setup.amount("heal"),
        _ability_id(situation) == RESPITE,
        setup.amount("bonus_move"),
        _bonus_attack_range(setup, _ability_id(situation), situation.enemies_near),
        situation.reaction == STRIKE_THEM_DOWN,
        situation.enemies_near,
        ACTIONS - (ability and _is_action(situation)),
        () if first_attacks == attacks else first_attacks,
        volleys_of(setup.ability_changes, situation.value or 0, setup.target.toughness),
    )


def _attacks(setup: AttackSetup, attacker: FighterStats) -> tuple[PreparedAttack, ...]:
    """Return the attacks of the attacker: with the chosen weapon first, and with the others unless one was named."""
    situation, chosen = setup.situation, setup.attacker.weapons.index(setup.weapon)
    weapons = (attacker.weapons[chosen], *(arm for place, arm in enumerate(attacker.weapons) if place != chosen))
    now = setup._replace(attacker=attacker)
    return tuple(
        now.attack(weapon, _reaction_to(weapon, situation)) for weapon in weapons[: 1 if situation.weapon else None]
    )


def _bonus_attack_range(setup: AttackSetup, ability: str, enemies_near: bool) -> int:
    """Return the distance to the target within which the ability gives an attack.

    In inches, -1 for none. Reckoning's is 1 inch, unless another enemy is that near.
    """
    if not any(change.bonus_attack for change in setup.ability_changes if is_own(change)):
        return -1
    return ADJACENT if ability == RECKONING and not enemies_near else MAX_DISTANCE


def _reaction_to(weapon: Weapon, situation: AttackActionSituation) -> str | None:
    """Return the target's reaction to attacks of a type, or None."""
    return situation.reaction if situation.reaction == (COUNTER if weapon.melee else TAKE_COVER) else None
