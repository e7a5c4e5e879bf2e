"""Columns of a table as keys of cards, and the cards in its rows."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

from cardgen.diagnostic import (
    MAX_SUGGESTIONS,
    Code,
    Diagnostic,
    Place,
    Severity,
    closest,
    did_you_mean,
    join_words,
    slugify,
)
from cardgen.language import folded, parse_language
from cardgen.runtime.workspace import BudgetError
from cardgen.sandbox.frames import ANYTHING, Shape
from cardgen.source import Data, Document, KeyPath
from cardgen.tables.card_map import Formula, MappingError, MapSpec, Scope, evaluate, problems, source_path
from cardgen.tables.table import (
    CellError,
    FieldShape,
    LostValue,
    Row,
    Table,
    Translations,
    as_choice,
    as_text,
    convert_cell,
    expression_value,
    shape_at,
    split_list,
)
from cardgen.units import quantity, shorten
from cardgen.validation.base import Model, ModelClasses, accepted_keys, canonical_keys

# Keys that maps at the same position in JSON data have, and their absent ones filled in.
# Public data leaves out keys that do not apply. Expressions read an absent key as nothing if other maps at that
# position have it; a key that none of them has is a mistake in the expression.

# Maps with more different keys are indices by name or id, which have no absent keys.
_MAX_KEYS = 100
_MAX_ABSENT = 500_000


def fill_absent_keys(values: Iterable[Any]) -> Shape:
    """Give the maps at each position the same keys, in place.

    Return the shape of the values.
    """
    items = [value for value in values if value is not None]
    if items and all(isinstance(item, list) for item in items):
        return Shape(None, fill_absent_keys(value for item in items for value in item))
    if not items or not all(isinstance(item, dict) for item in items):
        return ANYTHING
    keys = dict.fromkeys(key for item in items for key in item)
    if len(keys) > _MAX_KEYS or len(keys) * len(items) - sum(map(len, items)) > _MAX_ABSENT:
        return ANYTHING
    shape = {key: fill_absent_keys(item[key] for item in items if key in item) for key in keys}
    for item in items:
        if len(item) < len(keys):
            item.update({key: None for key in keys if key not in item})
    return Shape(shape)


# Columns of a table as keys of cards, without a mapping.

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
        kinds: KindModels,
        place_of_setting: Callable[[str], Place],
    ) -> None:
        models = kinds.all
        self._table, self._kinds, self._models = table, kinds, models
        self._settings = {column_named(name, table.columns) or name: key for name, key in settings.items()}
        self._place_of_setting = place_of_setting
        self._keys_by_label = _keys_by_label(models)
        self._keys = (*accepted_keys(models), KIND)
        self._takes_any = any(model.model_config.get("extra") == "allow" for model in models)
        self.problems: list[Diagnostic] = []
        self._unknown: list[str] = []
        self.columns = tuple(self._columns())
        # Report the unknown columns, with the keys that every card must have and no column gives.
        given = {path[0] for _, path in self.columns}
        required = [
            {info.alias or key for key, info in model.model_fields.items() if info.is_required()}
            for model in self._models
        ]
        lacking = sorted(set[str]().union(*required[:1]).intersection(*required) - given)
        is_hint = 0 < len(lacking) <= MAX_SUGGESTIONS
        missing = f"call it {join_words(lacking)}, which no column has; or " if is_hint else ""
        known = ", ".join(canonical_keys(self._models))
        for name in self._unknown:
            what = "column" if table.is_grid else "key"
            meant = closest(name, self._keys)
            message = f"unknown {what} '{shorten(name)}'{did_you_mean(name, self._keys)}"
            likely = f"write '{meant}'; or " if meant and not missing else missing
            remedy = f"map it to a key, or to null to ignore it, under 'columns' in cardgen.yaml; keys: {known}"
            self._report(Code.UNKNOWN_KEY, name, message, likely + remedy)
        self._by_path = {column.path: column.name for column in self.columns}
        self._shapes: dict[ModelClasses, tuple[FieldShape, ...]] = {}

    def _columns(self) -> Iterator[Column]:
        used: dict[KeyPath, str] = {}
        for name in self._table.columns:
            path = self._path_of(name)
            if path is None:
                continue
            if path in used:
                message = f"columns '{used[path]}' and '{name}' both stand for the same key"
                self._report(Code.BAD_TABLE, name, message, "rename one of them, or map it to null under 'columns'")
                continue
            used[path] = name
            yield Column(name, path)

    def shapes(self, models: ModelClasses) -> tuple[FieldShape, ...]:
        """Return the shape of the values of each column in cards of these models."""
        if models not in self._shapes:
            self._shapes[models] = tuple(
                self._kinds.shape if path == (KIND,) else shape_at(models, path) for _, path in self.columns
            )
        return self._shapes[models]

    def path_of(self, name: str) -> KeyPath | None:
        """Return the path of the key that a column has, or would have."""
        unknown = len(self._unknown)
        path = self._path_of(column_named(name, self._table.columns) or name)
        del self._unknown[unknown:]
        return path

    def _path_of(self, name: str) -> KeyPath | None:
        """Return the path of a column's key.

        Return None if it is ignored or unknown.
        """
        if name in self._settings:
            target = self._settings[name]
            return None if target is None else self._target(name, target)
        path = self._split(name)
        if path[0] in self._keys and self._may_be_translation(path):
            message = f"the project has no translations into '{path[-1]}'"
            self._report(Code.UNKNOWN_KEY, name, message, f"add 'languages: [{path[-1]}]' to cardgen.yaml")
            return None
        if path[0] in self._keys:
            return path
        matches = [key for key in self._keys if _fold(key) == _fold(name)]
        labeled = self._keys_by_label.get(_fold(name), frozenset())
        if matches or len(labeled) == 1:
            return (matches[0] if matches else next(iter(labeled)),)
        if self._takes_any:
            return (name,)
        self._unknown.append(name)
        return None

    def _may_be_translation(self, path: KeyPath) -> bool:
        """Return whether a path leads from a text to the tag of a language."""
        if len(path) < 2 or not shape_at(self._models, path[:-1]).is_text:
            return False
        with suppress(ValueError):
            return bool(parse_language(str(path[-1])))
        return False

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
        self.problems.append(Diagnostic(Code.UNKNOWN_KEY, message, self._place_of_setting(name), advice))
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
        kind = row.values.get(self._by_path.get((KIND,), ""))
        return as_choice(kind, self._kinds.by_kind) if isinstance(kind, str) else kind

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


def misplaced_header(table: Table, settings: Iterable[str], models: ModelClasses) -> Diagnostic | None:
    """Return what is wrong if a sheet begins with a card: the names of its columns are in a later row, or missing."""
    keys = {*accepted_keys(models), KIND, *_keys_by_label(models), *settings}
    known = {_fold(key) for key in keys}

    def number_of_keys(cells: Collection[object]) -> int:
        words = (cell for cell in cells if isinstance(cell, str))
        return sum(not known.isdisjoint((_fold(word), _fold(word.partition(".")[0]))) for word in words)

    for sheet in dict.fromkeys(path[0] for path in table.columns.values()):
        names = [name for name, path in table.columns.items() if path[0] == sheet]
        found = number_of_keys(names)
        if len(names) < 2 or found * 2 >= len(names):
            continue
        place = table.place(table.columns[names[0]])
        message = "the first row does not contain the names of the columns"
        for row in table.rows:
            cells = [cell for cell in row.values.values() if cell is not None]
            if row.path[0] == sheet and (number := number_of_keys(cells)) > max(1, found) and number * 2 > len(cells):
                header = table.place(row.path)
                line = f" from {'row' if header.is_cell else 'line'} {header.span.line}" if header.span else ""
                related = ((header, "the names of the columns"),)
                return Diagnostic(Code.BAD_TABLE, message, place, f"move them{line} to the top", related=related)
        if not found and any(name.isdecimal() for name in names):
            examples = join_words(canonical_keys(models)[:MAX_SUGGESTIONS], "and")
            help_text = f"write the names of the columns in a row above it, such as {examples}"
            return Diagnostic(Code.BAD_TABLE, message, place, help_text)
    return None


def _fold(name: str) -> str:
    return _WORDS.sub("", folded(name))


def column_named(name: str, columns: Iterable[str]) -> str | None:
    """Return the column that a name in the settings means, or None."""
    known = tuple(columns)
    return name if name in known else next((column for column in known if folded(column) == folded(name)), None)


class TextColumn(NamedTuple):
    """A column such as 'name.de': the column that it translates, and the language."""

    name: str
    base: str
    language: str


def take_translations(table: Table, languages: Collection[str], named: Iterable[str]) -> list[TextColumn]:
    """Take the columns that are translations into one of the languages from a spreadsheet, and return them.

    Those that the settings name are what these say.
    """
    found = []
    kept = {column_named(name, table.columns) for name in named}
    for name in table.columns if table.is_grid else ():
        if name in kept:
            continue
        base, _, tag = name.rpartition(".")
        with suppress(ValueError):
            if base and parse_language(tag.strip()) in languages:
                found.append(TextColumn(name, base.strip(), parse_language(tag.strip())))
    taken = {each.name for each in found}
    table.columns = {name: path for name, path in table.columns.items() if name not in taken}
    return found


def read_translations(
    table: Table, row: Row, cards: ColumnCards | MapCards, columns: Iterable[TextColumn]
) -> Translations:
    """Return the translations in a row."""
    found: dict[str, dict[str, tuple[str, Callable[[], Place]]]] = {}
    for name, base, language in columns:
        cell = row.values.get(name)
        path = cards.mapper.path_of(base) if isinstance(cards, ColumnCards) else tuple(base.split("."))
        if cell is None or path is None:
            continue
        place = partial(table.place, (*row.path, name))
        try:
            text = str(convert_cell(cell, FieldShape(is_text=True)))
        except CellError as error:
            table.problems.append(Diagnostic(error.code or Code.LOST_VALUE, error.message, place(), error.help))
        else:
            found.setdefault(language, {})["/".join(map(str, path))] = (text, place)
    return found


def translate(table: Table, values: Mapping[str, Mapping[str, Any]]) -> None:
    """Replace the authors' own words in the cells of columns, or in the items of a list there."""
    for name, words in values.items():
        column = column_named(name, table.columns)
        meanings = {folded(word): meaning for word, meaning in words.items()}
        for number, row in enumerate(table.rows):
            cell = row.values.get(column or "")
            if column and isinstance(cell, str):
                table.rows[number] = row._replace(values={**row.values, column: _meaning(cell, meanings)})


