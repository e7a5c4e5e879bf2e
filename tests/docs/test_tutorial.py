"""The tutorial: every file is written, every command runs, and prints what the page shows."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pypdfium2
import pytest

from tests.cli.commands import Program

PAGE = (Path(__file__).parents[2] / "docs" / "tutorial.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
STEPS = [match.groups() for match in BLOCK.finditer(PAGE)]


CARD = Path("cards/toll-guard.yaml")


@pytest.fixture
def cardgen(capsys: pytest.CaptureFixture[str]) -> Program:
    return Program(capsys)


def commands(text: str) -> list[tuple[str, str]]:
    """Each command of a console, with its output."""
    return [(part.partition("\n")[0], part.partition("\n")[2]) for part in text.split("$ ")[1:]]


def pattern(output: str) -> str:
    return re.escape(output.strip()).replace(r"\.\.\.", "(?s:.*)")


def test_every_step_does_what_the_page_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cardgen: Program) -> None:
    monkeypatch.chdir(tmp_path)
    run = 0
    for language, name, text in STEPS:
        if language == "yaml" and not name:  # another form of the last weapon
            CARD.write_text(CARD.read_text(encoding="utf-8").partition("  - name: Halberd")[0] + text, encoding="utf-8")
            continue
        if language == "yaml":
            path = Path(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            continue
        assert language == "console"
        for line, expected in commands(text):
            program, *arguments = shlex.split(line)
            if program == "cd":
                monkeypatch.chdir(*arguments)
                continue
            assert program == "cardgen"
            outcome = cardgen(*arguments, *(["--no-open"] if arguments[0] == "show" else []))
            told = (outcome.out + outcome.err).replace("\N{NO-BREAK SPACE}", " ").strip()
            assert re.fullmatch(pattern(expected), told), line
            assert outcome.code == ("error[" in expected)
            if outcome.code:
                CARD.write_text(CARD.read_text(encoding="utf-8").replace("movment", "movement"), encoding="utf-8")
            run += 1
    assert run == 8
    pages = pypdfium2.PdfDocument(Path("output/warniris-minion-a4.pdf"))
    assert len(pages) == 2
    assert pages[0].get_textpage().get_text_range().casefold().count("toll guard") == 9


def test_the_theme_changes_the_card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cardgen: Program) -> None:
    monkeypatch.chdir(tmp_path)
    (card,) = (text.replace("movment", "movement") for language, name, text in STEPS if name == CARD.as_posix())
    (theme,) = (text for language, name, text in STEPS if name == "templates/warniris/theme.yaml")
    pictures = []
    for content in ("colours: {}\n", theme):
        for name, text in (("cards/toll-guard.yaml", card), ("templates/warniris/theme.yaml", content)):
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            Path(name).write_text(text, encoding="utf-8")
        assert cardgen("show", "Toll Guard", "--no-open").code == 0
        pictures.append(Path("output/toll-guard-front.png").read_bytes())
    assert pictures[0] != pictures[1]


def test_the_commands_in_its_sentences_exist(cardgen: Program) -> None:
    named = {" ".join(command.split()) for command in re.findall(r"`(cardgen [^`]+)`", PAGE)}
    assert len(named) == 6
    for command in named:
        assert cardgen(*shlex.split(command)[1:2], "--help").code == 0
