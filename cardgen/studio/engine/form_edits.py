"""Edits of a card's text that a form asks for, and small pictures of the project's picture files to choose from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlencode

from cardgen.deck.deck import project_icons
from cardgen.diagnostic import CardgenError
from cardgen.editor.completion import Completion, CompletionKind, value_completions
from cardgen.editor.form import edits
from cardgen.editor.form.card_form import (
    FormCard,
    accepted_text,
    added_sentence,
    card_form,
    form_card,
    remarks_of,
    sentence_readings,
    syntax_fault,
)
from cardgen.editor.form.schema import first_value
from cardgen.editor.session import LoadedProject, Session
from cardgen.editor.subject import paths_to, subject_at
from cardgen.editor.text import offset_at
from cardgen.face.ornaments import path_data
from cardgen.model.card import AUTO
from cardgen.scaffold.pictures import Thumbnail, small_picture
from cardgen.source import Data, Document, KeyPath, parse_document
from cardgen.source.document import value_at
from cardgen.studio.engine.answers import entry_of

if TYPE_CHECKING:
    from cardgen.text.shaped_row import Icons


class Thumbnails:
    """The part of the engine for thumbnails."""

    def __init__(self, session: Session) -> None:
        self._root = session.root

    def picture(self, file: str) -> Thumbnail:
        """Return the thumbnail of a picture file of the project."""
        return small_picture(self._root, file)


MOST_CHARACTERS = 20_000
_NOT_READ = "this text cannot be written as effects"


class EditState(NamedTuple):
    """The text after an edit, and the key path to go on with; `fault` says why nothing has changed."""

    text: str
    path: KeyPath = ()
    fault: str = ""


class FormChange(NamedTuple):
    """An edit of a form: what to do with the value at a key path.

    The `argument` is a value, a key, or an index; for `sentence`, it is the sentence.
    """

    action: str
    path: KeyPath
    argument: Data = None


def plain_edit(text: str, change: FormChange) -> EditState | None:
    """Return a text with a change that needs no card, or None for other changes. Raises EditError."""
    if isinstance(change.argument, str) and len(change.argument) > MOST_CHARACTERS:
        raise edits.EditError(f"a text has at most {MOST_CHARACTERS:,} characters")
    edit = _PLAIN_EDITS.get(change.action)
    return edit(text, change.path, change.argument) if edit else None


def _move(text: str, path: KeyPath, target: Data) -> EditState:
    index = path[-1] if path else None
    if not isinstance(index, int) or not isinstance(target, int):
        raise edits.EditError("only items of a list can be moved")
    return EditState(edits.move_item(text, path[:-1], index, target), (*path[:-1], target))


def _add_example(text: str, path: KeyPath, item: Data) -> EditState:
    """Add an item as another card writes it."""
    value = parse_document(str(item), "").data
    if not isinstance(value, dict):
        raise edits.EditError("this example cannot be read")
    return EditState(edits.append_item(text, path, value), path)


def _set_art(text: str, path: KeyPath, values: Data) -> EditState:
    """Name another picture at a key path, or change how it fills its box; all else about it stays."""
    assert isinstance(values, dict)
    try:
        art = value_at(parse_document(text, ""), path)
    except (LookupError, TypeError):
        art = None
    if not isinstance(art, dict):
        value = values["file"] if [*values] == ["file"] else {"file": art or AUTO, **values}
        if art is None:
            return EditState(edits.add_key(text, path[:-1], str(path[-1]), value, _BEFORE_ART), path)
        return EditState(edits.set_value(text, path, value), path)
    for name, value in values.items():
        text = edits.set_value(text, (*path, name), value)
    return EditState(text, path)


_ART = "art"
# The keys after which that of a new picture is written.
_BEFORE_ART = ("format", "game", "kind", "name", "id", "motto")


_PLAIN_EDITS: Mapping[str, Callable[[str, KeyPath, Data], EditState]] = {
    "set": lambda text, path, value: EditState(edits.set_value(text, path, value), path),
    "remove": lambda text, path, _: EditState(edits.remove_value(text, path), path[:-1]),
    "move": _move,
    "rename": lambda text, path, name: EditState(edits.rename_key(text, path, str(name)), (*path[:-1], str(name))),
    "example": _add_example,
    _ART: _set_art,
}


def _add(card: FormCard, text: str, path: KeyPath, key: Data) -> EditState:
    """Add a key to a map, with a first value."""
    owner = card.node(path)
    below = card.schema.branch_of(card.data) if path == card.path else owner.branch_of({})
    names = list(below.get("properties", {}))
    before = names[: names.index(str(key))] if key in names else []
    value = first_value(card.node((*path, str(key))))
    return EditState(edits.add_key(text, path, str(key), value, before), (*path, str(key)))


def _insert(card: FormCard, text: str, path: KeyPath, index: Data) -> EditState:
    """Add an item to a list."""
    at = index if isinstance(index, int) else 0
    value = first_value(card.node((*path, at)))
    return EditState(edits.insert_item(text, path, at, value), (*path, at))


def _write_in_full(card: FormCard, text: str, path: KeyPath, _: Data) -> EditState:
    """Write the short form of a part as a map."""
    full = remarks_of(card).in_full.get(path)
    if full is None:
        raise edits.EditError("this part cannot be written with more fields while the card has problems")
    return EditState(edits.set_value(text, path, full), path)


def _accept(card: FormCard, text: str, path: KeyPath, _: Data) -> EditState:
    """Replace a text by the effects that were read from it."""
    after = accepted_text(card, path)
    return EditState(after, path[:-1]) if after is not None else EditState(text, path, _NOT_READ)


_CARD_EDITS: Mapping[str, Callable[[FormCard, str, KeyPath, Data], EditState]] = {
    "add": _add,
    "insert": _insert,
    "full": _write_in_full,
    "accept": _accept,
    "sentence": lambda card, text, path, sentence: EditState(added_sentence(card, text, path, str(sentence)), path),
}


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

        def ask(loaded: LoadedProject) -> EditState:
            document = parse_document(text, str(self._session.root / file))
            card = self._card(loaded, file, document, key, card_path)
            if card is None:
                raise edits.EditError(_NO_CARD)
            return _CARD_EDITS[change.action](card, text, change.path, change.argument)

        try:
            return plain_edit(text, change) or self._session.ask(ask)
        except (edits.EditError, CardgenError) as error:
            return EditState(text, change.path, str(error))

    def _card(self, loaded: LoadedProject, file: str, document: Document, key: str, path: KeyPath) -> FormCard | None:
        entry = entry_of(loaded, key)
        own = entry.document if entry else document
        is_current = own.file == file and own.line_index.text == document.line_index.text
        return form_card(loaded, self._session.root / file, document, entry if is_current else None, path)

    def options(self, file: str, text: str, path: KeyPath, prefix: str) -> list[Mapping[str, Any]]:
        """Return what can be chosen for a value that begins with `prefix`: cards, files, choices, terms, and icons."""
        data = parse_document(text, "").data
        return self._session.ask(lambda loaded: value_options(loaded, self._session.root / file, data, path, prefix))

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


def value_options(loaded: LoadedProject, file: Path, data: Data, path: KeyPath, prefix: str) -> list[Mapping[str, Any]]:
    """Return what can be chosen for the value at a key path that begins with `prefix`."""
    every = value_completions(loaded, file, data, path, prefix)[:_MOST_OPTIONS]
    game = subject_at(loaded, file, data, path).game
    icons = project_icons(loaded.project, game) if any(each.kind is CompletionKind.ICON for each in every) else None
    return [_option(each, icons, _thumbnail(loaded, file, each)) for each in every]


def _thumbnail(loaded: LoadedProject, file: Path, completion: Completion) -> str:
    """Return the address of the thumbnail of a picture file, which is named from the card's file or from the root.

    The address changes with the file.
    """
    root = loaded.project.root
    for path in (base / completion.label for base in (file.parent, root)):
        if completion.kind is CompletionKind.FILE and path.is_file():
            name, changed = path.relative_to(root).as_posix(), path.stat().st_mtime_ns
            return f"/thumbnail?{urlencode({'file': name, 'v': changed})}"
    return ""


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
