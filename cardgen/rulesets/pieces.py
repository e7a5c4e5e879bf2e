"""Printed pieces that games share: tokens, proxies, blanks, rulers, rosters, tuck boxes, battle mats, and dials.

Games subclass the models, and set their limit rules and, for proxies, the bases of their miniatures.
"""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from math import ceil, cos, pi, radians, sin
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Protocol, Self, TypeAlias

from pydantic import Field, GetJsonSchemaHandler, field_validator, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError

from cardgen.diagnostic import Code
from cardgen.model.card import Card
from cardgen.rulesets.ruleset import CYLINDER, DEFAULT_HEIGHT, STANDEE, TOKEN, Height, Kind
from cardgen.rulesets.vocabulary import IntRange, LimitRule
from cardgen.units import CARD_SIZES, MM_PER_INCH, Shape, Size, parse_size
from cardgen.validation.base import Aspect, Int, Model, Number, Text

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


MAX_CARDS, MAX_NUMBER, MAX_ZONES = 300, 60, 40

Unit: TypeAlias = Literal["in", "cm"]
Coordinate: TypeAlias = Annotated[Number, Field(ge=0, le=200)]
Point: TypeAlias = tuple[Coordinate, Coordinate]


class Box(Card):
    """A tuck box, cut from one piece of card stock, folded, and glued.

    From left to right: a glue tab, the back, a side, the front, and the other side. The lid and the bottom are above
    and below the back, with a tongue on the lid; the sides have dust flaps.
    """

    KIND: ClassVar[str] = "box"
    HAS_RULES: ClassVar[bool] = False
    # The room around the cards, besides the thickness of the box itself, and the width of the glue tab.
    PLAY: ClassVar[float] = 1.0
    TAB: ClassVar[float] = 10.0

    holds: Annotated[Int, Field(ge=1, le=MAX_CARDS, description="number of cards in the box")]
    card_size: Annotated[Text, Aspect.LOOKS, Field(description="size of the cards, such as tarot or 63mm x 88mm")] = (
        "poker"
    )
    thickness: Annotated[Number, Field(ge=0.1, le=2, description="thickness of a card, with its sleeve, in mm")] = 0.32
    paper: Annotated[Number, Field(ge=0.1, le=1, description="thickness of the box's card stock in mm")] = 0.3

    @field_validator("card_size")
    @classmethod
    def _check_card_size(cls, text: str) -> str:
        try:
            parse_size(text, CARD_SIZES)
        except ValueError as error:
            raise PydanticCustomError("box_size", "{reason}", {"code": Code.INVALID, "reason": str(error)}) from None
        return text

    @property
    def panel(self) -> Size:
        """The size of the front in mm, from fold to fold.

        Folds lie in the middle of the stock. In its width, the box has half a thickness at each side, and the glue tab.
        In its height, it has half of the lid and a dust flap at the top; and a dust flap, the bottom, and half of the
        flap of the front at the foot.
        """
        width, height = parse_size(self.card_size, CARD_SIZES)
        return Size(width + self.PLAY + 2 * self.paper, height + self.PLAY + 4 * self.paper)

    @property
    def depth(self) -> float:
        """The depth of the box in mm: half a thickness at the front and the back, and the tongue of the lid."""
        return self.holds * self.thickness + self.PLAY + 2 * self.paper

    @property
    def tab(self) -> float:
        """The width of the glue tab in mm."""
        return self.TAB

    @property
    def tongue(self) -> float:
        """The length of the tongue of the lid in mm."""
        return min(16.0, max(10.0, self.panel.height / 5))

    @property
    def inset(self) -> float:
        """How much narrower the tongue is than the lid at each end, in mm, to slide between the sides and the tab."""
        return 2 * self.paper + 0.5

    @property
    def dust(self) -> float:
        """The length of the dust flaps in mm; two of them do not meet."""
        return min(self.panel.width / 2 - 1, max(8.0, self.depth * 0.8))

    @property
    def shoulder(self) -> float:
        """The height above the front panel: the lid with its tongue, or a dust flap if that is longer."""
        return max(self.depth + self.tongue, self.dust)

    @property
    def foot(self) -> float:
        """The height below the front panel: the bottom, or a dust flap if that is longer."""
        return max(self.depth, self.dust)

    @property
    def trim(self) -> Size:
        """The size of the sheet that the box is cut from, in mm."""
        width, height = self.panel
        return Size(self.tab + 2 * (width + self.depth), self.shoulder + height + self.foot)


