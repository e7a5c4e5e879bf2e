"""Types of options and arguments that are numbers."""

from __future__ import annotations

from math import isnan
from typing import Any

import click


class WholeNumber(click.IntRange):
    """Whole numbers in a range."""

    name = "whole number"

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str | None:
        """Return the metavar of an option; arguments have their names."""
        return "N" if isinstance(param, click.Option) else None


class Number(click.FloatRange):
    """Numbers in a range; without those that cannot be compared, as 'nan'."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number, or fail."""
        number: float = super().convert(value, param, ctx)
        return self.fail(f"{value!r} is not a valid {self.name}.", param, ctx) if isnan(number) else number
