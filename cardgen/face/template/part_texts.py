"""Texts of the parts of a card, which templates use several times: to measure them, and to print them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic import BaseModel

# Parts whose texts are kept; more than a card has.
_MAX_PARTS = 64


def text_function(text: Callable[[Any], str]) -> Callable[[object], str]:
    """Return a function with the results of `text`, which is called once for each of the latest parts.

    Parts are models, which cannot change; anything else is not kept.
    """
    # Keyed by identity, because equal models are long to compare; the model is stored to keep it alive.
    kept: dict[int, tuple[BaseModel, str]] = {}

    def text_of(thing: object) -> str:
        entry = kept.get(id(thing))
        if entry is not None:
            return entry[1]
        result = text(thing)
        if isinstance(thing, BaseModel):
            if len(kept) >= _MAX_PARTS:
                kept.clear()
            kept[id(thing)] = thing, result
        return result

    return text_of
