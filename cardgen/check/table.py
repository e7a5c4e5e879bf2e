"""All that lies on the table when cards are checked: the cards themselves, and what they are measured against."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from cardgen.model.base import Model
from cardgen.model.card import Card
from cardgen.model.entry import Entry
from cardgen.source import Document, KeyPath

if TYPE_CHECKING:
    from cardgen.text.icons import Icons

Kind = TypeVar("Kind", bound=Card)
Fact = TypeVar("Fact")


class ProjectServices(NamedTuple):
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
class CheckScope:
    """The cards, and the files that they came from.

    `cards` are looked at; `others` gives the cards that are in play besides, which set the bounds and are not
    looked at. `glossaries` are those of the games, by their ids.
    """

    cards: tuple[Entry, ...]
    documents: tuple[Document, ...]
    other_cards: Callable[[], tuple[Entry, ...]]
    services: ProjectServices
    glossaries: Mapping[str, Glossary]
    _computed: dict[Callable[..., Any], Any] = field(default_factory=dict)

    def compute_once(self, derive: Callable[[CheckScope], Fact]) -> Fact:
        """What follows from all cards of the table, worked out once for all checks."""
        if derive not in self._computed:
            self._computed[derive] = derive(self)
        value: Fact = self._computed[derive]
        return value

    def cards_of_type(self, model: type[Kind]) -> Iterator[Kind]:
        """Every card in play of a kind."""
        for entry in self.compute_once(entries_in_play):
            if isinstance(entry.card, model):
                yield entry.card


def entries_in_play(scope: CheckScope) -> tuple[Entry, ...]:
    """Every card in play with where it stands."""
    return (*scope.cards, *scope.other_cards())


class CheckContext(NamedTuple):
    """Where the part of a card that a check looks at belongs.

    `above` are the models that it stands in, the card first; `entry` is None for what is no part of a card.
    """

    scope: CheckScope
    entry: Entry | None = None
    route: KeyPath = ()
    ancestors: tuple[Model, ...] = ()

    @property
    def parent(self) -> Model | None:
        """The model that the part stands in directly."""
        return self.ancestors[-1] if self.ancestors else None

    @property
    def glossary(self) -> Glossary:
        """The terms of the card's game."""
        return self.scope.glossaries[self.entry.game] if self.entry else Glossary()

    @property
    def card(self) -> Card | None:
        """The card that the part belongs to."""
        return self.entry.card if self.entry else None
