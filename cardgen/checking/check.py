"""Checks and their findings: code, severity, confidence, symbolic places, fixes."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from inspect import signature
from itertools import groupby
from pathlib import Path
from textwrap import dedent
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, TypeVar, get_args

from cardgen.checking.figures import KeptFigures
from cardgen.diagnostic import Diagnostic, Fix, Place, Severity
from cardgen.model.card import Card, Entry
from cardgen.runtime.workspace import Budget
from cardgen.source import Document, KeyPath
from cardgen.text.dictionary import Spelling
from cardgen.units import Box, shorten
from cardgen.validation.base import Model

if TYPE_CHECKING:
    from cardgen.grammar.reading import TextReader
    from cardgen.text.lines import Fit
    from cardgen.text.shaped_row import Icons


class Confidence(StrEnum):
    """How sure a check is: by rule, by convention, or by similarity."""

    CERTAIN = "certain"
    LIKELY = "likely"
    GUESS = "guess"


# Indices of characters in a text: the first, and the one after the last.
TextRange = tuple[int, int]


# The three common color-vision deficiencies, of people who lack one kind of cone.
Vision: TypeAlias = Literal["protanopia", "deuteranopia", "tritanopia"]
Side: TypeAlias = Literal["front", "back"]


class Spot(NamedTuple):
    """The part of a drawn card that a finding is about: its side, and a box in millimeters from the trim's corner.

    With a `vision`, it is about what people with that deficiency see.
    """

    side: Side
    box: Box
    vision: Vision | None = None


class Related(NamedTuple):
    """A labeled further place, in this card or in another `entry`."""

    label: str
    route: KeyPath = ()
    entry: Entry | None = None


class Finding(NamedTuple):
    """A problem that a check reports.

    `route` is relative to the part of the card that the check looks at, or to the card of `entry` if there is one.
    `text_range` narrows the place to some characters of a text, and `at_key` selects the key instead of its value.
    `word` narrows the place to a word in it, if it contains that word: 'P7' in the short form of a weapon.
    A finding outside of cards has a `place`. `spot` is the part of the drawn card.
    """

    message: str
    route: KeyPath = ()
    help: str = ""
    text_range: TextRange | None = None
    at_key: bool = False
    word: str = ""
    entry: Entry | None = None
    place: Place | None = None
    related: tuple[Related, ...] = ()
    fix: Fix | None = None
    spot: Spot | None = None


# What the `find` of a check yields.
Findings: TypeAlias = Iterator[Finding]
Find: TypeAlias = Callable[[Any, Any], Iterable[Finding]]

FIT_FAMILY = "5"
# The codes of checks of what is seen on a drawn card begin so.
LOOKS_FAMILY = ("CG56", "CG57")


class Check(NamedTuple):
    """A check.

    `find` is None for a fixed limit, which is enforced while cards are read or drawn; then `looks_at` is empty.
    `manual` is the manual page, or a function that creates it. `game` is the game that the check is for, or '' for all
    games.
    """

    code: str
    name: str
    manual: str | Callable[[], str]
    severity: Severity = Severity.ERROR
    confidence: Confidence = Confidence.CERTAIN
    looks_at: tuple[type, ...] = ()
    find: Find | None = None
    game: str = ""

    @property
    def page(self) -> str:
        """The manual page."""
        return self.manual if isinstance(self.manual, str) else self.manual()

    @property
    def is_fixed_limit(self) -> bool:
        """True for a fixed limit, which always runs and cannot be ignored."""
        return self.find is None

    @property
    def needs_rendering(self) -> bool:
        """True for checks of rendered cards: the fit and print family."""
        return self.code[2:3] == FIT_FAMILY

    def matches(self, word: str) -> bool:
        """Return whether `word` is its name, code, code prefix, or 'all'."""
        return word == self.name or word.casefold() == "all" or (word != "" and self.code.startswith(word.upper()))


def rule(code: str, severity: str, confidence: str) -> Callable[[Callable[..., Iterable[Finding]]], Check]:
    """Return a decorator that makes a check of the function `find` in a module of checks.

    The check looks at the types with which the first parameter is annotated; the second one, the context, may be left
    out. The name and the page of the check are those of its module.
    """

    def decorate(find: Callable[..., Iterable[Finding]]) -> Check:
        part, *context = signature(find, eval_str=True).parameters.values()
        looks_at = get_args(part.annotation) or (part.annotation,)
        in_context = find if context else lambda part, _: find(part)
        return Check(code, "", "", Severity(severity), Confidence(confidence), looks_at, in_context)

    return decorate


# The keys whose text is printed as running text; only the first contains rules.
RULES_KEY = "text"
FREE_TEXT_KEYS = frozenset({RULES_KEY, "motto"})

# Marks, spaces, and quotes before the first word of a sentence.
_OPENING = "*_ \t\n\"'“‘(["
# The beginning of an item of a list at the end of a text.
_ITEM = re.compile(r"(?:^|\n|\u2028)[ \t]*(?:[-•]|\d{1,2}[.)])[ \t]*$")
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
        """Return whether a sentence starts at a character index, perhaps after a label such as '[Triple]'."""
        before = self.text[:index].rstrip(_OPENING)
        if _ITEM.search(before):
            return True
        if before.endswith(("]", "}")):
            before = before[: max(before.rfind("["), before.rfind("{"))].rstrip(_OPENING)
        return not before or before[-1] in ".:!?"


class PrintedPicture(NamedTuple):
    """A picture on a face, with its resolution, its key's route, whether it is animated, and its spot.

    `place` is where it is named, unless the card names it in `art`.
    """

    file: str
    dpi: float
    route: KeyPath = ("art",)
    is_animated: bool = False
    spot: Spot | None = None
    place: Place | None = None


class Flaw(NamedTuple):
    """What is wrong with a text, an element, or a color of a drawn face.

    It is 'faint' (its `figure` is the contrast, and `least` the least that is needed; `other` is 'part' if only some
    letters are, and 'veiled' if something dims it), 'hidden' behind something, too near to the 'cut' (both in
    millimeters), on a 'fold', 'over' the text `other`, or off the 'middle' of `other`. `field` is the path of the text
    in the card's data, or '' for a label, and `text` the words in question, '' for a shape. `place` is that of its
    element in a template of the project, or of its `colour`, or that of its `ground`, in a theme of the project. Of a
    'sign' in two `colours`, and of a 'value' that differs from the value `other` in these alone, they look alike with a
    deficiency of `vision`; the `figure` is their difference, and `least` what people can see.
    """

    kind: Literal["faint", "hidden", "cut", "fold", "over", "touching", "rule", "baseline", "column", "middle",
                  "crowded", "widow", "empty", "sign", "value", "ink"]  # fmt: skip
    field: str
    text: str
    figure: float = 0.0
    least: float = 0.0
    other: str = ""
    place: Place | None = None
    spot: Spot | None = None
    colour: str = ""
    ground: str = ""
    colours: tuple[str, str] | None = None
    vision: Vision | None = None

    @property
    def subject(self) -> str:
        """The text, or the color of a theme, as messages call it."""
        if self.colour or self.ground:
            return f"the color '{self.colour or self.ground}'"
        words = " ".join(self.text.split())
        if self.field:
            return f"'{self.field.replace('/', '.')}'"
        return f"the label '{shorten(words)}'" if words else "a shape"

    def finding(self, message: str, advice: str) -> Finding:
        """Return the finding of this flaw: at the template if it is the project's, or else at the card."""
        route = field_route(self.field)
        return Finding(f"{self.subject} {message}", route, help=advice, place=self.place, spot=self.spot)


