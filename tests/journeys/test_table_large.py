"""A table of 2,000 cards."""

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
    cell(page, "Lamp 0", "text").get_by_text("It shines.").wait_for()
    pause("undo")
