"""What is known about values before an expression is evaluated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Shape(NamedTuple):
    """Attributes of a value, the shape of its items, and the words that it can be.

    None if they are unknown.
    """

    fields: Mapping[str, Shape] | None = None
    items: Shape | None = None
    words: tuple[str, ...] | None = None


ANYTHING = Shape()
