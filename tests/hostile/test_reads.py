"""Files that never end, that are enormous, or that take long to search: whatever reads them has limits."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import cardgen as package
from tests.cli.commands import Program
from tests.hostile.conftest import Attack

PACKAGE = Path(package.__file__).parent
TEMPLATE = "templates/warniris/minion.svg.j2"
# These modules read only what belongs to the program or to installed packages, the system, or streams in memory.
OWN_FILES = {
    "checking/registry.py", "export/web_page.py", "grammar/clauses.py",
    "reference_sheets/blocks.py", "scaffold/cards.py", "scaffold/game.py", "runtime/cluster/pool.py",
    "referee/parameters.py", "rulesets/ruleset.py", "runtime/workspace.py",
    "runtime/child_process.py", "runtime/limited_fork.py", "studio/pages/window.py",
    "studio/play/players_server.py",
    "runtime/regular_file.py", "export/inks.py", "project_checks/run.py", "text/line_breaks.py", "text/dictionary.py",
    "project_checks/other_cards.py", "scaffold/ci.py", "scaffold/ci_files/comment.py",
    "sandbox/compiler.py",
}  # fmt: skip
_READ = re.compile(r"\.read_(text|bytes)\(|\.open\(\"r|[^.]\bopen\([^)]*\"r")
PIPES = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")


def test_files_are_read_within_limits() -> None:
    readers = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if _READ.search(path.read_text(encoding="utf-8"))
    }
    assert readers <= OWN_FILES


@contextmanager
def seconds(limit: float) -> Iterator[None]:
    started = time.process_time()
    yield
    assert time.process_time() - started < limit


def huge(path: Path) -> None:
    """Write a file of a terabyte that takes no space."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.truncate(2**40)


@PIPES
def test_a_pipe_is_no_template(attack: Attack) -> None:
    path = attack.front("").folder.root / TEMPLATE
    path.unlink()
    os.mkfifo(path)
    assert attack.cardgen("check").code == 0
    assert attack.cardgen("build").code == 0


def test_an_enormous_template_is_an_error(attack: Attack) -> None:
    huge(attack.front("").folder.root / TEMPLATE)
    assert attack.cardgen("check").code in (0, 1)
    outcome = attack.cardgen("build")
    assert outcome.code == 1
    assert f"{TEMPLATE}:1:1: error[CG511]: the file is larger than 1,024 KiB" in outcome.err


@pytest.fixture
def cardgen(capsys: pytest.CaptureFixture[str]) -> Program:
    return Program(capsys)


@pytest.fixture
def game(folder: object, cardgen: Program) -> Path:
    assert cardgen("new", "game", "ember").code == 0
    return Path("games/ember/templates")


@PIPES
def test_a_game_with_a_pipe_as_template(game: Path, cardgen: Program) -> None:
    os.mkfifo(game / "pipe.svg.j2")
    assert cardgen("check", "games/ember").code in (0, 1)
    assert cardgen("check").code in (0, 1)


def test_a_game_with_an_enormous_template(game: Path, cardgen: Program) -> None:
    for path in game.glob("*.svg.j2"):
        huge(path)
    huge(game / "other.svg.j2")
    with seconds(10):
        assert cardgen("check", "games/ember").code in (0, 1)
        assert cardgen("check").code in (0, 1)


@pytest.mark.parametrize("unit", ["{#", "{%", "{% include ", "{%- \n", "{{", "{% include '", "~"])
def test_a_game_with_a_template_that_repeats(game: Path, cardgen: Program, unit: str) -> None:
    (game / "other.svg.j2").write_text(unit * (2**20 // len(unit)), encoding="utf-8")
    with seconds(20):
        assert cardgen("check", "games/ember").code in (0, 1)
        assert cardgen("check").code in (0, 1)


@pytest.mark.parametrize("unit", ["{#", "{% include '"])
def test_a_template_that_repeats(attack: Attack, unit: str) -> None:
    attack.front("").folder.write(TEMPLATE, unit * (2**20 // len(unit)))
    with seconds(20):
        assert attack.cardgen("check").code in (0, 1)
        assert attack.cardgen("build").code == 1
