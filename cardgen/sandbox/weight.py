"""Sizes of values."""

from __future__ import annotations

from collections.abc import ItemsView, KeysView, Mapping, ValuesView
from enum import Enum
from typing import Any


class _Structure(Enum):
    """How the parts of a value count."""

    ATOM = "as one"
    TEXT = "each character"
    ITEMS = "each item"
    VIEW = "each item that it shows"
    MAP = "each key and value"


_STRUCTURES: Mapping[_Structure, tuple[type, ...]] = {
    _Structure.TEXT: (str, bytes),
    _Structure.ITEMS: (list, tuple, set, frozenset),
    _Structure.VIEW: (KeysView, ValuesView, ItemsView),
    _Structure.MAP: (dict,),
}


class _StructureOfType(dict[type, _Structure]):
    """Cache of the structure of types.

    Comparing each value with abstract classes takes ten times as long.
    """

    def __missing__(self, kind: type) -> _Structure:
        fitting = (structure for structure, bases in _STRUCTURES.items() if issubclass(kind, bases))
        structure = self[kind] = next(fitting, _Structure.ATOM)
        return structure


_STRUCTURE_OF = _StructureOfType()
_ATOM, _TEXT = _Structure.ATOM, _Structure.TEXT


def weight(value: Any, limit: int) -> int:
    """Return the number of items and characters in a value.

    A part that occurs several times counts each time. Counting stops above `limit`, so any heavier result is only a
    lower bound.
    """
    total, pending = 0, [value]
    while pending and total <= limit:
        item = pending.pop()
        total += 1
        structure = _STRUCTURE_OF[type(item)]
        if structure is _ATOM:
            continue
        if structure is _TEXT:
            total += len(item)
        elif structure is _Structure.ITEMS:
            total += len(item) if len(item) > limit else 0
            pending.extend(item if len(item) <= limit else ())
        elif structure is _Structure.VIEW:
            pending.extend(item)
        else:
            pending.extend(item.keys())
            pending.extend(item.values())
    return total
