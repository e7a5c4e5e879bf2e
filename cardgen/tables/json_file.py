"""JSON and JSON Lines files: their data, and the place of each value."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.source import Code as SourceCode
from cardgen.source import KeyPath
from cardgen.source.characters import LineIndex, describe_character, find_unprintable, replace_unprintable
from cardgen.source.composer import MAX_DEPTH
from cardgen.source.scalars import MAX_NUMBER
from cardgen.tables.codes import MAX_CELLS, Code
from cardgen.tables.json_positions import JsonPositions
from cardgen.validation.validate import quote

_MAX_PROBLEMS = 100
_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL)
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
    problems = [*reader.duplicates(positions), *_Validator(positions).problems(data)]
    return JsonFile(data, positions, problems)


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
            raise self._error(start + error.pos, f"invalid JSON: {_lower(error.msg)}") from None
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
            yield Diagnostic(SourceCode.DUPLICATE_KEY, message, place, "remove one of them", related=related)

    def _error(self, at: int, message: str, code: str = Code.BAD_TABLE) -> CardgenError:
        at = min(at, len(self._text))
        place = self._index.place(at, min(at + 1, len(self._text)))
        return CardgenError(Diagnostic(code, message, place))


def _lower(message: str) -> str:
    return message[:1].lower() + message[1:]


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
        self._count(len(container), depth, path)
        for step, value in [*pairs]:
            if isinstance(value, dict | list):
                self._walk(value, (*path, step), depth + 1)
            elif isinstance(value, str):
                if not value.isprintable():
                    container[step] = self._printable(value, (*path, step))
            elif isinstance(value, int | float) and not abs(value) <= MAX_NUMBER:
                self._report(SourceCode.NUMBER_OUT_OF_RANGE, _OUT_OF_RANGE, (*path, step), _RANGE_HELP)
                container[step] = 0

    def _count(self, values: int, depth: int, path: KeyPath) -> None:
        self._values += values
        if self._values > MAX_CELLS:
            message = f"the file has more than {MAX_CELLS:,} values"
            raise CardgenError(Diagnostic(Code.TOO_LARGE, message, self._positions.place(path), "split the file"))
        if depth >= MAX_DEPTH:
            raise CardgenError(Diagnostic(SourceCode.TOO_DEEP, _TOO_DEEP, self._positions.place(path)))

    def _printable(self, value: str, path: KeyPath) -> str:
        text = value.replace("\r\n", "\n").replace("\r", "\n")
        match = find_unprintable(text)
        if match:
            message = f"unprintable character {describe_character(match[0])}"
            self._report(SourceCode.UNPRINTABLE, message, path, "remove it")
            return replace_unprintable(text)[0]
        return text

    def _report(self, code: str, message: str, path: KeyPath, help_text: str) -> None:
        place: Place = self._positions.place(path)
        self._problems.append(Diagnostic(code, message, place, help_text))
        if len(self._problems) == _MAX_PROBLEMS:
            message = f"the file has {_MAX_PROBLEMS} problems or more; reading stopped"
            raise CardgenError(*self._problems, Diagnostic(SourceCode.TOO_MUCH, message, place))
