"""Independent tasks in worker processes.

The results are the same for any number of workers.

Workers are forked where that is safe: on Linux, from the main thread, while no threads but watchdogs run. A fork shares
the memory of this process and starts at once. Elsewhere workers are spawned, which works on every system and next to
threads, but every worker has to prepare its task again.

Workers know nothing but their task, leave Ctrl-C to this process, and end when it ends. If no worker can be started, or
one dies, this process runs its tasks.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from cardgen.runtime.forked_worker import BatchQueue, ForkedWorker, end_fork_with_parent
from cardgen.runtime.time_limit import WATCHDOG_THREAD

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

T = TypeVar("T")
Task: TypeAlias = Callable[[int], T]

# Below this many tasks per worker, starting one takes longer than it saves.
_MIN_STREAM_TASKS, _MIN_FORK_TASKS = 8, 32
# Tasks begun ahead per worker: enough to keep it busy, few enough to hold their results in memory.
_SUBMIT_AHEAD = 3
# Batches per worker, and tasks in a batch: small enough for all workers to end together.
_BATCHES_PER_WORKER = 32
_MOST_IN_BATCH = 32
_MAX_BATCHES = 256


class TaskPool(Generic[T]):
    """Pool of the tasks 0 to `count` - 1.

    They are run by up to `jobs` processes if there are enough of them.

    `setup(*arguments)` returns the function that runs one task by its index. Results are sent between processes, so
    they must be picklable. Spawned workers call `setup` themselves; then it must be importable, and the arguments
    picklable.
    """

    def __init__(self, setup: Callable[..., Task[T]], arguments: tuple[Any, ...], count: int, jobs: int) -> None:
        self._setup = setup
        self._arguments = arguments
        self._count = count
        self._jobs = jobs
        self._stream_jobs = min(jobs, count // _MIN_STREAM_TASKS)
        self._futures: dict[int, Future[T]] = {}
        self._last_submitted = -1

    @cached_property
    def _task(self) -> Task[T]:
        return self._setup(*self._arguments)

    def result(self, index: int) -> T:
        """Return the result of one task while workers run the next ones.

        This is for results too large to hold all at once.
        """
        if self._stream_jobs < 2:
            return self._task(index)
        from concurrent.futures.process import BrokenProcessPool

        try:
            self._submit_ahead(index)
            result = self._futures.pop(index).result()
        except (BrokenProcessPool, OSError, ImportError):  # A worker was killed, or none can be started.
            self._end_stream()
            return self._task(index)
        except KeyboardInterrupt:
            self._abandon_stream()
            raise
        if not self._futures and self._last_submitted == self._count - 1:
            self._end_stream()
        return result

    def _end_stream(self) -> None:
        """Wait for the workers to end, and run later tasks in this process.

        Workers that end while the interpreter exits can make its exit handlers fail.
        """
        self._futures.clear()
        self._stream_jobs = 1
        executor: ProcessPoolExecutor | None = self.__dict__.pop("_executor", None)
        if executor is not None:
            executor.shutdown()

    def _abandon_stream(self) -> None:
        """End the workers at once: otherwise the interpreter waits for all tasks that are submitted."""
        executor: ProcessPoolExecutor | None = self.__dict__.pop("_executor", None)
        if executor is not None:
            for worker in [*(executor._processes or {}).values()]:
                worker.terminate()
            executor.shutdown(cancel_futures=True)

    def _submit_ahead(self, index: int) -> None:
        """Submit a task and the next ones, unless already submitted."""
        last = min(index + _SUBMIT_AHEAD * self._stream_jobs, self._count - 1)
        fresh = range(max(index, self._last_submitted) + 1, last + 1)
        for each in (index, *fresh):
            if each not in self._futures:
                self._futures[each] = self._executor.submit(_run_in_worker, each)
        self._last_submitted = max(self._last_submitted, last)

    @cached_property
    def _executor(self) -> ProcessPoolExecutor:
        import multiprocessing  # Takes some 10 ms to load, with the executor; one process needs neither.
        from concurrent.futures import ProcessPoolExecutor

        context = multiprocessing.get_context("fork" if can_fork() else "spawn")
        arguments = (os.getpid() if can_fork() else None, self._setup, self._arguments)
        return ProcessPoolExecutor(self._stream_jobs, context, _start_worker, arguments)

    def results(self, *, warm_up: Iterable[int] = (), on_done: Callable[[int], None] = lambda _: None) -> Iterator[T]:
        """Yield all results in order, each as soon as it and those before it are there.

        What the caller does with one happens while workers run the next ones. This process runs tasks too, which saves
        one copy of its memory. Only forks share the work here, so the tasks may hold things that cannot be pickled. The
        tasks of `warm_up` run before the fork and fill caches for the others. `on_done` is called in this process, in
        any order.
        """
        jobs = min(self._jobs, self._count // _MIN_FORK_TASKS) if can_fork() else 1
        results = {index: self._run(index, on_done) for index in (warm_up if jobs > 1 else ())}
        remaining = [index for index in range(self._count) if index not in results]
        shared = self._share(remaining, jobs, on_done) if jobs > 1 else iter(())
        for index in range(self._count):
            while index not in results:
                done, result = next(shared, None) or (index, self._run(index, on_done))
                results[done] = result
            yield results.pop(index)

    def _share(self, indices: Sequence[int], jobs: int, on_done: Callable[[int], None]) -> Iterator[tuple[int, T]]:
        """Yield the results of this process and of its forks, as they come."""
        wanted = max(_BATCHES_PER_WORKER * jobs, len(indices) // _MOST_IN_BATCH)
        batch_count = min(wanted, _MAX_BATCHES, len(indices))
        # Neighbors in memory go to one process, so that they are copied only once.
        ends = [len(indices) * number // batch_count for number in range(batch_count + 1)]
        gc.freeze()  # Otherwise the garbage collector would touch all objects, and so copy them into each fork.
        try:
            with BatchQueue([indices[start:end] for start, end in pairwise(ends)]) as batches, ExitStack() as stack:
                workers: list[ForkedWorker] = []
                with suppress(OSError):  # Too many processes, or too little memory.
                    workers.extend(stack.enter_context(ForkedWorker(self._task, batches)) for _ in range(1, jobs))
                for batch in batches:
                    yield from ((index, self._run(index, on_done)) for index in batch)
                    for worker in workers:
                        yield from _announced(worker.ready(), on_done)
                for worker in workers:
                    worker.wait()
                    yield from _announced(worker.ready(), on_done)
        finally:
            gc.unfreeze()

    def _run(self, index: int, on_done: Callable[[int], None]) -> T:
        result = self._task(index)
        on_done(index)
        return result


def _announced(results: Iterable[tuple[int, T]], on_done: Callable[[int], None]) -> Iterator[tuple[int, T]]:
    for index, result in results:
        on_done(index)
        yield index, result


def can_fork() -> bool:
    """Return whether forking is safe for other work of this process."""
    only_watchdogs = (
        thread.name == WATCHDOG_THREAD for thread in threading.enumerate() if thread is not threading.main_thread()
    )
    return sys.platform == "linux" and threading.current_thread() is threading.main_thread() and all(only_watchdogs)


_worker_task: Task[Any] | None = None


def _start_worker(forked_from: int | None, setup: Callable[..., Task[Any]], arguments: tuple[Any, ...]) -> None:
    """Prepare a worker of an executor for its tasks."""
    global _worker_task
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if forked_from is None:
        threading.Thread(target=_end_with_parent, daemon=True).start()
    else:
        end_fork_with_parent(forked_from)
    _worker_task = setup(*arguments)


def _end_with_parent() -> None:
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _run_in_worker(index: int) -> Any:
    assert _worker_task is not None
    return _worker_task(index)
