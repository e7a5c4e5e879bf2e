"""Numbers and lengths in the unit of a game."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, WithJsonSchema

from cardgen.game_file.context import GameContext
from cardgen.source import KeyPath
from cardgen.units import UNITS, parse_length, to_unit
from cardgen.validation.base import Number

_PATTERN = r"(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)"


def _whole_as_int(value: float) -> float:
    """Return 3.0 as 3, which is how it is printed."""
    return int(value) if float(value).is_integer() else value


PlainNumber = Annotated[Number, AfterValidator(_whole_as_int)]


def length_within(value: str | float, path: KeyPath, bounds: tuple[float, float], context: GameContext) -> float:
    """Return a length in mm.

    Report one that is not valid, and return the lower bound.
    """
    low, high = bounds
    try:
        length = parse_length(value)
    except ValueError as error:
        context.report(path, str(error))
        return low
    if not low <= length <= high:
        context.report(path, f"must be between {low:g} and {high:g} mm, not {length:g}")
        return low
    return length


def length_type(unit: str) -> Any:
    """Return the type of lengths in a unit.

    It accepts a number, or a text with any unit that can be converted.
    """
    known = (*UNITS, "") if unit in UNITS else (unit, "")
    pattern = rf"^\s*{_PATTERN}\s*(?:{'|'.join(map(re.escape, known))})\s*$"
    compiled = re.compile(pattern)

    def read(value: object) -> object:
        if not isinstance(value, str):
            return value
        if unit in UNITS:
            return to_unit(parse_length(value, unit=unit), unit)
        if compiled.match(value):
            return float(value.strip().removesuffix(unit))
        raise ValueError(f"'{value[:40]}' is not a valid length; write a number such as 3, or 3 {unit}")

    schema = {"anyOf": [{"type": "number"}, {"type": "string", "pattern": pattern}]}
    return Annotated[PlainNumber, BeforeValidator(read), WithJsonSchema(schema)]
