from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from cardgen.runtime import workspace
from cardgen.runtime.fingerprint import PACKAGE
from cardgen.runtime.workspace import Workspace, game_locations, package_folders, program_game_files


def test_games_have_locations_and_are_sorted() -> None:
    assert list(Workspace().game_ids) == sorted({*game_locations(), *program_game_files()})
    assert all(location.endswith(":RULESET") for location in game_locations().values())


def test_discovery_loads_no_game() -> None:
    program = (
        "import sys; from cardgen.runtime.workspace import Workspace; assert Workspace().game_ids;"
        "sys.exit(any(name.startswith('cardgen.rulesets') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_games_have_the_folders_of_their_packages(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert {game: PACKAGE / "rulesets" / game for game in game_locations()} == package_folders()
    (tmp_path / "one" / "two").mkdir(parents=True)
    for package in ("one", "one/two"):
        (tmp_path / package / "__init__.py").touch()
    (tmp_path / "alone.py").touch()
    places = {"a": "one:RULESET", "b": "one.two:X", "c": "one.rules:X", "d": "alone:X", "e": "nowhere:X"}
    monkeypatch.setattr(workspace, "game_locations", lambda: places)
    monkeypatch.syspath_prepend(str(tmp_path))
    assert package_folders() == {"a": tmp_path / "one", "b": tmp_path / "one" / "two", "c": tmp_path / "one"}
