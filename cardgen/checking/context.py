"""The input of checks: cards in scope, project services, texts, printed cards."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

from cardgen.checking.check import Finding, Findings, Fix
from cardgen.diagnostic import Diagnostic, Place
from cardgen.model.card import Card
from cardgen.model.entry import Entry
from cardgen.source import Document, KeyPath
from cardgen.validation.base import Model

# The keys whose text is printed as running text; only the first contains rules.
RULES_KEY = "text"
FREE_TEXT_KEYS = frozenset({RULES_KEY, "motto"})

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


class Word(NamedTuple):
    """A word of a text, with the range of its characters."""

    text: str
    start: int
    end: int


class FreeText(NamedTuple):
    """A text and its key; `has_rules` is true if its field is declared to contain rules (`aspect: rules`)."""

    text: str
    key: str
    has_rules: bool = False

    @property
    def is_rules_text(self) -> bool:
        """True for text that contains rules, and not only flavor."""
        return self.has_rules or self.key == RULES_KEY

    def word_texts(self) -> list[str]:
        """Return the words without their places, which is fast."""
        return _WORD.findall(self.text)

    def words(self) -> Iterator[Word]:
        """Yield the words in order."""
        return (Word(match[0], *match.span()) for match in _WORD.finditer(self.text))

    def starts_sentence(self, index: int) -> bool:
        """Return whether a sentence starts at a character index."""
        before = self.text[:index].rstrip("*_ \t\n\"'“‘(")
        return not before or before[-1] in ".:!?"


if TYPE_CHECKING:
    from cardgen.grammar.reading import TextReader
    from cardgen.text.lines import Fit


class PrintedPicture(NamedTuple):
    """A picture on a face, with its resolution, its key's route, and whether it is animated."""

    file: str
    dpi: float
    route: KeyPath = ("art",)
    is_animated: bool = False


class PrintedCard(NamedTuple):
    """A card as it is printed, front and back together."""

    fits: tuple[Fit, ...]
    pictures: tuple[PrintedPicture, ...]


if TYPE_CHECKING:
    from cardgen.text.icons import Icons

Kind = TypeVar("Kind", bound=Card)
Fact = TypeVar("Fact")


class UnreadField(NamedTuple):
    """A field that the project adds to a kind, and that no template reads; `place` is that of its name."""

    kind: str
    field: str
    place: Place


class ProjectServices(NamedTuple):
    """Lazy access to the resources of a project and its games.

    `find_art` raises ValueError with a message if there is no such picture; `has_template` takes a name such as
    'minion.back'; `template_source` returns the source of every template that can print a card, and of the pieces made
    from it, or '' if that is unknown; `icons` returns the icons of a game; `pictures` returns the pictures that cards
    can use, by the path shown to users; `settings_back` returns the back that the settings give to a card, or '';
    `back_pictures` returns the pictures that are backs by the settings; `art_faults` returns what an SVG file has that
    cannot be drawn, at its lines; `unread_fields` returns the free fields that no template of these cards, or of their
    kinds, reads.
    """

    find_art: Callable[[Entry, str], Path]
    has_template: Callable[[Entry, str], bool]
    template_source: Callable[[Entry], str]
    icons: Callable[[str], Icons]
    pictures: Callable[[], Mapping[str, Path]]
    settings_back: Callable[[Entry], str]
    back_pictures: Callable[[], frozenset[Path]]
    art_faults: Callable[[Path], tuple[Diagnostic, ...]]
    unread_fields: Callable[[Callable[[], Iterable[Entry]]], Iterable[UnreadField]] = lambda _: ()


class Glossary(NamedTuple):
    """Spellings of a game's terms; `everyday` terms are also ordinary words."""

    forms: frozenset[str] = frozenset()
    everyday: frozenset[str] = frozenset()


# Returns the cards whose models derive from some, and are of a kind, if its name is not ''.
CardSource: TypeAlias = Callable[[tuple[type[Card], ...], str], Sequence[Entry]]


