"""Cards from the rows of a table, by columns or mapping."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from cardgen.diagnostic import Diagnostic, Place
from cardgen.sandbox.budget import BudgetError
from cardgen.sandbox.expression import ANYTHING, Shape
from cardgen.source import Document, KeyPath
from cardgen.tables.card_map import Formula, MappingError, MapSpec, Scope, evaluate, problems, source_path
from cardgen.tables.cell_values import CellError, convert_cell, expression_value
from cardgen.tables.codes import Code
from cardgen.tables.columns import KIND, ColumnMapper
from cardgen.tables.field_shape import FieldShape, shape_at
from cardgen.tables.key_trees import fill_absent_keys
from cardgen.tables.sheet import LostValue
from cardgen.tables.table import Row, Table
from cardgen.validation.base import Model
from cardgen.validation.model_keys import ModelClasses

# Rows whose problems are reported one by one.
_MAX_PROBLEMS = 100


class SettingsPlaces(NamedTuple):
    """Document and key path of the settings of a table."""

    document: Document | None
    path: KeyPath

    def place(self, path: KeyPath = (), *, key: bool = False) -> Place:
        """Return the place of a setting."""
        return self.document.place((*self.path, *path), key=key) if self.document else Place("")

    def diagnostic(self, error: MappingError) -> Diagnostic:
        """Return the diagnostic of a mistake in a mapping, at its expression."""
        return Diagnostic(Code.BAD_EXPRESSION, error.message, self._place_of(error))

    def _place_of(self, error: MappingError) -> Place:
        whole = self.place(error.setting)
        if self.document is None or error.end <= error.start:
            return whole
        path = (*self.path, *error.setting)
        return self.document.place_of_substring(path, error.source, error.start, error.end) or whole


class KindModels(NamedTuple):
    """Models of the kinds by name, and the default kind of rows."""

    by_kind: Mapping[str, type[Model]]
    default: str | None = None

    def models(self, kind: object) -> ModelClasses:
        """Return the model of a kind, or of the default one.

        All models if there is no such kind.
        """
        model = self.by_kind.get(kind) if isinstance(kind, str) else None
        model = model or self.by_kind.get(self.default or "")
        return (model,) if model else self.all

    @property
    def all(self) -> ModelClasses:
        """The model of the default kind, or else of all."""
        return (self.by_kind[self.default],) if self.default else tuple(self.by_kind.values())


class CardData(NamedTuple):
    """Keys of a card, and the row that they come from.

    `is_complete` is false if a cell has no value, which has been reported.
    """

    data: dict[str, Any]
    row: Row
    is_complete: bool = True


class ExpressionRows:
    """Rows for expressions: plain values, and None for absent keys."""

    def __init__(self, table: Table) -> None:
        self._is_grid = table.is_grid
        self.shape = Shape(dict.fromkeys(table.columns, ANYTHING))
        self._empty = dict.fromkeys(table.columns)
        if not table.is_grid:
            self.shape = fill_absent_keys(row.values for row in table.rows)

    def scope(self, row: Row) -> Scope:
        """Return the scope of a row."""
        if not self._is_grid:
            return Scope(row.values, row.path)
        cells = {name: expression_value(cell) for name, cell in row.values.items()}
        return Scope({**self._empty, **cells}, row.path)


def select_rows(table: Table, condition: Formula, rows: ExpressionRows, places: SettingsPlaces) -> None:
    """Keep only the rows for which an expression is true.

    Rows for which it fails are problems.
    """
    mistakes = list(problems(condition, rows.shape, ANYTHING))
    if mistakes:
        table.problems += map(places.diagnostic, mistakes)
        table.rows = []
        return
    report = RowProblems(table)
    table.rows = [row for row in table.rows if report.run(row, partial(_value, condition, rows, row))]
    report.finish(places)


def _value(formula: Formula, rows: ExpressionRows, row: Row) -> Any:
    return formula.evaluate(rows.scope(row).names)


class RowProblems:
    """Problems of expressions in rows, of which only the first are reported."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._count = 0
        self._last: MappingError | None = None

    def run(self, row: Row, function: Callable[[], Any]) -> Any:
        """Return the result of a function of a row.

        Return None, and a problem, if an expression fails.
        """
        try:
            return function()
        except MappingError as error:
            self._count += 1
            self._last = error
            if self._count <= _MAX_PROBLEMS:
                message = f"{error.message} (in the expression '{error.source}')"
                self._table.problems.append(Diagnostic(Code.BAD_EXPRESSION, message, self._table.place(row.path)))
            return None

    def finish(self, places: SettingsPlaces) -> None:
        """Report how many problems were left out."""
        if self._last and self._count > _MAX_PROBLEMS:
            message = f"the expression fails for {self._count - _MAX_PROBLEMS} more rows"
            place = places.place(self._last.setting)
            self._table.problems.append(Diagnostic(Code.BAD_EXPRESSION, message, place))


