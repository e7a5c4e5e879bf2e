"""Cards and decks of the Python API."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import escape
from typing import Any, overload

from cardgen.api.arguments import Paths, Words, argument_places, project_folder, to_paths, to_words
from cardgen.api.source import CardSource
from cardgen.deck.deck import load_deck
from cardgen.diagnostic import Place, did_you_mean, join_words
from cardgen.model import deck as model_deck
from cardgen.model.card import Card as CardModel
from cardgen.model.card import Entry
from cardgen.runtime.processes import rarer_gc
from cardgen.units import quantity, with_article


class Card:
    """A card of a deck, with its place in the source.

    Every key of the card is an attribute (`card.name`, `card.stats`, `card.weapons`), with the type from the game's
    model. Keys that the card does not set have their defaults.

    The class wraps an entry of the deck instead of extending the card models. Drawing a card requires templates, fonts,
    and a project, about which the models, in a lower layer, know nothing. The wrapper has both, so that notebooks can
    show the card as a picture.
    """

    __slots__ = ("_entry", "_source")

    def __init__(self, entry: Entry, source: CardSource) -> None:
        self._entry, self._source = entry, source

    @property
    def game(self) -> str:
        """The id of the game."""
        return self._entry.game

    @property
    def kind(self) -> str:
        """The name of the card's kind, such as 'relic'."""
        return self._entry.kind

    @property
    def id(self) -> str:
        """The id of the card, which is unique in its game."""
        return self._entry.card.id

    @property
    def name(self) -> str:
        """The printed name of the card."""
        return self._entry.card.name

    @property
    def place(self) -> Place:
        """The place of the card's name.

        It has the file, relative to the folder from which it was loaded, and the 1-based span.
        """
        return self._entry.place(("name",))

    @property
    def model(self) -> CardModel:
        """The card's data as a frozen pydantic model."""
        return self._entry.card

    def to_dict(self) -> dict[str, Any]:
        """Return the non-default keys as plain data, named as in card files."""
        return self._entry.card.model_dump(mode="json", by_alias=True, exclude_defaults=True)

    def __getattr__(self, name: str) -> Any:
        """Return the value of a key. Raises AttributeError for an unknown key."""
        if not name.startswith("_"):
            try:
                return getattr(self._entry.card, name)
            except AttributeError:
                pass
        keys = type(self._entry.card).model_fields if not name.startswith("_") else ()
        owner = with_article(self.kind if keys else "card")
        raise AttributeError(f"{owner} has no key '{name}'{did_you_mean(name, keys)}")

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *type(self._entry.card).model_fields})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Card) and self._entry == other._entry

    def __hash__(self) -> int:
        return hash((self.game, self.kind, self.id))

    def __getstate__(self) -> Deck:
        return Deck(model_deck.Deck((self._entry,)), self._source)

    def __setstate__(self, state: Deck) -> None:
        (card,) = state
        self._entry, self._source = card._entry, card._source

    def __repr__(self) -> str:
        return f"<{self.kind} '{self.name}' ({self.place})>"

    def _repr_svg_(self) -> str | None:
        """Return the front as SVG for notebooks.

        None if the kind is not printed.
        """
        if not self._source.is_printed(self._entry):
            return None
        svg = self._source.render(self._entry, "svg", "front").decode()
        # An SVG drawing with ids that are unique on a page.
        prefix = f"{self.game}-{self.id}"
        return _TAG.sub(lambda tag: _ID.sub(rf"\g<1>{prefix}-", tag[0]), svg)


_TAG = re.compile(r"<[^>]+>")
_ID = re.compile(r'(\bid="|url\(#|href="#)')


