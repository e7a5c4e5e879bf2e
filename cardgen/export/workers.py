"""Worker processes do the parts of one work; the results come in order and are the same for any number of them.

They are started afresh ('spawn'), which works on every operating system and beside threads. They know of nothing but
the work, leave Ctrl-C to the one who hired them, and end when that one has ended, however it did. Where no process can
be started, or one is killed, the work is done here.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cached_property
from typing import Any, TypeAlias

Task: TypeAlias = Callable[[int], bytes]

# To start a process takes as long as some ten parts.
_SPAWN_FROM = 16
# So many parts for each process are begun before they are asked for: enough to keep it busy, few enough to hold.
_SUBMIT_AHEAD = 3

_worker_task: Task | None = None


class SpawnPool:
    """Does `number` parts of a work, with as many processes as `jobs` says, where there are enough parts for them.

    `ready(*material)` readies the work, once in each process, and gives what does one part by its index; both must be
    importable, the material is copied.
    """

    def __init__(self, setup: Callable[..., Task], arguments: tuple[Any, ...], count: int, jobs: int) -> None:
        self._setup = setup
        self._arguments = arguments
        self._count = count
        self._jobs = min(jobs, count // (_SPAWN_FROM // 2)) if count >= _SPAWN_FROM else 1
        self._futures: dict[int, Future[bytes]] = {}
        self._last_submitted = -1

    def result(self, index: int) -> bytes:
        """The result of a part; those that come next are begun meanwhile."""
        if self._jobs < 2:
            return self._local_task(index)
        try:
            self._submit_ahead(index)
            return self._futures.pop(index).result()
        except (BrokenProcessPool, OSError, ImportError):  # Killed, or none to be had.
            self._futures.clear()
            self._jobs = 1
            return self._local_task(index)

    def _submit_ahead(self, index: int) -> None:
        """Begin a part, if it is not begun, and those behind it that never were."""
        last = min(index + _SUBMIT_AHEAD * self._jobs, self._count - 1)
        fresh = range(max(index, self._last_submitted) + 1, last + 1)
        for each in (index, *fresh):
            if each not in self._futures:
                self._futures[each] = self._executor.submit(_run_in_worker, each)
        self._last_submitted = max(self._last_submitted, last)

    @cached_property
    def _local_task(self) -> Task:
        return self._setup(*self._arguments)

    @cached_property
    def _executor(self) -> ProcessPoolExecutor:
        spawn = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self._jobs, spawn, _init_worker, (self._setup, self._arguments))


def _init_worker(setup: Callable[..., Task], arguments: tuple[Any, ...]) -> None:
    """What a process does at its beginning."""
    global _worker_task
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _worker_task = setup(*arguments)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _run_in_worker(index: int) -> bytes:
    assert _worker_task is not None
    return _worker_task(index)
