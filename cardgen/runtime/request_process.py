"""A second process that answers requests, one after the other."""

from __future__ import annotations

import signal
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, TypeAlias

from cardgen.diagnostic import CardgenError, Diagnostic
from cardgen.runtime.process_pool import can_fork

Handler: TypeAlias = Callable[[Any], Any]
# The answer, or else the diagnostics, or else a fault of the program.
Outcome: TypeAlias = tuple[Any, tuple[Diagnostic, ...] | None, str]


class ProcessError(Exception):
    """The process ended, took too long, or met a fault of the program."""


class RequestProcess:
    """A process that answers requests with the function that `make_handler` returns in it.

    It has one thread, so it can fork. It starts with the first request, and again with the next one after it has
    failed; only the answer is lost. With `may_fork`, it is itself a fork where this is safe. Its methods block, and
    only one thread at a time may use `ask`.
    """

    def __init__(self, make_handler: Callable[[], Handler], *, may_fork: bool = False) -> None:
        self._make_handler = make_handler
        self._may_fork = may_fork
        self._connection: Connection | None = None
        self._process: BaseProcess | None = None

    def is_alive(self) -> bool:
        """Return whether the process runs."""
        return self._process is not None and self._process.is_alive()

    def start(self) -> Connection:
        """Start the process, and return the connection to it."""
        context: Any = get_context("fork" if self._may_fork and can_fork() else "spawn")
        near, far = context.Pipe()
        self._process = context.Process(target=_serve, args=(far, near, self._make_handler), daemon=True)
        self._process.start()
        far.close()
        self._connection = near
        return self._connection

    def ask(self, request: object, seconds: float) -> Any:
        """Return the answer to a request.

        Raises CardgenError as the handler does, and ProcessError for everything else that goes wrong.
        """
        answer, diagnostics, fault = self._exchange(request, seconds)
        if diagnostics is not None:
            raise CardgenError(*diagnostics)
        if fault:
            raise ProcessError(fault)
        return answer

    def _exchange(self, request: object, seconds: float) -> Outcome:
        connection = self._connection or self.start()
        try:
            connection.send(request)
            if connection.poll(seconds):
                outcome: Outcome = connection.recv()
                return outcome
        except (OSError, EOFError) as error:
            self.close()
            raise ProcessError("the process ended") from error
        self.close()
        raise ProcessError(f"no answer within {seconds:g} s")

    def interrupt(self) -> None:
        """End the process, from any thread; a request that it is answering fails, and the next one starts it again."""
        process = self._process
        if process:
            process.kill()

    def close(self) -> None:
        """End the process."""
        connection, process = self._connection, self._process
        self._connection = self._process = None
        if connection:
            with suppress(OSError):
                connection.close()
        if process:
            process.kill()
            process.join(5)


def _serve(connection: Connection, other_end: Connection, make_handler: Callable[[], Handler]) -> None:
    """Answer requests until the other process closes the connection; Ctrl-C is for that one."""
    other_end.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    handler = make_handler()
    with suppress(EOFError, OSError):
        while True:
            connection.send(_outcome(handler, connection.recv()))


def _outcome(handler: Handler, request: object) -> Outcome:
    try:
        return handler(request), None, ""
    except CardgenError as error:
        return None, error.diagnostics, ""
    except Exception as error:
        return None, None, f"{type(error).__name__}: {error}"
