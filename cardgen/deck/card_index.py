"""An index of the cards in files, so that a run reads only the files that it needs.

The index of a project has, for each file, the stamp of the file and what its cards are called, with the names of the
cards that they reference. It is kept in the user's cache, sealed. A file whose stamp changed is read, and so are all
files after a change of the settings, of games, or of the program.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from cardgen.diagnostic import CardgenError, Diagnostic, Place, Severity, escape_controls, log_activity, slugify
from cardgen.model.card import Entry
from cardgen.model.deck import ALL_KINDS, ALL_NAMES, CardLibrary, Deck, FileCards, find_links, folded_word
from cardgen.project.project import Project
from cardgen.runtime import fingerprint, regular_file
from cardgen.runtime.fingerprint import PACKAGE, SETTLED_NS, Stamp
from cardgen.runtime.installation import FAST
from cardgen.runtime.user_folders import cache_folder, prune_oldest, seal, unseal
from cardgen.runtime.workspace import GAMES_FOLDER, ProjectGame, game_locations, package_folders

_MOST_INDEXES, _MOST_BYTES = 150, 256 * 2**20
# Fewer files are read faster than it is found out whether an index is valid.
_FEWEST_FILES = 3


class IndexedLink(NamedTuple):
    """A reference of a card: the kinds that it can mean, and an id or name."""

    kinds: tuple[str, ...]
    name: str


class IndexedCard(NamedTuple):
    """What the index knows of a card.

    `qty` is the number of copies, `at` the place of the name in the file, as text, and `fields` are the values of the
    fields that the project adds to the kind, as JSON.
    """

    game: str
    kind: str
    id: str
    name: str
    formerly: tuple[str, ...]
    tags: tuple[str, ...]
    draft: bool
    links: tuple[IndexedLink, ...]
    qty: int
    at: str
    fields: Mapping[str, object]

    @classmethod
    def of(cls, entry: Entry, project: Project, place: Place) -> IndexedCard:
        """Return what the index keeps of a card, whose name has a `place`."""
        card, kind = entry.card, entry.kind
        links = tuple(IndexedLink(link.kinds, link.name) for link in find_links(card))
        at = str(place).removeprefix(escape_controls(place.file))
        names, fields = (card.id, card.name, card.formerly, card.tags), _free_values(entry, project)
        return cls(entry.game, kind, *names, card.draft, links, card.qty, at, fields)

    @property
    def words(self) -> set[str]:
        """The words that select the card, as `select_cards` compares them."""
        return {folded_word(word) for word in (self.kind, self.id, self.name, *self.tags, *self.formerly)}


def _free_values(entry: Entry, project: Project) -> Mapping[str, object]:
    """Return the values of the fields that the project adds to the card's kind, as JSON."""
    block = project.settings.kinds.get(entry.kind)
    names = set(block["fields"]) & type(entry.card).model_fields.keys() if isinstance(block, Mapping) else set()
    values = entry.card.model_dump(mode="json", include=names) if names else {}
    return {name: value for name, value in values.items() if value is not None}


class IndexedFile(NamedTuple):
    """The cards of a file that can be read, in order; with `has_errors`, it may have others."""

    cards: tuple[IndexedCard, ...]
    has_errors: bool

    @classmethod
    def of(cls, file: FileCards, project: Project) -> IndexedFile:
        """Return what the index keeps of a file that was read."""
        entries = [each for each in file.results if isinstance(each, Entry)]
        problems = (each for each in file.results if isinstance(each, Diagnostic))
        places = file.document.near_places([each.source_map.source_path(("name",)) for each in entries])
        cards = (IndexedCard.of(entry, project, place) for entry, place in zip(entries, places, strict=True))
        return cls(tuple(cards), any(each.severity is Severity.ERROR for each in problems))


class ReadIndex(NamedTuple):
    """What is known of files, and the stamps of those of which it is kept, with the key for it."""

    files: Mapping[Path, IndexedFile]
    stamps: Mapping[Path, Stamp] = MappingProxyType({})
    key: str = ""


