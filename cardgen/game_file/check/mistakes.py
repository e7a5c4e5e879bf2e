"""Mistakes of a game file that follow from others, and the parts that have none."""

from __future__ import annotations

import re
from functools import cache

from cardgen.diagnostic import Diagnostic, Place
from cardgen.game_file.context import GameContext
from cardgen.game_file.spec.document import GameFile
from cardgen.game_file.spec.kinds import FIELD_TYPES
from cardgen.source import KeyPath
from cardgen.validation.model_keys import accepted_keys, reachable_models
from cardgen.validation.partial import Removal

_QUOTED = re.compile(r"'([^']*)'|\{(\w+)\}")
# An entity of a game file is a section and a name, such as `kinds` and `brave`.
_ENTITY = 2


def own_mistakes(context: GameContext) -> list[Diagnostic]:
    """Return the mistakes that do not just follow from the parts that were left out.

    A mistake follows if it names something that only these parts define. In the same kind, check, or trial, it also
    follows if it names one of their keys.
    """
    areas = [(removal, _Area(context, removal.key_path[:_ENTITY])) for removal in context.removals]
    return [
        problem
        for problem in context.problems
        if not any(_follows(_names_in(problem.message), problem.place, removal, area) for removal, area in areas)
    ]


def _names_in(message: str) -> set[str]:
    """Return what a message quotes, without its suggestion."""
    return {one or other for one, other in _QUOTED.findall(message.partition("; did you mean ")[0])}


def _follows(names: set[str], place: Place, removal: Removal, area: _Area) -> bool:
    if names & ({str(removal.key_path[-1]), *removal.words} - _format_words()):
        return True
    return bool(names & {*removal.words, *map(str, removal.key_path)}) and place in area


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
