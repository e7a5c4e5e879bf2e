"""The same input gives the same bytes, wherever and however it is built."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pikepdf
import pytest

from cardgen.project.files import built_in_folder
from tests.cli.commands import Outcome, Program, process
from tests.projects import STATS, Folder

# Moves every clock of a process by ten years.
ANOTHER_CLOCK = """
import datetime, time
_now, _ns, _local = time.time, time.time_ns, time.localtime
SHIFT = 315_000_000
time.time = lambda: _now() + SHIFT
time.time_ns = lambda: _ns() + SHIFT * 10**9
time.localtime = lambda seconds=None: _local(_now() + SHIFT if seconds is None else seconds)
"""
OPTIONS = ("build", "-q", "--format", "pdf,png,svg", "--dpi", "50")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Cards with emblems, fitted texts, icons and a picture, enough of them for several processes, built once."""
    root = tmp_path_factory.mktemp("same")
    (root / "cards").mkdir()
    names = "".join(f"  - {{name: Minion {n}, stats: {STATS}}}\n" for n in range(24))
    (root / "cards/minions.yaml").write_text(f"kind: minion\ncards:\n{names}", encoding="utf-8")
    for name in ("characters", "relics"):
        shutil.copy(built_in_folder("cards") / f"warniris/{name}.yaml", root / "cards")
    first = built(root, "first", "-j", "1", PYTHONHASHSEED="1", TZ="UTC", LC_ALL="C", XDG_CACHE_HOME=str(root / "c"))
    assert first.code == 0, first.err
    return root


def built(root: Path, name: str, *options: str, **environment: str) -> Outcome:
    before = Path.cwd()
    os.chdir(root)
    try:
        return process(*OPTIONS, "-o", name, *options, **environment)
    finally:
        os.chdir(before)


def contents(folder: Path) -> dict[str, bytes]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def shifted(root: Path) -> str:
    place = root / "another-clock"
    place.mkdir(exist_ok=True)
    (place / "sitecustomize.py").write_text(ANOTHER_CLOCK, encoding="utf-8")
    return os.pathsep.join([str(place), *filter(None, sys.path)])


ELSEWHERE = {
    "PYTHONHASHSEED": "4242", "LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8", "TZ": "Asia/Kathmandu",
    "TMPDIR": "tmp", "TEMP": "tmp", "TMP": "tmp", "PYTHONPATH": "another-clock",
}  # fmt: skip


# What cannot change a byte alone cannot either with others, so one build has all that processes may differ in.
@pytest.mark.parametrize(
    ("name", "options", "environment"),
    [
        ("another-process", (), ELSEWHERE),
        ("jobs-without-cache", ("-j", "3", "--no-cache"), {}),
        ("kept-artwork", (), {"XDG_CACHE_HOME": "c"}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_same_bytes(project: Path, name: str, options: tuple[str, ...], environment: dict[str, str]) -> None:
    there = {
        key: shifted(project) if value == "another-clock" else str(project / value) if value in ("c", "tmp") else value
        for key, value in environment.items()
    }
    (project / "tmp").mkdir(exist_ok=True)
    outcome = built(project, name, *options, **there)
    assert outcome.code == 0, outcome.err
    first, second = contents(project / "first"), contents(project / name)
    assert len(first) > 110
    assert list(first) == list(second)
    assert [key for key in first if first[key] != second[key]] == []


def test_another_place_gives_the_same_bytes(project: Path, tmp_path: Path) -> None:
    shutil.copytree(project / "cards", tmp_path / "elsewhere/cards")
    assert built(tmp_path / "elsewhere", "output").code == 0
    assert contents(tmp_path / "elsewhere/output") == contents(project / "first")


def test_documents_bear_a_fixed_date_or_the_one_that_is_asked_for(folder: Folder) -> None:
    folder.plain().minions("Anna")
    dates = []
    for environment in ({}, {"SOURCE_DATE_EPOCH": "1234567890"}, {"SOURCE_DATE_EPOCH": " "}):
        assert process("build", "-q", **environment).code == 0
        with pikepdf.open(folder.root / "output/warniris-minion-a4.pdf") as document:
            dates.append(str(document.docinfo["/CreationDate"]))
    assert [date[:16] for date in dates] == ["D:20000101000000", "D:20090213233130", "D:20000101000000"]


@pytest.mark.parametrize(
    ("command", "value"),
    [("build", value) for value in ("yesterday", "-1", "1.5", "253402300800", "9" * 400, "²")]
    + [("reference", "yesterday")],
)
def test_a_date_that_is_none_is_said(
    folder: Folder, command: str, value: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder.plain().minions("Anna")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", value)
    outcome = Program(capsys)(command)
    assert (outcome.code, outcome.out) == (1, "")
    assert "SOURCE_DATE_EPOCH: error[CG593]: " in outcome.err
    assert "is not a valid timestamp (seconds since the start of 1970)" in outcome.err
    assert "Traceback" not in outcome.err
    assert not (folder.root / "output").exists()


def test_the_same_findings_for_any_number_of_jobs(tmp_path: Path) -> None:
    (tmp_path / "cards").mkdir()
    names = ["Nobody"] * 40 + [f"{'W' * (n % 9 * 8)} No. {n}" for n in range(60)]
    cards = "".join(f"  - {{name: {name}, id: m{n}, stats: {STATS}}}\n" for n, name in enumerate(names))
    (tmp_path / "cards/minions.yaml").write_text(f"kind: minion\ncards:\n{cards}", encoding="utf-8")
    alone, shared = (built(tmp_path, "out", "-j", jobs) for jobs in "12")
    assert alone.code == 1
    assert alone.err.count("CG5") > 10
    assert (shared.code, shared.err) == (alone.code, alone.err)
    assert not (tmp_path / "out").exists()
