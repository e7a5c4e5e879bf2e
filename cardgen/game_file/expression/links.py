"""Cards that the fields of other cards name, as expressions read them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from pydantic import BaseModel

from cardgen.model.card import Card
from cardgen.model.references import reference_keys
from cardgen.sandbox.values import LinkedName
from cardgen.validation.base import Model

# The key of the names of an expression that holds its links; no name in an expression can be the same.
LINKS = " links"
# Returns the card of a kind with an id or name.
FindCard: TypeAlias = Callable[[str, str], Card | None]


class CardLinks:
    """Finds the cards that are named by fields.

    `is_broken` says that a card was not found, which is reported where it is named.
    """

    def __init__(self, find: FindCard) -> None:
        self._find = find
        self.is_broken = False

    def __call__(self, owner: BaseModel, field: str, value: Any) -> Any:
        """Return the value of a field; names of cards become names with a card."""
        kind = reference_keys(type(owner)).get(field) if isinstance(owner, Model) else None
        if kind is None:
            return value
        return tuple(self._link(kind, each) for each in value) if isinstance(value, tuple) else self._link(kind, value)

    def _link(self, kind: str, name: Any) -> Any:
        if not isinstance(name, str) or isinstance(name, LinkedName):
            return name
        card = self._find(kind, name)
        self.is_broken |= card is None
        return LinkedName(name, card)


def links_in(names: Mapping[str, Any]) -> CardLinks | None:
    """Return the links of the names of an expression, if they have any."""
    return names.get(LINKS)
