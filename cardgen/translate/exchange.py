"""Files for translators: written from the texts of a project, and read back into its files of translations."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from cardgen.deck.deck import read_project_deck, source_texts
from cardgen.deck.translated import State, same_text
from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, did_you_mean, stop_on_errors
from cardgen.language import parse_language
from cardgen.model.card import Entry
from cardgen.model.translation import Translator, check_text
from cardgen.project.files import display_path, require_named_inside
from cardgen.project.project import Project
from cardgen.runtime import atomic_write
from cardgen.runtime.fingerprint import JSON_LINES_SUFFIXES
from cardgen.runtime.workspace import Workspace
from cardgen.source.composer import describe_character, find_unprintable
from cardgen.source.document import Document, read_text
from cardgen.tables.json_file import JsonFile, read_json
from cardgen.tables.table import FILE_TOO_LARGE, MAX_FILE_SIZE, LostValue, as_text
from cardgen.tables.table_file import read_sheets
from cardgen.tables.writer import write_csv, write_xlsx
from cardgen.translate.catalog import Catalog, Rooms, Unit, read_catalogs
from cardgen.translate.po import Message, po_place, read_po, write_po
from cardgen.translate.store import as_markup, changed_file

FORMATS = (".po", ".csv", ".xlsx")
_JSON = (".json", *JSON_LINES_SUFFIXES)
# Further mistakes of a file are left out.
_MOST_PROBLEMS = 100
_COLUMNS = ("context", "source", "translation", "state", "made from", "notes")


def export_catalog(catalog: Catalog, path: Path, *, only_gaps: bool = False) -> int:
    """Write the texts of a project, or only those that are stale or missing, for a translator; return their number.

    The suffix of the file is one of FORMATS. Raises CardgenError if it cannot be written.
    """
    if path.suffix.lower() not in FORMATS:
        raise CardgenError(
            Diagnostic(Code.BAD_OPTION, "the name of the file must end in .po, .csv, or .xlsx", Place("--output"))
        )
    units = catalog.gaps() if only_gaps else [*catalog.units.values()]
    rooms = Rooms(catalog.project, {id(each.text.entry): each.text.entry for each in units}.values())
    messages: list[Message] = []
    for unit in units:
        notes = tuple(rooms.notes(unit.text))
        text = unit.text
        is_stale = text.state is State.STALE
        previous = text.translation.source or "" if is_stale and text.translation else ""
        source, translation, previous = map(
            as_markup, (text.source, text.translation.text if text.translation else "", previous)
        )
        messages.append(Message(unit.context, source, translation, is_stale, previous, notes))
    if path.suffix.lower() == ".po":
        content = write_po(messages, catalog.language)
    else:
        rows = [[*_COLUMNS[:2], catalog.language, *_COLUMNS[3:]], *map(_row, messages)]
        content = write_csv(rows) if path.suffix.lower() == ".csv" else write_xlsx(rows, catalog.language)
    atomic_write.write(path, content)
    return len(messages)


def _row(message: Message) -> list[str]:
    state = State.STALE if message.is_fuzzy else State.TRANSLATED if message.text else State.MISSING
    return [message.context, message.source, message.text, state.value, message.previous, "\n".join(message.notes)]


class ImportResult(NamedTuple):
    """Files that an import wrote, and the number of texts that are new, changed, and without a translation."""

    files: tuple[Path, ...]
    new: int
    changed: int
    empty: int


class _Row(NamedTuple):
    message: Message
    place: Place


def import_file(path: Path, workspace: Workspace, language: str = "") -> ImportResult:
    """Read the file of a translator into the translations of a project.

    Raises CardgenError with everything that is not understood; then nothing is written.
    """
    file = display_path(path)
    require_named_inside(workspace.root, path, file)
    is_json = path.suffix.lower() in _JSON
    named, rows = ("", []) if is_json else _read(path)
    tag = language or named
    if not tag:
        message = "the file does not say in which language it is"
        raise CardgenError(Diagnostic(Code.BAD_TRANSLATION, message, Place(file), "add --language"))
    (catalog,) = read_catalogs(workspace, [_require_language(tag, path)])
    return _Import(catalog).run(_read_rows(path, catalog) if is_json else rows)


def _require_language(tag: str, path: Path) -> str:
    try:
        return parse_language(tag)
    except ValueError as error:
        raise CardgenError(Diagnostic(Code.BAD_TRANSLATION, str(error), Place(display_path(path)))) from None


def _read(path: Path) -> tuple[str, list[_Row]]:
    file = display_path(path)
    if path.suffix.lower() == ".po":
        text = read_text(path, file, MAX_FILE_SIZE, FILE_TOO_LARGE)
        if isinstance(text, Document):
            raise CardgenError(*text.diagnostics)
        language, messages = read_po(text, file)
        return language, [_Row(each, po_place(file, each.line)) for each in messages]
    if path.suffix.lower() not in FORMATS:
        raise CardgenError(
            Diagnostic(Code.BAD_TRANSLATION, "the name of the file must end in .po, .csv, .xlsx, or .json", Place(file))
        )
    return _read_table(path, file)


def _read_objects(path: Path) -> JsonFile | None:
    """Return a JSON file that is a list of objects, or None for another one. Raises CardgenError if it is not JSON."""
    file = display_path(path)
    text = read_text(path, file, MAX_FILE_SIZE, FILE_TOO_LARGE)
    if isinstance(text, Document):
        raise CardgenError(*text.diagnostics)
    found = read_json(text, file, lines=path.suffix.lower() in JSON_LINES_SUFFIXES)
    stop_on_errors(found.problems)
    is_list = isinstance(found.data, list) and all(isinstance(each, dict) for each in found.data)
    return found if is_list else None


def _read_rows(path: Path, catalog: Catalog) -> Iterator[_Row]:
    """Yield the texts of a file that has rows of JSON tables in another language.

    Rows are matched by a key whose values tell them apart, such as `code`, and become cards by the settings of their
    table. Objects of other rows are left out. Raises CardgenError if there is no such key.
    """
    file = display_path(path)
    found = _read_objects(path)
    tables = {
        path: each for path in catalog.files.values() if path.suffix.lower() in _JSON if (each := _read_objects(path))
    }
    keys = {path: key for path, table in tables.items() if found and (key := _common_key(found.data, table.data))}
    if found is None or not keys:
        message = "the file is not a list of objects that share a key, such as an id, with the rows of a JSON table"
        raise CardgenError(Diagnostic(Code.BAD_TRANSLATION, message, Place(file), "give each object that of its row"))
    words = [{key: value for key, value in each.items() if value} for each in found.data]
    units = {
        (each.text.entry.document.file, each.text.entry.card.id, each.text.field): each
        for each in catalog.units.values()
    }
    for table, key in keys.items():
        rows = tables[table].data
        numbers = {each[key]: number for number, each in enumerate(found.data)}
        ids = [value if isinstance(value := row.get(key), str | int) else None for row in rows]
        before = _cards_of_rows(catalog.project, table, rows)
        merged = [{**row, **words[numbers[id_]]} if id_ in numbers else row for id_, row in zip(ids, rows, strict=True)]
        after = _cards_of_rows(catalog.project, table, merged)
        for index in (each for each in before if ids[each] in numbers):
            place, entry = found.positions.place((numbers[ids[index]],)), after.get(index)
            if entry is None:
                message = f"'{before[index].card.name}' is not a valid card with these texts"
                raise CardgenError(Diagnostic(Code.BAD_TRANSLATION, message, place, "shorten or correct them"))
            for field, text in source_texts(entry).items():
                if unit := units.get((entry.document.file, before[index].card.id, field)):
                    source = unit.text.source
                    translated = Message(unit.context, source, "" if same_text(text, source) else text)
                    yield _Row(translated, place)


def _common_key(objects: Sequence[Mapping[str, Any]], rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the key whose values differ in all objects, and are those of most rows; or ''."""
    best, most = "", 0
    for key in objects[0] if objects else ():
        values = [each.get(key) for each in objects]
        known = {each for each in values if isinstance(each, str | int)}
        if len(known) == len(values):
            met = sum(isinstance(value := row.get(key), str | int) and value in known for row in rows)
            best, most = (key, met) if met > most else (best, most)
    return best


