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
    numbers = _numbers(competitor, path or COST)
    return float(numbers[0]) if len(numbers) == 1 else None


def has_number(competitor: Competitor, path: str) -> bool:
    """Return whether a field of a competitor has a number."""
    return bool(_numbers(competitor, path))


def inner_fields(competitor: Competitor, path: str) -> set[str]:
    """Return the keys below a field, such as those of 'stats'."""
    return {str(key) for each in _below(competitor.card, path.split(".")) if isinstance(each, dict) for key in each}


def _numbers(competitor: Competitor, path: str) -> list[int | float]:
    return [value for value in _values(competitor.card, path.split(".")) if _is_number(value)]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _values(value: Any, keys: list[str]) -> Iterator[Any]:
    """Yield the single values below some keys."""
    return (each for each in _below(value, keys) if each is not None and not isinstance(each, dict))


def _below(value: Any, keys: list[str]) -> Iterator[Any]:
    """Yield what is below some keys; lists are searched item by item."""
    if isinstance(value, list | tuple):
        for item in value:
            yield from _below(item, keys)
    elif not keys:
        yield value
    elif isinstance(value, dict) and keys[0] in value:
        yield from _below(value[keys[0]], keys[1:])
