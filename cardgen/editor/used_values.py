"""Values that other cards have for a key, such as the runemarks or races of a game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from cardgen.editor.session import LoadedProject
from cardgen.model.card_file import CardHeader
from cardgen.pipeline.load.deck import built_in_cards
from cardgen.validation.base import Model, Prose
from cardgen.validation.model_keys import annotation_parts, canonical_keys

_MOST_CHARACTERS = 40
# Values of these are a card's own.
_OWN = frozenset({*canonical_keys((CardHeader,)), "name", "id", "art", "back", "credit", "note", "motto", "text"})


def used_values(loaded: LoadedProject, model: type[Model], key: str) -> list[str]:
    """Return the texts that cards of a model have for a key, the commonest first."""
    attribute = next((name for name, field in model.model_fields.items() if key in (name, field.alias)), "")
    if not attribute or key in _OWN or _is_prose(model, attribute):
        return []
    texts = (text for card in _cards(loaded, model) for text in _texts(getattr(card, attribute)))
    return [text for text, _ in sorted(Counter(texts).items(), key=lambda item: (-item[1], item[0]))]


def _cards(loaded: LoadedProject, model: type[Model]) -> Iterator[Model]:
    games = {entry.game for entry in loaded.deck.cards} | {loaded.game}
    entries = (*loaded.deck.cards, *(entry for game in games for entry in built_in_cards(loaded.project, game)))
    return (entry.card for entry in entries if type(entry.card) is model)


def _is_prose(model: type[Model], attribute: str) -> bool:
    field = model.model_fields[attribute]
    return any(isinstance(part, Prose) for part in (*field.metadata, *annotation_parts(field.annotation)))


def _texts(value: object) -> Iterator[str]:
    for each in value if isinstance(value, tuple | list) else (value,):
        if type(each) is str and 0 < len(each) <= _MOST_CHARACTERS and "\n" not in each:
            yield each
