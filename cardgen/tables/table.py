"""The rows and cells of a table, their values for the keys of cards, and the document of cards that they become."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from enum import Enum
from functools import cache, lru_cache, partial
from itertools import count
from typing import Any, Literal, NamedTuple, TypeAlias, get_args, get_origin

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, Span, join_words
from cardgen.language import as_flag, folded
from cardgen.source import Code as SourceCode
from cardgen.source import Comment, Data, Document, KeyPath, parse_document
from cardgen.source.composer import (
    MAX_NUMBER,
    Node,
    describe_character,
    find_unprintable,
    replace_unprintable,
    resolve_plain,
)
from cardgen.units import quantity
from cardgen.validation.base import Model, ModelClasses, annotation_parts, child_models, model_keys
from cardgen.validation.validate import quote

MIB = 2**20
MAX_FILE_SIZE = 16 * MIB
MAX_UNPACKED: int = 64 * MIB
MAX_CELLS = 1_000_000
MAX_CELL_LENGTH = 100_000
MAX_TEXT = 100_000_000
MAX_COLUMNS = 500
FILE_TOO_LARGE = f"the file is larger than {MAX_FILE_SIZE // MIB} MiB"
TOO_MANY_CELLS = f"the table has more than {MAX_CELLS:,} cells"


# Conversion of the cells of a key: text, list, or YAML.

_LISTS = (list, tuple, set, frozenset, Sequence)
_MAPS = (dict, Mapping)


class FieldShape(NamedTuple):
    """Shape of a key's values: list or single; text, true or false, or other.

    `choices` are the words that a text can be, if there are only some.
    """

    is_list: bool = False
    is_text: bool = False
    is_flag: bool = False
    choices: tuple[str, ...] = ()


@lru_cache(maxsize=256)
def shape_at(models: ModelClasses, path: tuple[str, ...]) -> FieldShape:
    """Return the shape of the values at a path in one of the models."""
    *parents, key = path
    for step in parents:
        below = child_models(models, step)
        models = below if below != models else ()
    annotations = [annotation for model in models for annotation in _annotations(model, key)]
    shapes = {_shape_of(annotation) for annotation in annotations}
    return shapes.pop() if len(shapes) == 1 else FieldShape()


def _annotations(model: type[Model], key: str) -> Iterator[Any]:
    """Yield the annotation of a key, in any of its spellings."""
    names = model_keys(model)
    for attribute, info in model.model_fields.items():
        if key in names and names[key] is names[attribute]:
            yield info.annotation


def _shape_of(annotation: Any) -> FieldShape:
    types_in: list[Any] = []
    for part in annotation_parts(annotation):
        origin = get_origin(part)
        if origin in (*_LISTS, *_MAPS):
            types_in.append(origin)
        elif origin is Literal:
            types_in += map(type, get_args(part))
        elif isinstance(part, type):
            types_in.append(part)
    parts = [*types_in]
    is_list = any(part in _LISTS for part in parts)
    others = [part for part in parts if part not in _LISTS and part is not type(None)]
    is_flag = bool(others) and all(part is bool for part in others)
    is_text = bool(others) and all(map(_is_text, others))
    return FieldShape(is_list, is_text, is_flag, tuple(_choices_in(annotation)) if is_text else ())


def _choices_in(annotation: Any) -> Iterator[str]:
    """Yield the constants of a text."""
    for part in annotation_parts(annotation):
        if get_origin(part) is Literal:
            yield from (each for each in get_args(part) if isinstance(each, str))
        elif isinstance(part, type) and issubclass(part, Enum):
            yield from (str(each.value) for each in part)


def _is_text(part: type[Any]) -> bool:
    return issubclass(part, str) or (issubclass(part, Enum) and all(isinstance(each.value, str) for each in part))


# A sheet of cells, as every spreadsheet format gives it.


class LostValue(NamedTuple):
    """A cell whose value the spreadsheet has replaced, and by what.

    `text` is what the cell shows, and `message` and `help` are those of the diagnostic.
    """

    text: str
    message: str
    help: str = ""


# None is an empty cell.
Cell: TypeAlias = str | int | float | bool | LostValue | None
RawCell: TypeAlias = str | int | float | bool | datetime | date | time | timedelta | None

_ERROR = re.compile(r"#(?:REF!|N/A|VALUE!|NAME\?|DIV/0!|NULL!|NUM!|SPILL!|CALC!)|Err:5\d\d")
_AS_TEXT = "format the column as text, and enter the value again"


def normalize(value: RawCell) -> Cell:
    """Return a cell as a program gives it, with whole numbers as such."""
    if isinstance(value, str):
        text = value.strip()
        if "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        return error_value(text) if _ERROR.fullmatch(text) else text or None
    if isinstance(value, float):
        return int(value) if value.is_integer() else value
    if value is None or isinstance(value, int):
        return value
    if isinstance(value, time | timedelta):
        return LostValue(str(value), f"the cell contains the time {value}", f"if it is not a time, {_AS_TEXT}")
    day = value.date() if isinstance(value, datetime) else value
    meant = f"'{day.day}/{day.month}' or '{day.month}-{day.day}'"
    return LostValue(str(day), f"the cell contains the date {day}, which may have been {meant}", _AS_TEXT)


def error_value(text: str) -> LostValue:
    """Return a cell with an error such as '#REF!'."""
    return LostValue(text, f"the cell contains {text}", "correct the formula, or enter a value")


def uncomputed_value() -> LostValue:
    """Return a cell with a formula that no program has computed."""
    message = "the cell contains a formula without a result"
    return LostValue("", message, "open the file in a spreadsheet program, and save it again")


def column_letters(index: int) -> str:
    """Return the letters of a column, counted from 0.

    They are 'A' to 'Z', 'AA', and so on.
    """
    letters = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


PlaceOfCell: TypeAlias = Callable[[int, int], Place]


# What separates the cells of CSV, in words.
SEPARATORS: Mapping[str, str] = {",": "commas", ";": "semicolons", "\t": "tabs"}


class Sheet(NamedTuple):
    """The cells of a sheet by row and column, from 0.

    Rows may be of different lengths.

    `place` returns the place of a cell. `separator` is what separates the cells of CSV, and empty in other formats.
    """

    rows: list[list[Cell]]
    place: PlaceOfCell
    separator: str = ""


def cell_place(file: str, sheet: str, row: int, column: int) -> Place:
    """Return the place of a cell of a workbook, such as 'braves.xlsx!Sheet1:C5'."""
    span = Span(row + 1, column + 1, row + 1, column + 2)
    return Place(file, span, "", f"{sheet}:{column_letters(column)}{row + 1}")


# Conversion of cells to values of keys.
# Text is kept, lists are split, and everything else is YAML.

# Text in which YAML may see more than a plain scalar.
_NOT_PLAIN = re.compile(r"[\n{}\[\]:#&*!|>'\"%@`,?]|^-(?:\s|$)|^(?:---|\.\.\.)")
_DECIMAL = re.compile(r"[-+]?[0-9]+")
# Leading zeros make a text: '007' is not a number.
_PLAIN_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,15})?")
# A comma before three digits may also be one between thousands.
_DECIMAL_COMMA = re.compile(r"[-+]?(?:0,[0-9]{1,15}|[0-9]{1,15},(?:[0-9]{1,2}|[0-9]{4,15}))")
_ANY_COMMA = re.compile(r"[-+]?[0-9]+,[0-9]+")
_SPACED_NUMBER = re.compile(r"[-+]?[0-9]{1,3}(?:[ \u00a0\u202f'’,][0-9]{3})+|['’`][0-9]+|[0-9]+[\u00a0\u202f]")
_NOT_NUMERIC = re.compile(r"[^0-9+-]")
# The gap between paragraphs, or else the end of a line.
_LINE_END = re.compile(r"(\n[ \t]*+\n\s*+)|(?:(?<![ \t])[ \t]++)?+\n[ \t]*+")
# As `cardgen.text.lines` reads it.
LINE_BREAK = "\u2028"
# The same in the text of a card file.
WRITTEN_BREAK = "\\\n"
_BLOCK_LIST = re.compile(r"\[|- ")
_SEPARATORS = re.compile(r"[;\n]")
_WORD = re.compile(r"\w")
_BRACKETS = re.compile(r"[\[\]{};\n]")


class CellError(ValueError):
    """A cell that has no value for its key, with the help of its diagnostic."""

    def __init__(self, message: str, help_text: str = "", code: str = "") -> None:
        super().__init__(message)
        self.message, self.help, self.code = message, help_text, code


def convert_cell(cell: Cell, shape: FieldShape) -> Data:
    """Return the value of a key of that shape.

    Return None for an empty cell. Raises CellError for a cell without a value.
    """
    if isinstance(cell, LostValue):
        raise CellError(cell.message, cell.help)
    if cell is None:
        return None
    if shape.is_list:
        return _convert_list(cell, shape)
    if shape.is_text:
        return as_choice(keep_line_breaks(as_text(cell)), shape.choices)
    return _convert_flag(cell) if shape.is_flag else _convert_other(cell)


def as_choice(text: str, choices: Iterable[str]) -> str:
    """Return the choice that a text means, or the text."""
    known = tuple(choices)
    return text if text in known else next((word for word in known if folded(word) == folded(text)), text)


def keep_line_breaks(text: str) -> str:
    """Return markup in which the lines of a text end where they do, unlike those of YAML, which are filled."""
    return _LINE_END.sub(lambda end: end[1] or LINE_BREAK, text) if "\n" in text else text


def as_cell_text(text: str) -> str:
    """Return the text of a cell that is read as this markup, with the lines that it has on a card."""
    return _LINE_END.sub(lambda end: end[1] or " ", text.strip()).replace(LINE_BREAK, "\n")


def written_value(value: Any) -> Any:
    """Return a value of a cell as a text has it: a line that ends in the cell ends with a backslash."""
    if isinstance(value, dict):
        return {key: written_value(each) for key, each in value.items()}
    if isinstance(value, list):
        return [*map(written_value, value)]
    return value.replace(LINE_BREAK, WRITTEN_BREAK) if isinstance(value, str) else value


def with_line_breaks(text: str) -> str:
    """Return the text of a card file as cells have it."""
    return text.replace(WRITTEN_BREAK, LINE_BREAK)


def as_text(cell: str | int | float | bool) -> str:
    """Return the text of a cell."""
    if isinstance(cell, bool):
        return str(cell).lower()
    return cell if isinstance(cell, str) else f"{cell:.15g}"


def expression_value(cell: Cell) -> str | int | float | bool | None:
    """Return the value of a cell in expressions.

    Numbers and booleans have their types, even if the format has only text.
    """
    if isinstance(cell, LostValue):
        return cell.text
    if isinstance(cell, str):
        if cell.lower() in ("true", "false"):
            return cell.lower() == "true"
        if cell[0] in "-0123456789" and _PLAIN_NUMBER.fullmatch(cell):
            return float(cell) if "." in cell else int(cell)
    return cell


def _convert_list(cell: str | int | float | bool, shape: FieldShape) -> Data:
    if not isinstance(cell, str):
        return [as_text(cell) if shape.is_text else cell]
    if _BLOCK_LIST.match(cell):
        return _parse_yaml(cell)
    items = split_list(cell)
    convert = _convert_flag if shape.is_flag else _convert_other
    return [as_choice(item, shape.choices) if shape.is_text else convert(item) for item in items]


def split_list(text: str) -> list[str]:
    """Split a text at semicolons and line breaks outside of brackets."""
    if "{" not in text and "[" not in text:
        parts = _SEPARATORS.split(text)
    else:
        parts, start, depth = [], 0, 0
        for match in _BRACKETS.finditer(text):
            depth += (match[0] in "[{") - (match[0] in "]}")
            if match[0] in ";\n" and depth <= 0:
                parts.append(text[start : match.start()])
                start = match.end()
        parts.append(text[start:])
    return [part.strip() for part in parts if part.strip()]


def _convert_flag(cell: str | int | float | bool) -> Data:
    """Return true or false.

    Raises CellError for a text that is neither; other values are left to the model.
    """
    if not isinstance(cell, str):
        return bool(cell) if cell in (0, 1) else cell
    value = as_flag(cell)
    if value is None:
        help_text = "for words of your own, add 'values' to the table in cardgen.yaml, such as {Elite: {ja: true}}"
        raise CellError(f"must be TRUE or FALSE, not {quote(cell)}", help_text)
    return value


def _convert_other(cell: str | int | float | bool) -> Data:
    if not isinstance(cell, str):
        if not isinstance(cell, bool) and abs(cell) > MAX_NUMBER:
            raise CellError(f"number {cell:g} is out of range")
        return cell
    if _DECIMAL.fullmatch(cell) and len(cell) < 16:
        return int(cell)
    if cell in ("TRUE", "FALSE"):
        return cell == "TRUE"
    if _DECIMAL_COMMA.fullmatch(cell):
        return float(cell.replace(",", "."))
    advice = _number_advice(cell)
    if advice:
        raise CellError(f"must be a number, not the text {quote(cell)}", advice)
    if _NOT_PLAIN.search(cell):
        return _parse_yaml(cell)
    scalar = resolve_plain(cell)
    return scalar.value if scalar.is_valid else _parse_yaml(cell)


def _parse_yaml(text: str) -> Data:
    """Return the data of a cell in YAML.

    Raises CellError with the first problem.
    """
    document = parse_document(text, "")
    if document.diagnostics and not _WORD.search(text) and text[0] not in "[{":
        return text  # Such as a question mark: the model says what it should be.
    if document.diagnostics:
        first = document.diagnostics[0]
        raise CellError(f"the cell is not valid YAML: {first.message}", first.help, first.code)
    return document.data


def _number_advice(text: str) -> str:
    """Return what to write instead of a text that looks like a number, or ''."""
    if _ANY_COMMA.fullmatch(text):
        return f"write {text.replace(',', '.')}, with a decimal point, or {text.replace(',', '')}, without separators"
    if _SPACED_NUMBER.fullmatch(text):
        return f"write {_NOT_NUMERIC.sub('', text)}, without separators and quotation marks"
    return ""


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


def _below_title(rows: Sequence[Sequence[Cell]], first: int) -> int:
    """Return the row of the names: the first one, or the next one if that is a title alone in its row."""
    following = next(
        (index for index in range(first + 1, len(rows)) if any(cell is not None for cell in rows[index])), 0
    )
    is_title = len(rows[first]) - rows[first].count(None) == 1 and following
    return following if is_title and sum(isinstance(cell, str) for cell in rows[following]) > _MOST_IN_TITLE else first


# A row below a single name has more names than this if the name is a title.
_MOST_IN_TITLE = 2
# Rows, with that of the names, that show which columns are always filled.
_ROWS_TO_COMPARE = 3
# Columns to name as the one that a row lacks.
_MOST_GUESSES = 3


class _GridReader:
    """Reader of the header and the rows of each sheet."""

    def __init__(self, sheets: list[Sheet]) -> None:
        self._sheets = sheets
        self._headers: dict[int, _Header] = {}
        self.columns: dict[str, KeyPath] = {}
        self.problems: list[Diagnostic] = []
        self._duplicates: set[tuple[int, int]] = set()
        # Many rows are compared with all others.
        self._columns_of, self._filled = cache(self._find_columns), cache(self._find_filled)

    def read(self, number: int) -> Iterator[Row]:
        """Yield the rows of a sheet."""
        sheet = self._sheets[number]
        filled = (index for index, row in enumerate(sheet.rows) if any(cell is not None for cell in row))
        first = next((index for index in filled if not _is_comment(_first_cell(sheet.rows[index]))), None)
        if first is None:
            return
        if (below := _below_title(sheet.rows, first)) != first:
            first = next(index for index in filled if index == below)
        header = self._headers[number] = _Header(first, self._read_header(number, first))
        left = min(header.columns.values(), default=0)
        for index in filled:
            row = sheet.rows[index]
            if _is_comment(row[left] if left < len(row) else None):
                continue
            if not (sheet.separator and self._report_separated(number, index, header)):
                yield Row(self._read_row(number, index, header.columns), (number, index))

    def _report_separated(self, number: int, index: int, header: _Header) -> bool:
        """Report a row with separators of another kind, or with too many, and return whether it is one."""
        sheet = self._sheets[number]
        row, separator, place = sheet.rows[index], sheet.separator, partial(self._cell_place, number, index)
        file, width = SEPARATORS.get(separator, f"'{separator}'"), len(sheet.rows[header.row])
        if len(header.columns) > 1 and isinstance(row[0], str) and row.count(None) == len(row) - 1:
            other = max(SEPARATORS.keys() - {separator}, key=row[0].count)
            if row[0].count(other) > 1:
                here = SEPARATORS[other]
                message = f"this row uses {here} as its separator, but the file uses {file}"
                self.problems.append(Diagnostic(Code.BAD_TABLE, message, place(0), f"replace the {here} with {file}"))
                return True
        if len(row) == width - 1 and (missing := self._missing_cells(number, index, header)):
            message = f"this row has {quantity(len(row), 'cell')}, the table {quantity(width, 'column')}"
            names = join_words([f"'{name}'" for name in missing])
            help_text = f"insert the missing one: {names}"
            at = header.columns[missing[-1]]
            self.problems.append(Diagnostic(Code.BAD_TABLE, message, place(at), help_text))
            return True
        if len(row) <= width:
            return False
        message = f"this row has {quantity(len(row), 'cell')}, the table {quantity(width, 'column')}"
        spaced = [column for column in range(1, len(row)) if _begins_with_space(place(column))]
        if len(spaced) != len(row) - width:  # Cells at the end that are only empty do no harm.
            column = self._needless_cell(number, index, header)
            if column is None:
                return False
            help_text = f"remove the empty cell here, with one of the {file} around it"
            self.problems.append(Diagnostic(Code.BAD_TABLE, message, place(column), help_text))
            return True
        last = next(column for column in count(spaced[0]) if column + 1 not in spaced)
        text = f"{separator} ".join(str(cell) for cell in row[spaced[0] - 1 : last + 1])
        help_text = f"""put the text that contains {file} in quotes: "{text}\""""
        self.problems.append(Diagnostic(Code.BAD_TABLE, message, place(spaced[0]), help_text))
        return True

    def _missing_cells(self, number: int, index: int, header: _Header) -> Sequence[str]:
        """Return the columns one of which a row lacks: with it, but not without, its cells are like those of others."""
        row = self._sheets[number].rows[index]
        columns = self._columns_of(number, header.row, len(row) + 1)
        if all(column.takes(cell) for column, cell in zip(columns, row, strict=False)):
            return ()
        fitting = [
            name
            for name, at in header.columns.items()
            if all(map(_Column.takes, columns[:at], row)) and all(map(_Column.takes, columns[at + 1 :], row[at:]))
        ]
        return fitting if len(fitting) <= _MOST_GUESSES else ()

    def _find_columns(self, number: int, first: int, width: int) -> Sequence[_Column]:
        """Return the columns of the rows with this many cells; none if these are too few to compare."""
        rows = [row for row in self._sheets[number].rows[first + 1 :] if len(row) == width and not _is_comment(row[0])]
        return [_Column.of(cells) for cells in zip(*rows, strict=True)] if len(rows) >= _ROWS_TO_COMPARE else ()

    def _find_filled(self, number: int, first: int) -> Sequence[tuple[int, list[Cell]]]:
        """Return the rows that are neither empty nor comments, the longest ones first, with their numbers."""
        rows = enumerate(self._sheets[number].rows[first:], first)
        filled = [each for each in rows if any(cell is not None for cell in each[1]) and not _is_comment(each[1][0])]
        return sorted(filled, key=lambda each: len(each[1]), reverse=True)

    def _needless_cell(self, number: int, index: int, header: _Header) -> int | None:
        """Return the first empty cell of a row with one cell more than all others, which fill this column."""
        rows = self._filled(number, header.row)
        longest, row = rows[0]
        if longest != index or len(rows) <= _ROWS_TO_COMPARE or len(row) != len(rows[1][1]) + 1:
            return None
        empty = (at for at, cell in enumerate(row) if cell is None)
        return next((at for at in empty if all(at < len(each) and each[at] is not None for _, each in rows[1:])), None)

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
        self._duplicates.add((number, column))
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
        named, last = set(columns.values()), max(columns.values(), default=0)
        named |= {column for sheet, column in self._duplicates if sheet == number}
        for column, cell in enumerate(row):
            if cell is not None and column not in named and not _is_comment(cell):
                place = self._cell_place(number, index, column)
                message = "the column of this cell has no name"
                help_text = "write a name at the top of the column, or clear the cell"
                separator = self._sheets[number].separator
                if separator and column > last:
                    help_text = f"{help_text}; texts with {SEPARATORS.get(separator, separator)} must be in quotes"
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


