"""All cards of a kind as a table: sorted, filtered, edited, pasted, and filled, by pointer and by keyboard."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.editor.harness import HERO, RELIC, WARBAND
from tests.journeys.conftest import RunningStudio, running_studio, write_project
from tests.journeys.test_access import _faults_in_all_looks

LAMPS = """\
kind: relic
cards:
  # The first lamp.
  - name: Calm Lamp  # calm
    text: It shines.
    motto: Soft.  # said twice

  - name: Storm Lamp
    text: It burns.
"""
ROWS = "kind,name,text\nrelic,Dusk Lamp,It fades.\nrelic,Dawn Lamp,It grows.\n"
FILES = {"lamps.yaml": LAMPS, "cloak.yaml": RELIC, "hero.yaml": HERO, "oath.yaml": WARBAND, "rows.csv": ROWS}


@pytest.fixture
def studio(browser: Any, tmp_path: Path) -> Iterator[RunningStudio]:
    folder = write_project(tmp_path / "scouts", 2)
    for name, text in FILES.items():
        (folder / "cards" / name).write_text(text, encoding="utf-8")
    (folder / "cardgen.yaml").write_text("game: warniris\ntables: {cards/rows.csv: {}}\n", encoding="utf-8")
    with running_studio(folder) as started:
        yield started


@pytest.fixture
def table(page: Any, studio: RunningStudio) -> Any:
    """The table of relics."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{studio.origin}/table?kind=warniris/relic")
    page.locator(".ag-cell", has_text="Calm Lamp").wait_for()
    return page


def cell(page: Any, name: str, column: str) -> Any:
    row = page.locator(".ag-row", has=page.locator("[col-id=name]", has_text=re.compile(f"^{name}$"))).first
    index = row.get_attribute("row-index")
    return page.locator(f".ag-row[row-index='{index}'] [col-id='{column}']")


def focus(page: Any, name: str, column: str) -> None:
    """Click a cell; columns that have just been laid out may move below the pointer."""
    for _ in range(3):
        place = cell(page, name, column)
        place.click()
        if "ag-cell-focus" in (place.get_attribute("class") or ""):
            return


def names(page: Any) -> list[str]:
    rows = page.locator(".ag-pinned-left-cols-container .ag-row")
    found = [(int(row.get_attribute("row-index")), row.locator("[col-id=name]").inner_text()) for row in rows.all()]
    return [name for _, name in sorted(found)]


def select(page: Any, name: str) -> None:
    cell(page, name, "ag-Grid-SelectionColumn").locator("input").check()


def paste(page: Any, text: str) -> None:
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    page.keyboard.press("Control+v")


def offered(page: Any, text: str) -> None:
    page.get_by_role("region", name="Last change").get_by_text(text).wait_for()


def read(studio: RunningStudio, name: str) -> str:
    return (studio.project / "cards" / name).read_text(encoding="utf-8")


def test_rows_are_sorted_filtered_and_searched(table: Any) -> None:
    assert set(names(table)) == {"Test Cloak", "Calm Lamp", "Storm Lamp", "Dusk Lamp", "Dawn Lamp"}
    header = table.locator("[role=columnheader][col-id=name]")
    header.focus()
    table.keyboard.press("Enter")
    table.locator("[role=columnheader][col-id=name][aria-sort=ascending]").wait_for()
    assert names(table) == ["Calm Lamp", "Dawn Lamp", "Dusk Lamp", "Storm Lamp", "Test Cloak"]
    table.get_by_label("Motto Filter Input").fill("soft")
    table.get_by_test_id("count").get_by_text("1 of 5 cards").wait_for()
    table.get_by_label("Motto Filter Input").fill("")
    table.get_by_test_id("count").get_by_text("5 of 5 cards").wait_for()
    table.get_by_test_id("search").fill("burns")
    table.get_by_test_id("count").get_by_text("1 of 5 cards").wait_for()
    assert names(table) == ["Storm Lamp"]


