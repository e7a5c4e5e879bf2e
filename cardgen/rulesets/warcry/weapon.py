"""The weapon line: shape and characteristics, in full or in shorthand."""

import re
from typing import Annotated, Any, ClassVar

from cardgen.game import MAX_NAME_LENGTH, Field, Int, IntRange, OneOf, ShorthandModel, Text, closest, slugify
from cardgen.rulesets.warcry import limits
from cardgen.rulesets.warcry.settings import Settings

# A weapon with a longer Range makes missile attacks.
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
    """Return the help for an unknown shape."""
    shapes = _shapes()
    meant = closest(slugify(word), shapes)
    return f"did you mean '{meant}'?" if meant else f"available: {', '.join(shapes)}"


def _shapes() -> tuple[str, ...]:
    """Return the ids of the shapes of the game and of the project."""
    return tuple(Settings.in_force().all_shapes)


def _list_shapes(schema: dict[str, Any]) -> None:
    schema["enum"] = [*_shapes()]


_SHAPE = OneOf(_shapes, limits.SHAPE, _shape_advice)


class Weapon(ShorthandModel):
    """A weapon of a fighter.

    Its Range is from `min_range` to `range` in inches. `damage` is that of a hit, `critical` that of a critical hit.
    The shorthand is `NAME: SHAPE Rn An Sn Dn/n`, in which the Range may also be `Rn-n`.
    """

    TITLE: ClassVar[str] = "NAME: SHAPE Rn An Sn Dn/n"
    name: Annotated[Text, Field(max_length=MAX_NAME_LENGTH)]
    shape: Annotated[Text, _SHAPE, Field(description="its runemark, such as axe, ranged, or claws",
                                         json_schema_extra=_list_shapes)]  # fmt: skip
    min_range: Annotated[
        Int, RANGE_LIMIT, Field(description="minimum Range in inches; nearer targets are out of range")
    ] = 0
    range: Annotated[Int, RANGE_LIMIT, Field(description="R, in inches")]
    attacks: Annotated[Int, COUNT_LIMIT, Field(description="A, the number of dice that an attack rolls")]
    strength: Annotated[Int, COUNT_LIMIT, Field(description="S, compared with the target's Toughness")]
    damage: Annotated[Int, DAMAGE_LIMIT, Field(description="D before the slash, damage points that a hit allocates")]
    critical: Annotated[
        Int, DAMAGE_LIMIT, Field(description="D after the slash, damage points that a critical hit allocates")
    ]

    @classmethod
    def line_pattern(cls) -> str:
        """Return the regular expression of a line with a known shape."""
        shapes = f"(?:{'|'.join(map(re.escape, _shapes()))})"
        return f"^{_line_pattern(shapes, '(?:[0-9]|[12][0-9]|30)', '(?:[1-9]|1[0-2])', '(?:1?[0-9]|20)')}$"

    @classmethod
    def parse_line(cls, name: str, line: str) -> dict[str, Any]:
        """Return the fields of 'Bow: ranged R3-15 A2 S3 D1/3'."""
        match = _LINE.fullmatch(line)
        if match is None:
            raise limits.LINE.error("'{line}' is not a valid weapon line", line=line[:60], path=(name,))
        shape, near, far, *others = match.groups()
        _SHAPE.check(shape, (name,))
        numbers = dict(zip(_LIMITS, (near if far else 0, far or near, *others), strict=True))
        checked = {field: _LIMITS[field].check(int(number), (name,)) for field, number in numbers.items()}
        return {"name": name, "shape": shape, **checked}

    @property
    def melee(self) -> bool:
        """Whether it makes melee attacks; otherwise, it makes missile attacks."""
        return self.range <= MELEE_REACH

    @property
    def reach(self) -> str:
        """Range as printed, such as '1' or '3–15'."""
        return f"{self.min_range}{EN_DASH}{self.range}" if self.min_range else str(self.range)

    @property
    def line(self) -> str:
        """It as one line, without its name: 'ranged R3–15 A2 S3 D1/3'."""
        return f"{self.shape} R{self.reach} A{self.attacks} S{self.strength} D{self.damage}/{self.critical}"

    @property
    def icon(self) -> str:
        """Icon of its shape."""
        return f"weapon-{self.shape}"
