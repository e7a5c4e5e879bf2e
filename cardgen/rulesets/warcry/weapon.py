"""The weapon line: shape and characteristics, in full or in shorthand."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import GetJsonSchemaHandler, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from cardgen.game import MAX_NAME_LENGTH, Field, Int, IntRange, Model, OneOf, Text, closest, slugify
from cardgen.rulesets.warcry import limits
from cardgen.rulesets.warcry.runemarks import SHAPES

# A weapon that reaches no farther makes melee attacks, every other one missile attacks.
MELEE_REACH = 3
RANGE_LIMIT = IntRange(0, 30, limits.WEAPON)
COUNT_LIMIT = IntRange(1, 12, limits.WEAPON)
DAMAGE_LIMIT = IntRange(0, 20, limits.WEAPON)
EN_DASH = "\N{EN DASH}"

_NUMBERS_PATTERN = r"R(\d{1,4})(?:-(\d{1,4}))? A(\d{1,4}) S(\d{1,4}) D(\d{1,4})/(\d{1,4})"
_SHAPES = "|".join(map(re.escape, SHAPES))
SHORTHAND = re.compile(rf"(\S+) {_NUMBERS_PATTERN}")
JSON_PATTERN = rf"^(?:{_SHAPES}) R(?:[0-9]|[12][0-9]|30)(?:-(?:[0-9]|[12][0-9]|30))? A(?:[1-9]|1[0-2]) S(?:[1-9]|1[0-2]) D(?:1?[0-9]|20)/(?:1?[0-9]|20)$"  # fmt: skip  # noqa: E501


def _shape_advice(word: str) -> str:
    """How to mend a shape that does not exist."""
    meant = closest(slugify(word), SHAPES)
    return f"did you mean '{meant}'?" if meant else f"known: {', '.join(SHAPES)}"


_SHAPE = OneOf(tuple(SHAPES), limits.SHAPE, _shape_advice)


def _parse_line(name: str, line: str) -> dict[str, Any]:
    """The fields of 'Bow: ranged R3-15 A2 S3 D1/3'."""
    match = SHORTHAND.fullmatch(line)
    if match is None:
        raise limits.LINE.error("'{line}' is no SHAPE Rn An Sn Dn/n", line=line[:60], path=(name,))
    shape, near, far, attacks, strength, damage, critical = match.groups()
    _SHAPE.check(shape, (name,))
    numbers = {
        "min_range": (int(near) if far else 0, RANGE_LIMIT),
        "range": (int(far or near), RANGE_LIMIT),
        "attacks": (int(attacks), COUNT_LIMIT),
        "strength": (int(strength), COUNT_LIMIT),
        "damage": (int(damage), DAMAGE_LIMIT),
        "critical": (int(critical), DAMAGE_LIMIT),
    }
    checked = {field: limit.check(value, (name,)) for field, (value, limit) in numbers.items()}
    return {"name": name, "shape": shape, **checked}


class Weapon(Model):
    """A weapon of a fighter's profile: Range in inches, from `min_range` to `range`.

    `damage` is that of a hit, `critical` that of a critical hit. Reads `NAME: SHAPE Rn An Sn Dn/n` too, where the
    Range may be `Rn-n`.
    """

    name: Annotated[Text, Field(max_length=MAX_NAME_LENGTH)]
    shape: Annotated[Text, _SHAPE, Field(description="its runemark: axe, ranged, claws and so on",
                                         json_schema_extra={"enum": [*SHAPES]})]  # fmt: skip
    min_range: Annotated[
        Int, RANGE_LIMIT, Field(description="targets nearer than this, in inches, are out of range")
    ] = 0
    range: Annotated[Int, RANGE_LIMIT, Field(description="R, in inches")]
    attacks: Annotated[Int, COUNT_LIMIT, Field(description="A, dice rolled in an attack")]
    strength: Annotated[Int, COUNT_LIMIT, Field(description="S, compared with the target's Toughness")]
    damage: Annotated[Int, DAMAGE_LIMIT, Field(description="D, points that a hit allocates")]
    critical: Annotated[
        Int, DAMAGE_LIMIT, Field(description="D behind the stroke, points that a critical hit allocates")
    ]

    @model_validator(mode="before")
    @classmethod
    def _from_shorthand(cls, data: Any) -> Any:
        if not (isinstance(data, dict) and len(data) == 1):
            return data
        ((name, line),) = data.items()
        if name in cls.model_fields or not isinstance(line, str):
            return data
        return _parse_line(name, line)

    @property
    def melee(self) -> bool:
        """True where its attacks are melee attacks, false where they are missile attacks."""
        return self.range <= MELEE_REACH

    @property
    def reach(self) -> str:
        """The Range as it is printed: '1', '3–15'."""
        return f"{self.min_range}{EN_DASH}{self.range}" if self.min_range else str(self.range)

    @property
    def icon(self) -> str:
        """The icon of its shape."""
        return f"weapon-{self.shape}"

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """The full form, or one key with the line as its value."""
        schema = super().__get_pydantic_json_schema__(core, handler)
        target = handler.resolve_ref_schema(schema)
        full = dict(target)
        name = {**full["properties"]["name"], "not": {"enum": list(full["properties"])}}
        short = {
            "type": "object",
            "title": "NAME: SHAPE Rn An Sn Dn/n",
            "minProperties": 1,
            "maxProperties": 1,
            "propertyNames": name,
            "additionalProperties": {"type": "string", "pattern": JSON_PATTERN},
        }
        target.clear()
        target.update({"title": full.get("title", ""), "anyOf": [full, short]})
        return schema
