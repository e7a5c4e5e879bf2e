"""A card of a deck, and its place in the source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from cardgen.diagnostic import Place
from cardgen.model.card import Card
from cardgen.source import Document, KeyPath
from cardgen.validation.source_map import SourceMap


@dataclass(frozen=True, slots=True)
class Entry:
    """A card of a deck: what it is, of which game and kind, and what it was read from.

    `links` are the cards that it names, by kind and by the id or name that it calls them.
    """

    card: Card
    game: str
    kind: str
    source_map: SourceMap = field(repr=False, compare=False)
    links: Mapping[tuple[str, str], Entry] = field(default_factory=dict, repr=False, compare=False)

    @property
    def document(self) -> Document:
        """The file that the card stands in."""
        return self.source_map.document

    def linked_entry(self, kind: str, name: str) -> Entry:
        """The card that this one names so. Raises LookupError with a sentence when it names none."""
        entry = self.links.get((kind, name))
        if entry is None:
            raise LookupError(f"'{self.card.name}' names no {kind} '{name}'")
        return entry

    def place(self, key_path: KeyPath = (), *, key: bool = False) -> Place:
        """Where the card has what stands at `route`, such as ('weapons', 1, 'damage'), or its key.

        It may stand in the deck's defaults, under a synonym, or in a short form, whose place is that of all its
        parts. What was left out has the place of what it would be part of.
        """
        return self.source_map.place(key_path, key=key)