class Zone(Model):
    """An area of a mat: a rectangle, a circle, or a polygon. Lengths are in the unit of the mat."""

    name: Annotated[Text, Field(description="printed in the zone")] = ""
    side: Annotated[Literal["red", "blue", "either"], Field(description="the player who uses the zone")] = "either"
    at: Annotated[Point | None, Field(description="upper left corner of a rectangle, or center of a circle")] = None
    size: Annotated[Point | None, Field(description="width and height of a rectangle")] = None
    diameter: Annotated[Annotated[Number, Field(gt=0, le=200)] | None, Field(description="diameter of a circle")] = None
    corners: Annotated[tuple[Point, ...], Field(max_length=20, description="corners of a polygon")] = ()

    @model_validator(mode="after")
    def _check_shape(self) -> Self:
        shapes = [bool(self.size), self.diameter is not None, bool(self.corners)]
        if sum(shapes) != 1 or (self.at is None) == (not self.corners) or 0 < len(self.corners) < 3:
            message = "must be a rectangle with at and size, a circle with at and diameter, or three or more corners"
            raise PydanticCustomError("zone_shape", message, {"code": Code.INVALID})
        return self

    @property
    def points(self) -> tuple[Point, ...]:
        """The corners of a rectangle or polygon."""
        if self.size is None or self.at is None:
            return self.corners
        (x, y), (width, height) = self.at, self.size
        return ((x, y), (x + width, y), (x + width, y + height), (x, y + height))

    @property
    def box(self) -> tuple[float, float, float, float]:
        """The left, top, right, and bottom of the zone."""
        if self.at is not None and self.diameter is not None:
            (x, y), radius = self.at, self.diameter / 2
            return x - radius, y - radius, x + radius, y + radius
        xs, ys = zip(*self.points, strict=True)
        return min(xs), min(ys), max(xs), max(ys)


# In units of a mat; what is less comes from conversions between units.
_LEAST_BEYOND = 0.05


class Mat(Card):
    """A battlefield at its real size, on sheets to glue together or on a single page."""

    KIND: ClassVar[str] = "mat"
    HAS_RULES: ClassVar[bool] = False
    # The limits of a side, in mm.
    SHORTEST: ClassVar[float] = 100.0
    LONGEST: ClassVar[float] = 2000.0

    unit: Annotated[Unit, Field(description="in for inches, or cm for centimeters")] = "cm"
    width: Annotated[Number, Field(gt=0, description="its width in units")]
    height: Annotated[Number, Field(gt=0, description="its height in units")]
    grid: Annotated[Annotated[Number, Field(ge=1, le=100)] | None, Field(description="spacing of grid lines")] = None
    zones: Annotated[
        Annotated[tuple[Zone, ...], Field(max_length=MAX_ZONES)] | None,
        Field(description="areas such as deployment zones; [] for none"),
    ] = None

    @property
    def unit_length(self) -> float:
        """The length of a unit in mm."""
        return MM_PER_INCH if self.unit == "in" else 10.0

    @property
    def areas(self) -> tuple[Zone, ...]:
        """The zones, or those of the game if the author names none."""
        return self.game_zones if self.zones is None else self.zones

    @property
    def game_zones(self) -> tuple[Zone, ...]:
        """The zones that a mat of this size has in the game."""
        return ()

    @property
    def trim(self) -> Size:
        """The size of the whole mat in mm."""
        return Size(self.width * self.unit_length, self.height * self.unit_length)

    @model_validator(mode="after")
    def _check_sides(self) -> Self:
        shortest, longest = (limit / self.unit_length for limit in (self.SHORTEST, self.LONGEST))
        for key in ("width", "height"):
            side = getattr(self, key)
            if not shortest <= side <= longest:
                message = f"must be from {shortest:.3g} to {longest:.3g} {self.unit}, not {side:g}"
                raise _invalid("mat_side", message, key)
        return self

    @model_validator(mode="after")
    def _check_zones(self) -> Self:
        for number, zone in enumerate(self.zones or ()):
            left, top, right, bottom = zone.box
            if left >= self.width or top >= self.height or right <= 0 or bottom <= 0:
                message = f"must lie on the mat of {self.width:g} x {self.height:g} {self.unit}"
                raise _invalid("zone_place", message, "zones", number)
            beyond = {"left": -left, "right": right - self.width, "top": -top, "bottom": bottom - self.height}
            side = max(beyond, key=lambda each: beyond[each])
            if zone.size is not None and beyond[side] > _LEAST_BEYOND:
                x, y = max(0, min(left, self.width - right + left)), max(0, min(top, self.height - bottom + top))
                message = f"reaches {beyond[side]:g} {self.unit} beyond the {side} edge of the mat of {self.width:g} x "
                message += f"{self.height:g} {self.unit}; it begins at [{x:g}, {y:g}] at most, or is smaller"
                raise _invalid("zone_place", message, "zones", number)
        return self


