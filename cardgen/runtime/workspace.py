"""The workspace of a project: what everything that works on the project shares."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from cardgen.runtime import installed_games, regular_file
from cardgen.runtime.budget import Budget
from cardgen.runtime.fingerprint import find_project_root
from cardgen.runtime.installed_games import FreeFields, ProjectGame
from cardgen.runtime.regular_file import ALL_SAVED, UnsavedFiles

if TYPE_CHECKING:
    from cardgen.runtime.cluster.pool import Link

T = TypeVar("T")


class FileMemory:
    """What was read from files.

    A file is read again if its unsaved text, its size, or its time of change differs. Settings and games are not
    compared: after a change of these, `forget` the files.
    """

    def __init__(self) -> None:
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
        self._files[whole_key] = (stamp, new)
        return new


def _stamp(file: Path) -> tuple[int, int, int] | None:
    try:
        status = os.stat(file)  # noqa: PTH116 - faster for thousands of files
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


@dataclass(eq=False)
class Workspace:
    """State of one project, or of none; pass it to whatever reads or makes something of the project.

    `start` is the folder from which the project is searched upward, by default the current folder. `unsaved` are the
    texts of files that an editor has open, by absolute path. `games` and `fields` are the games and the free fields of
    the project; they are found when its settings are read. `game_settings` are its settings of games, by model; None
    until they are read. With a `memory`, files that did not change are not read again. All expressions share the
    `budget`. Large pools of tasks run on the `cluster`, if there is one.
    """

    start: Path | None = None
    unsaved: UnsavedFiles = field(default_factory=lambda: ALL_SAVED)
    games: Mapping[str, ProjectGame] = field(default_factory=dict)
    fields: FreeFields | None = None
    game_settings: Mapping[type[Any], Any] | None = None
    memory: FileMemory | None = None
    budget: Budget = field(default_factory=Budget)
    cluster: Link | None = None

    @property
    def root(self) -> Path:
        """The root folder of the project that `start` belongs to, which need not have settings."""
        return find_project_root(Path(os.path.abspath(self.start or Path.cwd())))  # noqa: PTH100 - resolve() would follow links

    @property
    def game_files(self) -> dict[str, ProjectGame]:
        """The games that are files, by id. Those of a project cannot replace installed ones."""
        return {
            **{game: file for game, file in self.games.items() if game not in installed_games.locations()},
            **installed_games.program_game_files(),
        }

    @property
    def game_ids(self) -> tuple[str, ...]:
        """The ids of all games in alphabetical order."""
        return tuple(sorted({*installed_games.locations(), *self.game_files}))

    def with_games(self) -> Workspace:
        """Return the workspace with the games in the folder of its project."""
        return replace(self, games=installed_games.find_games(self.root, self.unsaved))

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
