"""From a situation to fighters and blows: blessings, traits and abilities are counted in, and what may not be told."""

from __future__ import annotations

from typing import NamedTuple

from cardgen.rulesets.adjudication import RulesConfig
from cardgen.rulesets.warcry.change import Change
from cardgen.rulesets.warcry.kinds import DICE, Ability
from cardgen.rulesets.warcry.procedures.attack import PreparedAttack, prepare_attack
from cardgen.rulesets.warcry.procedures.profile import (
    FighterStats,
    WeaponStats,
    apply_changes,
    card_of_kind,
    fighter_stats,
)
from cardgen.rulesets.warcry.procedures.situations import ActivationSituation, AttackActionSituation

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
