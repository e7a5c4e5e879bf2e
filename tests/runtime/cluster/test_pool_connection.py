"""Runs on real workers: the same results, also if one is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from cardgen.diagnostic import CardgenError
from cardgen.runtime.cluster import pool
from cardgen.runtime.cluster.pool import ClusterPool, Connection, parse_address

COUNT = 64
NOTES: list[str] = []

needs_dask = pytest.mark.skipif(find_spec("distributed") is None, reason="the extra 'cluster' is not installed")


def slow_squares(folder: str) -> Callable[[int], tuple[int, int]]:
    """Return squares with the number of the process, which dies once at task 20."""

    def work(index: int) -> tuple[int, int]:
        time.sleep(0.01)
        mark = Path(folder, "dead")
        if index == 20 and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return index * index, os.getpid()

    return work


@pytest.fixture(scope="module")
def connection() -> Iterator[Connection]:
    with Connection(parse_address("local"), 2, NOTES.append) as opened:
        yield opened


# A gateway that a hostile cluster has taken over: it sends what it likes.
GATEWAY = """
import sys
from cardgen.runtime.cluster.pool import Channel
channel = Channel(sys.stdin.buffer, sys.stdout.buffer)
channel.receive()
for message in eval(sys.argv[1]):
    channel.send(*message)
channel.receive()
"""


@pytest.fixture
def taken_over(monkeypatch: pytest.MonkeyPatch) -> Callable[[list[tuple[object, ...]]], Connection]:
    def connect(messages: list[tuple[object, ...]]) -> Connection:
        def start(*_: object, **__: object) -> subprocess.Popen[bytes]:
            program = [sys.executable, "-c", GATEWAY, repr(messages)]
            return subprocess.Popen(
                program,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )

        monkeypatch.setattr("cardgen.runtime.processes.start_python", start)
        return Connection(parse_address("tcp://127.0.0.1:1"), 1, NOTES.append)

    return connect


@pytest.mark.parametrize(
    "message",
    [
        ("ready",),
        ("ready", 5, {}),
        ("ready", "tcp://127.0.0.1:1", [1]),
        ("ready", "tcp://127.0.0.1:1", {"tcp://127.0.0.1:2": 5}),
        ("ready", "tcp://127.0.0.1:1", {5: "x"}),
        ("refused",),
        ("refused", 5, 6),
        ("refused", "a", "b", "c"),
        (5,),
        ([],),
    ],
)
def test_a_greeting_of_another_form_is_an_error(
    taken_over: Callable[[list[tuple[object, ...]]], Connection], message: tuple[object, ...]
) -> None:
    with pytest.raises(CardgenError, match="ended unexpectedly"):
        taken_over([message])


def test_a_silent_scheduler_is_an_error(
    taken_over: Callable[[list[tuple[object, ...]]], Connection], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool, "_SILENCE", 0.2)
    with pytest.raises(CardgenError, match=r"no scheduler of Dask answers at .* within 0\.2 seconds"):
        taken_over([])


@pytest.mark.parametrize(
    "message", [("result",), ("result", 0), ("result", [], 1, b""), ("failed", 0, {}, "x"), ("other", 0, 1, b""), (5,)]
)
def test_an_answer_of_another_form_ends_the_connection(
    taken_over: Callable[[list[tuple[object, ...]]], Connection], message: tuple[object, ...]
) -> None:
    same = ("ready", "tcp://127.0.0.1:1", {"tcp://127.0.0.1:2": pool.identity()})
    with taken_over([same, message]) as connection:
        assert connection.receive(connection.open(b"")) == ("lost", 0, None)
    assert "no longer answers" in NOTES.pop()


@needs_dask
def test_a_killed_worker_changes_nothing(connection: Connection, tmp_path: Path) -> None:
    assert connection.workers == 2
    pool = ClusterPool(connection, slow_squares, (str(tmp_path),), COUNT, 1)
    results = [pool.result(index) for index in range(COUNT)]
    assert [square for square, _ in results] == [index * index for index in range(COUNT)]
    assert (tmp_path / "dead").exists()
    processes = {process for _, process in results}
    assert len(processes) > 1
    assert os.getpid() not in processes
    assert not NOTES


# Threads of a client stay, and a process with threads cannot fork, so it is one of its own.
STRANGER = """
import sys
from distributed import Client, Security
for protocol, security in (("tcp", None), ("tls", Security.temporary())):
    try:
        Client(f"{protocol}://{sys.argv[1]}", security=security, timeout=3)
    except OSError:
        print("refused")
