"""Games that are files: one folder with a `game.yaml` for each, in a project or in the program."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from cardgen.runtime import regular_file
from cardgen.runtime.fingerprint import find_project_root, start_folder

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

    @cached_property
    def content(self) -> bytes:
        """The content of the file. Raises OSError if it cannot be read."""
        return regular_file.read(self.path, MAX_GAME_FILE_SIZE)


ProjectGames = Mapping[str, ProjectGame]
# None until a project is read; then the games of the current folder's project apply.
_IN_FORCE: ContextVar[ProjectGames | None] = ContextVar("games of the project", default=None)


def put_in_force(games: ProjectGames) -> None:
    """Use these games in the current context, in place of those of any other project."""
    _IN_FORCE.set(games)


def forget_games() -> None:
    """Use the games of the current folder's project in the current context, until a project is read."""
    _IN_FORCE.set(None)


def project_games() -> ProjectGames:
    """Return the games of the project that was read last, or else of the current folder's project."""
    games = _IN_FORCE.get()
    return find_games(find_project_root(start_folder())) if games is None else games


def find_games(root: Path) -> ProjectGames:
    """Return the games in a project's folder, by id.

    Links that point outside the project are skipped, and so are folders whose name is not an id.
    """
    folder = root / GAMES_FOLDER
    paths = [path for path in game_paths(root) if GAME_ID.fullmatch(path.parent.name) and _is_inside(root, path)]
    return {path.parent.name: ProjectGame(path, _display_name(path)) for path in paths} if folder.is_dir() else {}


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
