"""`cardgen check` as its users type it: what it prints, what it writes, and how it ends."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from cardgen.cli import run

ROOT = Path(__file__).parents[2]
RIGHT = "kind: relic\nname: Sun Stone\neffects: [{when: turn_start, bearer: {heal: 1}}]\n"
WRONG = RIGHT + "motto: so so\n"
NOTE = RIGHT.replace("name: Sun Stone\n", "name: Sun Stone\nart: art/sun.png\n")


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda name: str(tmp_path / "cache"))
    return folder


def write(project: Path, text: str, name: str = "card.yaml") -> Path:
    path = project / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_the_kit_is_clean_without_an_ignore(capsys: pytest.CaptureFixture[str]) -> None:
    kit = ROOT / "cards" / "warniris"
    assert run(["check", str(kit)]) == 0
    assert capsys.readouterr().out.startswith("clean: ")
    files = sorted(kit.glob("*.yaml"))
    assert files
    assert not any("cardgen: ignore" in file.read_text(encoding="utf-8") for file in files)


def test_clean_ends_with_0(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(project, RIGHT)
    assert run(["check"]) == 0
    assert capsys.readouterr().out.startswith("clean: 1 file, 1 card, ")


def test_findings_end_with_1(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(project, WRONG)
    assert run(["check", "card.yaml"]) == 1
    out = capsys.readouterr().out
    assert "card.yaml:4:8: warning[CG201]" in out
    assert "\n1 warning: 1 file, 1 card, " in out


@pytest.mark.skipif(os.name == "nt", reason="Windows forbids the name")
def test_a_name_of_a_file_is_no_command_to_the_runner(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    path = write(project, WRONG, "::error::x/##[set-env y]card.yaml")
    for _ in range(2):  # the second time from the cache
        for form in ("full", "concise"):
            assert run(["check", "--format", form, str(path)]) == 1
            out = capsys.readouterr().out
            assert out.startswith(r"\x3a:error::x/\x23#[set-env y]card.yaml:4:8: warning")
            assert not [line for line in out.splitlines() if line.startswith("::") or "##[" in line]
        assert run(["check", "--format", "github", str(path)]) == 1
        assert capsys.readouterr().out.startswith("::warning file=%3A%3Aerror%3A%3Ax/##[set-env y]card.yaml,line=4,")


@pytest.mark.parametrize(("level", "code"), [("error", 0), ("warning", 1), ("note", 1)])
def test_the_level_from_which_a_run_fails(project: Path, level: str, code: int) -> None:
    write(project, WRONG)
    assert run(["check", "--fail-level", level]) == code


def test_the_level_of_the_settings(project: Path) -> None:
    write(project, WRONG)
    write(project, "check: {fail_level: error}\n", "cardgen.yaml")
    assert run(["check"]) == 0
    assert run(["check", "--fail-level", "warning"]) == 1


def test_notes_do_not_fail_a_run(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(project, NOTE)
    for picture in ("sun.png", "moon.png"):
        write(project, "", f"art/{picture}")
    assert run(["check"]) == 0
    assert "art/moon.png: note[CG124]" in capsys.readouterr().out
    assert run(["check", "--fail-level", "note"]) == 1


def test_nothing_to_check_fails(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check"]) == 1
    out = capsys.readouterr().out
    assert "error[CG022]" in out
    assert out.endswith("\n1 error: 0 files, 0 cards, 0 checks run\n")


@pytest.mark.parametrize("option", ["--select", "--ignore", "--explain"])
def test_an_unknown_check_is_wrong_usage(project: Path, option: str, capsys: pytest.CaptureFixture[str]) -> None:
    write(project, RIGHT)
    assert run(["check", option, "doubled-wrod"]) == 2
    assert "unknown check 'doubled-wrod'; did you mean 'doubled-word'?" in capsys.readouterr().err


def test_a_fixed_limit_cannot_be_ignored(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(project, RIGHT)
    assert run(["check", "--ignore", "CG101"]) == 2
    assert "'CG101' is a fixed limit and cannot be ignored" in capsys.readouterr().err
    assert run(["check", "--select", "CG101"]) == 0
    write(project, "check: {ignore: [duplicate-key]}\n", "cardgen.yaml")
    assert run(["check"]) == 1
    assert "cardgen.yaml:1:18: error[CG031]: 'duplicate-key' is a fixed limit" in capsys.readouterr().out


def test_an_unknown_format_is_wrong_usage(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(project, RIGHT)
    assert run(["check", "--format", "xml"]) == 2
    assert "unknown format 'xml' (one of full, concise, json, github, sarif, markdown, " in capsys.readouterr().err


def test_an_unknown_check_in_the_settings_has_a_place(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(project, RIGHT)
    write(project, "check: {ignore: [doubled-word, tripled-word]}\n", "cardgen.yaml")
    assert run(["check"]) == 1
    assert "cardgen.yaml:1:32: error[CG031]: unknown check 'tripled-word'" in capsys.readouterr().out


def test_of_many_unknown_checks_in_the_settings_the_first_are_told(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(project, RIGHT)
    write(project, f"check: {{ignore: [{', '.join(f'QX{number}' for number in range(3000))}]}}\n", "cardgen.yaml")
    assert run(["check", "--format", "concise"]) == 1
    out = capsys.readouterr().out
    assert "unknown check 'QX99'" in out
    assert "unknown check 'QX100'" not in out


@pytest.mark.parametrize("word", ["CG201", "cg201", "doubled-word", "CG2", "tab,doubled-word"])
def test_checks_are_named_by_code_by_its_beginning_and_by_name(project: Path, word: str) -> None:
    write(project, WRONG)
    assert run(["check", "--select", word]) == 1
    assert run(["check", "--ignore", word]) == 0


def test_the_settings_can_ignore_a_check(project: Path) -> None:
    write(project, WRONG)
    write(project, "check: {ignore: [doubled-word]}\n", "cardgen.yaml")
    assert run(["check"]) == 0


def test_several_reports_at_once(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(project, WRONG)
    assert run(["check", "--format", "sarif=out/x.sarif", "--format", "json=x.json", "--format", "concise"]) == 1
    assert capsys.readouterr().out.splitlines()[0].endswith("(doubled-word)")
    assert json.loads((project / "x.json").read_text(encoding="utf-8"))["findings"]
    assert json.loads((project / "out/x.sarif").read_text(encoding="utf-8"))["runs"]


def test_what_a_program_reads_stands_alone_on_standard_output(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(project, WRONG)
    assert run(["check", "--format", "json", "--statistics"]) == 1
    captured = capsys.readouterr()
    assert json.loads(captured.out)["cards"] == 1
    assert "1  CG201  doubled-word" in captured.err
    assert "1 warning: 1 file, 1 card" in captured.err


def test_statistics_name_what_was_not_looked_at(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(project, RIGHT)
    write(project, "{}", "old.json")
    assert run(["check", "--statistics"]) == 0
    out = capsys.readouterr().out
    assert "had nothing to check: " in out
    assert "wasted-penetration" in out
    assert "skipped: old.json" in out


def test_a_finding_in_many_places_is_shown_once(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(5):
        write(
            project, WRONG.replace("Sun", f"Sun {number}").replace("heal: 1", f"heal: {number + 1}"), f"{number}.yaml"
        )
    assert run(["check", "--format", "concise", "--statistics"]) == 1
    out = capsys.readouterr().out
    assert out.startswith("0.yaml:4:8: warning[CG201]: repeated word 'so' (doubled-word); also 1.yaml:4:8, 2.yaml:4:8 ")
    assert "    5  CG201  doubled-word\n" in out
    assert "\n1 warning (in 5 places): 5 files, 5 cards, " in out
    assert run(["check", "--format", "concise", "--show-all"]) == 1
    out = capsys.readouterr().out
    assert out.count("repeated word 'so' (doubled-word)\n") == 5
    assert "\n5 warnings: 5 files, 5 cards, " in out
    assert run(["check", "--fix"]) == 0
    assert capsys.readouterr().out.startswith("5 fixed in 0.yaml, 1.yaml, 2.yaml, and 2 other files: ")


def test_fix_mends_and_diff_only_shows(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(project, WRONG)
    assert run(["check", "--diff"]) == 1
    assert "+motto: so\n" in capsys.readouterr().out
    assert path.read_text(encoding="utf-8") == WRONG
    assert run(["check", "--fix"]) == 0
    assert path.read_text(encoding="utf-8") == RIGHT + "motto: so\n"
    assert run(["check", "--diff"]) == 0


def test_only_the_named_files_are_reported_but_the_others_are_known(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(project, RIGHT, "cards/sun.yaml")
    write(project, WRONG.replace("Sun", "Moon"), "cards/moon.yaml")
    assert run(["check", "cards/sun.yaml"]) == 1
    out = capsys.readouterr().out
    assert "cards/sun.yaml:2:7: warning[CG125]: 'Sun Stone' does exactly what 'Moon Stone' does" in out
    assert "CG201" not in out
    assert "1 file, 1 card" in out


def test_nothing_changed_says_the_same_again(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(project, WRONG)
    os.utime(path, (1e9, 1e9))
    said = []
    for _ in range(2):
        assert run(["check", "--format", "concise", "--format", "json=out.json"]) == 1
        said.append((capsys.readouterr().out, (project / "out.json").read_text(encoding="utf-8")))
        (project / "out.json").unlink()
    assert said[0] == said[1]


def test_references_into_a_file_that_cannot_be_read_are_not_called_broken(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(project, "kind: warband\nname: The Few\nminions: [{minion: Watcher}]\n", "cards/few.yaml")
    write(project, "kind: minion\n name: Watcher\n", "cards/watcher.yaml")
    assert run(["check", "--format", "concise"]) == 1
    out = capsys.readouterr().out
    assert "CG005" in out
    assert "CG115" not in out
    (project / "cards/watcher.yaml").unlink()
    assert run(["check", "--format", "concise"]) == 1
    assert "CG115" in capsys.readouterr().out


def test_settings_that_name_nothing_are_findings(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(project, RIGHT)
    write(project, "rulings: {eliminations: vp}\n", "cardgen.yaml")
    assert run(["check", "--format", "concise"]) == 1
    assert "cardgen.yaml:1:25: error[CG031]: unknown ruling 'eliminations' (unknown-name)" in capsys.readouterr().out


def test_wrong_settings_are_reported_in_every_format(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(project, RIGHT)
    write(project, "papr: a4\n", "cardgen.yaml")
    assert run(["check", "--format", "json"]) == 1
    (finding,) = json.loads(capsys.readouterr().out)["findings"]
    assert (finding["file"], finding["line"], finding["code"]) == ("cardgen.yaml", 1, "CG101")
    assert run(["check", "--diff"]) == 1
