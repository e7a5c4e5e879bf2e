"""Discovery of the installed games, without loading any of them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from cardgen.runtime.fingerprint import PACKAGE

GROUP = "cardgen.rulesets"


@cache
def locations() -> dict[str, str]:
    """Return the location of each game as 'module:name', by id.

    Plugins cannot replace the built-in games.
    """
    folders = [path.parent.name for path in (PACKAGE / "rulesets").glob("*/__init__.py")]
    return {**_plugin_locations(), **{name: f"{GROUP}.{name}:RULESET" for name in folders}}


def games() -> tuple[str, ...]:
    """Return the ids of all games in alphabetical order."""
    return tuple(sorted(locations()))


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
