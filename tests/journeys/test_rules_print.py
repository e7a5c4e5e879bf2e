"""What authors do in the studio besides cards: rules, print, templates, and new projects."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.decks import write_characters
from tests.journeys.conftest import RunningStudio, running_studio, write_project

RELIC = """\
format: 1
game: warniris
kind: relic
cards:
  - name: Salt Charm
    effects:
      - {when: activation_start, for: turn, bearer: {mind: +1}}
"""
WARBAND = """\
format: 1
game: warniris
kind: warband
name: Night Watch
members:
  - {character: scout-0, relic: salt-charm}
"""
TEMPLATE = "templates/warniris/relic.svg.j2"


@pytest.fixture(scope="module", autouse=True)
def _own_configuration(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Profiles of printers go to a folder of these tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))
        yield


@pytest.fixture(scope="module")
def studio(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningStudio]:
    project = write_project(tmp_path_factory.mktemp("studio") / "scouts", 3)
    (project / "cards" / "relics.yaml").write_text(RELIC, encoding="utf-8")
    (project / "cards" / "night.yaml").write_text(WARBAND, encoding="utf-8")
    with running_studio(project) as started:
        yield started


def _choose(page: Any, field: str, value: str) -> None:
    page.get_by_test_id(field).select_option(value)


def _replace_text(page: Any, text: str) -> None:
    """Put a text into the editor by keyboard, without the help of an editor that closes brackets."""
    page.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)


def test_a_new_project_becomes_a_printed_warband(
    browser: Any, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratch = tmp_path_factory.mktemp("scratch")
    monkeypatch.setenv("TMPDIR", str(scratch))
    with running_studio(tmp_path) as studio:
        page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
        page.set_default_timeout(40_000)
        page.goto(studio.url)
        page.get_by_test_id("name").fill("Night: Watch")
        _choose(page, "game", "warniris")
        page.get_by_label("With the sample cards of the game").check()
        create = page.get_by_role("button", name="Create the project")
        create.click()
        page.get_by_text("cannot be the name of a folder").wait_for()
        page.get_by_test_id("name").fill("Night Watch")
        create.click()
        page.wait_for_selector(".cards-grid img")
        assert page.locator(".studio-project").inner_text() == "Night Watch"
        page.get_by_role("link", name="Print").click()
        page.get_by_text("Settings", exact=True).click()
        _choose(page, "warband", "the-ashen-oath")
        page.wait_for_function(
            "/ashen-oath/.test(document.querySelector('[data-shown]')?.dataset.shown && "
            "document.querySelector('[data-testid=page]').textContent)"
        )
        page.get_by_role("button", name="Build").click()
        page.wait_for_selector("[data-testid=job-done]", timeout=90_000)
        link = page.get_by_role("link", name=re.compile("ashen-oath.*pdf")).first
        answer = page.request.get(studio.origin + link.get_attribute("href"))
        assert answer.body().startswith(b"%PDF")
        folder = tmp_path / "Night Watch"
        assert any((folder / "output").glob("*ashen-oath*.pdf"))
        assert [path.name for path in tmp_path.iterdir()] == ["Night Watch"]
        assert any(scratch.glob("cardgen-studio-*"))
        page.context.close()
    assert not any(scratch.glob("cardgen-studio-*"))


def test_the_odds_of_a_relic_change_with_its_text(page: Any, studio: RunningStudio) -> None:
    page.goto(f"{studio.origin}/rules?card=warniris/relic/salt-charm")
    page.get_by_test_id("odds-row").first.wait_for()
    assert page.get_by_test_id("relic").input_value() == "salt-charm"
    _choose(page, "attacker", "scout-0")
    _choose(page, "target", "scout-1")
    page.get_by_text("Scout 0: Lantern Mace at Scout 1").first.wait_for()
    assert page.get_by_test_id("odds-legend").count() == 0
    editor = page.context.new_page()
    editor.goto(studio.address("cards/relics.yaml"))
    editor.wait_for_selector("[data-shown]")
    _replace_text(editor, RELIC.replace("mind: +1", "body: +2"))
    editor.get_by_text("unsaved changes").wait_for()
    page.get_by_test_id("odds-legend").wait_for()
    changed = page.locator("[data-testid=odds-row].changed")
    assert changed.count() >= 1
    saved, now = changed.first.locator(".odds-number").all_inner_texts()[1::-1]
    assert saved != now
    page.get_by_text("Before and after the unsaved change.").wait_for()
    assert (studio.project / "cards" / "relics.yaml").read_text(encoding="utf-8") == RELIC
    _replace_text(editor, RELIC)
    page.get_by_test_id("odds-legend").wait_for(state="detached")


def test_an_impossible_distance_says_so_and_a_roll_is_told(page: Any, studio: RunningStudio) -> None:
    page.goto(f"{studio.origin}/rules?card=warniris/character/scout-0")
    page.get_by_test_id("odds-row").first.wait_for()
    page.get_by_test_id("sentence").first.wait_for()
    page.get_by_label("Distance (cm)").fill("99")
    page.get_by_test_id("odds-problem").wait_for()
    page.get_by_label("Distance (cm)").fill("")
    page.get_by_test_id("odds-problem").wait_for(state="detached")
    page.get_by_role("button", name="Roll once").click()
    page.get_by_role("log").get_by_text("seed").wait_for()
    page.get_by_test_id("places-button").click()
    page.get_by_test_id("places").wait_for()
    assert page.get_by_test_id("places").is_visible()
    assert not page.get_by_test_id("odds-problem").count()


def test_a_printer_is_calibrated_step_by_step(page: Any, studio: RunningStudio) -> None:
    page.goto(f"{studio.origin}/print?part=calibrate")
    page.get_by_test_id("printer").fill("../office")
    page.get_by_role("button", name="Write the sheet").click()
    page.get_by_text("not a valid name").wait_for()
    page.get_by_test_id("printer").fill("office")
    page.get_by_role("button", name="Write the sheet").click()
    link = page.get_by_role("link", name="Open output/calibration-office-a4.pdf")
    assert page.request.get(studio.origin + link.get_attribute("href")).body().startswith(b"%PDF")
    page.get_by_test_id("top").fill("0,5")
    page.get_by_test_id("across").fill("99.8")
    page.get_by_role("button", name="Store the readings").click()
    page.get_by_text("office, A4: ").first.wait_for()
    assert (Path(os.environ["XDG_CONFIG_HOME"]) / "cardgen" / "printers" / "office.yaml").exists()
    page.get_by_role("button", name="Write the proof").click()
    page.get_by_role("link", name="Open output/calibration-office-a4-proof.pdf").wait_for()


def test_cards_are_exported_with_the_options_of_a_target(page: Any, studio: RunningStudio) -> None:
    page.goto(f"{studio.origin}/print?part=export")
    _choose(page, "target", "silhouette")
    page.get_by_label("Feeder").check()
    only = page.get_by_test_id("only")
    only.fill("Salt Charm")
    only.press("Enter")
    page.get_by_role("button", name="Remove Salt Charm").wait_for()
    page.get_by_role("button", name="Export").click()
    page.wait_for_selector("[data-testid=job-done]")
    assert page.get_by_text("output/silhouette-selection/").first.is_visible()
    assert any((studio.project / "output" / "silhouette-selection").iterdir())


def test_sheets_are_turned_by_keyboard_and_follow_their_options(page: Any, studio: RunningStudio) -> None:
    page.goto(f"{studio.origin}/print")
    sheet = page.get_by_test_id("sheet")
    sheet.wait_for()
    first = sheet.get_attribute("src")
    page.locator(".sheet-stage").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function(
        "old => document.querySelector('[data-testid=sheet]').getAttribute('src') !== old", arg=first
    )
    page.keyboard.press("ArrowLeft")
    page.get_by_text("Settings", exact=True).click()
    page.get_by_test_id("paper").fill("b17")
    page.get_by_text("'b17'").first.wait_for()
    page.get_by_test_id("paper").fill("letter")
    page.get_by_test_id("page").get_by_text("letter").wait_for()
    assert page.get_by_test_id("page").get_by_text("letter").is_visible()


@pytest.mark.parametrize("path", ["print", "rules?card=warniris/relic/salt-charm"])
def test_more_options_are_as_wide_as_a_phone(page: Any, studio: RunningStudio, path: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{studio.origin}/{path}")
    if path == "print":
        page.get_by_text("Settings", exact=True).click()
    page.get_by_text("More options").click()
    page.locator("details[open] .option").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_the_way_to_print_backs_can_be_chosen_and_lists_take_any_text(page: Any, studio: RunningStudio) -> None:
    page.goto(f"{studio.origin}/print")
    pages = page.get_by_test_id("page")
    pages.get_by_text("of 2").wait_for()
    page.get_by_text("Settings", exact=True).click()
    page.get_by_label("Backs", exact=True).select_option("none")
    pages.get_by_text("of 1").wait_for()
    page.get_by_label("Backs", exact=True).select_option("short-edge")
    pages.get_by_text("of 2").wait_for()
    page.get_by_text("More options").click()
    punches = page.get_by_test_id("punches")
    punches.fill("wide")
    punches.press("Enter")
    page.get_by_text("'wide'").first.wait_for()
    page.get_by_role("button", name="Remove wide").click()
    punches.fill("40mm")
    punches.press("Enter")
    page.get_by_role("button", name="Remove 40mm").wait_for()
    page.get_by_test_id("print-problem").wait_for(state="hidden")
    pages.get_by_text("of 2").wait_for()
    assert page.get_by_text("'wide'").count() == 0


@pytest.fixture
def _more_cards(studio: RunningStudio) -> Iterator[None]:
    """So many cards that a build with a high resolution takes long."""
    folder = studio.project / "cards" / "more"
    write_characters(folder, 100, 1)
    yield
    shutil.rmtree(folder)


@pytest.mark.usefixtures("_more_cards")
def test_a_cancelled_build_leaves_no_half_files(page: Any, studio: RunningStudio) -> None:
    page.goto(f"{studio.origin}/print")
    page.get_by_text("Settings", exact=True).click()
    page.get_by_text("More options").click()
    page.get_by_test_id("formats").fill("png")
    page.get_by_test_id("formats").press("Enter")
    page.get_by_test_id("dpi").fill("1200")
    page.get_by_role("button", name="Build").click()
    page.wait_for_function("/\\d of \\d/.test(document.querySelector('.job-progress')?.textContent)")
    results, settings = (
        each.bounding_box()["y"] for each in (page.locator(".jobs"), page.get_by_text("Settings", exact=True))
    )
    assert results < settings  # where it is seen, however many settings are shown
    page.get_by_role("button", name="Cancel").click()
    page.wait_for_selector("[data-testid=job-cancelled]")
    pictures = [path for path in (studio.project / "output").rglob("*") if path.suffix in (".png", ".cardgen~")]
    assert all(path.read_bytes().endswith(b"IEND\xaeB`\x82") for path in pictures)


def test_a_template_is_copied_changed_and_seen_at_once(page: Any, studio: RunningStudio) -> None:
    page.goto(f"{studio.origin}/template")
    _choose(page, "name", "warniris/relic.svg.j2")
    page.get_by_role("button", name="Add to the project").click()
    page.wait_for_url("**/template?file=templates%2Fwarniris%2Frelic.svg.j2")
    page.wait_for_selector("[data-shown]")
    good = (studio.project / TEMPLATE).read_text(encoding="utf-8")
    before = page.locator("[data-shown]").get_attribute("data-shown")
    _replace_text(page, good.replace("</svg>", '<circle cx="9" cy="9" r="4"/></svg>'))
    page.wait_for_function("old => document.querySelector('[data-shown]').dataset.shown !== old", arg=before)
    assert (studio.project / TEMPLATE).read_text(encoding="utf-8") == good
    _replace_text(page, good.replace("</svg>", "{{ card.nonsense + 1 }}</svg>"))
    page.locator(".problems li.error").first.wait_for()
    loop = "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"
    endless = f"<svg xmlns='http://www.w3.org/2000/svg'>{loop}</svg>"
    _replace_text(page, endless)
    page.wait_for_timeout(2500)
    _replace_text(page, good)
    page.locator(".problems li.error").first.wait_for(state="detached")
    _replace_text(page, endless)
    page.locator(".problems li.error", has_text="took longer").first.wait_for(timeout=90_000)  # 5 s of CPU time
    _replace_text(page, good + "\n")
    page.locator(".problems li.error").first.wait_for(state="detached")
    page.keyboard.press("Control+s")
    page.get_by_text("saved", exact=True).wait_for()
    assert (studio.project / TEMPLATE).read_text(encoding="utf-8") == good + "\n"


def test_a_new_game_is_created_and_its_mistakes_are_shown(page: Any, studio: RunningStudio) -> None:
    page.goto(f"{studio.origin}/new")
    game = page.get_by_label("New game", exact=True).get_by_test_id("name").last
    game.fill("123")
    page.get_by_role("button", name="Create the game").click()
    page.get_by_text("cannot be the name of a game").wait_for()
    game.fill("Ember")
    page.get_by_role("button", name="Create the game").click()
    page.wait_for_url("**/template?file=games%2Fember%2Fgame.yaml")
    page.wait_for_selector("[data-shown]")
    text = (studio.project / "games" / "ember" / "game.yaml").read_text(encoding="utf-8")
    _replace_text(page, text.replace("type: integer", "type: intger", 1))
    page.locator(".problems li.error", has_text="intger").first.wait_for()
    assert page.locator(".problems li.error", has_text="intger").first.is_visible()


@pytest.mark.parametrize(
    "path", ["/output/../cardgen.yaml", "/output/%2e%2e/cardgen.yaml", "/output/link.pdf", "/sheet/1/0?dpi=9"]
)
def test_files_outside_the_output_are_not_served(page: Any, studio: RunningStudio, path: str) -> None:
    (studio.project / "output").mkdir(exist_ok=True)
    link = studio.project / "output" / "link.pdf"
    if not link.is_symlink():
        link.symlink_to(studio.project / "cardgen.yaml")
    answer = page.request.get(studio.origin + path)
    assert answer.status == 404
    assert "game: warniris" not in answer.text()
    page.goto(f"{studio.origin}/template?file=../secret.yaml")
    page.get_by_role("alert").get_by_text("secret").wait_for()
