"""Attack and activation trials: legality, modifiers, and their odds tables."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

from cardgen.referee.die import Die
from cardgen.referee.odds import OddsSolver, odds
from cardgen.referee.requests import Procedure
from cardgen.referee.trial import OddsTable, PreparedTrial, RulesConfig
from cardgen.rulesets.warcry.cards import DICE, Ability
from cardgen.rulesets.warcry.changes import Change
from cardgen.rulesets.warcry.referee.activation import ActivationPlan, ActivationState, activate, both_standing
from cardgen.rulesets.warcry.referee.attack import (
    Damage,
    PreparedAttack,
    Tally,
    prepare_attack,
    resolve_attack,
    roll_hits,
)
from cardgen.rulesets.warcry.referee.fighter import (
    FighterStats,
    WeaponStats,
    apply_changes,
    card_of_kind,
    fighter_stats,
    not_simulated,
)
from cardgen.rulesets.warcry.referee.situations import ActivationSituation, AttackActionSituation

ONSLAUGHT = "onslaught"


class AttackSetup(NamedTuple):
    """Attacker and target as they stand, the weapon, and what the ability gives besides (its value put in)."""

    attacker: FighterStats
    target: FighterStats
    weapon: WeaponStats
    ability_changes: tuple[Change, ...]
    ability_value: int

    def amount(self, key: str) -> int | str:
        """What the ability gives of 'heal' or 'bonus_move': a number, 'd3', 'd6', or 0."""
        amount = next((getattr(change, key) for change in self.ability_changes if getattr(change, key) is not None), 0)
        return self.ability_value if amount == "value" else amount


def attack_setup(situation: AttackActionSituation, config: RulesConfig, *, ability: bool = True) -> AttackSetup:
    """The two as they stand, with or without the attacker's ability. Raises ValueError where it may not be."""
    attacker = fighter_stats(situation.attacker, situation.blessing, situation.trait, situation.weapon)
    target = fighter_stats(situation.target, situation.target_blessing, situation.target_trait)
    changes = _ability_changes(situation, attacker, config) if ability else ()
    attacker = apply_changes(attacker, changes)
    if situation.target_ability is not None:
        target = apply_changes(target, card_of_kind(situation.target_ability, Ability).changes)
    for who, damage in ((attacker, situation.damage), (target, situation.target_damage)):
        if damage >= who.wounds:
            raise ValueError(f"{who.name} has {who.wounds} Wounds: with {damage} damage points it is taken down")
    weapon = _chosen_weapon(attacker, situation)
    return AttackSetup(attacker, target, weapon, changes, situation.value or 0)


def attack_with(
    situation: AttackActionSituation, setup: AttackSetup, weapon: WeaponStats, reaction: str, config: RulesConfig
) -> PreparedAttack:
    """An attack with a weapon of a bout."""
    return prepare_attack(
        setup.attacker, weapon, setup.target, cover=situation.cover, reaction=reaction, rulings=config.rulings
    )


def _chosen_weapon(attacker: FighterStats, situation: AttackActionSituation) -> WeaponStats:
    """The weapon named, or the first in range."""
    distance = situation.distance
    in_range = [arm for arm in attacker.weapons if distance is None or arm.in_range(distance)]
    if situation.weapon is None:
        return in_range[0] if in_range else attacker.weapons[0]
    return attacker.weapon(situation.weapon)


def _ability_changes(
    situation: AttackActionSituation, attacker: FighterStats, config: RulesConfig
) -> tuple[Change, ...]:
    """What the ability changes. Raises ValueError for one that the attacker may not use, or cannot pay for."""
    if situation.ability is None:
        if situation.value is not None or situation.dice is not None:
            raise ValueError("a value, or dice, are those of an ability; name one")
        return ()
    ability: Ability = card_of_kind(situation.ability, Ability)
    missing = [name for mark, name in ability.names if mark not in attacker.runemarks]
    if missing:
        raise ValueError(f"{attacker.name} cannot use '{ability.name}': it lacks the runemark {missing[0]}")
    price = _ability_price(ability, config)
    if situation.dice and price in DICE and DICE.index(situation.dice) < DICE.index(price):
        raise ValueError(f"'{ability.name}' costs a {price}; a {situation.dice} does not pay for it")
    if any(change.uses_value for change in ability.changes) and situation.value is None:
        raise ValueError(f"'{ability.name}' needs the value of its dice")
    _check_conditions(situation, ability)
    return ability.changes


