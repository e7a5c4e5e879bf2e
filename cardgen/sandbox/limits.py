"""Size limits on template values, operators, and filters."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

from jinja2 import TemplateRuntimeError, pass_environment
from jinja2.environment import Environment
from jinja2.filters import FILTERS, make_attrgetter
from markupsafe import Markup, escape

from cardgen.sandbox.printable import PRINTERS, require_printable
from cardgen.sandbox.weight import weight

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
