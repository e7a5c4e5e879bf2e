"""Values that a trial asks for: types, defaults, and arguments of calls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cardgen.diagnostic import CardgenError
from cardgen.game_file.expression.formula import Formula
from cardgen.model.card import Card
from cardgen.referee.situation import Parameter
from cardgen.sandbox.budget import Budget
from cardgen.sandbox.values import LinkedName, describe_kind
from cardgen.units import shorten
from cardgen.validation.suggestion import join_words


@dataclass(frozen=True)
class Argument:
    """A value that a trial asks for.

    `models` are the kinds of a card; `default` is the value if none is given, unless it is required.
    """

    parameter: Parameter
    is_required: bool
    default: Any = None
    models: tuple[type[Card], ...] = ()

    def value(self, formula: Formula | None, names: Mapping[str, Any], budget: Budget) -> Any:
        """Return the value that a call gives, or the default.

        Raises CardgenError for one that does not fit.
        """
        if formula is None:
            return self.default
        value = formula.value(names, budget)
        if self.parameter.sort == "card" and isinstance(value, LinkedName):
            value = value.card
        if problem := self.problem(value):
            raise CardgenError(formula.problem(f"must be {problem}"))
        return value

    def problem(self, value: Any) -> str:
        """Return what is wrong with a value, as 'a number …, not a text', or ''."""
        parameter = self.parameter
        if parameter.sort == "card":
            fits = isinstance(value, self.models) or (value is None and not self.is_required)
            kinds = join_words([f"a {model.KIND}" for model in self.models])
            return "" if fits else f"{kinds}, not {describe_kind(value)}"
        if parameter.sort == "number":
            fits = type(value) is int and parameter.low <= value <= parameter.high
            shown = value if type(value) is int else describe_kind(value)
            return "" if fits else f"a whole number between {parameter.low} and {parameter.high}, not {shown}"
        if parameter.sort == "flag":
            return "" if isinstance(value, bool) else f"true or false, not {describe_kind(value)}"
        return "" if value in parameter.words else f"{join_words(parameter.words)}, not '{shorten(str(value))}'"
