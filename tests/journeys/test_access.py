"""The studio for people who use a keyboard, a screen reader, large text, or no motion."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.journeys.conftest import ROOT, RunningStudio, running_studio, write_project

# Every page of the studio, with what is there once it is complete.
VIEWS = {
    "cards": ("/", ".cards-grid img"),
    "table": ("/table", ".ag-cell:visible, .table-cards li"),
    "edit": ("/edit?file=cards/scout-1.yaml", "[data-shown]"),
    "edit-with-problems": ("/edit?file=cards/broken.yaml", ".problems li.error"),
    "rules": ("/rules", "[data-testid=sentence]"),
    "print": ("/print", ".sheet-stage img"),
    "export": ("/print?part=export", "[data-testid=target]"),
    "calibrate": ("/print?part=calibrate", "[data-testid=top]"),
    "templates": ("/template", "[data-shown]"),
    "new": ("/new", "[data-testid=game]"),
    "edit-missing": ("/edit?file=../secret.yaml", "[role=alert]"),
    "play": ("/play", ".play > *"),
    "template": ("/template?file=templates/warniris/character.svg.j2", "[data-shown]"),
}
# Width in CSS pixels, and the appearance.
LOOKS = {"light": (1440, "light"), "narrow-dark": (390, "dark")}
GRAVE = ("serious", "critical")
_BROKEN = "kind: character\nname: Broken Scout\nstats: {M: 9}\nweapns: []\ntags: [odd]\n"


@pytest.fixture(scope="module", autouse=True)
def broken_card(studio: RunningStudio) -> None:
    (studio.project / "cards" / "broken.yaml").write_text(_BROKEN, encoding="utf-8")
    template = Path("templates") / "warniris" / "character.svg.j2"
    (studio.project / template).parent.mkdir(parents=True)
    (studio.project / template).write_bytes((ROOT / template).read_bytes())


@pytest.fixture(scope="module")
def visitor(browser: Any, studio: RunningStudio) -> Iterator[Any]:
    """A window of its own for all checks of pages."""
    context = browser.new_context(reduced_motion="reduce")
    window = context.new_page()
    window.set_default_timeout(30_000)
    window.goto(studio.url)
    yield window
    context.close()


def visit(page: Any, studio: RunningStudio, view: str) -> None:
    address, complete = VIEWS[view]
    page.goto(studio.origin + address)
    page.wait_for_selector(complete)


def faults(page: Any, part: str | None = None) -> list[str]:
    """Return the grave faults that axe-core finds in a page or in a part of it, each with its elements."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-core is not installed")
    violations = axe.Axe().run(page, context=part).response["violations"]
    return [
        f"{each['id']}: {node['target']} {node['failureSummary']}"
        for each in violations
        if each["impact"] in GRAVE
        for node in each["nodes"]
    ]


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("view", VIEWS)
def test_axe_finds_no_grave_fault(visitor: Any, studio: RunningStudio, view: str, look: str) -> None:
    width, scheme = LOOKS[look]
    visitor.set_viewport_size({"width": width, "height": 900})
    visitor.emulate_media(color_scheme=scheme)
    visit(visitor, studio, view)
    assert faults(visitor) == []


def _faults_in_all_looks(page: Any, state: str) -> list[str]:
    """Return the grave faults of a state of a page in all looks, and whether it is too wide in one.

    While a dialog is open, nothing else can be reached, and axe-core takes the wrong colors for what is behind it.
    """
    part = "[role=dialog], dialog[open]"
    found = []
    for look, (width, scheme) in LOOKS.items():
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        page.wait_for_timeout(600)  # Quasar shows dialogs, and changes their colors, step by step.
        found += [f"{state}, {look}: {fault}" for fault in faults(page, part if page.locator(part).count() else None)]
        if page.evaluate("document.documentElement.scrollWidth") > width:
            found.append(f"{state}, {look}: too wide")
    page.set_viewport_size({"width": 1440, "height": 900})
    return found


_RELIC = "kind: relic\nname: Calm Lamp\ntext: It shines.\n"
_WARBAND = "kind: warband\nname: The Vow\nmembers:\n  - {character: scout-0, relic: Calm Lamp}\n"


