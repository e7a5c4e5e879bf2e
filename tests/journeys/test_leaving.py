"""Pages that are left while they load or work; the studio prints nothing about them, which its fixture checks."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import pytest

from tests.journeys.conftest import RunningStudio, running_studio, write_project

PAGES = (
    "/",
    "/edit?file=cards/scout-0.yaml",
    "/edit?file=cards/missing.txt",
    "/rules",
    "/print",
    "/print?part=export",
    "/print?part=calibrate",
    "/template",
    "/template?file=cardgen.yaml&line=1",
    "/new",
    "/play",
)
# Milliseconds after which a page is left.
MOMENTS = (0, 10, 40, 100, 250, 600, 1200)
# What to begin on a page before it is left, by the names of the buttons.
WORK = {
    "/print": "Build",
    "/print?part=calibrate": "Write the sheet",
    "/rules": "Roll once",
    "/play": "Begin",
    "/template": "Add to the project",
    "/new": "Create",
}
# Seconds in which a page that is closed can come back, and some more.
GONE_AFTER = 33


@pytest.fixture
def windows(browser: Any, tmp_path: Path) -> Iterator[tuple[Any, RunningStudio]]:
    """Windows that know the studio's token, and the studio."""
    with running_studio(write_project(tmp_path / "scouts", 8)) as studio:
        context = browser.new_context()
        context.set_default_timeout(30_000)
        context.new_page().goto(studio.url)
        yield context, studio
        context.close()


def test_pages_are_left_at_once(windows: tuple[Any, RunningStudio]) -> None:
    context, studio = windows
    page = context.new_page()
    for number, path in enumerate(islice(cycle(PAGES), 55)):
        with suppress(Exception):  # the browser may say that the next page came before this one
            page.goto(studio.origin + path, wait_until="commit")
            page.wait_for_timeout(MOMENTS[number % len(MOMENTS)])
        match number % 3:
            case 0:
                page.close()
                page = context.new_page()
            case 1:
                with suppress(Exception):
                    page.goto("about:blank")
    page.goto(studio.origin)
    page.wait_for_selector(".cards-grid img")
    assert page.locator(".card-name").all_inner_texts() == [f"Scout {number}" for number in range(8)]


def _children(process: int) -> list[int]:
    tasks = Path(f"/proc/{process}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text(encoding="ascii").split()]


@contextmanager
def _no_answers(studio: RunningStudio) -> Iterator[None]:
    """Let the engines of a studio stand still in the block."""
    engines = _children(studio.process)
    for each in engines:
        os.kill(each, signal.SIGSTOP)
    yield
    for each in engines:
        with suppress(ProcessLookupError):
            os.kill(each, signal.SIGCONT)


@pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")
def test_work_ends_after_its_page_was_closed(windows: tuple[Any, RunningStudio]) -> None:
    context, studio = windows
    pages = []
    for path, button in WORK.items():
        page = context.new_page()
        page.goto(studio.origin + path)
        page.get_by_role("button", name=button).first.wait_for()
        pages.append((page, button))
    with _no_answers(studio):
        for page, button in pages:
            page.get_by_role("button", name=button).first.click()
            page.wait_for_timeout(100)
            page.close()
        context.pages[0].wait_for_timeout(GONE_AFTER * 1000)
    page = context.new_page()
    page.goto(f"{studio.origin}/print?part=calibrate")
    page.get_by_role("button", name="Write the sheet").wait_for()
    assert list((studio.project / "output").glob("calibration*.pdf"))
