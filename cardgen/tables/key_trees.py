"""Keys that maps at the same position in JSON data have, and their absent ones filled in.

Public data leaves out keys that do not apply. Expressions read an absent key as nothing if other maps at that position
have it; a key that none of them has is a mistake in the expression.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cardgen.sandbox.expression import ANYTHING, Shape

# Maps with more different keys are indices by name or id, which have no absent keys.
_MAX_KEYS = 100
_MAX_ABSENT = 500_000


def fill_absent_keys(values: Iterable[Any]) -> Shape:
    """Give the maps at each position the same keys, in place.

    Return the shape of the values.
    """
    items = [value for value in values if value is not None]
    if items and all(isinstance(item, list) for item in items):
        return Shape(None, fill_absent_keys(value for item in items for value in item))
    if not items or not all(isinstance(item, dict) for item in items):
        return ANYTHING
    keys = dict.fromkeys(key for item in items for key in item)
    if len(keys) > _MAX_KEYS or len(keys) * len(items) - sum(map(len, items)) > _MAX_ABSENT:
        return ANYTHING
    shape = {key: fill_absent_keys(item[key] for item in items if key in item) for key in keys}
    for item in items:
        if len(item) < len(keys):
            item.update({key: None for key in keys if key not in item})
    return Shape(shape)