def _meaning(cell: str, meanings: Mapping[str, Any]) -> Any:
    if folded(cell) in meanings:
        return meanings[folded(cell)]
    items = split_list(cell)
    if len(items) < 2 or not any(folded(item) in meanings for item in items):
        return cell
    known = (meanings.get(folded(item), item) for item in items)
    return "; ".join(as_text(item) for item in known if item is not None)


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


# Cards from the rows of a table, by columns or mapping.

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
        whole = self.place(error.setting)
        if self.document is None or error.end <= error.start:
            place_of = whole
        else:
            path = (*self.path, *error.setting)
            place_of = self.document.place_of_substring(path, error.source, error.start, error.end) or whole
        return Diagnostic(Code.BAD_TABLE_EXPRESSION, error.message, place_of)


class KindModels(NamedTuple):
    """Models of the kinds by name, and the default kind of rows."""

    by_kind: Mapping[str, type[Model]]
    default: str | None = None

    def models(self, kind: object) -> ModelClasses:
        """Return the model of a kind, or of the default one.

        All models if there is no such kind.
        """
        model = self.by_kind.get(as_choice(kind, self.by_kind)) if isinstance(kind, str) else None
        model = model or self.by_kind.get(self.default or "")
        return (model,) if model else self.all

    @property
    def shape(self) -> FieldShape:
        """The shape of the names of kinds."""
        return FieldShape(is_text=True, choices=tuple(self.by_kind))

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
    selected = [row for row in table.rows if report.run(row, partial(_value, condition, rows, row))]
    if table.rows and not (selected or table.problems):
        table.problems += _nothing_selected(condition.expression.source, table, places)
    table.rows = selected
    report.finish(places)


