"""Boxes of a built-in template that is copied into the project, moved by hand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.journeys.conftest import RunningStudio, running_studio, write_project
from tests.journeys.test_access import faults

FILE = "templates/warniris/character.svg.j2"
PARTS = "templates/warniris/parts.svg.j2"


@pytest.fixture(scope="module")
def studio(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningStudio]:
    with running_studio(write_project(tmp_path_factory.mktemp("template") / "scouts", 3)) as started:
        yield started


def box(desk: Any, name: str) -> Any:
    return desk.locator(f'.layout-box[aria-label^="{name}: "]').first


def told(desk: Any, part: str) -> None:
    desk.wait_for_function(
        "part => document.querySelector('[data-testid=placed]')?.textContent.includes(part)", arg=part, timeout=60_000
    )


def open_copy(page: Any, studio: RunningStudio, name: str) -> None:
    if not (studio.project / "templates" / name).exists():
        page.goto(f"{studio.origin}/template")
        page.get_by_label("Layout or built-in template").select_option(name)
        page.get_by_role("button", name="Add to the project").click()
        page.wait_for_url(f"**{name.rpartition('/')[2]}*")
    else:
        page.goto(f"{studio.origin}/template?file=templates/{name}")
    page.wait_for_selector(".layout-box", timeout=60_000)


def text_of(studio: RunningStudio, file: str) -> str:
    return (studio.project / file).read_text(encoding="utf-8")


def changed(page: Any) -> None:
    """Wait until a gesture is in the text."""
    page.wait_for_function(
        "[...document.querySelectorAll('button')].some(each => each.textContent.includes('Discard') && !each.disabled)",
        timeout=60_000,
    )


def saved(page: Any, studio: RunningStudio, file: str) -> str:
    """Save the text, and return it."""
    changed(page)
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_text("saved", exact=True).wait_for()
    return text_of(studio, file)


def test_a_box_of_a_copied_template_is_dragged_and_put_back(page: Any, studio: RunningStudio) -> None:
    open_copy(page, studio, "warniris/character.svg.j2")
    before = text_of(studio, FILE)
    named = box(page, "field name")
    place = named.bounding_box()
    label = named.get_attribute("aria-label")
    x, y = place["x"] + place["width"] / 2, place["y"] + place["height"] / 2
    page.get_by_label("Snap").uncheck()
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 20, y + 30, steps=5)
    page.mouse.up()
    after = saved(page, studio, FILE)
    assert after != before
    assert re.sub(r"[-+ ().\d]", "", after) == re.sub(r"[-+ ().\d]", "", before)
    moved = named.bounding_box()
    assert moved["x"] - place["x"] == pytest.approx(20, abs=3)
    assert moved["y"] - place["y"] == pytest.approx(30, abs=3)
    page.get_by_test_id("undo").click()
    page.wait_for_function(
        "label => document.querySelector('.layout-box.chosen')?.ariaLabel === label", arg=label, timeout=60_000
    )
    assert saved(page, studio, FILE) == before


def test_numbers_are_typed_and_what_is_not_offered_is_told(page: Any, studio: RunningStudio) -> None:
    open_copy(page, studio, "warniris/character.svg.j2")
    box(page, "field name").click()
    page.get_by_test_id("left").fill("9")
    page.get_by_test_id("left").press("Enter")
    changed(page)
    told(page, ": x 9,")
    page.get_by_text("changed in the text").wait_for()
    for name in ("Add", "Delete", "Forward"):
        assert page.get_by_role("button", name=name, exact=True).count() == 0
    assert faults(page) == []
    page.get_by_test_id("undo").click()
    page.get_by_text("saved", exact=True).wait_for()


def test_a_path_is_refused_with_its_line(page: Any, studio: RunningStudio) -> None:
    open_copy(page, studio, "warniris/character.svg.j2")
    before = text_of(studio, FILE)
    path = page.locator('.layout-box[aria-label^="path of ground: "]').first
    path.focus()
    page.keyboard.press("ArrowRight")
    told(page, "warniris/parts.svg.j2, line")
    told(page, "copy it first")
    page.get_by_text("saved", exact=True).wait_for()
    assert text_of(studio, FILE) == before


def test_what_is_fixed_in_a_macro_moves_after_a_question(page: Any, studio: RunningStudio) -> None:
    open_copy(page, studio, "warniris/parts.svg.j2")
    before = text_of(studio, PARTS)
    lines = before.split("\n")
    frame = page.locator(
        '.layout-box[aria-label^="circle of ground: "], .layout-box[aria-label^="rect of ground: "]'
    ).first
    frame.focus()
    page.keyboard.press("ArrowRight")
    told(page, "3 cards would change")
    page.get_by_test_id("confirm").click()
    page.wait_for_function("!document.querySelector('[data-testid=confirm]')", timeout=60_000)
    told(page, "changed inside a macro")
    after = saved(page, studio, PARTS).split("\n")
    assert sum(one != other for one, other in zip(lines, after, strict=True)) == 1
    page.get_by_test_id("undo").click()
    assert saved(page, studio, PARTS) == before


def test_the_template_is_in_the_project(studio: RunningStudio) -> None:
    assert Path(studio.project / FILE).exists()
