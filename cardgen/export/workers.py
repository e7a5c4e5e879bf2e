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

Work: TypeAlias = Callable[[int], bytes]

# To start a process takes as long as some ten parts.
_WORTH = 16
# So many parts for each process are begun before they are asked for: enough to keep it busy, few enough to hold.
_AHEAD = 3

_work: Work | None = None


class Workers:
    """Does `number` parts of a work, with as many processes as `jobs` says, where there are enough parts for them.

    `ready(*material)` readies the work, once in each process, and gives what does one part by its index; both must be
    importable, the material is copied.
    """

    def __init__(self, ready: Callable[..., Work], material: tuple[Any, ...], number: int, jobs: int) -> None:
        self._ready = ready
        self._material = material
        self._number = number
        self._jobs = min(jobs, number // (_WORTH // 2)) if number >= _WORTH else 1
        self._begun: dict[int, Future[bytes]] = {}
        self._newest = -1

    def result(self, index: int) -> bytes:
        """The result of a part; those that come next are begun meanwhile."""
        if self._jobs < 2:
            return self._here(index)
        try:
            self._begin(index)
            return self._begun.pop(index).result()
        except (BrokenProcessPool, OSError, ImportError):  # Killed, or none to be had.
            self._begun.clear()
            self._jobs = 1
            return self._here(index)

    def _begin(self, index: int) -> None:
        """Begin a part, if it is not begun, and those behind it that never were."""
        last = min(index + _AHEAD * self._jobs, self._number - 1)
        fresh = range(max(index, self._newest) + 1, last + 1)
        for part in (index, *fresh):
            if part not in self._begun:
                self._begun[part] = self._processes.submit(_do, part)
        self._newest = max(self._newest, last)

    @cached_property
    def _here(self) -> Work:
        return self._ready(*self._material)

    @cached_property
    def _processes(self) -> ProcessPoolExecutor:
        afresh = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self._jobs, afresh, _hired, (self._ready, self._material))


def _hired(ready: Callable[..., Work], material: tuple[Any, ...]) -> None:
    """What a process does at its beginning."""
    global _work
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _work = ready(*material)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _do(index: int) -> bytes:
    assert _work is not None
    return _work(index)