def _nothing_selected(condition: str, table: Table, places: SettingsPlaces) -> Iterator[Diagnostic]:
    """Yield the warning that a condition on columns is true for no row, with the values that the columns have."""
    named = [name for name in table.columns if re.search(rf"\brow\W+{re.escape(name)}\b", condition)]
    values = {
        name: [*dict.fromkeys(str(cell) for row in table.rows if (cell := row.values.get(name)))] for name in named
    }
    shown = [f"'{name}' is {join_words(found[:_MOST_VALUES])}" for name, found in values.items() if found]
    if named:
        message = f"'rows' selects none of the {quantity(len(table.rows), 'row')} of the table"
        help_text = "; ".join(["correct the condition", *shown])
        place = places.place(("rows",))
        yield Diagnostic(Code.BAD_TABLE_EXPRESSION, message, place, help_text, Severity.WARNING)


_MOST_VALUES = 6


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
                self._table.problems.append(Diagnostic(Code.BAD_TABLE_EXPRESSION, message, self._table.place(row.path)))
            return None

    def finish(self, places: SettingsPlaces) -> None:
        """Report how many problems were left out."""
        if self._last and self._count > _MAX_PROBLEMS:
            message = f"the expression fails for {self._count - _MAX_PROBLEMS} more rows"
            place = places.place(self._last.setting)
            self._table.problems.append(Diagnostic(Code.BAD_TABLE_EXPRESSION, message, place))


