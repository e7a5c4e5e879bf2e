"""2,000 cards as pictures and as a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.journeys.conftest import RunningStudio, running_studio
from tests.journeys.test_table import cell, focus, offered, paste

_CARD = "  - {{name: Lamp {number}, text: It shines., motto: Number {number}.}}\n"
_WATCH = """() => {
  window.pauses = [];
  const observer = new PerformanceObserver((list) => pauses.push(...list.getEntries().map((each) => each.duration)));
  observer.observe({ type: "longtask" });
}"""


@pytest.fixture
def studio(browser: Any, tmp_path: Path) -> Iterator[RunningStudio]:
    folder = tmp_path / "lamps"
    (folder / "cards").mkdir(parents=True)
    (folder / "cardgen.yaml").write_text("game: warniris\n", encoding="utf-8")
    for file in range(20):
        cards = "".join(_CARD.format(number=file * 100 + number) for number in range(100))
        (folder / "cards" / f"{file:02}.yaml").write_text(f"kind: relic\ncards:\n{cards}", encoding="utf-8")
    with running_studio(folder) as started:
        yield started


def test_keys_and_filters_of_two_thousand_pictures_do_not_stop_the_page(page: Any, studio: RunningStudio) -> None:
    page.goto(studio.origin)
    count, limit = page.get_by_test_id("count"), 1_500  # ms; on a quiet machine, these pauses are of 100 at most
    count.get_by_text("2000 of 2000 cards").wait_for()
    page.wait_for_function("document.querySelectorAll('.cards-grid > li').length === 2000")
    page.evaluate(_WATCH)
    page.locator(".card-cell").first.focus()
    columns = page.evaluate(
        "getComputedStyle(document.querySelector('.cards-grid')).gridTemplateColumns.split(' ').length"
    )
    for key, place in (("ArrowDown", columns), ("ArrowRight", columns + 1), ("ArrowUp", 1), ("ArrowLeft", 0)):
        page.keyboard.press(key)
        assert page.evaluate("document.activeElement.dataset.key") == f"warniris/relic/lamp-{place}"
    assert max(page.evaluate("pauses.splice(0)"), default=0) < limit
    page.get_by_test_id("search").fill("lamp-17")
    count.get_by_text("111 of 2000 cards").wait_for()
    assert page.locator(".card-name").first.inner_text() == "Lamp 17"
    page.get_by_test_id("search").fill("")
    count.get_by_text("2000 of 2000 cards").wait_for()
    page.locator(".card-corner input").first.evaluate("box => box.click()")
    picked = page.get_by_test_id("picked")
    assert picked.get_by_text("Delete …").is_visible()
    picked.get_by_text("Select all shown").click()
    picked.get_by_text("Select at most 1000 to change, print, or export them.").wait_for()
    assert not picked.get_by_text("Delete …").is_visible()
    picked.get_by_text("Select none").click()
    page.get_by_test_id("back").check()
    page.locator("img[alt='Back of Lamp 0']").wait_for()
    assert max(page.evaluate("pauses.splice(0)"), default=0) < limit
    page.evaluate("scrollTo(0, 1e6)")
    page.locator("img[alt='Back of Lamp 1999']").wait_for()
    assert page.locator(".card-cell img").count() < 500


def test_two_thousand_cards_are_sorted_filtered_and_pasted_into(
    page: Any, studio: RunningStudio, record_testsuite_property: Callable[[str, object], None]
) -> None:
    """The longest pause of each step, in ms, is recorded; a busy machine is no mistake."""

    def pause(step: str) -> None:
        record_testsuite_property(step, max(page.evaluate("pauses.splice(0)"), default=0))

    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{studio.origin}/table")
    page.get_by_test_id("count").get_by_text("2000 of 2000 cards").wait_for()
    page.evaluate(_WATCH)
    page.locator("[role=columnheader][col-id=motto]").click()
    page.locator("[role=columnheader][col-id=motto][aria-sort=ascending]").wait_for()
    pause("sort")
    page.get_by_test_id("search").fill("number 1777.")
    page.get_by_test_id("count").get_by_text("1 of 2000 cards").wait_for()
    page.get_by_test_id("search").fill("")
    page.get_by_test_id("count").get_by_text("2000 of 2000 cards").wait_for()
    pause("filter")
    assert page.locator(".ag-center-cols-container .ag-row").count() < 100
    focus(page, "Lamp 0", "text")
    paste(page, "\n".join(f"It burns {number} times." for number in range(1_000)))
    cell(page, "Lamp 0", "text").get_by_text("It burns 0 times.").wait_for()
    pause("paste")
    offered(page, "Pasted 1000 cells")
    texts = [path.read_text(encoding="utf-8") for path in sorted((studio.project / "cards").glob("*.yaml"))]
    assert sum(text.count("It burns") for text in texts) == 1_000
    page.get_by_role("region", name="Last change").get_by_role("button", name="Undo").click()
    cell(page, "Lamp 0", "text").get_by_text("It shines.").wait_for(timeout=90_000)
    pause("undo")