class PrintedCard(NamedTuple):
    """A card as it is printed: the texts of its front and back, its pictures, and the flaws of both sides.

    `find_place` returns the place of a text in a template of the project, or None. `has_drawings` says whether an SVG
    file, which is not among the pictures, is on it.
    """

    front: tuple[Fit, ...]
    back: tuple[Fit, ...]
    pictures: tuple[PrintedPicture, ...]
    flaws: tuple[Flaw, ...] = ()
    find_place: Callable[[Side, Fit], Place | None] = lambda *_: None
    has_drawings: bool = False

    @property
    def fits(self) -> tuple[Fit, ...]:
        """The texts of both sides."""
        return (*self.front, *self.back)

    def spot(self, fit: Fit) -> Spot | None:
        """Return where a text of this card is; None if nothing is printed."""
        return Spot(self._side(fit), fit.box) if fit.box else None

    def place(self, fit: Fit) -> Place | None:
        """Return the place of a text in a template of the project, if it is in one."""
        return self.find_place(self._side(fit), fit)

    def _side(self, fit: Fit) -> Side:
        return "front" if fit in self.front else "back"


class Rendering(NamedTuple):
    """Cards rendered for checks, the problems with rendering and fit, and where some of these are on drawn cards."""

    cards: Sequence[tuple[CheckContext, object]] = ()
    problems: Sequence[Diagnostic] = ()
    spots: Mapping[Diagnostic, tuple[Entry, Spot]] = MappingProxyType({})


