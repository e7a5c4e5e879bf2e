"""Methods of texts, maps, and lists in expressions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from cardgen.sandbox.values import ExpressionError, describe_kind, numbers_of

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


def _extreme(choose: Callable[[Any], Any], name: str) -> Callable[[list[Any], bool], Any]:
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
    "max": _extreme(max, "max"),
    "min": _extreme(min, "min"),
    "count": _count,
}
