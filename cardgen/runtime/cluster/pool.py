"""The connection to a cluster, its address and identity, and pools of tasks there or in this process."""

from __future__ import annotations

import hashlib
import os
import pickle
import platform
import re
import sys
import threading
import zlib
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache, cached_property
from importlib.metadata import PackageNotFoundError, version
from ipaddress import ip_address
from itertools import count
from pathlib import Path
from typing import IO, Any, Generic, NamedTuple, Protocol, Self, TypeVar

from cardgen import __version__
from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, log_activity
from cardgen.runtime import processes
from cardgen.runtime.child_process import read_message, write_message
from cardgen.runtime.fingerprint import PACKAGE, PROGRAM_FOLDERS, walk
from cardgen.runtime.plain_data import Decoder, Encoder, PlainDataError
from cardgen.runtime.process_pool import Task, TaskPool
from cardgen.runtime.workspace import Link, package_folders

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


@contextmanager
def open_cluster(address: str | None, jobs: int, on_note: Callable[[str], None]) -> Iterator[Link | None]:
    """Connect to a cluster, on which large pools of tasks can run; None stands for processes of this computer.

    `jobs` is the number of workers of a cluster that is `local`. `on_note` is called with what users should know.
    Raises CardgenError if the cluster cannot be used.
    """
    if address is None:
        yield None
        return
    from cardgen.runtime.cluster.pool import Connection  # loaded here because few commands need it

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
        # Submit a block and the next ones, unless already submitted.
        end = min(block + 1 + _SUBMIT_AHEAD * self._link.workers, -(-self._count // self._size))
        while self._next_block < end and not self._link.is_lost:
            first = self._next_block * self._size
            items = [self._items[index] for index in range(first, min(first + self._size, self._count))]
            self._pending.add(self._next_block)
            self._link.submit(self._run, self._next_block, items)
            self._next_block += 1
        while block in self._pending:
            self._receive()
        return self._results.pop(index) if index in self._results else self._local.result(index)

    def _receive(self) -> None:
        """Wait for an answer."""
        kind, block, value = self._link.receive(self._run)
        if kind == "lost":
            self._pending.clear()
            return
        if block not in self._pending:
            return
        self._pending.discard(block)
        if kind == "failed":
            self._link.on_note(f"a block of tasks failed on the cluster, and runs on this computer: {value}")
        else:
            # Keep the results of a block; if a task has failed, this computer runs it, and fails with its exception.
            first = block * self._size
            try:
                results = Decoder().decode(value)
                if results is not None:
                    if not isinstance(results, list) or len(results) != min(self._size, self._count - first):
                        raise PlainDataError("it has not one result for each task")
                    self._results.update(enumerate(results, first))
            except (PlainDataError, TypeError) as error:
                self._link.on_note(f"a block of tasks cannot be read, and runs on this computer: {error}")
        if not self._pending and self._next_block * self._size >= self._count:
            self._link.end(self._run)


LOCAL = "local"
_ADDRESS = re.compile(r"(?P<protocol>[a-z]+)://(?P<host>\[[0-9a-fA-F:.]+\]|[\w.-]+):(?P<port>[0-9]{1,5})", re.ASCII)
_FORMS = "use local, tcp://127.0.0.1:8786, or tls://HOST:8786"
_WHY_TLS = (
    "anyone who reaches such a port can run programs on the scheduler, the workers, and this computer; use tls:// with "
    "certificates, or a tunnel to 127.0.0.1"
)


class Address(NamedTuple):
    """Address of a scheduler; `protocol` is 'tcp' or 'tls', or 'local' for workers on this computer."""

    protocol: str
    host: str = ""
    port: int = 0

    @property
    def is_local(self) -> bool:
        """Whether the workers are started for this run."""
        return self.protocol == LOCAL

    def __str__(self) -> str:
        return LOCAL if self.is_local else f"{self.protocol}://{self.host}:{self.port}"


def parse_address(text: str) -> Address:
    """Return the address of a cluster.

    Raises CardgenError if it is invalid, or beyond this computer without TLS.
    """
    if text == LOCAL:
        return Address(LOCAL)
    match = _ADDRESS.fullmatch(text)
    if not match or match["protocol"] not in ("tcp", "tls") or not 0 < int(match["port"]) < 65536:
        raise cluster_error(f"'{text[:80]}' is not a valid address of a cluster", _FORMS)
    address = Address(match["protocol"], match["host"], int(match["port"]))
    require_safe(text)
    return address


def require_safe(address: str) -> None:
    """Raise CardgenError for the address of a scheduler or worker that is open to others and not encrypted."""
    if address.startswith("tls://") or is_loopback(address):
        return
    raise cluster_error(f"{address} is neither encrypted nor on this computer only", _WHY_TLS)


def is_loopback(address: str) -> bool:
    """Return whether an address such as 'tcp://127.0.0.1:8786' is reachable from this computer only."""
    host = address.partition("://")[2].rpartition(":")[0].strip("[]")
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def cluster_error(message: str, help_text: str = "") -> CardgenError:
    """Return an error of the option `--cluster`."""
    return CardgenError(Diagnostic(Code.NO_CLUSTER, message, Place("--cluster"), help_text))


class Channel:
    """Two pipes to one process; any thread can send. `sent` and `received` are sums of bytes."""

    def __init__(self, reader: IO[bytes], writer: IO[bytes]) -> None:
        self._reader, self._writer = reader, writer
        self._encoder, self._decoder = Encoder(), Decoder()
        self._lock = threading.Lock()
        self.sent = self.received = 0

    def send(self, *message: Any) -> None:
        """Send a message. Raises OSError if the other process has ended."""
        with self._lock:
            content = self._encoder.encode(message)
            self._encoder.forget()
            write_message(self._writer, content)
            self.sent += len(content)

    def receive(self) -> tuple[Any, ...]:
        """Wait for a message. Raises EOFError if the other process has ended, or sends something else."""
        try:
            content = read_message(self._reader)
            self.received += len(content)
            kind, *more = self._decoder.decode(content)
            self._decoder.forget()
        except (PlainDataError, TypeError, ValueError) as error:
            raise EOFError(str(error)) from None
        return kind, *more

    def close(self) -> None:
        """Tell the other process that there are no more messages."""
        with self._lock:
            self._writer.close()


# Those of cardgen, as in pyproject.toml, and Dask.
DEPENDENCIES = (
    "cairosvg", "click", "cssselect2", "jinja2", "pikepdf", "pillow", "platformdirs", "pydantic", "pypdfium2", "pyphen",
    "pyyaml", "reportlab", "tinycss2", "uharfbuzz", "unicode-segmentation-rs", "dask", "distributed",
)  # fmt: skip
_MISSING = "none"
_FILES = "files of cardgen"


@cache
def identity() -> dict[str, str]:
    """Return what must be equal on two machines for equal results, by name, with its version or digest."""
    return {
        "cardgen": __version__,
        _FILES: _digest(PROGRAM_FOLDERS),
        "Python": f"{platform.python_implementation()} {platform.python_version()}",
        "system": f"{sys.platform} {platform.machine()}",
        "zlib": zlib.ZLIB_RUNTIME_VERSION,
        "isal": _version("isal"),
        **{name: _version(name) for name in DEPENDENCIES},
        **{f"game {game}": _digest((folder,)) for game, folder in sorted(_other_packages())},
    }


def digest_of(each: Mapping[str, str]) -> str:
    """Return a digest of an identity."""
    return hashlib.blake2b(repr(sorted(each.items())).encode(), digest_size=16).hexdigest()


def differences(theirs: Mapping[str, str], ours: Mapping[str, str]) -> list[str]:
    """Return how an identity differs from ours, as texts such as 'pillow 11.0 instead of 12.0'."""
    names = [name for name in {**ours, **theirs} if theirs.get(name) != ours.get(name)]
    return [_difference(name, theirs.get(name, _MISSING), ours.get(name, _MISSING)) for name in names]


def _difference(name: str, theirs: str, ours: str) -> str:
    if name == _FILES or (name.startswith("game ") and _MISSING not in (theirs, ours)):
        return f"different {name}"
    return f"{name} {theirs} instead of {ours}"


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return _MISSING


def _other_packages() -> Iterator[tuple[str, Path]]:
    """Yield the id and folder of each game that is installed beside cardgen."""
    return ((game, folder) for game, folder in package_folders().items() if not folder.is_relative_to(PACKAGE))


def _digest(folders: tuple[Path, ...]) -> str:
    """Return a digest of the names and contents of all files in folders."""
    total = hashlib.blake2b(digest_size=16)
    for folder in folders:
        for entry in walk(str(folder)):
            name = f"{folder.name}/{Path(entry.path).relative_to(folder).as_posix()}"
            content = hashlib.blake2b(Path(entry.path).read_bytes(), digest_size=16).digest()
            total.update(name.encode("utf-8", "surrogateescape") + b"\0" + content)
    return total.hexdigest()


# Seconds for the gateway to end its workers, and for a scheduler elsewhere and its workers to say what they are.
_PATIENCE, _SILENCE = 10.0, 60.0
_MOST_DIFFERENCES = 3


class Connection:
    """Connection to a cluster whose workers have the same versions as this process."""

    def __init__(self, address: Address, workers: int, on_note: Callable[[str], None]) -> None:
        """Connect. Raises CardgenError if the cluster cannot be used."""
        self.on_note = on_note
        self.is_lost = False
        self.workers = 0
        self._address = address
        self._numbers = count()
        self._answers: dict[int, deque[tuple[str, int, Any]]] = {}
        shows_errors = os.environ.get("CARDGEN_TRACEBACK", "") not in ("", "0")
        self._process = processes.start_python(
            "cardgen.runtime.cluster.gateway", shows_errors=shows_errors, new_session=True
        )
        assert self._process.stdin and self._process.stdout
        self.channel = Channel(self._process.stdout, self._process.stdin)
        # Dask waits without end for a scheduler that accepts a connection and says nothing.
        silence = threading.Timer(_SILENCE, self._give_up)
        try:
            if not address.is_local:
                silence.start()
            self.channel.send(address, workers)
            self._accept(self.channel.receive())
        except (EOFError, OSError):
            self.close()
            if self.is_lost:
                raise cluster_error(f"no scheduler of Dask answers at {address} within {_SILENCE:g} seconds") from None
            raise cluster_error("the process that connects to the cluster ended unexpectedly") from None
        except BaseException:
            self.close()
            raise
        finally:
            silence.cancel()

    def _give_up(self) -> None:
        self.is_lost = True
        self._process.kill()

    def _accept(self, answer: tuple[Any, ...]) -> None:
        """Raise CardgenError unless the cluster and all its workers can be used, and EOFError for another answer."""
        match answer:
            case "refused", str(message), str(advice):
                raise cluster_error(message, advice)
            case "ready", str(scheduler), dict(identities) if all(map(_is_identity, identities.items())):
                for address in (scheduler, *identities):
                    require_safe(address)
                for worker, theirs in identities.items():
                    _require_equal(worker, theirs)
                self.workers = len(identities)
            case _:
                raise EOFError

    def open(self, payload: bytes) -> int:
        """Begin a run with its pickled setup, and return its number."""
        run = next(self._numbers)
        self._answers[run] = deque()
        self._send("open", run, digest_of(identity()), payload)
        return run

    def submit(self, run: int, block: int, items: list[Any]) -> None:
        """Let a worker run the tasks of a block."""
        self._send("submit", run, block, items)

    def receive(self, run: int) -> tuple[str, int, Any]:
        """Wait for an answer: 'result' or 'failed' with a block, or 'lost'."""
        while not self._answers[run]:
            if self.is_lost:
                return "lost", 0, None
            self._receive_one()
        return self._answers[run].popleft()

    def _receive_one(self) -> None:
        try:
            message = self.channel.receive()
        except (EOFError, OSError):
            message = ("lost",)
        match message:
            case ("result" | "failed") as kind, int(run), int(block), answer:
                if run in self._answers:
                    self._answers[run].append((kind, block, answer))
            case _:
                self._lose()

    def end(self, run: int) -> None:
        """Forget a run."""
        self._answers.pop(run, None)
        self._send("end", run)

    def _send(self, *message: Any) -> None:
        try:
            self.channel.send(*message)
        except (OSError, ValueError):
            self._lose()

    def _lose(self) -> None:
        if not self.is_lost:
            self.is_lost = True
            self.on_note(f"the cluster {self._address} no longer answers; this computer does the rest")

    def close(self) -> None:
        """End the gateway, and with it the workers that it started."""
        log_activity(f"cluster: {self.channel.sent:,} bytes sent, {self.channel.received:,} received")
        with suppress(OSError):
            self.channel.close()
        processes.end_group(self._process, _PATIENCE)
        if self._process.stdout:
            self._process.stdout.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _is_identity(item: tuple[object, object]) -> bool:
    """Return whether an item is a worker with what it says of itself, or with why it says nothing."""
    worker, theirs = item
    return isinstance(worker, str) and (
        isinstance(theirs, str) or (isinstance(theirs, dict) and all(isinstance(each, str) for each in theirs.values()))
    )


def _require_equal(worker: str, theirs: Mapping[str, str] | str) -> None:
    """Raise CardgenError for a worker with other versions."""
    if isinstance(theirs, str):
        raise cluster_error(f"the worker {worker} has no cardgen like this one: {theirs}", _SAME)
    different = differences(theirs, identity())
    if different:
        more = len(different) - _MOST_DIFFERENCES
        texts = [*different[:_MOST_DIFFERENCES], *([f"{more} more"] if more > 0 else [])]
        raise cluster_error(f"the worker {worker} has {', '.join(texts)}", _SAME)


_SAME = "install the same versions on all machines, so that results are the same"
