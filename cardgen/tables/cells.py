"""Cells of a table, and their values for the keys of cards."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from enum import Enum
from functools import cache
from typing import Any, Literal, NamedTuple, TypeAlias, get_args, get_origin

from cardgen.diagnostic import Place, Span
from cardgen.source import Data, parse_document
from cardgen.source.composer import MAX_NUMBER, resolve_plain
from cardgen.validation.base import Model, ModelClasses, annotation_parts, child_models, model_keys
from cardgen.validation.validate import quote

MIB = 2**20
MAX_FILE_SIZE = 16 * MIB
MAX_UNPACKED = 64 * MIB
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
    """Shape of a key's values: list or single; text, true or false, or other."""

    is_list: bool = False
    is_text: bool = False
    is_flag: bool = False


@cache
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
    parts = [*_types_in(annotation)]
    is_list = any(part in _LISTS for part in parts)
    others = [part for part in parts if part not in _LISTS and part is not type(None)]
    is_flag = bool(others) and all(part is bool for part in others)
    return FieldShape(is_list, bool(others) and all(map(_is_text, others)), is_flag)


def _types_in(annotation: Any) -> Iterator[Any]:
    for part in annotation_parts(annotation):
        origin = get_origin(part)
        if origin in (*_LISTS, *_MAPS):
            yield origin
        elif origin is Literal:
            yield from map(type, get_args(part))
        elif isinstance(part, type):
            yield part


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
        return _normalize_text(value)
    if isinstance(value, float):
        return int(value) if value.is_integer() else value
    if value is None or isinstance(value, int):
        return value
    return _lost_date(value)


def _normalize_text(value: str) -> Cell:
    text = value.strip()
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return error_value(text) if _ERROR.fullmatch(text) else text or None


def error_value(text: str) -> LostValue:
    """Return a cell with an error such as '#REF!'."""
    return LostValue(text, f"the cell contains {text}", "correct the formula, or enter a value")


def uncomputed_value() -> LostValue:
    """Return a cell with a formula that no program has computed."""
    message = "the cell contains a formula without a result"
    return LostValue("", message, "open the file in a spreadsheet program, and save it again")


def _lost_date(value: datetime | date | time | timedelta) -> LostValue:
    if isinstance(value, time | timedelta):
        return LostValue(str(value), f"the cell contains the time {value}", f"if it is not a time, {_AS_TEXT}")
    day = value.date() if isinstance(value, datetime) else value
    meant = f"'{day.day}/{day.month}' or '{day.month}-{day.day}'"
    return LostValue(str(day), f"the cell contains the date {day}, which may have been {meant}", _AS_TEXT)


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


class Sheet(NamedTuple):
    """The cells of a sheet by row and column, from 0.

    Rows may be of different lengths.

    `place` returns the place of a cell. `is_text` is true if all cells of the format are text, as in CSV.
    """

    rows: list[list[Cell]]
    place: PlaceOfCell
    is_text: bool = False


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
_DECIMAL_COMMA = re.compile(r"[-+]?[0-9]+,[0-9]+")
_SPACED_NUMBER = re.compile(r"[-+]?[0-9]{1,3}(?:[ \u00a0\u202f'’,][0-9]{3})+|['’`][0-9]+|[0-9]+[\u00a0\u202f]")
_NOT_NUMERIC = re.compile(r"[^0-9+-]")
_FLAGS = {"true": True, "yes": True, "false": False, "no": False}
# The gap between paragraphs, or else the end of a line.
_LINE_END = re.compile(r"(\n[ \t]*+\n\s*+)|(?:(?<![ \t])[ \t]++)?+\n[ \t]*+")
# As `cardgen.text.markup` reads it.
LINE_BREAK = "\u2028"
_BLOCK_LIST = re.compile(r"\[|- ")
_SEPARATORS = re.compile(r"[;\n]")
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
        return keep_line_breaks(as_text(cell))
    return _convert_flag(cell) if shape.is_flag else _convert_other(cell)


def keep_line_breaks(text: str) -> str:
    """Return markup in which the lines of a text end where they do, unlike those of YAML, which are filled."""
    return _LINE_END.sub(lambda end: end[1] or LINE_BREAK, text) if "\n" in text else text


def as_cell_text(text: str) -> str:
    """Return the text of a cell that is read as this markup, with the lines that it has on a card."""
    return _LINE_END.sub(lambda end: end[1] or " ", text.strip()).replace(LINE_BREAK, "\n")


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
    return [*items] if shape.is_text else [convert(item) for item in items]


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
        return cell
    value = _FLAGS.get(cell.casefold())
    if value is None:
        raise CellError(f"must be TRUE or FALSE, not {quote(cell)}")
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
    advice = _number_advice(cell)
    if advice:
        raise CellError(f"the cell contains the text {quote(cell)} instead of a number", advice)
    if _NOT_PLAIN.search(cell):
        return _parse_yaml(cell)
    scalar = resolve_plain(cell)
    return scalar.value if scalar.is_valid else _parse_yaml(cell)


def _parse_yaml(text: str) -> Data:
    """Return the data of a cell in YAML.

    Raises CellError with the first problem.
    """
    document = parse_document(text, "")
    if document.diagnostics:
        first = document.diagnostics[0]
        raise CellError(f"the cell is not valid YAML: {first.message}", first.help, first.code)
    return document.data


def _number_advice(text: str) -> str:
    """Return what to write instead of a text that looks like a number, or ''."""
    if _DECIMAL_COMMA.fullmatch(text):
        return f"write {text.replace(',', '.')}, with a decimal point"
    if _SPACED_NUMBER.fullmatch(text):
        return f"write {_NOT_NUMERIC.sub('', text)}, without separators and quotation marks"
    return ""