# FAST PATH. Reason: to find two cards by their names, a run read and checked all cards of all games. Gain: the odds of
# an attack in a project of four games take 0.38 s of processor time instead of 0.95 s. Slow twin: this module, which
# reads every file to find out what is in it.
class CardSource:
    """Cards of some files, of which only those are read that are needed.

    `read_file` reads one file, and `read_deck` several. `way` tells apart the ways in which the same files are read.
    """

    def __init__(
        self,
        project: Project,
        files: Sequence[Path],
        read_file: Callable[[Path], FileCards],
        read_deck: Callable[[Sequence[Path], Iterable[CardLibrary]], Deck],
        way: str = "",
    ) -> None:
        self.files = files
        self._project, self._read_file, self._read_deck, self._way = project, read_file, read_deck, way
        self._decks: dict[tuple[tuple[Path, ...], bool], Deck] = {}

    @cached_property
    def kept(self) -> ReadIndex:
        """What is known of each file, and what it belongs to."""
        return _read_index(self._project, self.files, self._read_file, self._way)

    @property
    def index(self) -> Mapping[Path, IndexedFile]:
        """What is known of each file."""
        return self.kept.files

    def entries(self, file: Path) -> list[Entry]:
        """Return the cards of a file that can be read, without what they reference."""
        return [each for each in self._read_file(file).results if isinstance(each, Entry)]

    def is_faultless(
        self, others: Iterable[Callable[[str], CardSource]], besides: Collection[Path] = frozenset()
    ) -> bool:
        """Return whether reading all files would find no errors, `besides` those in the cards of some files.

        None is in a file, no ids are equal, and each reference means one card, here or else in the `others` in order.
        """
        if not FAST:
            return False
        cards = [card for known in self.index.values() for card in known.cards]
        ids = [(card.game, id_) for card in cards for id_ in (card.id, *card.formerly)]
        if {*self.files_with_errors} - {*besides} or len({*ids}) < len(ids):
            return False
        sources = (lambda _: self, *others)
        links = {(card.game, link) for card in cards for link in card.links}
        counts = ((len(source(game).matches(game, link)) for source in sources) for game, link in links)
        return all(next(filter(None, each), 0) == 1 for each in counts)

    @property
    def games(self) -> list[str]:
        """The games of all cards in order."""
        return list(dict.fromkeys(card.game for known in self.index.values() for card in known.cards))

    def selected(self, words: Iterable[str]) -> list[tuple[Path, int]] | None:
        """Return the file of each card that matches a word, as `select_cards` does, and its number there.

        None if a word matches nothing, or is about values, which the index does not know.
        """
        wanted = {folded_word(word) for word in words}
        every = [(file, number, card) for file, known in self.index.items() for number, card in enumerate(known.cards)]
        found = [
            (file, number, card.words & wanted) for file, number, card in every if not wanted or card.words & wanted
        ]
        if any("=" in word for word in wanted) or wanted - {word for *_, words in found for word in words}:
            return None
        return [(file, number) for file, number, _ in found]

    def cards(self, game: str, kinds: Collection[str]) -> Iterator[IndexedCard]:
        """Yield what is known of the cards of a game and of some kinds; without `kinds`, of all."""
        return (card for file in self.index.values() for card in file.cards if _is_of(card, game, kinds))

    def files_with(self, game: str, kinds: Collection[str], names: Collection[str] = ()) -> list[Path]:
        """Return the files that have cards of a game and of some kinds with one of some names, ignoring case.

        Without `kinds` or `names`, all of them count.
        """
        folded = {each for name in names for each in (name.casefold(), slugify(name))}
        return [
            file
            for file, known in self.index.items()
            if any(_is_of(card, game, kinds) and (not folded or _is_named(card, folded)) for card in known.cards)
        ]

    @property
    def files_with_errors(self) -> list[Path]:
        """The files with errors, which may have cards with any name."""
        return [file for file, known in self.index.items() if known.has_errors]

    def needed_files(self, files: Iterable[Path]) -> list[Path]:
        """Return some files in order, with those whose errors decide what the cards in them reference.

        If several cards have a name, these are their files; if none has it, it can be in any file with errors.
        """
        found = {*files}
        links = {(card.game, link) for file in found for card in self.index[file].cards for link in card.links}
        for game, link in links:
            matches = self.matches(game, link)
            if len(matches) != 1:
                found.update((file for file, _ in matches) if matches else self.files_with_errors)
        return [file for file in self.files if file in found]

    def matches(self, game: str, link: IndexedLink) -> list[tuple[Path, IndexedCard]]:
        """Return the cards that a reference can mean, as `find_matches` does, with their files."""
        found = (self._by_name.get((game, kind, link.name), ()) for kind in link.kinds)
        matches = [one for cards in found for one in _best(cards, link.name)]
        former = slugify(link.name)
        if matches or former == link.name:
            return matches
        of_former = (self._by_name.get((game, kind, former), ()) for kind in link.kinds)
        return [one for cards in of_former for one in cards if former in one[1].formerly]

    @cached_property
    def _by_name(self) -> Mapping[tuple[str, str, str], Sequence[tuple[Path, IndexedCard]]]:
        by_name: dict[tuple[str, str, str], list[tuple[Path, IndexedCard]]] = {}
        for file, known in self.index.items():
            for card in known.cards:
                for name in {card.id, card.name, *card.formerly}:
                    by_name.setdefault((card.game, card.kind, name), []).append((file, card))
        return by_name

    def deck(self, files: Iterable[Path], libraries: Collection[CardLibrary] = ()) -> Deck:
        """Return the deck of some of the files, in which references can lead into libraries, which are always equal."""
        key = tuple(files), bool(libraries)
        if key not in self._decks:
            self._decks[key] = self._read_deck(key[0], libraries)
        return self._decks[key]


