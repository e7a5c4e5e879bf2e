"""Limits of what templates print and compute."""

from __future__ import annotations

from collections.abc import Callable, ItemsView, Iterable, Iterator, KeysView, Set, ValuesView
from dataclasses import fields, is_dataclass
from functools import wraps
from types import NoneType
from typing import Any

from jinja2 import TemplateRuntimeError, pass_environment
from jinja2.environment import Environment, TemplateModule
from jinja2.filters import FILTERS, make_attrgetter
from jinja2.nodes import EvalContext
from jinja2.runtime import Context, Undefined
from jinja2.utils import Namespace
from markupsafe import Markup, escape
from pydantic import BaseModel

from cardgen.sandbox.values import weight

# Sizes of values.


# Values of expressions: kinds in words, attributes, texts, and sizes.


# Values that templates can print.
# The same template must give the same bytes in every process. The text of a function or an iterator contains its
# address in memory, and the text of a set depends on the hash seed.

_PLAIN_TYPES = frozenset({str, Markup, int, float, bool, NoneType})
_VIEWS = (KeysView, ValuesView, ItemsView)
_TRANSPARENT_TYPES = (*_VIEWS, TemplateModule, Undefined)
# More than any value that `limits` lets a template build.
_MAX_PARTS = 2_000_000
_MAX_FLOATS = 10_000
# What Jinja2 passes to filters besides their arguments.
_PASSED_TYPES = (Environment, EvalContext, Context)
# Filters that make texts of their arguments; `join` checks what it joins.
TEXT_FILTERS = (
    "capitalize", "e", "escape", "forceescape", "lower", "replace", "safe", "string", "striptags", "title", "trim",
    "truncate", "upper", "urlencode", "wordcount",
)  # fmt: skip


def escape_text(text: str) -> str:
    """Return a text escaped; Markupsafe makes a new object even if there is nothing to escape."""
    is_plain = not ("&" in text or "<" in text or ">" in text or '"' in text or "'" in text)
    return text if is_plain else escape(text)


class _FloatTexts(dict[float, str]):
    """Texts of numbers; most cards have the same lengths and positions."""

    def __missing__(self, number: float) -> str:
        text = str(number)
        if number:  # 0.0 and -0.0 are equal, but have different texts
            if len(self) >= _MAX_FLOATS:
                self.clear()
            self[number] = text
        return text


# How the most common types are printed.
PRINTERS: dict[type, Callable[[Any], str]] = {
    str: escape_text, Markup: lambda text: text, int: str, float: _FloatTexts().__getitem__,
}  # fmt: skip


def require_printable(value: Any) -> Any:
    """Return the value if its text is the same in every process.

    Raises TemplateRuntimeError for functions, iterators, and sets, also inside other values.
    """
    pending = [value]
    for part in pending:
        kind = type(part)
        if kind in _PLAIN_TYPES:
            continue
        if _is_unprintable(part):
            raise TemplateRuntimeError(f"a value of type '{kind.__name__}' cannot be printed")
        if len(pending) < _MAX_PARTS:
            pending.extend(_parts(part))
    return value


def _is_unprintable(value: Any) -> bool:
    if isinstance(value, _TRANSPARENT_TYPES):
        return False
    if callable(value) or isinstance(value, (Set, Iterator, Namespace)):
        return True
    return vars(object)["__repr__"] is type(value).__repr__ and vars(object)["__str__"] is type(value).__str__


def _parts(value: Any) -> list[Any]:
    if isinstance(value, (list, tuple, *_VIEWS)):
        return list(value)
    if isinstance(value, dict):
        return [*value.keys(), *value.values()]
    if isinstance(value, BaseModel):
        return list(value.__dict__.values())
    return [getattr(value, each.name) for each in fields(value)] if is_dataclass(value) else []


def checked_filter(original: Callable[..., Any]) -> Callable[..., Any]:
    """Return a filter that accepts only printable arguments, because it makes texts of them."""

    @wraps(original)  # copies the attributes by which Jinja2 passes the environment
    def checked(*args: Any, **kwargs: Any) -> Any:
        for value in (*args, *kwargs.values()):
            if type(value) not in _PLAIN_TYPES and not isinstance(value, _PASSED_TYPES):
                require_printable(value)
        return original(*args, **kwargs)

    return checked


# Size limits on template values, operators, and filters.

_MAX_OUTPUT = 4 << 20
_MAX_TEXT = 100_000
_MAX_NUMBER = 10**12
_MAX_WEIGHT = 1_000_000
_MAX_PLACES = 15
_FEW = 100
_NUMBERS = frozenset({int, float})


def join_output(parts: Iterable[str]) -> str:
    """Return the text of a template, block, or macro from its pieces."""
    if not isinstance(parts, list):
        parts = _within(parts, _MAX_OUTPUT)
    elif sum(map(len, parts)) > _MAX_OUTPUT:
        raise _too_long(_MAX_OUTPUT)
    return "".join(parts)


def concatenate(parts: Iterable[Any]) -> Markup:
    """Return the result of `~`."""
    texts = [
        escape(require_printable(part)) if (printer := PRINTERS.get(type(part))) is None else printer(part)
        for part in parts
    ]
    if sum(map(len, texts)) > _MAX_TEXT:
        raise _too_long(_MAX_TEXT)
    return Markup("".join(texts))


