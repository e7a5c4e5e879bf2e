"""Functions, methods, and operators of expressions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from math import ceil, floor, isfinite, trunc
from operator import ge, gt, le, lt
from typing import Any

from jinja2 import TemplateRuntimeError
from pydantic import BaseModel

from cardgen.diagnostic import slugify
from cardgen.runtime.workspace import EVALUATION_STEPS
from cardgen.sandbox import limits
from cardgen.sandbox.frames import Frame
from cardgen.sandbox.limits import multiply
from cardgen.sandbox.values import (
    ExpressionError,
    cost_of_comparing,
    describe_kind,
    items_of,
    numbers_of,
    require_attribute,
    require_number,
    require_text,
    size_of,
    text_of,
    weight,
)
from cardgen.units import NBSP, signed

# Operators of expressions.


def compare(symbol: str, left: Any, right: Any) -> bool:
    """Return the result of a comparison, such as '<' or 'not in'.

    Raises ExpressionError for values without order.
    """
    if symbol in ("==", "!="):
        return bool(left == right) is (symbol == "==")
    if symbol in ("in", "not in"):
        return _contains(left, right) is (symbol == "in")
    try:
        return bool(_ORDER[symbol](left, right))
    except TypeError:
        kinds = f"{describe_kind(left)} and {describe_kind(right)}"
        raise ExpressionError(f"'{symbol}' cannot compare {kinds}") from None


_ORDER: dict[str, Callable[[Any, Any], Any]] = {"<": lt, "<=": le, ">": gt, ">=": ge}


def _contains(item: Any, whole: Any) -> bool:
    if isinstance(whole, str):
        return require_text(item, "in") in whole
    return item in items_of(whole, "in")


_NUMERIC: dict[str, Callable[[Any, Any], Any]] = {
    "/": lambda left, right: left / right, "//": lambda left, right: left // right,
    **{symbol: limits.OPERATORS[symbol] for symbol in ("-", "*", "**", "%")},
}  # fmt: skip


def calculate(symbol: str, left: Any, right: Any) -> Any:
    """Return the result of an arithmetic operator.

    Raises ExpressionError for values that it cannot work with.
    """
    is_sequence = isinstance(left, str | list | tuple)
    try:
        if symbol == "+" and is_sequence and type(left) is type(right):
            return limits.add(left, right)
        if symbol == "*" and is_sequence and type(right) is int:
            return limits.multiply(left, right)
        numbers = require_number(left, symbol), require_number(right, symbol)
        result = limits.add(*numbers) if symbol == "+" else _NUMERIC[symbol](*numbers)
    except ZeroDivisionError:
        raise ExpressionError("cannot divide by zero") from None
    except (TemplateRuntimeError, OverflowError) as error:
        raise ExpressionError(
            str(error) if isinstance(error, TemplateRuntimeError) else "a number is too large"
        ) from None
    if isinstance(result, complex) or (isinstance(result, float) and not isfinite(result)):
        raise ExpressionError("the result is not a number")
    return result


# Functions, filters, and tests of expressions.

_MAX_RANGE = 10_000
# Filters that apply a filter or a test to each item.
EACH_ITEM = frozenset({"map", "select", "reject", "selectattr", "rejectattr"})
# Functions and filters that can read an attribute of each value; their first argument is the frame.
READERS = EACH_ITEM | {"groupby", "join", "max", "min", "sort", "sum", "unique"}
_MAX_PLACES = 15


def size_of_arguments(name: str, values: list[Any]) -> int:
    """Return the size of what a function reads; filters of each item read their arguments for each."""
    if name in _COMPARING:
        return sum(map(cost_of_comparing, values))
    if name not in EACH_ITEM or not isinstance(values[0], list | tuple | Mapping):
        return sum(map(size_of, values))
    sizes = [size_of(values[0]), *map(cost_of_comparing, values[1:])]
    return sizes[0] + len(values[0]) * sum(sizes[1:])


def clamp(value: Any, low: Any, high: Any) -> Any:
    """Return the number, but at least `low` and at most `high`."""
    number, low, high = (require_number(each, "clamp") for each in (value, low, high))
    return max(low, min(number, high))


def _extreme(
    choose: Callable[..., Any],
    user: str,
    frame: Frame,
    /,
    first: Any,
    *others: Any,
    attribute: str | None = None,
) -> Any:
    values = [first, *others] if others else items_of(first, user)
    if not values:
        raise ExpressionError(f"'{user}' needs at least one value", user)
    return choose(numbers_of(_pick(values, attribute, frame), user))


def _sum(frame: Frame, /, first: Any, *others: Any, attribute: str | None = None) -> Any:
    values = [first, *others] if others else items_of(first, "sum")
    return sum(numbers_of(_pick(values, attribute, frame), "sum"))


def _pick(values: Iterable[Any], path: str | None, frame: Frame, *, compared: bool = False) -> list[Any]:
    """Return the values, or an attribute of each, whose path may have dots.

    Attributes count as steps, and so does all that is compared.
    """
    picked = list(values)
    for name in require_text(path, "attribute").split(".") if path is not None else ():
        picked = [require_attribute(value, name, "each", frame.links) for value in picked]
    if compared:
        frame.meter.spend(cost_of_comparing(picked))
    elif path is not None:
        frame.meter.spend(weight(picked, EVALUATION_STEPS))
    return picked


def _round(value: Any, precision: Any = 0, method: Any = "common") -> Any:
    number, places = require_number(value, "round"), require_number(precision, "round")
    if abs(places) > _MAX_PLACES:
        raise ExpressionError(f"numbers can be rounded to at most {_MAX_PLACES} places", "round")
    if method not in _ROUNDING:
        raise ExpressionError("'round' rounds 'common', 'ceil', or 'floor'", "round")
    factor = 10 ** int(places)
    return round(number, int(places)) if method == "common" else _ROUNDING[method](number * factor) / factor


_ROUNDING: dict[Any, Callable[[Any], Any]] = {"common": round, "ceil": ceil, "floor": floor}


def _units(value: Any, unit: Any) -> str:
    return f"{text_of(require_number(value, 'units'))}{NBSP}{require_text(unit, 'units')}"


def _range(*bounds: Any) -> list[int]:
    if not 1 <= len(bounds) <= 3 or not all(type(bound) is int for bound in bounds) or bounds[2:] == (0,):
        raise ExpressionError("'range' needs one to three whole numbers", "range")
    numbers = range(*bounds)
    if max(map(abs, bounds)) > 10**12 or len(numbers) > _MAX_RANGE:
        raise ExpressionError(f"'range' returns at most {_MAX_RANGE:,} numbers", "range")
    return list(numbers)


def _to_number(kind: Callable[[Any], Any], value: Any, default: Any = 0) -> Any:
    try:
        number = kind(value) if isinstance(value, str | int | float) and len(str(value)) <= 100 else default
        return number if number is default or isfinite(number) else default
    except (ValueError, OverflowError):
        return default


def _length(value: Any) -> int:
    return len(value) if isinstance(value, str) else len(items_of(value, "length"))


def _end(index: int, user: str, value: Any) -> Any:
    items = value if isinstance(value, str) else items_of(value, user)
    if not items:
        raise ExpressionError(f"'{user}' needs at least one value", user)
    return items[index]


def _join(frame: Frame, /, value: Any, between: Any = "", attribute: str | None = None) -> str:
    texts = [text_of(each) for each in _pick(items_of(value, "join"), attribute, frame)]
    glue = text_of(between)
    multiply(glue, len(texts))  # refuses what would be too long
    return glue.join(texts)


def _replace(value: Any, old: Any, new: Any) -> str:
    text, old, new = text_of(value), require_text(old, "replace"), text_of(new)
    multiply(new, text.count(old) if old else len(text) + 1)
    return text.replace(old, new)


def _sort_key(value: Any) -> Any:
    return value.casefold() if isinstance(value, str) else value


def _sort(frame: Frame, /, value: Any, reverse: Any = False, attribute: str | None = None) -> list[Any]:
    values = items_of(value, "sort")
    keys = [_sort_key(key) for key in _pick(values, attribute, frame, compared=True)]
    try:
        order = sorted(range(len(values)), key=keys.__getitem__, reverse=bool(reverse))
    except TypeError:
        raise ExpressionError("'sort' needs numbers only, or texts only", "sort") from None
    return [values[index] for index in order]


def _unique(frame: Frame, /, value: Any, attribute: str | None = None) -> list[Any]:
    values = items_of(value, "unique")
    if len(values) > 1_000:
        raise ExpressionError("'unique' takes at most 1,000 values", "unique")
    kept: dict[Any, Any] = {}
    for item, key in zip(values, map(_sort_key, _pick(values, attribute, frame, compared=True)), strict=True):
        kept.setdefault(_hashable(key), item)
    return list(kept.values())


def _hashable(value: Any) -> Any:
    """Return a value that equals another's exactly if the values are equal."""
    if isinstance(value, BaseModel):
        return type(value), _hashable(dict(value))
    if isinstance(value, Mapping):
        return Mapping, frozenset((key, _hashable(item)) for key, item in value.items())
    return (list, *map(_hashable, value)) if isinstance(value, list | tuple) else value


