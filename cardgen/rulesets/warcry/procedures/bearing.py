"""From a situation to fighters and blows: blessings, traits and abilities are counted in, and what may not be told."""

from __future__ import annotations

from typing import NamedTuple

from cardgen.rulesets.adjudication import Terms
from cardgen.rulesets.warcry.change import Change
from cardgen.rulesets.warcry.kinds import DICE, Ability
from cardgen.rulesets.warcry.procedures.attack import Swing, swing
from cardgen.rulesets.warcry.procedures.profile import Arm, Body, body, changed, model
from cardgen.rulesets.warcry.procedures.situations import ActivationSituation, AttackSituation

ONSLAUGHT = "onslaught"


class Bout(NamedTuple):
    """Attacker and target as they stand, the weapon, and what the ability gives besides (its value put in)."""

    attacker: Body
    target: Body
    arm: Arm
    bonus: tuple[Change, ...]
    value: int

    def amount(self, key: str) -> int | str:
        """What the ability gives of 'heal' or 'bonus_move': a number, 'd3', 'd6', or 0."""
        given = next((getattr(change, key) for change in self.bonus if getattr(change, key) is not None), 0)
        return self.value if given == "value" else given


def bout(situation: AttackSituation, terms: Terms, *, ability: bool = True) -> Bout:
    """The two as they stand, with or without the attacker's ability. Raises ValueError where it may not be."""
    attacker = body(situation.attacker, situation.blessing, situation.trait, situation.weapon)
    target = body(situation.target, situation.target_blessing, situation.target_trait)
    changes = _ability(situation, attacker, terms) if ability else ()
    attacker = changed(attacker, changes)
    if situation.target_ability is not None:
        target = changed(target, model(situation.target_ability, Ability).changes)
    for who, damage in ((attacker, situation.damage), (target, situation.target_damage)):
        if damage >= who.wounds:
            raise ValueError(f"{who.name} has {who.wounds} Wounds: with {damage} damage points it is taken down")
    arm = _arm(attacker, situation)
    return Bout(attacker, target, arm, changes, situation.value or 0)


def blow(situation: AttackSituation, found: Bout, arm: Arm, reaction: str, terms: Terms) -> Swing:
    """An attack with a weapon of a bout."""
    return swing(found.attacker, arm, found.target, cover=situation.cover, reaction=reaction, rulings=terms.rulings)


def _arm(attacker: Body, situation: AttackSituation) -> Arm:
    """The weapon named, or the first in range."""
    distance = situation.distance
    reaching = [arm for arm in attacker.arms if distance is None or arm.in_range(distance)]
    if situation.weapon is None:
        return reaching[0] if reaching else attacker.arms[0]
    return attacker.arm(situation.weapon)


def _ability(situation: AttackSituation, attacker: Body, terms: Terms) -> tuple[Change, ...]:
    """What the ability changes. Raises ValueError for one that the attacker may not use, or cannot pay for."""
    if situation.ability is None:
        if situation.value is not None or situation.dice is not None:
            raise ValueError("a value, or dice, are those of an ability; name one")
        return ()
    ability: Ability = model(situation.ability, Ability)
    lacking = [name for mark, name in ability.names if mark not in attacker.runemarks]
    if lacking:
        raise ValueError(f"{attacker.name} cannot use '{ability.name}': it lacks the runemark {lacking[0]}")
    price = _price(ability, terms)
    if situation.dice and price in DICE and DICE.index(situation.dice) < DICE.index(price):
        raise ValueError(f"'{ability.name}' costs a {price}; a {situation.dice} does not pay for it")
    if any(change.uses_value for change in ability.changes) and situation.value is None:
        raise ValueError(f"'{ability.name}' needs the value of its dice")
    _conditions(situation, ability)
    return ability.changes


def _price(ability: Ability, terms: Terms) -> str:
    """What an ability costs: a triple may pay for a double, a quad for either (ruling `onslaught`)."""
    return terms.rulings["onslaught"] if ability.id == ONSLAUGHT else ability.price


def _conditions(situation: AttackSituation, ability: Ability) -> None:
    """Raise ValueError where a universal ability's condition does not hold: Respite's, and Reckoning's."""
    if not isinstance(situation, ActivationSituation):
        return
    if ability.id == "respite" and situation.enemies_near:
        raise ValueError("Respite cannot be used with an enemy within 1 inch")
    if ability.id == "reckoning" and not situation.half_down:
        raise ValueError("Reckoning needs half of the warband taken down")
