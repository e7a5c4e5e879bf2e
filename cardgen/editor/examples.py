"""Effects of other cards, by the sentences that they print, as examples for a list of effects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from cardgen.editor.session import LoadedProject
from cardgen.model.entry import Entry
from cardgen.pipeline.load.deck import built_in_cards
from cardgen.pipeline.load.explanation import TextExplanation, explanations
from cardgen.pipeline.load.structure import flow_style

# Texts of more cards would take too long to read while an author waits.
_MOST_TEXTS = 80


# The examples of the built-in cards by game, kind, and key; they stay the same while the program runs.
_BUILT_IN: dict[tuple[str, str, str], dict[str, str]] = {}


def examples(loaded: LoadedProject, game: str, kind: str, key: str) -> dict[str, str]:
    """Return items of the list with a key, in flow style, by the sentence that says the same.

    They come from the cards of the project and of the game, those of the same kind first.
    """
    place = game, kind, key
    if place not in _BUILT_IN:
        _BUILT_IN[place] = _examples(built_in_cards(loaded.project, game), kind, key)
    own = _examples([entry for entry in loaded.deck.cards if entry.game == game], kind, key)
    return {**_BUILT_IN[place], **own}


def _examples(entries: Iterable[Entry], kind: str, key: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in islice(_texts(sorted(entries, key=lambda entry: entry.kind != kind)), _MOST_TEXTS):
        values = text.reader.values(text.part, text.sentences) or {}
        items = values.get(key)
        if isinstance(items, list) and len(values) == len(items) == len(text.sentences) == 1:
            found.setdefault(text.sentences[0].canonical or text.text, flow_style(items[0]))
    return found


def _texts(entries: Iterable[Entry]) -> Iterator[TextExplanation]:
    for entry in entries:
        yield from explanations([entry])
