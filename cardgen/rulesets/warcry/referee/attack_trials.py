"""Attack and activation trials: situations, legality, modifiers, and their odds tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Annotated, NamedTuple

from cardgen.game import (
    CardData,
    Die,
    OddsSolver,
    OddsTable,
    Parameter,
    PreparedTrial,
    Procedure,
    RulesConfig,
    at_least_rows,
    card_of_kind,
    distribution_rows,
    distribution_table,
    odds,
    plain_data,
)
from cardgen.rulesets.warcry.cards import DICE, Ability
from cardgen.rulesets.warcry.changes import Change
from cardgen.rulesets.warcry.referee.activation import ActivationPlan, ActivationState, activate
from cardgen.rulesets.warcry.referee.attack import (
    COUNTER,
    REACTIONS,
    Damage,
    PreparedAttack,
    Tally,
    prepare_attack,
    resolve_attack,
    roll_hits,
)
from cardgen.rulesets.warcry.referee.fighter import (
    ABILITIES,
    BLESSINGS,
    FIGHTERS,
    MAX_DISTANCE,
    TRAITS,
    FighterStats,
    apply_changes,
    fighter_stats,
    in_range,
    not_simulated,
)
from cardgen.rulesets.warcry.weapon import Weapon

ONSLAUGHT = "onslaught"


@dataclass(frozen=True, slots=True)
class AttackActionSituation:
    """One attack action, and how the two stand to each other."""

    attacker: Annotated[CardData, Parameter("card", "Who attacks.", FIGHTERS)]
    target: Annotated[CardData, Parameter("card", "Whom.", FIGHTERS)]
    weapon: Annotated[str | None, Parameter("word", "With which weapon; the first that reaches if left out.")] = None
    distance: Annotated[
        int | None, Parameter("number", "Distance; in range if left out.", high=MAX_DISTANCE, unit="inches")
    ] = None
    cover: Annotated[bool, Parameter("flag", "The target is in cover.")] = False
    reaction: Annotated[str | None, Parameter("word", "The target's reaction.", words=REACTIONS)] = None
    ability: Annotated[CardData | None, Parameter("card", "The attacker's ability.", ABILITIES)] = None
    value: Annotated[int | None, Parameter("number", "The value of the ability's dice.", low=1, high=6)] = None
    dice: Annotated[str | None, Parameter("word", "With which dice the ability is paid for.", words=DICE)] = None
    blessing: Annotated[CardData | None, Parameter("card", "The attacker's blessing.", BLESSINGS)] = None
    target_blessing: Annotated[CardData | None, Parameter("card", "The target's blessing.", BLESSINGS)] = None
    trait: Annotated[CardData | None, Parameter("card", "The attacker's battle trait.", TRAITS)] = None
    target_trait: Annotated[CardData | None, Parameter("card", "The target's battle trait.", TRAITS)] = None
    target_ability: Annotated[CardData | None, Parameter("card", "An ability at work on the target.", ABILITIES)] = None
    damage: Annotated[int, Parameter("number", "Damage points that the attacker has already.", high=100)] = 0
    target_damage: Annotated[int, Parameter("number", "Damage points that the target has already.", high=100)] = 0


@dataclass(frozen=True, slots=True)
class ActivationSituation(AttackActionSituation):
    """One activation or more: two actions each, and an ability in the first."""

    activations: Annotated[int, Parameter("number", "How many activations.", low=1, high=6)] = 2
    reactions: Annotated[int, Parameter("number", "How many attacks of each activation it answers.", high=2)] = 1
    again: Annotated[bool, Parameter("flag", "The ability is used in every activation.")] = False
    enemies_near: Annotated[bool, Parameter("flag", "An enemy is within 1 inch of the attacker at first.")] = False
    half_down: Annotated[bool, Parameter("flag", "Half of the attacker's warband or more is taken down.")] = False


class AttackSetup(NamedTuple):
    """Attacker and target with all that changes them, the weapon, and what the ability gives besides."""

    situation: AttackActionSituation
    config: RulesConfig
    attacker: FighterStats
    target: FighterStats
    weapon: Weapon
    ability_changes: tuple[Change, ...]

    def attack(self, weapon: Weapon, reaction: str | None) -> PreparedAttack:
        """The attack with a weapon."""
        return prepare_attack(
            self.attacker,
            weapon,
            self.target,
            cover=self.situation.cover,
            reaction=reaction or "",
            rulings=self.config.rulings,
        )

    def amount(self, key: str) -> int | str:
        """What the ability gives of 'heal' or 'bonus_move': a number, 'd3', 'd6', or 0."""
        amounts = (getattr(change, key) for change in self.ability_changes)
        amount: int | str = next((each for each in amounts if each is not None), 0)
        return self.situation.value or 0 if amount == "value" else amount


def _attack_setup(situation: AttackActionSituation, config: RulesConfig, *, ability: bool = True) -> AttackSetup:
    """The two as they stand, with or without the attacker's ability. Raises ValueError where it may not be."""
    attacker = fighter_stats(situation.attacker, situation.blessing, situation.trait, situation.weapon)
    target = fighter_stats(situation.target, situation.target_blessing, situation.target_trait)
    changes = _ability_changes(situation, attacker, config) if ability else ()
    attacker = apply_changes(attacker, changes)
    if situation.target_ability is not None:
        target = apply_changes(target, card_of_kind(situation.target_ability, Ability).changes)
    attacker.require_standing(situation.damage)
    target.require_standing(situation.target_damage)
    return AttackSetup(situation, config, attacker, target, _choose_weapon(attacker, situation), changes)


