"""Finds games by folder and entry point, and loads one at its first use."""

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
# What a project plays that names no game: the one that was here first.
FALLBACK_GAME = "warniris"


@cache
def _locations() -> dict[str, str]:
    """Where every game is, as 'module:name' by id; a game of ours cannot be replaced from outside."""
    folders = [path.parent.name for path in Path(__file__).parent.glob("*/__init__.py")]
    return {**_plugin_locations(), **{name: f"{GROUP}.{name}:RULESET" for name in folders}}


def _plugin_locations() -> dict[str, str]:
    """The games that other packages bring along."""
    if not any(map(_declares_game, sys.path)):
        return {}
    from importlib.metadata import entry_points  # loaded here, for that takes longer than to check a card

    return {point.name: point.value for point in entry_points(group=GROUP)}


def _declares_game(folder: str) -> bool:
    """Whether a package that is installed in a folder may bring a game."""
    return any(GROUP.encode() in path.read_bytes() for path in _entry_point_files(folder))


def _entry_point_files(folder: str) -> Iterator[Path]:
    try:
        with os.scandir(folder or ".") as entries:
            metadata_folders = [entry.path for entry in entries if entry.name.endswith((".dist-info", ".egg-info"))]
    except OSError:  # Such as an archive; packages are not installed into those.
        return
    for path in metadata_folders:
        file = Path(path, "entry_points.txt")
        if file.is_file():
            yield file


def games() -> tuple[str, ...]:
    """The ids of all games, in alphabetical order; none of them is loaded."""
    return tuple(sorted(_locations()))


def default_game() -> str:
    """The id of the game that a project plays when it names none: the oldest, or else the first of those there are."""
    return FALLBACK_GAME if FALLBACK_GAME in _locations() else next(iter(games()), FALLBACK_GAME)


@cache
def ruleset(game: str) -> Ruleset | UnknownName:
    """The game of that id, loaded at its first use, or what to say when there is none."""
    location = _locations().get(game)
    if location is None:
        return UnknownName("game", game, games())
    module, _, name = location.partition(":")
    loaded = reduce(getattr, name.split("."), import_module(module))
    if not isinstance(loaded, Ruleset):
        raise TypeError(f"{location} is no Ruleset")
    return loaded
