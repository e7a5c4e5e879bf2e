"""Amounts: numbers, dice, and multiples of the value of an ability's dice."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple, get_args

from cardgen.game import Log, MemoizedCall, Procedure, Roll
from cardgen.rulesets.warcry.changes import NUMBERS, Change, multiple_of, with_facts
from cardgen.rulesets.warcry.effective import RuleLike, changes_of
from cardgen.rulesets.warcry.selections import Group, Multiple
from cardgen.rulesets.warcry.wording.sentences import sentences
from cardgen.rulesets.warcry.words import Fact

# No fighter has more Wounds.
MOST_DAMAGE = 60
_DICE = re.compile(r"(?P<count>\d?)d(?P<sides>[36])(?:\+(?P<plus>\d+|value))?")


def resolve_amount(amount: int | str, value: int) -> int | str:
    """Return an amount with the value of the ability's dice: a number, or dice such as 'd6' or 'd3+2'."""
    if amount == "all":
        return MOST_DAMAGE
    for multiple in get_args(Multiple):
        if amount == multiple:
            return multiple_of(multiple, value)
    if isinstance(amount, str) and amount.startswith("value+"):
        return value + int(amount.removeprefix("value+"))
    return amount.replace("value", str(value)) if isinstance(amount, str) else amount


def roll_amount(amount: int | str, who: str, value: int = 0) -> Procedure[int]:
    """Return a number, or roll dice: 'd3', 'd6', '2d6', 'd3+1'. A D3 is half a D6, rounded up."""
    amount = resolve_amount(amount, value)
    match = _DICE.fullmatch(amount) if isinstance(amount, str) else None
    if match is None:
        return int(amount)
    total = int(match["plus"] or 0)
    for _ in range(int(match["count"] or 1)):
        face = yield Roll(f"d{match['sides']}", who, f"D{match['sides']}")
        total += (int(face) + 1) // 2 if match["sides"] == "3" else int(face)
    return total


def faces_against(faces: str, toughness: int, value: int) -> str:
    """Return the faces of a comparison with a Toughness or the value of an ability; others as they are.

    For a Toughness of 4, 'over-toughness' is '5+'. No die shows '7+' or '1-0'.
    """
    comparison, _, measure = faces.rpartition("-")
    if measure not in ("toughness", "value"):
        return faces
    number = toughness if measure == "toughness" else value
    return {
        "over": f"{number + 1}+",
        "from": f"{number}+",
        "up-to": f"1-{number}",
        "under": f"1-{number - 1}",
    }[comparison]


def shows(face: int, faces: str) -> bool:
    """Return whether a die shows one of some faces, such as '4+', '3-5', or '6'."""
    low, sign, high = faces.partition("+") if "+" in faces else faces.partition("-")
    return int(low) <= face and (sign == "+" or face <= int(high or low))


# Keys that only say when, for whom, or how; any other is something to apply.
_DETAILS = frozenset(Change.model_fields.keys() - {*Change.FIELDS})
# What an attack applies, and what an activation does besides changes of numbers.
IN_ATTACK, IN_ACTIVATION = (frozenset(with_facts(fact)) for fact in (Fact.IN_ATTACK, Fact.IN_ACTIVATION))
ANY_DISTANCE = 1000


class Volley(NamedTuple):
    """Damage of an ability: dice, the greatest distance in inches, and an amount for each range of faces.

    Without dice, the amounts are allocated once.
    """

    dice: int
    within: int
    outcomes: tuple[tuple[str, int | str], ...]


def effects_of(changes: Iterable[Change], value: int) -> tuple[Change, ...]:
    """Return the changes of the user's own numbers and actions, with the value of the ability's dice."""
    return tuple(_effect(change, value) for change in changes if is_own(change))


def is_own(change: Change) -> bool:
    """Return whether a change is for the user itself, whatever its dice and the other fighters are."""
    needs_others = (change.when, change.on_roll, change.per, change.target, change.incoming, change.reacts)
    return change.of == "self" and not any(needs_others)


def _effect(change: Change, value: int) -> Change:
    span = "attack" if change.next == "attack" else change.span
    return change.for_fighter(value).model_copy(update={"span": span})


def volleys_of(changes: Iterable[Change], value: int, toughness: int = 0) -> tuple[Volley, ...]:
    """Return the damage that an ability allocates to its target, which has this Toughness."""
    volleys: list[Volley] = []
    dice, within = 0, ANY_DISTANCE
    for change in changes:
        group = next((each for each in (change.pick, change.roll_each, change.of) if isinstance(each, Group)), None)
        if group:
            within, dice = _inches(group, value), 0
        if isinstance(change.roll_each, Group) or change.roll_each == "picked":
            dice = int(resolve_amount(change.dice_each, value))
        if change.roll and change.roll != "2d6":
            dice = int(resolve_amount(change.roll, value))
        if change.deal is not None and _hits_target(change):
            outcome = faces_against(change.on_roll or "1+", toughness, value), resolve_amount(change.deal, value)
            count = dice if change.on_roll else 0
            if volleys and count and volleys[-1][:2] == (count, within):
                volleys[-1] = volleys[-1]._replace(outcomes=(*volleys[-1].outcomes, outcome))
            else:
                volleys.append(Volley(count, within, (outcome,)))
    return tuple(volleys)


def _inches(group: Group, value: int) -> int:
    return value if group.within == "value" else group.within or ANY_DISTANCE


def _hits_target(change: Change) -> bool:
    """Return whether damage points are allocated to the enemy, without a moment or a count that is not known."""
    is_enemy = change.of in ("picked", "rolled") or (isinstance(change.of, Group) and change.of.side == "enemy")
    return is_enemy and not (change.when or change.per or change.deal == "rolled")


def resolve_volley(volley: Volley, who: str) -> Procedure[int]:
    """Roll the dice of a volley, and return its damage points."""
    total = 0
    for _ in range(volley.dice or 1):
        total += yield MemoizedCall(_resolve_die, (volley, who))
    yield Log("{} allocates {} damage points", (who, total))
    return total


def _resolve_die(volley: Volley, who: str) -> Procedure[int]:
    face = 1
    if volley.dice:
        face = yield Roll("ability", who, "ability")
    for faces, amount in volley.outcomes:
        if shows(int(face), faces):
            return (yield from roll_amount(amount, who))
    return 0


def left_to_players(name: str, rule: RuleLike, *, in_activation: bool = False) -> Iterator[str]:
    """Yield what an attack, or an activation, leaves out of an ability."""
    changes = changes_of(rule)
    if not changes and rule.text:
        yield f"'{name}' has only text"
    for change, words in zip(changes, sentences(changes), strict=True):
        if change.condition or change.unless or change.during:
            yield f"'{name}' is used as if its condition were true"
        if not (is_applied(change) or (in_activation and _is_in_activation(change))):
            yield f"'{name}' is not applied: {words}"


def is_applied(change: Change) -> bool:
    """Return whether an attack applies a change; removing damage points and bonus actions come before or after it."""
    keys = change.model_fields_set - _DETAILS
    return (is_own(change) or not keys) and keys <= IN_ATTACK


def _is_in_activation(change: Change) -> bool:
    keys = change.model_fields_set - _DETAILS
    if is_own(change) and keys <= {*NUMBERS, "heal", "bonus_move", "bonus_attack"}:
        return True
    return keys <= IN_ACTIVATION and (_hits_target(change) or change.deal is None) and not change.when
