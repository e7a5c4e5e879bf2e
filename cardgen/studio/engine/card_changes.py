"""Cards that are duplicated, deleted, and renamed as wholes; the files are as they are saved."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import NamedTuple, TypeVar

from cardgen.deck.art import find_art
from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place
from cardgen.editor.cards import CardEditError, TakenNames, require_text, ties_of, with_copy, without_cards
from cardgen.editor.form import edits
from cardgen.editor.references import RenameError, card_path, rename_edits, unreadable
from cardgen.editor.session import LoadedProject, Session
from cardgen.editor.subject import Cursor
from cardgen.editor.text import FIRST_CHARACTER, TextEdit, apply_edits
from cardgen.editor.translations import TRANSLATIONS, id_places
from cardgen.model.card import AUTO, Art, Entry
from cardgen.project.files import portable_stem
from cardgen.runtime import regular_file
from cardgen.runtime.fingerprint import SETTINGS_FILE
from cardgen.source import KeyPath, parse_document
from cardgen.source.document import value_at
from cardgen.studio.engine.answers import card_key

_MAX_BYTES = 2**20
_GONE = "this card is no longer in the project"
Result = TypeVar("Result")


class ChangedFile(NamedTuple):
    """A file with another text, None if it is to be removed; `digest` is that of the file before, '' if it is new."""

    file: str
    digest: str
    text: str | None


class CardChange(NamedTuple):
    """A change of files, and the card to go on with: its key and its file, or ''."""

    files: tuple[ChangedFile, ...]
    key: str = ""
    file: str = ""


class Question(NamedTuple):
    """What to say before a card is deleted: the names of cards that refer to it, and the release that has it, or ''.

    The card `is_last` if its file goes with it.
    """

    name: str
    file: str
    references: tuple[str, ...]
    release: str
    is_last: bool


class CardChanges:
    """The part of the engine for cards as wholes. It computes texts, and writes nothing."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def duplicate(self, keys: Sequence[str], name: str = "") -> CardChange:
        """Return the files with copies of cards, each below its card, or beside the file of a single card.

        `name` is that of the copy of one card, or '' for one that no card has. Raises CardgenError.
        """
        return self.answer(lambda loaded: self._duplicate(loaded, keys, name.strip()))

    def _duplicate(self, loaded: LoadedProject, keys: Sequence[str], name: str) -> CardChange:
        texts = Texts(self._session)
        taken: dict[str, TakenNames] = {}
        last = CardChange(())
        for entry in sorted(entries_of(loaded, keys), key=card_path, reverse=True):  # copies move what is below them
            path, file = require_text(entry), entry.document.file
            names = taken.setdefault(entry.game, TakenNames(loaded, entry.game)).take(entry, name)
            text = with_copy(texts.now(file), path, names)
            copy = (*path[:-1], int(path[-1]) + 1) if path else path
            text = _with_found_art(loaded, entry, text, copy)
            if not path:
                file = texts.free_file(Path(file).with_name(f"{portable_stem(names.id, entry.kind)}.yaml").as_posix())
            texts.set(file, text)
            last = CardChange((), f"{entry.game}/{entry.kind}/{names.id}", file)
        return last._replace(files=texts.changed())

    def questions(self, keys: Sequence[str]) -> tuple[Question, ...]:
        """Return what would be left without some cards. Raises CardgenError if they cannot be deleted."""
        return self.answer(lambda loaded: self._questions(loaded, keys))

    def _questions(self, loaded: LoadedProject, keys: Sequence[str]) -> tuple[Question, ...]:
        entries = entries_of(loaded, keys)
        kept, files = self._without(entries), [each.document.file for each in entries]
        ties = [ties_of(loaded, each, entries) for each in entries]
        return tuple(
            Question(each.card.name, file, *tied, kept[file] is None)
            for each, file, tied in zip(entries, files, ties, strict=True)
        )

    def delete(self, keys: Sequence[str], *, retire: bool = False) -> CardChange:
        """Return the files without some cards; with `retire`, the settings list the ids of those that were released.

        Raises CardgenError.
        """
        return self.answer(lambda loaded: self._delete(loaded, keys, retire=retire))

    def _delete(self, loaded: LoadedProject, keys: Sequence[str], *, retire: bool) -> CardChange:
        entries, texts = entries_of(loaded, keys), Texts(self._session)
        for file, text in self._without(entries).items():
            texts.set(file, text)
        for each in entries:
            for place in id_places(self._session, loaded, each):
                file = self._session.path_of(place).relative_to(self._session.root).as_posix()
                left = edits.remove_value(texts.now(file), (TRANSLATIONS, each.card.id))
                is_empty = not value_at(parse_document(left, ""), (TRANSLATIONS,))
                texts.set(file, None if is_empty else left)
            if retire and ties_of(loaded, each).release:
                texts.set(SETTINGS_FILE, edits.append_item(texts.now(SETTINGS_FILE), ("retired",), each.card.id))
        return CardChange(texts.changed())

    def _without(self, entries: Iterable[Entry]) -> Mapping[str, str | None]:
        paths: dict[str, list[KeyPath]] = {}
        for each in entries:
            paths.setdefault(each.document.file, []).append(require_text(each))
        texts = Texts(self._session)
        return {file: without_cards(texts.now(file), of_file) for file, of_file in paths.items()}

    def rename(self, key: str, name: str) -> CardChange:
        """Return all files with another name of a card, as the language server writes it. Raises CardgenError."""
        return self.answer(lambda loaded: self._rename(loaded, key, name))

    def _rename(self, loaded: LoadedProject, key: str, name: str) -> CardChange:
        (entry,) = entries_of(loaded, (key,))
        return CardChange(self.renamed(loaded, {key: name}).changed(), "", entry.document.file)

    def renamed(self, loaded: LoadedProject, names: Mapping[str, str]) -> Texts:
        """Return the texts with other names of cards, by their keys. Raises RenameError and CardEditError."""
        texts, every = Texts(self._session), dict[TextEdit, None]()
        for entry in entries_of(loaded, [*names]):
            require_text(entry)
            path, at = self._session.path_of(entry.place()), entry.source_map.source_path(("name",))
            cursor = Cursor(entry.document, 0, at, at_key=False, span=FIRST_CHARACTER)
            every |= dict.fromkeys(rename_edits(self._session, loaded, path, cursor, names[card_key(entry)]))
        for changed in dict.fromkeys(each.path for each in every):
            file = changed.relative_to(self._session.root).as_posix()
            texts.set(file, apply_edits(texts.now(file), [each for each in every if each.path == changed]))
        return texts

    def require_read(self, loaded: LoadedProject, texts: Texts) -> Mapping[tuple[str, KeyPath], Entry]:
        """Return the cards of changed texts by their places. Raises CardgenError if one is wrong that was not."""
        known = {(each.place.file, each.message) for each in loaded.deck.diagnostics}
        files = {each.file: each.text for each in texts.changed()}
        after = self._session.with_texts({self._session.root / file: text for file, text in files.items()})
        for each in unreadable(after.deck.diagnostics):
            if files.get(each.place.file) and (each.place.file, each.message) not in known:
                raise CardgenError(each)
        entries = (each for each in after.deck.cards if each.document.file in files)
        return {(each.document.file, card_path(each)): each for each in entries}

    def answer(self, question: Callable[[LoadedProject], Result]) -> Result:
        """Return the answer to a question about the files as they are now. Raises CardgenError, also for edits."""
        self._session.reload()
        try:
            return self._session.ask(question)
        except (CardEditError, RenameError, edits.EditError) as error:
            raise CardgenError(Diagnostic(Code.BAD_OPTION, str(error), Place("--"))) from None


