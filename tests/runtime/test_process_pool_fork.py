"""Work that copies of the process take over: the same results for any number of them, whatever befalls them.

Each test has a process of its own, since the one that runs the tests may have threads.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import textwrap
import time
from typing import Any

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the process is copied on Linux only")

PARTS = 100


def run(*scripts: str, jobs: int = 3) -> Any:
    """What `run_tasks(work, …)` gives in a process of its own, for the work that the scripts define, and what it told.

    They may set `first`; `told` has the indices that were done, and `here` is the number of the process.
    """
    before = """
        import atexit, json, os, pathlib, shutil, signal, sys, tempfile, threading, time
        from cardgen.runtime.process_pool import TaskPool

        def run_tasks(work, count, jobs, **more):
            return list(TaskPool(lambda: work, (), count, jobs).results(**more))

        told, first, here = [], (), os.getpid()
    """
    after = f"""
        found = run_tasks(work, {PARTS}, {jobs}, warm_up=first, on_done=told.append)
        print(json.dumps([found, told, here]))
    """
    source = "\n".join(map(textwrap.dedent, (before, *scripts, after)))
    done = subprocess.run([sys.executable, "-W", "error", "-c", source], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


SQUARES = "work = lambda index: index * index"
WHO = """
def work(index):
    time.sleep(0.005)  # so that each process has its turn
    return os.getpid()
"""
# Holds each process until as many as expected have come to this place.
MEET = """
place = pathlib.Path(tempfile.mkdtemp())
atexit.register(shutil.rmtree, place)

def meet(count):
    (place / str(os.getpid())).touch()
    end = time.monotonic() + 60
    while len([*place.iterdir()]) < count:
        assert time.monotonic() < end
        time.sleep(0.001)
"""


@pytest.mark.parametrize("jobs", [1, 2, 3, 64])
def test_results_are_the_same_for_any_number(jobs: int) -> None:
    found, told, _ = run(SQUARES, jobs=jobs)
    assert found == [index * index for index in range(PARTS)]
    assert sorted(told) == [*range(PARTS)]


def test_processes_take_parts_as_they_come_to_them() -> None:
    found, _, here = run("""
        def work(index):
            time.sleep(0.1 if os.getpid() == here else 0.005)
            return os.getpid()
    """, jobs=2)  # fmt: skip
    assert len(set(found)) == 2
    assert 1 <= found.count(here) < PARTS / 4


def test_what_is_first_is_done_here_before_copies_are_made() -> None:
    found, told, here = run(
        "first = (1, 50)\nready = []\ndef work(index):\n  ready.append(index)\n  return ready[:2]\n"
    )
    assert told[:2] == [1, 50]
    assert found[2:] == [[1, 50], *[[1, 50]] * (PARTS - 3)]
    assert here


def test_one_process_is_enough_where_there_is_little_to_do() -> None:
    found, _, here = run(WHO, "whole = run_tasks\nrun_tasks = lambda w, n, j, **more: whole(w, 40, j, **more)")
    assert found == [here] * 40


def test_a_copy_that_is_killed_is_made_up_for() -> None:
    found, told, here = run(WHO, """
        whole, count = run_tasks, []

        def deadly(index):
            count.append(index)
            if len(count) == 5 and os.getpid() != here:
                os.kill(os.getpid(), signal.SIGKILL)
            return work(index)

        run_tasks = lambda work, *rest, **more: whole(deadly, *rest, **more)
    """)  # fmt: skip
    # Two copies finished at most four tasks each; what they finished counts.
    assert found.count(here) >= PARTS - 2 * 4
    assert None not in found
    assert sorted(told) == [*range(PARTS)]


def test_results_come_in_order_while_others_are_worked_on() -> None:
    found, told, _ = run("""
        def share(work, *rest, **more):
            early = []
            for index, result in enumerate(pool(lambda: work, (), *rest).results(**more)):
                assert result == index
                early.append(len(told))
            return early

        def work(index):
            time.sleep(0.01)
            return index

        pool, run_tasks = TaskPool, share
    """, jobs=2)  # fmt: skip
    assert found[0] < PARTS
    assert found[-1] == PARTS
    assert sorted(told) == [*range(PARTS)]


def test_an_error_is_raised_here() -> None:
    found, _, _ = run("""
        def share(work, *rest, **more):
            try:
                return whole(work, *rest, **more)
            except ValueError as error:
                return str(error)

        def work(index):
            if index == 71:
                raise ValueError(f"part {index}")

        whole, run_tasks = run_tasks, share
    """)
    assert found == "part 71"


def test_copies_end_with_the_work() -> None:
    started = time.monotonic()
    found, _, _ = run("""
        def share(work, *rest, **more):
            try:
                return whole(work, *rest, **more)
            except KeyboardInterrupt:
                try:
                    os.wait()
                except ChildProcessError:
                    return "no child"

        def work(index):
            if os.getpid() == here:
                raise KeyboardInterrupt
            time.sleep(1)

        whole, run_tasks = run_tasks, share
    """)
    assert found == "no child"
    assert time.monotonic() - started < 20


def test_copies_leave_interrupts_to_the_one_that_made_them() -> None:
    found, _, here = run(MEET, """
        def work(index):
            meet(3)
            if os.getpid() != here:
                os.kill(os.getpid(), signal.SIGINT)
            return os.getpid()
    """)  # fmt: skip
    assert len(set(found)) == 3
    assert here in found


def test_copies_end_when_the_one_that_made_them_was_killed() -> None:
    source = f"""if True:
        import os, signal, time
        from cardgen.runtime.process_pool import TaskPool
        here = os.getpid()

        def work(index):
            time.sleep(0.1 if os.getpid() == here else 0.5)
            if os.getpid() == here:
                os.kill(here, signal.SIGKILL)

        list(TaskPool(lambda: work, (), {PARTS}, 2).results(on_done=print))
    """
    started = time.monotonic()
    # The copy has the same standard output, so that this waits for both.
    done = subprocess.run([sys.executable, "-c", source], stdout=subprocess.PIPE, check=False)
    assert done.returncode == -signal.SIGKILL
    assert time.monotonic() - started < PARTS * 0.5 / 2


@pytest.mark.parametrize("lacking", ["fork", "memfd_create"])
def test_where_no_copy_can_be_made_all_is_done_here(lacking: str) -> None:
    found, _, here = run(WHO, f"def none(*_):\n  raise BlockingIOError\nos.{lacking} = none")
    assert found == [here] * PARTS


def test_beside_a_thread_all_is_done_here() -> None:
    waiting = "threading.Thread(target=time.sleep, args=(60,), daemon=True).start()"
    found, _, here = run(WHO, waiting)
    assert found == [here] * PARTS


def test_watchdogs_watch_in_copies_too() -> None:
    found, _, here = run(MEET, """
        from cardgen.runtime.processes import TimeLimitError, Watchdog

        watchdog, count, first = Watchdog(), {}, (0,)

        def work(index):
            count[os.getpid()] = count.get(os.getpid(), 0) + 1
            if count[os.getpid()] == 3:
                meet(3)
            try:
                with watchdog.limit(0.1 if count[os.getpid()] == 3 else 60):
                    # A bare while loop would jump outside of the block.
                    for _ in iter(int, 1 if count[os.getpid()] == 3 else 0):
                        pass
            except TimeLimitError:
                return [os.getpid(), "too long"]
            return [os.getpid(), ""]
    """)  # fmt: skip
    assert found[0] == [here, ""]
    assert sorted(process for process, why in found if why) == sorted({process for process, _ in found})
    assert len({process for process, _ in found}) == 3