def _groupby(frame: Frame, /, value: Any, attribute: str) -> list[list[Any]]:
    groups: list[list[Any]] = []
    values = _sort(frame, value, attribute=attribute)
    for item, key in zip(values, _pick(values, attribute, frame, compared=True), strict=True):
        if not groups or groups[-1][0] != key:
            groups.append([key, []])
        groups[-1][1].append(item)
    return groups


def _map(frame: Frame, /, value: Any, name: Any = None, *args: Any, attribute: str | None = None) -> list[Any]:
    values = items_of(value, "map")
    if attribute is not None:
        return _pick(values, attribute, frame)
    if name not in FILTERS or name in EACH_ITEM:
        raise ExpressionError("'map' needs the name of a filter, or attribute='…'", "map")
    apply = partial(FILTERS[name], frame) if name in READERS else FILTERS[name]
    return [apply(each, *args) for each in values]


def _filter_by(user: str, wanted: bool, has_attribute: bool, frame: Frame, /, value: Any, *args: Any) -> list[Any]:
    values = items_of(value, user)
    path, args = (args[0], args[1:]) if has_attribute and args else (None, args)
    test, *more = args or ("truthy",)
    if (has_attribute and path is None) or test not in TESTS:
        raise ExpressionError(f"'{user}' needs {'an attribute and ' if has_attribute else ''}the name of a test", user)
    pairs = zip(values, _pick(values, path, frame, compared=test in _COMPARING), strict=True)
    return [item for item, key in pairs if bool(TESTS[test](key, *more)) is wanted]


