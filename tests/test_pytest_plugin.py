"""The pytest plugin, in processes of its own: only so do they begin as a user's do."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.projects import MINION, Folder

ROOT = Path(__file__).parent.parent
WRONG = MINION.replace("B: 2", "B: 7")
TWICE = MINION.replace("Sentinel", "Second").replace("M: 2", "M: 3") + "motto: The the end.\n"
ERRORS_ONLY = "check: {fail_level: error}\n"
# As in this project's own settings: nothing may warn.
STRICT = "[pytest]\naddopts = --strict-markers --strict-config\nfilterwarnings = error\n"


def run(folder: Path, *arguments: str, plugins: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    loaded = [part for plugin in ("cardgen.pytest_plugin", *plugins) for part in ("-p", plugin)]
    return subprocess.run(
        [sys.executable, "-m", "pytest", *loaded, "-p", "no:cacheprovider", *arguments],
        cwd=folder, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "COLUMNS": "80"},
    )  # fmt: skip


@pytest.fixture
def project(folder: Folder) -> Folder:
    """A right card, a wrong one, and one with a warning; and a test."""
    folder.write("pytest.ini", STRICT)
    folder.write("test_own.py", "def test_own(): pass\n")
    folder.write("cards/right.yaml", MINION)
    folder.write("cards/twice.yaml", TWICE)
    folder.write("cards/wrong.yaml", WRONG.replace("Sentinel", "Third"))
    return folder


def outcomes(text: str) -> dict[str, str]:
    return dict(re.findall(r"^(\S+) (PASSED|FAILED)", text, re.MULTILINE))


def test_every_card_file_is_a_test(project: Folder) -> None:
    done = run(project.root, "--cardgen", "cards", "-v")
    assert outcomes(done.stdout) == {
        "test_own.py::test_own": "PASSED",
        "cards/right.yaml::cardgen": "PASSED",
        "cards/twice.yaml::cardgen": "FAILED",
        "cards/wrong.yaml::cardgen": "FAILED",
    }
    assert done.returncode == pytest.ExitCode.TESTS_FAILED
    failure = done.stdout.partition("_ cards/wrong.yaml _")[2].partition("=====")[0]
    assert "cards/wrong.yaml:3:18: error[WN101]" in failure
    assert "^" in failure
    assert "  help: " in failure
    assert "twice.yaml" not in failure


def test_folders_that_pytest_leaves_out_are_entered_for_their_cards(project: Folder) -> None:
    project.write("build/fourth.yaml", MINION.replace("Sentinel", "Fourth").replace("M: 2", "M: 4"))
    project.write("dist/test_other.py", "def test_other(): pass\n")
    done = run(project.root, "--cardgen", "build", "-v")
    assert outcomes(done.stdout) == {"test_own.py::test_own": "PASSED", "build/fourth.yaml::cardgen": "PASSED"}


def test_every_table_is_a_test(project: Folder) -> None:
    project.write("data/right.csv", 'name,stats\nFourth,"{M: 2, B: 3, S: 4, W: 1, Mo: 10}"\n')
    project.write("data/wrong.csv", 'name,stats\nFifth,"{M: 2, B: 9, S: 2, W: 1, Mo: 10}"\n')
    project.write("cardgen.yaml", "tables: {data/right.csv: {kind: minion}, data/wrong.csv: {kind: minion}}\n")
    done = run(project.root, "--cardgen", "data", "-v")
    assert outcomes(done.stdout) == {
        "test_own.py::test_own": "PASSED",
        "cardgen.yaml::cardgen": "PASSED",
        "data/right.csv::cardgen": "PASSED",
        "data/wrong.csv::cardgen": "FAILED",
    }


def test_the_settings_say_what_fails(project: Folder) -> None:
    project.write("cardgen.yaml", ERRORS_ONLY)
    done = run(project.root, "--cardgen", "cards", "-v")
    assert outcomes(done.stdout)["cards/twice.yaml::cardgen"] == "PASSED"
    assert outcomes(done.stdout)["cardgen.yaml::cardgen"] == "PASSED"
    assert "cards/twice.yaml:4:8: warning[CG201]" in done.stdout.partition("findings below the fail level")[2]
    assert "CG201" not in run(project.root, "--cardgen", "cards").stdout
    project.write("cardgen.yaml", "check: {ignore: [CG201]}\n")
    done = run(project.root, "--cardgen", "cards", "-v")
    assert outcomes(done.stdout)["cards/twice.yaml::cardgen"] == "PASSED"
    assert "CG201" not in done.stdout


def test_nothing_happens_without_the_option(project: Folder) -> None:
    project.write(
        "test_own.py",
        "import sys\n\n\ndef test_own() -> None:\n"
        "    loaded = {name for name in sys.modules if name.partition('.')[0] in ('cardgen', 'pydantic', 'yaml')}\n"
        "    assert loaded == {'cardgen', 'cardgen.pytest_plugin'}\n",
    )
    done = run(project.root)
    assert "1 passed" in done.stdout, done.stdout


def test_wrong_settings_fail_every_test(project: Folder) -> None:
    project.write("cardgen.yaml", "paper: papyrus\n")
    done = run(project.root, "--cardgen", "cards", "-v")
    assert [*outcomes(done.stdout).values()].count("FAILED") == 4
    assert done.stdout.count("cardgen.yaml:1:8: error") >= 4


def test_a_wrong_path_is_wrong_usage(project: Folder) -> None:
    done = run(project.root, "--cardgen", "crads")
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "crads: error[CG020]: no such file or folder" in done.stderr


@pytest.mark.parametrize("arguments", [("cards/right.yaml",), ("cards/right.yaml::cardgen",), ("-k", "right")])
def test_one_file_can_be_chosen(arguments: tuple[str, ...], project: Folder) -> None:
    done = run(project.root, "--cardgen", "cards", *arguments, "-v")
    assert outcomes(done.stdout) == {"cards/right.yaml::cardgen": "PASSED"}


def test_paths_add_up_and_a_file_comes_once(project: Folder) -> None:
    project.write("drafts/draft.yaml", MINION.replace("Sentinel", "Draft").replace("S: 2", "S: 4"))
    done = run(project.root, "--cardgen", "drafts", "--cardgen", "cards/right.yaml", "--cardgen", "cards", "-v", ".")
    assert len(outcomes(done.stdout)) == 5
    assert "collected 5 items" in done.stdout


def test_it_works_from_any_folder(project: Folder, tmp_path: Path) -> None:
    project.write("cardgen.yaml", ERRORS_ONLY)
    done = run(project.root / "cards", "--cardgen", ".", "-v")
    assert [*outcomes(done.stdout).values()].count("PASSED") == 3
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    done = run(elsewhere, "--cardgen", str(project.root / "cards"), "-v")
    assert "3 passed" in done.stdout


def test_fit_is_checked_if_it_is_wanted(project: Folder) -> None:
    project.plain()
    project.write("cards/right.yaml", MINION + f"text: {'Long words. ' * 300}\n")
    only = ("--cardgen", "cards", "-v", "-k", "right")
    assert "PASSED" in run(project.root, *only).stdout
    assert "FAILED" in run(project.root, *only, "--cardgen-fit").stdout


def test_a_finding_outside_of_the_cards_is_not_lost(project: Folder) -> None:
    project.write("art/unused.png", b"")
    (project.root / "cards/wrong.yaml").unlink()  # it could use the picture
    done = run(project.root, "--cardgen", "cards", "-v", "-k", "right")
    assert "art/unused.png: note" in done.stdout.partition("findings below the fail level")[2]
    project.write("cardgen.yaml", "check: {fail_level: note}\n")
    done = run(project.root, "--cardgen", "cards", "-v")
    assert outcomes(done.stdout)["cards/right.yaml::cardgen"] == "PASSED"
    assert outcomes(done.stdout)["cardgen.yaml::cardgen"] == "FAILED"
    assert "art/unused.png: note" in done.stdout


def test_it_works_with_plugins_that_look_at_the_arguments_of_all_tests(project: Folder) -> None:
    """That of pytest-lsp 1.0, which the tools of a developer contain, passes over tests without arguments."""
    project.write("pytest.ini", "[pytest]\n")  # These plugins warn.
    done = run(project.root, "--cardgen", "cards/right.yaml", "-v", plugins=("pytest_asyncio.plugin", "pytest_lsp"))
    assert outcomes(done.stdout) == {"test_own.py::test_own": "PASSED", "cards/right.yaml::cardgen": "PASSED"}


def test_it_works_with_xdist(project: Folder) -> None:
    pytest.importorskip("xdist")
    project.write("cardgen.yaml", ERRORS_ONLY)
    done = run(project.root, "--cardgen", "cards", "-n", "2", "-v", plugins=("xdist",))
    assert "1 failed, 4 passed" in done.stdout, done.stdout
    assert "cards/twice.yaml:4:8: warning[CG201]" in done.stdout.partition("findings below the fail level")[2]
