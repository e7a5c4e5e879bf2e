"""Printed pieces and packs that games share: tokens, proxies, and rosters.

Games subclass the models, and set their limit rules and, for proxies, the bases of their miniatures.
"""

from __future__ import annotations

from abc import abstractmethod
from math import pi
from typing import Annotated, ClassVar, Protocol

from pydantic import Field, GetJsonSchemaHandler, field_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from cardgen.model.card import Card
from cardgen.rulesets.limits import IntRange, LimitRule
from cardgen.units import Size
from cardgen.validation.base import Int, Number, Text

# In mm; the size of the common 1-inch craft punch.
PUNCH_DIAMETER = 25.0
# The usual height of a miniature in mm.
DEFAULT_HEIGHT = 35.0
MAX_COUNT = 99

Height = Annotated[Number, Field(ge=20, le=90)]
TokenCount = Annotated[Int, Field(json_schema_extra={"minimum": 1, "maximum": MAX_COUNT})]


class Piece(Protocol):
    """A piece whose size is computed from its keys."""

    @property
    def trim(self) -> Size:
        """The size of the unfolded piece in mm."""


def trim_size(piece: Piece) -> Size:
    """Return the trim in mm, rounded to 0.001 mm.

    Rounding makes equal sizes compare equal.
    """
    return Size(*(round(side, 3) for side in piece.trim))


class Token(Card):
    """A round marker with a front and a back."""

    KIND: ClassVar[str] = "token"
    COUNT_RULE: ClassVar[LimitRule]

    icon: Annotated[Text | None, Field(description="the icon in the middle, such as bolt")] = None
    value: Annotated[TokenCount | None, Field(description="a number in the middle, instead of an icon")] = None
    flip: Annotated[TokenCount | None, Field(description="the number on the back; the same number by default")] = None
    singular: Annotated[Text | None, Field(description="the name beside the number 1, such as Wound")] = None
    diameter: Annotated[Number, Field(ge=15, le=60, description="diameter of the punch in mm")] = PUNCH_DIAMETER

    @field_validator("value", "flip")
    @classmethod
    def _check_count(cls, count: int | None) -> int | None:
        return count if count is None else IntRange(1, MAX_COUNT, cls.COUNT_RULE).check(count)

    @property
    def trim(self) -> Size:
        """The square around the token, in mm."""
        return Size(self.diameter, self.diameter)


class Proxy(Card):
    """A paper proxy for a miniature, with a base and a height."""

    BASES: ClassVar[tuple[float, ...]]
    BASE_RULE: ClassVar[LimitRule]

    base: Annotated[Number, Field(description="diameter of the base in mm")] = 32
    height: Annotated[Height, Field(description="height of the miniature in mm")] = DEFAULT_HEIGHT

    @field_validator("base")
    @classmethod
    def _check_base(cls, base: float) -> float:
        if base not in cls.BASES:
            raise cls.BASE_RULE.error("no proxy fits a base of {base} mm", base=f"{base:g}")
        return base

    @property
    @abstractmethod
    def trim(self) -> Size:
        """The size of the unfolded piece in mm."""

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Add the bases of the game to the schema."""
        schema = super().__get_pydantic_json_schema__(core, handler)
        handler.resolve_ref_schema(schema)["properties"]["base"]["enum"] = list(cls.BASES)
        return schema


class Cylinder(Proxy):
    """A paper strip around a base, glued at a tab."""

    KIND: ClassVar[str] = "cylinder"

    paper: Annotated[Number, Field(ge=0, le=1, description="thickness of the paper in mm")] = 0.2
    tab: Annotated[Number, Field(ge=6, le=8, description="width of the glue tab in mm")] = 7

    @property
    def wrap(self) -> float:
        """The length around the base in mm.

        It is measured along the middle of the paper, half its thickness outside the base.
        """
        return pi * (self.base + self.paper)

    @property
    def trim(self) -> Size:
        """The size of the strip with its tab, in mm."""
        return Size(self.wrap + self.tab, self.height)


class Standee(Proxy):
    """A folded paper figure with two tabs.

    From end to end: a tab, the front, the fold, the upside-down back, and a tab. The width is 4/5 of the base diameter,
    and the depth of each tab 3/10. When the tabs are bent apart and glued onto the base, their corners exactly reach
    its rim (0.4² + 0.3² = 0.5²).
    """

    KIND: ClassVar[str] = "standee"

    @property
    def width(self) -> float:
        """The width of the figure in mm."""
        return 0.8 * self.base

    @property
    def foot(self) -> float:
        """The depth of each tab in mm."""
        return 0.3 * self.base

    @property
    def trim(self) -> Size:
        """The size of the unfolded figure in mm."""
        return Size(self.width, 2 * (self.height + self.foot))