def _cards_of_rows(project: Project, table: Path, rows: Sequence[Mapping[str, Any]]) -> Mapping[int, Entry]:
    """Return the cards that a table makes of rows, by the number of the row."""
    is_lines = table.suffix.lower() in JSON_LINES_SUFFIXES
    lines = [json.dumps(row, ensure_ascii=False) for row in rows]
    text = "\n".join(lines) if is_lines else "[\n" + ",\n".join(lines) + "\n]"
    path = os.path.abspath(table)  # noqa: PTH100 - as unsaved files are named
    unsaved = {**project.workspace.unsaved, path: text.encode()}
    other = Project.open(Workspace(project.workspace.root, unsaved=unsaved))
    deck = read_project_deck(other, other.find_card_files())
    places = ((each, each.place(("name",)).span) for each in deck.cards if each.document.file == display_path(table))
    return {span.line - (1 if is_lines else 2): each for each, span in places if span}


def _read_table(path: Path, file: str) -> tuple[str, list[_Row]]:
    table = next(iter(read_sheets(path, file).values()))
    columns = [*table.columns]
    languages = [column for column in columns if column not in _COLUMNS]
    if len(languages) != 1 or not {"context", "source"} <= {*columns}:
        fault = "the columns must be 'context', 'source', that of the language, such as 'de', 'state', and 'made from'"
        raise CardgenError(Diagnostic(Code.BAD_TRANSLATION, fault, Place(file)))
    rows, problems = list[_Row](), table.problems
    for row in table.rows:
        cells = dict.fromkeys(columns, "")
        for column, cell in row.values.items():
            if isinstance(cell, LostValue):
                place = table.place((*row.path, column))
                problems.append(Diagnostic(Code.BAD_TRANSLATION, cell.message, place, cell.help))
            elif cell is not None:
                cells[column] = as_text(cell)
        is_stale = cells.get("state") == State.STALE
        message = Message(cells["context"], cells["source"], cells[languages[0]], is_stale, cells.get("made from", ""))
        rows.append(_Row(message, table.place((*row.path, "context"))))
    if problems:
        raise CardgenError(*problems)
    return languages[0], rows


