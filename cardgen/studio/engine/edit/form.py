"""The card that is being written as a form: its fields, their edits, and what can be chosen for them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from cardgen.diagnostic import CardgenError
from cardgen.editor.completion import Completion, CompletionKind, value_completions
from cardgen.editor.cursor import paths_to
from cardgen.editor.form import edits
from cardgen.editor.form.card_form import FormCard, card_form, form_card, syntax_fault
from cardgen.editor.form.sentences import sentence_readings
from cardgen.editor.session import LoadedProject, Session
from cardgen.editor.subject import subject_at
from cardgen.editor.text import offset_at
from cardgen.face.template.ornaments import path_data
from cardgen.model.entry import Entry
from cardgen.pipeline.load.deck import project_icons
from cardgen.source import Data, Document, KeyPath, parse_document
from cardgen.studio.engine.edit.form_edits import MOST_CHARACTERS, EditState, FormChange, card_edit, plain_edit
from cardgen.studio.engine.edit.thumbnails import thumbnail_address
from cardgen.studio.engine.rows import card_key

if TYPE_CHECKING:
    from cardgen.text.icons import Icons

_MOST_OPTIONS = 60
_NO_CARD = "this text has no card of a kind that the game knows"


class FormState(NamedTuple):
    """The form of a card: its fields as JSON, or what keeps the text from being read, with the line."""

    path: KeyPath
    kind: str = ""
    field: Mapping[str, Any] | None = None
    fault: str = ""
    line: int = 0


class Form:
    """The functions of the engine for forms; texts that are edited come with the request."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def fields(self, file: str, key: str, path: KeyPath) -> FormState:
        """Return the form of a card by its key, or else by its key path, as the text was last written."""
        return self._session.ask(lambda loaded: self._fields(loaded, file, key, path))

    def _fields(self, loaded: LoadedProject, file: str, key: str, path: KeyPath) -> FormState:
        document = self._session.document(self._session.root / file)
        fault, line = syntax_fault(document)
        card = None if fault else self._card(loaded, file, document, key, path)
        if card is None:
            return FormState(path, fault=fault or _NO_CARD, line=line)
        form = card_form(card)
        return FormState(form.path, form.kind, form.field.as_data())

    def edit(self, file: str, text: str, key: str, card_path: KeyPath, change: FormChange) -> EditState:
        """Return a text with a change of a form."""
        try:
            return self._session.ask(lambda loaded: self._edit(loaded, file, text, (key, card_path), change))
        except (edits.EditError, CardgenError) as error:
            return EditState(text, change.path, str(error))

    def _edit(
        self, loaded: LoadedProject, file: str, text: str, card_at: tuple[str, KeyPath], change: FormChange
    ) -> EditState:
        if edit := plain_edit(text, change):
            return edit
        document = parse_document(text, str(self._session.root / file))
        card = self._card(loaded, file, document, *card_at)
        if card is None:
            raise edits.EditError(_NO_CARD)
        return card_edit(card, text, change)

    def _card(self, loaded: LoadedProject, file: str, document: Document, key: str, path: KeyPath) -> FormCard | None:
        entry = next((each for each in loaded.deck.cards if card_key(each) == key), None)
        is_current = entry is not None and self._is_text_of(entry, file, document)
        return form_card(loaded, self._session.root / file, document, entry if is_current else None, path)

    def _is_text_of(self, entry: Entry, file: str, document: Document) -> bool:
        own = entry.document
        return own.file == file and own.line_index.text == document.line_index.text

    def options(self, file: str, text: str, path: KeyPath, prefix: str) -> list[Mapping[str, Any]]:
        """Return what can be chosen for a value that begins with `prefix`: cards, files, choices, terms, and icons."""
        data = parse_document(text, "").data
        return self._session.ask(lambda loaded: _options(loaded, self._session.root / file, data, path, prefix))

    def sentence(
        self, file: str, text: str, key: str, card_path: KeyPath, path: KeyPath, sentence: str
    ) -> Mapping[str, Any]:
        """Return how the part at a key path would read a sentence, and whether its effects can be added."""

        def ask(loaded: LoadedProject) -> Mapping[str, Any]:
            document = parse_document(text, str(self._session.root / file))
            card = self._card(loaded, file, document, key, card_path)
            readings, values = sentence_readings(card, path, sentence[:MOST_CHARACTERS]) if card else ((), None)
            return {"readings": [each._asdict() for each in readings], "acceptable": bool(values)}

        return self._session.ask(ask)

    def places(self, file: str, places: tuple[tuple[int, int], ...]) -> tuple[KeyPath, ...]:
        """Return the key paths of the values at some lines and columns of a text, as it was last written."""
        document = self._session.document(self._session.root / file)
        source = document.line_index.text
        return tuple(paths_to(document, offset_at(source, line, column)) for line, column in places)


def _options(loaded: LoadedProject, file: Path, data: Data, path: KeyPath, prefix: str) -> list[Mapping[str, Any]]:
    every = value_completions(loaded, file, data, path, prefix)[:_MOST_OPTIONS]
    game = subject_at(loaded, file, data, path).game
    icons = project_icons(loaded.project, game) if any(each.kind is CompletionKind.ICON for each in every) else None
    return [_option(each, icons, _thumbnail(loaded, file, each)) for each in every]


def _thumbnail(loaded: LoadedProject, file: Path, completion: Completion) -> str:
    """Return the address of the thumbnail of a picture file, which is named from the card's file or from the root."""
    if completion.kind is not CompletionKind.FILE:
        return ""
    root = loaded.project.root
    path = next((path for base in (file.parent, root) if (path := base / completion.label).is_file()), None)
    return thumbnail_address(root, path) if path else ""


def _option(completion: Completion, icons: Icons | None, picture: str) -> Mapping[str, Any]:
    is_icon = completion.kind is CompletionKind.ICON
    return {
        "label": completion.label,
        "text": completion.text if is_icon or completion.kind is CompletionKind.EXAMPLE else completion.label,
        "kind": completion.kind.value,
        "detail": completion.detail,
        "help": completion.help,
        "replaced": completion.replaced,
        "picture": picture,
        "outline": _outline(icons, completion.label) if icons and is_icon else None,
    }


def _outline(icons: Icons, name: str) -> Mapping[str, str] | None:
    """Return an icon for a small picture, or None if it cannot be read, or has more than one color."""
    try:
        outline = icons.find(name)
    except CardgenError:
        return None
    if outline is None or outline.art:
        return None
    rule = "evenodd" if outline.evenodd else "nonzero"
    return {"path": path_data(outline), "box": f"0 0 {outline.width:g} 1", "rule": rule}