def field_route(field: str) -> KeyPath:
    """Return the route of a text of a face, such as 'abilities/0/text'."""
    return tuple(int(step) if step.isdigit() else step for step in field.split("/") if step)


Kind = TypeVar("Kind", bound=Card)
Fact = TypeVar("Fact")


class UnreadField(NamedTuple):
    """A field that the project adds to a kind, and that no template reads; `place` is that of its name."""

    kind: str
    field: str
    place: Place


class ReleasedId(NamedTuple):
    """An id that a card of the latest release has or had.

    `values` are those of its rules and texts by JSON pointer, and its name; `place` is its line in the release file.
    """

    release: str
    game: str
    id: str
    values: Mapping[str, object]
    place: Callable[[], Place]


class TranslatedPair(NamedTuple):
    """A text and its translation, with the place of that.

    `id` and `name` are those of the card, and `field` the pointer of the text. `recorded` is what the translation was
    made from; None if that is unknown.
    """

    source: str
    text: str
    place: Callable[[], Place]
    id: str
    name: str
    field: str
    recorded: str | None


class TranslationsOf(NamedTuple):
    """The translations of a project into a language; `place` is that of the setting.

    `missing` is a number of texts, `pairs` are the texts whose translation is up to date, `stale` those of which it is
    not, and `problems` what fits no text. `terms` are the words for terms of the source in the project's glossary.
    """

    language: str
    place: Place
    missing: int
    pairs: Sequence[TranslatedPair]
    stale: Sequence[TranslatedPair]
    problems: Sequence[Diagnostic]
    terms: Mapping[str, tuple[str, ...]]


class UnwrittenClause(NamedTuple):
    """A clause that a game cannot write in a language, with the place of the card that needs it."""

    language: str
    clause: str
    place: Place


class UnreadFile(NamedTuple):
    """A file that is not read, though it may hold cards; or for certain, which is said with what to do."""

    path: Path
    message: str = ""
    help: str = ""


