"""Rows of a JSON file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cardgen.diagnostic import CardgenError, Diagnostic
from cardgen.source import KeyPath
from cardgen.tables.card_map import Formula, MappingError
from cardgen.tables.codes import Code
from cardgen.tables.json_file import JsonFile
from cardgen.tables.table import Row, Table
from cardgen.validation.validate import describe_value


def json_table(file: JsonFile, each: Formula | None, *, needs_maps: bool) -> Table:
    """Return the rows that `each` selects.

    By default, they are the items of the list in the file.

    Raises MappingError if `each` gives no list, and CardgenError if the file has none. With `needs_maps`, a row that is
    not a map is a problem.
    """
    items, start = _items(file, each)
    pairs = items.items() if isinstance(items, Mapping) else enumerate(items)
    is_located = each is None or each.is_path
    rows = [Row(item, (*start, step) if is_located else start) for step, item in pairs]
    table = Table(rows, {}, file.positions.place, data=file.data, problems=file.problems)
    if needs_maps:
        table.rows = _maps_only(table)
        table.columns = _columns(table.rows)
    return table


def _items(file: JsonFile, each: Formula | None) -> tuple[Any, KeyPath]:
    """Return the rows, and the path to them."""
    if each is None:
        if not isinstance(file.data, list):
            message = f"the file must contain a list of rows, not {describe_value(file.data)}"
            raise CardgenError(Diagnostic(Code.BAD_TABLE, message, file.positions.place(()), _advice(file.data)))
        return file.data, ()
    items = each.evaluate({"data": file.data})
    if not isinstance(items, list | dict):
        message = f"'each' must return a list, not {describe_value(items)}"
        raise MappingError(message, each.setting, source=each.expression.source)
    return items, each.path


def _advice(data: Any) -> str:
    lists = [key for key, value in data.items() if isinstance(value, list)] if isinstance(data, dict) else []
    such_as = f", such as each: data.{lists[0]}" if lists and lists[0].isidentifier() else ""
    return f"set 'each' for this table in cardgen.yaml{such_as}"


def _maps_only(table: Table) -> list[Row]:
    rows = []
    for row in table.rows:
        if isinstance(row.values, dict):
            rows.append(row)
        else:
            message = f"a row must be a map, not {describe_value(row.values)}"
            table.problems.append(Diagnostic(Code.BAD_TABLE, message, table.place(row.path)))
    return rows


def _columns(rows: list[Row]) -> dict[str, KeyPath]:
    """Return the path of the first use of each key."""
    columns: dict[str, KeyPath] = {}
    for row in rows:
        for name in row.values:
            if name not in columns:
                columns[name] = (*row.path, name)
    return columns
