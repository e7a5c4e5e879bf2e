"""All cards of a run, and the selection made by `--only`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import NamedTuple, Protocol

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place
from cardgen.model import references
from cardgen.model.card_file import Games, ReadResult, RejectedCard, read_cards, unknown_name_diagnostic
from cardgen.model.entry import Entry
from cardgen.model.references import Link
from cardgen.project import Project
from cardgen.project.project import TableSettings
from cardgen.runtime.fingerprint import TABLE_SUFFIXES
from cardgen.source import Document, read_document
from cardgen.validation.base import share_field_sets
from cardgen.validation.suggestion import did_you_mean


class FileCards(NamedTuple):
    """A card file, and what was read from it."""

    document: Document
    results: tuple[ReadResult, ...]


__all__ = ["CardLibrary", "Deck", "Entry", "read_deck"]

ALL_KINDS: frozenset[str] = frozenset()


class CardLibrary(Protocol):
    """Cards that references may mean although they are not in the deck."""

    def __call__(self, game: str, kinds: frozenset[str] = ALL_KINDS, /) -> Iterable[Entry]:
        """Return the cards of a game: at least all of these kinds, by default those of all kinds."""


@dataclass(frozen=True, slots=True)
class Deck:
    """Cards of some files in order, and all diagnostics, sorted.

    `file_count` is the number of files that were read, and `documents` are the files themselves. `index` has the cards
    that references may mean, which may be more than `cards`.
    """

    cards: tuple[Entry, ...]
    diagnostics: tuple[Diagnostic, ...] = ()
    file_count: int = 0
    index: references.CardIndex = field(default_factory=dict, repr=False, compare=False)
    documents: tuple[Document, ...] = field(default=(), repr=False, compare=False)

    def find(self, game: str, kind: str, key: str) -> Entry | None:
        """Return the card of a game and kind by id or name.

        None if there is no such card, or more than one.
        """
        matches = references.find_matches(self.index, game, kind, key)
        return matches[0] if len(matches) == 1 else None


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
    libraries lack. A `compact` deck takes half the memory; the data of its documents are composed again on access.
    """
    read_files = tuple(files)
    game = project.settings.game or default_game
    documents: list[Document] = []
    results: list[ReadResult] = []
    for document, outcomes in _read_files(project, read_files, games, game):
        documents.append(document)
        results += outcomes
        if compact:
            # File by file, because memory that is freed in large blocks can be used for other things.
            share_field_sets(outcome.card for outcome in outcomes if isinstance(outcome, Entry))
            document.release_data()
    entries = [outcome for outcome in results if isinstance(outcome, Entry)]
    rejected = [outcome for outcome in results if isinstance(outcome, RejectedCard)]
    problems = [outcome for outcome in results if isinstance(outcome, Diagnostic)]
    if game not in games:
        problems.append(unknown_name_diagnostic(Code.UNKNOWN_GAME, "game", game, games, project.place(("game",))))
    card_index, unresolved = _search(libraries, entries)
    problems += [
        *references.report_duplicate_ids(entries),
        *references.report_broken_links(unresolved, card_index, rejected),
    ]
    unique = sorted(dict.fromkeys(problems), key=Diagnostic.sort_key)
    return Deck(
        tuple(references.resolve_links(entries, card_index)),
        tuple(unique),
        len(read_files),
        card_index,
        tuple(documents),
    )


def _search(
    libraries: Iterable[CardLibrary], entries: Sequence[Entry]
) -> tuple[references.CardIndex, list[tuple[Entry, Link]]]:
    """Return the cards that references may mean, by name, and the references that do not match exactly one card."""
    card_index, searched = references.build_index(entries), list[CardLibrary]()
    unresolved = references.unresolved_links(entries, card_index)
    for library in libraries:
        for game, kinds in _wanted_kinds(unresolved):
            card_index = {**references.build_index(library(game, kinds)), **card_index}
        unresolved = references.unresolved_links(entries, card_index) if unresolved else unresolved
        searched.append(library)
    for library in searched:
        for game, _ in _wanted_kinds(unresolved):  # A message says whether a card of another kind has the name.
            card_index = {**references.build_index(library(game)), **card_index}
    return card_index, unresolved


def _wanted_kinds(links: Iterable[tuple[Entry, Link]]) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield each game with references, in alphabetical order, and the kinds of the cards that they name."""
    kinds: dict[str, set[str]] = {}
    for entry, link in links:
        kinds.setdefault(entry.game, set()).update(link.kinds)
    return ((game, frozenset(kinds[game])) for game in sorted(kinds))


def _read_files(project: Project, files: Iterable[Path], games: Games, game: str) -> Iterator[FileCards]:
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
    return read_table(file, project.display_path(file), settings, places, games, game, project.workspace)


def select_cards(deck: Deck, words: Iterable[str]) -> Deck:
    """Return the deck with only the cards that match a word.

    A word matches a kind, id, name, or tag, or a value of a key, such as 'suit=shells', ignoring case. Without words,
    all cards are selected. References still find the other cards. Raises CardgenError for words that match nothing.
    """
    wanted = {_folded(word): word for word in words}
    if not wanted:
        return deck
    keys = {word.partition("=")[0] for word in wanted if "=" in word}
    names_of = {id(entry): tuple(_selectable_names(entry, keys)) for entry in deck.cards}
    names = {_folded(name): name for own in names_of.values() for name in own}
    unknown = [word for folded, word in wanted.items() if folded not in names]
    if unknown:
        raise CardgenError(*(_unknown_selection(word, deck.cards, names.values()) for word in unknown))
    selection = (entry for entry in deck.cards if any(_folded(name) in wanted for name in names_of[id(entry)]))
    return replace(deck, cards=tuple(selection))


def _folded(word: str) -> str:
    """Return a word without the differences that do not matter: case, and spaces around '='."""
    key, sign, value = word.casefold().partition("=")
    return f"{key.strip()}={value.strip()}" if sign else key


def _selectable_names(entry: Entry, keys: Collection[str]) -> Iterator[str]:
    """Yield the words that select a card; `keys` are those whose values do."""
    yield from (entry.kind, entry.card.id, entry.card.name, *entry.card.tags)
    for name, value in entry.card if keys else ():
        if name in keys:
            values = value if isinstance(value, tuple) else (value,)
            yield from (f"{name}={each}" for each in values if isinstance(each, str | int | float))


def _unknown_selection(word: str, cards: Iterable[Entry], known: Iterable[str]) -> Diagnostic:
    key = _folded(word).partition("=")[0]
    keys = {name for entry in cards for name, _ in entry.card} if "=" in word else set()
    if key in keys:
        message = f"no card has the value '{word}'{did_you_mean(word, known)}"
    elif keys:
        message = f"no card has the key '{key}'{did_you_mean(key, keys)}"
    else:
        message = f"no card has the kind, id, name, or tag '{word}'{did_you_mean(word, known)}"
    return Diagnostic(Code.UNKNOWN_SELECTION, message, Place("--only"), "run 'cardgen list' to see all cards")