class ProjectServices(NamedTuple):
    """Lazy access to the resources of a project and its games.

    `find_art` raises ValueError with a message if there is no such picture; `has_template` takes a name such as
    'minion.back'; `template_source` returns the source of every template that can print a card, and of the pieces made
    from it, or '' if that is unknown; `icons` returns the icons of a game; `pictures` returns the pictures that cards
    can use, by the path shown to users; `settings_back` returns the back that the settings give to a card, or '';
    `back_pictures` returns the pictures that are backs by the settings; `art_faults` returns what an SVG file has that
    cannot be drawn, at its lines; `unread_fields` returns the free fields that no template of cards, or of their
    kinds, reads; `unread_files` returns the files of cards or looks that are not read, by the path shown to users;
    `released` returns the ids of the latest release without those that the settings call retired, or nothing if only
    some cards are checked; `prints` returns whether any font has a character; `spans` returns the names of the spans
    that texts of a game can have; `size_of` raises CardgenError for a card without a valid size; `translations` returns
    those into each language of the project, or nothing if only some cards are checked; `spelling` returns which words
    are right in a language and a game; '' is the language that cards have which name none; `unwritten` returns what the
    games of cards cannot write in the languages of the project.
    """

    find_art: Callable[[Entry, str], Path]
    has_template: Callable[[Entry, str], bool]
    template_source: Callable[[Entry], str]
    icons: Callable[[str], Icons]
    pictures: Callable[[], Mapping[str, Path]]
    settings_back: Callable[[Entry], str]
    back_pictures: Callable[[], frozenset[Path]]
    art_faults: Callable[[Path], tuple[Diagnostic, ...]]
    unread_fields: Callable[[Callable[[], Iterable[Sequence[str]]]], Iterable[UnreadField]] = lambda _: ()
    unread_files: Callable[[], Mapping[str, UnreadFile]] = dict
    released: Callable[[], Sequence[ReleasedId]] = tuple
    prints: Callable[[str], bool] = lambda _: True
    spans: Callable[[str], Collection[str]] = lambda _: ()
    size_of: Callable[[Entry], object] = lambda _: None
    translations: Callable[[], Sequence[TranslationsOf]] = tuple
    spelling: Callable[[str, str], Spelling] = lambda language, game: Spelling(language)
    unwritten: Callable[[], Iterable[UnwrittenClause]] = tuple


class Glossary(NamedTuple):
    """Spellings of a game's terms; `everyday` terms are also ordinary words."""

    forms: frozenset[str] = frozenset()
    everyday: frozenset[str] = frozenset()


# What a check compares of a card: plain data as JSON has it, but not None, which follows from nothing but the card.
CardFact: TypeAlias = Callable[[Any], Any]
# The same of a card with its place: it may also look at the files of the project other than cards, as services do, and
# at what the card references.
EntryFact: TypeAlias = Callable[[Entry, "CheckScope"], Any]


class OtherCards:
    """Some of the cards in play, of which not all need be read; here, there are none."""

    def of(self, models: tuple[type[Card], ...], kind: str = "") -> Sequence[Entry]:
        """Return the cards whose models derive from some, and are of a kind, if its name is not ''."""
        return ()

    def said(self, say: EntryFact, scope: CheckScope) -> Sequence[Any]:
        """Return what a function says of each of these cards in order."""
        return [say(entry, scope) for entry in self.of((Card,))]

    def named(self, name: str, models: tuple[type[Card], ...], kind: str = "") -> Sequence[Entry]:
        """Return those of these cards that have a name or id."""
        if (models, kind) not in self._by_name:
            by_name = self._by_name[models, kind] = dict[str, list[Entry]]()
            for entry in self.of(models, kind):
                for each in {entry.card.name, entry.card.id}:
                    by_name.setdefault(each, []).append(entry)
        return self._by_name[models, kind].get(name, ())

    @cached_property
    def _by_name(self) -> dict[tuple[tuple[type[Card], ...], str], dict[str, list[Entry]]]:
        return {}

    def models(self) -> Iterable[type[Card]]:
        """Return the models of these cards."""
        return dict.fromkeys(type(entry.card) for entry in self.of((Card,)))

    def facts(self, models: tuple[type[Card], ...], fact: CardFact) -> Iterable[Any]:
        """Return what a fact says of each of these cards."""
        return [fact(entry.card) for entry in self.of(models)]

    def like(
        self, models: tuple[type[Card], ...], fact: CardFact, wanted: Callable[[], Container[Any]]
    ) -> Sequence[Entry]:
        """Return those of these cards of which a fact says something `wanted`, and perhaps others."""
        return self.of(models)


