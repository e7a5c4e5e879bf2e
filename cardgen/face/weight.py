"""How much a value holds, with everything in it."""

from __future__ import annotations

from collections.abc import ItemsView, KeysView, ValuesView
from typing import Any


def weight(value: Any, most: int) -> int:
    """The items and characters in a value, what stands in it several times counted as often; `most` ends the counting.

    What comes out is right up to `most`, and somewhere above it for all that is heavier.
    """
    total, waiting = 0, [value]
    while waiting and total <= most:
        each = waiting.pop()
        total += 1
        if isinstance(each, str | bytes):
            total += len(each)
        elif isinstance(each, list | tuple | set | frozenset):
            total += len(each) if len(each) > most else 0
            waiting.extend(each if len(each) <= most else ())
        elif isinstance(each, KeysView | ValuesView | ItemsView):
            waiting.extend(each)
        elif isinstance(each, dict):
            waiting.extend(each.keys())
            waiting.extend(each.values())
    return total