def require_light(values: Any, times: float = 1) -> Any:
    """Return the values, unless `times` copies of them are too heavy.

    Otherwise a list of two lists of two lists … would take hardly any memory, but forever to print or compare.
    """
    if type(values) is list and len(values) < _FEW and _NUMBERS.issuperset(map(type, values)) and times <= 1:
        return values
    if weight(values, _MAX_WEIGHT) * max(times, 1) > _MAX_WEIGHT:
        raise TemplateRuntimeError(f"values cannot have more than {_MAX_WEIGHT:,} items and characters in total")
    return values


def make_dict(*values: Any, **more: Any) -> dict[Any, Any]:
    """Return the result of `dict(…)` in a template."""
    return dict(require_light(dict(*values, **more)))


def add(left: Any, right: Any) -> Any:
    """Return the result of `+`."""
    if type(left) in _NUMBERS and type(right) in _NUMBERS:
        return left + right
    if hasattr(left, "__len__") and hasattr(right, "__len__") and len(left) + len(right) > _MAX_TEXT:
        raise TemplateRuntimeError("the result of + would be too long")
    if isinstance(left, list | tuple):
        require_light((left, right))
    return left + right


def multiply(left: Any, right: Any) -> Any:
    """Return the result of `*`.

    Refuses huge numbers, and long repetitions of texts and lists.
    """
    if type(left) in _NUMBERS and type(right) in _NUMBERS and max(abs(left), abs(right)) <= _MAX_NUMBER:
        return left * right
    numbers = [abs(value) for value in (left, right) if isinstance(value, int | float)]
    lengths = [len(value) for value in (left, right) if not isinstance(value, int | float)]
    if lengths and lengths[0] * max(numbers, default=0) > _MAX_TEXT:
        raise TemplateRuntimeError("the result of * would be too long")
    for value in (left, right):
        if isinstance(value, list | tuple):
            require_light(value, max(numbers, default=0))
    if max(numbers, default=0) > _MAX_NUMBER:
        raise TemplateRuntimeError("numbers are too large for *")
    return left * right


def subtract(left: Any, right: Any) -> Any:
    """Return the result of `-`."""
    if type(left) in _NUMBERS and type(right) in _NUMBERS:
        return left - right
    if not isinstance(left, int | float) or not isinstance(right, int | float):
        raise TemplateRuntimeError("only numbers can be subtracted")
    return left - right


def _power(left: Any, right: Any) -> Any:
    if abs(right) > 64 or abs(left) > _MAX_NUMBER:
        raise TemplateRuntimeError("numbers are too large for **")
    return left**right


def _remainder(left: Any, right: Any) -> Any:
    if isinstance(left, str):
        raise TemplateRuntimeError("% cannot format texts; join them with ~")
    return left % right


OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "+": add,
    "-": subtract,
    "*": multiply,
    "**": _power,
    "%": _remainder,
}


def _within(parts: Iterable[str], limit: int) -> list[str]:
    kept, total = [], 0
    for part in parts:
        total += len(part)
        if total > limit:
            raise _too_long(limit)
        kept.append(part)
    return kept


def _too_long(limit: int) -> TemplateRuntimeError:
    return TemplateRuntimeError(f"a text cannot have more than {limit:,} characters")


def _replace_filter(value: Any, old: str, new: str) -> str:
    text = str(value)
    if (text.count(old) if old else len(text) + 1) * len(new) > _MAX_TEXT:
        raise _too_long(_MAX_TEXT)
    return text.replace(old, new)


def _join_filter(values: Iterable[Any], between: str = "") -> Markup:
    parts = [escape(require_printable(value)) for value in values]
    require_printable(between)
    _within([*parts, *[between] * len(parts)], _MAX_TEXT)
    return escape(between).join(parts)


def _list_filter(values: Iterable[Any]) -> list[Any]:
    return list(require_light(list(values)))


@pass_environment
def _sum_filter(
    environment: Environment, values: Iterable[Any], attribute: str | None = None, start: float = 0
) -> float:
    total = start
    for item in values if attribute is None else map(make_attrgetter(environment, attribute), values):
        if not isinstance(item, int | float):
            raise TemplateRuntimeError("'sum' works only with numbers; use 'join' for texts")
        total += item
    return total


def _round_filter(value: float, precision: int = 0, method: str = "common") -> float:
    if abs(precision) > _MAX_PLACES:
        raise TemplateRuntimeError(f"numbers can be rounded to at most {_MAX_PLACES} places")
    if method == "common":
        return round(value, precision)
    return FILTERS["round"](value, precision, method)  # type: ignore[no-any-return]


def _extreme_filter(name: str) -> Callable[..., Any]:
    original, choose = FILTERS[name], {"min": min, "max": max}[name]

    @wraps(original)  # copies the attributes by which Jinja2 passes the environment
    def extreme(environment: Environment, values: Any, *args: Any, **kwargs: Any) -> Any:
        if type(values) is list and values and not args and not kwargs and _NUMBERS.issuperset(map(type, values)):
            return choose(values)
        return original(environment, values, *args, **kwargs)

    return extreme


def _light_filter(name: str) -> Callable[..., Any]:
    original = FILTERS[name]

    @wraps(original)  # copies the attributes by which Jinja2 passes the environment
    def measured(*args: Any, **kwargs: Any) -> Any:
        found = original(*args, **kwargs)
        return require_light(found if isinstance(found, list | str) else list(found))

    return measured


BOUNDED_FILTERS: dict[str, Callable[..., Any]] = {
    "sort": _light_filter("sort"), "reverse": _light_filter("reverse"), "groupby": _light_filter("groupby"),
    "replace": _replace_filter, "join": _join_filter, "list": _list_filter, "sum": _sum_filter, "round": _round_filter,
    "min": _extreme_filter("min"), "max": _extreme_filter("max"),
}  # fmt: skip
