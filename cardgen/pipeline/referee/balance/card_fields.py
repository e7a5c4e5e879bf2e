"""Values of a competitor's fields, by which results are grouped and priced."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cardgen.referee.trial import Competitor, GameTrials

# The field with the name of the card that a competitor carries.
CARRIES = "carries"
# The field with the cost of a card, unless the game or the user names another.
COST = "points"


def field_texts(competitor: Competitor, path: str) -> tuple[str, ...]:
    """Return the values of a field, such as 'faction' or 'stats.wounds', as texts; a list has several."""
    if path == CARRIES:
        return (str(competitor.carries["name"]),) if competitor.carries else ()
    return tuple(dict.fromkeys(str(value) for value in _values(competitor.card, path.split("."))))


def cost_of(competitor: Competitor, trials: GameTrials, path: str | None) -> float | None:
    """Return the cost of a competitor; None if it has none.

    The field `path` has priority over the game's own reckoning.
    """
    if path is None and trials.cost:
        cost = trials.cost(competitor)
        return None if cost is None else float(cost)
    values = [value for value in _values(competitor.card, (path or COST).split(".")) if _is_number(value)]
    return float(values[0]) if len(values) == 1 else None


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _values(value: Any, keys: list[str]) -> Iterator[Any]:
    """Yield the values below some keys; lists are searched item by item."""
    if isinstance(value, list | tuple):
        for item in value:
            yield from _values(item, keys)
    elif keys and isinstance(value, dict):
        if keys[0] in value:
            yield from _values(value[keys[0]], keys[1:])
    elif not keys and value is not None and not isinstance(value, dict):
        yield value
