"""What a check sees: the cards in scope, project services, free texts and printed cards."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from cardgen.model.card import Card
from cardgen.model.entry import Entry
from cardgen.source import Document, KeyPath
from cardgen.validation.base import Model

# The keys whose text is printed as running text; the rules speak in the first one only.
RULES_KEY = "text"
FREE_TEXT_KEYS = frozenset({RULES_KEY, "motto"})

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


class Word(NamedTuple):
    """A word of a text, and the characters that it takes."""

    text: str
    start: int
    end: int


class FreeText(NamedTuple):
    """A text and the key that it stands under."""

    text: str
    key: str

    @property
    def is_rules_text(self) -> bool:
        """True where the text says what a card does, and not only how it feels."""
        return self.key == RULES_KEY

    def word_texts(self) -> list[str]:
        """The words without their places, for a first look."""
        return _WORD.findall(self.text)

    def words(self) -> Iterator[Word]:
        """The words from the first to the last."""
        return (Word(match[0], *match.span()) for match in _WORD.finditer(self.text))

    def starts_sentence(self, index: int) -> bool:
        """Whether a sentence begins at that character, so that a capital letter says nothing."""
        before = self.text[:index].rstrip("*_ \t\n\"'“‘(")
        return not before or before[-1] in ".:!?"


if TYPE_CHECKING:
    from cardgen.text.lines import Fit


class PrintedPicture(NamedTuple):
    """A picture on a face: its pixels to an inch, at the route of the card's key that names it."""

    file: str
    dpi: float
    route: KeyPath = ("art",)


class PrintedCard(NamedTuple):
    """One card as it is printed, front and back together."""

    fits: tuple[Fit, ...]
    pictures: tuple[PrintedPicture, ...]


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