def _ability_price(ability: Ability, config: RulesConfig) -> str:
    """What an ability costs: a triple may pay for a double, a quad for either (ruling `onslaught`)."""
    return config.rulings["onslaught"] if ability.id == ONSLAUGHT else ability.price


def _check_conditions(situation: AttackActionSituation, ability: Ability) -> None:
    """Raise ValueError where a universal ability's condition does not hold: Respite's, and Reckoning's."""
    if not isinstance(situation, ActivationSituation):
        return
    if ability.id == "respite" and situation.enemies_near:
        raise ValueError("Respite cannot be used with an enemy within 1 inch")
    if ability.id == "reckoning" and not situation.half_down:
        raise ValueError("Reckoning needs half of the warband taken down")


def set_up_attack(situation: AttackActionSituation, config: RulesConfig) -> PreparedTrial:
    """One attack action. Raises ValueError where it may not be made."""
    setup = attack_setup(situation, config)
    weapon = setup.weapon
    if situation.distance is not None and not weapon.in_range(situation.distance):
        reach = f"{weapon.name} reaches from {weapon.min_range} to {weapon.max_range} inches"
        raise ValueError(f"{reach}, and the target is {situation.distance} away")
    attack = attack_with(situation, setup, weapon, situation.reaction or "", config)
    return PreparedTrial(
        f"{attack.attacker}: {weapon.name} at {attack.target}",
        lambda: resolve_attack(attack),
        lambda harm: _outcome_lines(harm, setup, situation),
        lambda harm: harm._asdict(),
        lambda: _odds_tables(attack, setup, situation),
        _not_simulated(situation),
    )


def _not_simulated(situation: AttackActionSituation) -> tuple[str, ...]:
    cards = (situation.ability, situation.blessing, situation.trait)
    return not_simulated(*cards, situation.target_blessing, situation.target_trait, situation.target_ability)


def _outcome_lines(damage: Damage, setup: AttackSetup, situation: AttackActionSituation) -> tuple[str, ...]:
    lines = [_fate_line(setup.target.name, setup.target.wounds, situation.target_damage, damage.target)]
    if damage.attacker:
        lines.append(_fate_line(setup.attacker.name, setup.attacker.wounds, situation.damage, damage.attacker))
    return tuple(lines)


def _fate_line(name: str, wounds: int, before: int, points: int) -> str:
    """Points are allocated one by one; at Wounds the fighter is taken down, and the rest is lost."""
    after = min(wounds, before + points)
    end = "is taken down" if after == wounds else f"has {after} damage points of {wounds}"
    return f"{name}: {points} damage, {end}"


def _odds_tables(attack: PreparedAttack, setup: AttackSetup, situation: AttackActionSituation) -> tuple[OddsTable, ...]:
    die = odds(resolve_attack, attack)
    rolls: Die[Tally] = odds(roll_hits, attack.weapon.attacks, attack.hit_face, attack.attacker)
    left = setup.target.wounds - situation.target_damage
    down = die.chance(lambda harm: harm.target >= left)
    chances = [(f"{attack.target} is taken down", down), ("any damage", die.chance(lambda harm: harm.target > 0))]
    means = [
        ("mean damage", die.mean(lambda harm: harm.target)),
        ("mean hits", rolls.mean(lambda tally: tally.hits)),
        ("mean critical hits", rolls.mean(lambda tally: tally.criticals)),
    ]
    title = (
        f"{attack.attacker}: {attack.weapon.name} at {attack.target}, {attack.weapon.attacks} dice, {attack.hit_face}+"
    )
    tables = [
        OddsTable(title, chances=tuple(chances), means=tuple(means)),
        _damage_table("Damage", die, lambda h: h.target),
    ]
    if attack.reaction == "counter":
        fall = setup.attacker.wounds - situation.damage
        tables.append(
            OddsTable(
                f"Counter: damage to {attack.attacker}",
                _distribution_rows(die.map(lambda harm: harm.attacker)),
                ((f"{attack.attacker} is taken down", die.chance(lambda harm: harm.attacker >= fall)),),
                (("mean", die.mean(lambda harm: harm.attacker)),),
            )
        )
    return tuple(tables)


def _damage_table(title: str, die: Die[Damage], value: Callable[[Damage], int]) -> OddsTable:
    """The distribution of a number, and the chance of that much or more."""
    points = die.map(value)
    reached = tuple((f"{n} or more", points.chance(lambda p, n=n: p >= n)) for n in sorted(points.weights) if n)  # type: ignore[misc]
    return OddsTable(title, _distribution_rows(points), reached)


