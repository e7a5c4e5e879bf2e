"""What authors do in the studio, from the first page to a saved card."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest

from tests.journeys.conftest import CHARACTER, RunningStudio, running_studio, write_project

# Seconds from a key to the new picture at 1,000 cards; machines that run other work at the same time need more.
EDIT_SECONDS = float(os.environ.get("STUDIO_EDIT_SECONDS", "1.5"))


def _open(page: Any, studio: RunningStudio, number: int) -> Path:
    page.goto(studio.address(f"cards/scout-{number}.yaml"))
    page.wait_for_selector("[data-shown]")
    return studio.project / "cards" / f"scout-{number}.yaml"


def _type_after(page: Any, words: str, text: str) -> None:
    """Type a text behind some words in the editor."""
    page.locator(".cm-line", has_text=words).first.click()
    page.keyboard.press("End")
    page.keyboard.type(text)


def _shown(page: Any) -> str:
    return str(page.locator("[data-shown]").get_attribute("data-shown"))


def _wait_for_new_picture(page: Any, old: str) -> None:
    page.wait_for_function("old => document.querySelector('[data-shown]').dataset.shown !== old", arg=old)


def test_cards_are_searched_and_filtered(page: Any) -> None:
    cells = page.locator(".card-cell")
    assert cells.count() == 6
    page.get_by_label("Search").fill("scout 3")
    assert cells.all_inner_texts()[0].startswith("Scout 3")
    assert cells.count() == 1
    page.get_by_label("Search").fill("")
    page.get_by_label("Tag").select_option("odd")
    assert cells.count() == 3
    page.get_by_label("Search").fill("nothing like this")
    page.get_by_role("button", name="Clear filters").click()
    assert cells.count() == 6
    page.get_by_label("Cut line").check()
    page.wait_for_function("document.querySelector('.card-cell img').complete")
    assert "cut" in page.locator(".card-cell img").first.get_attribute("src")


def test_a_key_shows_the_card_anew_and_saving_keeps_comments(page: Any, studio: RunningStudio) -> None:
    file = _open(page, studio, 0)
    before, picture = file.read_text(encoding="utf-8"), _shown(page)
    _type_after(page, "name: Scout 0", " Bold")
    _wait_for_new_picture(page, picture)
    assert page.get_by_text("unsaved changes").is_visible()
    assert file.read_text(encoding="utf-8") == before
    page.keyboard.press("Control+s")
    page.get_by_text("saved", exact=True).wait_for()
    assert file.read_text(encoding="utf-8") == before.replace("Scout 0", "Scout 0 Bold")
    page.keyboard.press("Control+z")
    page.get_by_text("unsaved changes").wait_for()


def test_a_misspelled_key_is_corrected_by_its_quick_fix(page: Any, studio: RunningStudio) -> None:
    file = _open(page, studio, 1)
    good = file.read_text(encoding="utf-8")
    file.write_text(good.replace("weapons:", "weapns:"), encoding="utf-8")
    fix = page.get_by_label("Problems").get_by_role("button", name="Change to 'weapons'")
    fix.wait_for()
    assert page.locator(".problem-error").count() >= 1
    fix.click()
    page.locator(".problems li.error").first.wait_for(state="detached")
    page.get_by_role("button", name="Save").click()
    page.get_by_text("saved", exact=True).wait_for()
    assert file.read_text(encoding="utf-8") == good


def test_a_quick_fix_that_is_clicked_while_typing_waits_for_the_text(page: Any, studio: RunningStudio) -> None:
    file = _open(page, studio, 1)
    good = file.read_text(encoding="utf-8")
    file.write_text(good.replace("weapons:", "weapns:"), encoding="utf-8")
    fix = page.get_by_label("Problems").get_by_role("button", name="Change to 'weapons'")
    fix.wait_for()
    _type_after(page, "name: Scout 1", " Bold")
    fix.evaluate("button => button.click()")
    page.locator(".cm-content", has_text="weapons:").wait_for()
    page.get_by_role("button", name="Save").click()
    page.get_by_text("saved", exact=True).wait_for()
    assert file.read_text(encoding="utf-8") == good.replace("Scout 1", "Scout 1 Bold")
    file.write_text(good.replace("weapons:", "weapns:"), encoding="utf-8")
    fix.wait_for()
    _type_after(page, "weapns", "s")
    fix.evaluate("button => button.click()")
    page.get_by_text("the text has changed; this fix no longer applies").wait_for()
    file.write_text(good, encoding="utf-8")


def test_a_change_outside_while_editing_loses_nothing(page: Any, studio: RunningStudio) -> None:
    file = _open(page, studio, 2)
    text = file.read_text(encoding="utf-8")
    _type_after(page, "name: Scout 2", " Mine")
    page.get_by_text("unsaved changes").wait_for()
    file.write_text(text.replace("Scout 2", "Scout 2 Theirs"), encoding="utf-8")
    page.get_by_text("changed outside the studio").wait_for()
    page.get_by_role("button", name="Save").click()
    assert "Theirs" in file.read_text(encoding="utf-8")
    page.get_by_text("Show the differences").click()
    page.get_by_text("+name: Scout 2 Mine").wait_for()
    page.get_by_role("button", name="Keep my text").click()
    page.get_by_role("button", name="Save").click()
    page.get_by_text("saved", exact=True).wait_for()
    assert "name: Scout 2 Mine" in file.read_text(encoding="utf-8")


def test_a_text_that_is_not_saved_survives_a_reload(page: Any, studio: RunningStudio) -> None:
    file = _open(page, studio, 3)
    _type_after(page, "name: Scout 3", " Draft")
    page.get_by_text("unsaved changes").wait_for()
    _open(page, studio, 3)
    page.locator(".cm-line", has_text="Scout 3 Draft").wait_for()
    file.write_text(file.read_text(encoding="utf-8").replace("Scout 3", "Scout 3 Theirs"), encoding="utf-8")
    page.get_by_role("button", name="Use the file's text").click()
    page.locator(".cm-line", has_text="Scout 3 Theirs").wait_for()
    page.get_by_text("saved", exact=True).wait_for()
    assert page.locator(".cm-line", has_text="Draft").count() == 0


def test_without_its_token_the_studio_stays_closed(browser: Any, studio: RunningStudio) -> None:
    context = browser.new_context()
    stranger = context.new_page()
    for address in (
        studio.origin,
        f"{studio.origin}/?token=guess",
        f"{studio.origin}/face?key=warniris/character/scout-0",
    ):
        answer = stranger.goto(address)
        assert answer.status == 403
        assert "Scout" not in stranger.content()
    context.close()


def test_files_outside_the_project_are_not_shown(page: Any, studio: RunningStudio) -> None:
    (studio.project.parent / "secret.yaml").write_text("name: Secret Word\n", encoding="utf-8")
    for file in ("../secret.yaml", "/etc/passwd", "cardgen.yaml"):
        page.goto(studio.address(file))
        page.locator("[role=alert]", has_text=file).wait_for()
        assert "Secret Word" not in page.content()


def test_a_new_card_is_made_and_shown(page: Any, studio: RunningStudio) -> None:
    page.get_by_role("button", name="New card").click()
    page.wait_for_function("document.activeElement.dataset.testid === 'name'")
    page.keyboard.type("Bone Key")
    page.keyboard.press("Enter")
    page.wait_for_url("**/edit?file=cards%2Fbone-key.yaml")
    page.wait_for_selector("[data-shown]")
    assert (studio.project / "cards" / "bone-key.yaml").exists()


def test_a_card_is_found_changed_and_saved_by_keyboard(page: Any, studio: RunningStudio) -> None:
    page.keyboard.press("/")
    page.keyboard.type("scout 4")
    page.locator(".card-cell").nth(1).wait_for(state="detached")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-shown]")
    picture = _shown(page)
    for _ in range(100):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.classList.contains('cm-content')"):
            break
    page.keyboard.press("Control+End")
    page.keyboard.type("motto: By hand.")
    _wait_for_new_picture(page, picture)
    page.keyboard.press("Control+s")
    page.get_by_text("saved", exact=True).wait_for()
    assert (studio.project / "cards" / "scout-4.yaml").read_text(encoding="utf-8").endswith("motto: By hand.")


def test_a_cards_text_cannot_run_scripts(page: Any, studio: RunningStudio) -> None:
    file = studio.project / "cards" / "scout-5.yaml"
    text = file.read_text(encoding="utf-8")
    evil = "<img src=x onerror=document.title=1>"
    file.write_text(text.replace("name: Scout 5", f"name: {evil}\nnote: '{{{{ 7 * 7 }}}}'"), encoding="utf-8")
    _open(page, studio, 5)
    page.goto(studio.origin)
    page.locator(".card-name", has_text="<img").wait_for()
    page.wait_for_timeout(300)
    assert page.title().startswith("Cards")


@pytest.mark.timeout(300)
def test_a_thousand_cards(browser: Any, tmp_path: Path) -> None:
    with running_studio(write_project(tmp_path / "thousand", 1000)) as studio:
        page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
        page.set_default_timeout(60_000)
        page.goto(studio.url)
        page.wait_for_selector(".cards-grid img")
        page.wait_for_function("document.querySelectorAll('.card-cell').length === 1000")
        page.get_by_label("Search").fill("scout 99")
        assert page.locator(".card-cell").count() == 19
        _open(page, studio, 500)
        page.wait_for_function("/\\d/.test(document.querySelector('[data-testid=problem-count]').textContent)")
        times = []
        for letter in "abcdef":
            picture, started = _shown(page), time.perf_counter()
            _type_after(page, "name: Scout 500", letter)
            _wait_for_new_picture(page, picture)
            times.append(time.perf_counter() - started)
        print(f"edit to picture: {', '.join(f'{each * 1000:.0f}' for each in times)} ms")
        assert sorted(times)[len(times) // 2] < EDIT_SECONDS
        page.context.close()


@pytest.mark.parametrize("path", ["edit?file=cards/long.yaml", "template?file=templates/warniris/long.svg.j2"])
def test_a_long_text_scrolls_in_its_own_pane(page: Any, studio: RunningStudio, path: str) -> None:
    card = CHARACTER.format(number="Long", tag="long") + "# more\n" * 200
    for file, text in {"cards/long.yaml": card, "templates/warniris/long.svg.j2": "<svg/>\n" * 200}.items():
        (studio.project / file).parent.mkdir(parents=True, exist_ok=True)
        (studio.project / file).write_text(text, encoding="utf-8")
    page.goto(f"{studio.origin}/{path}")
    page.locator(".cm-line", has_text="more" if "edit" in path else "svg").first.wait_for()
    bottom = "document.querySelector('.edit-code').getBoundingClientRect().bottom"
    assert page.evaluate(f"{bottom} <= innerHeight && document.documentElement.scrollHeight <= innerHeight + 40")
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.querySelector('.edit-code').getBoundingClientRect().height <= innerHeight")
