"""Mapping from the rows of a table to keys of cards by expressions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from cardgen.runtime.workspace import Budget
from cardgen.sandbox.expression import Expression, ExpressionError
from cardgen.sandbox.frames import ANYTHING, Shape
from cardgen.source import KeyPath
from cardgen.validation.validate import describe_value

_EACH, _MAP = "each", "map"
# A path such as row.weapons[0].name at the start of an expression, or anywhere in it.
_PATH = re.compile(r"\b(row|parent|data)((?:\.[A-Za-z_]\w*(?!\w|\()|\[(?:\d+|'[^']*'|\"[^\"]*\")\])*)")
_STEP = re.compile(r"\.([A-Za-z_]\w*)|\[(\d+)\]|\['([^']*)'\]|\[\"([^\"]*)\"\]")
_MAX_DEPTH = 16
# What the scope of an item and the map for it cost, in steps of expressions.
_SCOPE_STEPS = 10
# Values without parts. Lists may have 100,000 of them, so that a call for each would take seconds.
_SCALARS = frozenset({type(None), bool, int, float, str})


class MappingError(ValueError):
    """A mistake in a mapping.

    It has the path of the setting, and the range of characters in the expression.
    """

    def __init__(self, message: str, setting: KeyPath, start: int = 0, end: int = 0, source: str = "") -> None:
        super().__init__(message)
        self.message, self.setting, self.start, self.end, self.source = message, setting, start, end, source


class Scope(NamedTuple):
    """Variables of a mapping: a row, and the row around it.

    Also the paths of both in the table.
    """

    row: Any
    path: KeyPath
    parent: Scope | None = None

    @property
    def names(self) -> dict[str, Any]:
        """The names of expressions."""
        return {"row": self.row, "parent": self.parent.row if self.parent else None}


class Formula(NamedTuple):
    """Expression of a setting.

    `path` is the path that it reads first, from the row or, if `of_parent` is true, from the row around it; `is_path`
    says that it cannot be anything else.
    """

    expression: Expression
    setting: KeyPath
    budget: Budget
    path: KeyPath = ()
    of_parent: bool = False
    is_path: bool = False

    def evaluate(self, names: Mapping[str, Any]) -> Any:
        """Return the plain value for these names. Raises MappingError."""
        try:
            value = _plain(self.expression.evaluate(names, self.budget))
        except ExpressionError as error:
            raise self.locate(error) from None
        self.budget.spend(_parts(value))
        return value

    def locate(self, error: ExpressionError) -> MappingError:
        """Return the error of the expression as one of its setting."""
        return MappingError(error.message, self.setting, error.start, error.end, self.expression.source)

    def source_path(self, scope: Scope) -> KeyPath:
        """Return the path in the table of what the expression reads first."""
        owner = scope.parent if self.of_parent and scope.parent else scope
        return (*owner.path, *self.path)


class Each(NamedTuple):
    """List of maps, one for each item of a list."""

    items: Formula
    map: MapSpec

    def scopes(self, scope: Scope) -> list[Scope]:
        """Return the scope of each item.

        Raises MappingError unless the expression gives a list.
        """
        items = self.items.evaluate(scope.names)
        if items is None:
            return []
        if not isinstance(items, list):
            message = f"'{_EACH}' must return a list, not {describe_value(items)}"
            raise MappingError(message, self.items.setting, source=self.items.expression.source)
        start = self.items.source_path(scope)
        self.items.budget.spend(_SCOPE_STEPS * len(items))
        return [
            Scope(item, (*start, index) if self.items.is_path else start, scope) for index, item in enumerate(items)
        ]


MapSpec: TypeAlias = "dict[str, Spec]"
Spec: TypeAlias = "Formula | Each | MapSpec | list[Spec] | int | float | bool | None"


def compile_map(settings: Mapping[str, Any], setting: KeyPath, budget: Budget) -> MapSpec:
    """Return the mapping in a setting, whose expressions share the budget.

    Raises MappingError for the first mistake in it.
    """
    return {key: _compile(value, (*setting, key), budget) for key, value in settings.items()}


def compile_formula(source: str, setting: KeyPath, budget: Budget) -> Formula:
    """Return the expression of a setting, which takes its steps from the budget.

    Raises MappingError if it is not valid.
    """
    try:
        expression = Expression(source)
    except ExpressionError as error:
        raise MappingError(error.message, setting, error.start, error.end, source) from None
    match = _PATH.search(source)
    if match is None:
        return Formula(expression, setting, budget)
    path = tuple(_steps(match[2]))
    return Formula(expression, setting, budget, path, match[1] == "parent", match[0] == source.strip())


def _steps(text: str) -> Iterator[str | int]:
    for step in _STEP.finditer(text):
        yield int(step[2]) if step[2] else step[step.lastindex or 0]


def _compile(value: Any, setting: KeyPath, budget: Budget) -> Spec:
    if len(setting) > _MAX_DEPTH:
        raise MappingError("the mapping is nested too deeply", setting)
    if isinstance(value, str):
        return compile_formula(value, setting, budget)
    if isinstance(value, list):
        return [_compile(item, (*setting, index), budget) for index, item in enumerate(value)]
    if isinstance(value, dict) and value.keys() == {_EACH, _MAP}:
        if not isinstance(value[_EACH], str) or not isinstance(value[_MAP], dict):
            raise MappingError(f"'{_EACH}' must be an expression, and '{_MAP}' a map", setting)
        items = compile_formula(value[_EACH], (*setting, _EACH), budget)
        return Each(items, compile_map(value[_MAP], (*setting, _MAP), budget))
    return compile_map(value, setting, budget) if isinstance(value, dict) else value


def evaluate(spec: Spec, scope: Scope) -> Any:
    """Return the value of a mapping for a row.

    Keys and items without a value are left out.

    Raises MappingError.
    """
    if isinstance(spec, Formula):
        return spec.evaluate(scope.names)
    if isinstance(spec, Each):
        return [evaluate(spec.map, each) for each in spec.scopes(scope)]
    if isinstance(spec, dict):
        values = ((key, evaluate(below, scope)) for key, below in spec.items())
        return {key: value for key, value in values if value is not None}
    if isinstance(spec, list):
        return [item for below in spec for item in _spread(evaluate(below, scope))]
    return spec


def _spread(value: Any) -> list[Any]:
    """Return the items of a list within a list, or the value as the only one."""
    return value if isinstance(value, list) else [] if value is None else [value]


def _parts(value: Any) -> int:
    """Return the number of items in a plain value, however nested."""
    if isinstance(value, dict):
        value = list(value.values())
    if not isinstance(value, list):
        return 0
    return len(value) + sum(_parts(item) for item in value if type(item) not in _SCALARS)


def _plain(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [item if type(item) in _SCALARS else _plain(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if value is None or isinstance(value, str | int | float):
        return value
    raise ExpressionError("the result of the expression is not a text, number, boolean, list, or map")


def source_path(spec: Spec, path: KeyPath, scope: Scope) -> KeyPath:
    """Return the path in the table for a path in a card.

    It is that of the row if no expression gives the value.
    """
    if isinstance(spec, Formula):
        return (*spec.source_path(scope), *path) if spec.is_path else spec.source_path(scope)
    step, *rest = path or (None,)
    if isinstance(spec, Each) and isinstance(step, int):
        scopes = spec.scopes(scope)
        return source_path(spec.map, tuple(rest), scopes[step]) if step < len(scopes) else spec.items.source_path(scope)
    if isinstance(spec, Each):
        return spec.items.source_path(scope)
    if isinstance(spec, dict) and step in spec:
        return source_path(spec[str(step)], tuple(rest), scope)
    if isinstance(spec, list) and isinstance(step, int):
        return _path_of_item(spec, step, tuple(rest), scope)
    return scope.path


def _path_of_item(specs: list[Spec], index: int, rest: KeyPath, scope: Scope) -> KeyPath:
    """Return the path of an item of a list, in which lists are spread."""
    for spec in specs:
        value = evaluate(spec, scope)
        items = _spread(value)
        if index < len(items):
            return source_path(spec, (index, *rest) if isinstance(value, list) else rest, scope)
        index -= len(items)
    return scope.path


def problems(spec: Spec, row: Shape, parent: Shape) -> Iterator[MappingError]:
    """Yield every name in the expressions that rows of this shape do not have."""
    names = {"row": row, "parent": parent}
    if isinstance(spec, Formula):
        yield from map(spec.locate, spec.expression.problems(names))
    elif isinstance(spec, Each):
        yield from problems(spec.items, row, parent)
        below = _shape_below(parent if spec.items.of_parent else row, spec.items)
        yield from problems(spec.map, below, row)
    elif isinstance(spec, dict | list):
        for below_spec in spec.values() if isinstance(spec, dict) else spec:
            yield from problems(below_spec, row, parent)


def _shape_below(shape: Shape, items: Formula) -> Shape:
    for step in items.path if items.is_path else ():
        shape = (shape.items if isinstance(step, int) else (shape.fields or {}).get(step)) or ANYTHING
    return (shape.items if items.is_path else None) or ANYTHING