class ColumnCards:
    """Cards whose keys are columns."""

    def __init__(
        self, table: Table, columns: Mapping[str, str | None], kinds: KindModels, places: SettingsPlaces
    ) -> None:
        self._table, self._kinds = table, kinds
        self.mapper = ColumnMapper(table, columns, kinds.all, lambda name: places.place(("columns", name)))
        table.problems += self.mapper.problems

    def read(self) -> Iterator[CardData]:
        """Yield the cards.

        Those with a cell that has no value are incomplete, and so are all if a column is wrong.
        """
        for row in self._table.rows:
            data, found = self.mapper.read(row, self._kinds.models(self.mapper.kind_of(row)))
            self._table.problems += found
            yield CardData(data, row, is_complete=not found and not self.mapper.problems)

    def text_columns(self) -> frozenset[str]:
        """Return the columns whose cells should be text."""
        shapes = self.mapper.shapes(self._kinds.all)
        return frozenset(
            column.name for column, shape in zip(self.mapper.columns, shapes, strict=True) if shape.is_text
        )

    def place(self, card: CardData, path: KeyPath) -> Place:
        """Return the place of a value of a card."""
        return self._table.place((*card.row.path, *self.mapper.source_path(path)))


class MapCards:
    """Cards whose keys are expressions."""

    def __init__(
        self, table: Table, spec: MapSpec, rows: ExpressionRows, kinds: KindModels, places: SettingsPlaces
    ) -> None:
        self._table, self._spec, self._rows, self._kinds, self._places = table, spec, rows, kinds, places

    def read(self) -> Iterator[CardData]:
        """Yield the cards.

        A row for which an expression fails is a problem instead.
        """
        mistakes = list(problems(self._spec, self._rows.shape, ANYTHING))
        self._table.problems += map(self._places.diagnostic, mistakes)
        report = RowProblems(self._table)
        for row in () if mistakes else self._table.rows:
            data = report.run(row, partial(self._evaluate, row))
            if data is not None:
                before = len(self._table.problems)
                yield CardData(self._convert(data, row), row, is_complete=len(self._table.problems) == before)
        report.finish(self._places)

    def _evaluate(self, row: Row) -> Any:
        return evaluate(self._spec, self._rows.scope(row))

    def _convert(self, data: dict[str, Any], row: Row) -> dict[str, Any]:
        """Return data from cells in the shapes of their keys."""
        if not self._table.is_grid:
            return data
        models = self._kinds.models(data.get(KIND))
        return {key: self._convert_value(value, (key,), row, models) for key, value in data.items()}

    def _convert_value(self, value: Any, path: KeyPath, row: Row, models: ModelClasses) -> Any:
        if isinstance(value, dict):
            return {key: self._convert_value(below, (*path, key), row, models) for key, below in value.items()}
        if isinstance(value, list):
            return value
        source = source_path(self._spec, path, Scope(None, ()))
        cell = row.values.get(str(source[0])) if len(source) == 1 else None
        shape = FieldShape(is_text=True) if path == (KIND,) else shape_at(models, path)
        try:
            return convert_cell(cell if isinstance(cell, LostValue) else value, shape)
        except CellError as error:
            place = self._table.place((*row.path, *source))
            self._table.problems.append(Diagnostic(error.code or Code.LOST_VALUE, error.message, place, error.help))
            return None

    def place(self, card: CardData, path: KeyPath) -> Place:
        """Return the place of a value of a card."""
        try:
            path = source_path(self._spec, path, self._rows.scope(card.row))
        except (BudgetError, MappingError):
            path = card.row.path  # The expressions before it took all the steps.
        return self._table.place(path)

    def text_columns(self) -> frozenset[str]:
        """Return the columns that alone give a text."""
        texts = (key for key in self._spec if shape_at(self._kinds.all, (key,)).is_text)
        paths = (spec.path for key in texts if isinstance(spec := self._spec[key], Formula) and spec.is_path)
        return frozenset(str(path[0]) for path in paths if len(path) == 1)
