"""Macros that give the same text for the same arguments have to be worked out only once."""

from __future__ import annotations

from collections.abc import Mapping
from math import copysign
from types import NoneType
from typing import Any

from markupsafe import Markup

_HASHABLE_TYPES = frozenset({str, Markup, int, float, bool, NoneType})
# Enough for all macros of a game; beyond that everything is worked out anew.
_MAX_CACHED_CHARACTERS = 1 << 21
_MAX_DICTIONARIES = 256
# What a result takes beside its text and its arguments, in characters.
_ENTRY_OVERHEAD = 50

# Where the macro stands, the types of what it was given, and that itself.
CallKey = tuple[tuple[object, ...], tuple[type, ...], tuple[object, ...]]


class _DictionaryToken:
    """Stands for a dictionary of texts, which no template can change; it is equal to itself only."""

    __slots__ = ("values",)

    def __init__(self, values: dict[Any, Any]) -> None:
        self.values = values


class MacroCache:
    """What macros gave, by their place, their arguments and whether they escape."""

    def __init__(self) -> None:
        self._texts: dict[CallKey, str] = {}
        self._characters = 0
        # By their identity, which is theirs alone as long as they stand here.
        self._dictionaries: dict[int, _DictionaryToken] = {}

    def key(self, place: tuple[object, ...], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> CallKey | None:
        """What stands for a call; None where an argument is not plain.

        The types are part of it, since 1, 1.0 and True are equal and are not written alike, nor are 0.0 and -0.0.
        """
        if kwargs:
            place, args = (*place, len(args), *kwargs), (*args, *kwargs.values())
        kinds = tuple(map(type, args))
        if float in kinds and 0.0 in args:
            place = (*place, *(copysign(1, each) for each in args if type(each) is float))
        if _HASHABLE_TYPES.issuperset(kinds):
            return place, kinds, args
        parts = tuple([each if type(each) in _HASHABLE_TYPES else self._dictionary_token(each) for each in args])
        return None if ... in parts else (place, kinds, parts)

    def _dictionary_token(self, value: Any) -> object:
        """What stands for a dictionary of texts; `...` for all else."""
        token = self._dictionaries.get(id(value))
        if token is None:
            if type(value) is not dict or any(type(each) is not str for pair in value.items() for each in pair):
                return ...
            if len(self._dictionaries) >= _MAX_DICTIONARIES:
                self._clear()
            token = self._dictionaries[id(value)] = _DictionaryToken(value)
        return token

    def find(self, key: CallKey) -> str | None:
        """What the same call gave before."""
        return self._texts.get(key)

    def store(self, key: CallKey, text: str) -> None:
        """Remember what a call gave; where that becomes too much, all else is forgotten."""
        size = len(text) + _ENTRY_OVERHEAD + sum(len(each) for each in key[2] if isinstance(each, str))
        self._characters += size
        if self._characters > _MAX_CACHED_CHARACTERS:
            self._clear()
            self._characters = size
        self._texts[key] = text

    def _clear(self) -> None:
        self._texts.clear()
        self._dictionaries.clear()
        self._characters = 0
