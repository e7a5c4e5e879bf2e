"""The rows of a table, and the document of cards that they become."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place
from cardgen.source import Code as SourceCode
from cardgen.source import Comment, Document, KeyPath
from cardgen.source.positions import Node, describe_character, find_unprintable, replace_unprintable
from cardgen.tables.cells import MAX_COLUMNS, Cell, LostValue, Sheet

# Rows of a table with the places of their values.

_COMMENT = "#"


class Row(NamedTuple):
    """Values of a row by column, and its path.

    The path is sheet and row of a spreadsheet, or the path in a JSON file.
    """

    values: Mapping[str, Any]
    path: KeyPath


@dataclass(slots=True)
class Table:
    """Rows of a table, and the path to the header of each column.

    `data` are the data of a JSON file, or the values of all rows of a spreadsheet. `place` returns the place of a path,
    or of the key at it. `is_grid` is true for spreadsheets, whose values are cells.
    """

    rows: list[Row]
    columns: Mapping[str, KeyPath]
    place: Callable[..., Place]
    is_grid: bool = False
    data: Any = None
    problems: list[Diagnostic] = field(default_factory=list)


class _Header(NamedTuple):
    row: int
    columns: dict[str, int]


def grid_table(sheets: list[Sheet]) -> Table:
    """Return the rows of sheets, which begin with a row of column names.

    Empty rows and rows that begin with '#' are left out.
    """
    reader = _GridReader(sheets)
    rows = [row for number in range(len(sheets)) for row in reader.read(number)]
    return Table(rows, reader.columns, reader.place, is_grid=True, problems=reader.problems)


class _GridReader:
    """Reader of the header and the rows of each sheet."""

    def __init__(self, sheets: list[Sheet]) -> None:
        self._sheets = sheets
        self._headers: dict[int, _Header] = {}
        self.columns: dict[str, KeyPath] = {}
        self.problems: list[Diagnostic] = []

    def read(self, number: int) -> Iterator[Row]:
        """Yield the rows of a sheet."""
        sheet = self._sheets[number]
        filled = (index for index, row in enumerate(sheet.rows) if any(cell is not None for cell in row))
        first = next((index for index in filled if not _is_comment(_first_cell(sheet.rows[index]))), None)
        if first is None:
            return
        header = self._headers[number] = _Header(first, self._read_header(number, first))
        left = min(header.columns.values(), default=0)
        for index in filled:
            row = sheet.rows[index]
            if not _is_comment(row[left] if left < len(row) else None):
                yield Row(self._read_row(number, index, header.columns), (number, index))

    def _read_header(self, number: int, index: int) -> dict[str, int]:
        columns: dict[str, int] = {}
        row = self._sheets[number].rows[index]
        if len(row) > MAX_COLUMNS:
            message = f"the table has more than {MAX_COLUMNS} columns"
            raise CardgenError(Diagnostic(Code.TABLE_TOO_LARGE, message, self._cell_place(number, index, MAX_COLUMNS)))
        for column, cell in enumerate(row):
            if cell is None:
                continue
            name = cell.text if isinstance(cell, LostValue) else str(cell)
            if name in columns:
                self._report_duplicate(number, index, column, columns[name], name)
                continue
            columns[name] = column
            self.columns.setdefault(name, (number, index, name))
        return columns

    def _report_duplicate(self, number: int, row: int, column: int, first: int, name: str) -> None:
        related = ((self._cell_place(number, row, first), "first used here"),)
        place = self._cell_place(number, row, column)
        help_text = "give each column a different name"
        self.problems.append(
            Diagnostic(Code.BAD_TABLE, f"duplicate column '{name}'", place, help_text, related=related)
        )

    def _read_row(self, number: int, index: int, columns: Mapping[str, int]) -> dict[str, Cell]:
        row = self._sheets[number].rows[index]
        values: dict[str, Cell] = {}
        for name, column in columns.items():
            cell = row[column] if column < len(row) else None
            if isinstance(cell, str) and not cell.isprintable():
                cell = self._printable(cell, number, index, column)
            values[name] = cell
        if len(row) > len(columns):
            self._report_nameless(number, index, row, columns)
        return values

    def _report_nameless(self, number: int, index: int, row: list[Cell], columns: Mapping[str, int]) -> None:
        """Report cells beyond the named columns.

        Comments there are common, so text after '#' is left out.
        """
        named = set(columns.values())
        for column, cell in enumerate(row):
            if cell is not None and column not in named and not _is_comment(cell):
                place = self._cell_place(number, index, column)
                message = "the column of this cell has no name"
                help_text = "write a name at the top of the column, or clear the cell"
                self.problems.append(Diagnostic(Code.BAD_TABLE, message, place, help_text))
                return

    def _printable(self, cell: str, number: int, index: int, column: int) -> str:
        match = find_unprintable(cell)
        if match is None:
            return cell
        message = f"unprintable character {describe_character(match[0])}"
        place = self._cell_place(number, index, column)
        self.problems.append(Diagnostic(SourceCode.UNPRINTABLE, message, place, "remove it"))
        return replace_unprintable(cell)[0]

    def place(self, path: KeyPath, *, key: bool = False) -> Place:
        """Return the place of a row or its cell.

        The cell is in the column that comes next in the path.
        """
        number, index = int(path[0]), int(path[1])
        columns = self._headers[number].columns
        column = columns.get(str(path[2])) if len(path) > 2 else None
        return self._cell_place(number, index, min(columns.values(), default=0) if column is None else column)

    def _cell_place(self, number: int, row: int, column: int) -> Place:
        return self._sheets[number].place(row, column)


def _first_cell(row: list[Cell]) -> Cell:
    return next((cell for cell in row if cell is not None), None)


def _is_comment(cell: Cell) -> bool:
    return isinstance(cell, str) and cell.startswith(_COMMENT)


# Table as a document of cards; values have the places of cells.

# Place of the value at a path in the card of an index.
PlaceInCard: TypeAlias = Callable[[int, KeyPath], Place]


class Oddity(NamedTuple):
    """Cell that a spreadsheet has probably changed."""

    place: Place
    message: str
    help: str = ""


def _no_place(index: int, path: KeyPath) -> Place:
    raise LookupError(index, path)


@dataclass(frozen=True, slots=True)
class TableDocument(Document):
    """Document whose `data` have the cards of a table under 'cards'.

    `place_in_card` returns the place of a value in a card; `settings_place` is that of the kind in the settings.
    `oddities` are cells that were probably changed, and `incomplete` are the indices of cards that lack a value because
    its cell has none. `keys` are the keys of cards that have a column, or None for a file without columns.
    """

    place_in_card: PlaceInCard = _no_place
    settings_place: Place | None = None
    oddities: tuple[Oddity, ...] = ()
    incomplete: frozenset[int] = frozenset()
    keys: frozenset[str] | None = None

    @property
    def root(self) -> Node | None:
        """A node without children; None if the table cannot be read."""
        return None if self.data is None else Node((0, 0), (0, 0))

    @property
    def count(self) -> int:
        """The number of cards."""
        cards = self.data.get("cards") if isinstance(self.data, dict) else ()
        return len(cards) if isinstance(cards, list) else 0

    def release_data(self) -> None:
        """Keep the data, which cannot be composed again."""

    def place(self, key_path: KeyPath = (), *, key: bool = False) -> Place:
        """Return the place of the value at `key_path`.

        It is a cell, or a value in a JSON file.
        """
        match key_path:
            case ("cards", int(index), *path):
                return self.place_in_card(index, tuple(path))
            case ("kind" | "game", *_) if self.settings_place:
                return self.settings_place
        return Place(self.file)

    def place_of_substring(self, key_path: KeyPath, text: str, start: int, end: int) -> Place | None:
        """Return None: places are whole cells."""
        return None

    def comments(self) -> tuple[Comment, ...]:
        """Return nothing, because a table has no comments on cards."""
        return ()
