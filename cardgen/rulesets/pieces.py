"""Printed pieces and packs that games share: tokens, proxies, and rosters.

Games subclass the models, and set their limit rules and, for proxies, the bases of their miniatures.
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


# About the largest size that fits on both A4 and Letter; one per page.
ROSTER_SIZE = "190mm x 250mm"


def kinds_by_name(kinds: Iterable[Kind]) -> Mapping[str, Kind]:
    """Return kinds of cards by name, in order."""
    return MappingProxyType({kind.model.KIND: kind for kind in kinds})


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


def roster_kind(model: type[Card], examples: Path) -> Kind:
    """Return the kind of a card list printed as a roster."""
    return Kind(model, ROSTER_SIZE, examples / f"{model.KIND}.yaml", can_rotate=False)


def roster_pack(kind: str, cards: tuple[str, ...], items: Callable[[Entry], Iterable[PackItem]]) -> Pack:
    """Return the pack of a card list.

    Its files are the cards with tokens, the proxies, and the roster.
    """
    documents = {
        "cards": (*cards, Token.KIND),
        "proxies": (Cylinder.KIND, Standee.KIND),
        "roster": (kind,),
    }
    return Pack(kind, MappingProxyType(documents), items)


def miniature_items(card: Card, qty: int = 1) -> Iterator[PackItem]:
    """Yield `qty` copies of a card and of its two proxies."""
    for kind in (card.KIND, Cylinder.KIND, Standee.KIND):
        yield PackItem(kind, card.id, qty)


def count_tokens(most: int, flip: int) -> int:
    """Return how many tokens can show every number from 0 to `most`.

    Each token has 1 on the front and `flip` on the back.
    """
    return max((count // flip + count % flip for count in range(most + 1)), default=0)
