"""Mistakes of a game file that follow from others, and the parts that have none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from cardgen.diagnostic import Diagnostic, Place
from cardgen.game_file.context import GameContext
from cardgen.game_file.spec.document import GameFile
from cardgen.game_file.spec.kinds import FIELD_TYPES
from cardgen.source import Data, KeyPath
from cardgen.validation.model_keys import (
    FreeKeys,
    ModelClasses,
    accepted_keys,
    child_models,
    model_keys,
    reachable_models,
)
from cardgen.validation.validate import Removal

_QUOTED = re.compile(r"'([^']*)'|\{(\w+)\}")
_UNKNOWN = re.compile(r"^unknown | has no ")
_LEFT_BY_STEPS = {"test": ("passed", "rolled"), "call": ("outcome",)}
# An entity of a game file is a section and a name, such as `kinds` and `brave`.
_ENTITY = 2


def own_mistakes(context: GameContext) -> list[Diagnostic]:
    """Return the mistakes that do not just follow from the parts that were left out.

    A mistake follows if it names something that only these parts define. In the same kind, check, or trial, it also
    follows if it names one of their keys.
    """
    gaps = [_Gap(removal, context) for removal in context.removals]
    return [problem for problem in context.problems if not any(gap.causes(problem) for gap in gaps)]


class _Gap:
    """A part of a game file that was left out, and what it defines."""

    def __init__(self, removal: Removal, context: GameContext) -> None:
        self._key_path, value = removal
        self._area = _Area(context, self._key_path[:_ENTITY])
        words, key = frozenset(_words(value)), str(self._key_path[-1])
        self._names = words - _format_words() | _implied_names(key, value)
        if not any(key in model_keys(model) for model in _models_at(self._key_path[:-1])):
            self._names |= {key}  # a name of the author, and no key of the format
        self._words = words | frozenset(map(str, self._key_path))
        self._hides_names = not (value and isinstance(value, dict | list)) and _contains_names(self._key_path)

    def causes(self, problem: Diagnostic) -> bool:
        """Return whether a mistake only follows from what was left out."""
        message = problem.message.partition("; did you mean ")[0]
        names = {one or other for one, other in _QUOTED.findall(message)}
        is_near = problem.place in self._area
        if self._hides_names and _UNKNOWN.search(message) and (is_near or self._key_path[0] != "trials"):
            return True
        return bool(names & self._names) or bool(names & self._words and is_near)


def _words(data: Data) -> Iterator[str]:
    """Yield all keys and texts in some data."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        yield from data
        for value in data.values():
            yield from _words(value)
    elif isinstance(data, list):
        for value in data:
            yield from _words(value)


def _implied_names(key: str, value: Data) -> frozenset[str]:
    """Return the values that steps leave without naming them."""
    keys = {key, *_words(value)}
    return frozenset(name for step, names in _LEFT_BY_STEPS.items() if step in keys for name in names)


def _contains_names(key_path: KeyPath) -> bool:
    """Return whether a valid value at a key path would define names."""
    models = _models_at(key_path)
    return any(issubclass(model, FreeKeys) for model in models) or (key_path[0] == "trials" and bool(models))


def _models_at(key_path: KeyPath) -> ModelClasses:
    models: ModelClasses = (GameFile,)
    for step in key_path:
        models = child_models(models, step)
    return models


class _Area:
    """The key at a key path, and everything in its value."""

    def __init__(self, context: GameContext, key_path: KeyPath) -> None:
        extent = context.source_map.document.extent(key_path)
        self._span = extent.span if extent else None

    def __contains__(self, place: Place) -> bool:
        return bool(self._span and place.span and self._span[:2] <= place.span[:2] <= self._span[2:])


class SoundParts:
    """The parts of a game file without mistakes, by their key paths."""

    def __init__(self, context: GameContext) -> None:
        self._context, self._places = context, [problem.place for problem in context.problems]
        self._sound: dict[KeyPath, bool] = {}

    def __contains__(self, key_path: KeyPath) -> bool:
        if key_path not in self._sound:
            self._sound[key_path] = not self._is_faulty(key_path)
        return self._sound[key_path]

    def _is_faulty(self, key_path: KeyPath) -> bool:
        if any(removal.key_path[: len(key_path)] == key_path for removal in self._context.removals):
            return True
        area = _Area(self._context, key_path)
        return any(place in area for place in self._places)


@cache
def _format_words() -> frozenset[str]:
    """Return the words of the format itself: keys, and types of fields."""
    models = tuple(model for _, model in reachable_models((GameFile,)))
    return frozenset({*accepted_keys(models), *FIELD_TYPES})
