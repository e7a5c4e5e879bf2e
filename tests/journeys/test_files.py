"""Files that change, go away, or cannot be written while the studio shows them; and two windows at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.journeys.conftest import CHARACTER, RunningStudio, running_studio, write_project

# What is done with a grid of 1,000 cards, and the number of cards that it shows then.
GRID_ACTS: dict[str, tuple[Callable[[Any], object], int]] = {
    "search": (lambda page: page.get_by_label("Search").fill("scout 99"), 19),
    "all": (lambda page: page.get_by_label("Search").fill(""), 1000),
    "filter": (lambda page: page.get_by_label("Tag").select_option("odd"), 500),
    "unfilter": (lambda page: page.get_by_label("Tag").select_option(""), 1000),
}
CELLS = "document.querySelectorAll('.card-cell').length"
PICTURE_IN_SIGHT = """[...document.querySelectorAll('.card-cell img')].some(each => {
    const {top, bottom} = each.getBoundingClientRect();
    return bottom > 0 && top < innerHeight && each.complete && each.naturalWidth; })"""


def scroll(page: Any, part: float) -> None:
    page.evaluate(f"scrollTo(0, Math.round({part} * (document.documentElement.scrollHeight - innerHeight)))")


def open_file(page: Any, studio: RunningStudio, number: int) -> Path:
    page.goto(studio.address(f"cards/scout-{number}.yaml"))
    page.wait_for_selector("[data-shown]")
    return studio.project / "cards" / f"scout-{number}.yaml"


def type_after(page: Any, words: str, text: str) -> None:
    page.locator(".cm-line", has_text=words).first.click()
    page.keyboard.press("End")
    page.keyboard.type(text)


def save(page: Any) -> None:
    page.keyboard.press("Control+s")
    page.get_by_text("saved", exact=True).wait_for()


def test_two_windows_show_what_one_of_them_saves(page: Any, studio: RunningStudio) -> None:
    file = open_file(page, studio, 0)
    other = page.context.new_page()
    grid = page.context.new_page()
    open_file(other, studio, 0)
    grid.goto(studio.origin)
    grid.wait_for_selector(".cards-grid img")
    type_after(page, "name: Scout 0", " the Bold")
    save(page)
    other.locator(".cm-line", has_text="Scout 0 the Bold").wait_for()
    grid.locator(".card-name", has_text="Scout 0 the Bold").wait_for()
    type_after(other, "the Bold", "er")
    save(other)
    page.locator(".cm-line", has_text="the Bolder").wait_for()
    assert "Scout 0 the Bolder" in file.read_text(encoding="utf-8")


def test_two_windows_that_change_a_file_overwrite_nothing(page: Any, studio: RunningStudio) -> None:
    file = open_file(page, studio, 1)
    other = page.context.new_page()
    open_file(other, studio, 1)
    type_after(page, "name: Scout 1", " One")
    type_after(other, "S: 4", " ")
    type_after(other, "name: Scout 1", " Two")
    save(page)
    other.get_by_text("changed outside the studio").wait_for()
    other.keyboard.press("Control+s")
    other.locator(".cm-line", has_text="Scout 1 Two").wait_for()
    assert "Scout 1 One\n" in file.read_text(encoding="utf-8")
    other.get_by_role("button", name="Use the file's text").click()
    other.locator(".cm-line", has_text="Scout 1 One").wait_for()


def test_changes_of_different_values_in_two_windows_and_outside_are_merged(page: Any, studio: RunningStudio) -> None:
    file = open_file(page, studio, 0)
    other = page.context.new_page()
    open_file(other, studio, 0)
    name = file.read_text(encoding="utf-8").split("name: ")[1].split("\n")[0]
    type_after(other, "- name: Lamp", " of Mine")
    other.get_by_text("unsaved changes").wait_for()
    type_after(page, f"name: {name}", " Won")
    save(page)
    other.locator(".cm-line", has_text=f"name: {name} Won").wait_for()
    other.get_by_text("Changes from outside the studio were added to your text").wait_for()
    file.write_text(file.read_text(encoding="utf-8").replace("M: 3", "M: 5"), encoding="utf-8")
    other.locator(".cm-line", has_text="M: 5").wait_for()
    assert not other.get_by_text("Show the differences").count()
    save(other)
    page.locator(".cm-line", has_text="Lamp of Mine").wait_for()
    text = file.read_text(encoding="utf-8")
    assert f"name: {name} Won\n" in text
    assert "name: Lamp of Mine\n" in text
    assert "M: 5, " in text


def test_a_file_that_is_deleted_outside_keeps_its_text_in_the_window(page: Any, studio: RunningStudio) -> None:
    file = open_file(page, studio, 2)
    text = file.read_text(encoding="utf-8")
    type_after(page, "name: Scout 2", " Lost")
    page.get_by_text("unsaved changes").wait_for()
    file.unlink()
    page.get_by_text("was deleted outside the studio").wait_for()
    page.get_by_role("button", name="Keep my text").click()
    save(page)
    assert file.read_text(encoding="utf-8") == text.replace("Scout 2", "Scout 2 Lost")


def test_a_file_that_is_deleted_outside_can_be_written_again(page: Any, studio: RunningStudio) -> None:
    file = open_file(page, studio, 2)
    text = file.read_text(encoding="utf-8")
    file.unlink()
    page.locator("[role=alert]", has_text="was deleted outside the studio").wait_for()
    page.get_by_role("button", name="Keep my text").click()
    save(page)
    assert file.read_text(encoding="utf-8") == text


def test_a_file_with_a_byte_order_mark_and_windows_line_breaks_keeps_them(page: Any, studio: RunningStudio) -> None:
    file = studio.project / "cards" / "scout-3.yaml"
    text = "\ufeff" + CHARACTER.format(number=3, tag="odd").replace("\n", "\r\n")
    file.write_bytes(text.encode())
    file.chmod(0o640)
    open_file(page, studio, 3)
    type_after(page, "name: Scout 3", " Marked")
    page.get_by_text("unsaved changes").wait_for()  # until then, the page still says that the text is saved
    save(page)
    assert file.read_bytes().decode() == text.replace("Scout 3", "Scout 3 Marked")
    assert file.stat().st_mode & 0o777 == 0o640


def test_a_read_only_file_is_not_overwritten_and_the_text_is_kept(page: Any, studio: RunningStudio) -> None:
    file = open_file(page, studio, 4)
    text = file.read_text(encoding="utf-8")
    file.chmod(0o444)
    type_after(page, "name: Scout 4", " Mine")
    page.keyboard.press("Control+s")
    page.locator("[role=alert]", has_text="read-only").first.wait_for()
    assert file.read_text(encoding="utf-8") == text
    open_file(page, studio, 4)
    page.locator(".cm-line", has_text="Scout 4 Mine").wait_for()
    file.chmod(0o644)
    save(page)
    assert "Scout 4 Mine" in file.read_text(encoding="utf-8")


def test_a_file_that_is_not_text_is_refused_with_the_reason(page: Any, studio: RunningStudio) -> None:
    folder = studio.project / "cards"
    (folder / "latin.yaml").write_bytes("kind: relic\nname: Ca\xf1on\n".encode("latin-1"))
    (folder / "huge.yaml").write_bytes(b"# " + b"x" * (1 << 21))
    for name, reason in (("latin", "UTF-8"), ("huge", "too large")):
        page.goto(studio.address(f"cards/{name}.yaml"))
        page.locator("[role=alert]", has_text=reason).wait_for()
        assert page.get_by_role("link", name="Back to the cards").is_visible()
        assert page.locator(".cm-line").count() == 0
        (folder / f"{name}.yaml").unlink()


def test_cards_come_and_go_with_their_files(page: Any, studio: RunningStudio) -> None:
    page.goto(studio.origin)
    page.wait_for_selector(".cards-grid img")
    file = studio.project / "cards" / "late.yaml"
    file.write_text(CHARACTER.format(number="Late", tag="odd"), encoding="utf-8")
    page.locator(".card-name", has_text="Scout Late").wait_for()
    file.rename(file.with_name("later.yaml"))
    page.locator('.card-cell[href*="later.yaml"]').wait_for()
    assert page.locator(".card-name", has_text="Scout Late").count() == 1
    file.with_name("later.yaml").unlink()
    page.locator(".card-name", has_text="Scout Late").wait_for(state="detached")
    assert page.get_by_test_id("count").inner_text().startswith("6 of 6 cards")


def test_cards_that_cannot_be_read_stay_in_the_grid_and_lead_to_the_line(page: Any, studio: RunningStudio) -> None:
    page.goto(studio.origin)
    page.wait_for_selector(".cards-grid img")
    file = studio.project / "cards" / "scout-5.yaml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("stats: {", "stats: ["), encoding="utf-8")
    page.locator(".card-cell.unread", has_text="Scout 5").locator("img").wait_for()
    page.get_by_label("Findings").select_option("error")
    assert page.locator(".card-cell").all_inner_texts()[0].startswith("Scout 5")
    page.get_by_role("link", name="cards/scout-5.yaml, line 6").click()
    page.wait_for_selector(".cm-line")
    page.go_back()
    file.write_text(text, encoding="utf-8")
    page.locator(".card-cell.unread").wait_for(state="detached")
    page.locator("[data-testid=unread-files]").wait_for(state="detached")
    page.get_by_label("Findings").select_option("")


def test_odds_and_battles_go_on_without_a_file_that_cannot_be_read_and_say_so(page: Any, studio: RunningStudio) -> None:
    file = studio.project / "cards" / "scout-5.yaml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("stats: {", "stats: ["), encoding="utf-8")
    bar = page.locator(".bar", has_text="cannot be read, so their cards are missing")
    for view, there in (("play", "New battle"), ("rules", "Scout 0")):
        page.goto(f"{studio.origin}/{view}")
        bar.get_by_role("link", name="cards/scout-5.yaml, line 6").wait_for()
        page.get_by_text(there).first.wait_for(state="attached")
    file.write_text(text, encoding="utf-8")
    bar.wait_for(state="hidden")
    assert page.get_by_role("link", name="cards/scout-5.yaml, line 6").count() == 0


@pytest.fixture(scope="module")
def thousand(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, RunningStudio]]:
    project = write_project(tmp_path_factory.mktemp("thousand") / "thousand", 1000)
    with running_studio(project) as studio:
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.goto(studio.url)
        page.wait_for_selector(".cards-grid img")
        yield page, studio
        context.close()


@pytest.mark.timeout(300)
def test_a_thousand_cards_are_scrolled_searched_and_filtered(thousand: tuple[Any, RunningStudio]) -> None:
    page, _ = thousand
    for act, count in GRID_ACTS.values():
        act(page)
        page.wait_for_function(f"{CELLS} === {count}")
        assert page.get_by_test_id("count").inner_text().startswith(f"{count} of 1000 cards")
    for part in (0.25, 0.5, 1.0):
        scroll(page, part)
        page.wait_for_function(PICTURE_IN_SIGHT)
