"""Printed pieces other than cards: tokens, proxies, blanks, rulers, boxes, mats, and dials. Lengths in mm."""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from cardgen.game import (
    CARD_SIZES,
    Identifier,
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
from cardgen.rulesets.warniris import rulebook
from cardgen.rulesets.warniris.rulebook import EXAMPLES


class Token(pieces.Token):
    """A round, two-sided marker for a datacard (rulebook: Tracking tokens)."""

    COUNT_RULE: ClassVar[LimitRule] = rulebook.TOKEN


class Proxy(pieces.Proxy):
    """A paper miniature: its base, its height, and its coat of arms."""

    BASES: ClassVar[tuple[float, ...]] = (25, 28.5, 30, 32, 40)
    BASE_RULE: ClassVar[LimitRule] = rulebook.PROXY_BASE

    emblem: Annotated[
        Identifier | None, Field(description="the id whose coat of arms it shows; its own by default")
    ] = None


class Cylinder(pieces.Cylinder, Proxy):
    """A strip wrapped around a base and glued along a tab (rulebook: Character proxies)."""


class Standee(pieces.Standee, Proxy):
    """A folded figure: a tab, the front, the fold, the upside-down back, another tab.

    It is four fifths as wide as the base, and each tab is three tenths as long. Bent apart and glued onto the base, the
    tabs touch the rim with their corners and never overhang it (0.4² + 0.3² = 0.5²).
    """


class Blank(pieces.Blank):
    """A datacard or roster to fill in by hand or on screen (rulebook: Blank datacards).

    Two characters or four minions fit on a page; relics and missions match their decks.
    """

    SIZES: ClassVar[Mapping[str, Size]] = {
        "character": Size(190, 125),
        "minion": Size(95, 125),
        "relic": CARD_SIZES["mini-usa"],
        "mission": CARD_SIZES["standard"],
        "warband": Size(190, 250),
    }

    of: Annotated[
        Literal["character", "minion", "relic", "mission", "warband"], Field(description="the kind of card to fill in")
    ]


class Ruler(pieces.Ruler):
    """A strip to measure distances in centimeters."""


class Box(pieces.Box):
    """A tuck box for a deck, with a coat of arms."""

    emblem: Annotated[
        Identifier | None, Field(description="the id whose coat of arms it shows; its own by default")
    ] = None


class Mat(pieces.Mat):
    """The battle zone with its two deployment zones (rulebook: Battle zone, deployment).

    The zones are squares of 20 cm in opposite corners, the default of the ruling `zone-shape`.
    """

    width: Annotated[Number, Field(gt=0, description="its width in units")] = 60
    height: Annotated[Number, Field(gt=0, description="its height in units")] = 42

    @property
    def game_zones(self) -> tuple[pieces.Zone, ...]:
        """The deployment zones in two opposite corners."""
        side = 20.0
        if self.unit != "cm" or min(self.width, self.height) < 2 * side:
            return ()
        far = (self.width - side, self.height - side)
        return (
            pieces.Zone(name="Deployment zone", side="red", at=(0, 0), size=(side, side)),
            pieces.Zone(name="Deployment zone", side="blue", at=far, size=(side, side)),
        )


class Dial(pieces.Dial):
    """A dial to count the Wounds that a character has left."""


KINDS: Mapping[str, Kind] = kinds_by_name(
    (
        *piece_kinds(Token, Cylinder, Standee, ("character", "minion"), EXAMPLES),
        *tool_kinds(Blank, Ruler, EXAMPLES),
        *accessory_kinds(Box, Mat, Dial, ("character", "minion"), lambda card: card.stats.wounds, EXAMPLES),
    )
)
