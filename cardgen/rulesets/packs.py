"""Rosters, packs, and the pieces of miniatures, without the models of these pieces."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Protocol, TypeVar

from pydantic import Field

from cardgen.model.card import Card, Entry
from cardgen.rulesets.ruleset import Kind, Pack, PackItem
from cardgen.validation.base import Number

if TYPE_CHECKING:
    from cardgen.checking.check import CheckScope

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


CardType = TypeVar("CardType", bound=Card)


class CardFinder(Protocol):
    """Finds a card of a model by id or name.

    None for no name or an unknown one.
    """

    def __call__(self, model: type[CardType], name: str | None) -> CardType | None:
        """Return the card, or None."""


def finder_in_scope(scope: CheckScope) -> CardFinder:
    """Return a finder for the cards in the scope of a check."""

    def find(model: type[CardType], name: str | None) -> CardType | None:
        return cards_by_name(scope, model).get(name or "")

    return find


def finder_of_links(entry: Entry) -> CardFinder:
    """Return a finder for the cards that a card links to."""

    def find(model: type[CardType], name: str | None) -> CardType | None:
        link = entry.links.get((model.KIND, name or ""))
        return link.card if link and isinstance(link.card, model) else None

    return find


def cards_by_name(scope: CheckScope, model: type[CardType]) -> Mapping[str, CardType]:
    """Return the cards of a model by name and id.

    Of two cards with the same name, a card that is checked takes precedence.
    """
    return scope.compute_once(_index(model))


@cache
def _index(model: type[CardType]) -> Callable[[CheckScope], Mapping[str, CardType]]:
    def by_name(scope: CheckScope) -> Mapping[str, CardType]:
        cards = tuple(scope.cards_of_type(model))[::-1]
        return {name: card for card in cards for name in (card.name, card.id)}

    return by_name