class Dial(Card):
    """A wheel with numbers, and a cover with a window, joined by a split pin.

    Both are printed beside each other.
    """

    KIND: ClassVar[str] = "dial"
    HAS_RULES: ClassVar[bool] = False
    # The usual diameter, the room from the middle of the numbers to the rim, and the least distance of two numbers.
    USUAL: ClassVar[float] = 40.0
    RIM: ClassVar[float] = 6.0
    PITCH: ClassVar[float] = 4.0
    # The space between the wheel and the cover, and the height of the window.
    GAP: ClassVar[float] = 4.0
    WINDOW: ClassVar[float] = 6.0

    most: Annotated[Int, Field(ge=1, le=MAX_NUMBER, description="the highest number; the lowest is 0")]
    label: Annotated[Text, Field(description="what it counts, such as Wounds")] = "Wounds"
    diameter: Annotated[
        Annotated[Number, Field(ge=30, le=90)] | None,
        Field(description="diameter in mm; by default, 40 or as much as the numbers need"),
    ] = None

    @property
    def side(self) -> float:
        """The diameter in mm."""
        return self.diameter or max(self.USUAL, self._least_diameter)

    @property
    def _least_diameter(self) -> float:
        return float(ceil((self.most + 1) * self.PITCH / pi + 2 * self.RIM))

    @property
    def ring(self) -> float:
        """The radius of the circle of numbers in mm."""
        return self.side / 2 - self.RIM

    @property
    def radii(self) -> tuple[float, float]:
        """The inner and the outer radius of the window in mm."""
        return self.ring - self.WINDOW / 2, self.ring + self.WINDOW / 2

    @property
    def cover(self) -> float:
        """The distance of the left edge of the cover from that of the piece, in mm."""
        return self.side + self.GAP

    @property
    def numbers(self) -> tuple[tuple[int, float], ...]:
        """Each number with its clockwise angle in degrees; 0 is at the top."""
        return tuple((number, round(360 * number / (self.most + 1), 3)) for number in range(self.most + 1))

    @property
    def pitch(self) -> float:
        """The width of the window in mm, along the circle of numbers: that of one number."""
        return min(2 * pi * self.ring / (self.most + 1), 9.0)

    @property
    def window(self) -> tuple[tuple[float, float], ...]:
        """The corners of the window, clockwise from the outer left one, from the center of the cover."""
        angle = radians(min(0.92 * 180 / (self.most + 1), 17))
        inner, outer = self.radii
        corners = ((outer, -angle), (outer, angle), (inner, angle), (inner, -angle))
        return tuple((round(radius * sin(turn), 3), round(-radius * cos(turn), 3)) for radius, turn in corners)

    @property
    def trim(self) -> Size:
        """The size of the wheel and the cover beside each other, in mm."""
        return Size(self.cover + self.side, self.side)

    @model_validator(mode="after")
    def _check_diameter(self) -> Self:
        if self.diameter is not None and self.diameter < self._least_diameter:
            least = f"{self._least_diameter:g} mm for numbers up to {self.most}"
            raise _invalid("dial_diameter", f"must be at least {least}, not {self.diameter:g}", "diameter")
        return self


def _invalid(name: Literal["dial_diameter", "mat_side", "zone_place"], message: str, *path: str | int) -> Exception:
    return PydanticCustomError(name, message, {"code": Code.INVALID, "path": path})


def piece_kinds(
    token: type[Token],
    cylinder: type[Cylinder],
    standee: type[Standee],
    made_from: tuple[str, ...],
    examples: Path,
) -> tuple[Kind, ...]:
    """Return the kinds of tokens and proxies.

    Proxies can be made from cards of the kinds `made_from`. The folder `examples` contains an example of each kind.
    """
    proxies = (
        Kind(model, trim_size, examples / f"{model.KIND}.yaml", made_from=made_from) for model in (cylinder, standee)
    )
    return Kind(token, trim_size, examples / f"{token.KIND}.yaml", Shape.ROUND), *proxies


def tool_kinds(blank: type[Blank], ruler: type[Ruler], examples: Path) -> tuple[Kind, ...]:
    """Return the kinds of blanks and rulers.

    The folder `examples` contains an example of each kind.
    """
    return tuple(
        Kind(model, trim_size, examples / f"{model.KIND}.yaml", can_rotate=model is ruler) for model in (blank, ruler)
    )


def accessory_kinds(
    box: type[Box],
    mat: type[Mat],
    dial: type[Dial],
    made_from: tuple[str, ...],
    most: Callable[[Any], int],
    examples: Path,
) -> tuple[Kind, ...]:
    """Return the kinds of tuck boxes, battle mats, and dials.

    Dials can be made from cards of the kinds `made_from`; `most` returns the highest number for a card. The folder
    `examples` contains an example of each kind.
    """
    return (
        Kind(box, trim_size, examples / f"{box.KIND}.yaml"),
        Kind(mat, trim_size, examples / f"{mat.KIND}.yaml", can_tile=True),
        Kind(
            dial,
            trim_size,
            examples / f"{dial.KIND}.yaml",
            made_from=made_from,
            values=lambda card: {"most": most(card)},
            in_kit=False,
        ),
    )
