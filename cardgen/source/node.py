"""Where the values of one document stand in its text."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

Scalar: TypeAlias = str | int | float | bool | None
Data: TypeAlias = Scalar | list["Data"] | dict[str, "Data"]
KeyPath: TypeAlias = tuple[str | int, ...]
CharRange: TypeAlias = tuple[int, int]


class Node(NamedTuple):
    """Where a value and its key stand, as indices of characters; an item of a list is its own key."""

    value_range: CharRange
    key_range: CharRange
    children: dict[str, Node] | list[Node] | None = None

    def child(self, step: str | int) -> Node | None:
        """The node one step below, or None."""
        children = self.children
        if isinstance(children, dict):
            return children.get(step) if isinstance(step, str) else None
        if isinstance(children, list) and isinstance(step, int):
            return children[step] if 0 <= step < len(children) else None
        return None
