"""The panel of the project in the header of every page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.journeys.conftest import RunningStudio, running_studio, write_project
from tests.journeys.test_access import _faults_in_all_looks

# Text that is too much for its card, which only drawing it tells, and a key that is wrong.
LONG = f"kind: relic\nname: Long Lamp\ntext: {'It shines on friends and enemies. ' * 60}\n"
WRONG = "kind: relic\nname: Wrong Lamp\ntext: It shines.\nmoto: Soft.\n"


@pytest.fixture
def studio(browser: Any, tmp_path: Path) -> Iterator[RunningStudio]:
    folder = write_project(tmp_path / "scouts", 1)
    (folder / "cards" / "long.yaml").write_text(LONG, encoding="utf-8")
    (folder / "cards" / "wrong.yaml").write_text(WRONG, encoding="utf-8")
    with running_studio(folder) as started:
        yield started


def test_the_panel_counts_problems_and_leads_to_their_lines(page: Any, studio: RunningStudio) -> None:
    panel = page.get_by_test_id("panel")
    panel.locator("summary", has_text="looking …").wait_for(state="detached")
    panel.locator("summary", has_text="error").wait_for()
    panel.locator("summary").focus()
    page.keyboard.press("Enter")
    panel.get_by_text("All files are checked, and all cards were looked at.").wait_for()
    long = panel.locator("li", has=page.get_by_role("link", name="cards/long.yaml"))
    assert "characters too many" in long.first.inner_text()
    page.keyboard.press("Escape")
    assert not panel.get_by_role("region", name="The project").is_visible()
    panel.locator("summary").click()
    wrong = panel.locator("section > ul > li", has=page.get_by_role("link", name="cards/wrong.yaml"))
    wrong.get_by_role("link", name="line 4").click()
    page.wait_for_url("**/edit?*line=4")
    page.locator(".cm-line", has_text="moto").wait_for()


def test_the_panel_follows_files_and_says_nothing_before_it_has_looked(page: Any, studio: RunningStudio) -> None:
    seen: list[str] = []
    page.expose_function("seen", lambda text: seen.append(text))
    page.goto(f"{studio.origin}/rules")
    watch = """each => new MutationObserver(() => seen(each.textContent)).observe(
        each, {subtree: true, characterData: true, childList: true})"""
    page.get_by_test_id("panel").locator("summary").evaluate(watch)
    (studio.project / "cards" / "long.yaml").unlink()
    (studio.project / "cards" / "wrong.yaml").write_text(WRONG.replace("moto", "motto"), encoding="utf-8")
    page.get_by_test_id("panel").locator("summary", has_text="no problems").wait_for()
    end = next(number for number, each in enumerate(seen) if "no problems" in each)
    assert any("checking" in each for each in seen[:end])


def test_axe_finds_no_grave_fault_in_the_panel(page: Any, studio: RunningStudio) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.get_by_test_id("panel").locator("summary", has_text="error").wait_for()
    page.get_by_test_id("panel").locator("summary").click()
    assert _faults_in_all_looks(page, "panel") == []


def test_a_problem_of_several_rows_is_listed_once_and_its_links_show_it(page: Any, studio: RunningStudio) -> None:
    rows = "kind,name,text\n" + "".join(f"relic,Lamp {number},Pay {{gold}} {number} times.\n" for number in range(3))
    (studio.project / "lamps.csv").write_text(rows, encoding="utf-8")
    (studio.project / "cardgen.yaml").write_text("game: warniris\ntables: {lamps.csv: {}}\n", encoding="utf-8")
    panel = page.get_by_test_id("panel")
    panel.locator("summary").click()
    lamps = panel.locator("section > ul > li", has=page.get_by_role("link", name="lamps.csv"))
    lamps.locator("li", has_text="unknown icon 'gold'").wait_for()
    assert lamps.locator("li", has_text="unknown icon").count() == 1
    lamps.get_by_role("link", name="line 3").click()
    page.locator(".bar.error", has_text="line 3: unknown icon 'gold'").wait_for()
    assert page.locator(".bar.error").count() == 1
    icon = studio.project.parent / "gold.svg"
    icon.write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>')
    page.get_by_label("Newer version").set_input_files(icon)
    page.get_by_text("gold.svg is now the icon {gold}.").wait_for()
    page.locator(".bar.error").wait_for(state="detached")
