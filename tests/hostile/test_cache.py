"""Entries of the cache that somebody else wrote, or that are broken."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from cardgen.runtime.user_folders import cache_folder
from tests.cli.commands import Program
from tests.libcairo import needs_cairo
from tests.projects import MINION, Folder

# Only CairoSVG can draw it, so it is cached.
PATTERN = (
    '<svg xmlns="http://www.w3.org/2000/svg"><defs><pattern id="p" width="2" height="2" patternUnits="userSpaceOnUse">'
    '<rect width="1mm" height="1"/></pattern></defs><rect width="20" height="20" fill="url(#p)"/></svg>'
)


@pytest.fixture
def cardgen(folder: Folder, capsys: pytest.CaptureFixture[str], settled: None) -> Program:
    folder.plain().write("cards/a.yaml", MINION)
    return Program(capsys)


@pytest.fixture
def settled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Treat files as settled at once, so that runs are cached, in a folder of the test."""
    monkeypatch.setattr("cardgen.runtime.fingerprint.SETTLED_NS", -3_600_000_000_000)
    monkeypatch.setattr("cardgen.runtime.user_folders._user_folder", lambda name: tmp_path / name)


def entries(kind: str) -> list[Path]:
    return sorted((cache_folder() / kind).glob("*.json"))


@pytest.mark.parametrize("keep_digest", [True, False])
def test_a_forged_manifest_removes_nothing(folder: Folder, cardgen: Program, keep_digest: bool) -> None:
    assert cardgen("build").code == 0
    victim = folder.root / "cards" / "v.txt"
    victim.write_text("mine", encoding="utf-8")
    status = victim.lstat()
    (file,) = entries("builds")
    forged = json.loads(file.read_bytes()[32:])
    stamps = [
        [status.st_size, status.st_mtime_ns, status.st_ino, status.st_ctime_ns],
        [status.st_size, status.st_mtime_ns],
    ]
    for each in stamps:
        forged["outputs"]["output/../cards/v.txt"] = each
        start = file.read_bytes()[:32] if keep_digest else b""
        file.write_bytes(start + json.dumps(forged).encode())
        assert cardgen("build", "--only", "minion").code == 0
        assert cardgen("build").code == 0
        assert victim.read_text(encoding="utf-8") == "mine"


def test_a_forged_report_writes_and_prints_nothing(folder: Folder, cardgen: Program) -> None:
    target = folder.root.parent / "target.txt"
    assert cardgen("check").code == 0
    assert cardgen("check").code == 0
    for file in entries("checks"):
        start, report = file.read_bytes()[:32], json.loads(file.read_bytes()[32:])
        report[0], report[1] = [["forged\n", False]], [[str(target), "forged"]]
        file.write_bytes(start + json.dumps(report).encode())
    outcome = cardgen("check")
    assert outcome.code == 0
    assert "forged" not in outcome.out
    assert not target.exists()


@needs_cairo
@pytest.mark.parametrize("row", ["text", None, b"", b"%PDF-1.4 broken", 5, "x" * 100])
def test_a_broken_row_is_drawn_again(folder: Folder, cardgen: Program, row: object) -> None:
    folder.write("templates/warniris/minion.svg.j2", PATTERN)
    assert cardgen("build").code == 0
    database = cache_folder() / "artwork.sqlite"
    assert database.is_file()
    with sqlite3.connect(database) as table:
        table.execute("CREATE TABLE copy AS SELECT * FROM artwork")
        table.execute("DROP TABLE artwork")
        table.execute("CREATE TABLE artwork (key TEXT PRIMARY KEY, pdf, day INTEGER NOT NULL)")
        table.execute("INSERT INTO artwork SELECT key, ?, day FROM copy", (row,))
    table.close()
    first = {path.name: path.read_bytes() for path in (folder.root / "output").glob("*.pdf")}
    for path in (folder.root / "output").glob("*.pdf"):
        path.unlink()
    outcome = cardgen("build")
    assert outcome.code == 0, outcome
    assert {path.name: path.read_bytes() for path in (folder.root / "output").glob("*.pdf")} == first
