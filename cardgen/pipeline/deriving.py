"""Pieces that are made from cards: a proxy is its miniature's card in another shape."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from cardgen.diagnostic import Diagnostic
from cardgen.model.card import Card
from cardgen.model.entry import Entry
from cardgen.pipeline.loading import require_game
from cardgen.rulesets.ruleset import Kind
from cardgen.shape.validation import validate

# What says how a card is printed says nothing of how a piece of another shape is.
_NOT_SHARED = frozenset({"template", "back", "size", "text", "qty", "note"})


def derive_pieces(entries: Iterable[Entry], kinds: Collection[str] | None = None) -> Iterator[Entry | Diagnostic]:
    """The pieces that can be made from some cards, or what is wrong with a card that one cannot be made from.

    `kinds` are those that are wanted, by default all. The place of a piece is that of its card.
    """
    for entry in entries:
        for name, kind in require_game(entry.game).kinds.items():
            if entry.kind in kind.made_from and (kinds is None or name in kinds):
                yield from _derive_piece(entry, name, kind)


def derived_kinds(game: str) -> frozenset[str]:
    """The kinds of piece that are made from cards."""
    return frozenset(name for name, kind in require_game(game).kinds.items() if kind.made_from)


def _derive_piece(entry: Entry, name: str, kind: Kind) -> Iterator[Entry | Diagnostic]:
    card, problems = validate(kind.model, _shared_values(entry.card, kind.model), entry.source_map)
    yield from problems
    if card is not None:
        yield replace(entry, card=card, kind=name)


def _shared_values(card: Card, model: type[Card]) -> dict[str, object]:
    """What a piece takes over from its card: the keys that both have, with the card's own defaults."""
    shared = type(card).model_fields.keys() & model.model_fields.keys() - _NOT_SHARED
    return {name: getattr(card, name) for name in shared}