def _title(value: Any) -> str:
    from jinja2.filters import do_title

    return str(do_title(require_text(value, "title")))


def _truncate(value: Any, length: Any = 255, end: Any = "…") -> str:
    text, most = require_text(value, "truncate"), int(require_number(length, "truncate"))
    return text if len(text) <= most else text[: max(0, most - len(text_of(end)))].rstrip() + text_of(end)


def _on_text(user: str, change: Callable[[str], Any]) -> Callable[[Any], Any]:
    return lambda value: change(require_text(value, user))


_BOTH: dict[str, Callable[..., Any]] = {
    "abs": lambda value: abs(require_number(value, "abs")),
    "clamp": clamp, "max": partial(_extreme, max, "max"), "min": partial(_extreme, min, "min"), "round": _round,
    "signed": lambda value: signed(require_number(value, "signed")), "slug": _on_text("slug", slugify), "sum": _sum,
    "title": _title, "units": _units,
}  # fmt: skip
FUNCTIONS: dict[str, Callable[..., Any]] = {
    **_BOTH, "range": _range, "dict": lambda **items: items, "length": _length,
}  # fmt: skip
FILTERS: dict[str, Callable[..., Any]] = {
    **_BOTH, "capitalize": _on_text("capitalize", str.capitalize), "count": _length,
    "dictsort": lambda value: sorted(dict(_pairs(value, "dictsort")).items(), key=lambda pair: text_of(pair[0])),
    "first": partial(_end, 0, "first"), "float": partial(_to_number, float), "groupby": _groupby,
    "int": partial(_to_number, lambda value: trunc(float(value)) if isinstance(value, str) else int(value)),
    "items": lambda value: _pairs(value, "items"), "join": _join, "last": partial(_end, -1, "last"),
    "length": _length, "list": lambda value: list(value) if isinstance(value, str) else items_of(value, "list"),
    "lower": _on_text("lower", str.lower), "map": _map, "reject": partial(_filter_by, "reject", False, False),
    "rejectattr": partial(_filter_by, "rejectattr", False, True), "replace": _replace,
    "reverse": lambda value: value[::-1] if isinstance(value, str) else items_of(value, "reverse")[::-1],
    "select": partial(_filter_by, "select", True, False), "selectattr": partial(_filter_by, "selectattr", True, True),
    "sort": _sort, "string": text_of, "trim": _on_text("trim", str.strip), "truncate": _truncate, "unique": _unique,
    "upper": _on_text("upper", str.upper), "wordcount": _on_text("wordcount", lambda text: len(text.split())),
}  # fmt: skip


