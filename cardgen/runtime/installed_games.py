"""Discovery of games, without loading any of them: installed ones, and those that are files of a project."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from cardgen.runtime import regular_file
from cardgen.runtime.fingerprint import PACKAGE
from cardgen.runtime.regular_file import ALL_SAVED, UnsavedFiles

GAMES_FOLDER = "games"
GAME_FILE = "game.yaml"
MAX_GAME_FILE_SIZE = 2**20
# A project with more games than this is not a project of cards.
MOST_GAMES = 50
GAME_ID = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")


@dataclass(frozen=True)
class ProjectGame:
    """A game file; `name` is its path as the user would type it. The content is read once, at its first use.

    The tests of the program find all mistakes in a file that `is_tested`, so nobody looks for them again.
    """

    path: Path
    name: str
    is_tested: bool = False
    unsaved: UnsavedFiles = field(default_factory=lambda: ALL_SAVED, repr=False, compare=False)

    @cached_property
    def content(self) -> bytes:
        """The content of the file. Raises OSError if it cannot be read."""
        return regular_file.read(self.path, MAX_GAME_FILE_SIZE, self.unsaved)


ProjectGames = Mapping[str, ProjectGame]


def find_games(root: Path, unsaved: UnsavedFiles = ALL_SAVED) -> ProjectGames:
    """Return the games in a project's folder, by id.

    Links that point outside the project are skipped, and so are folders whose name is not an id.
    """
    folder = root / GAMES_FOLDER
    paths = [path for path in game_paths(root) if GAME_ID.fullmatch(path.parent.name) and _is_inside(root, path)]
    return (
        {path.parent.name: ProjectGame(path, _display_name(path), unsaved=unsaved) for path in paths}
        if folder.is_dir()
        else {}
    )


def is_game(path: Path) -> bool:
    """Return whether a path is a game file, or the folder of one."""
    return path.name == GAME_FILE if path.is_file() else (path / GAME_FILE).is_file()


def game_paths(root: Path) -> Iterator[Path]:
    """Yield the game files of a project in alphabetical order, at most `MOST_GAMES`."""
    names: list[str] = []
    with suppress(OSError):
        names = sorted(os.listdir(root / GAMES_FOLDER))  # noqa: PTH208 - only names are needed
    files = (root / GAMES_FOLDER / name / GAME_FILE for name in names if not name.startswith("."))
    yield from [file for file in files if os.path.lexists(file)][:MOST_GAMES]


def _is_inside(root: Path, path: Path) -> bool:
    try:
        return Path(os.path.realpath(path, strict=True)).is_relative_to(os.path.realpath(root))
    except OSError:
        return False


def _display_name(path: Path) -> str:
    """Return a path relative to the current folder if it is inside."""
    absolute, here = os.path.abspath(path), os.getcwd()  # noqa: PTH100, PTH109 - resolve() would follow links
    return absolute.removeprefix(here.rstrip(os.sep) + os.sep).replace(os.sep, "/")


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


@dataclass(frozen=True)
class FreeFields:
    """The block `kinds` of a project's settings, as it was read.

    `game` is '' for the default game, and `key` is equal for equal blocks. `document` is the settings file. With
    `optional`, cards need none of the fields, which is how the cards of the program are read.
    """

    game: str
    key: str
    kinds: Mapping[str, Any] = field(compare=False)
    document: Any = field(compare=False)
    optional: bool = False
