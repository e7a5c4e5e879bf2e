from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.cli import run

SHEET = "title: House rules\nsections:\n  - section: Turns\n    content: [We play <fact turns> turns.]\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sheets").mkdir()
    (tmp_path / "sheets" / "house.yaml").write_text(SHEET, encoding="utf-8")
    return tmp_path


def test_it_names_the_files_and_says_how_long_it_took(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["reference", "house", "--format", "pdf,html", "-o", "out"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["out/warniris-house-a4.pdf", "out/warniris-house.html"]
    assert lines[2].startswith("2 files, 1 page in ")
    assert sorted(path.name for path in (project / "out").iterdir()) == ["warniris-house-a4.pdf", "warniris-house.html"]


def test_quiet_says_nothing(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["reference", "house", "-q"]) == 0
    assert capsys.readouterr().out == ""


def test_paper_columns_and_theme(project: Path) -> None:
    assert run(["reference", "house", "--paper", "letter", "--columns", "3", "--theme", "low-ink"]) == 0
    assert (project / "output" / "warniris-house-letter.pdf").is_file()


def test_it_lists_the_sheets(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["reference", "--list"]) == 0
    out = capsys.readouterr().out
    assert "rules-summary    Rules summary: the whole game on two sides\n" in out
    assert "house            House rules\n" in out
    assert not (project / "output").exists()


def test_a_warbands_sheets(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["reference", "--warband", "the drowned court"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "output/warniris-warband-the-drowned-court-a4.pdf"


def test_what_is_wrong_is_told_and_nothing_is_written(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "sheets" / "house.yaml").write_text(SHEET.replace("turns>", "truns>"), encoding="utf-8")
    assert run(["reference", "house"]) == 1
    err = capsys.readouterr().err
    assert "sheets/house.yaml:4:23: error[CG604]: unknown fact 'truns'; did you mean 'turns'?" in err
    assert "<fact truns>" in err
    assert err.endswith("1 problem; nothing was written\n")
    assert not (project / "output").exists()


def test_a_file_that_was_there_stays_as_it_was(project: Path) -> None:
    assert run(["reference", "house"]) == 0
    before = (project / "output" / "warniris-house-a4.pdf").read_bytes()
    (project / "sheets" / "house.yaml").write_text(SHEET.replace("content", "contnet"), encoding="utf-8")
    assert run(["reference", "house"]) == 1
    assert (project / "output" / "warniris-house-a4.pdf").read_bytes() == before


def test_a_sheet_that_is_a_link_out_of_the_project(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outside = project.parent / "outside.txt"
    outside.write_text(SHEET, encoding="utf-8")
    (project / "sheets" / "linked.yaml").symlink_to(outside)
    assert run(["reference", "linked"]) == 1
    assert "sheets/linked.yaml: error[CG023]: the link points outside the project" in capsys.readouterr().err


def test_sheets_are_no_cards(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "guard.yaml").write_text(
        "kind: minion\nname: Guard\nstats: {M: 2, B: 3, S: 2, W: 1, Mo: 10}\n", encoding="utf-8"
    )
    assert run(["list"]) == 0
    assert "house" not in capsys.readouterr().out
