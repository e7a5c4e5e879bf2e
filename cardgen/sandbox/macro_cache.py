"""Cache of the output of template macros (part of the sandbox's fast path)."""

from __future__ import annotations

from collections.abc import Mapping
from math import copysign
from types import NoneType
from typing import Any

from markupsafe import Markup

_HASHABLE_TYPES = frozenset({str, Markup, int, float, bool, NoneType})
# Enough for all macros of a game; beyond that, the cache is emptied.
_MAX_CACHED_CHARACTERS = 1 << 21
_MAX_DICTIONARIES = 256
# Memory of an entry besides its text and arguments, in characters.
_ENTRY_OVERHEAD = 50

# The macro, the types of its arguments, and the arguments.
CallKey = tuple[tuple[object, ...], tuple[type, ...], tuple[object, ...]]


class _DictionaryToken:
    """Key for a dictionary of texts, which templates cannot change.

    It equals only itself.
    """

    __slots__ = ("values",)

    def __init__(self, values: dict[Any, Any]) -> None:
        self.values = values


class MacroCache:
    """Output of macros, by macro, arguments, and autoescaping."""

    def __init__(self) -> None:
        self._texts: dict[CallKey, str] = {}
        self._characters = 0
        # Keyed by identity, which is unique while the dictionaries are stored here.
        self._dictionaries: dict[int, _DictionaryToken] = {}

    def key(self, place: tuple[object, ...], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> CallKey | None:
        """Return the key of a call; None for complex arguments.

        Arguments can be plain values, and dictionaries of texts. Types are part of the key, because 1, 1.0, and True
        are equal but are written differently, and so are 0.0 and -0.0.
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
        """Return the token of a dictionary of texts; `...` for anything else."""
        token = self._dictionaries.get(id(value))
        if token is None:
            if type(value) is not dict or any(type(each) is not str for pair in value.items() for each in pair):
                return ...
            if len(self._dictionaries) >= _MAX_DICTIONARIES:
                self._clear()
            token = self._dictionaries[id(value)] = _DictionaryToken(value)
        return token

    def find(self, key: CallKey) -> str | None:
        """Return the output of an earlier call with this key."""
        return self._texts.get(key)

    def store(self, key: CallKey, text: str) -> None:
        """Store the output of a call, emptying a full cache first."""
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
