"""Tokens, proxies, blanks, rulers, boxes, mats, and dials of Warcry."""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from cardgen.game import (
    Kind,
    LimitRule,
    Number,
    Size,
    accessory_kinds,
    kinds_by_name,
    piece_kinds,
    pieces,
    tool_kinds,
)
from cardgen.rulesets.warcry import limits
from cardgen.rulesets.warcry.cards import Marks, MiniatureMarks
from cardgen.rulesets.warcry.limits import EXAMPLES, ShownMap


class Token(pieces.Token):
    """A round, double-sided marker for a fighter or the battlefield."""

    COUNT_RULE: ClassVar[LimitRule] = limits.TOKEN


class Proxy(MiniatureMarks, pieces.Proxy):
    """A paper miniature, with a base, a height, and runemarks.

    Larger bases are rarely round.
    """

    BASES: ClassVar[tuple[float, ...]] = (25, 28.5, 32, 40, 50, 60)
    BASE_RULE: ClassVar[LimitRule] = limits.PROXY_BASE


class Cylinder(pieces.Cylinder, Proxy):
    """A strip wrapped around a base and glued along a tab."""


class Standee(pieces.Standee, Proxy):
    """A figure that folds at the top and stands on two tabs.

    From bottom to top: a tab, the front, the fold, the back upside down, and another tab.
    """


class Blank(pieces.Blank):
    """A roster, or a map of the battlefield, to fill in by hand or on screen."""

    SIZES: ClassVar[Mapping[str, Size]] = {"warband": Size(190, 250), "map": Size(148, 105)}

    of: Annotated[Literal["warband", "map"], Field(description="warband for a roster, or map")]


class Ruler(pieces.Ruler):
    """A strip to measure distances in inches."""

    unit: Annotated[Literal["in", "cm"], Field(description="in for inches, or cm for centimeters")] = "in"


class Box(Marks, pieces.Box):
    """A tuck box for a deck, with runemarks."""


class Mat(ShownMap, pieces.Mat):
    """A battlefield with a deployment map: its own, or that of a battleplan (core rules: The Battlefield)."""

    unit: Annotated[Literal["in", "cm"], Field(description="in for inches, or cm for centimeters")] = "in"
    width: Annotated[Number, Field(gt=0, description="its width in units")] = 30
    height: Annotated[Number, Field(gt=0, description="its height in units")] = 22


class Dial(pieces.Dial):
    """A dial to count the Wounds that a fighter has left."""


KINDS: Mapping[str, Kind] = kinds_by_name(
    (
        *piece_kinds(Token, Cylinder, Standee, ("fighter",), EXAMPLES),
        *tool_kinds(Blank, Ruler, EXAMPLES),
        *accessory_kinds(Box, Mat, Dial, ("fighter",), lambda card: card.stats.wounds, EXAMPLES),
    )
)