_ID = "id"


class ColumnCards:
    """Cards whose keys are columns."""

    def __init__(
        self,
        table: Table,
        columns: Mapping[str, str | None],
        kinds: KindModels,
        places: SettingsPlaces,
        ids: Formula | None = None,
        rows: ExpressionRows | None = None,
    ) -> None:
        self._table, self._kinds, self._places = table, kinds, places
        self._ids, self._rows = ids, rows
        self.mapper = ColumnMapper(table, columns, kinds, lambda name: places.place(("columns", name)))
        table.problems += self.mapper.problems

    def read(self) -> Iterator[CardData]:
        """Yield the cards.

        Those with a cell that has no value are incomplete, and so are all if a column or the `id` is wrong.
        """
        mistakes = list(problems(self._ids, self._rows.shape, ANYTHING)) if self._ids and self._rows else []
        self._table.problems += map(self._places.diagnostic, mistakes)
        report = RowProblems(self._table)
        for row in self._table.rows:
            data, found = self.mapper.read(row, self._kinds.models(self.mapper.kind_of(row)))
            self._table.problems += found
            is_complete = not found and not self.mapper.problems
            if self._ids and self._rows and _ID not in data:
                words = None if mistakes else report.run(row, partial(_value, self._ids, self._rows, row))
                is_complete = is_complete and words is not None
                data |= {_ID: slugify(str(words))} if words is not None else {}
            yield CardData(data, row, is_complete)
        report.finish(self._places)

    @property
    def card_keys(self) -> frozenset[str]:
        """The keys of cards that have a column."""
        return frozenset(str(column.path[0]) for column in self.mapper.columns)

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
                # Data from cells in the shapes of their keys.
                if not self._table.is_grid:
                    convert = data
                else:
                    models = self._kinds.models(data.get(KIND))
                    convert = {key: self._convert_value(value, (key,), row, models) for key, value in data.items()}
                yield CardData(convert, row, is_complete=len(self._table.problems) == before)
        report.finish(self._places)

    def _evaluate(self, row: Row) -> Any:
        return evaluate(self._spec, self._rows.scope(row))

    def _convert_value(self, value: Any, path: KeyPath, row: Row, models: ModelClasses) -> Any:
        if isinstance(value, dict):
            return {key: self._convert_value(below, (*path, key), row, models) for key, below in value.items()}
        if isinstance(value, list):
            return value
        source = source_path(self._spec, path, Scope(None, ()))
        cell = row.values.get(str(source[0])) if len(source) == 1 else None
        shape = self._kinds.shape if path == (KIND,) else shape_at(models, path)
        try:
            return convert_cell(cell if isinstance(cell, LostValue) else value, shape)
        except CellError as error:
            place = self._table.place((*row.path, *source))
            self._table.problems.append(Diagnostic(error.code or Code.LOST_VALUE, error.message, place, error.help))
            return None

    @property
    def card_keys(self) -> frozenset[str]:
        """The keys that the map gives to cards."""
        return frozenset(self._spec)

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
