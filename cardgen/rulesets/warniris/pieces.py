"""Printed pieces that are not cards: tokens, proxies and blank datacards. Lengths are millimetres."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from cardgen.game import CARD_SIZES, Card, Identifier, LimitRule, Size, pieces
from cardgen.rulesets.warniris import limits

_BLANK_SIZES = {
    "character": Size(190, 125),
    "minion": Size(95, 125),
    "relic": CARD_SIZES["mini-usa"],
    "mission": CARD_SIZES["standard"],
}


class Token(pieces.Token):
    """A round marker to lie beside a datacard (the kit: Tracking tokens), with a front and a back."""

    COUNT_RULE: ClassVar[LimitRule] = limits.TOKEN


class Proxy(pieces.Proxy):
    """A miniature of paper: its base, its height, and whose coat of arms it bears."""

    BASES: ClassVar[tuple[float, ...]] = (25, 28.5, 30, 32, 40)
    BASE_RULE: ClassVar[LimitRule] = limits.PROXY_BASE

    emblem: Annotated[Identifier | None, Field(description="the id whose coat of arms it bears; its own if none")] = (
        None
    )


class Cylinder(pieces.Cylinder, Proxy):
    """A strip that is wrapped round a base and glued along a tab (the kit: Character proxies)."""


class Standee(pieces.Standee, Proxy):
    """A folded figure: a tab, the front, the fold at its head, the back on its head, another tab.

    Its width is four fifths of the base and each tab three tenths, so that the tabs, bent apart and glued onto the
    base, reach its rim with their corners and never stand over (0.4 squared and 0.3 squared are 0.5 squared).
    """


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
