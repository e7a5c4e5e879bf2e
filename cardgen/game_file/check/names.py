"""Variables in the expressions of checks: fields and their surroundings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from types import MappingProxyType
from typing import Any

from cardgen.checking.context import CheckContext, CheckScope
from cardgen.game_file.context import GameContext
from cardgen.game_file.expression.links import LINKS, CardLinks
from cardgen.game_file.expression.shapes import AnyNames, common_scope, linked_shape
from cardgen.model.card import Card
from cardgen.model.entry import Entry
from cardgen.sandbox.frames import ANYTHING, Shape
from cardgen.sandbox.values import attribute, attribute_names, links_in_force
from cardgen.validation.base import Model

CARD, KIND, MEMBERS, RULINGS = "card", "kind", "members", "rulings"


def check_scope(models: Iterable[type[Model]], context: GameContext) -> Mapping[str, Shape]:
    """Return the names that a check of some models can use; all checks of these models share them."""
    every = tuple(models)
    if every not in context.scopes:
        context.scopes[every] = _new_scope(every, context)
    return context.scopes[every]


def _new_scope(every: tuple[type[Model], ...], context: GameContext) -> Mapping[str, Shape]:
    more = {
        RULINGS: Shape(dict.fromkeys(context.spec.rulings, ANYTHING)),
        KIND: ANYTHING,
        CARD: ANYTHING,
    }
    fields = common_scope(linked_shape(model, context.kinds) for model in every)
    if fields is None:
        return AnyNames(more)
    members = _members_shape(every, context)
    return {**more, **fields, **({MEMBERS: members} if members else {})}


def _members_shape(models: Iterable[type[Model]], context: GameContext) -> Shape | None:
    """Return the shape of the members of lists.

    Return None for other cards.
    """
    kinds = [kind for model in models for kind in _member_kinds(model)]
    if not kinds:
        return None
    shapes = [linked_shape(context.kinds[kind].model, context.kinds) for kind in kinds if kind in context.kinds]
    fields = common_scope(shapes)
    return Shape(items=ANYTHING if fields is None else Shape(fields))


def _member_kinds(model: type[Model]) -> tuple[str, ...]:
    """Return the kinds of the members of a list; empty for other cards."""
    first = getattr(model, "MEMBER_KIND", "")
    return getattr(model, "MEMBER_KINDS", (first,) if first else ())


class _LatestNames:
    """Names of the part that was looked at last, for all checks of it."""

    part: Model | None = None
    entry: Entry | None = None
    names: Mapping[str, Any] = MappingProxyType({})


def names_of_part(part: Model, context: CheckContext) -> Mapping[str, Any]:
    """Return the names of a card or part, and their values."""
    latest = context.scope.compute_once(_latest_names)
    if latest.part is not part or latest.entry is not context.entry:
        latest.part, latest.entry, latest.names = part, context.entry, _names_of_part(part, context)
    return latest.names


def _latest_names(_: CheckScope) -> _LatestNames:
    return _LatestNames()


def _names_of_part(part: Model, context: CheckContext) -> dict[str, Any]:
    card, links = context.card or part, _links_of(context)
    around = {CARD: card, RULINGS: context.rulings, KIND: getattr(type(part), "KIND", ""), LINKS: links}
    names = {**own_names(part, links), **around}
    if kinds := _member_kinds(type(part)):
        names[MEMBERS] = _members(part, kinds, context)
    return names


def _links_of(context: CheckContext) -> CardLinks:
    """Return the links to the cards in play."""
    return CardLinks(partial(_find_card, context))


def own_names(part: Model, links: CardLinks | None = None) -> dict[str, Any]:
    """Return the fields of a card or part by name."""
    with links_in_force(links):
        return {name: attribute(part, name) for name in attribute_names(part)}


def _members(part: Model, kinds: tuple[str, ...], context: CheckContext) -> tuple[Card, ...]:
    """Return the cards that a list names, repeated for copies.

    Unknown ones are left out.
    """
    lines = [
        (next(filter(None, (_find_card(context, kind, member.card) for kind in kinds)), None), member.qty)
        for member in getattr(part, MEMBERS)
    ]
    return tuple([card for card, qty in lines if card for _ in range(qty)])


def _find_card(context: CheckContext, kind: str, name: str) -> Card | None:
    """Return the card of the game with a kind, and with an id or name, or None."""
    game = context.entry.game if context.entry else ""
    return context.scope.compute_once(_cards_by_name(game, kind)).get(name)


@cache
def _cards_by_name(game: str, kind: str) -> Callable[[CheckScope], dict[str, Card]]:
    """Return a function that returns the cards in play of a game and kind, by name or id.

    A card that is checked takes precedence.
    """

    def by_name(scope: CheckScope) -> dict[str, Card]:
        entries = (*scope.cards, *scope.other_cards((Card,), kind))[::-1]
        cards = [each.card for each in entries if (each.game, each.kind) == (game, kind)]
        return {name: card for card in cards for name in (card.name, card.id)}

    return by_name
