"""JSON Schemas for editors, by the files that they describe."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from cardgen.pipeline.load.deck import card_schema


def _game_schema(_: str | None = None) -> Mapping[str, Any]:
    """Return the JSON Schema of game files, which is the same for all games."""
    from cardgen.game_file.spec.schema import game_file_schema  # loaded here because few need it

    return game_file_schema()


# Each takes the game, or None for the game of the project.
SCHEMAS: Mapping[str, Callable[[str | None], Mapping[str, Any]]] = {"cards": card_schema, "game": _game_schema}
