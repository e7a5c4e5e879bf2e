"""What authors do with whole cards, by pointer and by keyboard."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.editor.harness import RELIC, WARBAND
from tests.journeys.conftest import RunningStudio, running_studio, write_project
from tests.journeys.test_access import _faults_in_all_looks

LAMPS = """\
kind: relic
cards:
  # The first lamp.
  - name: Calm Lamp  # calm
    text: It shines.

  - name: Storm Lamp
    text: It burns.
"""
COPY = "\n  # The first lamp.\n  - name: Calm Lamp (copy)  # calm\n    text: It shines.\n"


@pytest.fixture
def studio(browser: Any, tmp_path: Path) -> Iterator[RunningStudio]:
    folder = write_project(tmp_path / "scouts", 2)
    for name, text in {"lamps": LAMPS, "cloak": RELIC, "oath": WARBAND}.items():
        (folder / "cards" / f"{name}.yaml").write_text(text, encoding="utf-8")
    with running_studio(folder) as started:
        yield started


def _menu(page: Any, name: str, action: str) -> None:
    page.get_by_role("button", name=f"Actions for {name}").click()
    page.get_by_role("group", name=f"Actions for {name}").get_by_text(action).click()


def _offered(page: Any, text: str) -> None:
    page.get_by_role("region", name="Last change").get_by_text(text).wait_for()


def _undo(page: Any) -> None:
    page.get_by_role("region", name="Last change").get_by_role("button", name="Undo").click()
    page.get_by_role("region", name="Last change").wait_for(state="hidden")


def test_a_card_is_duplicated_from_the_grid_opened_and_undone(page: Any, studio: RunningStudio) -> None:
    lamps = studio.project / "cards" / "lamps.yaml"
    _menu(page, "Calm Lamp", "Duplicate")
    page.wait_for_url("**/edit?*")
    page.get_by_test_id("card").get_by_text("Calm Lamp (copy)").wait_for(state="attached")
    assert page.get_by_test_id("card").input_value() == "warniris/relic/calm-lamp-copy"
    page.get_by_test_id("card").select_option("warniris/relic/calm-lamp")
    page.wait_for_url("**card=warniris%2Frelic%2Fcalm-lamp")
    assert lamps.read_text(encoding="utf-8") == LAMPS.replace("It shines.\n", f"It shines.\n{COPY}", 1)
    _offered(page, "Duplicated Calm Lamp")
    _undo(page)
    page.locator(".cm-content", has_text="(copy)").wait_for(state="detached")
    assert lamps.read_text(encoding="utf-8") == LAMPS


def test_a_deleted_card_says_who_refers_to_it_and_comes_back(page: Any, studio: RunningStudio) -> None:
    cloak = studio.project / "cards" / "cloak.yaml"
    before = cloak.read_bytes()
    _menu(page, "Test Cloak", "Delete")
    page.get_by_role("dialog").get_by_text("The Oath 🎲 é would be left without Test Cloak.").wait_for()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    _offered(page, "Deleted Test Cloak")
    page.locator(".card-cell", has_text="Test Cloak").wait_for(state="detached")
    assert not cloak.exists()
    page.get_by_role("dialog").wait_for(state="detached")
    page.locator("body").press("Control+z")
    page.locator(".card-cell", has_text="Test Cloak").wait_for()
    assert cloak.read_bytes() == before


def test_a_card_is_deleted_from_its_own_page(page: Any, studio: RunningStudio) -> None:
    page.goto(studio.address("cards/scout-1.yaml"))
    page.wait_for_selector("[data-shown]")
    page.get_by_test_id("card-menu").click()
    page.get_by_role("group", name="Actions for Scout 1").get_by_text("Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    page.wait_for_url(re.compile(r"/$"))
    _offered(page, "Deleted Scout 1")
    names = page.locator(".card-name")
    assert "Scout 1" not in names.all_inner_texts()
    _undo(page)
    page.locator(".card-cell", has_text="Scout 1").wait_for()
    assert names.all_inner_texts().count("Scout 1") == 1


def test_unsaved_changes_come_first(page: Any, studio: RunningStudio) -> None:
    page.goto(studio.address("cards/scout-1.yaml"))
    page.wait_for_selector(".form [data-path]")
    page.get_by_label("Name", exact=True).first.fill("Scout Bold")
    page.get_by_text("unsaved changes", exact=True).wait_for()
    page.get_by_test_id("card-menu").click()
    page.get_by_role("group", name="Actions for Scout Bold").get_by_text("Duplicate").click()
    page.get_by_text("'cards/scout-1.yaml' has unsaved changes; save or discard them first").wait_for()
    assert page.get_by_label("Name", exact=True).first.input_value() == "Scout Bold"
    assert page.get_by_role("region", name="Last change").is_hidden()


def test_everything_is_done_with_keys_alone(page: Any, studio: RunningStudio) -> None:
    press = page.keyboard.press
    page.locator(".card-cell", has_text="Calm Lamp").focus()
    press("Shift+F10")
    page.get_by_role("group", name="Actions for Calm Lamp").wait_for()
    press("ArrowDown")
    press("Enter")  # New like this
    page.wait_for_function("document.activeElement.matches('[role=dialog] input')")
    page.keyboard.type("Night Lamp")
    press("Enter")
    page.wait_for_url("**/edit?*night-lamp")
    page.goto(studio.origin)
    page.locator(".card-cell", has_text="Test Cloak").focus()
    press("Shift+F10")
    page.get_by_role("group", name="Actions for Test Cloak").wait_for()
    press("ArrowDown")
    press("ArrowDown")
    press("Enter")  # Rename
    page.wait_for_function("document.activeElement.matches('[role=dialog] input')")
    press("Control+a")
    page.keyboard.type("Night Cloak")
    press("Enter")
    _offered(page, "Renamed Test Cloak to Night Cloak")
    oath = studio.project / "cards" / "oath.yaml"
    assert "relic: Night Cloak" in oath.read_text(encoding="utf-8")
    assert "relic: night-cloak" in oath.read_text(encoding="utf-8")


def test_several_cards_are_selected_and_deleted_in_one_step(page: Any, studio: RunningStudio) -> None:
    page.locator(".card-cell", has_text="Calm Lamp").focus()
    page.keyboard.press("x")
    page.get_by_label("Select Storm Lamp").check()
    picked = page.get_by_test_id("picked")
    picked.get_by_text("2 selected").wait_for()
    only = "only=calm-lamp&only=storm-lamp"
    assert picked.get_by_role("link", name="Export").get_attribute("href") == f"/print?part=export&{only}"
    picked.get_by_role("button", name="Duplicate").click()
    page.locator(".card-cell", has_text="Storm Lamp (copy)").wait_for()
    picked.get_by_role("button", name="Delete").click()
    page.get_by_role("dialog", name="Delete 2 cards?").get_by_role("button", name="Delete").click()
    page.locator(".card-cell", has_text=re.compile("Storm Lamp$")).wait_for(state="detached")
    _offered(page, "Deleted 2 cards")
    picked.wait_for(state="detached")
    page.get_by_text("Changes that can be undone").click()
    page.get_by_role("button", name="Undo: Deleted 2 cards").click()
    page.get_by_role("button", name="Undo: Duplicated 2 cards").click()
    page.locator(".card-cell", has_text="(copy)").first.wait_for(state="detached")
    assert (studio.project / "cards" / "lamps.yaml").read_text(encoding="utf-8") == LAMPS


def test_a_card_is_printed_and_its_odds_are_shown_from_its_menu(page: Any, studio: RunningStudio) -> None:
    _menu(page, "Scout 1", "Print with options")
    page.locator(".sheet-stage img").wait_for()
    page.get_by_text("Settings", exact=True).click()
    assert page.get_by_role("button", name="Remove Scout 1").is_visible()
    page.go_back()
    _menu(page, "Scout 1", "Show odds")
    page.get_by_test_id("odds-row").first.wait_for()
    assert page.get_by_test_id("card").input_value() == "warniris/character/scout-1"


def test_axe_finds_no_grave_fault_in_the_actions_of_cards(page: Any, studio: RunningStudio) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.get_by_label("Select Calm Lamp").check()
    page.get_by_test_id("picked").wait_for()
    found = _faults_in_all_looks(page, "selected")
    page.get_by_test_id("picked").get_by_role("button", name="Duplicate").click()
    page.get_by_test_id("card-menu").click()
    found += _faults_in_all_looks(page, "menu and undo")
    page.goto(studio.origin)
    page.get_by_text("Changes that can be undone").click()
    found += _faults_in_all_looks(page, "history")
    _menu(page, "Test Cloak", "Delete")
    page.get_by_role("dialog").wait_for()
    assert found + _faults_in_all_looks(page, "delete") == []
