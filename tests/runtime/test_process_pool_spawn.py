"""Worker processes: the same results for any number of them, whatever befalls them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable

import pytest

from cardgen.runtime import process_pool
from cardgen.runtime.process_pool import SpawnPool

PARTS = 40


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
    work = SpawnPool(squares, (3,), PARTS, jobs)
    assert [work.result(index) for index in range(PARTS)] == [f"3 {index * index}".encode() for index in range(PARTS)]


def test_parts_may_be_asked_for_in_any_order_and_again() -> None:
    work = SpawnPool(squares, (0,), PARTS, 2)
    order = [5, 4, 4, 39, 0, 38, 7, 5]
    assert [work.result(index) for index in order] == [f"0 {index * index}".encode() for index in order]


def test_several_processes_work_where_that_pays_and_none_where_it_does_not() -> None:
    here = str(os.getpid()).encode()
    many = SpawnPool(whereabouts, (), PARTS, 2)
    assert here not in {many.result(index) for index in range(PARTS)}
    few = SpawnPool(whereabouts, (), 10, 8)
    assert {few.result(index) for index in range(10)} == {here}
    one = SpawnPool(whereabouts, (), PARTS, 1)
    assert {one.result(index) for index in range(PARTS)} == {here}


def test_what_fails_there_fails_here() -> None:
    work = SpawnPool(failing, (), PARTS, 2)
    with pytest.raises(ValueError, match="seven"):
        for index in range(PARTS):
            work.result(index)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_the_work_of_a_process_that_is_killed_is_done_here() -> None:
    work = SpawnPool(deadly, (os.getpid(),), PARTS, 2)
    assert [work.result(index) for index in range(PARTS)] == [str(index).encode() for index in range(PARTS)]


def test_where_no_process_can_be_started_the_work_is_done_here(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError("no more processes")

    monkeypatch.setattr(process_pool, "ProcessPoolExecutor", refuse)
    work = SpawnPool(squares, (0,), PARTS, 4)
    assert work.result(9) == b"0 81"


@pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in the way of Linux")
def test_workers_end_with_a_parent_that_is_killed() -> None:
    script = (
        "import time\n"
        "from cardgen.runtime.process_pool import SpawnPool\n"
        "from tests.runtime.test_process_pool_spawn import sleeping\n"
        "work = SpawnPool(sleeping, (), 100, 2)\n"
        "print(work.result(0).decode(), flush=True)\n"
        "time.sleep(60)"
    )
    path = os.pathsep.join(filter(None, sys.path))
    environment = {**os.environ, "PYTHONPATH": path}
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, env=environment) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        parent.kill()
    for _ in range(100):
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
