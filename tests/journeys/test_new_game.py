"""A game of one's own in the browser alone: from a spreadsheet with pictures in an empty folder to sheets of cards."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook
from PIL import Image

from tests.journeys.conftest import RunningStudio, running_studio
from tests.journeys.test_access import _faults_in_all_looks

_KINDS = {
    "Herbs": ("Potency", "Boil it to gain 1 Calm.", 14),
    "Beasts": ("Bite", "When it wakes, discard 1 Herb.", 14),
    "Charms": ("Cost", "Use it to ignore one Beast until your next turn.", 12),
}


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    """A folder with a workbook of 40 cards of three kinds, and their pictures in a folder beside it."""
    folder = tmp_path / "desk"
    (folder / "art").mkdir(parents=True)
    book = Workbook()
    book.remove(book.active)
    for kind, (number, text, count) in _KINDS.items():
        sheet = book.create_sheet(kind)
        sheet.append(["Name", "Picture", number, "Effect"])
        for row in range(1, count + 1):
            name = f"{kind[:-1]} {row}"
            sheet.append([name, f"{kind.lower()}-{row}.png", row % 6 + 1, text])
            Image.new("RGB", (90, 70), (row * 9, 90, 120)).save(folder / "art" / f"{kind.lower()}-{row}.png")
    book.save(folder / "Marsh (1).xlsx")
    return folder


@pytest.fixture
def studio(browser: Any, tmp_path: Path) -> Iterator[RunningStudio]:
    (tmp_path / "empty").mkdir()
    with running_studio(tmp_path / "empty") as started:
        yield started


@pytest.fixture
def page(browser: Any, studio: RunningStudio) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    window = context.new_page()
    window.set_default_timeout(60_000)
    window.goto(studio.url)
    window.get_by_role("heading", name="New game from a spreadsheet").wait_for()
    yield window
    context.close()


def _section(page: Any) -> Any:
    return page.get_by_role("region", name="New game from a spreadsheet")


@pytest.mark.timeout(300)
def test_a_folder_with_a_spreadsheet_and_pictures_becomes_a_game_in_an_empty_folder(
    page: Any, studio: RunningStudio, deck: Path
) -> None:
    section = _section(page)
    section.locator("input[webkitdirectory]").set_input_files(deck)
    section.get_by_text("41 files read: 1 spreadsheet and 40 pictures.").wait_for()
    section.get_by_text("beasts: 14 cards").wait_for()
    section.get_by_text("whole numbers from 1 to 6 in 14 of 14 cards").first.wait_for()
    assert _faults_in_all_looks(page, "found") == []
    page.set_viewport_size({"width": 1280, "height": 720})
    section.get_by_label("Name of the game").fill("Witch of the Marsh")
    create = section.get_by_role("button", name="Create the game")
    assert create.bounding_box()["y"] < 720 - 40
    create.click()
    page.wait_for_selector(".cards-grid img")
    page.get_by_text("measured").wait_for(state="detached")
    names = page.locator(".card-cell .card-name").all_inner_texts()
    assert len(names) == 40
    assert names[:2] == ["Herb 1", "Herb 2"]  # and not the rows of all sheets in turn
    settings = (studio.project / "cardgen.yaml").read_text(encoding="utf-8")
    assert "game: witch-of-the-marsh" in settings
    assert (studio.project / "art" / "charms-12.png").is_file()
    assert (studio.project / "Marsh (1).xlsx").is_file()
    page.locator(".card-name").first.click()
    page.get_by_text("This card is a row of Marsh (1).xlsx").wait_for()
    assert _faults_in_all_looks(page, "row") == []
    page.goto(f"{studio.origin}/table")
    page.get_by_text("Rows in italics are changed in the program that writes Marsh (1).xlsx").wait_for()
    page.go_back()
    page.get_by_role("button", name="Turn into cards").click()
    page.locator(".cm-line", has_text="name: Herb 1").first.wait_for()
    page.wait_for_selector("[data-shown]")
    assert "xlsx" not in (studio.project / "cardgen.yaml").read_text(encoding="utf-8")


@pytest.mark.timeout(300)
def test_a_layout_of_the_front_is_shown_first_and_one_of_the_back_with_the_back(
    page: Any, studio: RunningStudio, deck: Path
) -> None:
    section = _section(page)
    section.locator("input[webkitdirectory]").set_input_files(deck)
    section.get_by_role("button", name="Create the game").click()
    page.wait_for_selector(".cards-grid img")
    page.get_by_text("measured").wait_for(state="detached")
    page.get_by_role("link", name="Templates", exact=True).click()
    page.get_by_test_id("file").wait_for()
    assert page.get_by_test_id("file").input_value().endswith("beasts.layout.yaml")
    page.wait_for_selector("[data-shown]")
    page.get_by_test_id("file").select_option("games/marsh-1/templates/beasts.back.layout.yaml")
    page.wait_for_url("**beasts.back.layout.yaml")
    page.wait_for_selector("[data-shown]")
    assert page.get_by_role("button", name="Back", exact=True).get_attribute("aria-pressed") == "true"
    page.get_by_test_id("box").select_option("1")
    below = page.get_by_role("button", name="Forward").bounding_box()
    assert below["y"] + below["height"] < 720  # beside the card, and not below it
    page.get_by_role("link", name="Rules", exact=True).click()
    page.get_by_text("has no referee").first.wait_for()
    assert not page.get_by_role("button", name="Roll once").is_visible()
    page.get_by_role("link", name="Play", exact=True).click()
    page.get_by_role("heading", name="This game has no battle tracker").wait_for()
    assert _faults_in_all_looks(page, "no tracker") == []
    page.get_by_role("link", name="Export", exact=True).click()
    page.get_by_test_id("target").wait_for()


@pytest.mark.timeout(300)
def test_files_without_a_spreadsheet_and_wrong_names_are_explained(
    page: Any, studio: RunningStudio, deck: Path
) -> None:
    section = _section(page)
    files = section.locator("input[multiple]")
    files.set_input_files(deck / "art" / "herbs-1.png")
    section.get_by_text("there is no spreadsheet among the files").wait_for()
    files.set_input_files(deck / "art" / "herbs-2.png")
    section.get_by_text("there is no spreadsheet among the files").wait_for()
    bad = deck / "ideas.csv"
    bad.write_text("12,13\n1,2\n", encoding="utf-8")
    files.set_input_files([bad, deck / "Marsh (1).xlsx"])
    section.get_by_text("sheet 'ideas' is not read").wait_for()
    assert section.get_by_text("herbs: 14 cards").is_visible()
    files.set_input_files(bad)
    section.get_by_text("the table has no cards that can be read").wait_for()
    assert "/tmp" not in section.inner_text()
    files.set_input_files(deck / "Marsh (1).xlsx")
    section.get_by_text("1 file read: 1 spreadsheet.").wait_for()
    section.get_by_text("14 pictures not found, such as 'herbs-1.png'").first.wait_for()
    files.set_input_files([*(deck / "art").glob("herbs-*.png")])
    section.get_by_text("15 files read: 1 spreadsheet and 14 pictures.").wait_for()
    assert not section.get_by_text("not found, such as 'herbs-1.png'").is_visible()
    section.get_by_label("Name of the game").fill("123")
    section.get_by_role("button", name="Create the game").click()
    section.get_by_text("'123' cannot be the name of a game").wait_for()
    assert not [*studio.project.iterdir()]


def _names(page: Any) -> list[str]:
    page.locator(".card-cell .card-name").first.wait_for()
    return list(page.locator(".card-cell .card-name").all_inner_texts())


@pytest.mark.timeout(300)
def test_spreadsheets_are_kinds_of_a_game_and_newer_versions_replace_them(
    page: Any, studio: RunningStudio, tmp_path: Path
) -> None:
    section, sent = _section(page), {"beasts.csv": "Bo,4\n", "herbs.csv": "Sage,1\nThyme,2\n"}
    for name, rows in sent.items():
        (tmp_path / name).write_text(f"Name,Strength\n{rows}", encoding="utf-8")
    section.locator("input[multiple]").set_input_files([tmp_path / name for name in sent])
    section.get_by_text("beasts: 1 card", exact=True).wait_for()
    assert section.get_by_text("herbs: 2 cards").is_visible()
    section.get_by_role("checkbox", name="Leave out Strength").first.click()
    section.locator("[aria-label='Leave out Strength'][aria-checked=true]").wait_for()
    section.get_by_label("Name of the game").fill("Marsh")
    section.get_by_role("button", name="Create the game").click()
    assert _names(page) == ["Bo", "Sage", "Thyme"]
    assert page.locator(".studio-project").inner_text() == "Marsh"
    assert "strength" not in (studio.project / "games/marsh/game.yaml").read_text().partition("herbs:")[0]
    page.goto(f"{studio.origin}/table?kind=marsh/herbs")
    newer = tmp_path / "herbs (2).csv"
    newer.write_text("Name,Strength\nSage,3\nRue,1\n", encoding="utf-8")
    page.get_by_label("Newer version").set_input_files(newer)
    dialog = page.get_by_role("dialog", name="Replace herbs.csv?")
    dialog.get_by_text("New (1): Rue").wait_for()
    assert dialog.get_by_text("Changed (1): Sage").is_visible()
    assert dialog.get_by_text("Gone (1): Thyme").is_visible()
    assert _faults_in_all_looks(page, "newer table") == []
    page.set_viewport_size({"width": 1280, "height": 720})
    dialog.get_by_role("button", name="Cancel").click()
    page.get_by_text("Nothing was changed.").wait_for()
    assert "Thyme" in (studio.project / "herbs.csv").read_text(encoding="utf-8")
    page.get_by_label("Newer version").set_input_files(newer)
    dialog.get_by_role("button", name="Replace").click()
    page.get_by_text("herbs.csv was replaced.").wait_for()
    page.locator(".ag-cell", has_text="Rue").first.wait_for()
    assert (studio.project / "herbs.csv").read_bytes() == newer.read_bytes()
    page.goto(studio.origin)
    assert _names(page) == ["Bo", "Sage", "Rue"]
    page.get_by_role("region", name="Last change").get_by_role("button", name="Undo").click()
    page.locator(".card-name", has_text="Thyme").wait_for()
    assert (studio.project / "herbs.csv").read_text(encoding="utf-8") == f"Name,Strength\n{sent['herbs.csv']}"
    page.locator(".card-name", has_text="Bo").click()
    wrong = tmp_path / "beasts.xlsx"
    wrong.write_bytes(b"x")
    page.get_by_label("Newer version").set_input_files(wrong)
    page.get_by_text("'beasts.xlsx' cannot replace beasts.csv; save it under that name").wait_for()


@pytest.mark.timeout(300)
def test_a_project_that_was_left_for_a_new_one_is_opened_again(page: Any, studio: RunningStudio) -> None:
    for name in ("Ember", "Frost"):
        page.goto(f"{studio.origin}/new")
        section = page.get_by_role("region", name="New project")
        section.get_by_label("Folder").fill(name.lower())
        section.get_by_label("Or a new game").fill(name)
        section.get_by_role("button", name="Create the project").click()
        page.locator(".studio-project").get_by_text(name).wait_for()
    page.get_by_test_id("search").fill("none of these")
    page.get_by_text("0 of 3 cards").wait_for()
    page.goto(f"{studio.origin}/new")
    assert not page.get_by_role("button", name="Open frost").is_visible()
    page.get_by_role("button", name="Open ember").click()
    page.locator(".studio-project").get_by_text("Ember").wait_for()
    page.get_by_text("3 of 3 cards").wait_for()
    assert page.get_by_test_id("search").input_value() == ""
    assert _faults_in_all_looks(page, "opened") == []


@pytest.mark.timeout(300)
def test_newer_spreadsheets_bring_columns_words_and_pictures(page: Any, studio: RunningStudio, tmp_path: Path) -> None:
    section = _section(page)
    (tmp_path / "herbs.csv").write_text("Name,Soil\nSage,Dry\nRue,Wet\nThyme,Dry\nMint,Wet\n", encoding="utf-8")
    section.locator("input[multiple]").set_input_files(tmp_path / "herbs.csv")
    section.get_by_label("Name of the game").fill("Marsh")
    section.get_by_role("button", name="Create the game").click()
    assert _names(page) == ["Sage", "Rue", "Thyme", "Mint"]
    page.goto(f"{studio.origin}/table?kind=marsh/herbs")
    newer, picture = tmp_path / "herbs (2).csv", tmp_path / "sage.png"
    newer.write_text("Name,Soil,Picture,Use\nSage,Dry,sage.png,tea\nRue,Salty,,\nThyme,Dry,,\n", encoding="utf-8")
    Image.new("RGB", (90, 70), "green").save(picture)
    page.get_by_label("Newer version").set_input_files([newer, picture])
    dialog = page.get_by_role("dialog", name="Replace herbs.csv?")
    dialog.get_by_text("Gone (1): Mint").wait_for()
    assert dialog.locator(".studio-fault").count() == 0
    dialog.get_by_label("'Salty' in the column 'Soil' is new").select_option("leave it as a mistake")
    dialog.get_by_text("'soil' must be Dry or Wet, not 'Salty'").wait_for()
    assert dialog.get_by_text("Gone (1): Mint").is_visible(), "a card with a mistake is not gone"
    dialog.get_by_label("'Salty' in the column 'Soil' is new").select_option("allow it")
    dialog.get_by_label("The column 'Use' is new").select_option("leave it out")
    dialog.locator(".studio-fault").wait_for(state="detached")
    dialog.get_by_role("button", name="Replace").click()
    page.get_by_text("herbs.csv was replaced. Saved as art/sage.png.").wait_for()
    page.locator(".ag-cell", has_text="Salty").first.wait_for()
    settings = (studio.project / "cardgen.yaml").read_text(encoding="utf-8")
    assert "Use: null" in settings
    assert "Salty" in (studio.project / "games/marsh/game.yaml").read_text(encoding="utf-8")
    page.goto(studio.origin)
    assert _names(page) == ["Sage", "Rue", "Thyme"]
    page.get_by_role("region", name="Last change").get_by_role("button", name="Undo").click()
    page.locator(".card-name", has_text="Mint").wait_for()
    assert "Salty" not in (studio.project / "games/marsh/game.yaml").read_text(encoding="utf-8")
    page.get_by_text("measured").wait_for(state="detached")
