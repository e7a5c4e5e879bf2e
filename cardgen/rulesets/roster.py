"""Rosters that games share: lists of cards, and lookups of the cards that they name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Protocol, TypeVar

from cardgen.model.card import Card
from cardgen.model.entry import Entry

if TYPE_CHECKING:
    from cardgen.checking.context import CheckScope

CardType = TypeVar("CardType", bound=Card)


class CardFinder(Protocol):
    """Finds the card of a model that a list calls by id or name; None for no name and for no such card."""

    def __call__(self, model: type[CardType], name: str | None) -> CardType | None:
        """Return the card."""


def finder_in_scope(scope: CheckScope) -> CardFinder:
    """Return a finder of the cards that a check may look at."""

    def find(model: type[CardType], name: str | None) -> CardType | None:
        return cards_by_name(scope, model).get(name or "")

    return find


def finder_of_links(entry: Entry) -> CardFinder:
    """Return a finder of the cards that one card links to."""

    def find(model: type[CardType], name: str | None) -> CardType | None:
        link = entry.links.get((model.KIND, name or ""))
        return link.card if link and isinstance(link.card, model) else None

    return find


def cards_by_name(scope: CheckScope, model: type[CardType]) -> Mapping[str, CardType]:
    """Return the cards of a model by name and id; of two with the same name, the one that is checked."""
    return scope.compute_once(_index(model))


@cache
def _index(model: type[CardType]) -> Callable[[CheckScope], Mapping[str, CardType]]:
    def by_name(scope: CheckScope) -> Mapping[str, CardType]:
        cards = tuple(scope.cards_of_type(model))[::-1]
        return {name: card for card in cards for name in (card.name, card.id)}

    return by_name