def test_a_cell_is_edited_with_keys_keeps_comments_and_is_undone(table: Any, studio: RunningStudio) -> None:
    focus(table, "Calm Lamp", "motto")
    table.keyboard.press("Enter")
    table.get_by_role("combobox", name="Motto").wait_for()
    table.keyboard.type("Low.")
    table.keyboard.press("Enter")
    offered(table, "Changed Motto of Calm Lamp")
    assert read(studio, "lamps.yaml") == LAMPS.replace("Soft.", "Low.")
    focus(table, "Calm Lamp", "text")
    table.keyboard.type("It glows.")
    table.keyboard.press("Enter")
    offered(table, "Changed Text of Calm Lamp")
    for text in ("Changed Text of Calm Lamp", "Changed Motto of Calm Lamp"):
        offered(table, text)
        table.locator(".ag-cell-focus").first.press("Control+z")
    table.get_by_role("region", name="Last change").wait_for(state="hidden")
    assert read(studio, "lamps.yaml") == LAMPS
    cell(table, "Calm Lamp", "motto").get_by_text("Soft.").wait_for()


def test_a_name_is_changed_in_all_files(table: Any, studio: RunningStudio) -> None:
    focus(table, "Test Cloak", "name")
    table.keyboard.press("F2")
    table.keyboard.press("Control+a")
    table.keyboard.type("Night Cloak")
    table.keyboard.press("Tab")
    table.keyboard.press("Escape")
    focus(table, "Night Cloak", "motto")
    table.keyboard.type("Dark.")
    table.keyboard.press("Enter")
    offered(table, "Changed Motto of Night Cloak")
    assert "relic: Night Cloak" in read(studio, "oath.yaml")
    assert read(studio, "cloak.yaml") == RELIC.replace("Test Cloak", "Night Cloak").replace("Seen too late.", "Dark.")


def test_a_value_that_is_wrong_is_refused_and_the_cell_goes_back(table: Any, studio: RunningStudio) -> None:
    focus(table, "Storm Lamp", "text")
    table.keyboard.press("Delete")
    table.get_by_role("alert").get_by_text("must have at least one of the keys").wait_for()
    cell(table, "Storm Lamp", "text").get_by_text("It burns.").wait_for()
    focus(table, "Test Cloak", "effects")
    paste(table, "none")
    table.get_by_role("alert").get_by_text("a value with parts in the form").wait_for()
    focus(table, "Dusk Lamp", "text")
    paste(table, "No.")
    table.get_by_role("alert").get_by_text("is a row of cards/rows.csv").wait_for()
    assert [read(studio, name) for name in FILES] == [*FILES.values()]


def test_a_block_is_pasted_over_cards_of_two_files_and_undone_once(table: Any, studio: RunningStudio) -> None:
    assert names(table)[:3] == ["Test Cloak", "Calm Lamp", "Storm Lamp"]
    focus(table, "Test Cloak", "text")
    order = table.evaluate(
        "[...document.querySelectorAll('[role=columnheader][col-id]')].map(each => each.getAttribute('col-id'))"
    )
    assert order.index("motto") == order.index("text") + 1
    paste(table, 'It hides.\tLate\n"It\nglows."\tLow\nIt roars.\tLoud\n')
    offered(table, "Pasted 6 cells")
    cell(table, "Storm Lamp", "motto").get_by_text("Loud").wait_for()
    assert "text: It roars.\n    motto: Loud\n" in read(studio, "lamps.yaml")
    assert "text: |-\n      It\\\n      glows.\n" in read(studio, "lamps.yaml")
    assert "motto: Low  # said twice\n" in read(studio, "lamps.yaml")
    assert "motto: Late\n" in read(studio, "cloak.yaml")
    table.get_by_role("region", name="Last change").get_by_role("button", name="Undo").click()
    table.get_by_role("region", name="Last change").wait_for(state="hidden")
    assert [read(studio, name) for name in FILES] == [*FILES.values()]


