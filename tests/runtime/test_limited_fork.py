"""Calls in a fork, with limits that the kernel enforces.

Each test has a process of its own, since the one that runs the tests may have threads.
"""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from pathlib import Path
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
        fork = LimitedFork(divmod, 5, 1 << 28, (ZeroDivisionError,))
        found = [fork.call(17, 5), fork.call(4, 2)]
        for arguments in ((1, 0), (1, "a")):
            try:
                fork.call(*arguments)
            except (ZeroDivisionError, RuntimeError) as error:
                found.append(f"{type(error).__name__} {error}")
        found.append(fork.call(9, 2))
    """)
    assert found[:2] == [[3, 2], [2, 0]]
    assert found[2].startswith("ZeroDivisionError integer")
    assert found[3].startswith("RuntimeError TypeError: unsupported")
    assert found[4] == [4, 1]


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


def test_what_a_fork_sends_runs_nothing_in_its_parent(tmp_path: Path) -> None:
    """A fork that a hostile file has taken over can write anything into the pipe."""
    marker = tmp_path / "marker"
    found = run(f"""
        import io, pickle
        from pathlib import Path

        class Attack:
            def __reduce__(self):
                return os.system, ("touch {marker}",)

        messages = [
            pickle.dumps((True, Attack())), b"", b"null", b'[["os:system"],[0,"touch {marker}"]]', b'[[],[0]]',
            b'[["cardgen.diagnostic:CardgenError"],[0,1]]', b'[[],["&",-1]]', b"[" * 100_000, b'[[],["t",' * 100_000,
        ]

        def overwrite(number):
            message = messages[number]
            for descriptor in map(int, os.listdir("/proc/self/fd")):
                if descriptor > 2 and "pipe" in os.readlink(f"/proc/self/fd/{{descriptor}}"):
                    try:
                        os.write(descriptor, len(message).to_bytes(8) + message)
                    except OSError:
                        pass
            os._exit(0)

        found = [cause(LimitedFork(overwrite, 5, 1 << 28), number) for number in range(len(messages))]
    """)
    assert set(found) == {""}
    assert not marker.exists()


def test_a_fork_has_none_of_its_parents_descriptors(tmp_path: Path) -> None:
    found = run(f"""
        import socket
        secret = open({str(tmp_path / "secret")!r}, "w+")
        near, far = socket.socketpair()

        def look():
            links = [os.readlink(f"/proc/self/fd/{{name}}") for name in os.listdir("/proc/self/fd") if name != "2"
                     if os.path.exists(f"/proc/self/fd/{{name}}")]
            return [link for link in links if link != os.devnull and not link.startswith(("pipe:", "/proc/"))]

        found = LimitedFork(look, 5, 1 << 28).call()
    """)
    assert found == []
