"""Conversion of cells to values of keys.

Text is kept, lists are split, and everything else is YAML.
"""

from __future__ import annotations

import re

from cardgen.source import Data, parse_document
from cardgen.source.scalars import MAX_NUMBER, resolve_plain
from cardgen.tables.field_shape import FieldShape
from cardgen.tables.sheet import Cell, LostValue
from cardgen.validation.validate import quote

# Text in which YAML may see more than a plain scalar.
_NOT_PLAIN = re.compile(r"[\n{}\[\]:#&*!|>'\"%@`,?]|^-(?:\s|$)|^(?:---|\.\.\.)")
_DECIMAL = re.compile(r"[-+]?[0-9]+")
# Leading zeros make a text: '007' is not a number.
_PLAIN_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,15})?")
_DECIMAL_COMMA = re.compile(r"[-+]?[0-9]+,[0-9]+")
_SPACED_NUMBER = re.compile(r"[-+]?[0-9]{1,3}(?:[ \u00a0\u202f'’,][0-9]{3})+|['’`][0-9]+|[0-9]+[\u00a0\u202f]")
_NOT_NUMERIC = re.compile(r"[^0-9+-]")
_FLAGS = {"true": True, "yes": True, "false": False, "no": False}
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
    return as_text(cell) if shape.is_text else _convert_flag(cell) if shape.is_flag else _convert_other(cell)


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