class _Import:
    """The import of rows into the files of one language."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._problems: list[Diagnostic] = []
        self._changes: dict[Path, dict[str, dict[str, tuple[str, str | None]]]] = {}
        self._new = self._changed = self._empty = 0

    def run(self, rows: Iterable[_Row]) -> ImportResult:
        """Write the files with the translations of rows, all or none."""
        atomic_write.write_all(self.contents(rows))
        return ImportResult(tuple(self._changes), self._new, self._changed, self._empty)

    def contents(self, rows: Iterable[_Row]) -> dict[Path, bytes]:
        """Return the files with the translations of rows."""
        seen: dict[str, Place] = {}
        for row in rows:
            if row.message.context in seen:
                self._report(row, f"a second translation of '{row.message.context}'")
            seen[row.message.context] = row.place
            self._add(row)
            if len(self._problems) >= _MOST_PROBLEMS:
                break
        if self._problems:
            raise CardgenError(*self._problems)
        return {path: changed_file(self._catalog.project, path, each) for path, each in self._changes.items()}

    def without(self, unit: Unit) -> dict[Path, bytes]:
        """Return the file without the translation of a text."""
        path = self._companion(unit.text.entry.document.file)
        return {
            path: changed_file(self._catalog.project, path, {unit.text.entry.card.id: {unit.text.field: ("", None)}})
        }

    def _report(self, row: _Row, message: str, help_text: str = "") -> None:
        self._problems.append(Diagnostic(Code.BAD_TRANSLATION, message, row.place, help_text))

    def _add(self, row: _Row) -> None:
        message, unit = row.message, self._catalog.units.get(row.message.context)
        if unit is None:
            hint = did_you_mean(message.context, self._catalog.units)
            self._report(row, f"no text of a card is '{message.context}'{hint}", "export the texts again")
            return
        if not message.text:
            self._empty += 1
            return
        entry, field, old = unit.text.entry, unit.text.field, unit.text.translation
        source = as_markup(message.previous if message.is_fuzzy else message.source)
        message = message._replace(text=as_markup(message.text))
        if unprintable := find_unprintable(message.text) or find_unprintable(source):
            self._report(row, f"unprintable character {describe_character(unprintable[0])}", "remove it")
            return
        if fault := check_text(entry, field, message.text):
            self._report(row, fault)
            return
        if old and message.is_fuzzy and not message.previous and same_text(old.text, message.text):
            source = old.source or ""
        is_same_text = old is not None and same_text(old.text, message.text)
        if is_same_text and old and old.source is not None and same_text(old.source, source):
            return
        in_column = old is not None and self._companion(entry.document.file).name not in old.place().file
        if in_column and old and not is_same_text:
            self._report(
                row, f"this translation of '{message.context}' is in a table: {old.place()}", "change it there"
            )
            return
        self._new += old is None
        self._changed += old is not None and not is_same_text
        changes = self._changes.setdefault(self._companion(entry.document.file), {})
        changes.setdefault(entry.card.id, {})[field] = ("" if in_column else message.text, source)

    def _companion(self, file: str) -> Path:
        """Return the file of the translations of a card file."""
        path = self._catalog.files[file]
        known = Translator(self._catalog.project, self._catalog.language, [path], is_exact=True).paths
        return next(iter(known), path.with_name(f"{path.stem}.{self._catalog.language}.yaml"))


def accept(catalog: Catalog, contexts: Iterable[str] = ()) -> ImportResult:
    """Record the present sources of translations without one, or of some translations, also if these are stale.

    Raises CardgenError for a text that has no translation.
    """
    return _Import(catalog).run(_accepted(catalog, [*contexts]))


def translate(catalog: Catalog, context: str, text: str) -> Mapping[Path, bytes]:
    """Return the files that change with the translation of a text, which is recorded as made from the present source.

    An empty translation is removed. Raises CardgenError if the text cannot be that of its card.
    """
    unit = catalog.units.get(context)
    if unit and not text and unit.text.translation:
        return _Import(catalog).without(unit)
    source = unit.text.source if unit else ""
    return _Import(catalog).contents([_Row(Message(context, source, text), Place(context))])


def _accepted(catalog: Catalog, contexts: list[str]) -> Iterator[_Row]:
    for context in contexts or [each.context for each in catalog.units.values() if not each.is_recorded]:
        unit = catalog.units.get(context)
        if unit and unit.text.translation is None:
            message = f"'{context}' has no translation into {catalog.language}"
            raise CardgenError(Diagnostic(Code.BAD_TRANSLATION, message, Place("TEXT")))
        text = unit.text.translation.text if unit and unit.text.translation else ""
        yield _Row(Message(context, unit.text.source if unit else "", text), Place("TEXT"))
