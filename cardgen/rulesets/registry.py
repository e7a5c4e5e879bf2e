"""Finds games by folder and entry point, and loads them lazily."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import cache, reduce
from importlib import import_module
from pathlib import Path

from cardgen.rulesets.ruleset import Ruleset
from cardgen.validation.suggestion import UnknownName

GROUP = "cardgen.rulesets"
# The game of projects that do not name one: the oldest.
FALLBACK_GAME = "warniris"


@cache
def _locations() -> dict[str, str]:
    """Return the location of each game as 'module:name', by id.

    Plugins cannot replace the built-in games.
    """
    folders = [path.parent.name for path in Path(__file__).parent.glob("*/__init__.py")]
    return {**_plugin_locations(), **{name: f"{GROUP}.{name}:RULESET" for name in folders}}


def _plugin_locations() -> dict[str, str]:
    """Return the locations of games in other packages."""
    if not any(map(_declares_game, sys.path)):
        return {}
    from importlib.metadata import entry_points  # imported here because that takes longer than checking a card

    return {point.name: point.value for point in entry_points(group=GROUP)}


def _declares_game(folder: str) -> bool:
    """Return whether a package installed in a folder may contain a game."""
    return any(GROUP.encode() in path.read_bytes() for path in _entry_point_files(folder))


def _entry_point_files(folder: str) -> Iterator[Path]:
    try:
        with os.scandir(folder or ".") as entries:
            metadata_folders = [entry.path for entry in entries if entry.name.endswith((".dist-info", ".egg-info"))]
    except OSError:  # Such as an archive, which contains no installed packages.
        return
    for path in metadata_folders:
        file = Path(path, "entry_points.txt")
        if file.is_file():
            yield file


def games() -> tuple[str, ...]:
    """Return the ids of all games in alphabetical order, without loading them."""
    return tuple(sorted(_locations()))


def default_game() -> str:
    """Return the id of the default game.

    It applies to projects that do not name a game. It is the oldest game if that is installed, and otherwise the first
    in alphabetical order.
    """
    return FALLBACK_GAME if FALLBACK_GAME in _locations() else next(iter(games()), FALLBACK_GAME)


@cache
def ruleset(game: str) -> Ruleset | UnknownName:
    """Return the game with an id, or the failed lookup.

    The game is loaded at its first use. Raises TypeError if a location does not contain a Ruleset.
    """
    location = _locations().get(game)
    if location is None:
        return UnknownName("game", game, games())
    module, _, name = location.partition(":")
    loaded = reduce(getattr, name.split("."), import_module(module))
    if not isinstance(loaded, Ruleset):
        raise TypeError(f"{location} is not a Ruleset")
    return loaded
