"""What templates may make of values: nothing gigantic, and nothing that takes for ever."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

from jinja2 import TemplateRuntimeError, pass_environment
from jinja2.environment import Environment
from jinja2.filters import FILTERS, make_attrgetter
from markupsafe import Markup, escape

from cardgen.face.weight import weight

_LARGEST_OUTPUT = 4 << 20
_LARGEST_TEXT = 100_000
_LARGEST_NUMBER = 10**12
_HEAVIEST = 1_000_000
_MOST_PLACES = 15
_NUMBERS = frozenset({int, float})


def put_together(parts: Iterable[str]) -> str:
    """The text of a template, a block or a macro, from its pieces."""
    if not isinstance(parts, list):
        parts = _bounded(parts, _LARGEST_OUTPUT)
    elif sum(map(len, parts)) > _LARGEST_OUTPUT:
        raise _too_long(_LARGEST_OUTPUT)
    return "".join(parts)


def joined(parts: Iterable[Any]) -> Markup:
    """What `~` makes of its operands."""
    texts = [part if type(part) is Markup else escape(part) for part in parts]
    if sum(map(len, texts)) > _LARGEST_TEXT:
        raise _too_long(_LARGEST_TEXT)
    return Markup("".join(texts))


def light(values: Any, times: float = 1) -> Any:
    """The same values, if so many of them are not too heavy.

    Without that a list of two lists of two lists … would take no memory, and for ever to print or to compare.
    """
    if weight(values, _HEAVIEST) * max(times, 1) > _HEAVIEST:
        raise TemplateRuntimeError(f"values of more than {_HEAVIEST:,} items and characters in all are refused")
    return values


def dictionary(*values: Any, **more: Any) -> dict[Any, Any]:
    """What `dict(…)` gives in a template."""
    return dict(light(dict(*values, **more)))


def added(left: Any, right: Any) -> Any:
    """What `+` gives."""
    if type(left) in _NUMBERS and type(right) in _NUMBERS:
        return left + right
    if hasattr(left, "__len__") and hasattr(right, "__len__") and len(left) + len(right) > _LARGEST_TEXT:
        raise TemplateRuntimeError("a sum of that length is refused")
    if isinstance(left, list | tuple):
        light((left, right))
    return left + right


def multiplied(left: Any, right: Any) -> Any:
    """What `*` gives: two numbers may not be gigantic; a text or list times a number may not be long."""
    if type(left) in _NUMBERS and type(right) in _NUMBERS and max(abs(left), abs(right)) <= _LARGEST_NUMBER:
        return left * right
    numbers = [abs(value) for value in (left, right) if isinstance(value, int | float)]
    lengths = [len(value) for value in (left, right) if not isinstance(value, int | float)]
    if lengths and lengths[0] * max(numbers, default=0) > _LARGEST_TEXT:
        raise TemplateRuntimeError("a repetition of that length is refused")
    for value in (left, right):
        if isinstance(value, list | tuple):
            light(value, max(numbers, default=0))
    if max(numbers, default=0) > _LARGEST_NUMBER:
        raise TemplateRuntimeError("a product of such large numbers is refused")
    return left * right


def _raised(left: Any, right: Any) -> Any:
    if abs(right) > 64 or abs(left) > _LARGEST_NUMBER:
        raise TemplateRuntimeError("a power of such large numbers is refused")
    return left**right


def _remainder(left: Any, right: Any) -> Any:
    if isinstance(left, str):
        raise TemplateRuntimeError("texts cannot be formatted with %; join them with ~")
    return left % right


OPERATORS: dict[str, Callable[[Any, Any], Any]] = {"+": added, "*": multiplied, "**": _raised, "%": _remainder}


def _bounded(parts: Iterable[str], most: int) -> list[str]:
    kept, total = [], 0
    for part in parts:
        total += len(part)
        if total > most:
            raise _too_long(most)
        kept.append(part)
    return kept


def _too_long(most: int) -> TemplateRuntimeError:
    return TemplateRuntimeError(f"a text of more than {most:,} characters is refused")


def _replaced(value: Any, old: str, new: str) -> str:
    text = str(value)
    if (text.count(old) if old else len(text) + 1) * len(new) > _LARGEST_TEXT:
        raise _too_long(_LARGEST_TEXT)
    return text.replace(old, new)


def _joined(values: Iterable[Any], between: str = "") -> Markup:
    parts = [escape(value) for value in values]
    _bounded([*parts, *[between] * len(parts)], _LARGEST_TEXT)
    return escape(between).join(parts)


def _listed(values: Iterable[Any]) -> list[Any]:
    return list(light(list(values)))


@pass_environment
def _summed(environment: Environment, values: Iterable[Any], attribute: str | None = None, start: float = 0) -> float:
    total = start
    for item in values if attribute is None else map(make_attrgetter(environment, attribute), values):
        if not isinstance(item, int | float):
            raise TemplateRuntimeError("only numbers can be summed up; join texts with |join")
        total += item
    return total


def _rounded(value: float, precision: int = 0, method: str = "common") -> float:
    if abs(precision) > _MOST_PLACES:
        raise TemplateRuntimeError(f"a number can be rounded to {_MOST_PLACES} places at most")
    return FILTERS["round"](value, precision, method)  # type: ignore[no-any-return]


def _light_filter(name: str) -> Callable[..., Any]:
    made = FILTERS[name]

    @wraps(made)  # with what it tells Jinja2 of the environment that it wants
    def measured(*args: Any, **kwargs: Any) -> Any:
        found = made(*args, **kwargs)
        return light(found if isinstance(found, list | str) else list(found))

    return measured


BOUNDED_FILTERS: dict[str, Callable[..., Any]] = {
    "sort": _light_filter("sort"), "reverse": _light_filter("reverse"), "groupby": _light_filter("groupby"),
    "replace": _replaced, "join": _joined, "list": _listed, "sum": _summed, "round": _rounded,
}  # fmt: skip
