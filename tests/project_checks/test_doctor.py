from __future__ import annotations

import importlib
import re
from pathlib import Path
from types import ModuleType

import pytest

from cardgen.cli import run
from cardgen.project_checks import doctor
from tests.game_file.games import write_game
from tests.libcairo import hide_cairo, needs_cairo


def test_a_machine_that_runs_these_tests_is_well(tmp_path: Path) -> None:
    found = list(doctor.examine(tmp_path))
    assert [finding.name for finding in found] == [
        "Python", "fonts", "cache", "artwork", "pictures", "games", "project", "cairo",
    ]  # fmt: skip
    assert all(finding.ok and finding.detail and not finding.advice for finding in found if finding.is_required)
    assert [finding.name for finding in found if not finding.is_required] == ["cairo"]


@needs_cairo
def test_libcairo_is_found_with_its_version(tmp_path: Path) -> None:
    (cairo,) = (finding for finding in doctor.examine(tmp_path) if finding.name == "cairo")
    assert cairo.ok
    assert re.fullmatch(r"libcairo 1\.\d+\.\d+", cairo.detail)


def test_a_missing_library_is_named_with_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def without_cairo(name: str) -> ModuleType:
        if name == "cairocffi":
            raise OSError('no library called "cairo-2" was found\nno library called "cairo" was found')
        return importlib.import_module(name)

    monkeypatch.setattr(doctor, "import_module", without_cairo)
    found = {finding.name: finding for finding in doctor.examine(tmp_path)}
    assert not found["cairo"].ok
    assert found["cairo"].detail == 'no library called "cairo-2" was found'
    assert "brew install cairo" in found["cairo"].advice
    assert "optional: only artwork with masks" in found["cairo"].advice
    assert all(finding.ok for name, finding in found.items() if name != "cairo")


def test_a_missing_optional_library_is_no_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    hide_cairo(monkeypatch)
    assert run(["doctor"]) == 0
    said = capsys.readouterr().out
    assert "-     cairo     " in said
    assert "FAIL" not in said


def test_a_cache_that_cannot_be_written_is_named_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "taken").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "taken"))
    found = {finding.name: finding for finding in doctor.examine(tmp_path)}
    assert not found["cache"].ok
    assert str(tmp_path / "taken") in found["cache"].detail
    assert "cannot write to" in found["cache"].detail
    assert "make this folder writable" in found["cache"].advice


def test_wrong_settings_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "cardgen.yaml").write_text("papr: a4\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert run(["doctor"]) == 1
    said = capsys.readouterr().out
    assert "FAIL  project   cardgen.yaml:1:1: error[CG101]: unknown key 'papr'; did you mean 'paper'?" in said


def test_the_command_ends_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["doctor"]) == 0


def test_the_games_of_a_project_are_named_and_read(tmp_path: Path) -> None:
    game = write_game(tmp_path) / "games" / "ember" / "game.yaml"
    (found,) = (each for each in doctor.examine(tmp_path) if each.name == "games")
    assert found.ok
    assert found.detail.endswith("; of this project: ember")
    game.write_text(game.read_text(encoding="utf-8").replace("integer", "intger"), encoding="utf-8")
    (found,) = (each for each in doctor.examine(tmp_path) if each.name == "games")
    assert not found.ok
    assert "unknown type 'intger'" in found.detail
