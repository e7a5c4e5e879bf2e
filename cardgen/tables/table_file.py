"""Read a table file as a document of cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.project.table_settings import TableSettings
from cardgen.runtime.fingerprint import JSON_LINES_SUFFIXES, TABLE_SUFFIXES, WORKBOOK_SUFFIXES
from cardgen.sandbox.budget import BudgetError, shared_budget
from cardgen.source import Code as SourceCode
from cardgen.source import Document
from cardgen.source.characters import LineIndex
from cardgen.source.document import read_content, read_text, sanitize
from cardgen.tables.card_map import MappingError, compile_formula, compile_map
from cardgen.tables.codes import FILE_TOO_LARGE, MAX_FILE_SIZE, Code
from cardgen.tables.columns import KIND
from cardgen.tables.csv_file import read_csv
from cardgen.tables.json_file import read_json
from cardgen.tables.json_table import json_table
from cardgen.tables.mangled_cells import find_oddities
from cardgen.tables.table import Table, grid_table
from cardgen.tables.table_cards import (
    ColumnCards,
    ExpressionRows,
    KindModels,
    MapCards,
    SettingsPlaces,
    select_rows,
)
from cardgen.tables.table_document import TableDocument
from cardgen.tables.workbook import read_workbook
from cardgen.validation.base import Model
from cardgen.validation.codes import Code as ShapeCode
from cardgen.validation.suggestion import did_you_mean

_MOST_COMPARED = 200
# Codes of the models, which are further up.
_UNKNOWN_GAME, _UNKNOWN_KIND = "CG111", "CG112"


# The models of each kind of each game.
ModelsByGame: TypeAlias = Mapping[str, Mapping[str, type[Model]]]


def read_table(
    path: Path, file: str, settings: TableSettings, places: SettingsPlaces, games: ModelsByGame, game: str
) -> TableDocument:
    """Read the table at `path`.

    Messages call it `file`. `game` is that of tables whose settings name none.

    Never raises for problems of the file or of its settings: they are in the document's diagnostics.
    """
    try:
        _require_file(path, file, places)
        with shared_budget():
            kinds = _require_kinds(settings, places, games, game)
            return _TableReader(path, file, settings, places, kinds).read()
    except CardgenError as error:
        return TableDocument(file, None, error.diagnostics)
    except MappingError as error:
        return TableDocument(file, None, (places.diagnostic(error),))
    except BudgetError as error:
        return TableDocument(file, None, (Diagnostic(Code.BAD_EXPRESSION, str(error), places.place()),))


def _require_file(path: Path, file: str, places: SettingsPlaces) -> None:
    """Raise CardgenError, at its name in the settings, for a table that does not exist."""
    if places.document is None or path.exists():
        return
    others = [other.name for other in path.parent.glob("*") if other.suffix.lower() in TABLE_SUFFIXES][:_MOST_COMPARED]
    message = f"file '{file}' not found{did_you_mean(path.name, others)}"
    advice = "correct the name, or add the file"
    raise CardgenError(Diagnostic(SourceCode.UNREADABLE, message, places.place(key=True), advice))


def _require_kinds(
    settings: TableSettings, places: SettingsPlaces, games: ModelsByGame, game: str
) -> Mapping[str, type[Model]]:
    """Return the models of the kinds of a table's game.

    Raises CardgenError for an unknown game or kind.
    """
    kinds = games.get(settings.game or game)
    if kinds is None and settings.game is None:
        raise CardgenError  # The settings of the project name an unknown game, which is reported there.
    if kinds is None:
        raise _unknown(_UNKNOWN_GAME, "game", str(settings.game), games, places.place(("game",)))
    if settings.kind is not None and settings.kind not in kinds:
        raise _unknown(_UNKNOWN_KIND, "kind", settings.kind, kinds, places.place(("kind",)))
    return kinds


def _unknown(code: str, what: str, name: str, known: Iterable[str], place: Place) -> CardgenError:
    names = tuple(known)
    message = f"unknown {what} '{name}'{did_you_mean(name, names)}"
    return CardgenError(Diagnostic(code, message, place, f"available: {', '.join(names)}"))


class _TableReader:
    """Reader of one table, in steps: file, rows, cards."""

    def __init__(
        self, path: Path, file: str, settings: TableSettings, places: SettingsPlaces, kinds: Mapping[str, type[Model]]
    ) -> None:
        self._path, self._file, self._settings, self._places = path, file, settings, places
        self._kinds = KindModels(kinds, settings.kind)
        self._source_problems: list[Diagnostic] = []

    def read(self) -> TableDocument:
        settings = self._settings
        table = self._read_rows()
        if table.is_grid and not table.columns:
            help_text = "write the names of the keys in the first row"
            raise CardgenError(Diagnostic(Code.BAD_TABLE, "the table is empty", Place(self._file), help_text))
        table.problems += self._unknown_columns(table)
        needs_expressions = bool(settings.rows or settings.map)
        rows = ExpressionRows(table) if needs_expressions else None
        if settings.rows and rows:
            select_rows(table, compile_formula(settings.rows, ("rows",)), rows, self._places)
        self._require_kind(table)
        cards: ColumnCards | MapCards
        if settings.map and rows:
            cards = MapCards(table, compile_map(settings.map, ("map",)), rows, self._kinds, self._places)
        else:
            cards = ColumnCards(table, settings.columns, self._kinds, self._places)
        return self._document(table, cards)

    def _document(self, table: Table, cards: ColumnCards | MapCards) -> TableDocument:
        all_cards = list(cards.read())
        header = {key: value for key, value in (("kind", self._settings.kind), ("game", self._settings.game)) if value}
        diagnostics = sorted({*self._source_problems, *table.problems}, key=Diagnostic.sort_key)
        return TableDocument(
            self._file,
            {**header, "cards": [card.data for card in all_cards]},
            tuple(diagnostics),
            place_in_card=lambda index, path: cards.place(all_cards[index], path),
            settings_place=self._places.place(("kind",)) if self._settings.kind else None,
            oddities=tuple(find_oddities(table, cards.text_columns())),
            incomplete=frozenset(index for index, card in enumerate(all_cards) if not card.is_complete),
        )

    def _read_rows(self) -> Table:
        """Return the rows of the file.

        Raises CardgenError if it cannot be read.
        """
        suffix = self._path.suffix.lower()
        settings = self._settings
        if suffix in WORKBOOK_SUFFIXES:
            content = _or_raise(read_content(self._path, self._file, MAX_FILE_SIZE, FILE_TOO_LARGE))
            setting = self._places.place(("sheet",))
            return grid_table(read_workbook(content, self._file, settings.sheet, setting))
        text = self._sanitize(_or_raise(read_text(self._path, self._file, MAX_FILE_SIZE, FILE_TOO_LARGE)))
        if suffix in (".csv", ".tsv"):
            return grid_table([read_csv(text, self._file)])
        json_file = read_json(text, self._file, lines=suffix in JSON_LINES_SUFFIXES)
        each = compile_formula(settings.each, ("each",)) if settings.each else None
        return json_table(json_file, each, needs_maps=not settings.map)

    def _require_kind(self, table: Table) -> None:
        """Raise CardgenError if neither the settings nor any row names a kind."""
        if not (self._settings.kind or KIND in self._settings.map or KIND in table.columns or not table.rows) and (
            KIND not in self._settings.columns.values()
        ):
            help_text = f"add a column '{KIND}', or name the file under 'tables' in cardgen.yaml"
            raise CardgenError(Diagnostic(ShapeCode.MISSING_KEY, "the rows have no kind", Place(self._file), help_text))

    def _sanitize(self, text: str) -> str:
        text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
        text, problems = sanitize(text)
        self._source_problems = [problem.to_diagnostic(LineIndex(self._file, text)) for problem in problems]
        return text

    def _unknown_columns(self, table: Table) -> Iterator[Diagnostic]:
        """Yield a diagnostic for each name in the settings that no column has."""
        for name in self._settings.columns:
            if name not in table.columns:
                message = f"{self._file} has no column '{name}'{did_you_mean(name, table.columns)}"
                yield Diagnostic(Code.BAD_TABLE, message, self._places.place(("columns", name), key=True))


def _or_raise(content: Any) -> Any:
    """Return the content of a file.

    Raises CardgenError with the problems of one that cannot be read.
    """
    if isinstance(content, Document):
        raise CardgenError(*content.diagnostics)
    return content