def entries_of(loaded: LoadedProject, keys: Sequence[str]) -> tuple[Entry, ...]:
    """Return the cards with some keys. Raises CardEditError if one is gone."""
    by_key = {card_key(entry): entry for entry in loaded.deck.cards}
    if missing := [key for key in keys if key not in by_key]:
        raise CardEditError(f"{_GONE}: {missing[0]}")
    return tuple(by_key[key] for key in dict.fromkeys(keys))


def _with_found_art(loaded: LoadedProject, entry: Entry, text: str, path: KeyPath) -> str:
    """Return the text with the paths of the pictures that a copy would look for by the id of its own."""
    arts = {name: value for name, value in entry.card.__dict__.items() if isinstance(value, Art)}
    for name, art in arts.items():
        if PurePosixPath(art.file).name != AUTO or not entry.source_map.has_key(name):
            continue
        with suppress(ValueError):
            found = find_art(loaded.project, entry, art.file).relative_to(loaded.project.root.resolve()).as_posix()
            is_map = isinstance(value_at(parse_document(text, ""), (*path, name)), dict)
            text = edits.set_value(text, (*path, name, *(("file",) if is_map else ())), found)
    return text


class Texts:
    """Texts of files that change, beginning with the saved ones."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._before: dict[str, tuple[str, str]] = {}
        self._now: dict[str, str | None] = {}

    def now(self, file: str) -> str:
        """Return the text of a file. Raises CardEditError if it cannot be read."""
        if file not in self._before:
            self._before[file] = saved_text(self._session.root / file)
        if not self._before[file][0]:
            raise CardEditError(f"'{file}' cannot be read")
        return self._now.get(file, self._before[file][1]) or ""

    def set(self, file: str, text: str | None) -> None:
        """Give a file another text."""
        self._before.setdefault(file, saved_text(self._session.root / file))
        self._now[file] = text

    def free_file(self, file: str) -> str:
        """Return the path of a new file, with a number if there is one of this name."""
        path, number = Path(file), 1
        while file in self._now or (self._session.root / file).exists():
            number += 1
            file = path.with_stem(f"{path.stem}-{number}").as_posix()
        return file

    def changed(self) -> tuple[ChangedFile, ...]:
        """Return the files whose texts are others now."""
        return tuple(ChangedFile(file, self._before[file][0], text) for file, text in self._now.items())


def saved_text(path: Path) -> tuple[str, str]:
    """Return the digest of a file that is saved, or '', and its text as editors have it."""
    try:
        content = regular_file.read(path, _MAX_BYTES)
    except OSError:
        return "", ""
    text = content.decode("utf-8", "replace").removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return sha256(content).hexdigest(), text