@pytest.fixture
def reader(browser: Any, tmp_path: Path) -> Iterator[tuple[Any, RunningStudio]]:
    """A window of a studio with a relic, and a warband that names it; one file cannot be read, and never could."""
    project = write_project(tmp_path / "scouts", 3)
    for name, text in {"lamp": _RELIC, "vow": _WARBAND, "lost": "kind: [relic\n"}.items():
        (project / "cards" / f"{name}.yaml").write_text(text, encoding="utf-8")
    with running_studio(project) as studio:
        context = browser.new_context(reduced_motion="reduce", viewport={"width": 1440, "height": 900})
        page = context.new_page()
        page.goto(studio.url)
        page.wait_for_selector(".cards-grid img")
        yield page, studio
        context.close()


def test_axe_finds_no_grave_fault_in_files_that_cannot_be_read(reader: tuple[Any, RunningStudio]) -> None:
    page, studio = reader
    (studio.project / "cards" / "scout-2.yaml").write_text("kind: character\nname: [\n", encoding="utf-8")
    page.locator(".card-cell.unread", has_text="Scout 2").locator("img").wait_for()
    page.get_by_test_id("unread-files").get_by_text("2 files cannot be read.").wait_for()
    page.locator(".card-none", has_text="no pictures of its cards since the studio was started").wait_for()
    assert not page.locator(".card-picture:not(:has(img, .card-none))").count()
    assert _faults_in_all_looks(page, "cards") == []
    page.goto(f"{studio.origin}/play")
    page.get_by_role("link", name="cards/lost.yaml, line 1").wait_for()
    page.get_by_role("button", name="Begin").wait_for()  # with the cards that can be read
    assert _faults_in_all_looks(page, "play") == []
    page.goto(studio.origin)
    page.get_by_role("link", name="cards/scout-2.yaml, line").click()
    page.locator(".problems li.error").first.wait_for()
    assert _faults_in_all_looks(page, "editor") == []


def test_axe_finds_no_grave_fault_in_the_dialogs_of_unsaved_texts(reader: tuple[Any, RunningStudio]) -> None:
    page, studio = reader
    page.goto(studio.address("cards/lamp.yaml"))
    page.get_by_label("Name", exact=True).fill("Storm Lamp")
    page.locator(".problems li", has_text="1 reference to 'Calm Lamp'").wait_for()
    found = _faults_in_all_looks(page, "reference")
    page.keyboard.press("Control+s")
    page.get_by_role("dialog", name="Save this file only?").wait_for()
    found += _faults_in_all_looks(page, "rename")
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    page.get_by_role("dialog").wait_for(state="detached")
    page.get_by_role("link", name="Cards", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Stay").wait_for()
    found += _faults_in_all_looks(page, "leave")
    page.get_by_role("button", name="Keep as a draft").click()
    page.locator("[data-testid=unsaved]").first.wait_for()
    page.get_by_test_id("panel").locator("summary").click()
    found += _faults_in_all_looks(page, "drafts")
    (studio.project / "cards" / "lamp.yaml").write_text(_RELIC.replace("Calm", "Dusk"), encoding="utf-8")
    page.goto(studio.address("cards/lamp.yaml"))
    page.get_by_text("has changed outside the studio").wait_for()
    found += _faults_in_all_looks(page, "conflict")
    assert found == [], "\n".join(found)


@pytest.mark.parametrize("width", [720, 320], ids=["200-percent", "400-percent"])
@pytest.mark.parametrize("view", VIEWS)
def test_a_zoomed_page_scrolls_in_one_direction(visitor: Any, studio: RunningStudio, view: str, width: int) -> None:
    visitor.set_viewport_size({"width": width, "height": 450})
    visit(visitor, studio, view)
    assert visitor.evaluate("document.documentElement.scrollWidth") <= width


_WATCH_MOVEMENTS = """() => {
  window.movements = [];
  for (const name of ["transitionend", "animationend"])
    document.addEventListener(name, (event) => event.elapsedTime > 0.02 && movements.push(event.target.className));
}"""


def _movements(page: Any, studio: RunningStudio, motion: str) -> list[str]:
    """Return what moves for long enough to be seen while a dialog opens and closes."""
    page.emulate_media(reduced_motion=motion)
    visit(page, studio, "cards")
    page.evaluate(_WATCH_MOVEMENTS)
    page.get_by_role("button", name="New card").click()
    page.get_by_role("dialog").wait_for()
    page.wait_for_timeout(500)
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="detached")
    return list(page.evaluate("movements"))


