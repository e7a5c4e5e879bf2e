"""A table as a card file: its settings, its rows, its cards, and what spreadsheets changed in them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, did_you_mean
from cardgen.language import as_utf8
from cardgen.project.project import TableSettings
from cardgen.runtime.fingerprint import JSON_LINES_SUFFIXES, TABLE_SUFFIXES, WORKBOOK_SUFFIXES
from cardgen.runtime.regular_file import ALL_SAVED, UnsavedFiles
from cardgen.runtime.workspace import BudgetError, Workspace
from cardgen.source import Code as SourceCode
from cardgen.source import Data, Document, KeyPath
from cardgen.source.composer import LineIndex
from cardgen.source.document import read_content, read_text, sanitize
from cardgen.tables.card_map import MappingError, compile_formula, compile_map
from cardgen.tables.columns import (
    KIND,
    ColumnCards,
    ExpressionRows,
    KindModels,
    MapCards,
    SettingsPlaces,
    TextColumn,
    column_named,
    misplaced_header,
    read_translations,
    select_rows,
    take_translations,
    translate,
)
from cardgen.tables.csv_file import read_csv
from cardgen.tables.json_file import json_table, read_json
from cardgen.tables.table import (
    FILE_TOO_LARGE,
    MAX_FILE_SIZE,
    WRONG_ENCODING,
    Oddity,
    Row,
    Sheet,
    Table,
    TableDocument,
    grid_table,
)
from cardgen.tables.workbook import read_workbook
from cardgen.validation.base import Model
from cardgen.validation.validate import quote, unknown_kind_diagnostic, unknown_name_diagnostic

# Cells that a spreadsheet or a wrong encoding has probably changed.

_AS_TEXT = "format the column as text, and enter the value again"
_ZEROS = re.compile(r"0[0-9]+")
_DIGITS = re.compile(r"[0-9]+")
# Months in English, German, French, Spanish, and Italian, as spreadsheets shorten them.
_MONTH = (
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec|jän|mär|mrz|mai|okt|dez"
    r"|janv|févr|mars|avr|juin|juil|août|déc|ene|abr|ago|dic|gen|mag|giu|lug|set|ott)\.?"
)
_DATE = re.compile(rf"[0-9]{{1,2}}(?:[-. ]|\. ){_MONTH}|{_MONTH}[-. ][0-9]{{2}}", re.IGNORECASE)
_SCIENTIFIC = re.compile(r"[0-9](?:[.,][0-9]+)?E\+[0-9]{2,3}")
_MOST = 1_000


def find_oddities(table: Table, text_columns: frozenset[str]) -> Iterator[Oddity]:
    """Yield the cells of a table that were probably changed.

    `text_columns` are those whose cells should be text.
    """
    count = 0
    widths = _zero_widths(table, text_columns) if table.is_grid else {}
    text_columns -= {column for column in text_columns if _is_mixed(row.values.get(column) for row in table.rows)}
    for row in table.rows:
        for path, value in _scalars(row):
            words = _describe(value, text_columns, widths, path, is_grid=table.is_grid)
            if words:
                yield Oddity(table.place((*row.path, *path)), *words)
                count += 1
                if count == _MOST:
                    return


def _describe(
    value: Any, text_columns: frozenset[str], widths: dict[str, int], path: KeyPath, *, is_grid: bool
) -> tuple[str, str] | None:
    """Return what is odd about a value, and what to do."""
    if isinstance(value, str) and not value.isascii():
        words = _encoding_oddity(value)
        if words:
            return words
    if not is_grid:
        return None
    column = str(path[0])
    if isinstance(value, str):
        return _text_oddity(value, widths.get(column, 0))
    if column in text_columns and not isinstance(value, tuple):
        width = widths.get(column, 0)
        if isinstance(value, bool):
            return f"the cell contains the boolean {str(value).upper()}, not text", _AS_TEXT
        meant = str(value).zfill(max(width, len(str(value)) + 2))
        return f"the cell contains the number {value}, which may have been a text such as '{meant}'", _AS_TEXT
    return None


def _is_mixed(cells: Iterable[Any]) -> bool:
    """Return whether numbers of a column of words, such as '2' beside 'X', were never texts of digits."""
    texts = [cell for cell in cells if isinstance(cell, str)]
    return bool(texts) and not any(map(_DIGITS.fullmatch, texts))


def _encoding_oddity(text: str) -> tuple[str, str] | None:
    """Describe characters of UTF-8 that were read as Windows-1252, and those that were lost."""
    if "\ufffd" in text:
        return f"a character of {quote(text)} is lost", "save the file as UTF-8, and enter the text again"
    meant = as_utf8(text)
    return (f"{quote(text)} may have been {quote(meant)}", WRONG_ENCODING) if meant else None


def _text_oddity(text: str, width: int) -> tuple[str, str] | None:
    if _DATE.fullmatch(text):
        return f"'{text}' may be a value such as '3/4' or '1-2' that a spreadsheet has changed", _AS_TEXT
    if _SCIENTIFIC.fullmatch(text):
        return f"'{text}' is a number that a spreadsheet has rounded", _AS_TEXT
    if _DIGITS.fullmatch(text) and len(text) < width:
        return f"'{text}' may have lost its leading zeros: '{text.zfill(width)}'", _AS_TEXT
    return None


def _zero_widths(table: Table, columns: frozenset[str]) -> dict[str, int]:
    """Return the width of numbers with leading zeros, by column.

    A column counts if all of its texts have the same width.
    """
    widths: dict[str, set[int]] = {column: set() for column in columns}
    for row in table.rows:
        for column in columns:
            cell = row.values.get(column)
            if isinstance(cell, str) and _ZEROS.fullmatch(cell):
                widths[column].add(len(cell))
    return {column: lengths.pop() for column, lengths in widths.items() if len(lengths) == 1}


def _scalars(row: Row) -> Iterator[tuple[KeyPath, Any]]:
    """Yield the path and the value of each text and number in a row."""
    pending: list[tuple[KeyPath, Any]] = [((), row.values)]
    while pending:
        path, value = pending.pop()
        if isinstance(value, dict):
            pending += (((*path, key), below) for key, below in value.items())
        elif isinstance(value, list):
            pending += (((*path, index), below) for index, below in enumerate(value))
        elif value is not None:
            yield path, value


# Read a table file as a document of cards.

_MOST_COMPARED = 200
# Codes of the models, which are further up.


# The models of each kind of each game.
ModelsByGame: TypeAlias = Mapping[str, Mapping[str, type[Model]]]


def read_table(
    path: Path,
    file: str,
    settings: TableSettings | Mapping[str, TableSettings],
    places: SettingsPlaces,
    games: ModelsByGame,
    game: str,
    workspace: Workspace,
    languages: Collection[str] = (),
) -> TableDocument:
    """Read the table at `path`, whose settings can be those of each sheet of a workbook.

    Messages call it `file`. `game` is that of tables whose settings name none. Columns such as 'name.de' are
    translations into one of the `languages`.

    Never raises for problems of the file or of its settings: they are in the document's diagnostics.
    """
    try:
        _require_file(path, file, places)
        if isinstance(settings, TableSettings):
            return _read_sheets(path, file, settings, places, games, game, workspace, languages)
        return _read_workbook(path, file, settings, places, games, game, workspace, languages)
    except CardgenError as error:
        return TableDocument(file, None, error.diagnostics)


def _read_sheets(
    path: Path,
    file: str,
    settings: TableSettings,
    places: SettingsPlaces,
    games: ModelsByGame,
    game: str,
    workspace: Workspace,
    languages: Collection[str],
    sheet: Sheet | None = None,
) -> TableDocument:
    """Read a table, or one `sheet` of a workbook. Raises CardgenError if there are no cards."""
    kinds = games.get(settings.game or game)
    if kinds is None and settings.game is None:
        raise CardgenError  # The settings of the project name an unknown game, which is reported there.
    if kinds is None:
        place = places.place(("game",))
        raise CardgenError(unknown_name_diagnostic(Code.UNKNOWN_GAME, "game", str(settings.game), games, place))
    if settings.kind is not None and settings.kind not in kinds:
        raise CardgenError(unknown_kind_diagnostic(settings.kind, kinds, games, places.place(("kind",))))
    try:
        return _TableReader(path, file, settings, places, kinds, workspace, languages, sheet).read()
    except MappingError as error:
        raise CardgenError(places.diagnostic(error)) from None
    except BudgetError as error:
        raise CardgenError(Diagnostic(Code.BAD_TABLE_EXPRESSION, str(error), places.place())) from None


def read_sheets(path: Path, file: str, unsaved: UnsavedFiles = ALL_SAVED) -> dict[str, Table]:
    """Return the rows of the visible sheets of a spreadsheet by name, and those of CSV under ''.

    `file` is its name in messages. Raises CardgenError if it cannot be read.
    """
    if path.suffix.lower() in WORKBOOK_SUFFIXES:
        content = _or_raise(read_content(path, file, MAX_FILE_SIZE, FILE_TOO_LARGE, unsaved))
        return {name: grid_table([sheet]) for name, sheet in read_workbook(content, file, {}).items()}
    text = _or_raise(read_text(path, file, MAX_FILE_SIZE, FILE_TOO_LARGE, unsaved))
    return {"": grid_table([read_csv(text.removeprefix("\ufeff").replace("\r\n", "\n"), file)])}


def _read_workbook(
    path: Path,
    file: str,
    settings: Mapping[str, TableSettings],
    places: SettingsPlaces,
    games: ModelsByGame,
    game: str,
    workspace: Workspace,
    languages: Collection[str],
) -> TableDocument:
    """Read each sheet of a workbook as its settings say. Raises CardgenError for a file that has none."""
    tabs = {name: SettingsPlaces(places.document, (*places.path, name)) for name in settings}
    if path.suffix.lower() not in WORKBOOK_SUFFIXES:
        message = f"'{file}' has no sheets, so its settings cannot be those of sheets"
        raise CardgenError(Diagnostic(Code.BAD_SETTINGS, message, places.place(key=True), "write {kind: …} instead"))
    content = _or_raise(read_content(path, file, MAX_FILE_SIZE, FILE_TOO_LARGE, workspace.unsaved))
    sheets = read_workbook(content, file, {name: tab.place(key=True) for name, tab in tabs.items()})
    documents, problems = list[TableDocument](), list[Diagnostic]()
    for name, each in settings.items():
        try:
            if each.sheet is not None or (each.game or game) != (next(iter(settings.values())).game or game):
                key = "sheet" if each.sheet is not None else "game"
                message = f"the sheets of a workbook have no '{key}' of their own"
                problems.append(Diagnostic(Code.BAD_SETTINGS, message, tabs[name].place((key,), key=True), "remove it"))
            documents.append(
                _read_sheets(path, file, each, tabs[name], games, game, workspace, languages, sheets[name])
            )
        except CardgenError as error:
            problems += error.diagnostics
    return _joined(file, documents, problems)


def _joined(file: str, documents: Sequence[TableDocument], problems: Iterable[Diagnostic]) -> TableDocument:
    """Return the cards of several sheets as one document."""
    cards, owners = list[Data](), list[tuple[TableDocument, int]]()
    for document in documents:
        assert isinstance(document.data, dict), "a sheet that was read has cards"
        header = {key: value for key, value in document.data.items() if key == KIND}
        for index, card in enumerate(document.cards):
            cards.append({**header, **card})
            owners.append((document, index))
    games = {game: None for each in documents if isinstance(each.data, dict) and (game := each.data.get("game"))}
    diagnostics = sorted({*problems, *(each for document in documents for each in document.diagnostics)}, key=_order)
    return TableDocument(
        file,
        {**({"game": next(iter(games))} if games else {}), "cards": cards},
        tuple(diagnostics),
        place_in_card=lambda index, path: owners[index][0].place_in_card(owners[index][1], path),
        oddities=tuple(each for document in documents for each in document.oddities),
        keys_of=lambda index: owners[index][0].keys_of(owners[index][1]),
        translations=lambda index: owners[index][0].translations(owners[index][1]),
        incomplete=frozenset(number for number, (document, index) in enumerate(owners) if index in document.incomplete),
    )


_order = Diagnostic.sort_key


def _require_file(path: Path, file: str, places: SettingsPlaces) -> None:
    """Raise CardgenError, at its name in the settings, for a table that does not exist."""
    if places.document is None or path.exists():
        return
    others = [other.name for other in path.parent.glob("*") if other.suffix.lower() in TABLE_SUFFIXES][:_MOST_COMPARED]
    message = f"file '{file}' not found{did_you_mean(path.name, others)}"
    advice = "correct the name, or add the file"
    raise CardgenError(Diagnostic(SourceCode.UNREADABLE, message, places.place(key=True), advice))


class _TableReader:
    """Reader of one table, in steps: file, rows, cards."""

    def __init__(
        self,
        path: Path,
        file: str,
        settings: TableSettings,
        places: SettingsPlaces,
        kinds: Mapping[str, type[Model]],
        workspace: Workspace,
        languages: Collection[str],
        sheet: Sheet | None = None,
    ) -> None:
        self._sheet, self._languages = sheet, languages
        self._path, self._file, self._settings, self._places = path, file, settings, places
        self._budget, self._unsaved = workspace.budget, workspace.unsaved
        self._kinds = KindModels(kinds, settings.kind)
        self._source_problems: list[Diagnostic] = []

    def read(self) -> TableDocument:
        settings = self._settings
        table = self._read_rows()
        if table.is_grid and not table.columns:
            help_text = "write the names of the keys in the first row"
            raise CardgenError(Diagnostic(Code.BAD_TABLE, "the table is empty", Place(self._file), help_text))
        if (
            table.is_grid
            and not settings.map
            and (problem := misplaced_header(table, settings.columns, self._kinds.all))
        ):
            raise CardgenError(problem)
        table.problems += self._unknown_columns(table)
        translate(table, settings.values)
        needs_expressions = bool(settings.rows or settings.map or settings.id)
        rows = ExpressionRows(table) if needs_expressions else None
        if settings.rows and rows:
            select_rows(table, compile_formula(settings.rows, ("rows",), self._budget), rows, self._places)
        translated = take_translations(table, self._languages, settings.columns)
        cards: ColumnCards | MapCards
        if settings.map and rows:
            cards = MapCards(table, compile_map(settings.map, ("map",), self._budget), rows, self._kinds, self._places)
        else:
            ids = compile_formula(settings.id, ("id",), self._budget) if settings.id else None
            cards = ColumnCards(table, settings.columns, self._kinds, self._places, ids, rows)
        if not (settings.kind or KIND in cards.card_keys or not table.rows):
            help_text = f"add a column '{KIND}', or list the file under 'tables' in cardgen.yaml"
            raise CardgenError(Diagnostic(Code.MISSING_KEY, "the rows have no kind", Place(self._file), help_text))
        return self._document(table, cards, translated)

    def _document(self, table: Table, cards: ColumnCards | MapCards, translated: Iterable[TextColumn]) -> TableDocument:
        all_cards = list(cards.read())
        translations = [read_translations(table, card.row, cards, translated) for card in all_cards]
        header = {key: value for key, value in (("kind", self._settings.kind), ("game", self._settings.game)) if value}
        diagnostics = sorted({*self._source_problems, *table.problems}, key=_order)
        keys = cards.card_keys if table.is_grid and isinstance(cards, ColumnCards) else None
        return TableDocument(
            self._file,
            {**header, "cards": [card.data for card in all_cards]},
            tuple(diagnostics),
            place_in_card=lambda index, path: cards.place(all_cards[index], path),
            settings_place=self._places.place(("kind",)) if self._settings.kind else None,
            oddities=tuple(find_oddities(table, cards.text_columns())),
            keys_of=lambda index: keys,
            translations=translations.__getitem__,
            incomplete=frozenset(index for index, card in enumerate(all_cards) if not card.is_complete),
        )

    def _read_rows(self) -> Table:
        """Return the rows of the file.

        Raises CardgenError if it cannot be read.
        """
        suffix = self._path.suffix.lower()
        settings = self._settings
        if self._sheet is not None:
            return grid_table([self._sheet])
        if suffix in WORKBOOK_SUFFIXES:
            content = _or_raise(read_content(self._path, self._file, MAX_FILE_SIZE, FILE_TOO_LARGE, self._unsaved))
            wanted = {settings.sheet: self._places.place(("sheet",))} if settings.sheet is not None else {}
            return grid_table([*read_workbook(content, self._file, wanted).values()])
        text = self._sanitize(
            _or_raise(read_text(self._path, self._file, MAX_FILE_SIZE, FILE_TOO_LARGE, self._unsaved))
        )
        if suffix in (".csv", ".tsv"):
            return grid_table([read_csv(text, self._file)])
        json_file = read_json(text, self._file, lines=suffix in JSON_LINES_SUFFIXES)
        each = compile_formula(settings.each, ("each",), self._budget) if settings.each else None
        return json_table(json_file, each, needs_maps=not settings.map)

    def _sanitize(self, text: str) -> str:
        text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
        text, problems = sanitize(text)
        self._source_problems = [problem.to_diagnostic(LineIndex(self._file, text)) for problem in problems]
        return text

    def _unknown_columns(self, table: Table) -> Iterator[Diagnostic]:
        """Yield a diagnostic for each name in the settings that no column has."""
        for setting, names in (("columns", self._settings.columns), ("values", self._settings.values)):
            for name in names:
                if column_named(name, table.columns) is None:
                    message = f"{self._file} has no column '{name}'{did_you_mean(name, table.columns)}"
                    yield Diagnostic(Code.BAD_TABLE, message, self._places.place((setting, name), key=True))


def _or_raise(content: Any) -> Any:
    """Return the content of a file.

    Raises CardgenError with the problems of one that cannot be read.
    """
    if isinstance(content, Document):
        raise CardgenError(*content.diagnostics)
    return content
