"""An activation against one target: up to two actions and an ability."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, NamedTuple

from cardgen.game import (
    Die,
    Idle,
    Log,
    MemoizedCall,
    OddsSolver,
    OddsTable,
    Parameter,
    PreparedTrial,
    Procedure,
    Roll,
    RulesConfig,
    card_of_kind,
    distribution_table,
    optional_card,
    plain_data,
    quantity,
)
from cardgen.rulesets.warcry.cards import Ability, Blessing, Fighter
from cardgen.rulesets.warcry.changes import NUMBERS, Change
from cardgen.rulesets.warcry.referee.attack import (
    CARDS,
    COUNTER,
    IN_ATTACK,
    REACTIONS,
    TAKE_COVER,
    AttackActionSituation,
    AttackSetup,
    PreparedAttack,
    assumed_order,
    attack_setup,
    bound_to_bonus,
    counted,
    is_own,
    resolve_attack,
    roll_amount,
    with_idle,
    without_payment,
    words_only,
)
from cardgen.rulesets.warcry.referee.fighter import MAX_DISTANCE, FighterStats, idle_cards, in_range
from cardgen.rulesets.warcry.referee.volleys import Aim, Volley, resolve_volley, volleys_of

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

    `attacks` are those it prefers, one for each weapon, and `first_attacks` replace them until one is made, or with
    `for_bonus_attack`, until the bonus attack could be made. `heal` is a
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
    for_bonus_attack: bool = False
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
        if volley.reach.contains(state.distance, state.target):
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
    return state._replace(has_attacked=state.has_attacked or plan.for_bonus_attack), reactions


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
    """Move straight into range of a weapon, the nearest way, or toward it."""
    ranges = [(attack.weapon.min_range, attack.weapon.range) for attack in plan.attacks]
    ways = [min(max(state.distance, low), high) - state.distance for low, high in ranges]
    way = min(ways, key=abs)
    return state._replace(distance=state.distance + max(-inches, min(inches, way)))


STRIKE_THEM_DOWN = "strike-them-down"
STRIKE_FACE = 4
# How far a disengage action goes at most, and the distance at which an enemy is near.
DISENGAGE_MOVE, ADJACENT = 3, 1


def strike_them_down(who: str) -> Procedure[int]:
    """Return the damage points of a fighter that disengages. D6 on 4+, before it moves."""
    hit = yield Roll("strike", who, f"Strike Them Down, {STRIKE_FACE}+", wins=tuple(range(STRIKE_FACE, 7)))
    if not hit:
        return 0
    points = yield Roll("damage", who, "D6 damage")
    return int(points)


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

    @property
    def is_activation(self) -> bool:
        """Whether the attack is one of several."""
        return True


def set_up_activation(situation: ActivationSituation, config: RulesConfig) -> PreparedTrial:
    """Set up activations against one target. Raises ValueError for an attack or ability that the rules do not allow."""
    if situation.again and situation.ability is None:
        raise ValueError("--again repeats an ability; choose one with --ability")
    if situation.reactions > 1 and situation.reaction is None:
        raise ValueError("--reactions counts the actions that the target answers; choose its answer with --reaction")
    first = _plan(situation, config, ability=True)
    plans = (first, *_later_plans(situation, config, first))
    distance = first.attacks[0].weapon.range if situation.distance is None else situation.distance
    ability = _ability_id(situation)
    if ability == RESPITE and (situation.enemies_near or distance <= ADJACENT):
        raise ValueError("Respite cannot be used within 1 inch of an enemy")
    if ability == RECKONING and not situation.half_down:
        raise ValueError("Reckoning needs half of the warband taken down")
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

    attacks = [attack for plan in plans for attack in (*plan.attacks, *plan.first_attacks)]
    answered = situation.reactions * situation.activations
    notes = (
        *words_only(situation, _applied(situation, config)),
        *_idle_reaction(situation, first, distance),
        *assumed_order(attack_setup(situation, config), attacks, answered),
    )
    count = quantity(len(plans), "activation")
    return PreparedTrial(
        f"{first.attacker.name} against {first.target.name}: {count}",
        procedure,
        outcome_lines,
        plain_data,
        lambda: _activation_tables(plans, situation.reactions, start),
        with_idle(
            notes, lambda sure: idle_cards(situation, CARDS, partial(_figures, config=config), "activation", sure)
        ),
    )


def _later_plans(
    situation: ActivationSituation, config: RulesConfig, first: ActivationPlan
) -> Iterator[ActivationPlan]:
    """Yield the plans of the activations after the first, which are in the battle rounds after that one."""
    later = first if situation.again or situation.ability is None else _plan(situation, config, ability=False)
    for count in range(1, situation.activations):
        if situation.round is not None:
            then = replace(situation, round=situation.round + count)
            later = _plan(then, config, ability=situation.again)
        yield replace(later, hemmed_in=False) if later.hemmed_in else later


def _figures(situation: ActivationSituation, config: RulesConfig) -> object:
    """Return all that the odds of an activation with the ability depend on."""
    paid = without_payment(situation)
    assert isinstance(paid, ActivationSituation)
    plan = _plan(paid, config, ability=True)
    attacks, first_attacks = (
        [(attack.figures, attack.weapon.min_range, attack.weapon.range) for attack in each]
        for each in (plan.attacks, plan.first_attacks)
    )
    own = plan.attacker.move, plan.attacker.wounds, plan.heal, plan.bonus_move, plan.bonus_attack_range, plan.volleys
    return own, plan.target.wounds, attacks, first_attacks, plan.actions


def _idle_reaction(situation: ActivationSituation, plan: ActivationPlan, distance: int) -> Iterator[Idle]:
    """Yield that the target's reaction is never made, because the attacker does nothing that it answers."""
    if situation.reaction == STRIKE_THEM_DOWN:
        if distance > ADJACENT or plan.attack_in_range(distance):
            yield Idle(f"Strike Them Down: {plan.attacker.name} does not disengage from {plan.target.name}")
    elif situation.reaction and not any(attack.reaction for attack in plan.attacks):
        wanted = "melee" if situation.reaction == COUNTER else "missile"
        reaction = situation.reaction.replace("-", " ").title()
        yield Idle(f"{reaction}: {plan.attacker.name} makes no {wanted} attacks")


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
    volleys, _ = volleys_of(setup.ability_changes, _aim(setup))
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
        bool(bound_to_bonus(setup.ability_changes, "attack")),
        situation.reaction == STRIKE_THEM_DOWN,
        situation.enemies_near,
        ACTIONS - (ability and _is_action(situation)),
        () if first_attacks == attacks else first_attacks,
        volleys,
    )


