"""Random effects of every kind that the schema of effects allows; they may make no sense, but are legal."""

from __future__ import annotations

import random
from typing import Any

from cardgen.rulesets.warniris.effect import Effect

SCHEMA = Effect.model_json_schema()
PARTIES = Effect.FIELDS
# Most numbers are small, so that duels are short and effects often matter.
MOST = 3
DISTANCES = (0, 1, 5, 20)
_DISTANCE_KEYS = ("movement", "range", "move", "free_move")
LENT = {"name": "Lent", "type": "CW", "range": 1, "penetration": 2, "damage": 2}


def _choices(key: str, schema: dict[str, Any]) -> list[Any]:
    """Return the values among which one of a schema is chosen; each alternative has its own."""
    if "anyOf" in schema:
        return [each for part in schema["anyOf"] for each in _choices(key, part)]
    match schema:
        case {"const": value}:
            return [value]
        case {"enum": values}:
            return [*values]
        case {"type": "integer", "minimum": least, "maximum": most}:
            amounts = DISTANCES if key in _DISTANCE_KEYS or not least else range(1, min(MOST, most) + 1)
            numbers = {sign * amount for sign in (1, -1) for amount in amounts}
            return sorted(number for number in numbers if number >= least and (number or not least))
        case {"type": "string"}:
            return [LENT["name"], "W0", "W1"]
        case {"type": "array"}:
            return [[1], [1, 2], [4, 5, 6]]
        case {"$ref": _}:
            return [LENT]
    return []


def _fields(name: str) -> dict[str, list[Any]]:
    return {key: _choices(key, part) for key, part in SCHEMA["$defs"][name]["properties"].items()}


DEEDS, CONDITIONS = _fields("Deeds"), _fields("Condition")
MOMENTS, SPANS = (_choices(key, SCHEMA["properties"][key]) for key in ("when", "for"))


def random_effect(dice: random.Random) -> dict[str, Any]:
    """Return an effect of one or two parties, often with a condition or a duration."""
    effect: dict[str, Any] = {dice.choice(PARTIES): _random_deeds(dice) for _ in range(dice.randint(1, 2))}
    effect |= {"when": dice.choice(MOMENTS)}
    if dice.random() < 0.6:
        effect["if"] = _random_condition(dice)
    if dice.random() < 0.4:
        effect["for"] = dice.choice(SPANS)
        if dice.random() < 0.4:
            effect["while"] = dice.choice(MOMENTS[1:])
    return effect


def altered_effect(dice: random.Random, effect: dict[str, Any]) -> dict[str, Any]:
    """Return an effect that differs from another in one respect."""
    party = next(key for key in effect if key in PARTIES)
    key = dice.choice([*DEEDS])
    return {
        **effect,
        **dice.choice(
            [
                {"when": dice.choice(MOMENTS)},
                {"for": dice.choice(SPANS)},
                {"cost": 1},
                {"cumulative": False},
                {"if": _random_condition(dice)},
                {party: {**effect[party], key: dice.choice(DEEDS[key])}},
            ]
        ),
    }


def _random_condition(dice: random.Random) -> dict[str, Any]:
    key = dice.choice([*CONDITIONS])
    return {key: dice.choice(CONDITIONS[key])}


def _random_deeds(dice: random.Random) -> dict[str, Any]:
    key = dice.choice([each for each in DEEDS if each != "unless"])
    deeds = {key: dice.choice(DEEDS[key])}
    return {**deeds, "unless": dice.choice(DEEDS["unless"])} if dice.random() < 0.1 else deeds


def random_source(dice: random.Random, **fields: Any) -> dict[str, Any]:
    """Return a thing, such as a Relic, with one or two effects."""
    effects = [random_effect(dice) for _ in range(dice.randint(1, 2))]
    return {**fields, "once": dice.choice((False, True, "turn")), "effects": effects}
