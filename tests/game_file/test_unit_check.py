"""Lengths in another unit than that of the game are found, and can be converted."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.project_checks.run import CheckRequest, apply_fixes
from cardgen.runtime.workspace import Workspace
from tests.game_file.games import HEADER, findings, write_game

KINDS = "kinds: {brave: {}}\n"
TEXT = "Moves 2 in. or 30mm, 5 in a row, then 12\N{DOUBLE PRIME} and 4 cm."


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def project(root: Path, header: str) -> Path:
    write_game(root, HEADER + header + KINDS, a=f'kind: brave\nname: Ash\ntext: "{TEXT}"\n')
    (root / "games" / "ember" / "templates" / "brave.svg.j2").unlink()
    return root


def test_foreign_units_are_found(tmp_path: Path) -> None:
    found = findings(project(tmp_path, "unit: cm\n"))
    assert [line.split(" ", 2)[1:] for line in found] == [["EM200", "lengths are in centimeters"]] * 3


def test_foreign_units_are_converted(tmp_path: Path) -> None:
    apply_fixes(CheckRequest(workspace=Workspace(project(tmp_path, "unit: cm\n"))), unsafe=True)
    card = (tmp_path / "cards" / "a.yaml").read_text(encoding="utf-8")
    assert "Moves 5.08 cm or 3 cm, 5 in a row, then 30.5 cm and 4 cm." in card


def test_a_unit_of_its_own_is_not_converted(tmp_path: Path) -> None:
    root = project(tmp_path, "unit: hexes\n")
    assert len(findings(root)) == 4
    apply_fixes(CheckRequest(workspace=Workspace(root)), unsafe=True)
    assert TEXT in (tmp_path / "cards" / "a.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize(("unit", "right"), [("inches", "in"), ("CM", "cm"), ("Millimeters", "mm")])
def test_another_spelling_of_a_unit_is_an_error(tmp_path: Path, unit: str, right: str) -> None:
    """Otherwise, texts in that unit would be reported."""
    (found,) = findings(project(tmp_path, f"unit: {unit}\n"))
    assert found == f"games/ember/game.yaml:4:7 CG033 unknown unit '{unit}'; did you mean '{right}'?"


def test_games_without_a_unit_have_no_such_check(tmp_path: Path) -> None:
    assert findings(project(tmp_path, "")) == []


def test_lengths_beyond_every_table_are_found_without_a_fix(tmp_path: Path) -> None:
    root = project(tmp_path, "unit: cm\n")
    card = root / "cards" / "a.yaml"
    card.write_text(
        card.read_text(encoding="utf-8").replace(TEXT, f"Moves 600 inches or {'9' * 5_000} mm."), encoding="utf-8"
    )
    assert [line.split(" ", 2)[1] for line in findings(root)] == ["EM200"] * 2
