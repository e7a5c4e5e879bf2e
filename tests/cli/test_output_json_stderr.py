"""Problems that are alike are shown once, whichever command finds them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.commands import Program
from tests.projects import Folder

COMMANDS = (
    "build", "build --format png", "export tts", "reference", "release v1", "diff v0", "balance", "list",
    "show Ash", "fix --structure", "attack Ash Ember", "duel Ash Ember", "explain Ash", "check",
)  # fmt: skip


@pytest.fixture
def bad_cards(folder: Folder) -> Folder:
    """Return a project in which 500 cards have the same wrong value."""
    stats = "stats: {M: 99, B: 2, S: 2, W: 1, Mo: 10}"
    cards = "".join(f"  - {{name: Ash {number}, {stats}}}\n" for number in range(500))
    folder.write("cards/a.yaml", f"kind: minion\ncards:\n{cards}")
    folder.write("releases/v0.yaml", "format: 1\ncards:\ndate: 2026-05-31\n")
    return folder


@pytest.mark.share(3)
@pytest.mark.parametrize("command", COMMANDS)
def test_the_same_problem_of_many_cards_is_shown_once(bad_cards: Folder, cardgen: Program, command: str) -> None:
    outcome = cardgen(*command.split())
    said = outcome.out + outcome.err
    assert outcome.code == 1
    assert said.count("must be between 1 and 5, not 99") == 1
    assert "cards/a.yaml:3:30: error[WN101]" in said
    assert "and 497 more places" in said
    assert "(in 500 places)" in said
    assert len(said) < 2000


def test_a_program_gets_all_of_them(bad_cards: Folder, cardgen: Program) -> None:
    assert "497 more places (--json lists them)" in cardgen("build").err
    assert len(json.loads(cardgen("build", "--json").out)["errors"]) == 500


def test_problems_of_many_pictures_are_shown_once(folder: Folder, cardgen: Program) -> None:
    folder.plain().minions(*(f"Ash{number}" for number in range(6)))
    cardgen("build", "--format", "png", "--dpi", "72", "--keep-bleed", "-q")
    outcome = cardgen("preflight", "output/warniris-minion", "--service", "mpc")
    found = [line for line in outcome.out.splitlines() if "error[" in line or "warning[" in line]
    listed = json.loads(cardgen("preflight", "output/warniris-minion", "--service", "mpc", "--json").out)["findings"]
    assert 0 < len(found) < len(listed) / 2
    assert any("more places (--json lists them)" in line for line in found)
    assert Path("output/warniris-minion").is_dir()
