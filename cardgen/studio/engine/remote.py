"""Calls of the engine in a process of its own."""

from __future__ import annotations

import asyncio
import os
import threading
from concurrent.futures import Future
from functools import partial
from itertools import count
from operator import attrgetter
from queue import PriorityQueue
from typing import Any

from cardgen.diagnostic import CardgenError
from cardgen.runtime.request_process import Handler, ProcessError, RequestProcess

# Seconds for one answer; the check of a large project takes the longest.
_ANSWER_SECONDS = 300.0
# Requests that people wait for go before work in the background.
URGENT, NORMAL, BACKGROUND = range(3)
_STOP = 3


class RemoteEngine:
    """An engine in another process, which starts at once, and again after it has died.

    Requests are answered one after the other, the most urgent first. With `is_lazy`, the process starts with the first
    request.
    """

    def __init__(self, root: str, *, is_lazy: bool = False) -> None:
        self._requests: PriorityQueue[tuple[int, int, str, tuple[Any, ...], dict[str, Any], Future[Any]]]
        self._requests = PriorityQueue()
        self._numbers = count()
        self._process = RequestProcess(partial(_engine_calls, root))
        if not is_lazy:
            self._process.start()
        self._thread = threading.Thread(target=self._serve, name="studio engine", daemon=True)

    def begin(self) -> None:
        """Answer requests from now on."""
        self._thread.start()

    async def call(self, name: str, *arguments: Any, priority: int = NORMAL, **keywords: Any) -> Any:
        """Return the answer of a function of `Engine`, such as "draw", or of one of its parts, such as "rules.attack".

        Raises CardgenError as the function does, and ProcessError.
        """
        future: Future[Any] = Future()
        self._requests.put((priority, next(self._numbers), name, arguments, keywords, future))
        return await asyncio.wrap_future(future)

    @property
    def is_alive(self) -> bool:
        """Whether the process runs."""
        return self._process.is_alive()

    def interrupt(self) -> None:
        """Give up the request that is being answered, which fails with ProcessError; others are answered."""
        self._process.interrupt()

    def close(self) -> None:
        """End the process."""
        self._requests.put((_STOP, next(self._numbers), "", (), {}, Future()))
        self._process.close()

    def _serve(self) -> None:
        while True:
            priority, _, name, arguments, keywords, future = self._requests.get()
            if priority == _STOP:
                return
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(self._process.ask((name, arguments, keywords), _ANSWER_SECONDS))
                except (CardgenError, ProcessError) as error:
                    future.set_exception(error)


def _engine_calls(root: str) -> Handler:
    """Return the function that calls a new engine of the project in `root`."""
    from cardgen.studio.engine.engine import Engine  # loaded here, in the new process

    os.chdir(root)
    engine = Engine(root)

    def call(request: tuple[str, tuple[Any, ...], dict[str, Any]]) -> Any:
        name, arguments, keywords = request
        return attrgetter(name)(engine)(*arguments, **keywords)

    return call
