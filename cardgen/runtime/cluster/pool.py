"""Pools of tasks, in this process or on a cluster."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any, Generic, Protocol, TypeVar

from cardgen.runtime.cluster.connection import parse_address
from cardgen.runtime.plain_data import Decoder, PlainDataError
from cardgen.runtime.process_pool import Task, TaskPool

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

# Tasks in a block, at most, and blocks for each worker: enough of them for all workers to end together.
_MOST_TASKS, _BLOCKS_PER_WORKER = 16, 16
# Blocks begun ahead per worker: enough to keep it busy, few enough to hold their results in memory.
_SUBMIT_AHEAD = 3
# Fewer tasks than this are not worth sending.
FEWEST_TASKS = 8


class Pool(Protocol[T_co]):
    """A pool of tasks, whose results are requested one by one."""

    def result(self, index: int) -> T_co:
        """Return the result of one task while others run."""


class Items(Protocol):
    """What the tasks of a pool work on, by their index."""

    def __getitem__(self, index: int, /) -> Any:
        """Return what a task works on."""


class Link(Protocol):
    """What a pool uses of a connection. Runs and their blocks are numbered."""

    on_note: Callable[[str], None]
    is_lost: bool
    workers: int

    def open(self, payload: bytes) -> int:
        """Begin a run with its pickled setup, and return its number."""

    def submit(self, run: int, block: int, items: list[Any]) -> None:
        """Let a worker run the tasks of a block."""

    def receive(self, run: int) -> tuple[str, int, Any]:
        """Wait for an answer: 'result' or 'failed' with a block, or 'lost'."""

    def end(self, run: int) -> None:
        """Forget a run."""


@contextmanager
def open_cluster(address: str | None, jobs: int, on_note: Callable[[str], None]) -> Iterator[Link | None]:
    """Connect to a cluster, on which large pools of tasks can run; None stands for processes of this computer.

    `jobs` is the number of workers of a cluster that is `local`. `on_note` is called with what users should know.
    Raises CardgenError if the cluster cannot be used.
    """
    if address is None:
        yield None
        return
    from cardgen.runtime.cluster.connection import Connection  # loaded here because few commands need it

    with Connection(parse_address(address), jobs, on_note) as connection:
        yield connection


def shared_pool(
    setup: Callable[..., Callable[[Any], T]],
    arguments: tuple[Any, ...],
    count: int,
    jobs: int,
    link: Link | None,
    items: Items | None = None,
) -> Pool[T]:
    """Return a pool of the tasks 0 to `count` - 1, on a cluster or in up to `jobs` processes.

    The parameters are those of `TaskPool`. For a cluster, `setup` must be importable, and the arguments picklable. They
    are sent to each worker, and the `items`, which tasks get instead of their index, only to the worker of the task.
    """
    if link is None or link.is_lost or count < FEWEST_TASKS:
        return _local_pool(setup, arguments, count, jobs, items)
    return ClusterPool(link, setup, arguments, count, jobs, items)


def _local_pool(
    setup: Callable[..., Callable[[Any], T]],
    arguments: tuple[Any, ...],
    count: int,
    jobs: int,
    items: Items | None,
) -> TaskPool[T]:
    if items is None:
        return TaskPool(setup, arguments, count, jobs)
    return TaskPool(_task_of_items, (setup, arguments, items), count, jobs)


def _task_of_items(setup: Callable[..., Callable[[Any], T]], arguments: tuple[Any, ...], items: Items) -> Task[T]:
    task = setup(*arguments)
    return lambda index: task(items[index])


class ClusterPool(Generic[T]):
    """Pool of tasks on a cluster.

    Results come in blocks, in any order. If the cluster is lost, or a block fails on several workers, this computer
    runs its tasks.
    """

    def __init__(
        self,
        link: Link,
        setup: Callable[..., Callable[[Any], T]],
        arguments: tuple[Any, ...],
        count: int,
        jobs: int,
        items: Items | None = None,
    ) -> None:
        self._link, self._count = link, count
        self._setup, self._items = (setup, arguments), range(count) if items is None else items
        self._local = _local_pool(setup, arguments, count, jobs, items)
        self._size = max(1, min(_MOST_TASKS, count // (max(1, link.workers) * _BLOCKS_PER_WORKER)))
        self._next_block = 0
        self._pending: set[int] = set()
        self._results: dict[int, T] = {}

    @cached_property
    def _run(self) -> int:
        return self._link.open(pickle.dumps(self._setup, pickle.HIGHEST_PROTOCOL))

    def result(self, index: int) -> T:
        """Return the result of one task while workers run the next ones.

        A result that was returned before is computed again.
        """
        block = index // self._size
        self._submit_ahead(block)
        while block in self._pending:
            self._receive()
        return self._results.pop(index) if index in self._results else self._local.result(index)

    def _submit_ahead(self, block: int) -> None:
        """Submit a block and the next ones, unless already submitted."""
        end = min(block + 1 + _SUBMIT_AHEAD * self._link.workers, -(-self._count // self._size))
        while self._next_block < end and not self._link.is_lost:
            first = self._next_block * self._size
            items = [self._items[index] for index in range(first, min(first + self._size, self._count))]
            self._pending.add(self._next_block)
            self._link.submit(self._run, self._next_block, items)
            self._next_block += 1

    def _receive(self) -> None:
        """Wait for an answer."""
        kind, block, value = self._link.receive(self._run)
        if kind == "lost":
            self._pending.clear()
            return
        self._pending.discard(block)
        if kind == "failed":
            self._link.on_note(f"a block of tasks failed on the cluster, and runs on this computer: {value}")
        else:
            self._keep(block, value)
        if not self._pending and self._next_block * self._size >= self._count:
            self._link.end(self._run)

    def _keep(self, block: int, content: bytes) -> None:
        """Keep the results of a block; if a task has failed, this computer runs it, and fails with its exception."""
        try:
            results = Decoder().decode(content)
            self._results.update(enumerate(results or (), block * self._size))
        except (PlainDataError, TypeError) as error:
            self._link.on_note(f"a block of tasks cannot be read, and runs on this computer: {error}")
