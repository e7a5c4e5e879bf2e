"""Printing in one step, from a card, a selection, and the page of sheets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.journeys.conftest import RunningStudio, running_studio, write_project
from tests.journeys.test_access import _faults_in_all_looks

ADVICE = "In the print dialog: 100% (actual size), A4, both sides, flip on the long edge."


@pytest.fixture
def studio(browser: Any, tmp_path: Path) -> Iterator[RunningStudio]:
    with running_studio(write_project(tmp_path / "scouts", 3)) as started:
        yield started


def _pdf(page: Any, click: Any) -> bytes:
    """Return the PDF that a click opens in a tab of its own."""
    with (
        page.expect_popup() as tab,
        page.context.expect_event("response", lambda answer: "/sheets/" in answer.url) as answer,
    ):
        click()
    assert answer.value.headers["content-type"] == "application/pdf"
    tab.value.close()
    return bytes(page.context.request.get(answer.value.url).body())


def test_one_click_opens_the_pdf_of_a_card_and_says_how_to_print_it(page: Any, studio: RunningStudio) -> None:
    page.get_by_role("button", name="Actions for Scout 1").click()
    menu = page.get_by_role("group", name="Actions for Scout 1")
    content = _pdf(page, menu.get_by_role("button", name="Print this").click)
    assert content.startswith(b"%PDF")
    page.get_by_text(ADVICE).wait_for()
    assert _faults_in_all_looks(page, "advice") == []
    assert not (studio.project / "output").exists()


def test_a_selection_is_printed_as_it_was_last_time(page: Any, studio: RunningStudio) -> None:
    page.goto(f"{studio.origin}/print?only=scout-0&only=scout-2")
    page.get_by_text(ADVICE).wait_for()
    page.get_by_text("Settings", exact=True).click()
    page.get_by_test_id("paper").fill("letter")
    page.get_by_text(ADVICE.replace("A4", "Letter")).wait_for()
    assert _pdf(page, page.get_by_role("link", name="Print", exact=True).last.click).startswith(b"%PDF")
    page.reload()
    page.get_by_text("Chosen in the settings: Only, Paper.").wait_for()
    page.goto(studio.origin)
    page.get_by_label("Select Scout 0").check()
    page.get_by_label("Select Scout 2").check()
    assert _pdf(page, page.get_by_test_id("picked").get_by_role("button", name="Print").click).startswith(b"%PDF")
    page.get_by_text(ADVICE.replace("A4", "Letter")).wait_for()


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (390, 844)])
def test_all_that_printing_needs_is_above_the_fold(page: Any, studio: RunningStudio, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"{studio.origin}/print")
    page.get_by_text(ADVICE).wait_for()
    sheet = page.get_by_test_id("sheet")
    sheet.wait_for()
    assert page.evaluate("[document.documentElement.scrollHeight, document.documentElement.scrollWidth]") == [
        height,
        width,
    ]
    assert sheet.bounding_box()["height"] > 250
    assert page.get_by_role("link", name="Print", exact=True).last.is_visible()
    assert not page.get_by_test_id("paper").is_visible()


def test_cards_with_mistakes_are_left_out_of_the_sheets_and_listed_with_the_reason(
    page: Any, studio: RunningStudio
) -> None:
    for number, line in ((1, "art: art/missing.png"), (2, "speed: fast")):
        with (studio.project / "cards" / f"scout-{number}.yaml").open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")
    page.goto(f"{studio.origin}/print")
    page.get_by_text("2 cards skipped").wait_for(timeout=60_000)
    listed = page.get_by_role("alert").filter(has_text="cards/scout-1.yaml").inner_text()
    assert re.search(r"Scout 1: cards/scout-1\.yaml:\d+:\d+: .*file 'art/missing\.png' not found", listed), listed
    assert re.search(r"cards/scout-2\.yaml:\d+:\d+: .*unknown key 'speed'", listed), listed
    page.get_by_text(ADVICE).wait_for()
    assert _pdf(page, page.get_by_role("link", name="Print", exact=True).last.click).startswith(b"%PDF")


def test_the_tab_of_a_card_that_cannot_be_printed_closes_with_the_reason(page: Any, studio: RunningStudio) -> None:
    with (studio.project / "cards" / "scout-1.yaml").open("a", encoding="utf-8") as file:
        file.write("art: art/missing.png\n")
    page.locator(".card-cell", has_text="Scout 1").get_by_text("1 error").wait_for()
    page.get_by_role("button", name="Actions for Scout 1").click()
    with page.expect_popup() as tab:
        page.get_by_role("button", name="Print this").click()
    page.locator(".q-notification", has_text="file 'art/missing.png' not found").wait_for()
    assert tab.value.is_closed()