"""


@needs_dask
def test_nobody_else_on_this_computer_can_use_the_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = list[str]()
    monkeypatch.setattr(pool, "require_safe", seen.append)
    with Connection(parse_address("local"), 1, NOTES.append):
        assert len(seen) == 2  # the scheduler and the worker
        for address in seen:
            command = [sys.executable, "-c", STRANGER, address.partition("://")[2]]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            assert done.stdout == "refused\n" * 2


@needs_dask
def test_without_the_cluster_this_computer_goes_on(connection: Connection, tmp_path: Path) -> None:
    (tmp_path / "dead").touch()
    NOTES.clear()
    pool = ClusterPool(connection, slow_squares, (str(tmp_path),), COUNT, 1)
    pool.result(0)
    os.killpg(connection._process.pid, signal.SIGKILL)  # the scheduler and all workers
    assert [pool.result(index)[0] for index in range(1, COUNT)] == [index * index for index in range(1, COUNT)]
    assert NOTES == ["the cluster local no longer answers; this computer does the rest"]


@needs_dask
def test_a_port_without_a_scheduler_is_an_error() -> None:
    with pytest.raises(CardgenError, match=r"no scheduler of Dask answers at tcp://127\.0\.0\.1:1"):
        Connection(parse_address("tcp://127.0.0.1:1"), 2, print)


def test_without_dask_the_error_says_what_to_install() -> None:
    if find_spec("distributed") is not None:
        pytest.skip("the extra 'cluster' is installed")
    with pytest.raises(CardgenError, match="Dask cannot be loaded"):
        Connection(parse_address("local"), 2, print)


CURIOUS = """
from contextlib import ExitStack
from urllib.error import HTTPError
from urllib.request import urlopen
from cardgen.runtime.cluster.gateway import _local_cluster

if __name__ == "__main__":
    with ExitStack() as stack:
        port = _local_cluster(1, stack).scheduler.http_server.port
        for path in ("/health", "/json/counts.json", "/info/main/workers.html"):
            try:
                print(urlopen(f"http://127.0.0.1:{port}{path}", timeout=10).status)
            except HTTPError as error:
                print(error.code)
"""


@needs_dask
def test_a_local_cluster_tells_other_users_nothing(tmp_path: Path) -> None:
    script = tmp_path / "curious.py"
    script.write_text(CURIOUS, encoding="utf-8")
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["404"] * 3


SHARED = """
from contextlib import ExitStack
from cardgen.runtime.cluster.gateway import _local_cluster

if __name__ == "__main__":
    with ExitStack() as stack:
        _local_cluster(1, stack)
"""


@needs_dask
def test_a_local_cluster_runs_nothing_that_others_put_in_the_folder_for_temporary_files(tmp_path: Path) -> None:
    """Dask finds modules in a folder there whose name is known to everybody."""
    script, marker = tmp_path / "shared.py", tmp_path / "ran"
    script.write_text(SHARED, encoding="utf-8")
    folder = tmp_path / "temporary" / "dask-scratch-space"
    folder.mkdir(parents=True)
    planted = sorted({*sys.stdlib_module_names, "numpy", "pandas", "uvloop"} - set(sys.builtin_module_names))
    for name in planted:
        (folder / f"{name}.py").write_text(f"open({str(marker)!r}, 'w').close()", encoding="utf-8")
    environment = {**os.environ, "TMPDIR": str(folder.parent)}
    done = subprocess.run(
        [sys.executable, str(script)], env=environment, capture_output=True, text=True, check=False, timeout=120
    )
    assert not marker.exists()
    assert done.returncode == 0, done.stderr[-500:]
    assert sorted(path.stem for path in folder.iterdir()) == planted
