"""The workspace of a project: what everything that works on the project shares, and the budget of its expressions."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from cardgen.runtime import installed_games, regular_file
from cardgen.runtime.fingerprint import find_project_root
from cardgen.runtime.installed_games import FreeFields, ProjectGame
from cardgen.runtime.regular_file import ALL_SAVED, UnsavedFiles

if TYPE_CHECKING:
    from cardgen.runtime.cluster.pool import Link


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

        Raises BudgetError above the limit of an evaluation or of the run.
        """
        self._left -= steps
        if self._left < 0:
            raise BudgetError(f"an expression takes more than {EVALUATION_STEPS:,} steps")
        self._budget.spend(steps)


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