@dataclass(slots=True)
class CheckScope:
    """The cards to check, and their files.

    `cards` are checked; `other_cards` returns the other cards in play of some kinds, which are only compared with
    them.
    `glossaries` are the glossaries of the games by id, and `rulings` are the settings of their rulings. `is_complete`
    is false if some cards of the project could not be read. `readers` returns the reader of a game's texts, or None.
    `dice` are the numbers on the dice that games have, by game and name.
    """

    cards: tuple[Entry, ...]
    documents: tuple[Document, ...]
    other_cards: CardSource
    services: ProjectServices
    glossaries: Mapping[str, Glossary]
    rulings: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    is_complete: bool = True
    readers: Callable[[str], TextReader | None] = lambda _: None
    dice: Mapping[str, Mapping[str, tuple[int, ...]]] = field(default_factory=dict)
    _computed: dict[Callable[..., Any], Any] = field(default_factory=dict)

    def compute_once(self, derive: Callable[[CheckScope], Fact]) -> Fact:
        """Return a value derived from the scope, computed once for all checks."""
        if derive not in self._computed:
            self._computed[derive] = derive(self)
        value: Fact = self._computed[derive]
        return value

    def cards_of_type(self, model: type[Kind]) -> Iterator[Kind]:
        """Yield the cards in play of a kind."""
        for entry in (*self.cards, *self.others_of_type(model)):
            if isinstance(entry.card, model):
                yield entry.card

    def others_of_type(self, *models: type[Card]) -> Sequence[Entry]:
        """Return the other cards in play of some kinds, with their places."""
        return self.other_cards(models, "")


def entries_in_play(scope: CheckScope) -> tuple[Entry, ...]:
    """Return all cards in play, with their places.

    Ask only for the kinds that you need, if you can; all of them take longer.
    """
    return (*scope.cards, *scope.other_cards((Card,), ""))


class CheckContext(NamedTuple):
    """The position of the part of a card that is checked.

    `ancestors` are the models around it, the card first; `entry` is None for anything that is not part of a card.
    """

    scope: CheckScope
    entry: Entry | None = None
    route: KeyPath = ()
    ancestors: tuple[Model, ...] = ()

    @property
    def parent(self) -> Model | None:
        """The model that contains the part, or None."""
        return self.ancestors[-1] if self.ancestors else None

    @property
    def glossary(self) -> Glossary:
        """The terms of the card's game."""
        return self.scope.glossaries[self.entry.game] if self.entry else Glossary()

    @property
    def rulings(self) -> Mapping[str, str]:
        """The settings of the rulings of the card's game."""
        return self.scope.rulings.get(self.entry.game, {}) if self.entry else {}

    @property
    def card(self) -> Card | None:
        """The card that contains the part, or None."""
        return self.entry.card if self.entry else None


CM_PER_INCH = 2.54


def foreign_units(
    pattern: re.Pattern[str], message: str, convert: Callable[[re.Match[str]], tuple[str, str]]
) -> Callable[[FreeText, CheckContext], Findings]:
    """Return the `find` function of a check for foreign units.

    The check reads only rules texts. `pattern` matches lengths in the foreign unit. `convert` returns a matched length
    in words, and the same length in the unit of the game, which is the fix.
    """

    def find(free_text: FreeText, context: CheckContext) -> Findings:
        for match in pattern.finditer(free_text.text) if free_text.is_rules_text else ():
            length, converted = convert(match)
            advice = f"{length} are about {converted}"
            yield Finding(message, help=advice, text_range=match.span(), fix=Fix(converted))

    return find


def foreign_terms(terms: Mapping[str, str]) -> Callable[[FreeText], Findings]:
    """Return the `find` function of a check for terms of other games.

    The check reads only rules texts. `terms` maps regular expressions of terms to what the game has instead.
    """
    patterns = {re.compile(rf"\b(?:{words})\b"): advice for words, advice in terms.items()}

    def find(free_text: FreeText) -> Findings:
        for pattern, advice in patterns.items() if free_text.is_rules_text else ():
            for match in pattern.finditer(free_text.text):
                yield Finding(f"unknown term '{match[0]}'", help=advice, text_range=match.span())

    return find