def test_nothing_moves_for_those_who_do_not_want_it(visitor: Any, studio: RunningStudio) -> None:
    visitor.set_viewport_size({"width": 1280, "height": 900})
    assert _movements(visitor, studio, "no-preference") != []
    assert _movements(visitor, studio, "reduce") == []


def test_a_dialog_takes_the_focus_and_gives_it_back(visitor: Any, studio: RunningStudio) -> None:
    visit(visitor, studio, "cards")
    button = visitor.get_by_role("button", name="New card")
    button.focus()
    visitor.keyboard.press("Enter")
    dialog = visitor.get_by_role("dialog", name="New card")
    dialog.wait_for()
    for scheme in ("light", "dark"):
        visitor.emulate_media(color_scheme=scheme)
        visitor.wait_for_timeout(500)  # Quasar shows dialogs, and changes their colors, step by step.
        assert faults(visitor) == []
    visitor.get_by_role("button", name="Create").click()
    visitor.get_by_text("Enter a name.").wait_for()
    for _ in range(8):  # Tab stays inside, but for the browser's own controls.
        visitor.keyboard.press("Tab")
        where = "document.activeElement.closest('[role=dialog]') ? 'inside' : document.activeElement.tagName"
        assert visitor.evaluate(where) in ("inside", "BODY")
    visitor.keyboard.press("Escape")
    dialog.wait_for(state="detached")
    assert button.evaluate("each => each === document.activeElement")


_HAS_VISIBLE_FOCUS = """() => {
  const element = document.activeElement;
  const marks = [element, element.closest('.cm-editor')].filter(Boolean).map(each => getComputedStyle(each));
  return marks.some(each => each.outlineStyle !== 'none' && parseFloat(each.outlineWidth) > 0);
}"""


@pytest.mark.parametrize("view", ["cards", "edit-with-problems"])
def test_the_focus_is_visible_and_moves_through_the_page(visitor: Any, studio: RunningStudio, view: str) -> None:
    visitor.set_viewport_size({"width": 1280, "height": 900})
    visit(visitor, studio, view)
    stops = set()
    for _ in range(40):
        visitor.keyboard.press("Tab")
        if visitor.evaluate("document.activeElement === document.body"):
            break
        stop = visitor.evaluate("document.activeElement.outerHTML.slice(0, 120)")
        visitor.wait_for_function(_HAS_VISIBLE_FOCUS, timeout=2_000)
        stops.add(stop)
        if visitor.evaluate("document.activeElement.classList.contains('cm-content')"):
            visitor.keyboard.press("Escape")  # The next Tab leaves the text.
    assert len(stops) > 12


def _tab_to(page: Any, name: str) -> None:
    for _ in range(150):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.classList.contains('cm-content')"):
            page.keyboard.press("Escape")
        if page.evaluate("document.activeElement.innerText") == name:
            return
    raise AssertionError(f"Tab does not reach '{name}'")


def test_a_mistake_is_found_fixed_and_saved_by_keyboard(visitor: Any, studio: RunningStudio) -> None:
    visit(visitor, studio, "cards")
    visitor.keyboard.press("/")
    visitor.keyboard.type("scout 2")
    visitor.locator(".card-cell").nth(1).wait_for(state="detached")
    file = studio.project / "cards" / "scout-2.yaml"
    good = file.read_text(encoding="utf-8")
    visitor.keyboard.press("Enter")
    visitor.keyboard.press("Enter")
    visitor.wait_for_selector("[data-shown]")
    file.write_text(good.replace("abilities:", "abilitys:"), encoding="utf-8")
    visitor.get_by_test_id("fix").filter(has_text="Change to 'abilities'").wait_for()
    _tab_to(visitor, "Change to 'abilities'")
    visitor.keyboard.press("Enter")
    visitor.locator(".problems li.error").first.wait_for(state="detached")
    assert visitor.evaluate("document.activeElement !== document.body"), "the focus is lost with the button"
    assert visitor.get_by_role("status").filter(has_text="unsaved changes").is_visible()
    visitor.keyboard.press("Control+s")
    visitor.get_by_role("status").filter(has_text="saved").first.wait_for()
    visitor.get_by_text("saved", exact=True).wait_for()
    assert file.read_text(encoding="utf-8") == good
