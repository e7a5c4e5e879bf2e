"""Measures whole processes: elapsed time, processor time, and peak memory.

The peak memory of a process includes that of its parent when it was started, so this file is run as a small parent
process: `python measure.py COMMAND…` prints the three figures as JSON. The environment variable BENCH_PREFIX is
inserted before each command, such as 'chrt -f 50' on a busy machine.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple, TypeAlias

ROOT = Path(__file__).parents[2]
CARDGEN = (sys.executable, "-m", "cardgen")
# What was measured, the figure, its unit, and its upper limit, if it has one.
Row: TypeAlias = tuple[str, float, str] | tuple[str, float, str, float | None]
# Part of a benchmark, which can write into a folder of its own.
Part: TypeAlias = Callable[[Path], Iterator[Row]]


class Cost(NamedTuple):
    """The cost of a process: elapsed s, processor s, and peak MiB."""

    seconds: float
    processor: float
    memory: float


def cost(
    command: Sequence[str], folder: Path, more: Mapping[str, str] | None = None, codes: Collection[int] = (0,)
) -> Cost:
    """Return the cost of a command, with `more` environment variables.

    What cardgen keeps between runs is in the folder `.caches`. Raises RuntimeError for an exit code that is none of
    `codes`.
    """
    environment = {**own_environment(), "XDG_CACHE_HOME": str(folder / ".caches"), **(more or {})}
    prefix = shlex.split(os.environ.get("BENCH_PREFIX", ""))
    parent = [*prefix, sys.executable, "-S", "-E", __file__, *command]
    done = subprocess.run(parent, cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False)
    if done.returncode not in codes:
        raise RuntimeError(f"{shlex.join(command)}\n{done.stdout}{done.stderr}")
    return Cost(*json.loads(done.stdout.splitlines()[-1]))


def own_environment() -> dict[str, str]:
    """Return the environment of a process that runs this cardgen, even beside another one that is installed."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # An installed program is compiled, as its peers are here.
    return environment


def memory(command: Sequence[str], folder: Path) -> float:
    """Return the peak memory of a command's processes in MiB.

    Shared memory is counted once. Polling takes time, so this needs a run of its own. Linux only.
    """
    child = subprocess.Popen(command, cwd=folder, env=own_environment(), stdout=subprocess.DEVNULL)
    most = 0
    while child.poll() is None:
        most = max(most, _pages(child.pid, "Rss") + sum(_pages(each, "Private") for each in _below(child.pid)))
        time.sleep(0.005)
    return most / 1024


def _below(process: int) -> Iterator[int]:
    """Return the descendants of a process."""
    try:
        numbers = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii")
    except OSError:
        numbers = ""
    for number in map(int, numbers.split()):
        yield number
        yield from _below(number)


def _pages(process: int, sort: str) -> int:
    """Return the memory of a process in KiB.

    'Rss' is all memory, and 'Private' only unshared memory.
    """
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith(sort))


def middle(costs: Sequence[Cost]) -> Cost:
    """Return the median of each figure."""
    return Cost(*(median(figures) for figures in zip(*costs, strict=True)))


def in_turn(*works: Callable[[], Cost], runs: int = 5) -> list[Cost]:
    """Return the median costs of works that take turns, so that all of them run under the same conditions."""
    costs = [[work() for work in works] for _ in range(runs)]
    return [middle(each) for each in zip(*costs, strict=True)]


def _measure(command: Sequence[str]) -> int:
    started = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - started
    kilo = 1024 if sys.platform != "darwin" else 1024 * 1024
    print(json.dumps([seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / kilo]))
    return os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    sys.exit(_measure(sys.argv[1:]))
