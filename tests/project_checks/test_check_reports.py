"""What checks said is said again only while nothing that it depends on has changed."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from cardgen.project_checks import check_reports
from cardgen.project_checks.check_reports import CheckReport, OutputText, run_cached
from cardgen.runtime.fingerprint import SETTINGS_FILE, find_project_root

SAID = CheckReport(
    (OutputText("all is well\n"), OutputText("aside\n", to_stderr=True)), (("out.txt", "well"),), failed=False
)


class Runs:
    """Counts how often it is run."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self) -> CheckReport:
        self.count += 1
        return SAID


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    write(folder / "card.yaml", "name: Sun")
    monkeypatch.chdir(folder)
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda name: str(tmp_path / "cache"))
    return folder


def write(path: Path, text: str, seconds_ago: float = 60) -> None:
    path.write_text(text, encoding="utf-8")
    at = time.time_ns() - int(seconds_ago * 1e9)
    os.utime(path, ns=(at, at))


def test_the_same_is_said_without_a_run(project: Path) -> None:
    run = Runs()
    assert [run_cached(run, ("full",), (), [Path.cwd()]) for _ in range(3)] == [SAID] * 3
    assert run.count == 1


def test_another_question_is_another_run(project: Path) -> None:
    run = Runs()
    for asked in ("full", "concise"):
        run_cached(run, (asked,), (), [Path.cwd()])
    assert run.count == 2


def test_any_file_that_changes_or_appears_is_a_run(project: Path) -> None:
    """Cards, templates, and settings can name hidden files, too, and pictures that were built."""
    run = Runs()
    names = ("card.yaml", "other.yaml", "cardgen.yaml", "icons/sun.svg", ".art/sun.png", "fonts/.sun.ttf",
             "output/sun.png")  # fmt: skip
    for count, name in enumerate(names, 1):
        run_cached(run, (), (), [Path.cwd()])
        assert run.count == count
        (project / name).parent.mkdir(exist_ok=True)
        write(project / name, "name: Moon", seconds_ago=30)
        run_cached(run, (), (), [Path.cwd()])
        assert run.count == count + 1, name
    write(project / "card.yaml", "name: Mood", seconds_ago=30)  # its size and time are the same as before
    os.utime(project / "card.yaml", ns=(0, (project / "other.yaml").stat().st_mtime_ns))
    run_cached(run, (), (), [Path.cwd()])
    before = (project / "card.yaml").stat()
    write(project / "card.yaml", "name: Moot")
    os.utime(project / "card.yaml", ns=(0, before.st_mtime_ns))
    run_cached(run, (), (), [Path.cwd()])
    assert run.count == len(names) + 3


def test_what_nothing_can_name_is_no_run(project: Path) -> None:
    """The repository, caches, an environment of Python, and what was built."""
    run = Runs()
    for name in (".git/index", ".mypy_cache/CACHEDIR.TAG", ".mypy_cache/x", "env/pyvenv.cfg", "env/x", "output/x.pdf"):
        (project / name).parent.mkdir(exist_ok=True)
        write(project / name, "x")
        run_cached(run, (), (), [Path.cwd()])
    assert run.count == 1


def test_a_file_that_is_gone_is_a_run(project: Path) -> None:
    run = Runs()
    run_cached(run, (), (), [Path.cwd()])
    (project / "card.yaml").unlink()
    run_cached(run, (), (), [Path.cwd()])
    assert run.count == 2


def test_a_broken_link_and_a_file_that_becomes_readable_are_runs(project: Path) -> None:
    run = Runs()
    run_cached(run, (), (), [Path.cwd()])
    link = project / "loop.yaml"
    link.symlink_to(link)
    os.utime(link, (1, 1), follow_symlinks=False)
    run_cached(run, (), (), [Path.cwd()])
    (project / "card.yaml").chmod(0o400)
    run_cached(run, (), (), [Path.cwd()])
    link.unlink()
    run_cached(run, (), (), [Path.cwd()])
    assert run.count == 4


def test_the_project_above_the_current_folder_counts(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = Runs()
    write(project / SETTINGS_FILE, "game: warniris")
    (project / "cards").mkdir()
    monkeypatch.chdir(project / "cards")
    run_cached(run, (), (), [find_project_root(Path.cwd())])
    write(project / SETTINGS_FILE, "game: warniris", seconds_ago=30)
    run_cached(run, (), (), [find_project_root(Path.cwd())])
    assert run.count == 2


def test_a_named_file_elsewhere_counts(project: Path, tmp_path: Path) -> None:
    run, file = Runs(), tmp_path / "elsewhere.yaml"
    for seconds in (60, 30):
        write(file, "name: Sun", seconds)
        run_cached(run, (), (file,), [Path.cwd()])
    assert run.count == 2


def test_what_was_changed_this_very_moment_is_not_remembered(project: Path) -> None:
    run = Runs()
    write(project / "card.yaml", "name: Moon", seconds_ago=0)
    run_cached(run, (), (), [Path.cwd()])
    run_cached(run, (), (), [Path.cwd()])
    assert run.count == 2


def test_a_broken_memory_is_a_run(project: Path, tmp_path: Path) -> None:
    run = Runs()
    run_cached(run, (), (), [Path.cwd()])
    (kept,) = (tmp_path / "cache" / "checks").iterdir()
    for text in ("", "[]", '{"a": 1}', "[1, 2, 3]"):
        kept.write_text(text, encoding="utf-8")
        assert run_cached(run, (), (), [Path.cwd()]) == SAID
    assert run.count == 5


def test_only_so_many_are_kept(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_reports, "_MOST_REPORTS", 3)
    for number in range(6):
        run_cached(Runs(), (number,), (), [Path.cwd()])
    assert len(list((tmp_path / "cache" / "checks").iterdir())) == 3