def _choose_weapon(attacker: FighterStats, situation: AttackActionSituation) -> Weapon:
    """The weapon named, or the first in range."""
    if situation.weapon is not None:
        return attacker.weapon(situation.weapon)
    distance = situation.distance
    near = (weapon for weapon in attacker.weapons if distance is None or in_range(weapon, distance))
    return next(near, attacker.weapons[0])


def _ability_changes(
    situation: AttackActionSituation, attacker: FighterStats, config: RulesConfig
) -> tuple[Change, ...]:
    """What the ability changes. Raises ValueError for one that the attacker may not use, or cannot pay for."""
    if situation.ability is None:
        if situation.value is not None or situation.dice is not None:
            raise ValueError("a value, or dice, are those of an ability; name one")
        return ()
    ability = card_of_kind(situation.ability, Ability)
    missing = [name for mark, name in ability.names if mark not in attacker.runemarks]
    if missing:
        raise ValueError(f"{attacker.name} cannot use '{ability.name}': it lacks the runemark {missing[0]}")
    # A triple may pay for a double, a quad for either (ruling `onslaught`).
    price = config.rulings["onslaught"] if ability.id == ONSLAUGHT else ability.price
    if situation.dice and price in DICE and DICE.index(situation.dice) < DICE.index(price):
        raise ValueError(f"'{ability.name}' costs a {price}; a {situation.dice} does not pay for it")
    if any(change.uses_value for change in ability.changes) and situation.value is None:
        raise ValueError(f"'{ability.name}' needs the value of its dice")
    if isinstance(situation, ActivationSituation):
        _check_conditions(situation, ability)
    return ability.changes


def _check_conditions(situation: ActivationSituation, ability: Ability) -> None:
    """Raise ValueError where a universal ability's condition does not hold: Respite's, and Reckoning's."""
    if ability.id == "respite" and situation.enemies_near:
        raise ValueError("Respite cannot be used with an enemy within 1 inch")
    if ability.id == "reckoning" and not situation.half_down:
        raise ValueError("Reckoning needs half of the warband taken down")


def _not_simulated(situation: AttackActionSituation) -> Iterator[str]:
    cards = (situation.ability, situation.blessing, situation.trait)
    return not_simulated(*cards, situation.target_blessing, situation.target_trait, situation.target_ability)


def set_up_attack(situation: AttackActionSituation, config: RulesConfig) -> PreparedTrial:
    """One attack action. Raises ValueError where it may not be made."""
    setup = _attack_setup(situation, config)
    weapon = setup.weapon
    if situation.distance is not None and not in_range(weapon, situation.distance):
        reach = f"{weapon.name} reaches from {weapon.min_range} to {weapon.range} inches"
        raise ValueError(f"{reach}, and the target is {situation.distance} away")
    attack = setup.attack(weapon, situation.reaction)

    def outcome_lines(damage: Damage) -> Iterator[str]:
        yield _fate_line(setup.target, situation.target_damage, damage.target)
        if damage.attacker:
            yield _fate_line(setup.attacker, situation.damage, damage.attacker)

    return PreparedTrial.of(
        f"{attack.attacker}: {weapon.name} at {attack.target}",
        lambda: resolve_attack(attack),
        outcome_lines,
        lambda die: _attack_tables(die, attack, setup),
        _not_simulated(situation),
    )


