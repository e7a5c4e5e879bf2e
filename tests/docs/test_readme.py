from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from cardgen.cli import commands, run

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def written_in_the_shell() -> str:
    (text,) = re.findall(r"<<'YAML'\n(.*?)^YAML", PAGE, re.MULTILINE | re.DOTALL)
    return str(text)


def test_it_begins_with_the_two_commands() -> None:
    first = blocks("sh")[0].splitlines()
    assert [line.split("#")[0].strip() for line in first] == ["make kit", "make test"]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.search(r"^kit:", makefile, re.MULTILINE)
    assert re.search(r"^test:", makefile, re.MULTILINE)


@pytest.mark.parametrize("text", [*blocks("yaml"), written_in_the_shell()], ids=["relic", "guard"])
def test_the_cards_build(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "card.yaml").write_text(text, encoding="utf-8")
    assert run(["build"]) == 0
    assert len(list((tmp_path / "output").glob("*.pdf"))) == 1


def test_the_messages_are_what_the_program_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    broken = written_in_the_shell().replace("B: 3", "B: 7").replace("Halberd: CW", "Halberd: RV")
    (tmp_path / "guard.yaml").write_text(broken, encoding="utf-8")
    assert run(["build"]) == 1
    said = capsys.readouterr().err
    assert said.strip() == next(text for text in blocks("text") if "error" in text).strip()


def test_files_that_it_names_exist() -> None:
    links = re.findall(r"\]\(((?!http)[^)#]+)\)", PAGE)
    assert len(links) > 3
    for link in links:
        assert (ROOT / link).exists(), link


def test_its_commands_and_options_exist() -> None:
    context = click.Context(commands)
    rows = re.findall(r"^\| `cardgen (\w+).*$", PAGE, re.MULTILINE)
    assert len(rows) > 8
    for row in re.findall(r"^\| `cardgen .*$", PAGE, re.MULTILINE):
        name = re.findall(r"`cardgen (\w+)", row)[0]
        command = commands.get_command(context, name)
        assert command is not None, name
        known = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
        assert set(re.findall(r"--[a-z-]+", row)) <= known, row
