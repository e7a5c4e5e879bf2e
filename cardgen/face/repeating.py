"""Macros that give the same text for the same arguments have to be worked out only once."""

from __future__ import annotations

from collections.abc import Mapping
from math import copysign
from types import NoneType
from typing import Any

from markupsafe import Markup

_PLAIN = frozenset({str, Markup, int, float, bool, NoneType})
# Enough for all macros of a game; beyond that everything is worked out anew.
_MOST_CHARACTERS = 1 << 21
_MOST_DICTIONARIES = 256
# What a result takes beside its text and its arguments, in characters.
_OF_EACH = 50

# Where the macro stands, the types of what it was given, and that itself.
Key = tuple[tuple[object, ...], tuple[type, ...], tuple[object, ...]]


class _Dictionary:
    """Stands for a dictionary of texts, which no template can change; it is equal to itself only."""

    __slots__ = ("values",)

    def __init__(self, values: dict[Any, Any]) -> None:
        self.values = values


class Results:
    """What macros gave, by their place, their arguments and whether they escape."""

    def __init__(self) -> None:
        self._known: dict[Key, str] = {}
        self._characters = 0
        # By their identity, which is theirs alone as long as they stand here.
        self._dictionaries: dict[int, _Dictionary] = {}

    def key(self, place: tuple[object, ...], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Key | None:
        """What stands for a call; None where an argument is not plain.

        The types are part of it, since 1, 1.0 and True are equal and are not written alike, nor are 0.0 and -0.0.
        """
        if kwargs:
            place, args = (*place, len(args), *kwargs), (*args, *kwargs.values())
        kinds = tuple(map(type, args))
        if float in kinds and 0.0 in args:
            place = (*place, *(copysign(1, each) for each in args if type(each) is float))
        if _PLAIN.issuperset(kinds):
            return place, kinds, args
        parts = tuple([each if type(each) in _PLAIN else self._dictionary(each) for each in args])
        return None if ... in parts else (place, kinds, parts)

    def _dictionary(self, value: Any) -> object:
        """What stands for a dictionary of texts; `...` for all else."""
        known = self._dictionaries.get(id(value))
        if known is None:
            if type(value) is not dict or any(type(each) is not str for pair in value.items() for each in pair):
                return ...
            if len(self._dictionaries) >= _MOST_DICTIONARIES:
                self._forget()
            known = self._dictionaries[id(value)] = _Dictionary(value)
        return known

    def find(self, key: Key) -> str | None:
        """What the same call gave before."""
        return self._known.get(key)

    def keep(self, key: Key, text: str) -> None:
        """Remember what a call gave; where that becomes too much, all else is forgotten."""
        size = len(text) + _OF_EACH + sum(len(each) for each in key[2] if isinstance(each, str))
        self._characters += size
        if self._characters > _MOST_CHARACTERS:
            self._forget()
            self._characters = size
        self._known[key] = text

    def _forget(self) -> None:
        self._known.clear()
        self._dictionaries.clear()
        self._characters = 0
