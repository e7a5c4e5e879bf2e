"""A second process for long tasks: checks of whole projects, and pictures of cards.

It has one thread, so it can fork, and templates made by strangers run with the limits of the command line. If it dies,
or takes too long, only its answer is missing.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple, Protocol

from cardgen.diagnostic import CardgenError
from cardgen.editor.odds import odds_lines
from cardgen.editor.picture import draw_card
from cardgen.editor.problems import Problems, check_all
from cardgen.editor.session import Session

CHECK_SECONDS, PICTURE_SECONDS, ODDS_SECONDS = 120.0, 20.0, 5.0


class WorkerError(Exception):
    """The process ended, or took too long."""


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
    """A process that starts with the first task. Its methods block, and threads may share it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._process: BaseProcess | None = None
        self._connection: Connection | None = None

    def check(self, state: ProjectState) -> Problems:
        """Return the problems of a project. Raises WorkerError, and CardgenError if it cannot be checked."""
        answer = self._ask(CheckTask(state), CHECK_SECONDS)
        assert isinstance(answer, dict)
        return answer

    def picture(self, state: ProjectState, game: str, card: str, dpi: int) -> bytes:
        """Return the front of a card as PNG. Raises WorkerError, and CardgenError if it cannot be drawn."""
        answer = self._ask(PictureTask(state, game, card, dpi), PICTURE_SECONDS)
        assert isinstance(answer, bytes)
        return answer

    def odds(self, state: ProjectState, game: str, kind: str, card: str) -> list[str]:
        """Return the odds of a card, one benchmark a line. Raises WorkerError, and CardgenError."""
        answer = self._ask(OddsTask(state, game, kind, card), ODDS_SECONDS)
        assert isinstance(answer, list)
        return answer

    def close(self) -> None:
        """End the process."""
        process, connection = self._process, self._connection
        self._process = self._connection = None
        if connection:
            with suppress(OSError):
                connection.close()
        if process:
            process.kill()
            process.join(5)

    def _ask(self, task: Task, seconds: float) -> object:
        with self._lock:
            try:
                is_answer, content = self._exchange(task, seconds)
            except (OSError, EOFError) as error:
                self.close()
                raise WorkerError("the process ended") from error
            except WorkerError:
                self.close()
                raise
        if is_answer:
            return content
        if isinstance(content, str):
            raise WorkerError(content)
        raise CardgenError(*content)

    def _exchange(self, task: Task, seconds: float) -> tuple[bool, Any]:
        connection = self._start()
        connection.send(task)
        if not connection.poll(seconds):
            raise WorkerError(f"no answer within {seconds:g} s")
        is_answer, content = connection.recv()
        return is_answer, content

    def _start(self) -> Connection:
        if self._connection is None or self._process is None or not self._process.is_alive():
            context = get_context("spawn")
            self._connection, other = context.Pipe()
            self._process = context.Process(target=_serve, args=(other,), daemon=True)
            self._process.start()
            other.close()
        return self._connection


def _serve(connection: Connection) -> None:
    """Answer tasks until the editor closes the connection."""
    os.dup2(2, 1)  # standard output belongs to the language server
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sessions: dict[Path, tuple[int, Session]] = {}
    with suppress(EOFError, OSError):
        while True:
            task = connection.recv()
            connection.send(_answer(task, sessions))


def _answer(task: Task, sessions: dict[Path, tuple[int, Session]]) -> tuple[bool, object]:
    try:
        return True, task.run(_session(task.state, sessions))
    except CardgenError as error:
        return False, error.diagnostics
    except Exception as error:
        return False, f"{type(error).__name__}: {error}"


def _session(state: ProjectState, sessions: dict[Path, tuple[int, Session]]) -> Session:
    generation, session = sessions.get(state.root, (-1, None))
    if session is None or generation != state.generation:
        session = Session(state.root)
        sessions[state.root] = (state.generation, session)
    session.replace_texts(state.unsaved)
    return session
