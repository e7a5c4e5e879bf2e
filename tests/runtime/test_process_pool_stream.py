"""Results one at a time from worker processes: the same for any number of them, however they are started."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from cardgen.runtime import process_pool
from cardgen.runtime.process_pool import TaskPool
from cardgen.runtime.processes import WATCHDOG_THREAD

PARTS = 40


@pytest.fixture(autouse=True, params=["fork", "spawn"])
def start_method(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """How processes are started: forked where this is possible, spawned everywhere."""
    if request.param == "spawn":
        monkeypatch.setattr(process_pool, "can_fork", lambda: False)
    elif sys.platform != "linux":
        pytest.skip("forks on Linux only")
    if others := _other_threads():  # Those of the pools of other tests would keep this process from forking.
        gc.collect()
        for thread in others:
            thread.join(10)
    return str(request.param)


def _other_threads() -> list[threading.Thread]:
    threads = [thread for thread in threading.enumerate() if thread is not threading.main_thread()]
    return [thread for thread in threads if thread.name != WATCHDOG_THREAD]


def squares(offset: int) -> Callable[[int], bytes]:
    return lambda index: f"{offset} {index * index}".encode()


def deadly(own: int) -> Callable[[int], bytes]:
    """Kills every process but the one with the number `own` at part 20."""

    def work(index: int) -> bytes:
        if index == 20 and os.getpid() != own:
            os.kill(os.getpid(), signal.SIGKILL)
        return str(index).encode()

    return work


def whereabouts() -> Callable[[int], bytes]:
    return lambda _: str(os.getpid()).encode()


def failing() -> Callable[[int], bytes]:
    def work(index: int) -> bytes:
        if index == 7:
            raise ValueError("seven")
        return b""

    return work


def sleeping() -> Callable[[int], bytes]:
    def work(index: int) -> bytes:
        time.sleep(0.2)
        return str(os.getpid()).encode()

    return work


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_results_are_the_same_for_any_number(jobs: int) -> None:
    work = TaskPool(squares, (3,), PARTS, jobs)
    assert [work.result(index) for index in range(PARTS)] == [f"3 {index * index}".encode() for index in range(PARTS)]


def test_parts_may_be_asked_for_in_any_order_and_again() -> None:
    work = TaskPool(squares, (0,), PARTS, 2)
    order = [5, 4, 4, 39, 0, 38, 7, 5]
    assert [work.result(index) for index in order] == [f"0 {index * index}".encode() for index in order]


def test_workers_end_with_the_last_result() -> None:
    pool = TaskPool(whereabouts, (), PARTS, 2)
    workers = {int(pool.result(index)) for index in range(PARTS)}
    assert os.getpid() not in workers
    assert not any(map(_runs, workers))
    assert int(pool.result(0)) == os.getpid()


def endless() -> Callable[[int], bytes]:
    def work(index: int) -> bytes:
        time.sleep(250 if index else 0)
        return str(os.getpid()).encode()

    return work


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="interrupts itself in the way of POSIX")
def test_an_interruption_ends_the_workers_at_once() -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    pool = TaskPool(endless, (), PARTS, 2)
    worker = int(pool.result(0))
    before, started = signal.signal(signal.SIGALRM, interrupt), time.monotonic()
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(KeyboardInterrupt):
            pool.result(1)
    finally:
        signal.signal(signal.SIGALRM, before)
    assert worker != os.getpid()
    assert not _runs(worker)
    assert time.monotonic() - started < 100


def test_several_processes_work_where_that_pays_and_none_where_it_does_not() -> None:
    here = str(os.getpid()).encode()
    many = TaskPool(whereabouts, (), PARTS, 2)
    assert here not in {many.result(index) for index in range(PARTS)}
    few = TaskPool(whereabouts, (), 10, 8)
    assert {few.result(index) for index in range(10)} == {here}
    one = TaskPool(whereabouts, (), PARTS, 1)
    assert {one.result(index) for index in range(PARTS)} == {here}


@pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in the way of Linux")
def test_processes_are_forked_where_that_is_safe(start_method: str) -> None:
    def command(process: bytes) -> bytes:
        return Path(f"/proc/{process.decode()}/cmdline").read_bytes()

    pool = TaskPool(whereabouts, (), PARTS, 2)
    forked = command(pool.result(0)) == command(b"self")
    assert forked is (start_method == "fork")


def test_one_process_loads_nothing_for_others() -> None:
    script = (
        "import sys\n"
        "from cardgen.runtime.process_pool import TaskPool\n"
        "assert [TaskPool(lambda: str, (), 40, 1).result(index) for index in range(40)]\n"
        "assert list(TaskPool(lambda: str, (), 40, 1).results())\n"
        "assert not {'multiprocessing', 'concurrent.futures', 'subprocess'} & set(sys.modules)"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    subprocess.run([sys.executable, "-c", script], env=environment, check=True)


def test_what_fails_there_fails_here() -> None:
    work = TaskPool(failing, (), PARTS, 2)
    with pytest.raises(ValueError, match="seven"):
        for index in range(PARTS):
            work.result(index)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_the_work_of_a_process_that_is_killed_is_done_here() -> None:
    work = TaskPool(deadly, (os.getpid(),), PARTS, 2)
    assert [work.result(index) for index in range(PARTS)] == [str(index).encode() for index in range(PARTS)]


def test_where_no_process_can_be_started_the_work_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError("no more processes")

    monkeypatch.setattr("cardgen.runtime.child_process.ChildProcess", refuse)
    work = TaskPool(squares, (0,), PARTS, 4)
    assert work.result(9) == b"0 81"


@pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in the way of Linux")
def test_workers_end_with_a_parent_that_is_killed(start_method: str) -> None:
    script = (
        "import time\n"
        "from cardgen.runtime import process_pool\n"
        "from cardgen.runtime.process_pool import TaskPool\n"
        f"process_pool.can_fork = lambda: {start_method == 'fork'}\n"
        "from tests.runtime.test_process_pool_stream import sleeping\n"
        "work = TaskPool(sleeping, (), 100, 2)\n"
        "print(work.result(0).decode(), flush=True)\n"
        "time.sleep(250)"
    )
    path = os.pathsep.join(filter(None, sys.path))
    environment = {**os.environ, "PYTHONPATH": path}
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, env=environment) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        parent.kill()
    for _ in range(1000):
        if not _runs(worker):
            return
        time.sleep(0.1)
    pytest.fail("it still runs")


def _runs(process: int) -> bool:
    """Whether a process runs; one that has ended and was not fetched yet does not."""
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8") as file:  # noqa: PTH123
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