def _distribution_rows(die: Die[int]) -> tuple[tuple[str, Fraction], ...]:
    chances = dict(die)
    return tuple((str(value), chances[value]) for value in sorted(chances))


def set_up_activation(situation: ActivationSituation, config: RulesConfig) -> PreparedTrial:
    """Activations against one target. Raises ValueError where an attack or the ability may not be made."""
    plans = _plans(situation, config)
    distance = plans[0].unanswered_attacks[0].weapon.max_range if situation.distance is None else situation.distance
    start = ActivationState(situation.target_damage, situation.damage, distance)
    who, target = plans[0].name, plans[0].target

    def procedure() -> Procedure[ActivationState]:
        scene = start
        for plan in plans:
            if both_standing(scene, plan):
                scene = yield from activate(plan, scene, situation.reactions)
        return scene

    def outcome_lines(scene: ActivationState) -> tuple[str, ...]:
        return tuple(
            f"{name}: taken down" if points >= wounds else f"{name}: {points} damage points of {wounds}"
            for name, points, wounds in (
                (target, scene.target, plans[-1].target_wounds),
                (who, scene.attacker, plans[-1].wounds),
            )
        )

    def odds_tables() -> tuple[OddsTable, ...]:
        return _taken_down_tables(plans, start, situation.reactions)

    title = f"{who} against {target}: {len(plans)} {'activation' if len(plans) == 1 else 'activations'}"
    return PreparedTrial(
        title, procedure, outcome_lines, lambda scene: scene._asdict(), odds_tables, _not_simulated(situation)
    )


def _taken_down_tables(
    plans: tuple[ActivationPlan, ...], start: ActivationState, reactions: int
) -> tuple[OddsTable, ...]:
    """Who is taken down by the end of each activation, and the target's damage after the last."""
    reader = OddsSolver()
    die: Die[ActivationState] = Die.constant(start)
    down, lost = [], []
    for count, plan in enumerate(plans, 1):
        after = {
            scene: reader.distribution(activate, plan, scene, reactions)
            if both_standing(scene, plan)
            else Die.constant(scene)
            for scene in die.weights
        }
        die = die.flat_map(lambda scene, after=after: after[scene])  # type: ignore[misc]
        words = f"within {count} activation{'' if count == 1 else 's'}"
        down.append((f"{plan.target} {words}", die.chance(lambda s, plan=plan: s.target >= plan.target_wounds)))  # type: ignore[misc]
        lost.append((f"{plan.name} {words}", die.chance(lambda s, plan=plan: s.attacker >= plan.wounds)))  # type: ignore[misc]
    tables = [OddsTable("Taken down", chances=(*down, *(each for each in lost if each[1])))]
    points = die.map(lambda scene: scene.target)
    tables.append(
        OddsTable(
            f"Damage points of {plans[0].target}", _distribution_rows(points), means=(("mean", points.mean(int)),)
        )
    )
    return tuple(tables)


def _plans(situation: ActivationSituation, config: RulesConfig) -> tuple[ActivationPlan, ...]:
    """What the attacker does in each activation: the ability in the first, or in all of them."""
    first = _plan(situation, config, ability=True)
    later = first if situation.again else _plan(situation, config, ability=False)
    return (first, *[later] * (situation.activations - 1))


def _plan(situation: ActivationSituation, config: RulesConfig, *, ability: bool) -> ActivationPlan:
    setup = attack_setup(situation, config, ability=ability)
    weapons = (
        setup.weapon,
        *(arm for arm in setup.attacker.weapons if arm != setup.weapon and situation.weapon is None),
    )
    unanswered = tuple(attack_with(situation, setup, arm, "", config) for arm in weapons)
    answered = tuple(_attack_with_reaction(situation, setup, arm, config) for arm in weapons)
    return ActivationPlan(
        setup.attacker.name,
        setup.target.name,
        setup.attacker.move,
        answered,
        unanswered,
        setup.attacker.wounds,
        setup.target.wounds,
        setup.amount("heal"),
        setup.amount("bonus_move"),
        any(change.bonus_attack for change in setup.ability_changes),
    )


def _attack_with_reaction(
    situation: ActivationSituation, setup: AttackSetup, weapon: Any, config: RulesConfig
) -> PreparedAttack:
    """The blow with the target's reaction; a reaction to attacks of the other sort leaves it plain."""
    reaction = situation.reaction or ""
    if reaction and (reaction == "counter") != weapon.melee:
        reaction = ""
    return attack_with(situation, setup, weapon, reaction, config)
