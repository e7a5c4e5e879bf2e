"""What a release stores of each card: values, and digests of rules, words, and looks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from cardgen.model.card_values import Scalar

# Game, kind, and id.
CardKey: TypeAlias = tuple[str, str, str]
Values: TypeAlias = Mapping[str, Scalar]
# The part of a look that consists of the cards that a card names.
LINKED = "linked"


class ReleasedCard(NamedTuple):
    """A card of a release.

    `values` are those of its rules, and `texts` its words except the name, by JSON pointer without the first slash.
    `look` has a digest or a plain value for each part of its look. `rules` and `words` are digests. `terms` are the
    terms of the project's own game that it uses, as keys.
    """

    game: str
    kind: str
    id: str
    name: str
    qty: int
    rules: str
    words: str
    look: Mapping[str, str]
    values: Values
    texts: Values
    terms: Values = MappingProxyType({})

    @property
    def key(self) -> CardKey:
        """Game, kind, and id."""
        return self.game, self.kind, self.id


class Release(NamedTuple):
    """The cards of a project at some time, sorted by id.

    `rulings` are the settings that differ from the defaults of the games, by game and name of the ruling. `games` are
    the values of the project's own rules, by game and JSON pointer.
    """

    name: str
    rulings: Mapping[str, Mapping[str, str]]
    cards: tuple[ReleasedCard, ...]
    games: Mapping[str, Values] = MappingProxyType({})


def texts_of(card: ReleasedCard) -> Iterable[str]:
    """Return the texts of a card, in order of their keys."""
    return (str(card.texts[key]) for key in sorted(card.texts))


def by_key(cards: Iterable[ReleasedCard]) -> dict[CardKey, ReleasedCard]:
    """Return cards by game, kind, and id."""
    return {card.key: card for card in cards}
