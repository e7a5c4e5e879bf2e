"""Work that copies of the process take over: the same results for any number of them, whatever befalls them.

Each test has a process of its own, since the one that runs the tests may have threads.
"""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
import time
from typing import Any

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the process is copied on Linux only")

PARTS = 100


def run(script: str, jobs: int = 3) -> Any:
    """What `shared_out(work, …)` gives in a process of its own, for the work that the script defines, and what it told.

    The script may set `first`; `told` has the indices that were done, and `here` is the number of the process.
    """
    before = """
        import json, os, signal, sys, threading, time
        from cardgen.pipeline.forking import shared_out
        told, first, here = [], (), os.getpid()
    """
    after = f"""
        found = shared_out(work, {PARTS}, {jobs}, first=first, done=told.append)
        print(json.dumps([found, told, here]))
    """
    source = "".join(map(textwrap.dedent, (before, script, after)))
    done = subprocess.run([sys.executable, "-W", "error", "-c", source], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


SQUARES = "work = lambda index: index * index"
WHO = "work = lambda index: os.getpid()"


@pytest.mark.parametrize("jobs", [1, 2, 3, 64])
def test_results_are_the_same_for_any_number(jobs: int) -> None:
    found, told, _ = run(SQUARES, jobs)
    assert found == [index * index for index in range(PARTS)]
    assert sorted(told) == [*range(PARTS)]


def test_the_parts_are_shared_out_evenly() -> None:
    found, _, here = run(WHO, jobs=2)
    assert len(set(found)) == 2
    assert found.count(here) == PARTS / 2


def test_what_is_first_is_done_here_before_copies_are_made() -> None:
    found, told, here = run(
        "first = (1, 50)\nready = []\ndef work(index):\n  ready.append(index)\n  return ready[:2]\n"
    )
    assert told[:2] == [1, 50]
    assert found[2:] == [[1, 50], *[[1, 50]] * (PARTS - 3)]
    assert here


def test_one_process_is_enough_where_there_is_little_to_do() -> None:
    found, _, here = run(f"{WHO}\nwhole = shared_out\nshared_out = lambda w, n, j, **more: whole(w, 40, j, **more)")
    assert found == [here] * 40


def test_a_copy_that_is_killed_is_made_up_for() -> None:
    found, told, here = run("""
        def work(index):
            if index == 70 and os.getpid() != here:
                os.kill(os.getpid(), signal.SIGKILL)
            return os.getpid()
    """)
    assert len(found) == PARTS
    assert len(set(found)) == 2
    assert sorted(told) == [*range(PARTS)]
    assert found[70] == here


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

        whole, shared_out = shared_out, share
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

        whole, shared_out = shared_out, share
    """)
    assert found == "no child"
    assert time.monotonic() - started < 20


def test_copies_leave_interrupts_to_the_one_that_made_them() -> None:
    found, _, here = run("""
        def work(index):
            if os.getpid() != here:
                os.kill(os.getpid(), signal.SIGINT)
            return os.getpid()
    """)
    assert len(set(found)) == 3
    assert here in found


@pytest.mark.parametrize("lacking", ["fork", "memfd_create"])
def test_where_no_copy_can_be_made_all_is_done_here(lacking: str) -> None:
    found, _, here = run(f"{WHO}\ndef none(*_):\n  raise BlockingIOError\nos.{lacking} = none")
    assert found == [here] * PARTS


def test_beside_a_thread_all_is_done_here() -> None:
    waiting = "threading.Thread(target=time.sleep, args=(2,), daemon=True).start()"
    found, _, here = run(f"{WHO}\n{waiting}")
    assert found == [here] * PARTS


def test_watchdogs_watch_in_copies_too() -> None:
    found, _, here = run("""
        from cardgen.face.watchdog import TookTooLongError, Watchdog

        watchdog = Watchdog()
        first = (0,)

        def work(index):
            try:
                with watchdog.limit(0.2 if index in (3, 4) else 60):
                    while index in (3, 4):
                        pass
            except TookTooLongError:
                return [os.getpid(), "too long"]
            return [os.getpid(), ""]
    """, jobs=2)  # fmt: skip
    assert {tuple(each) for each in (found[3], found[4])} == {
        (process, "too long") for process in {number for number, _ in found}
    }
    assert {why for number, why in found[5:]} == {""}
    assert here
