"""A second process for long tasks: checks of whole projects, and pictures of cards.

It has one thread, so it can fork, and templates made by strangers run with the limits of the command line. If it dies,
or takes too long, only its answer is missing.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from threading import Lock
from typing import NamedTuple, Protocol

from cardgen.editor.odds import odds_lines
from cardgen.editor.picture import draw_card
from cardgen.editor.problems import Problem, Problems, check_all, check_fit
from cardgen.editor.session import Session
from cardgen.runtime.request_process import RequestProcess

CHECK_SECONDS, PICTURE_SECONDS, ODDS_SECONDS = 120.0, 20.0, 5.0


class ProjectState(NamedTuple):
    """A project as the editor has it; with another `generation`, its files have changed on the disk."""

    root: Path
    generation: int
    unsaved: Mapping[str, bytes]


class Task(Protocol):
    """Something to do with a project; both processes must be able to import its class."""

    @property
    def state(self) -> ProjectState:
        """The project."""
        ...

    def run(self, session: Session) -> object:
        """Return the answer."""
        ...


class CheckTask(NamedTuple):
    """A check of a whole project."""

    state: ProjectState

    def run(self, session: Session) -> Problems:
        """Return the problems by file."""
        return check_all(session)


class FitTask(NamedTuple):
    """A check of one file whose cards are drawn."""

    state: ProjectState
    path: Path

    def run(self, session: Session) -> tuple[Problem, ...]:
        """Return the problems of the file."""
        return check_fit(session, self.path)


class PictureTask(NamedTuple):
    """A picture of the front of a card."""

    state: ProjectState
    game: str
    card: str
    dpi: int

    def run(self, session: Session) -> bytes:
        """Return the picture as PNG."""
        return session.ask(lambda loaded: draw_card(loaded, self.game, self.card, self.dpi))


class OddsTask(NamedTuple):
    """The odds of a card."""

    state: ProjectState
    game: str
    kind: str
    card: str

    def run(self, session: Session) -> list[str]:
        """Return the benchmarks as lines of text."""
        return session.ask(lambda loaded: odds_lines(loaded, self.game, self.kind, self.card))


class Worker:
    """A process that starts with the first task. Its methods block, and threads may share it.

    They raise ProcessError if the process fails, and CardgenError if the task cannot be done.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._process = RequestProcess(Tasks)

    def check(self, state: ProjectState) -> Problems:
        """Return the problems of a project."""
        answer = self._ask(CheckTask(state), CHECK_SECONDS)
        assert isinstance(answer, dict)
        return answer

    def check_fit(self, state: ProjectState, path: Path) -> tuple[Problem, ...]:
        """Return the problems of a file, with those that drawing its cards finds."""
        answer = self._ask(FitTask(state, path), CHECK_SECONDS)
        assert isinstance(answer, tuple)
        return answer

    def picture(self, state: ProjectState, game: str, card: str, dpi: int) -> bytes:
        """Return the front of a card as PNG."""
        answer = self._ask(PictureTask(state, game, card, dpi), PICTURE_SECONDS)
        assert isinstance(answer, bytes)
        return answer

    def odds(self, state: ProjectState, game: str, kind: str, card: str) -> list[str]:
        """Return the odds of a card, one benchmark a line."""
        answer = self._ask(OddsTask(state, game, kind, card), ODDS_SECONDS)
        assert isinstance(answer, list)
        return answer

    def close(self) -> None:
        """End the process."""
        self._process.close()

    def _ask(self, task: Task, seconds: float) -> object:
        with self._lock:
            if not self._process.is_alive():
                self._process.close()  # each task has the whole state, so a new process can do it
            return self._process.ask(task, seconds)


class Tasks:
    """The tasks in their process, which keeps the last session of each project."""

    def __init__(self) -> None:
        self._sessions: dict[Path, tuple[int, Session]] = {}

    def __call__(self, task: Task) -> object:
        """Return the answer of a task."""
        return task.run(self._session(task.state))

    def _session(self, state: ProjectState) -> Session:
        generation, session = self._sessions.get(state.root, (-1, None))
        if session is None or generation != state.generation:
            session = Session(state.root)
            self._sessions[state.root] = (state.generation, session)
        session.replace_texts(state.unsaved)
        return session
