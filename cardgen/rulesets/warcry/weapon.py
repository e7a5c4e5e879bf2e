"""The weapon line: shape and characteristics, in full or in shorthand."""

from __future__ import annotations

import re
from typing import Annotated, Any, ClassVar

from cardgen.game import MAX_NAME_LENGTH, Field, Int, IntRange, OneOf, ShorthandModel, Text, closest, slugify
from cardgen.rulesets.warcry import limits
from cardgen.rulesets.warcry.runemarks import SHAPES

# A weapon that reaches no farther makes melee attacks, every other one missile attacks.
MELEE_REACH = 3
RANGE_LIMIT = IntRange(0, 30, limits.WEAPON)
COUNT_LIMIT = IntRange(1, 12, limits.WEAPON)
DAMAGE_LIMIT = IntRange(0, 20, limits.WEAPON)
_LIMITS = {
    "min_range": RANGE_LIMIT, "range": RANGE_LIMIT, "attacks": COUNT_LIMIT,
    "strength": COUNT_LIMIT, "damage": DAMAGE_LIMIT, "critical": DAMAGE_LIMIT,
}  # fmt: skip
EN_DASH = "\N{EN DASH}"


def _line_pattern(shape: str, inches: str, count: str, damage: str) -> str:
    return f"{shape} R{inches}(?:-{inches})? A{count} S{count} D{damage}/{damage}"


_NUMBER = r"(\d{1,4})"
_LINE = re.compile(_line_pattern(r"(\S+)", _NUMBER, _NUMBER, _NUMBER))


def _shape_advice(word: str) -> str:
    """How to mend a shape that does not exist."""
    meant = closest(slugify(word), SHAPES)
    return f"did you mean '{meant}'?" if meant else f"known: {', '.join(SHAPES)}"


_SHAPE = OneOf(tuple(SHAPES), limits.SHAPE, _shape_advice)


class Weapon(ShorthandModel):
    """A weapon of a fighter's profile: Range in inches, from `min_range` to `range`.

    `damage` is that of a hit, `critical` that of a critical hit. Reads `NAME: SHAPE Rn An Sn Dn/n` too, where the
    Range may be `Rn-n`.
    """

    TITLE: ClassVar[str] = "NAME: SHAPE Rn An Sn Dn/n"
    PATTERN: ClassVar[str] = "^{}$".format(
        _line_pattern(
            f"(?:{'|'.join(map(re.escape, SHAPES))})", "(?:[0-9]|[12][0-9]|30)", "(?:[1-9]|1[0-2])", "(?:1?[0-9]|20)"
        )
    )

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

    @classmethod
    def parse_line(cls, name: str, line: str) -> dict[str, Any]:
        """Return the fields of 'Bow: ranged R3-15 A2 S3 D1/3'."""
        match = _LINE.fullmatch(line)
        if match is None:
            raise limits.LINE.error("'{line}' is no SHAPE Rn An Sn Dn/n", line=line[:60], path=(name,))
        shape, near, far, *others = match.groups()
        _SHAPE.check(shape, (name,))
        numbers = dict(zip(_LIMITS, (near if far else 0, far or near, *others), strict=True))
        checked = {field: _LIMITS[field].check(int(number), (name,)) for field, number in numbers.items()}
        return {"name": name, "shape": shape, **checked}

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
