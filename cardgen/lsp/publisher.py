"""Publishes problems: those of a changed file at once, those of the project when the author pauses.

Texts that do not fit are found last, because the cards must be drawn.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from pathlib import Path

from lsprotocol import types

from cardgen.diagnostic import CardgenError
from cardgen.editor.problems import Problem, Problems, check_file
from cardgen.editor.worker import Worker
from cardgen.lsp.projects import OpenProject
from cardgen.lsp.translation import Translator, uri_of
from cardgen.runtime.request_process import ProcessError

# Seconds without a change before a file, and before the project is checked.
FILE_DELAY, PROJECT_DELAY = 0.02, 0.4
_LOG = logging.getLogger("cardgen.lsp")


class Publisher:
    """Problems that the client has of one project. A change cancels what an earlier one started."""

    def __init__(
        self,
        project: OpenProject,
        worker: Worker,
        encoding: str,
        send: Callable[[types.PublishDiagnosticsParams], None],
    ) -> None:
        self.project = project
        self._worker, self._encoding, self._send = worker, encoding, send
        self._problems: dict[Path, tuple[Problem, ...]] = {}
        # Problems of open files that only drawing their cards finds.
        self._misfits: dict[Path, tuple[Problem, ...]] = {}
        self._sent: dict[Path, list[types.Diagnostic]] = {}
        self._task: asyncio.Task[None] | None = None

    def problems_of(self, path: Path) -> tuple[Problem, ...]:
        """Return the problems of a file, as the client has them."""
        return (*self._problems.get(path, ()), *self._misfits.get(path, ()))

    def schedule(self, path: Path | None = None) -> None:
        """Check a file soon, if it has cards, and the project later."""
        self.cancel()
        if self.project.session.is_empty:
            return
        self._task = asyncio.get_running_loop().create_task(self._run(path))

    def cancel(self) -> None:
        """Stop what is scheduled."""
        if self._task:
            self._task.cancel()

    async def _run(self, path: Path | None) -> None:
        try:
            if path and self.project.session.has_cards(path):
                await asyncio.sleep(FILE_DELAY)
                if self.project.session.is_checked(path):
                    self._publish({path: check_file(self.project.session, path)})
            await asyncio.sleep(PROJECT_DELAY)
            problems = await asyncio.to_thread(self._worker.check, self.project.state)
            self._publish({**dict.fromkeys(self._problems, ()), **problems})
            await self._draw(path)
        except (CardgenError, ProcessError, OSError) as error:
            _LOG.error("check failed: %s", error)
        except Exception as error:
            _LOG.error("check failed: %s: %s", type(error).__name__, error)

    async def _draw(self, path: Path | None) -> None:
        """Draw the cards of a changed file, or of all open files, and publish the problems that this finds."""
        files = [path] if path and self.project.session.has_cards(path) else [*self.project.open_files]
        self._misfits = {path: found for path, found in self._misfits.items() if path in self.project.open_files}
        for each in files:
            if each in self.project.open_files and self.project.session.is_checked(each):
                found = await asyncio.to_thread(self._worker.check_fit, self.project.state, each)
                known = set(self._problems.get(each, ()))
                self._misfits[each] = tuple(problem for problem in found if problem not in known)
                self._publish({each: self._problems.get(each, ())})

    def _publish(self, problems: Problems) -> None:
        translator = Translator(self.project.session, self._encoding)
        self._problems.update(problems)
        for path in problems:
            if self.project.session.owns(path):
                diagnostics = list(map(translator.diagnostic, self.problems_of(path)))
                self._send_file(path, diagnostics)

    def _send_file(self, path: Path, diagnostics: list[types.Diagnostic]) -> None:
        if diagnostics != self._sent.get(path, []):
            self._sent[path] = diagnostics
            version = self.project.open_files.get(path)
            self._send(types.PublishDiagnosticsParams(uri_of(path), diagnostics, version))

    def resend(self, paths: Iterable[Path]) -> None:
        """Send the problems of files again when they are checked next."""
        for path in paths:
            self._sent.pop(path, None)