class Deck(Sequence[Card]):
    """The cards of some files, in order.

    `deck[0]` is the first card, and `deck[:3]` is a tuple of the first three. `deck["Sacred Chalice"]` and
    `deck["sacred-chalice"]` look up a card by name or id, ignoring case. `in` accepts a card, a name, or an id.
    """

    def __init__(self, deck: model_deck.Deck, source: CardSource) -> None:
        self._deck, self._source = deck, source
        self._cards = tuple(Card(entry, source) for entry in deck.cards)

    def __getstate__(self) -> dict[str, Any]:
        """Return the cards, or where they are if a model is made from a game file: such models are in no module."""
        if any(entry.game in entry.workspace.game_files for entry in self._deck.cards):
            ids = [(card.game, card.id) for card in self]
            return {"ids": ids, "paths": self._source.paths, "root": self._source.project.root}
        return {"deck": self._deck, "source": self._source}

    def __setstate__(self, state: dict[str, Any]) -> None:
        if "ids" in state:
            project, deck = load_deck(state["paths"], folder=state["root"])
            found = {(entry.game, entry.card.id): entry for entry in deck.cards}
            cards = tuple(found[each] for each in state["ids"])
            state = {"deck": replace(deck, cards=cards), "source": CardSource(project, state["paths"])}
        self.__init__(state["deck"], state["source"])  # type: ignore[misc]

    def __len__(self) -> int:
        return len(self._cards)

    def __iter__(self) -> Iterator[Card]:
        return iter(self._cards)

    @overload
    def __getitem__(self, key: int | str) -> Card: ...
    @overload
    def __getitem__(self, key: slice) -> tuple[Card, ...]: ...
    def __getitem__(self, key: int | str | slice) -> Card | tuple[Card, ...]:
        """Return a card by index, id, or name; or a slice.

        Raises IndexError for an index outside the deck, and KeyError for an unknown or ambiguous name.
        """
        return self._find(key) if isinstance(key, str) else self._cards[key]

    def __contains__(self, value: object) -> bool:
        return bool(self._matches(value)) if isinstance(value, str) else value in self._cards

    def select(self, words: Words) -> Deck:
        """Return a deck of the selected cards, as `cardgen build --only` does.

        Args:
            words: One or more kinds, ids, names, tags, or values such as `suit=shells`, ignoring case.

        Raises:
            CardgenError: A word matches no card.

        """
        with argument_places():
            return Deck(model_deck.select_cards(self._deck, to_words(words)), self._source)

    def _matches(self, key: str) -> list[Card]:
        folded = key.casefold()
        by_id = [card for card in self if card.id == folded]
        return by_id or [card for card in self if card.name.casefold() == folded]

    def _find(self, key: str) -> Card:
        matches = self._matches(key)
        if len(matches) == 1:
            return matches[0]
        if matches:
            ids = join_words(f"'{card.id}' ({card.game} {card.kind})" for card in matches)
            raise KeyError(f"'{key}' is the name of {len(matches)} cards: {ids}")
        raise KeyError(f"no card has the id or name '{key}'{did_you_mean(key, (card.name for card in self))}")

    def __repr__(self) -> str:
        kinds = dict.fromkeys(card.kind for card in self)
        counts = (f"{sum(card.kind == kind for card in self)} {kind}" for kind in kinds)
        return f"<Deck of {quantity(len(self), 'card')}: {', '.join(counts)}>"

    def _repr_html_(self) -> str:
        """Return a table of the cards for notebooks."""
        rows = "".join(map(_table_row, self))
        return f"<table><tr><th>kind</th><th>id</th><th>name</th><th>copies</th><th>place</th></tr>{rows}</table>"


def _table_row(card: Card) -> str:
    cells = (card.kind, card.id, card.name, str(card.qty), str(card.place))
    return f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>"


@rarer_gc()
def load(paths: Paths = ()) -> Deck:
    """Load the cards of a project, or of some files and folders.

    Args:
        paths: One or more card files or folders. By default, all cards of the project of the current folder. With
            paths, the project is the one that the paths belong to: its settings, templates, and other cards apply.

    Returns:
        The cards, in the order of the paths, the files, and the cards in each file.

    Raises:
        CardgenError: The files or the settings have errors, or a path does not exist. Its `diagnostics` contain all
            problems of all files.

    """
    named_paths = to_paths(paths)
    folder = project_folder(named_paths)
    project, deck = load_deck(named_paths, folder=folder)
    return Deck(deck, CardSource(project, named_paths))