def test_selected_rows_are_filled_and_copied(table: Any, studio: RunningStudio) -> None:
    for name in ("Calm Lamp", "Storm Lamp"):
        select(table, name)
    focus(table, "Calm Lamp", "motto")
    table.keyboard.press("Control+d")
    offered(table, "Filled 1 cell")
    assert "text: It burns.\n    motto: Soft.\n" in read(studio, "lamps.yaml")
    table.keyboard.press("Control+c")
    copied = table.evaluate("navigator.clipboard.readText()").splitlines()
    assert [line.split("\t")[0] for line in copied] == ["Calm Lamp", "Storm Lamp"]
    table.get_by_test_id("picked").get_by_role("button", name="Select none").click()
    table.get_by_role("button", name="Dismiss").click()
    table.get_by_role("region", name="Last change").wait_for(state="hidden")
    focus(table, "Storm Lamp", "text")
    table.keyboard.press("Control+d")
    offered(table, "Filled 1 cell")
    assert read(studio, "lamps.yaml").count("It shines.") == 2


def test_cards_are_selected_duplicated_and_deleted(table: Any, studio: RunningStudio) -> None:
    focus(table, "Calm Lamp", "name")
    table.keyboard.press("Space")
    select(table, "Storm Lamp")
    picked = table.get_by_test_id("picked")
    picked.get_by_text("2 selected").wait_for()
    picked.get_by_role("button", name="Duplicate").click()
    table.locator(".ag-cell", has_text="Storm Lamp (copy)").wait_for()
    picked.get_by_role("button", name="Delete").click()
    table.get_by_role("dialog", name="Delete 2 cards?").get_by_role("button", name="Delete").click()
    picked.wait_for(state="detached")
    assert "Storm Lamp (copy)" in names(table)
    assert "Storm Lamp" not in names(table)


def test_the_menu_of_a_row_opens_by_keyboard(table: Any) -> None:
    focus(table, "Calm Lamp", "text")
    table.keyboard.press("Shift+F10")
    table.get_by_role("group", name="Actions for Calm Lamp").get_by_text("Edit").click()
    table.wait_for_url("**/edit?*")
    assert table.get_by_test_id("card").input_value() == "warniris/relic/calm-lamp"


def test_columns_are_shown_and_another_kind_is_chosen(table: Any) -> None:
    table.get_by_text("Columns").click()
    table.get_by_label("Tags").check()
    table.locator("[role=columnheader][col-id=tags]").wait_for()
    table.reload()
    table.locator("[role=columnheader][col-id=tags]").wait_for()
    table.get_by_test_id("kind").select_option("warniris/character")
    table.locator("[role=columnheader][col-id='stats.mind']").wait_for()
    assert table.locator("[role=columnheader][col-id=tags]").is_visible()
    assert sorted(names(table)) == ["Old Gravel", "Scout 0", "Scout 1"]


def test_a_narrow_window_shows_cards_whose_values_are_edited(table: Any, studio: RunningStudio) -> None:
    table.set_viewport_size({"width": 390, "height": 800})
    card = table.get_by_role("listitem").filter(has_text="Calm Lamp")
    card.get_by_role("button", name="Motto: Soft.").click()
    table.keyboard.press("Control+a")
    table.keyboard.type("Low.")
    card.get_by_role("button", name="Set").click()
    card.get_by_role("button", name="Motto: Low.").wait_for()
    offered(table, "Changed Motto of Calm Lamp")
    assert read(studio, "lamps.yaml") == LAMPS.replace("Soft.", "Low.")
    table.get_by_test_id("search").fill("burns")
    card.wait_for(state="detached")


def test_axe_finds_no_grave_fault_in_the_table(table: Any) -> None:
    table.emulate_media(reduced_motion="reduce")
    select(table, "Calm Lamp")
    found = _faults_in_all_looks(table, "table")
    table.set_viewport_size({"width": 1280, "height": 900})
    focus(table, "Calm Lamp", "motto")
    table.keyboard.press("Enter")
    assert found + _faults_in_all_looks(table, "cell") == []


