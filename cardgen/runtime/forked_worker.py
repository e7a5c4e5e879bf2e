"""Forks of this process that run batches of tasks, and send back results as they finish."""

from __future__ import annotations

import ctypes
import os
import pickle
import signal
from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from typing import Any, Self

# The option of Linux's prctl that names the signal for the death of the parent.
_PR_SET_PDEATHSIG = 1
# Bytes of the length before each batch of results.
_LENGTH_SIZE = 8
# Results after which pickling starts anew; until then, both processes keep the results in memory.
_MOST_SHARED = 128

_is_worker = False


def is_worker() -> bool:
    """Return whether this process is the fork of a pool; if it dies, the pool runs its tasks elsewhere."""
    return _is_worker


def end_fork_with_parent(parent: int) -> None:
    """Let Linux kill this process when its parent has died."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


class BatchQueue:
    """Queue of batches of indices, shared by processes."""

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


class _Target:
    """Pickler of batches, which sends what results share once for each run of `_MOST_SHARED` results."""

    def __init__(self) -> None:
        self._content = BytesIO()
        self._pickler = pickle.Pickler(self._content, pickle.HIGHEST_PROTOCOL)
        self._sent = 0

    def dump(self, results: Sequence[object]) -> bytes:
        """Return the pickled results of a batch."""
        self._content.seek(0)
        self._content.truncate()
        self._pickler.dump(results)
        self._sent += len(results)
        if self._sent >= _MOST_SHARED:
            self._pickler.clear_memo()
            self._sent = 0
        return self._content.getvalue()


class _Source:
    """Unpickler of the batches of a `_Target`, in order."""

    def __init__(self) -> None:
        self._content = BytesIO()
        self._unpickler = pickle.Unpickler(self._content)
        self._received = 0

    def load(self, content: bytes) -> Sequence[tuple[int, Any]]:
        """Return the results of a batch."""
        if self._received >= _MOST_SHARED:
            self._unpickler = pickle.Unpickler(self._content)
            self._received = 0
        self._content.seek(0)
        self._content.truncate()
        self._content.write(content)
        self._content.seek(0)
        results: Sequence[tuple[int, Any]] = self._unpickler.load()
        self._received += len(results)
        return results


class ForkedWorker:
    """Fork of this process that runs batches of tasks.

    It ends with the block, if not before.
    """

    def __init__(self, task: Callable[[int], Any], batches: BatchQueue) -> None:
        """Raises OSError if no fork can be made."""
        self._file = open(os.memfd_create("cardgen"), "w+b", buffering=0)  # noqa: PTH123, SIM115 - it has no path
        self._position = 0
        self._source = _Source()
        parent = os.getpid()
        # Ctrl-C reaches both processes; the parent ends the fork, which must never go on as if it were the parent.
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

    def _work(self, task: Callable[[int], Any], batches: BatchQueue, parent: int) -> None:
        """Run batches until there are none left, and end the process."""
        global _is_worker
        _is_worker = True
        status = 1
        try:
            end_fork_with_parent(parent)
            target = _Target()
            for batch in batches:
                content = target.dump([(index, task(index)) for index in batch])
                self._file.write(len(content).to_bytes(_LENGTH_SIZE) + content)
            status = 0
        finally:
            os._exit(status)

    def ready(self) -> Iterator[tuple[int, Any]]:
        """Yield the results of the batches that were finished since the last call."""
        while batch := self._next_batch():
            yield from self._source.load(batch)

    def _next_batch(self) -> bytes:
        """Return the next finished batch, or b''; the file's own position belongs to the fork."""
        head = os.pread(self._file.fileno(), _LENGTH_SIZE, self._position)
        length, start = int.from_bytes(head), self._position + _LENGTH_SIZE
        if len(head) < _LENGTH_SIZE or os.fstat(self._file.fileno()).st_size < start + length:
            return b""
        self._position = start + length
        return os.pread(self._file.fileno(), length, start)

    def wait(self) -> None:
        """Wait for the fork to end; after that, all of its finished batches are ready."""
        os.waitpid(self._process, 0)
        self._process = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
        if self._process:
            os.kill(self._process, signal.SIGKILL)
            os.waitpid(self._process, 0)
