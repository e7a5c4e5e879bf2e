"""The studio in a real browser; skipped, with the reason, if something that this needs is not installed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
CHARACTER = """\
format: 1
game: warniris
kind: character
name: Scout {number}
tags: [{tag}]  # a comment
stats: {{M: 3, B: 4, S: 4, W: 5, Mo: 11}}
weapons:
  - Lantern Mace: CW R1 P1 D2
abilities:
  - name: Lamp
    text: Friends within 8 cm have +1 Spirit.
"""


class RunningStudio(NamedTuple):
    """A studio, its project, the URL that it printed, and the number of its process."""

    url: str
    project: Path
    process: int = 0

    @property
    def origin(self) -> str:
        """The URL without path and token."""
        return self.url.split("/?")[0]

    def address(self, file: str) -> str:
        """The URL of the editor of a file."""
        return f"{self.origin}/edit?file={file}"


def write_project(folder: Path, cards: int) -> Path:
    """Write a project of Characters, one per file."""
    (folder / "cards").mkdir(parents=True)
    (folder / "cardgen.yaml").write_text("game: warniris\n", encoding="utf-8")
    for number in range(cards):
        text = CHARACTER.format(number=number, tag="even" if number % 2 == 0 else "odd")
        (folder / "cards" / f"scout-{number}.yaml").write_text(text, encoding="utf-8")
    return folder


@contextmanager
def running_studio(project: Path) -> Iterator[RunningStudio]:
    """Run the studio in the block; whatever is done in it, it must not print where an error comes from."""
    pytest.importorskip("nicegui", reason="the studio's extra is not installed")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "cardgen", "studio", str(project), "--no-browser"]
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8") as errors,
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=errors, text=True, env=environment, cwd=project
        ) as process,
    ):
        assert process.stdout
        try:
            yield RunningStudio(process.stdout.readline().strip(), project, process.pid)
        finally:
            process.terminate()
            process.wait()
            errors.seek(0)
            printed = errors.read()
            assert not re.search(r"Traceback|Stack \(most recent", printed), printed


def launch(driver: Any) -> Any:
    """Start the Chromium of the system, or else Playwright's own."""
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    return driver.chromium.launch(executable_path=path, args=["--no-sandbox"])


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    with playwright.sync_playwright() as driver:
        try:
            started = launch(driver)
        except playwright.Error as error:
            pytest.skip(f"no Chromium can be started: {str(error).splitlines()[0]}")
        yield started
        started.close()


@pytest.fixture(scope="module")
def studio(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningStudio]:
    with running_studio(write_project(tmp_path_factory.mktemp("studio") / "scouts", 6)) as started:
        yield started


@pytest.fixture
def page(browser: Any, studio: RunningStudio) -> Iterator[Any]:
    """A window of a new browser profile that knows the studio's token; errors of its scripts fail the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    window = context.new_page()
    window.set_default_timeout(30_000)
    errors: list[str] = []
    window.on("pageerror", lambda error: errors.append(str(error)))
    window.on("console", lambda message: errors.append(message.text) if "Content Security" in message.text else None)
    window.goto(studio.url)
    window.wait_for_selector(".cards-grid img")
    yield window
    context.close()
    assert errors == []
