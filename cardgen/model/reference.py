"""A value that names another card, by its id or its name."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reference:
    """Marks a text field as the id or the name of a card of one kind: `Annotated[str, Reference("character")]`."""

    kind: str
