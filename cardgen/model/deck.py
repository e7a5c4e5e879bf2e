"""Decks: the cards of files, selections, and references between cards."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeAlias

from cardgen.diagnostic import (
    MAX_SUGGESTIONS,
    CardgenError,
    Code,
    Diagnostic,
    Place,
    did_you_mean,
    join_words,
    separate_advice,
    slugify,
)
from cardgen.model import deck
from cardgen.model.card import Entry, Games, ReadResult, RejectedCard, read_cards
from cardgen.project.project import Project, TableSettings
from cardgen.runtime.fingerprint import TABLE_SUFFIXES
from cardgen.sandbox.values import LinkedName
from cardgen.source import Document, KeyPath, read_document
from cardgen.validation.base import (
    Model,
    ModelClasses,
    SharedParts,
    annotation_parts,
    child_models,
    once_per_model,
    reachable_models,
)
from cardgen.validation.validate import invisible_advice, unknown_name_diagnostic


class Reference(NamedTuple):
    """Annotation of a text field that refers to a card of one kind, or of one of several kinds.

    The field holds the card's id or name: `Annotated[str, Reference("character")]`.
    """

    kind: str
    other_kinds: tuple[str, ...] = ()

    @property
    def kinds(self) -> tuple[str, ...]:
        """All kinds that the card can have."""
        return (self.kind, *self.other_kinds)


class Link(NamedTuple):
    """Value at `key_path` that names a card by id or name.

    The card can also be of one of `other_kinds`; links are nevertheless known by their `kind`.
    """

    key_path: KeyPath
    kind: str
    name: str
    other_kinds: tuple[str, ...] = ()

    @property
    def kinds(self) -> tuple[str, ...]:
        """All kinds that the card can have."""
        return (self.kind, *self.other_kinds)


class _ReferenceField(NamedTuple):
    attribute: str
    key: str
    reference: Reference | None


def find_links(model: Model) -> Iterator[Link]:
    """Yield the references of a card or part, in key order."""
    for each in _reference_fields(type(model)):
        yield from _links_within(getattr(model, each.attribute), each.reference, (each.key,))


def _links_within(value: object, reference: Reference | None, key_path: KeyPath) -> Iterator[Link]:
    if isinstance(value, Model):
        for link in find_links(value):
            yield link._replace(key_path=(*key_path, *link.key_path))
    elif isinstance(value, tuple | list):
        for index, item in enumerate(value):
            yield from _links_within(item, reference, (*key_path, index))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _links_within(item, reference, (*key_path, key))
    elif isinstance(value, str) and reference:
        yield Link(key_path, reference.kind, value, reference.other_kinds)


@once_per_model
def references_of(model: type[Model]) -> Mapping[str, Reference]:
    """Return the fields of a model that name cards, by their attributes."""
    return {field.attribute: field.reference for field, _ in _fields(model) if field.reference}


@once_per_model
def reference_keys(model: type[Model]) -> Mapping[str, str]:
    """Return the keys of a model that name cards, with the kind of these cards."""
    return {field.key: field.reference.kind for field, _ in _fields(model) if field.reference}


@once_per_model
def linked_kinds(model: type[Model]) -> tuple[str, ...]:
    """Return the kinds of the cards that cards of a model can name, in the order of its keys."""
    below = (each for lower in _models_below((model,)) for each, _ in _fields(lower))
    references = (field.reference for field in below if field.reference)
    return tuple(dict.fromkeys(kind for each in references for kind in each.kinds))


@once_per_model
def _reference_fields(model: type[Model]) -> tuple[_ReferenceField, ...]:
    """Return fields that are references or contain models with references."""
    return tuple(
        field for field, lower in _fields(model) if field.reference or any(map(_has_references, _models_below(lower)))
    )


def _has_references(model: type[Model]) -> bool:
    return any(field.reference for field, _ in _fields(model))


def _models_below(models: ModelClasses) -> Iterator[type[Model]]:
    return (model for _, model in reachable_models(models))


@once_per_model
def _fields(model: type[Model]) -> tuple[tuple[_ReferenceField, ModelClasses], ...]:
    """Return the fields of a model, each with the models below it."""
    fields = []
    for attribute, info in model.model_fields.items():
        parts = (*info.metadata, *annotation_parts(info.annotation))
        reference = next((part for part in parts if isinstance(part, Reference)), None)
        key = info.alias or attribute
        fields.append((_ReferenceField(attribute, key, reference), child_models((model,), key)))
    return tuple(fields)


# Cards by game, kind, and id, name, or earlier id.
CardIndex: TypeAlias = Mapping[tuple[str, str, str], tuple[Entry, ...]]


def build_index(entries: Iterable[Entry]) -> CardIndex:
    """Index the cards by game, kind, and id, name, or earlier id."""
    card_index: dict[tuple[str, str, str], tuple[Entry, ...]] = {}
    for entry in entries:
        for name in dict.fromkeys((*names_of(entry), *entry.card.formerly)):
            key = (entry.game, entry.kind, name)
            card_index[key] = (*card_index.get(key, ()), entry)
    return card_index


def names_of(entry: Entry) -> tuple[str, ...]:
    """Return the id and the names of a card, of which one in another language has two."""
    source = (entry.source.card.name,) if entry.source else ()
    return (entry.card.id, *source, entry.card.name)


def find_matches(card_index: CardIndex, game: str, kind: str, name: str) -> tuple[Entry, ...]:
    """Return the cards with that id, or else with that name, or else with that earlier id, or the name it came from."""
    matches = card_index.get((game, kind, name), ())
    if not matches and (former := slugify(name)) != name:
        return tuple(entry for entry in card_index.get((game, kind, former), ()) if former in entry.card.formerly)
    same_id = tuple(entry for entry in matches if entry.card.id == name)
    return same_id or tuple(entry for entry in matches if entry.card.name == name) or matches


def _link_matches(card_index: CardIndex, game: str, link: Link) -> tuple[Entry, ...]:
    """Return the cards that a link can mean."""
    return tuple(entry for kind in link.kinds for entry in find_matches(card_index, game, kind, link.name))


def report_duplicate_ids(entries: Iterable[Entry]) -> Iterator[Diagnostic]:
    """Yield a diagnostic for every repeated id within a game, and every earlier id that another card has or had."""
    first: dict[tuple[str, str], Entry] = {}
    former: list[Entry] = []
    for entry in entries:
        if entry.card.formerly:
            former.append(entry)
        other = first.setdefault((entry.game, entry.card.id), entry)
        if other is not entry:
            message = f"duplicate id '{entry.card.id}'"
            related = ((_id_place(other), "first defined here"),)
            advice = "give one of the cards a different 'id'"
            if not any(each.source_map.has_key("id") for each in (entry, other)):
                advice = "give this card its own name, or its own 'id' if the name is right"
            if entry.document.file.lower().endswith(TABLE_SUFFIXES):
                advice += ", or remove one of the two rows"
                if entry.card == other.card:
                    advice = "remove one of the two rows, which are the same"
            yield Diagnostic(Code.DUPLICATE_ID, message, _id_place(entry), advice, related=related)
    for entry in former:
        for number, name in enumerate(entry.card.formerly):
            other = first.setdefault((entry.game, name), entry)
            if other is not entry or name == entry.card.id:
                related = ((_id_place(other), "this card has or had the id"),)
                advice = "remove the earlier id from one of the cards"
                message, place = f"duplicate id '{name}'", entry.place(("formerly", number))
                yield Diagnostic(Code.DUPLICATE_ID, message, place, advice, related=related)


class Links(Mapping[tuple[str, str], Entry]):
    """The cards that a card references, by kind and by the id or name that it uses.

    Each is resolved at its first use, since cards can name each other.
    """

    def __init__(self, targets: Mapping[tuple[str, str], Entry], resolve: Callable[[Entry], Entry]) -> None:
        self._targets, self._resolve = targets, resolve

    def __getitem__(self, key: tuple[str, str]) -> Entry:
        return self._resolve(self._targets[key])

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self._targets)

    def __len__(self) -> int:
        return len(self._targets)


def resolve_links(entries: Iterable[Entry], card_index: CardIndex) -> Iterator[Entry]:
    """Yield the cards, each with the cards that it references."""
    # The entries are kept, so that no other gets their identity.
    resolved: dict[int, tuple[Entry, Entry]] = {}

    def resolve(entry: Entry) -> Entry:
        if id(entry) not in resolved:
            matches = {
                (link.kind, link.name): _link_matches(card_index, entry.game, link) for link in find_links(entry.card)
            }
            targets = {key: cards[0] for key, cards in matches.items() if cards}
            resolved[id(entry)] = entry, with_links(entry, Links(targets, resolve)) if matches else entry
        return resolved[id(entry)][1]

    return map(resolve, entries)


def with_links(entry: Entry, links: Links) -> Entry:
    """Return a card with the cards that it references; in it, their names are texts that lead to their fields."""
    return replace(entry, card=_with_names(entry.card, None, links), links=links)


def _with_names(value: Any, reference: Reference | None, links: Links) -> Any:
    if isinstance(value, Model):
        parts = {
            each.attribute: _with_names(getattr(value, each.attribute), each.reference, links)
            for each in _reference_fields(type(value))
            # A copy counts what is updated as given, which says something: an army without `commands` is a draft.
            if each.attribute in value.model_fields_set
        }
        return value.model_copy(update=parts)
    if isinstance(value, tuple | list):
        return type(value)([_with_names(each, reference, links) for each in value])
    if isinstance(value, dict):
        return {key: _with_names(each, reference, links) for key, each in value.items()}
    if reference is None or not isinstance(value, str):
        return value
    key = reference.kind, str(value)
    return LinkedName(value, lambda: links[key].card if key in links else None)


def missing_links(entry: Entry) -> tuple[Link, ...]:
    """Return the references of a card that name no card, after they were resolved; such a card cannot be drawn."""
    return tuple(link for link in find_links(entry.card) if (link.kind, link.name) not in entry.links)


def unresolved_links(entries: Iterable[Entry], card_index: CardIndex) -> list[tuple[Entry, Link]]:
    """Return the references that do not match exactly one card."""
    return [
        (entry, link)
        for entry in entries
        for link in find_links(entry.card)
        if len(_link_matches(card_index, entry.game, link)) != 1
    ]


def report_broken_links(
    links: Iterable[tuple[Entry, Link]], card_index: CardIndex, rejected: Sequence[RejectedCard]
) -> Iterator[Diagnostic]:
    """Yield a diagnostic for every broken reference.

    References to rejected cards and to cards with the same id are skipped, because those cards have diagnostics of
    their own. One without a name may be any card of its kind.
    """
    named = cache(partial(_named, card_index))
    beside = cache(partial(_named_at, card_index))
    rejected_names = {(card.game, card.kind, name) for card in rejected for name in card.names}
    nameless = {(card.game, card.kind) for card in rejected if not card.names}
    for entry, link in links:
        matches = _link_matches(card_index, entry.game, link)
        if len({match.card.id for match in matches}) > 1:
            message = f"ambiguous reference '{link.name}': {len(matches)} cards have this name"
            related = tuple(
                (_id_place(match), f"this card has the id '{match.card.id}'") for match in matches[:_MOST_NAMED]
            )
            yield Diagnostic(
                Code.AMBIGUOUS_REFERENCE, message, entry.place(link.key_path), "use an id instead", related=related
            )
        elif matches:
            continue  # cards with the same id, which is reported there
        elif rejected_names.isdisjoint(
            (entry.game, kind, link.name) for kind in ("", *link.kinds)
        ) and nameless.isdisjoint((entry.game, kind) for kind in ("", *link.kinds)):
            known = named(entry.game, link.kinds)
            if usual := beside(entry.game).get((type(entry.card), _spot(link))):
                known = known._replace(examples=usual[:MAX_SUGGESTIONS])
            yield _unknown_reference(entry, link, card_index, known)


def _spot(link: Link) -> KeyPath:
    return tuple(step for step in link.key_path if not isinstance(step, int))


def _named_at(card_index: CardIndex, game: str) -> Mapping[tuple[type[Model], KeyPath], list[str]]:
    """Return the names of the cards that the cards of a game name at each key, which says more than their kind."""
    found: dict[tuple[type[Model], KeyPath], dict[str, None]] = {}
    for entry in {
        id(each): each for (own, _, _), cards in card_index.items() if own == game for each in cards
    }.values():
        for link in find_links(entry.card):
            for match in _link_matches(card_index, game, link)[:1]:
                found.setdefault((type(entry.card), _spot(link)), {})[match.card.name] = None
    return {spot: [*names] for spot, names in found.items()}


# Of thousands of cards with the same name, a message shows the first.
_MOST_NAMED = 10


# A name with a number of copies, such as 'Ash x2' or '2 Ash'.
_COPIES = re.compile(r"(\S.*?)(?<! ) *+(?:[x×*] ?|\()(\d{1,2})\)?|(\d{1,2}) ?[x×*]? +(\S.*)", re.IGNORECASE)


class _Named(NamedTuple):
    """What can be named in a game: the ids and names of some kinds, the first names of these, and all its kinds.

    Own cards come before those of libraries. `now` has the ids of cards by what they were called.
    """

    words: tuple[str, ...]
    now: Mapping[str, str]
    examples: Sequence[str]
    kinds: tuple[str, ...]


def _named(card_index: CardIndex, game: str, kinds: tuple[str, ...]) -> _Named:
    found = {name: cards for (own, kind, name), cards in card_index.items() if own == game and kind in kinds}
    names = [*dict.fromkeys(card.card.name for cards in found.values() for card in cards)]
    every = tuple(dict.fromkeys(kind for own, kind, _ in card_index if own == game))
    now = {old: cards[0].card.id for old, cards in found.items() if old in cards[0].card.formerly}
    return _Named(tuple(found), now, names[:MAX_SUGGESTIONS], every)


def _unknown_reference(entry: Entry, link: Link, card_index: CardIndex, known: _Named) -> Diagnostic:
    what = join_words(link.kinds)
    guess = did_you_mean(link.name, known.words, known.now)
    if (copies := _COPIES.fullmatch(link.name)) and (name := copies[1] or copies[4]) in known.words:
        number, is_short = copies[2] or copies[3], isinstance(entry.source_map.source_path(link.key_path)[-1], int)
        advice = f"write '{name}: {number}'" if is_short else f"write '{name}', and 'qty: {number}' beside it"
        if isinstance(link.key_path[-1], int):  # a list of names
            advice = f"write '{name}' once for each copy"
        message = f"unknown {what} '{link.name}': the number of copies is not part of the name"
        return Diagnostic(Code.UNKNOWN_REFERENCE, message, entry.place(link.key_path), advice)
    if isinstance(link.key_path[-1], int) and (advice := separate_advice(link.name, known.words)):
        message = f"unknown {what} '{link.name}'"
        return Diagnostic(Code.UNKNOWN_REFERENCE, message, entry.place(link.key_path), advice)
    if advice := invisible_advice(link.name):
        return Diagnostic(Code.UNKNOWN_REFERENCE, f"unknown {what} '{link.name}'", entry.place(link.key_path), advice)
    other_kinds = [kind for kind in known.kinds if (entry.game, kind, link.name) in card_index]
    examples = [f"'{name}'" for name in known.examples]
    such_as = f", such as {join_words(examples)}" if examples else ""
    help_text = (
        f"'{link.name}' is a card of kind '{other_kinds[0]}'"
        if other_kinds
        else ""
        if guess
        else f"write the id or name of an existing {what}{such_as}; or remove the reference"
    )
    message = f"unknown {what} '{link.name}'{guess}"
    return Diagnostic(Code.UNKNOWN_REFERENCE, message, entry.place(link.key_path), help_text)


def _id_place(entry: Entry) -> Place:
    """Return the place of the id, or of the name behind it."""
    return entry.place(("id",) if entry.source_map.has_key("id") else ("name",))


class FileCards(NamedTuple):
    """A card file, and what was read from it."""

    document: Document
    results: tuple[ReadResult, ...]


__all__ = ["CardLibrary", "Deck", "Entry", "read_deck"]

ALL_KINDS: frozenset[str] = frozenset()
ALL_NAMES: frozenset[str] = frozenset()


class CardLibrary(Protocol):
    """Cards that references may mean although they are not in the deck."""

    def __call__(
        self, game: str, kinds: frozenset[str] = ALL_KINDS, names: frozenset[str] = ALL_NAMES, /
    ) -> Iterable[Entry]:
        """Return the cards of a game: at least all of these kinds with one of these ids or names, by default all."""


class LeftOut(NamedTuple):
    """A card with mistakes, or a row or file of which no card could be read: `card` is None, and `name` is empty.

    `words` are those that select it.
    """

    place: Place
    problems: tuple[Diagnostic, ...]
    card: Entry | RejectedCard | None = None
    id: str = ""
    name: str = ""
    words: frozenset[str] = frozenset()

    def matches(self, words: Collection[str]) -> bool:
        """Return whether a selection of cards concerns it. What could not be read may be anything."""
        return not words or self.card is None or any(folded_word(word) in self.words for word in words)


class Unread(NamedTuple):
    """What is known of a project of which only selected cards were read.

    `numbers` are those of all cards among the cards of their kind, by game and id. `kinds` are the games and kinds of
    the cards that were not selected, without drafts.
    """

    numbers: Mapping[tuple[str, str], int]
    kinds: frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Deck:
    """Cards of some files in order, and all diagnostics, sorted.

    `file_count` is the number of files that were read, and `documents` are the files themselves. `index` has the cards
    that references may mean, which may be more than `cards`. `rejected` are the invalid cards. `left_out` are the cards
    with mistakes that are not among `cards` so that the others can be printed.
    """

    cards: tuple[Entry, ...]
    diagnostics: tuple[Diagnostic, ...] = ()
    file_count: int = 0
    index: deck.CardIndex = field(default_factory=dict, repr=False, compare=False)
    documents: tuple[Document, ...] = field(default=(), repr=False, compare=False)
    rejected: tuple[RejectedCard, ...] = field(default=(), repr=False, compare=False)
    left_out: tuple[LeftOut, ...] = field(default=(), repr=False, compare=False)
    unread: Unread | None = field(default=None, repr=False, compare=False)

    def find(self, game: str, kind: str, key: str) -> Entry | None:
        """Return the card of a game and kind by id or name.

        None if there is no such card, or more than one.
        """
        matches = deck.find_matches(self.index, game, kind, key)
        return matches[0] if len(matches) == 1 else None


# The memory of fewer cards is not worth the time that it takes to find equal parts.
_MANY_CARDS = 1_000


def read_deck(
    project: Project,
    files: Iterable[Path],
    games: Games,
    default_game: str,
    libraries: Iterable[CardLibrary] = (),
    *,
    compact: bool = False,
) -> Deck:
    """Read all cards of `files` into a deck, with its diagnostics.

    `games` gives each game's kinds of card. A file without a game belongs to the project's game, or else to
    `default_game`. `libraries` only resolve references; each is queried only for references that the deck and earlier
    libraries lack. A `compact` deck takes less memory, a large one half: its cards beyond the first 1,000 share equal
    parts, and the data of its documents are composed again on access.
    """
    files = tuple(files)
    game = project.settings.game or default_game
    documents: list[Document] = []
    results: list[ReadResult] = []
    shared = SharedParts()
    for document, outcomes in read_files(project, files, games, game):
        documents.append(document)
        results += outcomes
        if compact:
            # File by file, because memory that is freed in large blocks can be used for other things.
            for outcome in outcomes if len(results) > _MANY_CARDS else ():
                if isinstance(outcome, Entry):
                    shared.share(outcome.card)
            document.release_data()
    entries = [outcome for outcome in results if isinstance(outcome, Entry)]
    rejected = [outcome for outcome in results if isinstance(outcome, RejectedCard)]
    problems = [outcome for outcome in results if isinstance(outcome, Diagnostic)]
    if game not in games:
        problems.append(unknown_name_diagnostic(Code.UNKNOWN_GAME, "game", game, games, project.place(("game",))))
    card_index, unresolved = _search(libraries, entries)
    problems += [
        *deck.report_duplicate_ids(entries),
        *deck.report_broken_links(unresolved, card_index, rejected),
    ]
    unique = sorted(dict.fromkeys(problems), key=Diagnostic.sort_key)
    return Deck(
        tuple(deck.resolve_links(entries, card_index)),
        tuple(unique),
        len(files),
        card_index,
        tuple(documents),
        tuple(rejected),
    )


def _search(
    libraries: Iterable[CardLibrary], entries: Sequence[Entry]
) -> tuple[deck.CardIndex, list[tuple[Entry, Link]]]:
    """Return the cards that references may mean, by name, and the references that do not match exactly one card."""
    card_index, searched = deck.build_index(entries), list[CardLibrary]()
    unresolved = deck.unresolved_links(entries, card_index)
    for library in libraries:
        for game, kinds, names in _wanted(unresolved):
            card_index = _with_more(card_index, library(game, kinds, names))
        unresolved = deck.unresolved_links(entries, card_index) if unresolved else unresolved
        searched.append(library)
    for library in searched:
        for game, _, _ in _wanted(unresolved):  # A message says whether a card of another kind has the name.
            card_index = _with_more(card_index, library(game))
    return card_index, unresolved


def _with_more(card_index: deck.CardIndex, entries: Iterable[Entry]) -> deck.CardIndex:
    """Return an index with more cards behind those that it has, which take precedence."""
    more = deck.build_index(entries)
    return {**card_index, **{key: cards for key, cards in more.items() if key not in card_index}}


def _wanted(links: Iterable[tuple[Entry, Link]]) -> Iterator[tuple[str, frozenset[str], frozenset[str]]]:
    """Yield each game with references, in alphabetical order, and the kinds and names of the cards that they mean."""
    wanted: dict[str, list[Link]] = {}
    for entry, link in links:
        wanted.setdefault(entry.game, []).append(link)
    for game, of_game in sorted(wanted.items()):
        yield (
            game,
            frozenset([kind for link in of_game for kind in link.kinds]),
            frozenset([link.name for link in of_game]),
        )


def read_files(project: Project, files: Iterable[Path], games: Games, game: str) -> Iterator[FileCards]:
    """Yield the cards of card files and tables; `game` is that of files without one."""
    tables, workspace = project.tables, project.workspace
    for file in files:
        key = (project.display_path(file), game, workspace.fields)
        yield workspace.recall(file, key, partial(_read_file, project, file, tables.get(file), games, game))


def _read_file(project: Project, file: Path, setting: str | None, games: Games, game: str) -> FileCards:
    if file.suffix.lower() in TABLE_SUFFIXES:
        document = _read_table(project, file, setting, games, game)
    else:
        document = read_document(file, project.display_path(file), project.workspace.unsaved)
    return FileCards(document, tuple(read_cards(document, games, game, project.workspace)))


def _read_table(project: Project, file: Path, setting: str | None, games: Games, game: str) -> Document:
    """Read a table, whose name in the settings is `setting`, or None if they do not have it."""
    from cardgen.tables.columns import SettingsPlaces  # imported here because few projects have tables
    from cardgen.tables.table_file import read_table

    settings = project.settings.tables[setting] if setting else TableSettings()
    places = SettingsPlaces(project.document if setting else None, ("tables", setting or ""))
    return read_table(
        file, project.display_path(file), settings, places, games, game, project.workspace, project.settings.languages
    )


def select_cards(deck: Deck, words: Iterable[str]) -> Deck:
    """Return the deck with only the cards that match a word.

    A word matches a kind, id, earlier id, name, or tag, or a value of a key, such as 'suit=shells', ignoring case.
    Without words, all cards are selected. References still find the other cards. Raises CardgenError for words that
    match nothing.
    """
    wanted = {folded_word(word): word for word in words}
    if not wanted:
        return deck
    keys = {word.partition("=")[0] for word in wanted if "=" in word}
    words_of = {
        id(entry): (*names_of(entry), *selectable_words(entry.kind, dict(entry.card), keys)) for entry in deck.cards
    }
    names = {folded_word(name): name for own in words_of.values() for name in own}
    known = {*names, *(word for each in deck.left_out for word in each.words)}
    unknown = [word for folded, word in wanted.items() if folded not in known]
    if unknown:
        whole = names.get(folded_word(" ".join(wanted.values())), "")
        raise CardgenError(*(_unknown_selection(word, deck.cards, names.values(), whole) for word in unknown))
    selection = (entry for entry in deck.cards if any(folded_word(name) in wanted for name in words_of[id(entry)]))
    return replace(deck, cards=tuple(selection))


def folded_word(word: str) -> str:
    """Return a word without the differences that do not matter: case, and spaces around '='."""
    key, sign, value = word.casefold().partition("=")
    return f"{key.strip()}={value.strip()}" if sign else key


def selectable_words(kind: str, data: Mapping[str, Any], keys: Collection[str] | None = None) -> Iterator[str]:
    """Yield the words that select a card with that data; `keys` are those whose values do, by default all."""
    former = data.get("formerly")
    listed = (each for each in (data.get("tags"), former) if isinstance(each, list | tuple))
    yield from (kind, data["id"], data["name"], *(str(word) for each in listed for word in each))
    if isinstance(former, str):
        yield former
    for name, value in data.items() if keys is None or keys else ():
        if keys is None or name in keys:
            values = value if isinstance(value, tuple | list) else (value,)
            yield from (f"{name}={each}" for each in values if isinstance(each, str | int | float))


def _unknown_selection(word: str, cards: Iterable[Entry], known: Iterable[str], whole: str) -> Diagnostic:
    """Return the error of a word that selects nothing; `whole` is the name that all words are, or ''."""
    key = folded_word(word).partition("=")[0]
    keys = {name for entry in cards for name, _ in entry.card} if "=" in word else set()
    if key in keys:
        message = f"no card has the value '{word}'{did_you_mean(word, known)}"
    elif keys:
        message = f"no card has the key '{key}'{did_you_mean(key, keys)}"
    else:
        message = f"no card has the kind, id, name, or tag '{word}'{did_you_mean(word, known)}"
    advice = f'put a name with spaces in quotes: "{whole}"' if whole else "run 'cardgen list' to see all cards"
    if "=" in word and key in ("kind", "id", "tag"):
        advice = f"a {key} needs no key: write '{folded_word(word).partition('=')[2]}'"
    return Diagnostic(Code.UNKNOWN_SELECTION, message, Place("--only"), advice)
