"""What is known about values before an expression is evaluated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Shape:
    """What is known about a value: its attributes, and the shape of its items; None if unknown."""

    fields: Mapping[str, Shape] | None = None
    items: Shape | None = None


ANYTHING = Shape()
