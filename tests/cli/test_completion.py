"""Completion of names in shells."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.commands import Outcome, Program, process
from tests.projects import Folder

Completions = Callable[[str], list[str]]

CARDS = """\
format: 1
kind: minion
cards:
  - name: "Anna Ash"
    weapons: [{name: Rifle}]
    abilities:
      - name: Not A Card
  - {name: Bert, stats: 5}
  - name: Carl
    id: the-third  # not 'carl'
"""


def asked(line: str) -> dict[str, str]:
    """Return the variables in which bash asks what it may offer for the last word of a line."""
    return {"_CARDGEN_COMPLETE": "bash_complete", "COMP_WORDS": line, "COMP_CWORD": str(line.count(" "))}


def offers(outcome: Outcome) -> list[str]:
    assert (outcome.code, outcome.err) == (0, "")
    return [row.partition(",")[2] for row in outcome.out.splitlines() if row]


@pytest.fixture
def completions(cardgen: Program, monkeypatch: pytest.MonkeyPatch) -> Completions:
    """Return a function that returns what bash would offer for the last word of a line."""

    def complete(line: str) -> list[str]:
        with monkeypatch.context() as patch:
            for name, value in asked(line).items():
                patch.setenv(name, value)
            return offers(cardgen())

    return complete


@pytest.fixture
def project(folder: Folder) -> Folder:
    folder.write("cardgen.yaml", "game: warniris\n")
    folder.write("cards/minions.yaml", CARDS)
    folder.write("cards/relic.yaml", "kind: relic\nname: Åsa's  Bell\nabilities: [{name: Toll}]\n")
    folder.write("cards/broken.yaml", "kind: [\nname: Broken\n")
    folder.write("sprues/mine.yaml", "")
    folder.write("sheets/house.yaml", "")
    folder.write("templates/warniris/theme.neon.yaml", "")
    return folder


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("cardgen bu", ["build"]),
        ("cardgen build --spr", ["--sprue"]),
        ("cardgen show ", ["anna-ash", "asa-s-bell", "bert", "broken", "the-third"]),
        ("cardgen show AN", ["anna-ash"]),
        ("cardgen list --only min", ["minion"]),
        ("cardgen attack anna-ash b", ["bert", "broken"]),
        ("cardgen attack a b --relic as", ["asa-s-bell"]),
        ("cardgen build --paper le", ["letter", "legal"]),
        ("cardgen build --theme ", ["default", "low-ink", "neon"]),
        ("cardgen build --sprue mi", ["mine"]),
        ("cardgen build --layout p", ["packed"]),
        ("cardgen build --printer n", ["none"]),
        ("cardgen new mis", ["mission"]),
        ("cardgen new pro", ["project"]),
        ("cardgen reference ho", ["house"]),
        ("cardgen rulings --game warn", ["warniris"]),
        ("cardgen check --ignore tab,doubled", ["tab,doubled-word"]),
        ("cardgen check --explain unusual", ["unusual-damage", "unusual-endurance"]),
        ("cardgen duel --ruling clamp-order=o", ["clamp-order=once"]),
        ("cardgen trial te", ["test"]),
        ("cardgen completion z", ["zsh"]),
    ],
)
def test_names_are_completed(project: Folder, completions: Completions, line: str, expected: list[str]) -> None:
    assert completions(line) == expected


def test_the_program_answers_a_shell_like_that(project: Folder) -> None:
    assert offers(process(**asked("cardgen attack anna-ash b"))) == ["bert", "broken"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with names")
def test_pipes_and_links_among_the_cards_are_left_alone(
    project: Folder, completions: Completions, tmp_path: Path
) -> None:
    os.mkfifo(project.root / "cards/pipe.yaml")
    outside = tmp_path / "outside.yaml"
    outside.write_text("kind: minion\nname: Xavier\n", encoding="utf-8")
    (project.root / "cards/link.yaml").symlink_to(outside)
    assert completions("cardgen show x") == []


@pytest.mark.skipif(os.name != "posix", reason="needs links")
@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("cards", "cardgen show x"),
        ("sprues", "cardgen build --sprue x"),
        ("sheets", "cardgen reference x"),
        ("templates", "cardgen build --theme x"),
        ("games/warniris", "cardgen build --theme x"),
    ],
)
def test_a_folder_that_is_a_link_out_of_the_project_offers_nothing(
    folder: Folder, completions: Completions, tmp_path: Path, name: str, line: str
) -> None:
    folder.write("cardgen.yaml", "game: warniris\n")
    outside = tmp_path / "outside"
    for file in ("xavier.yaml", "warniris/theme.xavier.yaml", "templates/theme.xavier.yaml"):
        (outside / file).parent.mkdir(parents=True, exist_ok=True)
        (outside / file).write_text("kind: minion\nname: Xavier\n", encoding="utf-8")
    link = folder.root / name
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(outside)
    assert completions(line) == []


UNSAFE = (
    "$(id)",
    "`id`",
    "a;id",
    "a&id",
    "a|id",
    "--output",
    "a b'; id; '",
    "a'",
    "<x",
    "@(id)",
    "{id}",
    "a\\",
    "!x",
    "*",
)


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such names of files")
@pytest.mark.parametrize("name", UNSAFE)
def test_nothing_is_offered_that_a_shell_would_run(project: Folder, completions: Completions, name: str) -> None:
    """Bash and PowerShell put what they complete into the line as it is."""
    project.write("cards/stranger.yaml", f"kind: minion\nname: Zoe\nid: {name}\n")
    project.write(f"templates/warniris/theme.{name}.yaml", "")
    project.write(f"sprues/{name}.yaml", "")
    project.write(f"sheets/{name}.yaml", "")
    for line in ("cardgen show ", "cardgen build --theme ", "cardgen build --sprue ", "cardgen reference "):
        offered = completions(line)
        assert offered
        assert name not in offered


def test_without_cards_the_built_in_ones_are_offered(folder: Folder, completions: Completions) -> None:
    assert completions("cardgen show sent") == ["sentinel"]


def test_a_broken_project_completes_nothing_and_says_nothing(folder: Folder, completions: Completions) -> None:
    folder.write("cardgen.yaml", "game: chess\n")
    assert completions("cardgen new ") == ["project", "game", "template"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_each_shell_has_a_script(folder: Folder, cardgen: Program, shell: str) -> None:
    outcome = cardgen("completion", shell)
    assert outcome.code == 0
    assert "_CARDGEN_COMPLETE" in outcome.out
    assert "cardgen" in outcome.out
    checker = shutil.which(shell)
    if checker and shell != "powershell":
        script = Path("script")
        script.write_text(outcome.out, encoding="utf-8")
        assert subprocess.run([checker, "-n", str(script)], check=False).returncode == 0


def test_no_service_is_offered_that_ends_in_an_option(folder: Folder, completions: Completions) -> None:
    folder.write("cardgen.yaml", "game: warniris\n")
    for name in ("plain", "web --upload", "zz -o x.yaml"):
        folder.write(f"services/{name}.yaml", "target: web\n")
    offered = completions("cardgen export ")
    assert "plain" in offered
    assert not [each for each in offered if " " in each]
