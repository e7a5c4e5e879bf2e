"""What translators do in the studio: see a card in their language, find what is missing, and write it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.journeys.conftest import RunningStudio, running_studio, write_project

GERMAN = """\
# Translated by Ida.
translations:
  scout-0:
    name: Späher 0
    abilities/0/name: Funzel
    source:
      name: Scout 0
      abilities/0/name: Torch
"""
FILE = "cards/scout-0.de.yaml"


@pytest.fixture(scope="module")
def studio(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningStudio]:
    folder = write_project(tmp_path_factory.mktemp("translations") / "scouts", 3)
    (folder / "cardgen.yaml").write_text("game: warniris\nlanguage: en\nlanguages: [de, fr]\n", encoding="utf-8")
    (folder / FILE).write_text(GERMAN, encoding="utf-8")
    with running_studio(folder) as started:
        yield started


def _picture(page: Any) -> str:
    page.wait_for_function("document.querySelector('.card-view').dataset.shown")
    return str(page.locator(".card-view").get_attribute("data-shown"))


def _wait_for_other_picture(page: Any, old: str) -> None:
    page.wait_for_function("old => document.querySelector('.card-view').dataset.shown !== old", arg=old)


def _german(page: Any, label: str) -> Any:
    return page.get_by_label(f"{label} in Deutsch", exact=True)


def test_cards_that_lack_a_translation_are_found(page: Any) -> None:
    page.locator("[data-testid=gaps]", has_text="translate: de, fr").nth(2).wait_for()
    page.get_by_test_id("gap").select_option("de")
    page.locator("[data-testid=gaps]", has_text="de: 2 missing, 1 stale").wait_for()
    page.locator("a.card-cell", has_text="Scout 0").click()
    _german(page, "Text").wait_for()
    assert page.get_by_test_id("language").input_value() == "de"


def test_the_picture_changes_its_language(page: Any, studio: RunningStudio) -> None:
    page.goto(studio.address("cards/scout-0.yaml"))
    pictures = [_picture(page)]
    for language in ("de", "en-XA", "ar-XB"):
        page.get_by_test_id("language").select_option(language)
        _wait_for_other_picture(page, pictures[-1])
        pictures.append(_picture(page))
    assert len({*pictures}) == 4
    assert page.locator(".translation").count() == 0  # nobody writes those of a pseudo-language
    page.get_by_test_id("language").select_option("")
    _wait_for_other_picture(page, pictures[-1])
    assert _picture(page) == pictures[0]


def test_a_translation_is_written_beside_its_source(page: Any, studio: RunningStudio) -> None:
    page.goto(f"{studio.address('cards/scout-0.yaml')}&language=de")
    text = _german(page, "Text")
    text.wait_for()
    source = page.get_by_label("Text", exact=True)
    assert source.bounding_box()["y"] == pytest.approx(text.bounding_box()["y"], abs=12)  # side by side
    assert source.bounding_box()["x"] < text.bounding_box()["x"]
    old = _picture(page)
    text.fill("Freunde bis 8 cm haben +1 Geist.")
    text.press("Tab")
    page.locator(".translation.translated", has=text).wait_for()
    _wait_for_other_picture(page, old)
    written = (studio.project / FILE).read_text(encoding="utf-8")
    assert written.startswith("# Translated by Ida.\n")
    assert "    abilities/0/text: Freunde bis 8 cm haben +1 Geist.\n" in written
    assert "      abilities/0/text: Friends within 8 cm have +1 Spirit.\n" in written
    page.get_by_role("button", name="Undo", exact=True).click()
    page.locator(".translation.missing", has=text).wait_for()
    assert text.input_value() == ""
    assert (studio.project / FILE).read_text(encoding="utf-8") == GERMAN


def test_a_stale_translation_is_accepted(page: Any, studio: RunningStudio) -> None:
    page.goto(f"{studio.address('cards/scout-0.yaml')}&language=de")
    page.get_by_text("Translated from: Torch").wait_for()
    page.get_by_role("button", name="Still right").click()
    page.locator(".translation.stale").wait_for(state="detached")
    assert "      abilities/0/name: Lamp\n" in (studio.project / FILE).read_text(encoding="utf-8")
    page.get_by_role("button", name="Undo", exact=True).click()
    page.locator(".translation.stale").wait_for()


def test_what_cannot_be_a_translation_is_refused_at_its_field(page: Any, studio: RunningStudio) -> None:
    page.goto(f"{studio.address('cards/scout-0.yaml')}&language=de")
    name = page.locator("[data-path='[\"name\"]'] .translation")
    name.locator("textarea").fill("Späher " * 200)
    name.locator("textarea").press("Control+s")
    name.get_by_role("alert").filter(has_text="'name' can have").wait_for()
    assert (studio.project / FILE).read_text(encoding="utf-8") == GERMAN
    name.locator("textarea").fill("Späher 0")
    name.locator("textarea").press("Tab")
    name.get_by_role("alert").wait_for(state="detached")


def test_a_phone_shows_source_and_translation_one_above_the_other(page: Any, studio: RunningStudio) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{studio.address('cards/scout-0.yaml')}&language=de")
    text = _german(page, "Text")
    text.wait_for()
    source = page.get_by_label("Text", exact=True)
    assert source.bounding_box()["y"] < text.bounding_box()["y"] - 20
    assert page.evaluate("document.documentElement.scrollWidth") == 390
