"""Lookups of the cards that a roster names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Protocol, TypeVar

from cardgen.model.card import Card
from cardgen.model.entry import Entry

if TYPE_CHECKING:
    from cardgen.checking.check import CheckScope

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
