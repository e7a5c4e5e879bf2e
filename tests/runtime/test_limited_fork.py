"""Calls in a fork, with limits that the kernel enforces.

Each test has a process of its own, since the one that runs the tests may have threads.
"""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from typing import Any

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux only")

BEFORE = """
    import gc, json, os, signal, sys, time
    from cardgen.runtime.limited_fork import LimitedFork, ResourceLimitError

    def cause(fork, *arguments):
        try:
            return fork.call(*arguments)
        except ResourceLimitError as error:
            return error.resource

    def is_running(process):
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return False
        return True
"""


def run(script: str) -> Any:
    """Return what the script leaves in `found`."""
    whole = textwrap.dedent(BEFORE) + textwrap.dedent(script) + "\nprint(json.dumps(found))"
    process = subprocess.run([sys.executable, "-c", whole], capture_output=True, text=True, timeout=60, check=False)
    assert (process.returncode, process.stderr) == (0, "")
    return json.loads(process.stdout)


def test_results_and_exceptions_come_back() -> None:
    found = run("""
        fork = LimitedFork(divmod, 5, 1 << 28)
        found = [fork.call(17, 5), fork.call(4, 2)]
        try:
            fork.call(1, 0)
        except ZeroDivisionError as error:
            found.append(str(error))
        found.append(fork.call(9, 2))
    """)
    assert found[:2] == [[3, 2], [2, 0]]
    assert "zero" in found[2]
    assert found[3] == [4, 1]


def test_one_long_call_into_c_is_stopped() -> None:
    found = run("""
        start = time.monotonic()
        fork = LimitedFork(lambda: sum(range(10 ** 12)), 0.3, 1 << 28)
        found = [cause(fork), fork.is_usable, time.monotonic() - start < 20]
    """)
    assert found == ["time", False, True]


def test_time_counts_per_call() -> None:
    found = run("""
        def spin():
            end = time.process_time() + 0.2
            while time.process_time() < end:
                pass
            return "done"
        fork = LimitedFork(spin, 0.5, 1 << 28)
        found = [cause(fork) for _ in range(5)]
    """)
    assert found == ["done"] * 5


def test_memory_is_limited() -> None:
    found = run("""
        fork = LimitedFork(lambda size: len(bytes(size)), 5, 1 << 28)
        found = [cause(fork, 1 << 20), cause(fork, 1 << 30), fork.is_usable]
    """)
    assert found == [1 << 20, "memory", False]


def test_a_fork_ends_when_it_is_closed_or_forgotten() -> None:
    found = run("""
        fork, other = LimitedFork(abs, 5, 1 << 28), LimitedFork(abs, 5, 1 << 28)
        found = [fork.call(-1), is_running(fork.process), other.call(-2)]
        fork.close()
        process = other.process
        del other
        found += [fork.is_usable, is_running(fork.process), is_running(process)]
    """)
    assert found == [1, True, 2, False, False, False]


def test_a_fork_ends_with_its_parent() -> None:
    found = run("""
        reader, writer = os.pipe()
        if not os.fork():
            fork = LimitedFork(abs, 5, 1 << 28)
            os.write(writer, str(fork.process).encode())
            os._exit(0)
        process = int(os.read(reader, 99))
        os.wait()
        end = time.monotonic() + 20
        while is_running(process) and time.monotonic() < end:
            time.sleep(0.01)
        found = is_running(process)
    """)
    assert found is False


def test_forks_of_its_owner_cannot_use_it() -> None:
    found = run("""
        fork = LimitedFork(abs, 5, 1 << 28)
        reader, writer = os.pipe()
        if not os.fork():
            os.write(writer, str(fork.is_usable).encode())
            fork.close()
            os._exit(0)
        os.wait()
        found = [os.read(reader, 99).decode(), fork.call(-3)]
    """)
    assert found == ["False", 3]
