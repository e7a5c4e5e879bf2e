"""A condition that is never or always true.

Why is this bad?
    An effect that can never start is useless, and a condition that is always true makes players look for a catch.

Example
    kind: character
    name: Asha
    stats: {M: 3, B: 3, S: 3, W: 5, Mo: 10}
    weapons:
      - name: Axe
        type: CW
        range: 1
        damage: 1
        effects: [{if: {range_over: 12}, target: {move: 2}}]  # WN314: 33
    abilities:
      - name: Patience
        effects: [{when: attacking, if: {range_over: 12, range_within: 8}, bearer: {mind: +1}}]  # WN314: 68
      - name: Stubborn
        effects: [{if: {wounds_at_most: 5}, bearer: {body: +1}}]  # WN314: 37
      - name: Calm
        effects: [{if: {unhurt: true, wounds_at_most: half}, bearer: {spirit: +1}}]  # WN314: 51
      - name: Apart
        effects: [{if: {enemy_within: 8, enemy_over: 12}, bearer: {spirit: +1}}]  # WN314: 50

Use instead
    kind: character
    name: Asha
    stats: {M: 3, B: 3, S: 3, W: 5, Mo: 10}
    weapons:
      - name: Axe
        type: CW
        range: 1
        damage: 1
        effects: [{target: {move: 2}}]
    abilities:
      - name: Patience
        effects: [{when: attacking, if: {range_over: 8, range_within: 12}, bearer: {mind: +1}}]
      - name: Stubborn
        effects: [{if: {wounds_at_most: 2}, bearer: {body: +1}}]
      - name: Calm
        effects: [{if: {unhurt: true}, bearer: {spirit: +1}}]
      - name: Apart
        effects: [{if: {enemy_within: 12, enemy_over: 8}, bearer: {spirit: +1}}]
"""

from cardgen.game import SIDES, CheckContext, Finding, Findings, KeyPath, join_words, rule
from cardgen.rulesets.warniris.cards import Character
from cardgen.rulesets.warniris.effect import Condition, Effect, Weapon
from cardgen.rulesets.warniris.weapon_line import is_same_name
from cardgen.rulesets.warniris.words import STRIKES

_ATTACKER_EVENTS = frozenset({"attacking", "hit", "damaging"})


@rule("WN314", "warning", "certain")
def find(effect: Effect, context: CheckContext) -> Findings:
    """Check each part of the condition by itself and against the card."""
    condition = effect.condition
    yield from _check_alone(condition)
    if isinstance(context.parent, Weapon) and effect.active_at in _ATTACKER_EVENTS:
        yield from _check_weapon(condition, context.parent)
    elif isinstance(context.card, Character):
        yield from _check_character(effect, context.card)


def _check_alone(condition: Condition) -> Findings:
    over, within = condition.range_over, condition.range_within
    if over is not None and within is not None and over >= within:
        message = f"no distance is both over {over} cm and within {within} cm"
        yield Finding(message, ("if", "range_within"), help="swap the two numbers")
    yield from _check_neighbors("friend", condition.friend_within, condition.friend_over, ("if", "friend_over"))
    yield from _check_neighbors("enemy", condition.enemy_within, condition.enemy_over, ("if", "enemy_over"))
    if condition.unhurt and isinstance(condition.wounds_at_most, str):
        message = f"'unhurt' and 'wounds_at_most: {condition.wounds_at_most}' are never true together"
        yield Finding(message, ("if", "wounds_at_most"), help="remove 'unhurt' or 'wounds_at_most'")
    if condition.roll and len(condition.roll) == SIDES:
        yield Finding("a roll of any face always succeeds", ("if", "roll"), help="remove 'roll', or some of its faces")


def _check_neighbors(who: str, within: int | None, over: int | None, route: KeyPath) -> Findings:
    if within is not None and over is not None and within <= over:
        message = f"if every {who} is over {over} cm away, none is within {within} cm"
        yield Finding(message, route, help="raise the number of 'within', or lower that of 'over'")


def _check_weapon(condition: Condition, weapon: Weapon) -> Findings:
    if condition.weapon_name and not is_same_name(condition.weapon_name, weapon.name):
        message = f"this is an effect of '{weapon.name}', not of '{condition.weapon_name}'"
        yield Finding(message, ("if", "weapon_name"), help="remove 'weapon_name'")
    if condition.weapon and weapon.type not in condition.weapon.split("/"):
        message = f"'{weapon.name}' is of type {weapon.type}, never {condition.weapon}"
        yield Finding(message, ("if", "weapon"), help="remove 'weapon'")
    if condition.range_over is not None and condition.range_over >= weapon.range > 0:
        message = f"'{weapon.name}' has Range {weapon.range}, so no target is over {condition.range_over} cm away"
        yield Finding(message, ("if", "range_over"), help="lower it, or give the weapon more Range")


def _check_character(effect: Effect, character: Character) -> Findings:
    condition = effect.condition
    if isinstance(condition.wounds_at_most, int) and condition.wounds_at_most >= character.stats.wounds:
        message = f"always true with {character.stats.wounds} Wounds"
        yield Finding(message, ("if", "wounds_at_most"), help="lower it, or remove it")
    types = {weapon.type for weapon in character.weapons}
    striking = effect.active_at in _ATTACKER_EVENTS and effect.active_at in STRIKES
    if condition.weapon and striking and types and not types & {*condition.weapon.split("/")}:
        message = f"'{character.name}' has no weapon of type {condition.weapon}"
        yield Finding(message, ("if", "weapon"), help=f"its weapons are of type {', '.join(sorted(types))}")
    if condition.weapon_name and striking and types:
        yield from _check_name(condition.weapon_name, character)


def _check_name(name: str, character: Character) -> Findings:
    """Check a name against the weapons of a card and those that its abilities lend."""
    effects = [effect for ability in character.abilities for effect in ability.effects]
    lent = [deeds.weapon.name for effect in effects for _, deeds in effect.deeds if deeds.weapon]
    names = [*(weapon.name for weapon in character.weapons), *lent]
    if not any(is_same_name(name, other) for other in names):
        message = f"'{character.name}' has no weapon named '{name}'"
        yield Finding(message, ("if", "weapon_name"), help=f"its weapons are {join_words(names)}")
