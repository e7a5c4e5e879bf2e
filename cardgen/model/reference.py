"""A value that names another card, by its id or its name."""

from __future__ import annotations

from typing import NamedTuple


class Reference(NamedTuple):
    """Marks a text field as the id or the name of a card of one kind: `Annotated[str, Reference("character")]`."""

    kind: str
