"""The connection to a cluster: its address, identity, and the process that talks to it."""

from __future__ import annotations

import hashlib
import os
import platform
import re
import sys
import threading
import zlib
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from ipaddress import ip_address
from itertools import count
from pathlib import Path
from typing import IO, Any, NamedTuple, Self

from cardgen import __version__
from cardgen.codes import Code
from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.runtime import activity_log, processes
from cardgen.runtime.child_process import read_message, write_message
from cardgen.runtime.fingerprint import PACKAGE, PROGRAM_FOLDERS, walk
from cardgen.runtime.installed_games import package_folders
from cardgen.runtime.plain_data import Decoder, Encoder, PlainDataError

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
    "pyyaml", "reportlab", "tinycss2", "uharfbuzz", "dask", "distributed",
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
        return f"other {name}"
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


# Seconds for the gateway to end its workers.
_PATIENCE = 10.0
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
        try:
            self.channel.send(address, workers)
            self._accept(*self.channel.receive())
        except (EOFError, OSError):
            self.close()
            raise cluster_error("the process that connects to the cluster ended unexpectedly") from None
        except BaseException:
            self.close()
            raise

    def _accept(self, kind: str, *answer: Any) -> None:
        """Raise CardgenError unless the cluster and all its workers can be used."""
        if kind == "refused":
            raise cluster_error(*answer)
        scheduler, identities = answer
        for address in (scheduler, *identities):
            require_safe(address)
        for worker, theirs in identities.items():
            _require_equal(worker, theirs)
        self.workers = len(identities)

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
            kind, *answer = self.channel.receive()
        except (EOFError, OSError):
            kind, answer = "lost", []
        if kind == "lost":
            self._lose()
        elif (run := answer[0]) in self._answers:
            self._answers[run].append((kind, *answer[1:]))

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
        activity_log.record(f"cluster: {self.channel.sent:,} bytes sent, {self.channel.received:,} received")
        with suppress(OSError):
            self.channel.close()
        processes.end_group(self._process, _PATIENCE)
        if self._process.stdout:
            self._process.stdout.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


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