def _pairs(value: Any, user: str) -> list[tuple[Any, Any]]:
    if not isinstance(value, Mapping):
        raise ExpressionError(f"'{user}' needs a map, not {describe_kind(value)}", user)
    return list(value.items())


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_divisible(value: Any, by: Any) -> bool:
    if not require_number(by, "divisibleby"):
        raise ExpressionError("cannot divide by zero", "divisibleby")
    return bool(require_number(value, "divisibleby") % by == 0)


_COMPARISONS: dict[str, tuple[str, ...]] = {
    "==": ("eq", "equalto", "sameas"), "!=": ("ne",), "<": ("lt", "lessthan"), "<=": ("le",),
    ">": ("gt", "greaterthan"), ">=": ("ge",), "in": (),
}  # fmt: skip
_COMPARING = frozenset({*_COMPARISONS, *(name for names in _COMPARISONS.values() for name in names)})
TESTS: dict[str, Callable[..., Any]] = {
    **{name: partial(compare, symbol) for symbol, names in _COMPARISONS.items() for name in (symbol, *names)},
    "boolean": lambda value: isinstance(value, bool), "divisibleby": _is_divisible,
    "even": lambda value: require_number(value, "even") % 2 == 0, "false": lambda value: value is False,
    "float": lambda value: isinstance(value, float), "integer": lambda value: type(value) is int,
    "iterable": lambda value: isinstance(value, str | list | tuple | Mapping),
    "lower": lambda value: text_of(value).islower(), "mapping": lambda value: isinstance(value, Mapping),
    "none": lambda value: value is None, "number": _is_number,
    "odd": lambda value: require_number(value, "odd") % 2 == 1,
    "sequence": lambda value: isinstance(value, str | list | tuple), "string": lambda value: isinstance(value, str),
    "true": lambda value: value is True, "truthy": bool,
    "upper": lambda value: text_of(value).isupper(),
}  # fmt: skip


# Methods of texts, maps, and lists in expressions.

# They cannot build texts longer than their text and arguments.
_TEXT_METHODS = frozenset({
    "capitalize", "endswith", "find", "isalpha", "isdigit", "islower", "isupper", "lower", "lstrip", "removeprefix",
    "removesuffix", "rfind", "rsplit", "rstrip", "split", "splitlines", "startswith", "strip", "swapcase", "title",
    "upper",
})  # fmt: skip
_MAP_METHODS = frozenset({"get", "items", "keys", "values"})
TEXT_METHODS = _TEXT_METHODS | _MAP_METHODS


def call_method(owner: Any, name: str, args: tuple[Any, ...]) -> Any:
    """Return the result of a method of a text or a map.

    Raises ExpressionError if it has no such method.
    """
    if isinstance(owner, str) and name in _TEXT_METHODS:
        return getattr(str, name)(owner, *args)
    if isinstance(owner, Mapping) and name in _MAP_METHODS:
        result = getattr(owner, name)(*args)
        return result if name == "get" else [list(each) if isinstance(each, tuple) else each for each in result]
    raise ExpressionError(f"{describe_kind(owner)} has no function '{name}'", name)


def _count(values: list[Any], has_argument: bool) -> int:
    return sum(1 for value in values if value) if has_argument else len(values)


def _extreme_of_list(choose: Callable[[Any], Any], name: str) -> Callable[[list[Any], bool], Any]:
    def aggregate(values: list[Any], has_argument: bool) -> Any:
        if not values:
            raise ExpressionError(f"'{name}' needs at least one value; test 'count()' first", name)
        return choose(numbers_of(values, name))

    return aggregate


# Functions of lists; they receive the values, and whether an argument computed them.
AGGREGATES: dict[str, Callable[[list[Any], bool], Any]] = {
    "sum": lambda values, _: sum(numbers_of(values, "sum")),
    "any": lambda values, _: any(values),
    "all": lambda values, _: all(values),
    "max": _extreme_of_list(max, "max"),
    "min": _extreme_of_list(min, "min"),
    "count": _count,
}
