"""Finding games by folder and entry point, and loading one when it is asked for."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import cache, reduce
from importlib import import_module
from pathlib import Path

from cardgen.rulesets.ruleset import Ruleset
from cardgen.rulesets.unknown import Unknown

GROUP = "cardgen.rulesets"
# What a project plays that names no game: the one that was here first.
OLDEST = "warniris"


@cache
def _found() -> dict[str, str]:
    """Where every game is, as 'module:name' by id; a game of ours cannot be replaced from outside."""
    folders = [path.parent.name for path in Path(__file__).parent.glob("*/__init__.py")]
    return {**_from_outside(), **{name: f"{GROUP}.{name}:RULESET" for name in folders}}


def _from_outside() -> dict[str, str]:
    """The games that other packages bring along."""
    if not any(map(_announces, sys.path)):
        return {}
    from importlib.metadata import entry_points  # loaded here, for that takes longer than to check a card

    return {point.name: point.value for point in entry_points(group=GROUP)}


def _announces(folder: str) -> bool:
    """Whether a package that is installed in a folder may bring a game."""
    return any(GROUP.encode() in path.read_bytes() for path in _announcements(folder))


def _announcements(folder: str) -> Iterator[Path]:
    try:
        with os.scandir(folder or ".") as entries:
            found = [entry.path for entry in entries if entry.name.endswith((".dist-info", ".egg-info"))]
    except OSError:  # Such as an archive; packages are not installed into those.
        return
    for path in found:
        file = Path(path, "entry_points.txt")
        if file.is_file():
            yield file


def games() -> tuple[str, ...]:
    """The ids of all games, in alphabetical order; none of them is loaded."""
    return tuple(sorted(_found()))


def default_game() -> str:
    """The id of the game that a project plays when it names none: the oldest, or else the first of those there are."""
    return OLDEST if OLDEST in _found() else next(iter(games()), OLDEST)


@cache
def ruleset(game: str) -> Ruleset | Unknown:
    """The game of that id, loaded at its first use, or what to say when there is none."""
    where = _found().get(game)
    if where is None:
        return Unknown("game", game, games())
    module, _, name = where.partition(":")
    found = reduce(getattr, name.split("."), import_module(module))
    if not isinstance(found, Ruleset):
        raise TypeError(f"{where} is no Ruleset")
    return found
