"""Tables in JSON: values with their places, and rows for expressions."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place
from cardgen.source import Code as SourceCode
from cardgen.source import KeyPath
from cardgen.source.composer import (
    MAX_DEPTH,
    MAX_NUMBER,
    LineIndex,
    describe_character,
    find_unprintable,
    replace_unprintable,
)
from cardgen.tables.card_map import Formula, MappingError
from cardgen.tables.table import MAX_CELLS, MAX_COLUMNS, Row, Table
from cardgen.validation.validate import describe_value, quote

# Positions of values in a JSON text, found on demand.
# Parsing with positions takes many times as long as without, and most files never need one. The children of each list
# and map on the way to a value are located once.

_SPACE = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder(strict=False)


class _Child(NamedTuple):
    """Start of a value, and the range of its key in a map."""

    start: int
    key_range: tuple[int, int] | None = None


class JsonPositions:
    """Places of values in a JSON text.

    `lines` are the starts of the values of JSON Lines, which form a list; None for a single value.
    """

    def __init__(self, file: str, text: str, lines: list[int] | None = None) -> None:
        self._line_index = LineIndex(file, text)
        self._text = text
        self._children: dict[KeyPath, dict[str | int, _Child]] = {}
        if lines is not None:
            self._children[()] = {index: _Child(start) for index, start in enumerate(lines)}

    def place(self, path: KeyPath, *, key: bool = False) -> Place:
        """Return the place of the value at a path, or its key.

        If it does not exist, return that of the deepest part that does.
        """
        if not self._text or (path and not self._starts(())):
            return Place(self._line_index.file)
        reached: KeyPath = ()
        child = _Child(_skip_space(self._text, 0))
        for step in path:
            below = self._starts(reached, child.start).get(step)
            if below is None:
                key = False
                break
            reached, child = (*reached, step), below
        start, end = (key and child.key_range) or (child.start, self._end(child.start))
        return self._line_index.place(start, end)._replace(locator=pointer(reached))

    def duplicate_keys(self, path: KeyPath = ()) -> Iterator[tuple[str, Place, Place]]:
        """Yield each repeated key below a path.

        Each has its place and that of its first use.
        """
        pending = [_skip_space(self._text, 0)]
        while pending:
            first: dict[str, tuple[int, int]] = {}
            for name, child in _children(self._text, pending.pop()):
                pending.append(child.start)
                if isinstance(name, str) and child.key_range:
                    if name in first:
                        yield name, self._line_index.place(*child.key_range), self._line_index.place(*first[name])
                    first.setdefault(name, child.key_range)

    def _starts(self, path: KeyPath, start: int = 0) -> dict[str | int, _Child]:
        if path not in self._children:
            self._children[path] = dict(_children(self._text, _skip_space(self._text, start)))
        return self._children[path]

    def _end(self, start: int) -> int:
        return _DECODER.raw_decode(self._text, start)[1] if start < len(self._text) else start


def pointer(path: KeyPath) -> str:
    """Return a path as a JSON pointer (RFC 6901)."""
    return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in path)


def _skip_space(text: str, index: int) -> int:
    match = _SPACE.match(text, index)
    return match.end() if match else index


def _children(text: str, start: int) -> Iterator[tuple[str | int, _Child]]:
    """Yield the children of the list or map at an index, in order."""
    opening = text[start : start + 1]
    if opening not in ("[", "{"):
        return
    index, number = _skip_space(text, start + 1), 0
    while text[index] not in "]}":
        name, key_range = number, None
        if opening == "{":
            name, end = _DECODER.raw_decode(text, index)
            key_range = (index, end)
            index = _skip_space(text, _skip_space(text, end) + 1)
        yield name, _Child(index, key_range)
        index = _skip_space(text, _DECODER.raw_decode(text, index)[1])
        if text[index] == ",":
            index = _skip_space(text, index + 1)
        number += 1


# JSON and JSON Lines files: their data, and the place of each value.

_MAX_PROBLEMS = 100
_BRACKETS = re.compile(r'"(?:[^"\\]++|\\.?)*+"?+|[\[\]{}]', re.DOTALL)
_TOO_DEEP = f"values are nested more than {MAX_DEPTH} levels deep"
_OUT_OF_RANGE = "number is out of range"
_RANGE_HELP = f"write a number between -{MAX_NUMBER} and {MAX_NUMBER}, or put it in quotes"


class JsonFile(NamedTuple):
    """Data of a JSON file, the places of its values, and its problems."""

    data: Any
    positions: JsonPositions
    problems: list[Diagnostic]


def read_json(text: str, file: str, *, lines: bool) -> JsonFile:
    """Return the data of a JSON or JSON Lines text.

    JSON Lines are a list. `file` is its name in messages.

    Raises CardgenError if it cannot be read.
    """
    reader = _Reader(text, file)
    data, starts = reader.read_lines() if lines else (reader.read(0, text), None)
    positions = JsonPositions(file, text, starts)
    faults = _Validator(positions).problems(data)  # which also limits how deep values are nested
    problems = [*islice(reader.duplicates(positions), _MAX_PROBLEMS)]
    if len(problems) == _MAX_PROBLEMS:
        raise _too_many(problems)
    return JsonFile(data, positions, [*problems, *faults])


def _too_many(problems: Sequence[Diagnostic]) -> CardgenError:
    message = f"the file has {_MAX_PROBLEMS} problems or more; reading stopped"
    return CardgenError(*problems, Diagnostic(SourceCode.TOO_MUCH, message, problems[-1].place))


class _Reader:
    """Reader of values, with located syntax errors."""

    def __init__(self, text: str, file: str) -> None:
        self._text = text
        self._index = LineIndex(file, text)
        self._has_duplicates = False

    def read_lines(self) -> tuple[list[Any], list[int]]:
        values, starts, start = [], [], 0
        for line in self._text.split("\n"):
            if line.strip():
                values.append(self.read(start, line))
                starts.append(start + len(line) - len(line.lstrip()))
            start += len(line) + 1
        return values, starts

    def read(self, start: int, text: str) -> Any:
        """Return the value of a part of the text that begins at `start`."""
        try:
            return json.loads(text, object_pairs_hook=self._to_dict, parse_constant=float)
        except json.JSONDecodeError as error:
            raise self._error(*_syntax(text, start, error)) from None
        except RecursionError:
            raise self._error(start + _first_too_deep(text), _TOO_DEEP, SourceCode.TOO_DEEP) from None
        except ValueError:  # Python limits whole numbers to a few thousand digits.
            digits = re.search(r"[0-9]{4000}", text)
            at = digits.start() if digits else 0
            raise self._error(start + at, _OUT_OF_RANGE, SourceCode.NUMBER_OUT_OF_RANGE) from None

    def _to_dict(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        data = dict(pairs)
        self._has_duplicates = self._has_duplicates or len(data) < len(pairs)
        return data

    def duplicates(self, positions: JsonPositions) -> Iterator[Diagnostic]:
        """Yield a diagnostic for each duplicate key."""
        for name, place, first in positions.duplicate_keys() if self._has_duplicates else ():
            related = ((first, "first defined here"),)
            message = f"duplicate key {quote(name)}"
            yield Diagnostic(
                SourceCode.DUPLICATE_KEY,
                message,
                place,
                "remove one of them, or write their values as one",
                related=related,
            )

    def _error(self, at: int, message: str, code: str = Code.BAD_TABLE, help_text: str = "") -> CardgenError:
        at = min(at, len(self._text))
        place = self._index.place(at, min(at + 1, len(self._text)))
        return CardgenError(Diagnostic(code, message, place, help_text))


def _syntax(text: str, start: int, error: json.JSONDecodeError) -> tuple[int, str, str, str]:
    """Return the place of a syntax error in a text that begins at `start`, its message, its code, and its help."""
    before, following = text[: error.pos].rstrip(), text[error.pos :].lstrip()[:1]
    if before.endswith(",") and (following in ("}", "]") or error.msg.startswith("Illegal trailing comma")):
        closing = following if following in ("}", "]") else text[error.pos + 1 :].lstrip()[:1]
        at = start + len(before) - 1
        return at, f"invalid JSON: a comma before '{closing}'", Code.BAD_TABLE, "remove the comma"
    advice = next((advice for part, advice in _ADVICE.items() if error.msg.startswith(part)), "")
    if following in ("'", "“", "”", "‘", "’"):
        advice = 'write straight double quotes: "'
    elif following in ("{", "[") and error.msg.startswith("Expecting property name"):
        advice = "write '}' before the comma, where the card above ends"
    return start + error.pos, f"invalid JSON: {error.msg[:1].lower() + error.msg[1:]}", Code.BAD_TABLE, advice


_ADVICE = {
    "Expecting ',' delimiter": "write a comma before it, or close what is open with '}' or ']'",
    "Expecting ':' delimiter": "write a colon after the key",
    "Expecting property name": "write the key in double quotes",
    "Expecting value": "write a value: a number, a text in double quotes, true, false, or null",
    "Unterminated string": 'write " at the end of the text',
    "Invalid control character": r"write \n in place of a line break, and close each text with a quotation mark",
    "Invalid \\": r"write \\ for a backslash",
    "Extra data": "remove it, or put all cards in one list",
}


def _first_too_deep(text: str) -> int:
    depth = 0
    for match in _BRACKETS.finditer(text):
        if match[0] in ("[", "{"):
            depth += 1
            if depth > MAX_DEPTH:
                return match.start()
        elif match[0] in ("]", "}"):
            depth -= 1
    return 0


class _Validator:
    """Walk through data that reports and replaces values that cards cannot have."""

    def __init__(self, positions: JsonPositions) -> None:
        self._positions = positions
        self._values = 0
        self._problems: list[Diagnostic] = []

    def problems(self, data: Any) -> list[Diagnostic]:
        """Return the problems of the data. Raises CardgenError for too many values."""
        self._walk(data, (), 0)
        return self._problems

    def _walk(self, container: Any, path: KeyPath, depth: int) -> None:
        if isinstance(container, dict):
            pairs: Any = container.items()
        elif isinstance(container, list):
            pairs = enumerate(container)
        else:
            return
        self._values += len(container)
        if self._values > MAX_CELLS:
            message = f"the file has more than {MAX_CELLS:,} values"
            raise CardgenError(Diagnostic(Code.TABLE_TOO_LARGE, message, self._positions.place(path), "split the file"))
        if depth >= MAX_DEPTH:
            raise CardgenError(Diagnostic(SourceCode.TOO_DEEP, _TOO_DEEP, self._positions.place(path)))
        for step, value in [*pairs]:
            if isinstance(value, dict | list):
                self._walk(value, (*path, step), depth + 1)
            elif isinstance(value, str):
                if not value.isprintable():
                    container[step] = self._printable(value, (*path, step))
            elif isinstance(value, int | float) and not abs(value) <= MAX_NUMBER:
                self._report(SourceCode.NUMBER_OUT_OF_RANGE, _OUT_OF_RANGE, (*path, step), _RANGE_HELP)
                container[step] = 0

    def _printable(self, value: str, path: KeyPath) -> str:
        text = value.replace("\r\n", "\n").replace("\r", "\n")
        match = find_unprintable(text)
        if match:
            message = f"unprintable character {describe_character(match[0])}"
            self._report(SourceCode.UNPRINTABLE, message, path, "remove it")
            return replace_unprintable(text)[0]
        return text

    def _report(self, code: str, message: str, path: KeyPath, help_text: str) -> None:
        self._problems.append(Diagnostic(code, message, self._positions.place(path), help_text))
        if len(self._problems) == _MAX_PROBLEMS:
            raise _too_many(self._problems)


# Rows of a JSON file.


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
        # Raise CardgenError for more columns than a table may have.
        names: set[str] = set()
        for row in table.rows:
            names.update(row.values)
            if len(names) > MAX_COLUMNS:
                message = f"the table has more than {MAX_COLUMNS} columns"
                raise CardgenError(Diagnostic(Code.TABLE_TOO_LARGE, message, table.place(row.path)))
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
