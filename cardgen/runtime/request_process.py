"""A second process that answers requests, one after the other."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from itertools import count
from operator import attrgetter
from queue import PriorityQueue
from typing import Any, NamedTuple, TypeAlias

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
        raise ProcessError(_HAS_ENDED)

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


# Requests that people wait for go before work in the background.
URGENT, NORMAL, BACKGROUND = range(3)
_STOP = 3
_HAS_ENDED = "the process ended"
# Seconds for one answer; the check of a large project takes the longest.
MOST_SECONDS = 300.0


class _Request(NamedTuple):
    """A call of a function, in the order in which requests are answered."""

    priority: int
    number: int
    call: tuple[str, tuple[Any, ...], dict[str, Any]]
    seconds: float
    answer: Future[Any]


class RemoteService:
    """An object in another process, whose functions are called one after the other, the most urgent first.

    `make_service` returns the object there. The process starts with the first request, and again with the next one
    after it has failed. With `is_stateless`, each request has all that its answer needs, so that none fails because the
    process has ended before it.
    """

    def __init__(self, make_service: Callable[[], object], *, is_stateless: bool = False) -> None:
        self._requests: PriorityQueue[_Request] = PriorityQueue()
        self._numbers = count()
        self._process = RequestProcess(partial(_calls, make_service))
        self._is_stateless, self._is_closed = is_stateless, False
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Start the process before its first request."""
        self._process.start()

    async def call(
        self,
        name: str,
        *arguments: Any,
        priority: int = NORMAL,
        seconds: float = MOST_SECONDS,
        **keywords: Any,
    ) -> Any:
        """Return the answer of a function, such as "draw", or of one of a part of the object, such as "rules.attack".

        Raises CardgenError as the function does, and ProcessError.
        """
        if self._is_closed:
            raise ProcessError(_HAS_ENDED)
        if self._thread is None:
            self._thread = threading.Thread(target=self._answer_all, name="remote service", daemon=True)
            self._thread.start()
        answer: Future[Any] = Future()
        self._requests.put(_Request(priority, next(self._numbers), (name, arguments, keywords), seconds, answer))
        return await asyncio.wrap_future(answer)

    @property
    def is_alive(self) -> bool:
        """Whether the process runs."""
        return self._process.is_alive()

    def interrupt(self) -> None:
        """Give up the request that is being answered, which fails with ProcessError; others are answered."""
        self._process.interrupt()

    def close(self) -> None:
        """End the process; requests that are not answered fail with ProcessError."""
        self._is_closed = True
        self._requests.put(_Request(_STOP, next(self._numbers), ("", (), {}), 0.0, Future()))
        self._process.close()

    def _answer_all(self) -> None:
        while (request := self._requests.get()).priority != _STOP:
            if request.answer.set_running_or_notify_cancel():
                try:
                    request.answer.set_result(self._ask(request))
                except (CardgenError, ProcessError) as error:
                    request.answer.set_exception(error)

    def _ask(self, request: _Request) -> Any:
        if self._is_closed:
            raise ProcessError(_HAS_ENDED)
        if self._is_stateless and not self._process.is_alive():
            self._process.close()
        return self._process.ask(request.call, request.seconds)


def _calls(make_service: Callable[[], object]) -> Handler:
    """Return the function that calls a new object."""
    service = make_service()

    def call(request: tuple[str, tuple[Any, ...], dict[str, Any]]) -> Any:
        name, arguments, keywords = request
        return attrgetter(name)(service)(*arguments, **keywords)

    return call


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
