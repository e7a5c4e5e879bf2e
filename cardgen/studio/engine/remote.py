"""Calls of the engine in a process of its own."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from concurrent.futures import Future
from contextlib import suppress
from itertools import count
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from queue import PriorityQueue
from typing import Any

from cardgen.diagnostic import CardgenError, Diagnostic
from cardgen.runtime.process_pool import can_fork

# Seconds for one answer; the check of a large project takes the longest.
_ANSWER_SECONDS = 300.0
# Requests that people wait for go before work in the background.
URGENT, NORMAL, BACKGROUND = range(3)
_STOP = 3


class EngineError(Exception):
    """The engine's process ended, or an answer took too long."""


class RemoteEngine:
    """An engine in another process, which starts at once, and again after it has died.

    Requests are answered one after the other, the most urgent first.
    """

    def __init__(self, root: str) -> None:
        self._root = root
        self._requests: PriorityQueue[tuple[int, int, str, tuple[Any, ...], dict[str, Any], Future[Any]]]
        self._requests = PriorityQueue()
        self._numbers = count()
        self._connection, self._process = self._start()
        self._thread = threading.Thread(target=self._serve, name="studio engine", daemon=True)

    def begin(self) -> None:
        """Answer requests from now on; this starts a thread, so no process can be forked any more."""
        self._thread.start()

    async def call(self, name: str, *arguments: Any, priority: int = NORMAL, **keywords: Any) -> Any:
        """Return the answer of a function of `Engine`. Raises CardgenError as it does, and EngineError."""
        future: Future[Any] = Future()
        self._requests.put((priority, next(self._numbers), name, arguments, keywords, future))
        return await asyncio.wrap_future(future)

    def close(self) -> None:
        """End the process."""
        self._requests.put((_STOP, next(self._numbers), "", (), {}, Future()))
        self._connection.close()
        self._process.kill()
        self._process.join(5)

    def _start(self) -> tuple[Connection, BaseProcess]:
        context: Any = get_context("fork" if can_fork() else "spawn")
        near, far = context.Pipe()
        process = context.Process(target=_answer_calls, args=(far, near, self._root), daemon=True)
        process.start()
        far.close()
        return near, process

    def _serve(self) -> None:
        while True:
            priority, _, name, arguments, keywords, future = self._requests.get()
            if priority == _STOP:
                return
            if future.set_running_or_notify_cancel():
                self._answer(future, (name, arguments, keywords))

    def _answer(self, future: Future[Any], request: tuple[str, tuple[Any, ...], dict[str, Any]]) -> None:
        try:
            answer, diagnostics, fault = self._outcome(request)
        except (OSError, EOFError) as error:
            with suppress(OSError):
                self._restart()
            future.set_exception(EngineError(f"the process that draws cards ended: {error}"))
            return
        if diagnostics is not None:
            future.set_exception(CardgenError(*diagnostics))
        elif fault:
            future.set_exception(EngineError(fault))
        else:
            future.set_result(answer)

    def _outcome(self, request: tuple[str, tuple[Any, ...], dict[str, Any]]) -> _Outcome:
        """Return the outcome of a call. Raises OSError or EOFError if the process died or takes too long."""
        self._connection.send(request)
        if not self._connection.poll(_ANSWER_SECONDS):
            raise TimeoutError(f"no answer within {_ANSWER_SECONDS:g} seconds")
        outcome: _Outcome = self._connection.recv()
        return outcome

    def _restart(self) -> None:
        self._connection.close()
        self._process.kill()
        self._connection, self._process = self._start()


_Outcome = tuple[Any, tuple[Diagnostic, ...] | None, str]


def _answer_calls(connection: Connection, other_end: Connection, root: str) -> None:
    """Answer calls until the server closes the connection; Ctrl-C is the server's."""
    from cardgen.studio.engine.engine import Engine  # loaded here, in the new process

    other_end.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.chdir(root)
    engine = Engine(root)
    with suppress(EOFError, OSError):
        while True:
            name, arguments, keywords = connection.recv()
            connection.send(_outcome(engine, name, arguments, keywords))


def _outcome(engine: object, name: str, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> _Outcome:
    try:
        return getattr(engine, name)(*arguments, **keywords), None, ""
    except CardgenError as error:
        return None, error.diagnostics, ""
    except Exception as error:
        return None, None, f"{type(error).__name__}: {error}"
