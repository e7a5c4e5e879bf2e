"""A work is shared out to copies of this process, which have all that was read and readied before: nothing is sent.

Only what they find out comes back. Each process takes the next parts whenever it is through with some. Copies are made
where that is safe (on Linux, beside no thread but watchdogs); else, and where a copy does not come to its end, the work
is done here. The results are the same for any number of copies.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from itertools import pairwise
from typing import Any, Self, TypeVar

from cardgen.face.watchdog import THREAD_NAME

T = TypeVar("T")

# To make a copy and to read what it found takes as long as some ten parts.
_WORTH = 32
# So many times each process comes for parts: often enough for all to end together.
_TURNS = 32
_MOST_TURNS = 256


def shared_out(
    work: Callable[[int], T], number: int, jobs: int, *, first: Iterable[int] = (), done: Callable[[int], None]
) -> list[T]:
    """What the work gives for 0, 1, 2 …, in their order, with `jobs` processes where there are enough parts for them.

    What it gives is pickled. Those parts that are `first` ready what the others need too. `done` is told of each part,
    in this process, in any order.
    """
    jobs = min(jobs, number // _WORTH) if _may_fork() else 1
    results = {index: _told(work, index, done) for index in (first if jobs > 1 else range(number))}
    if len(results) < number:
        others = [index for index in range(number) if index not in results]
        gc.freeze()  # Or the collector, by looking at them, would copy all objects into each process.
        try:
            results.update(_by_copies(work, others, jobs, done))
        finally:
            gc.unfreeze()
    return [results[index] if index in results else _told(work, index, done) for index in range(number)]


def _by_copies(
    work: Callable[[int], T], indices: Sequence[int], jobs: int, done: Callable[[int], None]
) -> Iterator[tuple[int, T]]:
    """The results of this process and of copies of it, as far as these come to their end."""
    turns = min(_TURNS * jobs, _MOST_TURNS, len(indices))
    # What stands together in memory is looked at by one process, and copied for that one only.
    ends = [len(indices) * turn // turns for turn in range(turns + 1)]
    with _Turns([indices[start:end] for start, end in pairwise(ends)]) as parts, ExitStack() as stack:
        copies: list[_Copy] = []
        with suppress(OSError):  # There may be too many processes, or too little memory.
            copies.extend(stack.enter_context(_Copy(work, parts)) for _ in range(1, jobs))
        for part in parts:
            yield from ((index, _told(work, index, done)) for index in part)
        for copy in copies:
            for index, result in copy.results():
                done(index)
                yield index, result


def _told(work: Callable[[int], T], index: int, done: Callable[[int], None]) -> T:
    result = work(index)
    done(index)
    return result


def _may_fork() -> bool:
    """Whether nothing that this process does at the same time could be cut in two."""
    watched = (thread.name == THREAD_NAME for thread in threading.enumerate() if thread is not threading.main_thread())
    return sys.platform == "linux" and threading.current_thread() is threading.main_thread() and all(watched)


class _Turns:
    """Some lists of which each comes once, in whichever of the processes that go through them asks for one next."""

    def __init__(self, parts: Sequence[Sequence[int]]) -> None:
        self._parts = parts

    def __enter__(self) -> Self:
        self._next, numbers = os.pipe()
        os.write(numbers, bytes(range(len(self._parts))))
        os.close(numbers)
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._next)

    def __iter__(self) -> Iterator[Sequence[int]]:
        while number := os.read(self._next, 1):
            yield self._parts[number[0]]


class _Copy:
    """A copy of this process that does parts of a work; it ends with the block, if not before."""

    def __init__(self, work: Callable[[int], Any], parts: _Turns) -> None:
        """Raises OSError where there can be none."""
        self._file = open(os.memfd_create("cardgen"), "w+b")  # noqa: PTH123, SIM115 - it has no path
        maker = os.getpid()
        # Ctrl-C is told to both; this one is ended by the other, and never goes on as if it were that one.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self._process = os.fork()
            if not self._process:
                self._do(work, parts, maker)
        except OSError:
            self._file.close()
            raise
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def _do(self, work: Callable[[int], Any], parts: _Turns, maker: int) -> None:
        """What the copy does, out of which nothing but this leads. It ends soon when nobody waits for it any more."""
        ended = 1
        try:
            found = pickle.Pickler(self._file, pickle.HIGHEST_PROTOCOL)
            for part in parts:
                found.dump([(index, work(index)) for index in part])
                if os.getppid() != maker:
                    return
            self._file.flush()
            ended = 0
        finally:
            os._exit(ended)

    def results(self) -> Iterator[tuple[int, Any]]:
        """What it found, when it has ended; nothing where it did not come to its end."""
        _, status = os.waitpid(self._process, 0)
        self._process = 0
        if not status:
            end = self._file.seek(0, os.SEEK_END)
            self._file.seek(0)
            found = pickle.Unpickler(self._file)
            while self._file.tell() < end:
                yield from found.load()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
        if self._process:
            os.kill(self._process, signal.SIGKILL)
            os.waitpid(self._process, 0)
