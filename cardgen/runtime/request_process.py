"""A second process that answers requests, one after the other."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeAlias

from cardgen.diagnostic import CardgenError, Diagnostic
from cardgen.runtime.child_process import ENDED, ChildProcess, ParentChannel
from cardgen.runtime.plain_data import PlainDataError

Handler: TypeAlias = Callable[[Any], Any]


class ProcessError(Exception):
    """The process ended, took too long, or met a fault of the program."""


class RequestProcess:
    """A process that answers requests with the function that `make_handler` returns in it.

    It has one thread, so it can fork. It starts with the first request, and again with the next one after it has
    failed; only the answer is lost. Its methods block, and only one thread at a time may use `ask`.
    """

    def __init__(self, make_handler: Callable[[], Handler]) -> None:
        self._make_handler = make_handler
        self._process: ChildProcess | None = None

    def is_alive(self) -> bool:
        """Return whether the process runs."""
        return self._process is not None and self._process.is_alive()

    def start(self) -> ChildProcess:
        """Start the process."""
        self._process = ChildProcess(_serve, self._make_handler)
        self._process.begin()
        return self._process

    def ask(self, request: object, seconds: float) -> Any:
        """Return the answer to a request.

        Raises CardgenError as the handler does, and ProcessError for everything else that goes wrong.
        """
        match self._exchange(request, seconds):
            case answer, None, "":
                return answer
            case _, tuple(diagnostics), _ if all(isinstance(each, Diagnostic) for each in diagnostics):
                raise CardgenError(*diagnostics)
            case _, None, str(fault):
                raise ProcessError(fault)
        self.close()
        raise ProcessError("the process ended")

    def _exchange(self, request: object, seconds: float) -> object:
        try:
            process = self._process or self.start()
            process.send(request)
            return process.receive(seconds)
        except TimeoutError:
            self.close()
            raise ProcessError(f"no answer within {seconds:g} s") from None
        except OSError:
            return ENDED

    def interrupt(self) -> None:
        """End the process, from any thread; a request that it is answering fails, and the next one starts it again."""
        process = self._process
        if process:
            process.kill()

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process:
            process.close()


def _serve(channel: ParentChannel, make_handler: Callable[[], Handler]) -> None:
    """Answer requests until there are no more."""
    handler = make_handler()
    with suppress(EOFError):
        while True:
            outcome = _outcome(handler, channel.receive())
            try:
                channel.send(outcome)
            except PlainDataError as error:
                channel.send((None, None, f"{type(error).__name__}: {error}"))


def _outcome(handler: Handler, request: object) -> tuple[Any, Any, str]:
    """Return the answer, or else the diagnostics, or else a fault of the program."""
    try:
        return handler(request), None, ""
    except CardgenError as error:
        return None, error.diagnostics, ""
    except Exception as error:
        return None, None, f"{type(error).__name__}: {error}"
