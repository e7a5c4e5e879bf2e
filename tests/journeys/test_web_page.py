"""The web page of cards in a real browser: its keyboard, its address, and its filters."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cardgen.print.request import BuildRequest
from cardgen.target.job import ExportRequest, export
from tests.journeys.test_access import faults

CARDS = """\
kind: minion
cards:
  - {name: Étoile Noire, stats: {M: 1, B: 2, S: 2, W: 1, Mo: 10}, tags: [sky, rare], motto: It shines.}
  - {name: Brute, stats: {M: 4, B: 5, S: 1, W: 2, Mo: 8}, tags: [earth]}
  - {name: Adder, stats: {M: 2, B: 2, S: 2, W: 1, Mo: 14}, tags: [earth, rare]}
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("collection")
    (root / "cards").mkdir()
    (root / "cardgen.yaml").write_text("game: warniris\n", encoding="utf-8")
    (root / "cards" / "minions.yaml").write_text(CARDS, encoding="utf-8")
    for folder in (False, True):
        request = BuildRequest(output=root / f"{folder}", folder=root, jobs=1, cache=False)
        export(ExportRequest("web", request, {"dpi": 60, "folder": folder}))
    return root / "False" / "index.html"


@pytest.fixture
def page(browser: Any, file: Path) -> Iterator[Any]:
    """A window with the page; messages of its policy and errors of its script fail the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    window = context.new_page()
    window.set_default_timeout(15_000)
    errors: list[str] = []
    window.on("pageerror", lambda error: errors.append(str(error)))
    window.on("console", lambda message: errors.append(message.text))
    window.on("request", lambda request: errors.append(request.url) if request.url.startswith("http") else None)
    window.goto(file.as_uri())
    yield window
    context.close()
    assert errors == []


def shown(page: Any) -> list[str]:
    return [each.inner_text() for each in page.locator("#cards > li:visible .name").all()]


def test_search_filters_and_order_are_kept_in_the_address(page: Any) -> None:
    assert shown(page) == ["Étoile Noire", "Brute", "Adder"]
    page.get_by_label("Search").fill("ETOILE noi")
    assert shown(page) == ["Étoile Noire"]
    page.get_by_label("Search").fill("shines")
    assert (shown(page), page.locator("#count").inner_text()) == (["Étoile Noire"], "1 of 3 cards")
    page.get_by_role("button", name="Clear all", exact=True).click()
    page.locator("#fields summary", has_text="Tags").click()
    page.get_by_label("Rare").check()
    page.locator("#fields summary", has_text="Movement").click()
    page.get_by_label("Movement from").fill("11")
    assert shown(page) == ["Adder"]
    assert page.locator("#fields label", has_text="Earth").inner_text().split() == ["Earth", "1"]
    page.get_by_label("Movement from").fill("")
    page.get_by_label("Sort").select_option("name")
    assert shown(page) == ["Adder", "Étoile Noire"]
    page.get_by_label("Sort").select_option("Mind")
    page.get_by_label("Descending").check()
    assert shown(page) == ["Adder", "Étoile Noire"]
    address = page.evaluate("location.hash")
    page.goto("about:blank")
    page.go_back()
    page.reload()
    assert page.evaluate("location.hash") == address
    assert shown(page) == ["Adder", "Étoile Noire"]
    assert page.get_by_label("Rare").is_checked()


def test_an_address_that_makes_no_sense_shows_all_cards(page: Any, file: Path) -> None:
    for state in ("%", "card=nobody&sort=nothing&f.tags=Nowhere&f.stats.movement=a..b&f.no=1&view=other", "minion.%zz"):
        page.goto("about:blank")
        page.goto(f"{file.as_uri()}#{state}")
        assert shown(page) == ["Étoile Noire", "Brute", "Adder"]
    page.goto(f"{file.as_uri()}#minion.brute")
    page.get_by_role("dialog", name="Brute").wait_for()


def test_the_large_view_works_by_keyboard(page: Any) -> None:
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the cards"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Étoile Noire")
    dialog.wait_for()
    assert dialog.get_by_role("img", name="Étoile Noire, front").count() == 1
    assert dialog.get_by_role("img", name="Étoile Noire, back").bounding_box()["height"] > 100
    assert "It shines." in dialog.inner_text()
    assert dialog.get_by_role("button", name="Previous card").is_disabled()
    page.keyboard.press("ArrowRight")
    page.get_by_role("dialog", name="Brute").wait_for()
    page.keyboard.press("End")
    page.get_by_role("dialog", name="Adder").wait_for()
    assert page.locator("#large-place").inner_text() == "3 of 3"
    assert "card=minion.adder" in page.evaluate("location.hash")
    page.reload()
    page.get_by_role("dialog", name="Adder").wait_for()
    page.keyboard.press("Escape")
    page.wait_for_function("document.activeElement.getAttribute('href') === '#minion.adder'")
    assert page.get_by_role("dialog").count() == 0
    assert "card=" not in page.evaluate("location.hash")


def test_rows_of_the_collection_lead_to_their_cards(page: Any) -> None:
    page.get_by_role("link", name="Collection").click()
    assert not page.locator("#browse").is_visible()
    page.get_by_role("table", name="Tags").get_by_role("link", name="Earth").click()
    page.locator("#cards").wait_for()
    assert shown(page) == ["Brute", "Adder"]
    page.go_back()
    page.locator("#collection").wait_for()


def test_all_cards_are_there_without_javascript(browser: Any, file: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(file.as_uri())
    assert shown(page) == ["Étoile Noire", "Brute", "Adder"]
    page.get_by_role("link", name="Étoile Noire").click()
    assert page.get_by_text("It shines.").is_visible()
    assert page.locator("#minion\\.etoile-noire .back").is_visible()
    assert page.get_by_role("table", name="Tags").is_visible()
    context.close()


def test_pictures_beside_the_page_are_loaded(browser: Any, file: Path) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto((file.parents[1] / "True" / "index.html").as_uri())
    page.wait_for_function("[...document.querySelectorAll('img.front')].every((each) => each.naturalWidth > 0)")
    assert page.locator("img.front").count() == len(shown(page)) == 3
    context.close()


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_axe_finds_no_grave_fault(page: Any, width: int, scheme: str) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    page.emulate_media(color_scheme=scheme)
    found = faults(page)
    page.locator("a.card").first.click()
    found += faults(page, "dialog")
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Collection").click()
    found += faults(page)
    assert found == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
