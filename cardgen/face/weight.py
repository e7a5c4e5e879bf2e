"""How much a value holds, with everything in it."""

from __future__ import annotations

from collections.abc import ItemsView, KeysView, ValuesView
from typing import Any


def weight(value: Any, limit: int) -> int:
    """The items and characters in a value, what stands in it several times counted as often; `most` ends the counting.

    What comes out is right up to `most`, and somewhere above it for all that is heavier.
    """
    total, pending = 0, [value]
    while pending and total <= limit:
        item = pending.pop()
        total += 1
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
