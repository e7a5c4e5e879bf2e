"""Runs independent tasks in spawned or forked processes; same results for any number of them.

They are started afresh ('spawn'), which works on every operating system and beside threads. They know of nothing but
the work, leave Ctrl-C to the one who hired them, and end when that one has ended, however it did. Where no process can
be started, or one is killed, the work is done here.

Only what they find out comes back. Each process takes the next parts whenever it is through with some. Copies are made
where that is safe (on Linux, beside no thread but watchdogs); else, and where a copy does not come to its end, the work
is done here. The results are the same for any number of copies.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, suppress
from functools import cached_property
from itertools import pairwise
from typing import Any, Self, TypeAlias, TypeVar

from cardgen.runtime.time_limit import WATCHDOG_THREAD

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


T = TypeVar("T")

# To make a copy and to read what it found takes as long as some ten parts.
_FORK_FROM = 32
# So many times each process comes for parts: often enough for all to end together.
_BATCHES_PER_WORKER = 32
_MAX_BATCHES = 256


def run_tasks(
    task: Callable[[int], T], count: int, jobs: int, *, warm_up: Iterable[int] = (), on_done: Callable[[int], None]
) -> list[T]:
    """What the work gives for 0, 1, 2 …, in their order, with `jobs` processes where there are enough parts for them.

    What it gives is pickled. Those parts that are `first` ready what the others need too. `done` is told of each part,
    in this process, in any order.
    """
    jobs = min(jobs, count // _FORK_FROM) if _can_fork() else 1
    results = {index: _run_task(task, index, on_done) for index in (warm_up if jobs > 1 else range(count))}
    if len(results) < count:
        remaining = [index for index in range(count) if index not in results]
        gc.freeze()  # Or the collector, by looking at them, would copy all objects into each process.
        try:
            results.update(_run_forked(task, remaining, jobs, on_done))
        finally:
            gc.unfreeze()
    return [results[index] if index in results else _run_task(task, index, on_done) for index in range(count)]


def _run_forked(
    task: Callable[[int], T], indices: Sequence[int], jobs: int, on_done: Callable[[int], None]
) -> Iterator[tuple[int, T]]:
    """The results of this process and of copies of it, as far as these come to their end."""
    batch_count = min(_BATCHES_PER_WORKER * jobs, _MAX_BATCHES, len(indices))
    # What stands together in memory is looked at by one process, and copied for that one only.
    ends = [len(indices) * number // batch_count for number in range(batch_count + 1)]
    with _BatchQueue([indices[start:end] for start, end in pairwise(ends)]) as batches, ExitStack() as stack:
        workers: list[_ForkedWorker] = []
        with suppress(OSError):  # There may be too many processes, or too little memory.
            workers.extend(stack.enter_context(_ForkedWorker(task, batches)) for _ in range(1, jobs))
        for batch in batches:
            yield from ((index, _run_task(task, index, on_done)) for index in batch)
        for worker in workers:
            for index, result in worker.results():
                on_done(index)
                yield index, result


def _run_task(task: Callable[[int], T], index: int, on_done: Callable[[int], None]) -> T:
    result = task(index)
    on_done(index)
    return result


def _can_fork() -> bool:
    """Whether nothing that this process does at the same time could be cut in two."""
    only_watchdogs = (
        thread.name == WATCHDOG_THREAD for thread in threading.enumerate() if thread is not threading.main_thread()
    )
    return sys.platform == "linux" and threading.current_thread() is threading.main_thread() and all(only_watchdogs)


class _BatchQueue:
    """Some lists of which each comes once, in whichever of the processes that go through them asks for one next."""

    def __init__(self, batches: Sequence[Sequence[int]]) -> None:
        self._batches = batches

    def __enter__(self) -> Self:
        self._numbers, writer = os.pipe()
        os.write(writer, bytes(range(len(self._batches))))
        os.close(writer)
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._numbers)

    def __iter__(self) -> Iterator[Sequence[int]]:
        while number := os.read(self._numbers, 1):
            yield self._batches[number[0]]


class _ForkedWorker:
    """A copy of this process that does parts of a work; it ends with the block, if not before."""

    def __init__(self, task: Callable[[int], Any], batches: _BatchQueue) -> None:
        """Raises OSError where there can be none."""
        self._file = open(os.memfd_create("cardgen"), "w+b")  # noqa: PTH123, SIM115 - it has no path
        parent = os.getpid()
        # Ctrl-C is told to both; this one is ended by the other, and never goes on as if it were that one.
        old_mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self._process = os.fork()
            if not self._process:
                self._work(task, batches, parent)
        except OSError:
            self._file.close()
            raise
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, old_mask)

    def _work(self, task: Callable[[int], Any], batches: _BatchQueue, parent: int) -> None:
        """What the copy does, out of which nothing but this leads. It ends soon when nobody waits for it any more."""
        status = 1
        try:
            pickler = pickle.Pickler(self._file, pickle.HIGHEST_PROTOCOL)
            for batch in batches:
                pickler.dump([(index, task(index)) for index in batch])
                if os.getppid() != parent:
                    return
            self._file.flush()
            status = 0
        finally:
            os._exit(status)

    def results(self) -> Iterator[tuple[int, Any]]:
        """What it found, when it has ended; nothing where it did not come to its end."""
        _, status = os.waitpid(self._process, 0)
        self._process = 0
        if not status:
            end = self._file.seek(0, os.SEEK_END)
            self._file.seek(0)
            unpickler = pickle.Unpickler(self._file)
            while self._file.tell() < end:
                yield from unpickler.load()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
        if self._process:
            os.kill(self._process, signal.SIGKILL)
            os.waitpid(self._process, 0)
