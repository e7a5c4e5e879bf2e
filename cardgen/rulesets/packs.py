"""Rosters, packs, and the pieces of miniatures, without the models of these pieces."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import MappingProxyType
from typing import Annotated

from pydantic import Field

from cardgen.model.card import Card
from cardgen.model.entry import Entry
from cardgen.rulesets.ruleset import Kind, Pack, PackItem
from cardgen.validation.base import Number

# About the largest size that fits on both A4 and Letter; one per page.
ROSTER_SIZE = "190mm x 250mm"
# The kinds of pieces in packs.
TOKEN, CYLINDER, STANDEE = "token", "cylinder", "standee"
# The kinds of pieces that are made from cards of miniatures.
MINIATURE_PIECES = (CYLINDER, STANDEE, "dial")

# The usual height of a miniature in mm.
DEFAULT_HEIGHT = 35.0
Height = Annotated[Number, Field(ge=20, le=90)]


def roster_kind(model: type[Card], examples: Path) -> Kind:
    """Return the kind of a card list printed as a roster."""
    return Kind(model, ROSTER_SIZE, examples / f"{model.KIND}.yaml", can_rotate=False)


def roster_pack(kind: str, cards: tuple[str, ...], items: Callable[[Entry], Iterable[PackItem]]) -> Pack:
    """Return the pack of a card list.

    Its files are the cards with tokens, the proxies, and the roster.
    """
    documents = {
        "cards": (*cards, TOKEN),
        "proxies": (CYLINDER, STANDEE),
        "roster": (kind,),
    }
    return Pack((kind,), MappingProxyType(documents), items)


def miniature_items(card: Card, qty: int = 1) -> Iterator[PackItem]:
    """Yield `qty` copies of a card and of its two proxies."""
    for kind in (card.KIND, CYLINDER, STANDEE):
        yield PackItem(kind, card.id, qty)


def count_tokens(most: int, flip: int) -> int:
    """Return how many tokens can show every number from 0 to `most`.

    Each token has 1 on the front and `flip` on the back.
    """
    return max((count // flip + count % flip for count in range(most + 1)), default=0)
