"""Printed pieces and packs that games share: tokens, paper proxies, rosters.

A game subclasses them. It names the rules that their limits break and, for proxies, the bases of its miniatures.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from math import pi
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, ClassVar, Protocol

from pydantic import Field, GetJsonSchemaHandler, field_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from cardgen.model.card import Card
from cardgen.model.entry import Entry
from cardgen.rulesets.limits import IntRange, LimitRule
from cardgen.rulesets.ruleset import Kind, Pack, PackItem
from cardgen.units import Shape, Size
from cardgen.validation.base import Int, Number, Text

# A hole punch of one inch, as most are.
PUNCH_DIAMETER = 25.0
# The usual height of a miniature.
DEFAULT_HEIGHT = 35.0
MAX_COUNT = 99

Height = Annotated[Number, Field(ge=20, le=90)]
TokenCount = Annotated[Int, Field(json_schema_extra={"minimum": 1, "maximum": MAX_COUNT})]


class Piece(Protocol):
    """Anything whose size follows from its own keys."""

    @property
    def trim(self) -> Size:
        """Its size, laid flat."""


def trim_size(piece: Piece) -> Size:
    """Return the trim to the thousandth of a millimetre, so that equal sizes are equal."""
    return Size(*(round(side, 3) for side in piece.trim))


class Token(Card):
    """A round marker with a front and a back."""

    KIND: ClassVar[str] = "token"
    COUNT_RULE: ClassVar[LimitRule]

    icon: Annotated[Text | None, Field(description="the icon in its middle, such as bolt")] = None
    value: Annotated[TokenCount | None, Field(description="a number in its middle, in place of an icon")] = None
    flip: Annotated[
        TokenCount | None, Field(description="the number on its back; the same one where it is left out")
    ] = None
    diameter: Annotated[Number, Field(ge=15, le=60, description="as the punch has it, in mm")] = PUNCH_DIAMETER

    @field_validator("value", "flip")
    @classmethod
    def _check_count(cls, count: int | None) -> int | None:
        return count if count is None else IntRange(1, MAX_COUNT, cls.COUNT_RULE).check(count)

    @property
    def trim(self) -> Size:
        """The square around it."""
        return Size(self.diameter, self.diameter)


class Proxy(Card):
    """A miniature of paper: its base and its height."""

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
        """Its size, laid flat."""

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Add the bases of the game."""
        schema = super().__get_pydantic_json_schema__(core, handler)
        handler.resolve_ref_schema(schema)["properties"]["base"]["enum"] = list(cls.BASES)
        return schema


class Cylinder(Proxy):
    """A strip that is wrapped round a base and glued along a tab."""

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


# Roughly as long as A4 and Letter have room for, and as wide; one a page.
ROSTER_SIZE = "190mm x 250mm"


def kinds_by_name(kinds: Iterable[Kind]) -> Mapping[str, Kind]:
    """Return kinds of card by their names, in their order."""
    return MappingProxyType({kind.model.KIND: kind for kind in kinds})


def piece_kinds(
    token: type[Token],
    cylinder: type[Cylinder],
    standee: type[Standee],
    made_from: tuple[str, ...],
    examples: Path,
) -> tuple[Kind, ...]:
    """Return the kinds of token and of proxy; proxies can be made from cards of the kinds `made_from`.

    The folder `examples` holds an example of each.
    """
    proxies = (
        Kind(model, trim_size, examples / f"{model.KIND}.yaml", made_from=made_from) for model in (cylinder, standee)
    )
    return Kind(token, trim_size, examples / f"{token.KIND}.yaml", Shape.ROUND), *proxies


def roster_kind(model: type[Card], examples: Path) -> Kind:
    """Return the kind of a list of cards that is printed as a roster."""
    return Kind(model, ROSTER_SIZE, examples / f"{model.KIND}.yaml", can_rotate=False)


def roster_pack(kind: str, cards: tuple[str, ...], items: Callable[[Entry], Iterable[PackItem]]) -> Pack:
    """Return the pack of a list of cards: its cards with tokens, its proxies, and its roster."""
    documents = {
        "cards": (*cards, Token.KIND),
        "proxies": (Cylinder.KIND, Standee.KIND),
        "roster": (kind,),
    }
    return Pack(kind, MappingProxyType(documents), items)


def miniature_items(card: Card, qty: int = 1) -> Iterator[PackItem]:
    """Yield a card with both of its proxies, each `qty` times."""
    for kind in (card.KIND, Cylinder.KIND, Standee.KIND):
        yield PackItem(kind, card.id, qty)


def count_tokens(most: int, flip: int) -> int:
    """Return how many tokens, with 1 on the front and `flip` on the back, show every number from 0 to `most`."""
    return max((count // flip + count % flip for count in range(most + 1)), default=0)
