"""Sizes of cards that one of their fields decides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from cardgen.model.card import Card
from cardgen.units import Size


@dataclass(frozen=True)
class SizeByField:
    """The size of a card, by the value of one of its fields."""

    field: str
    sizes: Mapping[str, Size]

    def __call__(self, card: Card) -> Size:
        """Return the size of a card; without a value, the first."""
        value = getattr(card, self.field, None)
        return self.sizes.get(_word(value)) or next(iter(self.sizes.values()))

    def with_sizes(self, sizes: Mapping[str, Size]) -> SizeByField:
        """Return the same with other sizes for some values."""
        return replace(self, sizes={**self.sizes, **sizes})


def _word(value: object) -> str:
    """Return a value as a key of `size`."""
    return str(value).lower() if isinstance(value, bool) else str(value)