def _best(cards: Sequence[tuple[Path, IndexedCard]], name: str) -> Sequence[tuple[Path, IndexedCard]]:
    """Return the cards with that id, or else with that name, or else with that earlier id."""
    same_id = [one for one in cards if one[1].id == name]
    return same_id or [one for one in cards if one[1].name == name] or cards


def library_of(source_of: Callable[[str], CardSource]) -> CardLibrary:
    """Return a library that reads the files of a source that have the cards asked for; mistakes do not matter."""

    def read(game: str, kinds: frozenset[str] = ALL_KINDS, names: frozenset[str] = ALL_NAMES, /) -> tuple[Entry, ...]:
        source = source_of(game)
        cards = source.deck(source.files_with(game, kinds, names)).cards
        return tuple(entry for entry in cards if entry.game == game)

    return read


def _is_of(card: IndexedCard, game: str, kinds: Collection[str]) -> bool:
    return card.game == game and (not kinds or card.kind in kinds)


def _is_named(card: IndexedCard, folded: Collection[str]) -> bool:
    return any(name in folded for name in (card.id, card.name.casefold(), *card.formerly))


def _read_index(
    project: Project,
    files: Sequence[Path],
    read_file: Callable[[Path], FileCards],
    way: str,
) -> ReadIndex:
    """Return what is known of files: what was stored, if they have not changed since then, or else what they are."""

    def index_file(file: Path) -> IndexedFile:
        return IndexedFile.of(read_file(file), project)

    if not can_store_index(project, files):
        recall, key_in_memory = project.workspace.recall, ("index", way, project.workspace.fields)
        return ReadIndex({file: recall(file, key_in_memory, partial(index_file, file)) for file in files})
    before, key, file_of_index = time.time_ns(), _key(project), stored_file(project, way)
    stored = {name: (tuple(stamp), _known(*known)) for name, stamp, known in load_rows(file_of_index, key)}
    known, stamps, new = dict[Path, IndexedFile](), dict[Path, Stamp](), dict[str, tuple[Stamp, IndexedFile]]()
    for file in files:
        name, stamp = str(file), fingerprint.stamp(file)
        old_stamp, old = stored.get(name, ((), None))
        if old is not None and stamp and stamp == old_stamp:
            known[file], stamps[file] = old, stamp
        else:
            known[file] = index_file(file)
            if stamp and max(stamp[1], stamp[3]) < before - SETTLED_NS:
                new[name], stamps[file] = (stamp, known[file]), stamp
    log_activity(f"index {file_of_index}: {len(files) - len(new)} of {len(files)} files are known")
    if new:
        others = {name: row for name, row in stored.items() if name in new or os.path.lexists(name)}
        store_rows(file_of_index, key, [(name, *row) for name, row in {**others, **new}.items()])
    return ReadIndex(known, stamps, key)


