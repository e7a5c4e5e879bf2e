"""Forks of this process that run batches of tasks, and send back results as they finish."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Self

from cardgen.runtime.child_process import MAX_MESSAGE
from cardgen.runtime.plain_data import Decoder, Encoder, PlainDataError
from cardgen.runtime.processes import Fork

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