def _fate_line(fighter: FighterStats, before: int, points: int) -> str:
    """Points are allocated one by one; at Wounds the fighter is taken down, and the rest is lost."""
    after = min(fighter.wounds, before + points)
    end = "is taken down" if after == fighter.wounds else f"has {after} damage points of {fighter.wounds}"
    return f"{fighter.name}: {points} damage, {end}"


def _attack_tables(die: Die[Damage], attack: PreparedAttack, setup: AttackSetup) -> Iterator[OddsTable]:
    who, target, dice = attack.attacker, attack.target, attack.weapon.attacks
    rolls: Die[Tally] = odds(roll_hits, dice, attack.hit_face, who)
    points, returned = die.map(lambda damage: damage.target), die.map(lambda damage: damage.attacker)
    left = setup.target.wounds - setup.situation.target_damage
    yield OddsTable(
        f"{who}: {attack.weapon.name} at {target}, {dice} dice, {attack.hit_face}+",
        chances=(
            (f"{target} is taken down", points.chance(lambda lost: lost >= left)),
            ("any damage", points.chance(bool)),
        ),
        means=(
            ("mean damage", points.mean(int)),
            ("mean hits", rolls.mean(lambda tally: tally.hits)),
            ("mean critical hits", rolls.mean(lambda tally: tally.criticals)),
        ),
    )
    yield OddsTable("Damage", distribution_rows(points), at_least_rows(points))
    if attack.reaction == COUNTER:
        own_left = setup.attacker.wounds - setup.situation.damage
        down = ((f"{who} is taken down", returned.chance(lambda lost: lost >= own_left)),)
        yield distribution_table(f"Counter: damage to {who}", returned, down)


def set_up_activation(situation: ActivationSituation, config: RulesConfig) -> PreparedTrial:
    """Activations against one target. Raises ValueError where an attack or the ability may not be made."""
    first = _plan(situation, config, ability=True)
    later = first if situation.again or situation.ability is None else _plan(situation, config, ability=False)
    plans = (first, *[later] * (situation.activations - 1))
    distance = first.attacks[0].weapon.range if situation.distance is None else situation.distance
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

    count = f"{len(plans)} {'activation' if len(plans) == 1 else 'activations'}"
    return PreparedTrial(
        f"{first.attacker.name} against {first.target.name}: {count}",
        procedure,
        outcome_lines,
        plain_data,
        lambda: _activation_tables(plans, situation.reactions, start),
        tuple(_not_simulated(situation)),
    )


def _activation_tables(
    plans: tuple[ActivationPlan, ...], reactions: int, start: ActivationState
) -> tuple[OddsTable, ...]:
    """Who is taken down by the end of each activation, and the target's damage after the last."""
    solver, die = OddsSolver(), Die.constant(start)
    target_down, attacker_down = [], []
    for count, plan in enumerate(plans, 1):
        die = die.flat_map(partial(solver.distribution, activate, plan, reactions))
        words = f"within {count} activation{'' if count == 1 else 's'}"
        target_down.append((f"{plan.target.name} {words}", die.chance(plan.is_target_down)))
        attacker_down.append((f"{plan.attacker.name} {words}", die.chance(plan.is_attacker_down)))
    chances = (*target_down, *(row for row in attacker_down if row[1]))
    points = die.map(lambda state: state.target)
    return (
        OddsTable("Taken down", chances=chances),
        distribution_table(f"Damage points of {plans[0].target.name}", points),
    )


def _plan(situation: ActivationSituation, config: RulesConfig, *, ability: bool) -> ActivationPlan:
    """What the attacker does in an activation: the chosen weapon first, and any other unless one was named."""
    setup = _attack_setup(situation, config, ability=ability)
    others = (weapon for weapon in setup.attacker.weapons if weapon != setup.weapon and situation.weapon is None)
    return ActivationPlan(
        setup.attacker,
        setup.target,
        tuple(setup.attack(weapon, _reaction_to(weapon, situation)) for weapon in (setup.weapon, *others)),
        setup.amount("heal"),
        setup.amount("bonus_move"),
        any(change.bonus_attack for change in setup.ability_changes),
    )


def _reaction_to(weapon: Weapon, situation: ActivationSituation) -> str | None:
    """The target's reaction, or None where it answers attacks of the other sort."""
    return situation.reaction if (situation.reaction == COUNTER) == weapon.melee else None
