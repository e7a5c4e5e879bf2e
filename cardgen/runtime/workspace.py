"""The workspace of a project: what everything that works on the project shares, and the games that it can use.

Games are discovered here without loading any of them: installed ones, and those that are files of a project.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any, Protocol, TypeVar

from cardgen.runtime import regular_file
from cardgen.runtime.fingerprint import PACKAGE, find_project_root
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
    return {
        path.parent.name: ProjectGame(path, _display_name(path), unsaved=unsaved)
        for path in game_paths(root)
        if GAME_ID.fullmatch(path.parent.name) and regular_file.stays_inside(root, path)
    }


def is_game(path: Path) -> bool:
    """Return whether a path is a game file, or the folder of one."""
    return path.name == GAME_FILE if path.is_file() else (path / GAME_FILE).is_file()


def game_paths(root: Path, most: int = MOST_GAMES) -> Iterator[Path]:
    """Yield the game files of a project in alphabetical order, up to `most`.

    There are none in a folder that is a link out of the project.
    """
    names: list[str] = []
    if not regular_file.stays_inside(root, root / GAMES_FOLDER):
        return
    with suppress(OSError):
        names = sorted(os.listdir(root / GAMES_FOLDER))  # noqa: PTH208 - only names are needed
    files = (root / GAMES_FOLDER / name / GAME_FILE for name in names if not name.startswith("."))
    # A link out is not followed to look for a file there; whoever reads it says so.
    found = (file for file in files if not regular_file.stays_inside(root, file) or os.path.lexists(file))
    yield from islice(found, most)


def _display_name(path: Path) -> str:
    """Return a path relative to the current folder if it is inside."""
    absolute, here = os.path.abspath(path), os.getcwd()  # noqa: PTH100, PTH109 - resolve() would follow links
    return absolute.removeprefix(here.rstrip(os.sep) + os.sep).replace(os.sep, "/")


GROUP = "cardgen.rulesets"


@cache
def game_locations() -> dict[str, str]:
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
    return {game: file for game, file in found.items() if game not in game_locations()}


def package_folders() -> dict[str, Path]:
    """Return the folder of the package of each installed game, by id, without importing it."""
    found = {game: _package_folder(location) for game, location in game_locations().items()}
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


T = TypeVar("T")

# A step takes about half a microsecond. A deck of 2,000 cards with 50 checks takes a fifth of the steps of a run.
# An evaluation counts the nodes it visits and the items and characters it reads or builds, so the same input ends at
# the same step on every machine.
RUN_STEPS = 10_000_000
EVALUATION_STEPS = 1_000_000
# What an evaluation costs besides its nodes, and one that fails, whose message may suggest one of hundreds of names.
START_STEPS = 8
FAILURE_STEPS = 2_000


class BudgetError(Exception):
    """An evaluation, or all evaluations of a run together, took too many steps.

    The text is a message for the user.
    """


class Budget:
    """Steps that a run has left; `renew` begins the next run."""

    def __init__(self, steps: int = RUN_STEPS) -> None:
        self._steps = self.left = steps

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Budget)  # cards that keep their budget are equal if their values are

    def __hash__(self) -> int:
        return hash(Budget)

    def renew(self) -> None:
        """Give back all steps."""
        self.left = self._steps

    @property
    def spent(self) -> int:
        """The steps that were taken since the last renewal."""
        return self._steps - self.left

    def spend(self, steps: int) -> None:
        """Take steps from the budget. Raises BudgetError if it has fewer."""
        self.left -= steps
        if self.left < 0:
            raise BudgetError(f"all expressions together take more than {self._steps:,} steps")


class Meter:
    """Counter of the steps of one evaluation."""

    __slots__ = ("_budget", "_left")

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._left = EVALUATION_STEPS

    def spend(self, steps: int) -> None:
        """Count steps.

        Raises BudgetError above the limit of an evaluation or of the run. Steps above the limit may have been taken
        before they were counted, so they are taken from the run, too.
        """
        self._left -= steps
        if self._left < 0:
            self._budget.spend(min(steps, EVALUATION_STEPS))
            raise BudgetError(f"an expression takes more than {EVALUATION_STEPS:,} steps")
        self._budget.spend(steps)


class FileMemory:
    """What was read from files.

    A file is read again if its unsaved text, its size, or its time of change differs. Settings and games are not
    compared: after a change of these, `forget` the files. With more than `most` files, earlier ones are forgotten.
    """

    def __init__(self, most: int = sys.maxsize) -> None:
        self._most = most
        self._files: dict[Hashable, tuple[object, Any]] = {}

    def forget(self) -> None:
        """Read all files again."""
        self._files.clear()

    def recall(self, file: Path, unsaved: bytes | None, key: Hashable, read: Callable[[], T]) -> T:
        """Return what was read from a file; `key` tells apart the ways in which the same file is read."""
        stamp, whole_key = unsaved if unsaved is not None else _stamp(file), (str(file), key)
        old_stamp, old = self._files.get(whole_key, (None, None))
        if stamp is not None and stamp == old_stamp:
            found: T = old
            return found
        new = read()
        if len(self._files) >= self._most:
            self._files.clear()
        self._files[whole_key] = (stamp, new)
        return new


def _stamp(file: Path) -> tuple[int, int, int] | None:
    try:
        status = os.stat(file)  # noqa: PTH116 - faster for thousands of files
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


class Link(Protocol):
    """What a pool of tasks uses of a connection to a cluster. Runs and their blocks are numbered."""

    on_note: Callable[[str], None]
    is_lost: bool
    workers: int

    def open(self, payload: bytes) -> int:
        """Begin a run with its pickled setup, and return its number."""

    def submit(self, run: int, block: int, items: list[Any]) -> None:
        """Let a worker run the tasks of a block."""

    def receive(self, run: int) -> tuple[str, int, Any]:
        """Wait for an answer: 'result' or 'failed' with a block, or 'lost'."""

    def end(self, run: int) -> None:
        """Forget a run."""


@dataclass(eq=False)
class Workspace:
    """State of one project, or of none; pass it to whatever reads or makes something of the project.

    `start` is the folder from which the project is searched upward, by default the current folder. `unsaved` are the
    texts of files that an editor has open, by absolute path. `games` and `fields` are the games and the free fields of
    the project; they are found when its settings are read. `game_settings` are its settings of games, by model; None
    until they are read. With a `memory`, files that did not change are not read again. All expressions share the
    `budget`. Large pools of tasks run on the `cluster`, if there is one. Cards are read in their translation into the
    `language`, a tag; '' for the cards as they are.
    """

    start: Path | None = None
    unsaved: UnsavedFiles = field(default_factory=lambda: ALL_SAVED)
    games: Mapping[str, ProjectGame] = field(default_factory=dict)
    fields: FreeFields | None = None
    game_settings: Mapping[type[Any], Any] | None = None
    memory: FileMemory | None = None
    budget: Budget = field(default_factory=Budget)
    cluster: Link | None = None
    language: str = ""

    def __getstate__(self) -> dict[str, Any]:
        """Return what another process can use: neither the memory nor the cluster, which are of this one."""
        return {**self.__dict__, "unsaved": dict(self.unsaved), "memory": None, "cluster": None}

    @property
    def root(self) -> Path:
        """The root folder of the project that `start` belongs to, which need not have settings."""
        return find_project_root(Path(os.path.abspath(self.start or Path.cwd())))  # noqa: PTH100 - resolve() would follow links

    @property
    def game_files(self) -> dict[str, ProjectGame]:
        """The games that are files, by id. Those of a project cannot replace installed ones."""
        return {
            **{game: file for game, file in self.games.items() if game not in game_locations()},
            **program_game_files(),
        }

    @property
    def game_ids(self) -> tuple[str, ...]:
        """The ids of all games in alphabetical order."""
        return tuple(sorted({*game_locations(), *self.game_files}))

    def with_games(self) -> Workspace:
        """Return the workspace with the games in the folder of its project."""
        return replace(self, games=find_games(self.root, self.unsaved))

    def with_optional_fields(self) -> Workspace:
        """Return the workspace in which cards need none of the free fields, as the cards of the program."""
        return replace(self, fields=self.fields and replace(self.fields, optional=True))

    def read(self, path: Path, limit: int) -> bytes:
        """Return the content of a file of up to `limit` bytes, as `regular_file.read` does, saved or not."""
        return regular_file.read(path, limit, self.unsaved)

    def recall(self, file: Path, key: Hashable, read: Callable[[], T]) -> T:
        """Return what was read from a file, or read it."""
        if self.memory is None:
            return read()
        return self.memory.recall(file, regular_file.unsaved_content(file, self.unsaved), key, read)


class SettledData(dict[str, Any]):
    """Plain data of a card in a trial, with the settings of its game in the project, which its models may need."""

    settings: object = None


def with_settings(value: Any, settings: object) -> Any:
    """Return a value of a situation whose plain data have settings."""
    if isinstance(value, dict):
        data = SettledData((key, with_settings(each, settings)) for key, each in value.items())
        data.settings = settings
        return data
    return type(value)(with_settings(each, settings) for each in value) if type(value) in (list, tuple) else value