class _Column(NamedTuple):
    """What the cells of a column have in common: all are numbers, or each of a few words is there more than once."""

    is_number: bool
    words: frozenset[Cell]

    @classmethod
    def of(cls, cells: Sequence[Cell]) -> _Column:
        """Return what cells have in common."""
        filled = [each for each in cells if each is not None]
        counts = Counter(filled)
        is_number = bool(filled) and all(map(_is_number, filled))
        repeats = not is_number and bool(filled) and min(counts.values()) > 1
        return cls(is_number, frozenset(counts) if repeats else frozenset())

    def takes(self, cell: Cell) -> bool:
        """Return whether a cell is like the others; an empty one is like all."""
        return cell is None or (_is_number(cell) if self.is_number else not self.words or cell in self.words)


def _is_number(cell: Cell) -> bool:
    return isinstance(cell, int | float) or (isinstance(cell, str) and bool(_PLAIN_NUMBER.fullmatch(cell)))


def _first_cell(row: list[Cell]) -> Cell:
    return next((cell for cell in row if cell is not None), None)


def _begins_with_space(place: Place) -> bool:
    """Return whether a cell of CSV begins with a space, as after a comma within a sentence."""
    return place.span is not None and place.source_line[place.span.column - 1 :].startswith(" ")


def _is_comment(cell: Cell) -> bool:
    return isinstance(cell, str) and cell.startswith(_COMMENT)


