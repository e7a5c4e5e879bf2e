"""Reference content of games: providers of blocks and inline values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, TypeVar

from pydantic import Field

from cardgen.model.card import Card
from cardgen.referee.parameters import Ruling, default_settings
from cardgen.referee.trial import RulesConfig, not_adjudicated_sentence
from cardgen.reference.document_tree import Block, DefinitionList, Table, TextBlock
from cardgen.reference.resolve import NotAvailableError, rich_text
from cardgen.rulesets.ruleset import GlossaryTerm, Ruleset
from cardgen.runtime.workspace import Workspace
from cardgen.text.lines import escape_markup
from cardgen.validation.base import Flag, Model, Text

Item = TypeVar("Item")
# Characters that can follow each answer of a ruling on a sheet, best first; all but the first are in every font.
RULING_MARKS = ("\N{DAGGER}", "*")


@dataclass(frozen=True, slots=True)
class CardGroup:
    """A group of cards that sheets can be made for, such as a faction.

    Sheets are made for groups that are `in_use`, and for others by name.
    """

    id: str
    name: str
    in_use: bool = True


@dataclass(frozen=True, slots=True)
class GameData:
    """The data of a sheet: game, cards, and rulings.

    `cards` are by kind, and `rulings` are the settings of all rulings. `find_in_samples` returns the card of a kind and
    name from the game's sample cards, or None. `card_list` is the card list that the sheet is for, such as a warband,
    or None, and `group` the group of cards, such as a faction, or None. `ruling_mark` follows each answer of a ruling.
    The `workspace` has the settings of games, and `credits` returns whom to credit, the license, and what for.
    """

    rules: Ruleset
    cards: Mapping[str, tuple[Card, ...]]
    rulings: Mapping[str, str]
    find_in_samples: Callable[[str, str], Card | None]
    card_list: Card | None = None
    group: CardGroup | None = None
    ruling_mark: str = RULING_MARKS[0]
    workspace: Workspace | None = None
    credits: Callable[[], Sequence[tuple[str, str, str]]] = tuple

    @property
    def ruling_note(self) -> str:
        """The footnote of a sheet with answers of rulings."""
        return f"{self.ruling_mark} A ruling on a question that the rulebook leaves open."

    def find(self, kind: str, name: str) -> Card:
        """Return a card by kind and id or name, ignoring case.

        Raises NotAvailableError for an unknown name.
        """
        cards = self.cards.get(kind, ())
        for card in cards:
            if name.casefold() in (card.id, card.name.casefold()):
                return card
        sample = self.find_in_samples(kind, name)
        if sample is None:
            raise NotAvailableError.unknown(kind, name, [card.id for card in cards])
        return sample

    def select(
        self, kind: str, only: Sequence[str] = (), names: Iterable[str | None] | None = None
    ) -> tuple[Card, ...]:
        """Return the cards in `only` or `names`, or all of a kind.

        If `only` is empty, the cards in `names` are returned without repetitions. Raises NotAvailableError for an
        unknown name; for a name in `only`, its route leads to that option.
        """
        if only:
            return tuple(find_each(only, lambda name: self.find(kind, name), "only"))
        if names is not None:
            return tuple([self.find(kind, name) for name in dict.fromkeys(filter(None, names))])
        return self.cards.get(kind, ())

    def ruling(self, name: str) -> Ruling:
        """Return the ruling with an id. Raises NotAvailableError for an unknown id."""
        for ruling in self.rules.rulings:
            if ruling.id == name:
                return ruling
        raise NotAvailableError.unknown("ruling", name, [ruling.id for ruling in self.rules.rulings])

    def term(self, name: str) -> GlossaryTerm:
        """Return the term with a form. Raises NotAvailableError for an unknown term."""
        for term in self.rules.terms:
            if name in term.forms:
                return term
        raise NotAvailableError.unknown("term", name, [term.name for term in self.rules.terms])


class NoOptions(Model):
    """The options of content that has none."""


class CardOptions(Model):
    """The cards to show.

    By default those of the card list that the sheet is for.
    """

    only: Annotated[tuple[Text, ...], Field(description="ids or names")] = ()
    all: Annotated[Flag, Field(description="also cards that are not in the warband")] = False


@dataclass(frozen=True, slots=True)
class ContentProvider:
    """Content that sheets can show: its function, description, and options.

    `make` raises NotAvailableError, with the route in the options, for unknown names.
    """

    make: Callable[[Any, GameData], Iterable[Block]]
    about: str
    options: type[Model] = NoOptions


# Returns marked-up text for the argument of a quote. Raises NotAvailableError.
InlineValue = Callable[[str, GameData], str]


@dataclass(frozen=True, slots=True)
class ReferenceContent:
    """The reference content of a game, besides the common content.

    `sheets` is the folder of its sheets. `list_kinds` are the kinds of card lists for which sheets can be made, and
    `groups` returns all groups of cards of a sort, such as the factions. Of `shared_kinds`, sheets show the sample
    cards of the game beside those of the project; of other kinds, only if the project has none.
    """

    sheets: Path
    content_providers: Mapping[str, ContentProvider] = field(default_factory=dict)
    inline_values: Mapping[str, InlineValue] = field(default_factory=dict)
    list_kinds: tuple[str, ...] = ()
    groups: Mapping[str, Callable[[GameData], Iterable[CardGroup]]] = field(default_factory=dict)
    shared_kinds: tuple[str, ...] = ()

    def extended(self, more: ReferenceContent) -> ReferenceContent:
        """Return this content and `more`, which replaces content of the same name and the folder of the sheets."""
        return ReferenceContent(
            sheets=more.sheets,
            content_providers={**self.content_providers, **more.content_providers},
            inline_values={**self.inline_values, **more.inline_values},
            list_kinds=tuple(dict.fromkeys((*self.list_kinds, *more.list_kinds))),
            groups={**self.groups, **more.groups},
            shared_kinds=tuple(dict.fromkeys((*self.shared_kinds, *more.shared_kinds))),
        )


class GlossaryOptions(Model):
    """The terms to show, in order; all by default."""

    terms: Annotated[tuple[Text, ...], Field(description="terms of the glossary")] = ()


class RulingOptions(Model):
    """The rulings to show, in order; all by default."""

    rulings: Annotated[tuple[Text, ...], Field(description="ids of rulings")] = ()


def _glossary(options: GlossaryOptions, data: GameData) -> Iterable[Block]:
    """Yield the terms with their definitions."""
    yield definition_list(find_each(options.terms, data.term, "terms") or data.rules.terms)


def definition_list(glossary_terms: Iterable[GlossaryTerm]) -> DefinitionList:
    """Return a definition list of glossary terms."""
    return DefinitionList(tuple((term.name, rich_text(term.definition)) for term in glossary_terms))


def _rulings(options: RulingOptions, data: GameData) -> Iterable[Block]:
    """Yield the rulings with their current answers."""
    chosen = find_each(options.rulings, data.ruling, "rulings") or data.rules.rulings
    yield from text_entries((each.question, _answer_in_force(each, data)) for each in chosen)


def _credits(_: NoOptions, data: GameData) -> Iterable[Block]:
    """Yield a table of whom to credit, if anybody asks for it."""
    rows = [tuple(map(escape_markup, row)) for row in data.credits()]
    if rows:
        yield table(("Credit", "License", "For"), rows, "lll")


def _answer_in_force(ruling: Ruling, data: GameData) -> str:
    setting = data.rulings[ruling.id]
    mark = "" if setting == ruling.default else " *(turned over)*"
    return f"{ruling.settings[setting]}{mark}"


def left_out_note(not_simulated: Iterable[str]) -> Iterator[Block]:
    """Yield a paragraph that says what the numbers after it leave out, if that is anything."""
    sentence = not_adjudicated_sentence(not_simulated)
    if sentence:
        yield TextBlock(rich_text(escape_markup(sentence)))


def find_each(names: Sequence[str], find: Callable[[str], Item], option: str) -> list[Item]:
    """Return the items that an option lists by name.

    Raises NotAvailableError, with the route in the options, for an unknown name.
    """
    found = []
    for number, name in enumerate(names):
        try:
            found.append(find(name))
        except NotAvailableError as error:
            raise NotAvailableError(error.message, error.help, (option, number)) from None
    return found


def _ruling_answer(argument: str, data: GameData) -> str:
    """Return the current answer, marked as a ruling.

    'ID | SETTING: text | SETTING: text' replaces answers. A setting without a text follows the question.
    """
    name, *variants = argument.split("|")
    ruling = data.ruling(name.strip())
    variant_words: dict[str, str] = {}
    for variant in variants:
        setting, _, words = variant.partition(":")
        if setting.strip() not in ruling.settings:
            raise NotAvailableError.unknown(f"setting of {ruling.id}", setting.strip(), ruling.settings)
        variant_words[setting.strip()] = words.strip()
    answer = _answer_in_force(ruling, data)
    if variants:
        answer = variant_words.get(data.rulings[ruling.id], f"*{ruling.question}* {answer}")
    return f"{answer}{escape_markup(data.ruling_mark)}" if answer else ""


def _term_definition(argument: str, data: GameData) -> str:
    """Return the definition of a term."""
    return data.term(argument).definition


CONTENT_PROVIDERS: Mapping[str, ContentProvider] = MappingProxyType(
    {
        "glossary": ContentProvider(_glossary, "terms and their definitions", GlossaryOptions),
        "rulings": ContentProvider(_rulings, "questions that the rules leave open, and their answers", RulingOptions),
        "credits": ContentProvider(_credits, "credits for pictures and icon sets"),
    }
)
INLINE_VALUES: Mapping[str, InlineValue] = MappingProxyType({"ruling": _ruling_answer, "term": _term_definition})


def table(head: Sequence[str], rows: Iterable[Sequence[str]], align: str = "", caption: str = "") -> Table:
    """Return a table of marked-up texts.

    `align` is a string with 'l', 'c', or 'r' for each column; by default the first is 'l', and the others are 'c'.
    """
    sides = {"l": "left", "c": "center", "r": "right"}
    letters = align or "l" + "c" * (len(head) - 1)
    cells = tuple(tuple(map(rich_text, row)) for row in rows)
    return Table(tuple(map(rich_text, head)), cells, tuple(sides[letter] for letter in letters), caption)  # type: ignore[misc]


def rows_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[Block]:
    """Yield a table without row headers; nothing without rows."""
    cells = tuple(rows)
    if cells:
        yield table(head, cells).without_row_headers()


def text_entries(entries: Iterable[tuple[str, str]]) -> Iterator[Block]:
    """Yield a definition list of marked-up texts; nothing without entries."""
    marked_up = tuple((heading, rich_text(text)) for heading, text in entries)
    if marked_up:
        yield DefinitionList(marked_up)


def fact_values(facts: Mapping[str, str | Callable[[GameData], str]]) -> InlineValue:
    """Return an inline value for facts, by name.

    Facts are texts, or functions of the data.
    """

    def quote(name: str, data: GameData) -> str:
        if name not in facts:
            raise NotAvailableError.unknown("fact", name, facts)
        fact = facts[name]
        return fact if isinstance(fact, str) else fact(data)

    return quote


def default_config(data: GameData, policies: Iterable[Ruling]) -> RulesConfig:
    """Return the current rulings with the default policy."""
    return RulesConfig(data.rulings, default_settings(policies))
