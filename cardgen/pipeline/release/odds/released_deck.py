"""The cards of a release as the referee reads them, made from the values that it stores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from cardgen.diagnostic import CardgenError
from cardgen.model.card import Card
from cardgen.model.card_values import Scalar, pointer_steps
from cardgen.model.entry import Entry
from cardgen.pipeline.load.card_lookup import CardLookup
from cardgen.pipeline.release.content.released_card import CardKey, Release, ReleasedCard
from cardgen.rulesets.ruleset import Ruleset
from cardgen.source import Document
from cardgen.source.document import parse_document
from cardgen.validation.source_map import SourceMap

_MOST_STEPS = 40


class ReleasedDeck:
    """The cards of a game in a release, as plain data; those that the game now refuses are missing."""

    def __init__(self, rules: Ruleset, release: Release) -> None:
        self._rules, self._release = rules, release
        self._document = parse_document("", "")

    @cached_property
    def entries(self) -> Mapping[CardKey, Entry]:
        """The cards by game, kind, and id."""
        cards = (card for card in self._release.cards if card.game == self._rules.id)
        return {card.key: entry for card in cards if (entry := self._entry(card, self._document))}

    def _entry(self, card: ReleasedCard, document: Document) -> Entry | None:
        kind = self._rules.kinds.get(card.kind)
        if kind is None:
            return None
        values = {"id": card.id, "name": card.name, **card.values, **card.texts}
        model = _read(kind.model, values)
        return Entry(model, card.game, card.kind, SourceMap(document, (kind.model,))) if model else None

    @cached_property
    def _lookup(self) -> CardLookup:
        return CardLookup(self._rules, cards=tuple(self.entries.values()))

    def data(self, key: CardKey) -> dict[str, Any] | None:
        """Return the plain data of a card with that of the cards that it names; None if one of these is missing."""
        entry = self.entries.get(key)
        if entry is None:
            return None
        try:
            return self._lookup.card_data(entry)
        except CardgenError:
            return None

    def of_kinds(self, kinds: tuple[str, ...]) -> Iterator[tuple[CardKey, dict[str, Any]]]:
        """Yield the cards of some kinds with their plain data."""
        for key in self.entries:
            if key[1] in kinds and (data := self.data(key)) is not None:
                yield key, data


def _read(model: type[Card], values: Mapping[str, Scalar]) -> Card | None:
    """Return the card with some values by JSON pointer, or None if they are not valid."""
    try:
        return model.model_validate(nested(values))
    except ValueError:
        return None


def nested(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values by JSON pointer as maps and lists in each other; a map with the keys 0, 1, … is a list.

    Raises ValueError for pointers that no card has: into plain values, or with too many steps.
    """
    root: dict[str, Any] = {}
    for key, value in values.items():
        *above, last = pointer_steps(key)
        place = root
        for step in above:
            place = place.setdefault(step, {})
            if not isinstance(place, dict):
                raise ValueError(f"'{step}' is a plain value")  # noqa: TRY004 - a wrong file, not a wrong call
        if len(above) > _MOST_STEPS or last in place:
            raise ValueError(f"'{last}' cannot have a value")
        place[last] = value
    return {step: _listed(value) for step, value in root.items()}


def _listed(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    items = {key: _listed(item) for key, item in value.items()}
    numbers = [str(number) for number in range(len(items))]
    return [items[number] for number in numbers] if items.keys() == {*numbers} else items
