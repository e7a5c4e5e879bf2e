"""Sizes of values."""

from __future__ import annotations

from collections.abc import ItemsView, KeysView, ValuesView
from typing import Any

_SCALARS = frozenset({int, float, bool, type(None)})


def weight(value: Any, limit: int) -> int:
    """Return the number of items and characters in a value.

    A part that occurs several times counts each time. Counting stops above `limit`, so any heavier result is only a
    lower bound.
    """
    total, pending = 0, [value]
    while pending and total <= limit:
        item = pending.pop()
        total += 1
        if type(item) in _SCALARS:
            continue
        if isinstance(item, str | bytes):
            total += len(item)
        elif isinstance(item, list | tuple | set | frozenset):
            total += len(item) if len(item) > limit else 0
            pending.extend(item if len(item) <= limit else ())
        elif isinstance(item, KeysView | ValuesView | ItemsView):
            pending.extend(item)
        elif isinstance(item, dict):
            pending.extend(item.keys())
            pending.extend(item.values())
    return total
