"""Choosing some cards of a deck, as `--only` does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.model.codes import Code
from cardgen.model.deck import Deck
from cardgen.model.entry import Entry
from cardgen.shape.suggestion import did_you_mean


def select_cards(deck: Deck, words: Iterable[str]) -> Deck:
    """The deck with those cards that one of the words names: their kind, id, name or a tag, in capitals or not.

    No words at all choose all cards. References still find the others. Raises CardgenError for words that name
    nothing.
    """
    wanted = {word.casefold(): word for word in words}
    if not wanted:
        return deck
    names = {name.casefold(): name for entry in deck.cards for name in _selectable_names(entry)}
    unknown = [word for folded, word in wanted.items() if folded not in names]
    if unknown:
        raise CardgenError(*(_unknown_selection(word, names.values()) for word in unknown))
    selection = (entry for entry in deck.cards if any(name.casefold() in wanted for name in _selectable_names(entry)))
    return replace(deck, cards=tuple(selection))


def _selectable_names(entry: Entry) -> Iterator[str]:
    yield from (entry.kind, entry.card.id, entry.card.name, *entry.card.tags)


def _unknown_selection(word: str, known: Iterable[str]) -> Diagnostic:
    message = f"no card has the kind, id, name or tag '{word}'{did_you_mean(word, known)}"
    return Diagnostic(Code.UNKNOWN_SELECTION, message, Place("--only"), "'cardgen list' shows all cards")
