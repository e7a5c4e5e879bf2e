"""Cards of a trial, and the cards that their fields name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from cardgen.model.card import Card
from cardgen.referee.trial import card_of_kind
from cardgen.rulesets.ruleset import Kind


class LinkedCards:
    """Reads cards from plain data, in which the data of other cards stand for their names."""

    def __init__(self, kinds: Mapping[str, Kind]) -> None:
        self._kinds = kinds
        self._data: dict[tuple[str, str], dict[str, Any]] = {}
        self._cards: dict[tuple[str, str], Card] = {}

    def read(self, data: Any, models: Iterable[type[Card]]) -> Card:
        """Return the card of plain data.

        Raises ValueError for any other kind, and ValidationError for invalid data.
        """
        return card_of_kind(self._without_cards(data), *models)

    def find(self, kind: str, name: str) -> Card | None:
        """Return a card that was part of the data of another, or None."""
        key = (kind, name)
        if key not in self._cards and key in self._data:
            self._cards[key] = card_of_kind(self._data[key], self._kinds[kind].model)
        return self._cards.get(key)

    def _without_cards(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return the data of a card with names in place of other cards, which are stored."""
        plain = {key: self._without_card(value) for key, value in data.items()}
        for name in filter(None, (plain.get("id"), plain.get("name"))):
            self._data.setdefault((str(plain.get("kind")), str(name)), plain)
        return plain

    def _without_card(self, value: Any) -> Any:
        if isinstance(value, list | tuple):
            return [self._without_card(each) for each in value]
        if not isinstance(value, dict):
            return value
        if value.get("kind") in self._kinds and isinstance(value.get("name"), str):
            return self._without_cards(value)["name"]
        return {key: self._without_card(each) for key, each in value.items()}
