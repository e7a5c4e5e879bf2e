"""Discovery of games, without loading any of them: installed ones, and those that are files of a project."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from cardgen.runtime.fingerprint import PACKAGE
from cardgen.runtime.project_games import GAME_FILE, ProjectGame, project_games

GROUP = "cardgen.rulesets"


@cache
def locations() -> dict[str, str]:
    """Return the location of each game as 'module:name', by id.

    Plugins cannot replace the built-in games.
    """
    folders = [path.parent.name for path in (PACKAGE / "rulesets").glob("*/__init__.py")]
    return {**_plugin_locations(), **{name: f"{GROUP}.{name}:RULESET" for name in folders}}


@cache
def program_game_files() -> dict[str, ProjectGame]:
    """Return the games of the program that are files, by id."""
    paths = sorted((PACKAGE / "rulesets").glob(f"*/{GAME_FILE}"))
    found = {path.parent.name: ProjectGame(path, f"{path.parent.name}/{GAME_FILE}") for path in paths}
    return {game: file for game, file in found.items() if game not in locations()}


def game_files() -> dict[str, ProjectGame]:
    """Return the games that are files, by id. Those of a project cannot replace installed ones."""
    own = {game: file for game, file in project_games().items() if game not in locations()}
    return {**own, **program_game_files()}


def package_folders() -> dict[str, Path]:
    """Return the folder of the package of each installed game, by id, without importing it."""
    found = {game: _package_folder(location) for game, location in locations().items()}
    return {game: folder for game, folder in found.items() if folder}


def _package_folder(location: str) -> Path | None:
    """Return the folder of the module at a location 'module:name'; None if it is not in a package."""
    top, *rest = location.partition(":")[0].split(".")
    try:
        spec = find_spec(top)
    except ValueError:  # a module that was not imported from a file
        return None
    path = Path(next(iter(spec.submodule_search_locations or ()), ""), *rest) if spec else Path()
    return next((folder for folder in (path, path.parent) if (folder / "__init__.py").is_file()), None)


def games() -> tuple[str, ...]:
    """Return the ids of all games in alphabetical order."""
    return tuple(sorted({*locations(), *game_files()}))


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
