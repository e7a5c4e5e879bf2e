"""Files that an export no longer has are removed; those of people and of other exports are kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.print.request import BuildRequest
from cardgen.target.output import ExportRecord


@pytest.fixture
def output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("cardgen.target.output.cache_folder", lambda: tmp_path / "cache")
    monkeypatch.setattr("cardgen.runtime.user_folders.config_folder", lambda: tmp_path / "config")
    return tmp_path / "out"


def export(output: Path, *names: str, target: str = "tts", warband: str | None = None) -> list[str]:
    """Write files as an export does, and return what was removed."""
    for name in names:
        path = output / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{name} of {target}")
    record = ExportRecord(target, BuildRequest(output=output, warband=warband))
    removed = record.update([output / name for name in names])
    return [path.as_posix() for path in removed]


def files(output: Path) -> list[str]:
    return sorted(path.relative_to(output).as_posix() for path in output.rglob("*") if path.is_file())


def test_files_of_deleted_cards_are_removed_with_their_folders(output: Path) -> None:
    assert export(output, "a.json", "images/deep/old.png", "images/new.png") == []
    assert export(output, "a.json", "images/new.png") == ["out/images/deep/old.png"]
    assert files(output) == ["a.json", "images/new.png"]
    assert not (output / "images/deep").exists()


def test_files_that_somebody_changed_or_added_are_kept(output: Path) -> None:
    export(output, "a.json", "old.png")
    (output / "old.png").write_text("retouched by a person")
    (output / "notes.txt").write_text("mine")
    assert export(output, "a.json") == []
    assert files(output) == ["a.json", "notes.txt", "old.png"]


def test_files_of_other_exports_into_the_folder_are_kept(output: Path) -> None:
    export(output, "oath.json", "token.png", warband="Oath")
    export(output, "horde.json", warband="Horde")
    assert export(output, "oath.json", "token.png", "x.png", warband="Oath") == []
    assert export(output, "horde.json", "token.png", warband="Horde") == []
    assert export(output, "oath.json", warband="Oath") == ["out/x.png"]
    assert files(output) == ["horde.json", "oath.json", "token.png"]
    assert export(output, "oath.json", target="cgs", warband="Oath") == []


def test_a_link_out_of_the_folder_is_not_followed(output: Path, tmp_path: Path) -> None:
    export(output, "a.json", "images/x.png")
    outside = tmp_path / "outside"
    (output / "images").rename(outside)
    (output / "images").symlink_to(outside)
    assert export(output, "a.json") == []
    assert (outside / "x.png").is_file()


def test_a_record_that_somebody_else_wrote_is_ignored(output: Path, tmp_path: Path) -> None:
    export(output, "a.json", "old.png")
    (record,) = (tmp_path / "cache/exports").iterdir()
    content = bytearray(record.read_bytes())
    content[-3] ^= 1
    record.write_bytes(content)
    assert export(output, "a.json") == []
    assert (output / "old.png").is_file()
