"""Cards that a text renames or leaves out: what refers to them, and how the references are renamed.

References change as with the language server (`cardgen/editor/references.py`), but after the name was typed: the
project is read with the old names in the text, and its references get the new ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place
from cardgen.editor.form import edits
from cardgen.editor.references import (
    Names,
    RenameError,
    former_id_edits,
    reference_edits,
    references_to,
    require_readable,
    require_valid,
)
from cardgen.editor.session import LoadedProject, Session
from cardgen.editor.text import FIRST_CHARACTER, TextEdit, apply_edits, span_at, span_between
from cardgen.editor.translations import id_places
from cardgen.model.card import Entry
from cardgen.source import KeyPath, parse_document
from cardgen.studio.engine.answers import Action, ProblemRow
from cardgen.studio.engine.card_changes import ChangedFile, saved_text
from cardgen.studio.page_words import page_words

RENAME = "Rename in all files"


class _Card(NamedTuple):
    """A card as a text has it: game, kind, and names, the key path of the name, and that of the id or ()."""

    game: str
    kind: str
    names: Names
    name_path: KeyPath
    id_path: KeyPath


class _Renaming(NamedTuple):
    """A card by its `old` names; `new` is the card of the text in its place, or None if there is none."""

    old: _Card
    new: _Card | None


class Renames:
    """The part of the engine for cards that are renamed; texts are those that were written last."""

    def __init__(self, session: Session) -> None:
        self._session = session
        # The cards of files as they are saved, by file, with the digests of the files.
        self._saved: dict[str, tuple[str, tuple[_Card, ...]]] = {}

    def problems(self, file: str) -> tuple[ProblemRow, ...]:
        """Return warnings of references that a text leaves without their card."""
        renamings = self._renamings(file)
        return tuple(row for each in renamings if (row := self._problem(file, each, renamings)))

    def texts(self, file: str) -> tuple[ChangedFile, ...]:
        """Return all files with the new names of the cards of a text, the file itself first.

        Raises CardgenError if they cannot be renamed.
        """
        try:
            return self._texts(file)
        except (RenameError, edits.EditError) as error:
            raise CardgenError(Diagnostic(Code.BAD_OPTION, str(error), Place(file))) from None

    def _texts(self, file: str) -> tuple[ChangedFile, ...]:
        path = self._session.root / file
        renamings = [each for each in self._renamings(file) if each.new]
        with self._with_old_names(path, renamings) as (text, old_text):
            every = self._session.ask(lambda loaded: _edits(self._session, loaded, file, renamings))
            others = sorted({each.path for each in every} - {path})
            sources = {each: self._saved_source(each) for each in others}
        own = [each for each in every if each.path == path]
        if own:
            text = _with_names(apply_edits(old_text, own), ((each.new, each.new) for each in renamings if each.new))
        renamed = [ChangedFile(file, saved_text(path)[0], text)]
        for other, (digest, source) in sources.items():
            changed = apply_edits(source, [each for each in every if each.path == other])
            renamed.append(ChangedFile(other.relative_to(self._session.root).as_posix(), digest, changed))
        return tuple(renamed)

    def _saved_source(self, path: Path) -> tuple[str, str]:
        """Return digest and text of another file. Raises RenameError if it has a text that is not saved."""
        digest, text = saved_text(path)
        if text != self._session.source(path):
            raise RenameError(f"'{path.name}' has changes that are not saved; save or discard them first")
        return digest, text

    # --- What a text renames

    def _renamings(self, file: str) -> tuple[_Renaming, ...]:
        """Return the saved cards of the file whose names the text does not have any more."""
        before, now = self._saved_cards(file), self._session.ask(lambda loaded: _cards_of(loaded, file))
        lost = [each for each in before if all(_names(each) != _names(other) for other in now)]
        new = [each for each in now if all(_names(each) != _names(other) for other in before)]
        return tuple(_Renaming(each, _successor(each, lost, new)) for each in lost)

    def _saved_cards(self, file: str) -> tuple[_Card, ...]:
        path = self._session.root / file
        digest, saved = saved_text(path)
        if self._saved.get(file, ("",))[0] != digest:
            with self._with_text(path, saved):
                self._saved[file] = digest, self._session.ask(lambda loaded: _cards_of(loaded, file))
        return self._saved[file][1] if digest else ()

    @contextmanager
    def _with_text(self, path: Path, text: str) -> Iterator[None]:
        """Use another text of a file in the block."""
        before = self._session.unsaved
        self._session.set_text(path, text)
        try:
            yield
        finally:
            self._session.replace_texts(before)

    @contextmanager
    def _with_old_names(self, path: Path, renamings: Sequence[_Renaming]) -> Iterator[tuple[str, str]]:
        """Use the text of a file with the old names in the block, which gets the text and the one with old names."""
        text = self._session.source(path)
        old_text = _with_names(text, ((each.new, each.old) for each in renamings if each.new))
        with self._with_text(path, old_text):
            yield text, old_text

    # --- What is said about it

    def _problem(self, file: str, renaming: _Renaming, renamings: Sequence[_Renaming]) -> ProblemRow | None:
        old, new, path = renaming.old, renaming.new, self._session.root / file
        try:
            with (
                self._with_old_names(path, [each for each in renamings if each.new])
                if new
                else self._with_text(path, saved_text(path)[1])
            ):
                places = self._session.ask(lambda loaded: _references(self._session, loaded, file, renaming))
        except (edits.EditError, CardgenError):
            return None
        text = self._session.source(path)
        span = span_at(parse_document(text, str(path)).place(new.name_path)) if new else FIRST_CHARACTER
        keep_id = _keep_id(path, text, renaming)
        if not places and keep_id:
            message = f"the id changes from '{old.names.id}' to '{new.names.id if new else ''}'"
            advice = "releases, exports, and files of pictures know the card by its id"
            return ProblemRow(file, span, "", "", "note", message, advice, actions=keep_id)
        if not places:
            return None
        found = "1 reference" if len(places) == 1 else f"{len(places)} references"
        files = ", ".join(dict.fromkeys(places))
        message = f"{found} to '{old.names.name}' in {files} would be left without this card"
        if new is None:
            return ProblemRow(file, span, "", "", "warning", message, "change them, or keep the card")
        try:
            count = len(self._texts(file))
        except (RenameError, edits.EditError, CardgenError) as error:
            return ProblemRow(file, span, "", "", "warning", message, page_words(str(error)), actions=keep_id)
        advice = f"rename it in {'1 file' if count == 1 else f'{count} files'} at once, which are saved then"
        return ProblemRow(file, span, "", "", "warning", message, advice, actions=(Action(RENAME, ()), *keep_id))


def _cards_of(loaded: LoadedProject, file: str) -> tuple[_Card, ...]:
    return tuple(_card(each) for each in loaded.deck.cards if each.document.file == file)


def _card(entry: Entry) -> _Card:
    path_of = entry.source_map.source_path
    id_path = path_of(("id",)) if entry.source_map.has_key("id") else ()
    return _Card(entry.game, entry.kind, Names.of(entry), path_of(("name",)), id_path)


def _names(card: _Card) -> tuple[str, str, Names]:
    return card.game, card.kind, card.names


def _successor(card: _Card, lost: Sequence[_Card], new: Sequence[_Card]) -> _Card | None:
    """Return the card of a text that another one became: by its id, or its place if as many came as went."""
    same_kind = [each for each in new if (each.game, each.kind) == (card.game, card.kind)]
    same_id = next((each for each in same_kind if each.names.id == card.names.id), None)
    if same_id or len(lost) != len(new):
        return same_id
    other = new[lost.index(card)]
    return other if other in same_kind else None


def _with_names(text: str, changes: Iterator[tuple[_Card, _Card]]) -> str:
    """Return a text in which cards have the names of others. Raises EditError."""
    for at, other in changes:
        text = edits.set_value(text, at.name_path, other.names.name)
        if at.id_path:
            text = edits.set_value(text, at.id_path, other.names.id)
    return text


def _entry(loaded: LoadedProject, file: str, card: _Card) -> Entry:
    """Return a card as the project has it now. Raises RenameError if its id has changed in another way."""
    every = (each for each in loaded.deck.cards if each.document.file == file)
    found = next((each for each in every if _names(_card(each)) == _names(card)), None)
    if found is None:
        raise RenameError(f"write the id '{card.names.id}' again first; '{card.names.name}' had one of its own")
    return found


def _edits(session: Session, loaded: LoadedProject, file: str, renamings: Sequence[_Renaming]) -> list[TextEdit]:
    """Return the edits of all references, in a project that has the old names."""
    require_readable(loaded)
    every: list[TextEdit] = []
    for old, new in renamings:
        if new:
            card = _entry(loaded, file, old)
            require_valid(loaded, card, new.names, at_id=bool(new.id_path))
            every += former_id_edits(session, loaded, card, new.names)
            every += reference_edits(session, loaded, card, new.names)
    return list(dict.fromkeys(every))


def _references(session: Session, loaded: LoadedProject, file: str, renaming: _Renaming) -> list[str]:
    """Return the files of the references that find the old card, and not the new one, one for each reference.

    Translations count as references to the id.
    """
    try:
        card = _entry(loaded, file, renaming.old)
    except RenameError:
        return []
    known = {renaming.new.names.name, renaming.new.names.id} if renaming.new else set()
    own = {} if renaming.new else {file}
    places = {each.place: each for each in references_to(loaded, card) if each.link.name not in known}
    found = [place.file for place, each in places.items() if each.entry.document.file not in own]
    if renaming.new is None or renaming.new.names.id != card.card.id:
        found += (place.file for place in id_places(session, loaded, card))
    return found


def _keep_id(path: Path, text: str, renaming: _Renaming) -> tuple[Action, ...]:
    """Return the action that writes the old id into a card whose id follows its name, if that changes it."""
    old, new = renaming
    if new is None or new.id_path or new.names.id == old.names.id:
        return ()
    try:
        kept = edits.add_key(text, new.name_path[:-1], "id", old.names.id, ("name",))
    except edits.EditError:
        return ()
    return (Action(f"Keep the id '{old.names.id}'", (TextEdit(path, span_between(text, 0, len(text)), kept),)),)
