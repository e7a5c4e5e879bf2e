"""A card of a deck, and its place in the source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from cardgen.diagnostic import Place
from cardgen.model.card import Card
from cardgen.runtime.workspace import Workspace
from cardgen.source import Document, KeyPath
from cardgen.validation.source_map import SourceMap


@dataclass(frozen=True, slots=True)
class Entry:
    """Card of a deck, with its game, kind, and source.

    `links` are the cards that it references, by kind and by the id or name that it uses. `workspace` is that of the
    project that has read it, whose games may be more than the installed ones.
    """

    card: Card
    game: str
    kind: str
    source_map: SourceMap = field(repr=False, compare=False)
    links: Mapping[tuple[str, str], Entry] = field(default_factory=dict, repr=False, compare=False)
    workspace: Workspace = field(default_factory=Workspace, repr=False, compare=False)

    @property
    def document(self) -> Document:
        """The file that contains the card."""
        return self.source_map.document

    def linked_entry(self, kind: str, name: str) -> Entry:
        """Return the card that this one references by kind and name.

        Raises LookupError with a message for the user if there is no such reference.
        """
        entry = self.links.get((kind, name))
        if entry is None:
            raise LookupError(f"'{self.card.name}' has no reference to {kind} '{name}'")
        return entry

    def place(self, key_path: KeyPath = (), *, key: bool = False) -> Place:
        """Return the place of the value at `key_path`, or of its key.

        An example is ('weapons', 1, 'damage'). The value may come from the deck's defaults, a synonym, or a short form,
        whose place is that of all its parts. A value that was left out has the place of its container.
        """
        return self.source_map.place(key_path, key=key)
