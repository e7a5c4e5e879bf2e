from __future__ import annotations

import re
from pathlib import Path

import pytest

from cardgen.cli import run

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


GUARD = """\
game: warniris
kind: minion
name: Toll Guard
motto: Two coins, or two teeth.
stats: {M: 2, B: 7, S: 2, W: 1, Mo: 10}
weapons:
  - Halberd: CW R2 P1 D2
"""


def test_it_begins_with_the_two_commands() -> None:
    first = blocks("sh")[0].splitlines()
    assert [line.split("#")[0].strip() for line in first] == ["make kit", "make test"]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.search(r"^kit:", makefile, re.MULTILINE)
    assert re.search(r"^test:", makefile, re.MULTILINE)


def test_the_card_builds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (card,) = blocks("yaml")
    (tmp_path / "card.yaml").write_text(card, encoding="utf-8")
    assert run(["build"]) == 0
    assert len(list((tmp_path / "output").glob("*.pdf"))) == 1


def test_the_message_is_what_the_program_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "guard.yaml").write_text(GUARD, encoding="utf-8")
    assert run(["build"]) == 1
    said = capsys.readouterr().err
    assert said.strip() == next(text for text in blocks("text") if "error" in text).strip()


def test_files_that_it_names_exist() -> None:
    links = re.findall(r"\]\(((?!http)[^)#]+)\)", PAGE)
    assert len(links) > 3
    for link in links:
        assert (ROOT / link).exists(), link
