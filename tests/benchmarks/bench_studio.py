"""Benchmark of the studio's grid of 1,000 cards in a real browser; it needs the extra `journeys` and Chromium."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from tests.benchmarks.measure import Row
from tests.journeys.conftest import launch, running_studio, write_project
from tests.journeys.test_files import CELLS, GRID_ACTS, PICTURE_IN_SIGHT, scroll

CARDS, TIMES, LIMIT = 1000, 3, 0.3
NOTE = "Processor time of the page's main thread, which other programs do not change much; the best of three counts."


def _grid(folder: Path) -> Iterator[Row]:
    """Yield what was done, the processor time of the page, its unit, and its upper limit."""
    try:
        from playwright.sync_api import Error, sync_playwright
    except ImportError:
        return
    with sync_playwright() as driver:
        try:
            browser = launch(driver)
        except Error:
            return
        with running_studio(write_project(folder / "thousand", CARDS)) as studio:
            page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
            page.set_default_timeout(60_000)
            page.goto(studio.url)
            page.wait_for_selector(".cards-grid img")
            yield from _of_grid(page)
            browser.close()


def _of_grid(page: Any) -> Iterator[Row]:
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    best: dict[str, float] = {}

    def used() -> float:
        metrics = {each["name"]: each["value"] for each in session.send("Performance.getMetrics")["metrics"]}
        return float(metrics["TaskDuration"])

    def measure(name: str, act: Callable[[], object], shown: str) -> None:
        before = used()
        act()
        page.wait_for_function(shown)
        best[name] = min(best.get(name, 1e9), used() - before)

    for _ in range(TIMES):
        for name, (act, count) in GRID_ACTS.items():
            measure(name, partial(act, page), f"{CELLS} === {count}")
    for part in (0.25, 0.5, 1.0):
        measure("scroll", partial(scroll, page, part), PICTURE_IN_SIGHT)
    for name, seconds in best.items():
        yield f"studio: {name} in a grid of {CARDS:,} cards", seconds, "s", LIMIT


PARTS = {"grid": _grid}