def can_store_index(project: Project, files: Collection[Path]) -> bool:
    """Return whether an index is valid for other runs, and worth its time.

    It is not while an editor has unsaved texts, or for a game in development, which can import what nobody knows of.
    """
    folders, known = package_folders(), game_locations()
    return (
        FAST
        and len(files) >= _FEWEST_FILES
        and not project.workspace.unsaved
        and regular_file.DASH not in files
        and all(game in folders and _is_installed(folders[game]) for game in known)
    )


def _is_installed(folder: Path) -> bool:
    return folder.is_relative_to(PACKAGE) or folder.is_relative_to(sys.prefix)


def stored_file(project: Project, way: str) -> Path:
    """Return the file for what is kept of a project; `way` tells apart what is kept of the same files."""
    name = f"{project.root}\0{way}".encode("utf-8", "surrogateescape")
    return cache_folder() / "index" / f"{hashlib.blake2b(name, digest_size=16).hexdigest()}.json"


def _key(project: Project) -> str:
    """Return a digest of all besides a file that decides how it is read: program, settings, and games."""
    outside = [folder for folder in package_folders().values() if not folder.is_relative_to(PACKAGE)]
    games = [
        (path, fingerprint.stamp_of(status))
        for folder in (project.root / GAMES_FOLDER, *outside)
        for path, status in fingerprint.walk_statuses(str(folder), hidden=True, broken=True)
    ]
    # As they were read: they can have changed since then.
    settings = project.document and project.document.line_index.text
    contents = [(game, _content(file)) for game, file in project.workspace.games.items()]
    parts = (fingerprint.program_version(), fingerprint.program_stamps(), settings, games, contents)
    return hashlib.blake2b(repr(parts).encode("utf-8", "surrogateescape"), digest_size=16).hexdigest()


def _content(game: ProjectGame) -> bytes | None:
    with suppress(OSError):
        return game.content
    return None


def load_rows(file: Path, key: str) -> list[Any]:
    """Return the stored rows, each of which is about a file; none if they are not as expected, or of another key."""
    with suppress(OSError, ValueError, TypeError, RecursionError):
        content = unseal(file.name, regular_file.read(file, _MOST_BYTES))
        if content is not None:
            stored_key, rows = json.loads(content)
            if stored_key == key:
                return list(rows)
    return []


def _known(cards: Iterable[Any], has_errors: bool) -> IndexedFile:
    return IndexedFile(
        tuple(
            IndexedCard(
                game,
                kind,
                id_,
                name,
                tuple(formerly),
                tuple(tags),
                draft,
                tuple(IndexedLink(tuple(to), word) for to, word in links),
                *in_list,
            )
            for game, kind, id_, name, formerly, tags, draft, links, *in_list in cards
        ),
        has_errors,
    )


def store_rows(file: Path, key: str, rows: Sequence[Any]) -> None:
    """Store rows; failing to do so is not an error."""
    from cardgen.runtime import atomic_write  # Most runs have nothing new.

    with suppress(CardgenError, OSError, UnicodeError):
        entry = seal(file.name, json.dumps((key, rows), separators=(",", ":")).encode())
        if entry is not None:
            atomic_write.write(file, entry, durable=False, confined=False)
        prune_oldest(file.parent, _MOST_INDEXES)
