"""Printed pieces and packs that games share: tokens, proxies, blanks, rulers, and rosters.

Games subclass the models, and set their limit rules and, for proxies, the bases of their miniatures.
"""

from abc import abstractmethod
from collections.abc import Mapping
from math import pi
from typing import Annotated, ClassVar, Literal, Protocol, Self

from pydantic import Field, GetJsonSchemaHandler, field_validator, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError

from cardgen.diagnostic import Code
from cardgen.model.card import Card
from cardgen.rulesets.limits import IntRange, LimitRule
from cardgen.rulesets.packs import CYLINDER, DEFAULT_HEIGHT, STANDEE, TOKEN, Height
from cardgen.units import MM_PER_INCH, Size
from cardgen.validation.base import Aspect, Int, Number, Text

# In mm; the size of the common 1-inch craft punch.
PUNCH_DIAMETER = 25.0
MAX_COUNT = 99

Diameter = Annotated[Number, Field(ge=15, le=60)]
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

    KIND: ClassVar[str] = TOKEN
    HAS_RULES: ClassVar[bool] = False
    COUNT_RULE: ClassVar[LimitRule]

    icon: Annotated[Text | None, Aspect.LOOKS, Field(description="the icon in the middle, such as bolt")] = None
    value: Annotated[TokenCount | None, Field(description="a number in the middle, instead of an icon")] = None
    flip: Annotated[TokenCount | None, Field(description="the number on the back; the same number by default")] = None
    singular: Annotated[Text | None, Field(description="the name beside the number 1, such as Wound")] = None
    diameter: Annotated[Diameter, Field(description="diameter of the punch in mm")] = PUNCH_DIAMETER

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

    HAS_RULES: ClassVar[bool] = False
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

    KIND: ClassVar[str] = CYLINDER

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

    KIND: ClassVar[str] = STANDEE

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


class Blank(Card):
    """A card or sheet to fill in on paper or on screen.

    Games set `of`, the kinds of blanks, and their sizes.
    """

    KIND: ClassVar[str] = "blank"
    HAS_RULES: ClassVar[bool] = False
    SIZES: ClassVar[Mapping[str, Size]]

    of: str

    @property
    def trim(self) -> Size:
        """The size of its kind, in mm."""
        return self.SIZES[self.of]


class Ruler(Card):
    """A strip with a scale that begins and ends at its cut edges.

    `length` and `marks` are in units; the marks divide the strip into zones. A bar of known length shows whether the
    printer has scaled the sheet.
    """

    KIND: ClassVar[str] = "ruler"
    HAS_RULES: ClassVar[bool] = False
    DEPTH: ClassVar[float] = 22.0
    # The limits of the length, in mm, and the lengths of the scale bar: the usual one, and that of short rulers.
    SHORTEST: ClassVar[float] = 60.0
    LONGEST: ClassVar[float] = 400.0
    BAR: ClassVar[float] = 50.0

    unit: Annotated[Literal["in", "cm"], Field(description="in for inches, or cm for centimeters")] = "cm"
    length: Annotated[Int, Field(ge=3, le=40, description="its length in units")]
    marks: Annotated[tuple[Annotated[Int, Field(ge=1, le=40)], ...], Field(description="lengths to emphasize")] = ()

    @property
    def unit_length(self) -> float:
        """The length of a unit in mm."""
        return MM_PER_INCH if self.unit == "in" else 10.0

    @property
    def trim(self) -> Size:
        """The size of the strip in mm."""
        return Size(self.length * self.unit_length, self.DEPTH)

    @property
    def zones(self) -> tuple[tuple[int, int], ...]:
        """The start and end of each zone, in units."""
        ends = (*sorted({mark for mark in self.marks if mark < self.length}), self.length)
        return tuple(zip((0, *ends), ends, strict=False))

    @model_validator(mode="after")
    def _check_lengths(self) -> Self:
        shortest, longest = (int(limit // self.unit_length) for limit in (self.SHORTEST, self.LONGEST))
        if not shortest < self.length <= longest:
            message = f"must be from {shortest + 1} to {longest} {self.unit}, not {self.length}"
            raise PydanticCustomError("ruler_length", message, {"code": Code.INVALID, "path": ("length",)})
        for number, mark in enumerate(self.marks):
            if mark > self.length:
                message = f"must be at most the length of the ruler, {self.length}, not {mark}"
                raise PydanticCustomError("ruler_mark", message, {"code": Code.INVALID, "path": ("marks", number)})
        return self
