"""All that lies on the table when cards are checked: the cards themselves, and what they are measured against."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from cardgen.model.base import Model
from cardgen.model.card import Card
from cardgen.model.entry import Entry
from cardgen.source import Document, Route

if TYPE_CHECKING:
    from cardgen.text.icons import Icons

Kind = TypeVar("Kind", bound=Card)
Fact = TypeVar("Fact")


class Surroundings(NamedTuple):
    """What a project and a game have besides cards; each is asked for only when a check wants it.

    `find_art` raises ValueError with a sentence where there is no such picture; `has_template` takes a name such as
    'minion.back'; `icons` gives those of a game; `pictures` are the pictures that cards may use, by the path that
    users see.
    """

    find_art: Callable[[Entry, str], Path]
    has_template: Callable[[Entry, str], bool]
    icons: Callable[[str], Icons]
    pictures: Callable[[], Mapping[str, Path]]


class Glossary(NamedTuple):
    """How the terms of a game are written; the `everyday` ones may stand in small letters as plain words."""

    forms: frozenset[str] = frozenset()
    everyday: frozenset[str] = frozenset()


@dataclass(slots=True)
class Table:
    """The cards, and the files that they came from.

    `cards` are looked at; `others` gives the cards that are in play besides, which set the bounds and are not
    looked at. `glossaries` are those of the games, by their ids.
    """

    cards: tuple[Entry, ...]
    documents: tuple[Document, ...]
    others: Callable[[], tuple[Entry, ...]]
    surroundings: Surroundings
    glossaries: Mapping[str, Glossary]
    _facts: dict[Callable[..., Any], Any] = field(default_factory=dict)

    def fact(self, derive: Callable[[Table], Fact]) -> Fact:
        """What follows from all cards of the table, worked out once for all checks."""
        if derive not in self._facts:
            self._facts[derive] = derive(self)
        found: Fact = self._facts[derive]
        return found

    def all(self, model: type[Kind]) -> Iterator[Kind]:
        """Every card in play of a kind."""
        for entry in self.fact(in_play):
            if isinstance(entry.card, model):
                yield entry.card


def in_play(table: Table) -> tuple[Entry, ...]:
    """Every card in play with where it stands."""
    return (*table.cards, *table.others())


class Scene(NamedTuple):
    """Where the part of a card that a check looks at belongs.

    `above` are the models that it stands in, the card first; `entry` is None for what is no part of a card.
    """

    table: Table
    entry: Entry | None = None
    route: Route = ()
    above: tuple[Model, ...] = ()

    @property
    def owner(self) -> Model | None:
        """The model that the part stands in directly."""
        return self.above[-1] if self.above else None

    @property
    def glossary(self) -> Glossary:
        """The terms of the card's game."""
        return self.table.glossaries[self.entry.game] if self.entry else Glossary()

    @property
    def card(self) -> Card | None:
        """The card that the part belongs to."""
        return self.entry.card if self.entry else None
