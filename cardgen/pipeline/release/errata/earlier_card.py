"""A card as it was in an earlier release, rebuilt from its changed values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from cardgen.model.card_values import pointer_steps
from cardgen.model.entry import Entry
from cardgen.pipeline.release.changes import ChangedCard, ChangedValue

_GONE = object()
# The number of items that a list can have more than that of the card as it is.
_MOST_ITEMS = 500


def earlier_entry(entry: Entry, change: ChangedCard) -> Entry | None:
    """Return a card with the rules and words that it had before, in its current look.

    A release stores values without their structure, so a value that the card can no longer have makes this impossible:
    the result is then None.
    """
    data = _plain(entry.card.model_dump(exclude_unset=True, by_alias=True))
    values = [value for value in change.values if value.key != "id"]
    try:
        return replace(entry, card=type(entry.card).model_validate(_with_values(data, values)))
    except (ValidationError, ValueError, TypeError, LookupError):
        return None


def _plain(value: Any) -> Any:
    """Return data with lists instead of tuples and sets."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list | set | frozenset):
        return [_plain(item) for item in value]
    return value


def _with_values(data: Any, values: Iterable[ChangedValue]) -> Any:
    """Return a copy of data with the earlier values."""
    changed = _plain(data)
    for value in values:
        _put(changed, tuple(pointer_steps(value.key)), _GONE if value.old is None else value.old)
    return _without_gone(changed)


def _put(container: Any, steps: tuple[str, ...], value: object) -> None:
    """Set a value, and make the containers on the way to it."""
    step, *rest = steps
    if isinstance(container, list):
        index = int(step)
        if index > len(container) + _MOST_ITEMS:
            raise LookupError(f"item {index} of {len(container)}")
        while len(container) <= index:
            container.append(_GONE)
        key: Any = index
        missing = container[index] is _GONE
    else:
        key, missing = step, container.get(step) in (None, _GONE)
    if not rest:
        container[key] = value
        return
    if missing:
        if value is _GONE:
            return
        container[key] = [] if rest[0].isdecimal() else {}
    _put(container[key], tuple(rest), value)


def _without_gone(value: Any) -> Any:
    """Return data without values that are gone, and without containers that these leave empty."""
    if isinstance(value, dict):
        items = {key: _without_gone(item) for key, item in value.items()}
        kept: Any = {key: item for key, item in items.items() if item is not _GONE}
    elif isinstance(value, list):
        kept = [item for item in map(_without_gone, value) if item is not _GONE]
    else:
        return value
    return kept if kept or not value else _GONE
