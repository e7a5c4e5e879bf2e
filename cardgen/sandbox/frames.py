"""What an expression sees: the shapes of values before it is evaluated, and the names while it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from cardgen.runtime.workspace import Meter
from cardgen.sandbox.values import MISSING, Links, attribute, attribute_names


class Shape(NamedTuple):
    """Attributes of a value, the shape of its items, and the words that it can be.

    None if they are unknown.
    """

    fields: Mapping[str, Shape] | None = None
    items: Shape | None = None
    words: tuple[str, ...] | None = None


ANYTHING = Shape()


class Frame:
    """Names and step counter of an evaluation, and what replaces the values of fields."""

    __slots__ = ("links", "meter", "names")

    def __init__(self, names: Mapping[str, Any], meter: Meter, links: Links | None = None) -> None:
        self.names, self.meter, self.links = names, meter, links

    def find(self, name: str) -> Any:
        """Return the value of a name, or MISSING."""
        return self.names.get(name, MISSING)

    def known(self) -> Iterator[str]:
        """Yield the names that have a value."""
        yield from self.names


class LocalFrame(Frame):
    """Frame of a loop or an assignment, whose names hide those around it."""

    __slots__ = ("outer",)

    def __init__(self, names: Mapping[str, Any], outer: Frame) -> None:
        super().__init__(names, outer.meter, outer.links)
        self.outer = outer

    def find(self, name: str) -> Any:
        """Return the value of a name here, or in the frame around it."""
        value = super().find(name)
        if value is not MISSING:
            return value
        self.meter.spend(1)
        return self.outer.find(name)

    def known(self) -> Iterator[str]:
        """Yield the names that have a value."""
        yield from super().known()
        yield from self.outer.known()


class ItemFrame(LocalFrame):
    """Frame of an item of a list, whose fields are names.

    `each` is the item itself.
    """

    __slots__ = ("item",)

    def __init__(self, item: Any, outer: Frame) -> None:
        super().__init__({"each": item}, outer)
        self.item = item

    def find(self, name: str) -> Any:
        """Return the value of a field of the item, or of a name outside."""
        value = attribute(self.item, name, self.links)
        return super().find(name) if value is MISSING else value

    def known(self) -> Iterator[str]:
        """Yield the names that have a value."""
        yield from attribute_names(self.item)
        yield from super().known()
