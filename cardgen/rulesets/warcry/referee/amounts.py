"""Amounts: numbers, dice, and multiples of the value of an ability's dice."""

from __future__ import annotations

import re
from typing import get_args

from cardgen.game import Procedure, Roll
from cardgen.rulesets.warcry.changes import multiple_of
from cardgen.rulesets.warcry.selections import Multiple

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
    """Return a number, or roll dice: 'd3', 'd6', '2d6', 'd3+1'.

    A D3 is half a D6, rounded up.
    """
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
