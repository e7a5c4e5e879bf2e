"""Expressions of a game file with their places, for located errors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from cardgen.codes import Code
from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.game_file.expression.links import links_in
from cardgen.sandbox.budget import Budget, BudgetError
from cardgen.sandbox.expression import Expression, ExpressionError, TextTemplate
from cardgen.sandbox.values import describe_kind, links_in_force, text_of
from cardgen.units import shorten

# Largest whole number that a step can use.
MOST = 1_000_000
# The place of some characters of an expression: all of them from 0 to its length.
Locate: TypeAlias = Callable[[int, int], Place]


@dataclass(frozen=True, eq=False)
class Located:
    """A compiled expression or text, and the place of its characters."""

    program: Expression | TextTemplate
    locate: Locate

    @property
    def reads(self) -> frozenset[str]:
        """The names in it."""
        return self.program.names

    def value(self, names: Mapping[str, Any], budget: Budget | None = None) -> Any:
        """Return its value.

        Raises CardgenError, located in the game file, if it has none.
        """
        try:
            with links_in_force(links_in(names)):
                return self.program.evaluate(names, budget)
        except ExpressionError as error:
            raise CardgenError(self.problem(error.message, error.start, error.end)) from None
        except BudgetError as error:
            raise CardgenError(self.problem(str(error))) from None

    def problem(self, message: str, start: int = 0, end: int = 0) -> Diagnostic:
        """Return the diagnostic for a mistake in it."""
        return Diagnostic(Code.INVALID_GAME, message, self.locate(start, end or len(self.program.source)))


class Formula(Located):
    """An expression."""

    def truth(self, names: Mapping[str, Any], budget: Budget | None = None) -> bool:
        """Return whether it holds."""
        return bool(self.value(names, budget))

    def whole(self, names: Mapping[str, Any], budget: Budget | None = None, low: int = -MOST, high: int = MOST) -> int:
        """Return its value as a whole number from `low` to `high`.

        Raises CardgenError for anything else.
        """
        value = self.value(names, budget)
        number = int(value) if isinstance(value, float) and value.is_integer() else value
        if isinstance(number, bool) or not isinstance(number, int):
            shown = describe_kind(value) if not isinstance(value, float) else text_of(value)
            raise CardgenError(self.problem(f"must be a whole number, not {shown}"))
        if not low <= number <= high:
            raise CardgenError(self.problem(f"must be between {low} and {high}, not {shorten(str(number))}"))
        return number


class Words(Located):
    """A text with `{{ }}`."""

    def text(self, names: Mapping[str, Any], budget: Budget | None = None) -> str:
        """Return the text on one line."""
        return " ".join(str(self.value(names, budget)).split())
