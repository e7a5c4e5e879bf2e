"""Builds that are killed at random moments leave every earlier file whole."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pikepdf
import pytest

from cardgen.cli import run
from tests.projects import STATS, Folder
from tests.random_cases import dice_for, number_of_cases

pytestmark = pytest.mark.fuzz
# Builds that are killed, and builds that go on after one; `make fuzz` raises the numbers.
KILLS = number_of_cases(25, 1 / 400)
TURNS = max(4, KILLS // 6)
FORMATS = "pdf,svg"
BUILD = ["build", "-q", "--no-cache", "--format", FORMATS]
# Forks a child for every line that it reads, so that not every build has to load the program anew.
FORKS = f"""
import os, sys
import pikepdf, reportlab.pdfgen.canvas, cardgen.cli.build, cardgen.builds.builder
from cardgen.cli import run
for _ in sys.stdin:
    child = os.fork()
    if not child:
        os._exit(run({BUILD!r}))
    print(child, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


@contextmanager
def forks() -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-c", FORKS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
    ) as parent:
        yield parent


def build(parent: subprocess.Popen[str], kill_after: float | None = None) -> tuple[int, float]:
    """Builds, and kills the build after so many seconds: its exit code, and how long it took."""
    assert parent.stdin is not None
    assert parent.stdout is not None
    print(file=parent.stdin, flush=True)
    child = int(parent.stdout.readline())
    began = time.monotonic()
    if kill_after is not None:
        time.sleep(kill_after)
        # Its parent has not told of its end yet, or it is one of the few that were quicker than that.
        os.kill(child, signal.SIGKILL) if Path(f"/proc/{child}").exists() else None
    return int(parent.stdout.readline()), time.monotonic() - began


def written(folder: Folder, turn: int) -> None:
    """Cards that differ from turn to turn, so that every build writes every file."""
    names = "".join(f"  - {{id: m{n}, name: Minion {n} of {turn}, stats: {STATS}}}\n" for n in range(8))
    folder.write("cards/minions.yaml", f"kind: minion\ncards:\n{names}")


def wholes(output: Path) -> int:
    """How many files there are that users see; each of them is whole."""
    seen = [path for path in output.rglob("*") if path.is_file() and not path.name.startswith(".")]
    for path in seen:
        if path.suffix == ".pdf":
            with pikepdf.open(path) as document:
                assert len(document.pages) == 2
        else:
            assert path.read_bytes().rstrip().endswith(b"</svg>"), path
    return len(seen)


@pytest.mark.timeout(600)
@pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in the way of Linux")
def test_earlier_files_are_whole_whenever_a_build_is_killed(folder: Folder) -> None:
    folder.plain()
    written(folder, 0)
    chance, killed = dice_for("moments"), 0
    output = folder.root / "output"
    with forks() as parent:
        build(parent)
        code, takes = build(parent)
        assert (code, wholes(output)) == (0, 17)
        for turn in range(1, KILLS + 1):
            written(folder, turn)
            # Most of the moments lie where it writes, which is near the end.
            moment = takes * chance.choice((chance.uniform(0.05, 1), chance.uniform(0.5, 1)))
            code, took = build(parent, moment)
            assert code in (0, -signal.SIGKILL)
            killed += code != 0
            # The machine may be less busy than before.
            takes = took if code == 0 else takes
            assert wholes(output) == 17
    assert killed > KILLS // 4
    assert run(["build", "-q", "--format", FORMATS]) == 0
    assert wholes(output) == 17


@pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in the way of Linux")
def test_what_a_killed_build_left_is_never_taken_for_built(folder: Folder) -> None:
    """The cards of a turn are those of every file that there is once a build has ended well, whatever was killed."""
    folder.plain()
    chance = dice_for("turns")
    options = [option for option in BUILD if option != "--no-cache"]
    for turn in range(1, TURNS + 1):
        written(folder, turn)
        with subprocess.Popen([sys.executable, "-m", "cardgen", *options]) as building:
            time.sleep(chance.uniform(0.3, 1.2))
            building.kill()
        assert run(options) == 0
        fronts = sorted((folder.root / "output").glob("*/*-front.svg"))
        assert len(fronts) == 8
        assert all(f"of {turn}<" in path.read_text(encoding="utf-8") for path in fronts)
