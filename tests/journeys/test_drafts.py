"""Texts that are not saved: where they are shown, how pages are left, and what a killed studio keeps."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from cardgen.studio.studio import Drafts
from tests.journeys.conftest import RunningStudio, running_studio, write_project

FILE = "cards/scout-0.yaml"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return write_project(tmp_path / "scouts", 3)


def window(browser: Any, studio: RunningStudio) -> Any:
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    page.set_default_timeout(60_000)
    page.goto(studio.url)
    page.wait_for_selector(".cards-grid img")
    return page


def type_name(page: Any, studio: RunningStudio, text: str) -> None:
    page.goto(studio.address(FILE))
    page.wait_for_selector("[data-shown]")
    page.locator(".cm-line", has_text="name: Scout 0").first.click()
    page.keyboard.press("End")
    page.keyboard.type(text)
    page.get_by_text("unsaved changes").wait_for()


def is_kept(project: Path, text: str) -> bool:
    end = time.monotonic() + 20
    while time.monotonic() < end and not any(text in each for each in Drafts(project).texts.values()):
        time.sleep(0.1)
    return any(text in each for each in Drafts(project).texts.values())


def kill(studio: Any) -> None:
    """End a studio at once, as by kill -9."""
    os.kill(studio, signal.SIGKILL)


@pytest.mark.timeout(300)
def test_a_killed_studio_offers_the_text_again_and_overwrites_nothing(browser: Any, project: Path) -> None:
    saved = (project / FILE).read_text(encoding="utf-8")
    with running_studio(project) as studio:
        page = window(browser, studio)
        type_name(page, studio, " the Bold")
        assert is_kept(project, "Scout 0 the Bold")
        kill(studio.process)
        page.context.close()
    assert (project / FILE).read_text(encoding="utf-8") == saved
    with running_studio(project) as studio:
        page = window(browser, studio)
        page.get_by_test_id("panel").get_by_text("1 unsaved").wait_for()
        page.locator(".card-cell", has=page.locator("[data-testid=unsaved]")).wait_for()
        page.goto(studio.address(FILE))
        page.locator(".cm-line", has_text="Scout 0 the Bold").wait_for()
        page.locator(".edit-conflict .bar", has_text="not saved").wait_for()
        kill(studio.process)
        page.context.close()
    (project / FILE).write_text(saved.replace("Scout 0", "Scout Zero"), encoding="utf-8")
    with running_studio(project) as studio:
        page = window(browser, studio)
        page.goto(studio.address(FILE))
        page.get_by_text("has changed outside the studio").wait_for()
        page.locator(".cm-line", has_text="Scout 0 the Bold").wait_for()
        page.keyboard.press("Control+s")
        page.get_by_role("button", name="Use the file's text").click()
        page.locator(".cm-line", has_text="Scout Zero").wait_for()
        page.get_by_test_id("panel").get_by_text("unsaved").first.wait_for(state="detached")
        assert Drafts(project).texts == {}
        page.context.close()


@pytest.mark.timeout(300)
def test_leaving_an_unsaved_text_asks(browser: Any, project: Path) -> None:
    with running_studio(project) as studio:
        page = window(browser, studio)
        type_name(page, studio, " Left")
        asked: list[str] = []

        def stay(dialog: Any) -> None:
            asked.append(dialog.type)
            dialog.dismiss()

        page.on("dialog", stay)
        page.evaluate("location.reload()")
        page.wait_for_timeout(500)
        assert asked == ["beforeunload"]
        page.get_by_role("link", name="Cards", exact=True).click()
        page.get_by_role("dialog").get_by_role("button", name="Stay").click()
        assert "/edit" in page.url
        page.get_by_role("link", name="Cards", exact=True).click()
        page.get_by_role("button", name="Keep as a draft").click()
        page.locator("[data-testid=unsaved]").wait_for()
        assert is_kept(project, "Scout 0 Left")
        page.get_by_test_id("panel").locator("summary").click()
        page.get_by_role("link", name=FILE).click()
        page.locator(".cm-line", has_text="Scout 0 Left").wait_for()
        page.get_by_role("link", name="Print", exact=True).click()
        page.get_by_role("dialog").get_by_role("button", name="Discard the changes").click()
        page.wait_for_url("**/print")
        page.get_by_test_id("panel").get_by_text("unsaved").first.wait_for(state="detached")
        type_name(page, studio, " Kept")
        page.get_by_role("link", name="Rules", exact=True).click()
        page.get_by_role("dialog").get_by_role("button", name="Save", exact=True).click()
        page.wait_for_url("**/rules**")
        assert "Scout 0 Kept" in (project / FILE).read_text(encoding="utf-8")
        assert asked == ["beforeunload"]
        page.context.close()


@pytest.mark.timeout(300)
def test_a_window_that_stays_when_another_project_is_opened_writes_to_its_own(browser: Any, project: Path) -> None:
    """Both projects have the same file, as those with sample cards do, so that nothing else tells them apart."""
    other = project.parent / "owls"
    with running_studio(project) as studio:
        page = window(browser, studio)
        type_name(page, studio, " the Bold")
        page.on("dialog", lambda dialog: dialog.dismiss())  # the question whether to leave the page
        second = window(browser, studio)
        second.goto(f"{studio.origin}/new")
        second.get_by_test_id("name").first.fill("owls")
        second.get_by_role("button", name="Create the project").click()
        second.locator(".studio-project", has_text="owls").wait_for()
        original = (project / FILE).read_text(encoding="utf-8")
        (other / "cards").mkdir(exist_ok=True)
        (other / FILE).write_text(original, encoding="utf-8")
        page.keyboard.type(" and Old")
        page.wait_for_timeout(2_000)
        assert not Drafts(other).texts
        second.goto(studio.address(FILE))
        second.wait_for_selector("[data-shown]")
        assert "Bold" not in second.locator(".cm-content").inner_text()
        page.keyboard.press("Control+s")
        page.get_by_text("saved", exact=True).wait_for()
        assert (other / FILE).read_text(encoding="utf-8") == original
        assert "Scout 0 the Bold and Old" in (project / FILE).read_text(encoding="utf-8")
