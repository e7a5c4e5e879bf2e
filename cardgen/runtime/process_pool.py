"""Independent tasks in worker processes.

The results are the same for any number of workers.

Workers are forked where that is safe: on Linux, from the main thread, while no threads but watchdogs run. A fork shares
the memory of this process and starts at once. Elsewhere workers start anew, which works on every system and next to
threads, but every worker has to prepare its task again.

Workers know nothing but their task, leave Ctrl-C to this process, and end when it ends. If no worker can be started, or
one dies, this process runs its tasks.
"""

from __future__ import annotations

import gc
import os
import sys
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from functools import cached_property
from itertools import pairwise
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Final, Generic, Self, TypeAlias, TypeVar

from cardgen.runtime.child_process import MAX_MESSAGE
from cardgen.runtime.plain_data import Decoder, Encoder, PlainDataError
from cardgen.runtime.processes import Fork, can_fork

if TYPE_CHECKING:
    from cardgen.runtime.child_process import ChildProcess, Inbox, ParentChannel


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
    they must be plain data. Workers that start anew call `setup` themselves; then it must be importable, and the
    arguments picklable.
    """

    def __init__(self, setup: Callable[..., Task[T]], arguments: tuple[Any, ...], count: int, jobs: int) -> None:
        self._setup = setup
        self._arguments = arguments
        self._count = count
        self._jobs = jobs
        self._stream_jobs = min(jobs, count // _MIN_STREAM_TASKS)
        self._stream: _Stream | None = None
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
        try:
            if self._stream is None:
                self._stream = _Stream(self._stream_jobs, self._setup, self._arguments)
            self._submit_ahead(index, self._stream)
            result = self._stream.result(index)
        except (_LostWorkerError, OSError):
            self._end_stream()  # A worker was killed, or none can be started.
            return self._task(index)
        except KeyboardInterrupt:
            self._end_stream()
            raise
        if not self._stream.is_busy and self._last_submitted == self._count - 1:
            self._end_stream()
        # A task that failed there fails here, with its own exception.
        return self._task(index) if result is _FAILED else result  # type: ignore[return-value]

    def _end_stream(self) -> None:
        """End the workers, and run later tasks in this process."""
        self._stream_jobs = 1
        stream, self._stream = self._stream, None
        if stream is not None:
            stream.close()

    def _submit_ahead(self, index: int, stream: _Stream) -> None:
        """Submit a task and the next ones, unless already submitted."""
        last = min(index + _SUBMIT_AHEAD * self._stream_jobs, self._count - 1)
        fresh = range(max(index, self._last_submitted) + 1, last + 1)
        for each in (index, *fresh):
            stream.submit(each)
        self._last_submitted = max(self._last_submitted, last)

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


class _LostWorkerError(Exception):
    """A worker has ended before its tasks."""


_FAILED: Final = object()


class _Stream:
    """Workers of a pool that send each result as soon as it is there."""

    def __init__(self, workers: int, setup: Callable[..., Task[Any]], arguments: tuple[Any, ...]) -> None:
        """Raises OSError if no worker can be started."""
        from cardgen.runtime.child_process import ChildProcess  # loaded here because one process needs no other

        self._inbox: Inbox = SimpleQueue()
        self._waiting: dict[ChildProcess, set[int]] = {}
        self._results: dict[int, object] = {}
        forked = can_fork()
        try:
            for _ in range(workers):
                worker = ChildProcess(_serve, forked, setup, arguments, forked=forked, inbox=self._inbox)
                self._waiting[worker] = set()
        finally:
            for worker in self._waiting:  # after the last fork, because each starts a thread
                worker.begin()
            self.close = weakref.finalize(self, _end_all, tuple(self._waiting))
        if not self._waiting:
            raise OSError("no process can be started")

    @property
    def is_busy(self) -> bool:
        """Whether there are tasks without a result, or results that nobody has asked for."""
        return bool(self._results) or any(self._waiting.values())

    def submit(self, index: int) -> None:
        """Let the worker with the fewest tasks run one more, unless one has it. Raises OSError if it has ended."""
        if index not in self._results and not any(index in tasks for tasks in self._waiting.values()):
            worker = min(self._waiting, key=lambda each: len(self._waiting[each]))
            self._waiting[worker].add(index)
            worker.send(index)

    def result(self, index: int) -> object:
        """Wait for the result of a task, or `_FAILED`. Raises _LostWorkerError if a worker has ended."""
        while index not in self._results:
            worker, answer = self._inbox.get()
            match answer:
                case int(done), bool(succeeded), value if done in self._waiting[worker]:
                    self._waiting[worker].discard(done)
                    self._results[done] = value if succeeded else _FAILED
                case _:
                    raise _LostWorkerError
        return self._results.pop(index)


def _end_all(workers: Iterable[ChildProcess]) -> None:
    for worker in workers:
        worker.kill()
    for worker in workers:
        worker.close()


def _serve(channel: ParentChannel, forked: bool, setup: Callable[..., Task[Any]], arguments: tuple[Any, ...]) -> None:
    """Run tasks until there are no more. A fork ends with its parent; others wait for the end of its requests."""
    indices: Callable[[], int] = channel.receive
    if not forked:
        requests: SimpleQueue[int] = SimpleQueue()
        threading.Thread(target=_receive_all, args=(channel, requests), daemon=True).start()
        indices = requests.get
    task = setup(*arguments)
    while True:
        index = indices()
        try:
            answer = index, True, task(index)
        except Exception:
            channel.send((index, False, None))
        else:
            channel.send(answer)


def _receive_all(channel: ParentChannel, requests: SimpleQueue[int]) -> None:
    """Pass on the tasks, and end this process with its parent."""
    with suppress(EOFError, OSError):
        while True:
            requests.put(channel.receive())
    os._exit(1)


# Bytes of the length before each batch of results.
_LENGTH_SIZE = 8
# Results after which what they share is sent anew; until then, both processes keep the results in memory.
_MOST_SHARED = 256

_is_worker = False


def is_worker() -> bool:
    """Return whether this process is the fork of a pool; if it dies, the pool runs its tasks elsewhere."""
    return _is_worker


class BatchQueue:
    """Queue of batches of indices, shared by processes."""

    def __init__(self, batches: Sequence[Sequence[int]]) -> None:
        self._batches = batches

    @property
    def descriptor(self) -> int:
        """What a fork needs to take batches."""
        return self._numbers

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


class ForkedWorker:
    """Fork of this process that runs batches of tasks.

    It ends with the block, if not before. Its results must be plain data; this process may read what it sends even if
    a hostile file has taken it over.
    """

    def __init__(self, task: Callable[[int], Any], batches: BatchQueue) -> None:
        """Raises OSError if no fork can be made."""
        self._file = open(os.memfd_create("cardgen"), "w+b", buffering=0)  # noqa: PTH123, SIM115 - it has no path
        self._position = 0
        self._decoder, self._received = Decoder(), 0
        try:
            self._fork = Fork(lambda: self._work(task, batches), (self._file.fileno(), batches.descriptor))
        except OSError:
            self._file.close()
            raise

    def _work(self, task: Callable[[int], Any], batches: BatchQueue) -> None:
        """Run batches until there are none left."""
        global _is_worker
        _is_worker = True
        encoder, sent = Encoder(), 0
        for batch in batches:
            content = encoder.encode([(index, task(index)) for index in batch])
            self._file.write(len(content).to_bytes(_LENGTH_SIZE) + content)
            sent += len(batch)
            if sent >= _MOST_SHARED:
                encoder.forget()
                sent = 0

    def ready(self) -> Iterator[tuple[int, Any]]:
        """Yield the results of the batches that were finished since the last call.

        What cannot be read is left out, as if the fork had ended before it.
        """
        while batch := self._next_batch():
            try:
                results = [(int(index), result) for index, result in self._decoder.decode(batch)]
            except (PlainDataError, TypeError, ValueError):
                self._position = sys.maxsize
                return
            yield from results
            self._received += len(results)
            if self._received >= _MOST_SHARED:
                self._decoder.forget()
                self._received = 0

    def _next_batch(self) -> bytes:
        """Return the next finished batch, or b''; the file's own position belongs to the fork."""
        if self._position == sys.maxsize:
            return b""
        head = os.pread(self._file.fileno(), _LENGTH_SIZE, self._position)
        length, start = int.from_bytes(head), self._position + _LENGTH_SIZE
        if len(head) < _LENGTH_SIZE or length > MAX_MESSAGE or os.fstat(self._file.fileno()).st_size < start + length:
            return b""
        self._position = start + length
        return os.pread(self._file.fileno(), length, start)

    def wait(self) -> None:
        """Wait for the fork to end; after that, all of its finished batches are ready."""
        self._fork.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
        self._fork.kill()