def _aim(setup: AttackSetup) -> Aim:
    """Return what decides whether the ability of an activation reaches its target."""
    situation, target = setup.situation, setup.target
    card, blessing = card_of_kind(situation.target, Fighter), optional_card(situation.target_blessing, Blessing)
    return Aim(
        setup.attacker,
        target,
        card.points + (blessing.price(card) if blessing else 0),
        counted(target.toughness, setup.config.rulings),
        situation.value or 0,
        not getattr(situation, "enemies_near", False),
    )


# What an activation does for the fighter that uses an ability, and what only leads to what happens.
_FOR_USER = {*NUMBERS, *IN_ATTACK, "heal", "bonus_move", "bonus_attack"}
_PREPARES = {"only_if", "not_if", "pick", "roll", "roll_each", "only_for", "not_for"}


def _applied(situation: ActivationSituation, config: RulesConfig) -> set[int]:
    """Return the places of the changes of the ability that an activation applies."""
    setup = attack_setup(situation, config)
    changes = setup.ability_changes
    applied = {*volleys_of(changes, _aim(setup))[1]}
    bound = {act: bound_to_bonus(changes, act) for act in ("attack", "move")}
    for place, change in enumerate(changes):
        keys = change.model_fields_set & {*Change.FIELDS}
        is_lost = any(place in places and not setup.gives(f"bonus_{act}") for act, places in bound.items())
        is_lost |= "move" in (change.next, change.span) and place not in bound["move"]
        if keys <= _PREPARES or (is_own(change) and keys <= _FOR_USER and not is_lost):
            applied.add(place)
    return applied


def _attacks(setup: AttackSetup, attacker: FighterStats) -> tuple[PreparedAttack, ...]:
    """Return the attacks of the attacker: with the chosen weapon first, and with the others unless one was named."""
    situation, chosen = setup.situation, setup.attacker.weapons.index(setup.weapon)
    weapons = (attacker.weapons[chosen], *(arm for place, arm in enumerate(attacker.weapons) if place != chosen))
    now = setup._replace(attacker=attacker)
    return tuple(
        now.attack(
            weapon, situation.reaction if situation.reaction == (COUNTER if weapon.melee else TAKE_COVER) else None
        )
        for weapon in weapons[: 1 if situation.weapon else None]
    )


def _bonus_attack_range(setup: AttackSetup, ability: str, enemies_near: bool) -> int:
    """Return the distance to the target within which the ability gives an attack.

    In inches, -1 for none. Reckoning's is 1 inch, unless another enemy is that near.
    """
    if not setup.gives("bonus_attack"):
        return -1
    return ADJACENT if ability == RECKONING and not enemies_near else MAX_DISTANCE
