"""Operators of expressions."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from operator import ge, gt, le, lt
from typing import Any

from jinja2 import TemplateRuntimeError

from cardgen.sandbox import limits
from cardgen.sandbox.values import ExpressionError, describe_kind, items_of, require_number, require_text


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
