"""Values that templates can print.

The same template must give the same bytes in every process. The text of a function or an iterator contains its address
in memory, and the text of a set depends on the hash seed.
"""

from __future__ import annotations

from collections.abc import Callable, ItemsView, Iterator, KeysView, Set, ValuesView
from dataclasses import fields, is_dataclass
from functools import wraps
from types import NoneType
from typing import Any

from jinja2 import TemplateRuntimeError
from jinja2.environment import Environment, TemplateModule
from jinja2.nodes import EvalContext
from jinja2.runtime import Context, Undefined
from jinja2.utils import Namespace
from markupsafe import Markup, escape
from pydantic import BaseModel

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