class GivenCards(OtherCards):
    """Cards that have been read."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._entries = entries
        self._facts: dict[tuple[tuple[type[Card], ...], CardFact], list[Any]] = {}

    def facts(self, models: tuple[type[Card], ...], fact: CardFact) -> Iterable[Any]:
        """Return what a fact says of each of these cards, which is found out once."""
        if (models, fact) not in self._facts:
            self._facts[models, fact] = [*super().facts(models, fact)]
        return self._facts[models, fact]

    def of(self, models: tuple[type[Card], ...], kind: str = "") -> Sequence[Entry]:
        """Return the cards whose models derive from some, and are of a kind, if its name is not ''."""
        return [each for each in self._entries if isinstance(each.card, models) and kind in ("", each.kind)]


@dataclass(slots=True)
class CheckScope:
    """The cards to check, and their files.

    `cards` are checked, and `other_cards` are only compared with them. `own` are the checked cards as well, for
    whoever needs only some of them, or what facts say of them. `files` are the paths of their files.
    `glossaries` are the glossaries of the games by id, and `rulings` are the settings of their rulings. `is_complete`
    is false if some cards of the project could not be read, and `is_whole` if some of its files are not checked.
    `readers` returns the reader of a game's texts, or None. `dice` are the numbers on the dice that games have, by game
    and name. The expressions of checks share the `budget`. `figures` are those of odds that are kept.
    """

    cards: Sequence[Entry]
    documents: Sequence[Document]
    other_cards: OtherCards
    services: ProjectServices
    glossaries: Mapping[str, Glossary]
    own: OtherCards = field(default_factory=OtherCards)
    files: Sequence[str] = ()
    rulings: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    is_complete: bool = True
    is_whole: bool = True
    readers: Callable[[str], TextReader | None] = lambda _: None
    dice: Mapping[str, Mapping[str, tuple[int, ...]]] = field(default_factory=dict)
    figures: KeptFigures = field(default_factory=KeptFigures)
    budget: Budget = field(default_factory=Budget)
    _computed: dict[Callable[..., Any], Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if type(self.own) is OtherCards:
            self.own = GivenCards(self.cards)

    def compute_once(self, derive: Callable[[CheckScope], Fact]) -> Fact:
        """Return a value derived from the scope, computed once for all checks."""
        if derive not in self._computed:
            self._computed[derive] = derive(self)
        value: Fact = self._computed[derive]
        return value

    def look_up(self, derive: Callable[[CheckScope], Mapping[str, Fact]], key: str) -> Fact | None:
        """Return what a mapping derived from the scope has for a key, or None.

        What a check finds is kept while the values that it looks up are the same, whatever else the mapping has.
        """
        return self.compute_once(derive).get(key)

    def find_card(self, name: str, model: type[Kind], kind: str = "", game: str = "") -> Kind | None:
        """Return the first card in play with a name or id, of a model, and of a kind and game if these are not ''."""
        found = (entry for cards in (self.own, self.other_cards) for entry in cards.named(name, (model,), kind))
        return next((entry.card for entry in found if game in ("", entry.game)), None)  # type: ignore[return-value]

    def memory(self, make: Callable[[], Fact]) -> Fact:
        """Return an object made once for all checks; what checks find must not depend on what others left in it."""
        if make not in self._computed:
            self._computed[make] = make()
        value: Fact = self._computed[make]
        return value

    def cards_of_type(self, model: type[Kind]) -> Iterator[Kind]:
        """Yield the cards in play of a kind."""
        for entry in (*self.own.of((model,)), *self.others_of_type(model)):
            if isinstance(entry.card, model):
                yield entry.card

    def others_of_type(self, *models: type[Card]) -> Sequence[Entry]:
        """Return the other cards in play of some kinds, with their places."""
        return self.other_cards.of(models)

    def facts_of_type(self, fact: CardFact, *models: type[Card]) -> Iterator[Any]:
        """Yield what a fact says of each card in play of some kinds, first of those that are checked.

        It is kept, so that cards need not be read again.
        """
        yield from self.own.facts(models, fact)
        yield from self.other_cards.facts(models, fact)


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


WHY, EXAMPLE, INSTEAD, FILES = "Why is this bad?", "Example", "Use instead", "Files"
_HEADING = re.compile(rf"^({'|'.join(map(re.escape, (WHY, EXAMPLE, INSTEAD, FILES)))})$", re.MULTILINE)
_EXPECTED_COMMENT = re.compile(r"#[ ]((?:[A-Z]{2}\d{3}: (?:\d+:\d+|\d+|[\w./-]+)(?:, )?)+)$")
_EXPECTED = re.compile(r"([A-Z]{2}\d{3}): (\d+:\d+|[\w./-]+)")


class ExpectedFinding(NamedTuple):
    """An expected finding; line 0 means the whole file."""

    code: str
    line: int
    column: int
    file: str = ""


class ManualPage(NamedTuple):
    """A manual page; `files` are the files beside the example."""

    title: str
    why: str
    examples: tuple[str, ...]
    instead: tuple[str, ...]
    files: tuple[str, ...]


def parse_page(text: str) -> ManualPage:
    """Parse the manual page in a docstring."""
    title, *rest = _HEADING.split(text)
    sections: dict[str, list[str]] = {}
    for heading, content in zip(rest[::2], rest[1::2], strict=True):
        sections.setdefault(heading, []).append(dedent(content).strip() + "\n")
    files = " ".join(sections.get(FILES, ())).split()
    why = sections.get(WHY, [""])[0].strip()
    return ManualPage(
        title.strip(), why, tuple(sections.get(EXAMPLE, ())), tuple(sections.get(INSTEAD, ())), tuple(files)
    )


def expected_findings(example: str) -> tuple[ExpectedFinding, ...]:
    """Return the findings announced by comments such as '# WN104: 14', a code and a column, at the end of a line.

    A file name instead of the column means that whole file, and a dot means the file of the example; '4:14' also
    gives the line, for lines that cannot have a comment.
    """
    collected = []
    for number, line in enumerate(example.splitlines(), start=1):
        expected = _EXPECTED_COMMENT.search(line)
        for code, position in _EXPECTED.findall(expected[1]) if expected else ():
            if position.isdecimal():
                expected_finding = ExpectedFinding(code, number, int(position))
            elif ":" in position:
                line, column = position.split(":")
                expected_finding = ExpectedFinding(code, int(line), int(column))
            else:
                expected_finding = ExpectedFinding(code, 0, 0, position.removeprefix("."))
            collected.append(expected_finding)
    return tuple(sorted(collected))


REGENERATE_COMMAND = "cardgen check --explain all > docs/checks.md"
_FAMILIES = {
    "0": "Files",
    "1": "Cards and references",
    "2": "Wording",
    "3": "Rules",
    "4": "Odds and balance",
    "5": "Fit and print",
}
_INTRODUCTION = f"""# Checks

