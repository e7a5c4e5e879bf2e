"""Printed pieces that are not cards: tokens, proxies and blank datacards. Lengths are millimetres."""

from abc import abstractmethod
from math import pi
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, Field

from cardgen.game import CARD_SIZES, Card, Identifier, Int, IntRange, Number, Size, Text
from cardgen.rulesets.warniris import limits

# The bases of the game's miniatures for which there are proxies.
BASES = (25, 28.5, 30, 32, 40)
# The usual height of a miniature; the edition says nothing of it.
DEFAULT_HEIGHT = 35.0
# A hole punch of one inch, as most are.
PUNCH_DIAMETER = 25.0
_BLANK_SIZES = {
    "character": Size(190, 125),
    "minion": Size(95, 125),
    "relic": CARD_SIZES["mini-usa"],
    "mission": CARD_SIZES["standard"],
}


def _require_proxy_base(base: float) -> float:
    if base not in BASES:
        raise limits.PROXY_BASE.error("no proxy fits a base of {base} mm", base=f"{base:g}")
    return base


Height = Annotated[Number, Field(ge=20, le=90)]
ProxyBase = Annotated[Number, AfterValidator(_require_proxy_base)]
TokenCount = Annotated[Int, IntRange(1, 99, limits.TOKEN)]


class Token(Card):
    """A round marker to lie beside a datacard (the kit: Tracking tokens), with a front and a back."""

    KIND: ClassVar[str] = "token"

    icon: Annotated[Text | None, Field(description="the icon in its middle, such as bolt")] = None
    value: Annotated[TokenCount | None, Field(description="a number in its middle, in place of an icon")] = None
    flip: Annotated[
        TokenCount | None, Field(description="the number on its back; the same one where it is left out")
    ] = None
    diameter: Annotated[Number, Field(ge=15, le=60, description="as the punch has it, in mm")] = PUNCH_DIAMETER

    @property
    def trim(self) -> Size:
        """The square around it."""
        return Size(self.diameter, self.diameter)


class Proxy(Card):
    """A miniature of paper: its base, its height, and whose coat of arms it bears."""

    base: Annotated[
        ProxyBase, Field(description="diameter of the base in mm", json_schema_extra={"enum": list(BASES)})
    ] = 32
    height: Annotated[Height, Field(description="height of the miniature in mm")] = DEFAULT_HEIGHT
    emblem: Annotated[Identifier | None, Field(description="the id whose coat of arms it bears; its own if none")] = (
        None
    )

    @property
    @abstractmethod
    def trim(self) -> Size:
        """Its size, laid flat."""


class Cylinder(Proxy):
    """A strip that is wrapped round a base and glued along a tab (the kit: Character proxies)."""

    KIND: ClassVar[str] = "cylinder"

    paper: Annotated[Number, Field(ge=0, le=1, description="thickness of the paper in mm")] = 0.2
    tab: Annotated[Number, Field(ge=6, le=8, description="width of the tab to glue, in mm")] = 7

    @property
    def wrap(self) -> float:
        """The length once round the base: the middle of the paper lies half its thickness outside of the base."""
        return pi * (self.base + self.paper)

    @property
    def trim(self) -> Size:
        """The strip with its tab."""
        return Size(self.wrap + self.tab, self.height)


class Standee(Proxy):
    """A folded figure: a tab, the front, the fold at its head, the back on its head, another tab.

    Its width is four fifths of the base and each tab three tenths, so that the tabs, bent apart and glued onto the
    base, reach its rim with their corners and never stand over (0.4 squared and 0.3 squared are 0.5 squared).
    """

    KIND: ClassVar[str] = "standee"

    @property
    def width(self) -> float:
        """How wide the figure is."""
        return 0.8 * self.base

    @property
    def foot(self) -> float:
        """How deep each tab is."""
        return 0.3 * self.base

    @property
    def trim(self) -> Size:
        """All of it, laid flat."""
        return Size(self.width, 2 * (self.height + self.foot))


class Blank(Card):
    """A datacard to fill in, by hand or on the screen (the kit: Blank datacards)."""

    KIND: ClassVar[str] = "blank"

    of: Annotated[
        Literal["character", "minion", "relic", "mission"], Field(description="the kind of card that it will be")
    ]

    @property
    def trim(self) -> Size:
        """Two characters or four minions to a page; relics and missions as the others of their deck."""
        return _BLANK_SIZES[self.of]
