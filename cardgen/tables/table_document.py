"""Table as a document of cards; values have the places of cells."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from cardgen.diagnostic import Place
from cardgen.source import Comment, Document, KeyPath
from cardgen.source.positions import Node

# Place of the value at a path in the card of an index.
PlaceInCard: TypeAlias = Callable[[int, KeyPath], Place]


class Oddity(NamedTuple):
    """Cell that a spreadsheet has probably changed."""

    place: Place
    message: str
    help: str = ""


def _no_place(index: int, path: KeyPath) -> Place:
    raise LookupError(index, path)


@dataclass(frozen=True, slots=True)
class TableDocument(Document):
    """Document whose `data` have the cards of a table under 'cards'.

    `place_in_card` returns the place of a value in a card; `settings_place` is that of the kind in the settings.
    `oddities` are cells that were probably changed, and `incomplete` are the indices of cards that lack a value because
    its cell has none. `keys` are the keys of cards that have a column, or None for a file without columns.
    """

    place_in_card: PlaceInCard = _no_place
    settings_place: Place | None = None
    oddities: tuple[Oddity, ...] = ()
    incomplete: frozenset[int] = frozenset()
    keys: frozenset[str] | None = None

    @property
    def root(self) -> Node | None:
        """A node without children; None if the table cannot be read."""
        return None if self.data is None else Node((0, 0), (0, 0))

    @property
    def count(self) -> int:
        """The number of cards."""
        cards = self.data.get("cards") if isinstance(self.data, dict) else ()
        return len(cards) if isinstance(cards, list) else 0

    def release_data(self) -> None:
        """Keep the data, which cannot be composed again."""

    def place(self, key_path: KeyPath = (), *, key: bool = False) -> Place:
        """Return the place of the value at `key_path`.

        It is a cell, or a value in a JSON file.
        """
        match key_path:
            case ("cards", int(index), *path):
                return self.place_in_card(index, tuple(path))
            case ("kind" | "game", *_) if self.settings_place:
                return self.settings_place
        return Place(self.file)

    def place_of_substring(self, key_path: KeyPath, text: str, start: int, end: int) -> Place | None:
        """Return None: places are whole cells."""
        return None

    def comments(self) -> tuple[Comment, ...]:
        """Return nothing, because a table has no comments on cards."""
        return ()
