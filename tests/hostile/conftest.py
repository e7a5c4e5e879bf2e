from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.cli.commands import Program
from tests.projects import MINION, Folder

EARLIER = b"%PDF- the last good file"
OUTPUT = "warniris-minion-a4.pdf"


@dataclass(frozen=True, slots=True)
class Attack:
    """A hostile project with files of an earlier build, and its build."""

    folder: Folder
    cardgen: Program

    def fails(self, message: str, *arguments: str) -> str:
        """Assert that the build fails at a place; return the output.

        The exit code must be 1, the message must match a pattern, and all files must be unchanged.
        """
        before = {path: path.read_bytes() for path in self.folder.root.rglob("*") if path.is_file()}
        outcome = self.cardgen("build", *arguments)
        assert outcome.code == 1, outcome
        assert outcome.out == ""
        assert "Traceback" not in outcome.err
        assert re.search(message, outcome.err), outcome.err
        assert outcome.err.endswith("; nothing was written\n")
        assert {path: path.read_bytes() for path in self.folder.root.rglob("*") if path.is_file()} == before
        return outcome.err

    def card(self, more: str = "") -> Attack:
        """Add a card with these additional lines."""
        self.folder.write("cards/a.yaml", MINION + more)
        return self

    def front(self, body: str) -> Attack:
        """Add a template with this content, which starts in line 2."""
        root = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">'
        self.folder.write("templates/warniris/minion.svg.j2", f"{root}\n{body}\n</svg>")
        return self.card()


# The CPU time for templates, texts, and artwork, inside a process and of one.
TIME_LIMITS = (
    "face.template.engine.TIME_LIMIT", "face.renderer._SECONDS", "face.renderer.TIME_LIMIT",
    "face.face.TIME_LIMIT", "export.pdf.cairo.TIME_LIMIT", "export.pdf.translator.TIME_LIMIT",
)  # fmt: skip


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the limits on size answer, not the clock, however slow the machine is; tests of the clock set their own."""
    for name in TIME_LIMITS:
        monkeypatch.setattr(f"cardgen.{name}", 60.0)


@pytest.fixture
def attack(folder: Folder, capsys: pytest.CaptureFixture[str]) -> Attack:
    folder.plain().write(f"output/{OUTPUT}", EARLIER)
    return Attack(folder, Program(capsys))


@pytest.fixture
def outside(folder: Folder) -> Path:
    """Return a folder outside the project, with files of each type.

    It has a picture, a template, an icon, and a card.
    """
    place = folder.root.parent / "outside"
    place.mkdir()
    icon = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>'
    (place / "secret.svg").write_text(icon, encoding="utf-8")
    (place / "secret.svg.j2").write_text("<svg>secret</svg>", encoding="utf-8")
    (place / "secret.yaml").write_text(MINION, encoding="utf-8")
    (place / "secret.png").write_bytes(b"\x89PNG")
    return place
