"""Cards that are added to files, moved between them, and taken over from tables."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from cardgen.deck.art import find_art
from cardgen.deck.deck import require_game
from cardgen.diagnostic import Severity, slugify
from cardgen.editor.cards import CardEditError, TakenNames, is_row, item_of, require_text, with_item, without_cards
from cardgen.editor.form import edits
from cardgen.editor.references import Names, card_path, unreadable
from cardgen.editor.session import LoadedProject, Session
from cardgen.model.card import Entry
from cardgen.project.files import CARDS_FOLDER, portable_stem
from cardgen.runtime import regular_file
from cardgen.runtime.fingerprint import SETTINGS_FILE
from cardgen.scaffold.cards import card_text
from cardgen.scaffold.game_from_table import Offer, find_offers, texts_in
from cardgen.source import parse_document
from cardgen.source.document import value_at
from cardgen.studio.engine.answers import card_key
from cardgen.studio.engine.card_changes import CardChange, CardChanges, ChangedFile, Texts, entries_of
from cardgen.studio.page_words import explain_one
from cardgen.tables.table import LINE_BREAK, MAX_FILE_SIZE, WRITTEN_BREAK, written_value

_LIST, _TABLES = "cards", "tables"


class NewerTable(NamedTuple):
    """A newer version of a table: the digest of the file before, its content, and the names of cards that change.

    `problems` are those that the project gets with it, with the first or the chosen answers to all `offers`; `files`
    are others that these change.
    """

    digest: str
    content: bytes
    new: tuple[str, ...]
    changed: tuple[str, ...]
    gone: tuple[str, ...]
    problems: tuple[str, ...]
    offers: tuple[tuple[str, tuple[str, ...]], ...] = ()
    files: tuple[ChangedFile, ...] = ()


class CardMoves:
    """The part of the engine for cards that come into files. It computes texts, and writes nothing."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._changes = CardChanges(session)

    def add(self, kind: str, name: str) -> CardChange:
        """Return the files with a new card, below the last one of its kind if that is in a list.

        The kind is such as 'chess/pawn'. Raises CardgenError.
        """
        return self._changes.answer(lambda loaded: self._add(loaded, kind, name.strip()))

    def _add(self, loaded: LoadedProject, kind_of_game: str, name: str) -> CardChange:
        game, _, kind = kind_of_game.partition("/")
        names = Names(name, slugify(name))
        if not TakenNames(loaded, game).is_free(names):
            raise CardEditError(f"another card has the name '{name}' or its id; choose another name")
        text = card_text(loaded.project, require_game(game, loaded.project.workspace), kind, name)
        others = [each for each in loaded.deck.cards if (each.game, each.kind) == (game, kind) and not is_row(each)]
        texts = Texts(self._session)
        file = next((each.document.file for each in reversed(others) if len(card_path(each)) > 1), "")
        if file:
            header: Any = parse_document(texts.now(file), "").data
            written: Any = parse_document(text, "").data
            card: dict[str, Any] = {} if header.get("kind") == kind else {"kind": kind}
            card |= {key: value for key, value in written.items() if key not in ("format", "game", "kind")}
            texts.set(file, edits.append_item(texts.now(file), (_LIST,), card))
        else:
            folder = Path(others[-1].document.file).parent if others else Path(CARDS_FOLDER)
            file = texts.free_file((folder / f"{portable_stem(names.id, kind)}.yaml").as_posix())
            texts.set(file, text)
        self._changes.require_read(loaded, texts)
        return CardChange(texts.changed(), f"{game}/{kind}/{names.id}", file)

    def move(self, keys: Sequence[str], file: str) -> CardChange:
        """Return the files with some cards in the list of another file, which may be new. Raises CardgenError."""
        return self._changes.answer(lambda loaded: self._move(loaded, keys, file))

    def _move(self, loaded: LoadedProject, keys: Sequence[str], file: str) -> CardChange:
        entries = [each for each in entries_of(loaded, keys) if each.document.file != file]
        if not entries:
            raise CardEditError(f"these cards are in '{file}' already")
        paths = [(each, require_text(each)) for each in entries]
        texts, first = Texts(self._session), entries[0]
        is_new = not (self._session.root / file).exists()
        target = f"format: 1\ngame: {first.game}\nkind: {first.kind}\ncards: []\n" if is_new else texts.now(file)
        header = parse_document(target, "").data
        if not isinstance(header, dict) or not isinstance(header.get(_LIST), list):
            raise CardEditError(f"'{file}' has one card only; choose a file with a list of cards, or a new one")
        for entry, path in paths:
            if entry.game != header.get("game", loaded.game):
                raise CardEditError(f"'{file}' has cards of a different game than {entry.card.name}")
            source = texts.now(entry.document.file)
            item = item_of(source, path, {} if entry.kind == header.get("kind") else {"kind": entry.kind})
            target = with_item(target, item)
        texts.set(file, target)
        for source_file in dict.fromkeys(each.document.file for each in entries):
            gone = [path for each, path in paths if each.document.file == source_file]
            texts.set(source_file, without_cards(texts.now(source_file), gone))
        self._require_same(loaded, texts, entries)
        return CardChange(texts.changed(), card_key(first), file)

    def take_over(self, keys: Sequence[str]) -> CardChange:
        """Return the files with the rows of the tables of some cards as cards; the tables stay as they are, unread.

        Raises CardgenError.
        """
        return self._changes.answer(lambda loaded: self._take_over(loaded, keys))

    def _take_over(self, loaded: LoadedProject, keys: Sequence[str]) -> CardChange:
        texts, every = Texts(self._session), list[Entry]()
        for table in dict.fromkeys(each.document.file for each in entries_of(loaded, keys) if is_row(each)):
            entries = [each for each in loaded.deck.cards if each.document.file == table]
            data: Any = entries[0].document.data
            wrong = next((each for each in unreadable(loaded.deck.diagnostics) if each.place.file == table), None)
            if wrong or len(entries) != len(data[_LIST]):
                raise CardEditError(f"some rows of '{table}' cannot be read; correct them first")
            if any(each.translations for each in loaded.deck.cards if each.document.file == table):
                raise CardEditError(f"'{table}' has columns with translations, which cards do not have")
            head = {"format": 1, "game": entries[0].game, **{key: data[key] for key in ("kind",) if key in data}}
            cards = written_value(data[_LIST])
            text = "".join(f"{edits.pair_text(key, value, 0)}\n" for key, value in {**head, _LIST: cards}.items())
            texts.set(texts.free_file(Path(table).with_suffix(".yaml").as_posix()), text)
            settings = texts.now(SETTINGS_FILE)
            names: Any = value_at(parse_document(settings, ""), (_TABLES,))
            name = next(each for each in names if os.path.normpath(each) == os.path.normpath(table))
            texts.set(SETTINGS_FILE, edits.remove_value(settings, (_TABLES, name)))
            every += entries
        if not every:
            raise CardEditError("these cards are in texts already")
        self._require_same(loaded, texts, every)
        return CardChange(texts.changed(), card_key(every[0]))

    def newer(self, table: str, upload: str, answers: Mapping[str, str] = MappingProxyType({})) -> NewerTable:
        """Return what a newer version of a table changes in the project. Raises CardgenError if it cannot be read."""
        return self._changes.answer(lambda loaded: self._newer(loaded, table, Path(upload), answers))

    def _newer(self, loaded: LoadedProject, table: str, upload: Path, answers: Mapping[str, str]) -> NewerTable:
        path = self._session.root / table
        if path not in loaded.project.tables:
            raise CardEditError(f"the project does not read '{table}' any more")
        before = regular_file.read_inside(self._session.root, path, MAX_FILE_SIZE)
        content = regular_file.read(upload, MAX_FILE_SIZE)
        texts, offers, after = Texts(self._session), dict[str, Offer](), loaded
        while True:  # a column that is read can have words that are new
            changed = {self._session.root / each.file: each.text for each in texts.changed()}
            after = self._session.with_texts({path: content, **changed})
            found = find_offers(after.project, loaded.project.tables[path], content, after.deck.diagnostics)
            if not (new := [each for each in found if each.question not in offers]):
                break
            for question, choices in new:
                offers[question] = Offer(question, choices)
                for file, place, value in choices.get(answers.get(question, ""), next(iter(choices.values()))):
                    is_item = isinstance(place[-1], int)
                    text = texts.now(file)
                    text = (
                        edits.append_item(text, place[:-1], value) if is_item else edits.set_value(text, place, value)
                    )
                    texts.set(file, text)
        known = {(each.place.file, each.message) for each in loaded.deck.diagnostics}
        errors = (each for each in after.deck.diagnostics if each.severity is Severity.ERROR)
        problems = tuple(each for each in errors if (each.place.file, each.message) not in known)
        cards = [
            {card_key(each): each for each in deck.cards if each.document.file == table}
            for deck in (loaded.deck, after.deck)
        ]
        old, now = ({key: (each.card.name, _said(each)) for key, each in every.items()} for every in cards)
        # Cards with mistakes are not gone.
        wrong = texts_in(table, content) if problems else ()
        return NewerTable(
            sha256(before).hexdigest(),
            content,
            tuple(now[key][0] for key in now if key not in old),
            tuple(now[key][0] for key in now if key in old and old[key] != now[key]),
            tuple(old[key][0] for key in old if key not in now and old[key][0] not in wrong),
            tuple(map(explain_one, problems)),
            tuple((each.question, (*each.answers,)) for each in offers.values()),
            texts.changed(),
        )

    def _require_same(self, loaded: LoadedProject, texts: Texts, entries: Sequence[Entry]) -> None:
        """Raise CardEditError if a card would say something else in its new file."""
        after = {card_key(each): each for each in self._changes.require_read(loaded, texts).values()}
        for old in entries:
            new = after.get(card_key(old))
            if new is None or _said(new) != _said(old):
                reason = "such as for a default of one of the files"
                raise CardEditError(f"'{old.card.name}' would not say the same in its new file, {reason}")
            if new.card.art and _art(loaded, new) != _art(loaded, old):
                raise CardEditError(f"the picture of '{old.card.name}' would not be found from its new folder")


def _said(entry: Entry) -> str:
    """Return all that a card says; lines end in the same way in cells and in texts."""
    return repr(entry.card).replace(repr(LINE_BREAK)[1:-1], repr(WRITTEN_BREAK)[1:-1])


def _art(loaded: LoadedProject, entry: Entry) -> Path | None:
    try:
        return find_art(loaded.project, entry, entry.card.art.file) if entry.card.art else None
    except ValueError:
        return None