<!-- Generated by '{REGENERATE_COMMAND}'. -->

Options and comments take the code of a check, the start of a code, or its name. Codes that start with CG apply to all
games. A *fixed limit* is part of the card format: it always runs, and it cannot be ignored.

A comment such as `# cardgen: ignore[doubled-word] the poem has it so` suppresses a check, and must give a reason.
After a value, it applies to its line; on a line of its own, to the card that the next line belongs to; above all other
content, to the whole file.

The examples show the lines that a correction removes (-) and adds (+), and, for context, the keys above them. A
comment such as `# WN301: 50` marks another line with a finding, and its column. `cardgen check --explain NAME` prints
one of these pages.
"""


def render_handbook(checks: Sequence[Check]) -> str:
    """Render the manual pages of checks by family."""
    parts = [_INTRODUCTION]
    for family, members in groupby(sorted(checks, key=_family), key=_family):
        parts += [f"## {_FAMILIES[family]}\n", *map(render_page, members)]
    return "\n".join(parts)


def render_page(check: Check) -> str:
    """Render the manual page of a check, with the smallest of its corrections."""
    manual = parse_page(check.page)
    parts = [f"### {check.code} {check.name}", f"{manual.title} *({_severity_label(check)})*", manual.why]
    corrections = [_correction(check.code, *texts) for texts in zip(manual.examples, manual.instead, strict=False)]
    if corrections:
        parts.append("\n".join(("```diff", *min(corrections, key=lambda lines: sum(map(len, lines))), "```")))
    return "\n\n".join(parts) + "\n"


def _correction(code: str, wrong: str, right: str) -> list[str]:
    """Return the lines of an example that its correction removes and adds, with the keys above them.

    Of several findings of the check, the first is enough.
    """
    from difflib import ndiff  # loaded here because only manual pages need it

    marked = [_EXPECTED_COMMENT.sub("", line).rstrip() for line in wrong.splitlines()]
    comments = {line: each for line, each in zip(marked, wrong.splitlines(), strict=True) if line != each.rstrip()}
    lines = [line for line in ndiff(marked, right.splitlines()) if not line.startswith("?")]
    shown: set[int] = set()
    findings = [index for index, line in enumerate(lines) if f"# {code}: " in comments.get(line[2:], "")]
    first = _change_at(lines, findings[0]) if len(findings) > 1 else range(0)
    for index, line in enumerate(lines):
        if (line[0] == " " and line[2:] not in comments) or (first and index not in first):
            continue
        shown.add(index)
        depth = _indent(line)
        for above in range(index - 1, -1, -1):
            if lines[above][0] != "+" and _indent(lines[above]) < depth:
                depth = _indent(lines[above])
                shown.add(above)
    kept = [lines[index] for index in sorted(shown)]
    for index, line in enumerate(kept):
        if line[0] == " " and line[2:] in comments:
            kept[index] = "  " + comments[line[2:]]
        elif line[0] == "-" and kept[index + 1 : index + 2] and kept[index + 1][0] == "+":
            kept[index], kept[index + 1] = _without_equal_parts(line, kept[index + 1])
        elif line[0] in "+-" and "…" not in line:
            # A line with an ellipsis in the place of most parts, if it has many.
            parts = line.split(", ")
            kept[index] = ", ".join([*parts[:_FIRST_PARTS], "…", parts[-1]]) if len(parts) > _MOST_PARTS else line
    return kept


# A line alone shows its first parts, such as keys of a map, and the last one.
_FIRST_PARTS, _MOST_PARTS = 3, 6


def _change_at(lines: Sequence[str], index: int) -> range:
    """Return the removed line at an index with what is added in its place, or nothing if both are not known."""
    end = index + 1
    while end < len(lines) and lines[end][0] == "+":
        end += 1
    return range(index, end) if lines[index][0] == "-" and end > index + 1 else range(0)


# More equal parts of two lines than this, such as keys of a map, become an ellipsis.
_MOST_EQUAL_PARTS = 3


def _without_equal_parts(removed: str, added: str) -> tuple[str, str]:
    """Return two lines of a difference with an ellipsis for what is in both, but the first part and the last."""
    from difflib import SequenceMatcher  # loaded here because only manual pages need it

    before, after = removed[1:].split(", "), added[1:].split(", ")
    short: tuple[list[str], list[str]] = [], []
    for tag, start, end, other, last in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        same, is_long = before[start:end], tag == "equal" and end - start > _MOST_EQUAL_PARTS
        ellipsis = [*same[:1], "…", *same[-1:]]
        short[0].extend(ellipsis if is_long else same)
        short[1].extend(ellipsis if is_long else after[other:last])
    return f"-{', '.join(short[0])}", f"+{', '.join(short[1])}"


def _indent(line: str) -> int:
    """Return how far the key of a line of a difference is from its start; that of a list's item is after its dash."""
    return len(line[2:]) - len(line[2:].lstrip(" -"))


def _severity_label(check: Check) -> str:
    if check.is_fixed_limit:
        return "fixed limit" if check.severity is Severity.ERROR else f"{check.severity}, fixed limit"
    return f"{check.severity}, {check.confidence}"


def _family(check: Check) -> str:
    return check.code[2]
