"""Columns of a table as keys of cards, without a mapping."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from cardgen.diagnostic import Diagnostic, Place
from cardgen.source import Data, KeyPath
from cardgen.tables.cell_values import CellError, convert_cell
from cardgen.tables.codes import Code
from cardgen.tables.field_shape import FieldShape, shape_at
from cardgen.tables.table import Row, Table
from cardgen.units import shorten
from cardgen.validation.codes import Code as ShapeCode
from cardgen.validation.model_keys import ModelClasses, accepted_keys, canonical_keys
from cardgen.validation.suggestion import did_you_mean

KIND = "kind"
# What people write for null.
_NOTHING = frozenset({"none", "nothing", "ignore", "nil", "-"})
_WORDS = re.compile(r"[\s_-]+")


class Column(NamedTuple):
    """Column with the path of its key in a card."""

    name: str
    path: KeyPath


class ColumnMapper:
    """Mapping from the columns of a table to keys of models.

    The models are those of all kinds in the table.
    """

    def __init__(
        self,
        table: Table,
        settings: Mapping[str, str | None],
        models: ModelClasses,
        place_of_setting: Callable[[str], Place],
    ) -> None:
        self._table, self._settings, self._models = table, settings, models
        self._place_of_setting = place_of_setting
        self._keys_by_label = _keys_by_label(models)
        self._keys = (*accepted_keys(models), KIND)
        self._takes_any = any(model.model_config.get("extra") == "allow" for model in models)
        self.problems: list[Diagnostic] = []
        self.columns = tuple(self._columns())
        self._by_path = {column.path: column.name for column in self.columns}
        self._shapes: dict[ModelClasses, tuple[FieldShape, ...]] = {}

    def _columns(self) -> Iterator[Column]:
        used: dict[KeyPath, str] = {}
        for name in self._table.columns:
            path = self._path_of(name)
            if path is None:
                continue
            if path in used:
                message = f"columns '{used[path]}' and '{name}' are the same key"
                self._report(Code.BAD_TABLE, name, message, "rename one of them, or map it to null under 'columns'")
                continue
            used[path] = name
            yield Column(name, path)

    def shapes(self, models: ModelClasses) -> tuple[FieldShape, ...]:
        """Return the shape of the values of each column in cards of these models."""
        if models not in self._shapes:
            self._shapes[models] = tuple(
                FieldShape(is_text=True) if path == (KIND,) else shape_at(models, path) for _, path in self.columns
            )
        return self._shapes[models]

    def _path_of(self, name: str) -> KeyPath | None:
        """Return the path of a column's key.

        Return None if it is ignored or unknown.
        """
        if name in self._settings:
            target = self._settings[name]
            return None if target is None else self._target(name, target)
        path = self._split(name)
        if path[0] in self._keys:
            return path
        matches = [key for key in self._keys if _fold(key) == _fold(name)]
        labeled = self._keys_by_label.get(_fold(name), frozenset())
        if matches or len(labeled) == 1:
            return (matches[0] if matches else next(iter(labeled)),)
        if self._takes_any:
            return (name,)
        message = f"unknown column '{shorten(name)}'{did_you_mean(name, self._keys)}"
        known = ", ".join(canonical_keys(self._models))
        help_text = f"map it to a key, or to null to ignore it, under 'columns' in cardgen.yaml; keys: {known}"
        self._report(ShapeCode.UNKNOWN_KEY, name, message, help_text)
        return None

    def _target(self, name: str, target: str) -> KeyPath | None:
        """Return the path of a key in the settings.

        Return None if it is unknown.
        """
        path = self._split(target)
        if path[0] in self._keys or self._takes_any:
            return path
        is_nothing = target.casefold() in _NOTHING
        message = f"unknown key '{target}'{'' if is_nothing else did_you_mean(target, self._keys)}"
        known = f"valid keys: {', '.join(canonical_keys(self._models))}"
        advice = "write null to ignore the column" if is_nothing else known
        self.problems.append(Diagnostic(ShapeCode.UNKNOWN_KEY, message, self._place_of_setting(name), advice))
        return None

    def _split(self, name: str) -> tuple[str, ...]:
        """Split a name such as 'stats.M' into steps, unless a key has this name."""
        return (name,) if name in self._keys else tuple(name.split("."))

    def _report(self, code: str, name: str, message: str, help_text: str) -> None:
        place = self._table.place(self._table.columns[name], key=True)
        self.problems.append(Diagnostic(code, message, place, help_text))

    def read(self, row: Row, models: ModelClasses) -> tuple[dict[str, Data], list[Diagnostic]]:
        """Return the keys of the card in a row, and its problems.

        `models` are those of its kind.
        """
        data: dict[str, Any] = {}
        problems: list[Diagnostic] = []
        for (name, path), shape in zip(self.columns, self.shapes(models), strict=True):
            value = row.values.get(name)
            if value is None:
                continue
            try:
                _put(data, path, convert_cell(value, shape) if self._table.is_grid else value)
            except CellError as error:
                place = self._table.place((*row.path, name))
                problems.append(Diagnostic(error.code or Code.LOST_VALUE, error.message, place, error.help))
        return data, problems

    def kind_of(self, row: Row) -> object:
        """Return the kind that a row names, or None."""
        return row.values.get(self._by_path.get((KIND,), ""))

    def source_path(self, path: KeyPath) -> KeyPath:
        """Return the path in a row of the value at a path in its card."""
        for length in range(len(path), 0, -1):
            if path[:length] in self._by_path:
                return (self._by_path[path[:length]], *path[length:])
        return ()


def _keys_by_label(models: ModelClasses) -> Mapping[str, frozenset[str]]:
    """Return the keys of the models by their labels."""
    keys: dict[str, frozenset[str]] = {}
    for model in models:
        for name, info in model.model_fields.items():
            if info.title:
                label = _fold(info.title)
                keys[label] = keys.get(label, frozenset()) | {info.alias or name}
    return keys


def _fold(name: str) -> str:
    return _WORDS.sub("", name.casefold())


def _put(data: dict[Any, Any], path: KeyPath, value: Data) -> None:
    """Put a value at a path.

    A map is added to what other columns gave.
    """
    *parents, last = path
    for step in parents:
        data = data.setdefault(step, {})
        if not isinstance(data, dict):
            return
    earlier = data.get(last)
    data[last] = {**earlier, **value} if isinstance(earlier, dict) and isinstance(value, dict) else value