# Table as a document of cards; values have the places of cells.

# Place of the value at a path in the card of an index.
PlaceInCard: TypeAlias = Callable[[int, KeyPath], Place]


# What to do about text that was read in the wrong encoding.
WRONG_ENCODING = "the file was opened in the wrong encoding: open it as UTF-8, or enter the text again"


class Oddity(NamedTuple):
    """Cell that a spreadsheet has probably changed."""

    place: Place
    message: str
    help: str = ""


def _no_place(index: int, path: KeyPath) -> Place:
    raise LookupError(index, path)


# Texts with their places, by language and pointer.
Translations: TypeAlias = Mapping[str, Mapping[str, tuple[str, Callable[[], Place]]]]


@dataclass(frozen=True, slots=True)
class TableDocument(Document):
    """Document whose `data` have the cards of a table under 'cards'.

    `place_in_card` returns the place of a value in a card; `settings_place` is that of the kind in the settings.
    `oddities` are cells that were probably changed, and `incomplete` are the indices of cards that lack a value because
    its cell has none. `translations` returns the texts of the card of an index in columns such as 'name.de', by
    language and pointer, with their places. `keys_of` returns the keys of the card of an index that have a column, or
    None for a file without columns.
    """

    place_in_card: PlaceInCard = _no_place
    settings_place: Place | None = None
    oddities: tuple[Oddity, ...] = ()
    incomplete: frozenset[int] = frozenset()
    keys_of: Callable[[int], frozenset[str] | None] = lambda index: None
    translations: Callable[[int], Translations] = lambda index: {}

    @property
    def root(self) -> Node | None:
        """A node without children; None if the table cannot be read."""
        return None if self.data is None else Node((0, 0), (0, 0))

    @property
    def cards(self) -> list[dict[str, Any]]:
        """The data of the cards."""
        return self.data["cards"] if isinstance(self.data, dict) else []  # type: ignore[return-value]

    @property
    def count(self) -> int:
        """The number of cards."""
        return len(self.cards)

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
