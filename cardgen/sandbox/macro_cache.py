"""Cache of the output of template macros (part of the sandbox's fast path)."""

from __future__ import annotations

from collections.abc import Mapping
from math import copysign
from types import NoneType
from typing import Any, NamedTuple

from markupsafe import Markup

_HASHABLE_TYPES = frozenset({str, Markup, int, float, bool, NoneType})
# Enough for all macros of a game; beyond that, the cache is emptied.
_MAX_CACHED_CHARACTERS = 1 << 21
_MAX_DICTIONARIES = 256
# Memory of an entry besides its text and arguments, in characters.
_ENTRY_OVERHEAD = 50


# Output by arguments of the same types.
_Texts = dict[tuple[object, ...], str]
# Where the output is, and the arguments.
CallKey = tuple[_Texts, tuple[object, ...]]


class _Kind(NamedTuple):
    """Calls of a macro with arguments of the same types."""

    texts: _Texts
    has_floats: bool
    has_dictionaries: bool


class MacroCache:
    """Output of macros, by macro and arguments."""

    def __init__(self) -> None:
        # Keyed by macro and types, because 1, 1.0, and True are equal but are written differently; None for types that
        # cannot be cached.
        self._kinds: dict[tuple[object, ...], _Kind | None] = {}
        self._characters = 0
        # Dictionaries of texts, which templates cannot change, by identity, which is unique while they are stored here.
        self._dictionaries: dict[int, dict[Any, Any]] = {}

    def key(self, macro: tuple[object, ...], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> CallKey | None:
        """Return the key of a call; None for complex arguments.

        Arguments can be plain values, and dictionaries of texts.
        """
        if kwargs:
            macro, args = (*macro, len(args), *kwargs), (*args, *kwargs.values())
        types = (macro, *map(type, args))
        try:
            kind = self._kinds[types]
        except KeyError:
            kind = self._add_kind(types)
        if kind is None:
            return None
        texts, has_floats, has_dictionaries = kind
        if has_dictionaries:
            if not all(self._is_of_texts(each) for each in args if type(each) is dict):
                return None
            args = tuple([id(each) if type(each) is dict else each for each in args])
        if has_floats and 0.0 in args:  # -0.0 is equal but written differently
            args = (*args, *(copysign(1, each) for each in args if type(each) is float))
        return texts, args

    def _add_kind(self, types: tuple[object, ...]) -> _Kind | None:
        self._reserve(_ENTRY_OVERHEAD + len(types))
        is_cached = all(each is dict or each in _HASHABLE_TYPES for each in types[1:])
        kind = self._kinds[types] = _Kind({}, float in types, dict in types) if is_cached else None
        return kind

    def _is_of_texts(self, values: dict[Any, Any]) -> bool:
        if id(values) in self._dictionaries:
            return True
        if any(type(each) is not str for pair in values.items() for each in pair):
            return False
        if len(self._dictionaries) >= _MAX_DICTIONARIES:
            self._clear()
        self._dictionaries[id(values)] = values
        return True

    def store(self, key: CallKey, text: str) -> None:
        """Store the output of a call, emptying a full cache first."""
        texts, arguments = key
        self._reserve(len(text) + _ENTRY_OVERHEAD + sum(len(each) for each in arguments if isinstance(each, str)))
        texts[arguments] = text

    def _reserve(self, characters: int) -> None:
        self._characters += characters
        if self._characters > _MAX_CACHED_CHARACTERS:
            self._clear()
            self._characters = characters

    def _clear(self) -> None:
        for kind in filter(None, self._kinds.values()):
            kind.texts.clear()
        self._kinds.clear()
        self._dictionaries.clear()
        self._characters = 0
