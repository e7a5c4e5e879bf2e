"""Printed pieces of Warcry that are not cards: tokens and proxies."""

from typing import Annotated, ClassVar

from pydantic import Field

from cardgen.game import LimitRule, pieces
from cardgen.rulesets.warcry import limits
from cardgen.rulesets.warcry.cards import Runemarks
from cardgen.rulesets.warcry.runemarks import Runemark, alliance_of


class Token(pieces.Token):
    """A round marker to lie beside a fighter or on the battlefield, with a front and a back."""

    COUNT_RULE: ClassVar[LimitRule] = limits.TOKEN


class Proxy(pieces.Proxy):
    """A miniature of paper: its base, its height, and its runemarks. Larger bases are seldom round."""

    BASES: ClassVar[tuple[float, ...]] = (25, 28.5, 32, 40, 50, 60)
    BASE_RULE: ClassVar[LimitRule] = limits.PROXY_BASE

    faction: Annotated[Runemark | None, Field(description="its faction runemark, or that of a grand alliance")] = None
    runemarks: Annotated[Runemarks, Field(description="up to three others; the first one is on its front")] = ()

    @property
    def alliance(self) -> str:
        """The runemark of its grand alliance, or ''."""
        return alliance_of(self.faction or "")


class Cylinder(pieces.Cylinder, Proxy):
    """A strip that is wrapped round a base and glued along a tab."""


class Standee(pieces.Standee, Proxy):
    """A folded figure: a tab, the front, the fold at its head, the back on its head, another tab."""