def test_a_row_is_added_and_cards_are_tagged_and_moved(table: Any, studio: RunningStudio) -> None:
    table.get_by_role("button", name="New row").click()
    dialog = table.get_by_role("dialog", name="New relic")
    dialog.get_by_label("Name").fill("Night Lamp")
    table.keyboard.press("Enter")
    offered(table, "Added Night Lamp")
    cell(table, "Night Lamp", "name").wait_for()
    assert read(studio, "lamps.yaml").startswith(f"{LAMPS}  - name: Night Lamp\n")
    dialog.wait_for(state="detached")
    for name in ("Test Cloak", "Calm Lamp"):
        select(table, name)
    picked = table.get_by_test_id("picked")
    picked.get_by_role("button", name="Tags …").click()
    table.get_by_role("dialog").get_by_label("Tags to add").fill("dim")
    table.keyboard.press("Enter")
    table.get_by_role("dialog").get_by_role("button", name="Set tags").click()
    offered(table, "Tagged 2 cards")
    cell(table, "Test Cloak", "tags").get_by_text("dim").wait_for()
    picked.get_by_role("button", name="Move …").click()
    table.get_by_role("dialog").get_by_label("Or a new file").fill("cards/dim.yaml")
    table.get_by_role("dialog").get_by_role("button", name="Move").click()
    offered(table, "Moved 2 cards to cards/dim.yaml")
    assert not (studio.project / "cards" / "cloak.yaml").exists()
    assert "  # The first lamp.\n  - name: Calm Lamp  # calm\n" in read(studio, "dim.yaml")


def test_rows_of_a_table_are_turned_into_cards(table: Any, studio: RunningStudio) -> None:
    select(table, "Dusk Lamp")
    table.get_by_test_id("picked").get_by_role("button", name="Turn into cards").click()
    offered(table, "Turned rows into cards of cards/rows.yaml")
    cell(table, "Dusk Lamp", "file").get_by_text("cards/rows.yaml").wait_for()
    assert read(studio, "rows.csv") == ROWS
    focus(table, "Dusk Lamp", "motto")
    table.keyboard.type("Late.")
    table.keyboard.press("Enter")
    offered(table, "Changed Motto of Dusk Lamp")
    assert "motto: Late." in read(studio, "rows.yaml")


def test_a_word_that_a_choice_lacks_is_refused_and_can_be_allowed(page: Any, tmp_path: Path, browser: Any) -> None:
    folder, game = tmp_path / "marsh", tmp_path / "marsh/games/marsh/game.yaml"
    game.parent.mkdir(parents=True)
    (folder / "cardgen.yaml").write_text("game: marsh\n", encoding="utf-8")
    (folder / "ash.yaml").write_text("kind: lamp\nname: Ash\ndice: 1W6\n", encoding="utf-8")
    dice = "      dice: {type: choice, choices: [1W6, 2W6]}\n"
    game.write_text(f"game: marsh\nname: Marsh\nprefix: MA\nkinds:\n  lamp:\n    fields:\n{dice}", encoding="utf-8")
    with running_studio(folder) as studio:
        page.goto(studio.url)
        page.goto(f"{studio.origin}/table")
        page.locator(".ag-cell", has_text="1W6").wait_for()
        focus(page, "Ash", "dice")
        page.keyboard.type("4W6")
        page.keyboard.press("Enter")
        page.get_by_text("'dice' must be 1W6 or 2W6, not '4W6'").wait_for()
        page.get_by_role("button", name="Allow 4W6").click()
        page.locator(".ag-cell", has_text="4W6").wait_for()
        page.get_by_role("button", name="Allow 4W6").wait_for(state="detached")
        page.get_by_role("region", name="Last change").get_by_role("button", name="Undo").wait_for()
        assert "[1W6, 2W6, 4W6]" in game.read_text(encoding="utf-8")
        assert "dice: 4W6" in (folder / "ash.yaml").read_text(encoding="utf-8")
        focus(page, "Ash", "dice")
        page.keyboard.type("2")
        page.keyboard.press("Enter")
        page.locator(".ag-cell", has_text="2W6").wait_for()
