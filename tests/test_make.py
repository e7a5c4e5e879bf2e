"""The Makefile without make."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.templates.test_kits import KITS

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT))
import make  # noqa: E402

TEXT = (ROOT / "Makefile").read_text(encoding="utf-8")


@pytest.fixture
def commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands of a run in an empty checkout, without their environments."""
    calls: list[list[str]] = []
    monkeypatch.setattr(make, "ROOT", tmp_path)
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    monkeypatch.delenv("FUZZ_CASES", raising=False)

    def record(words: list[str], environment: dict[str, str]) -> None:
        calls.append([*words, environment.get("FUZZ_CASES", "")])

    monkeypatch.setattr(make, "_run", record)
    return calls


def test_the_kit_is_set_up_once_and_built(commands: list[list[str]]) -> None:
    make.Makefile(TEXT).run("kit")
    assert commands[0][1:] == ["-m", "venv", ".venv", ""]
    assert commands[1][:4] == [".venv/bin/python", "-m", "pip", "install"]
    assert commands[2][:5] == [".venv/bin/cardgen", "new", "project", "output/kit", "--sample"]
    assert [words[:4] for words in commands[3:]] == [
        [".venv/bin/cardgen", "build", each, "--pnp"] for each in ("output/kit", "cards")
    ]
    (make.ROOT / ".venv" / make.SCRIPTS).mkdir(exist_ok=True)
    (make.ROOT / ".venv" / make.SCRIPTS / "python").touch()
    (make.ROOT / ".venv" / "kit").touch()
    commands.clear()
    make.Makefile(TEXT).run("kit")
    assert {words[0] for words in commands} == {".venv/bin/cardgen"}


def test_variables_are_passed_on(commands: list[list[str]], tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    make.Makefile(TEXT, CASES="7", VENV="own").run("fuzz")
    assert commands[-1][0] == "own/bin/pytest"
    assert commands[-1][-1] == "7"


def test_proofs_are_made_of_all_kits(commands: list[list[str]]) -> None:
    make.Makefile(TEXT).run("proofs")
    arguments = commands[-1][1:-1]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *arguments, "-n", "0", "--collect-only", "-q"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.count("::test_every_piece_of_a_kit_is_right_once_it_is_cut[") == len(KITS)


def test_clean_removes_what_it_names(commands: list[list[str]], tmp_path: Path) -> None:
    (tmp_path / "output").mkdir()
    (tmp_path / "output" / "a.pdf").touch()
    (tmp_path / "output" / "a.txt").touch()
    make.Makefile(TEXT).run("clean")
    assert [path.name for path in sorted(tmp_path.rglob("*"))] == ["output", "a.txt", "pyproject.toml"]


def test_every_target_of_the_makefile_is_understood(commands: list[list[str]]) -> None:
    makefile = make.Makefile(TEXT)
    assert {"kit", "test", "lint"} <= {*makefile.targets}
    for target in makefile.targets:
        makefile.run(target)
    assert not [words for words in commands if {*"|&;<>"} & {*"".join(words)} or any("$" in word for word in words)]


def test_an_unknown_target_is_refused() -> None:
    with pytest.raises(SystemExit, match=r"unknown target 'kitt' \(one of kit, "):
        make.main(["kitt"])
