"""Boxes of a layout, moved by hand: with the mouse, keys, numbers, and buttons."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from cardgen.scaffold.game import new_game
from tests.journeys.conftest import RunningStudio, running_studio
from tests.journeys.test_access import LOOKS, faults
from tests.scaffold.decks.foreign_decks import png

FILE = "games/ember/templates/hero.layout.yaml"
LAYOUT = """\
# moved by hand
background: paper
boxes:
  - {shape: rect, at: [-3, -3, 69.5, 94.9], fill: panel}   # behind all
  - {field: name, at: [6, 5, 30, 9]}
  - {each: [might, wounds], at: [10, 20, 12, 11], step: [20, 0], style: number, label: below}
  - {field: text, at: [6, 50, 0.5in, 20]}
"""


@pytest.fixture(scope="module")
def studio(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningStudio]:
    root, here = tmp_path_factory.mktemp("layout"), Path.cwd()
    os.chdir(root)
    try:
        new_game("Ember")
    finally:
        os.chdir(here)
    (root / FILE).write_text(LAYOUT, encoding="utf-8")
    (root / "art").mkdir()
    (root / "art" / "seal.png").write_bytes(png())
    with running_studio(root) as started:
        yield started


@pytest.fixture
def desk(page: Any, studio: RunningStudio) -> Any:
    page.goto(f"{studio.origin}/template?file={FILE}")
    page.wait_for_selector(".layout-box")
    yield page
    page.evaluate("document.activeElement?.blur()")
    if page.get_by_role("button", name="Discard").is_enabled():
        page.get_by_role("button", name="Discard").click()
        page.get_by_text("saved", exact=True).wait_for()


def written(page: Any) -> str:
    return "\n".join(page.locator(".cm-line").all_text_contents())


def wait_for(page: Any, line: str) -> None:
    """Wait until the text has a line with this part, and the card has been drawn with it."""
    page.locator(".cm-line", has_text=line).wait_for()
    page.wait_for_function("!document.querySelector('.problems [aria-busy=true]')")


def box(page: Any, index: int) -> Any:
    return page.locator(f".layout-box[data-index='{index}']")


def unit(page: Any) -> float:
    """Pixels of a millimeter."""
    return float(page.locator(".layout-layer").bounding_box()["width"]) / 63.5


def drag(page: Any, start: tuple[float, float], way: tuple[float, float], *, end: bool = True) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    for part in (0.3, 0.7, 1.0):
        page.mouse.move(start[0] + way[0] * part, start[1] + way[1] * part)
    if end:
        page.mouse.up()


def middle(element: Any) -> tuple[float, float]:
    around = element.bounding_box()
    return around["x"] + around["width"] / 2, around["y"] + around["height"] / 2


def test_a_click_shows_the_numbers_and_the_line(desk: Any) -> None:
    box(desk, 2).click()
    assert [desk.get_by_test_id(name).input_value() for name in ("left", "top", "width", "height")] == [
        "10", "20", "12", "11",
    ]  # fmt: skip
    assert desk.get_by_test_id("line").text_content() == "Line 6"
    assert "x 10, y 20, 12 by 11 mm" in desk.get_by_test_id("placed").text_content()
    assert box(desk, 2).get_attribute("aria-pressed") == "true"
    assert written(desk).startswith(LAYOUT.rstrip())


def test_a_box_is_dragged_and_the_text_differs_in_nothing_else(desk: Any) -> None:
    desk.get_by_label("Snap").uncheck()
    one = unit(desk)
    drag(desk, middle(box(desk, 2)), (4 * one, -3 * one))
    wait_for(desk, "at: [14, 17, 12, 11]")
    assert written(desk).rstrip() == LAYOUT.replace("[10, 20, 12, 11]", "[14, 17, 12, 11]").rstrip()
    desk.locator(".cm-content").focus()
    desk.keyboard.press("Control+z")
    wait_for(desk, "at: [10, 20, 12, 11]")
    desk.get_by_text("saved", exact=True).wait_for()  # every byte is as it was


def test_a_box_is_resized_with_a_handle(desk: Any) -> None:
    desk.get_by_label("Snap").uncheck()
    box(desk, 1).click()
    one = unit(desk)
    drag(desk, middle(box(desk, 1).locator(".se")), (5 * one, 2 * one))
    wait_for(desk, "at: [6, 5, 35, 11]")
    drag(desk, middle(box(desk, 1).locator(".w")), (-2 * one, 0))
    wait_for(desk, "at: [4, 5, 37, 11]")
    assert written(desk).rstrip() == LAYOUT.replace("[6, 5, 30, 9]", "[4, 5, 37, 11]").rstrip()


def test_a_drag_snaps_to_other_boxes(desk: Any) -> None:
    one = unit(desk)
    drag(desk, middle(box(desk, 2)), (-4.4 * one, 10 * one), end=False)
    assert desk.locator(".layout-guide").count() >= 1
    desk.mouse.up()
    wait_for(desk, "wounds], at: [6, ")
    assert desk.locator(".layout-guide").count() == 0


def test_escape_leaves_everything_as_it_was(desk: Any) -> None:
    drag(desk, middle(box(desk, 2)), (60, 60), end=False)
    desk.keyboard.press("Escape")
    desk.mouse.up()
    assert "nothing was moved" in desk.get_by_test_id("placed").text_content()
    assert desk.get_by_test_id("left").input_value() == "10"
    desk.get_by_text("saved", exact=True).wait_for()


KEYS: dict[str, tuple[str, str]] = {
    "ArrowRight": ("at: [6, 5, 30, 9]", "at: [6.5, 5, 30, 9]"),
    "Shift+ArrowDown": ("at: [6, 5, 30, 9]", "at: [6, 10, 30, 9]"),
    "Alt+ArrowLeft": ("at: [6, 5, 30, 9]", "at: [5.9, 5, 30, 9]"),
    "Control+ArrowUp": ("at: [6, 5, 30, 9]", "at: [6, 5, 30, 8.5]"),
}


@pytest.mark.parametrize("key", KEYS)
def test_keys_nudge_and_resize(desk: Any, key: str) -> None:
    box(desk, 1).focus()
    desk.keyboard.press(key)
    wait_for(desk, KEYS[key][1])
    assert written(desk).rstrip() == LAYOUT.replace(*KEYS[key]).rstrip()
    assert desk.evaluate("document.activeElement.dataset.index") == "1"  # the focus stays on the box


def test_many_keys_are_one_gesture(desk: Any) -> None:
    box(desk, 1).focus()
    for _ in range(7):
        desk.keyboard.press("ArrowDown")
    wait_for(desk, "at: [6, 8.5, 30, 9]")
    undo(desk)
    assert written(desk).rstrip() == LAYOUT.rstrip()


def test_numbers_are_typed_and_units_stay(desk: Any) -> None:
    desk.get_by_test_id("box").select_option(label="4. field text")
    width = desk.get_by_test_id("width")
    assert width.input_value() == "12.7"
    width.fill("25.4")
    width.press("Enter")
    wait_for(desk, "at: [6, 50, 1in, 20]")


def test_boxes_are_aligned_with_buttons(desk: Any) -> None:
    acts: tuple[tuple[str, str], ...] = (("Right", "[30.5, 5, 30, 9]"), ("Middle", "[30.5, 39.95, 30, 9]"))
    desk.get_by_test_id("box").select_option(label="2. field name")
    for name, at in acts:
        desk.get_by_role("group", name="Align to the card").get_by_role("button", name=name).click()
        wait_for(desk, f"at: {at}")
    assert [desk.get_by_test_id(name).input_value() for name in ("left", "top")] == ["30.5", "39.95"]


def undo(page: Any) -> None:
    """Undo one step, after which every byte is as it was."""
    page.locator(".cm-content").focus()
    page.keyboard.press("Control+z")
    page.get_by_text("saved", exact=True).wait_for()


ADDED: dict[str, str] = {
    "Text": "  - {text: Text, ",
    "Field motto": "  - {field: motto, ",
    "Shape ellipse": "  - shape: ellipse",
    "Icons heart": "  - {icons: heart, ",
    "Picture art/seal.png": "  - picture: art/seal.png",
}


@pytest.mark.parametrize("value", ADDED)
def test_a_box_is_added_and_chosen(desk: Any, value: str) -> None:
    desk.get_by_test_id("added").fill(value)
    desk.keyboard.press("Enter")
    wait_for(desk, ADDED[value])
    desk.wait_for_selector(".layout-box.chosen[data-index='4']")
    assert desk.get_by_test_id("left").input_value() == "15.875"
    undo(desk)


def test_a_picture_that_is_chosen_becomes_a_box(desk: Any, studio: RunningStudio, tmp_path: Path) -> None:
    (tmp_path / "Crown.png").write_bytes(png())
    desk.get_by_label("Add a picture").set_input_files(tmp_path / "Crown.png")
    wait_for(desk, "picture: art/crown.png")
    desk.wait_for_selector(".layout-box.chosen[data-index='4']")
    assert (studio.project / "art" / "crown.png").is_file()
    undo(desk)


def test_a_row_of_icons_has_as_many_as_a_field(desk: Any) -> None:
    desk.get_by_test_id("added").fill("Icons hart")
    desk.get_by_test_id("add").click()
    assert "there is no 'Icons hart'" in desk.get_by_test_id("placed").text_content()
    desk.get_by_test_id("added").fill("Icons heart")
    desk.get_by_test_id("add").click()
    wait_for(desk, "icons: heart")
    desk.get_by_test_id("look-count").select_option("qty")
    wait_for(desk, "count: qty")
    assert desk.get_by_test_id("look-count").input_value() == "qty"
    desk.get_by_test_id("number-count").fill("3")
    desk.keyboard.press("Enter")
    wait_for(desk, "count: 3")


def test_a_burst_of_changes_loses_none_and_each_is_a_step(desk: Any) -> None:
    box(desk, 0).click()
    texts = [written(desk)]

    def number(name: str, value: str) -> None:
        desk.get_by_test_id(name).fill(value)
        desk.keyboard.press("Tab")

    for pause in (0, 60, 200):
        number("left", "1")
        desk.wait_for_timeout(pause)
        number("top", "2")
        desk.wait_for_timeout(pause)
        number("height", "30")
        desk.wait_for_timeout(pause)
        desk.get_by_test_id("look-fill").select_option("accent")
        desk.wait_for_timeout(pause)
        desk.get_by_test_id("look-stroke").select_option("ink")
        desk.wait_for_timeout(pause)
        number("look-stroke_width", "0.75")
        desk.wait_for_timeout(pause)
        number("look-radius", "2")
        desk.wait_for_timeout(pause)
        number("look-opacity", "0.5")
        desk.wait_for_timeout(pause)
        desk.get_by_test_id("look-fill").select_option("ink")
        desk.wait_for_timeout(pause)
        desk.get_by_role("button", name="Forward").click()
        line = (
            "{shape: rect, at: [1, 2, 69.5, 30], fill: ink, stroke: ink, stroke_width: 0.75, radius: 2, opacity: 0.5}"
        )
        wait_for(desk, line)
        desk.wait_for_selector(".layout-box.chosen[data-index='1']")
        assert "field: name" in next(each for each in written(desk).splitlines() if each.startswith("  - "))
        for _ in range(10):
            desk.get_by_test_id("undo").click()
        desk.get_by_text("saved", exact=True).wait_for()
        assert written(desk) == texts[0]
        desk.get_by_test_id("box").select_option("0")


def test_a_gesture_is_undone_and_done_again_wherever_the_focus_is(desk: Any) -> None:
    box(desk, 1).focus()
    desk.keyboard.press("Delete")
    desk.locator(".cm-line", has_text="field: name").wait_for(state="detached")
    desk.keyboard.press("Control+z")
    wait_for(desk, "field: name")
    desk.keyboard.press("Control+Shift+z")
    desk.locator(".cm-line", has_text="field: name").wait_for(state="detached")
    desk.get_by_test_id("undo").click()
    wait_for(desk, "field: name")
    desk.get_by_test_id("box").select_option("1")
    desk.get_by_test_id("left").fill("9")
    desk.keyboard.press("Enter")
    wait_for(desk, "at: [9, 5, 30, 9]")
    desk.keyboard.press("Control+z")
    desk.get_by_text("saved", exact=True).wait_for()
    assert "at: [9, 5, 30, 9]" not in desk.locator(".cm-content").inner_text()


def test_a_box_that_the_card_has_is_above_one_that_it_has_not(desk: Any) -> None:
    desk.locator(".cm-content").focus()
    desk.keyboard.press("Control+End")
    at = "at: [20, 30, 20, 20]"
    desk.keyboard.insert_text(f"  - {{shape: rect, {at}, fill: ink}}\n  - {{shape: emblem, {at}, unless: name}}\n")
    desk.wait_for_function("document.querySelector('[data-index=\"5\"]')?.ariaLabel.endsWith('not on this card')")
    desk.mouse.click(*middle(box(desk, 5)))
    assert desk.get_by_test_id("box").input_value() == "4"


def test_a_box_is_deleted_with_a_key_and_the_next_one_is_chosen(desk: Any) -> None:
    box(desk, 1).focus()
    desk.keyboard.press("Delete")
    desk.locator(".cm-line", has_text="field: name").wait_for(state="detached")
    desk.wait_for_selector(".layout-box.chosen[data-index='1']")
    assert written(desk).rstrip() == LAYOUT.replace("  - {field: name, at: [6, 5, 30, 9]}\n", "").rstrip()
    assert desk.evaluate("document.activeElement.dataset.index") == "1"
    undo(desk)
    box(desk, 2).click()
    desk.get_by_test_id("remove").click()
    desk.locator(".cm-line", has_text="each:").wait_for(state="detached")
    undo(desk)


def test_boxes_go_forward_and_backward_with_keys_and_buttons(desk: Any) -> None:
    box(desk, 0).focus()
    desk.keyboard.press("PageUp")
    desk.wait_for_selector(".layout-box.chosen[data-index='1']")
    lines = [line for line in written(desk).splitlines() if line.startswith("  - ")]
    assert "field: name" in lines[0]
    assert "# behind all" in lines[1]
    desk.get_by_role("button", name="Forward").click()
    desk.wait_for_selector(".layout-box.chosen[data-index='2']")
    desk.keyboard.press("Escape")
    desk.get_by_role("button", name="Backward").click()
    desk.wait_for_selector(".layout-box.chosen[data-index='1']")
    box(desk, 1).focus()
    desk.keyboard.press("PageDown")
    desk.wait_for_selector(".layout-box.chosen[data-index='0']")
    assert written(desk).rstrip() == LAYOUT.rstrip()


@pytest.mark.parametrize("way", ["mouse", "keys", "list"])
def test_boxes_are_distributed(desk: Any, way: str) -> None:
    box(desk, 1).click()
    for index in (2, 3):
        if way == "mouse":
            box(desk, index).click(modifiers=["Shift"])
        elif way == "keys":
            box(desk, index).focus()
            desk.keyboard.press("Shift+Enter")
        else:
            desk.get_by_test_id("also").select_option(str(index))
    assert desk.locator(".layout-box.also").count() == 2
    desk.get_by_role("button", name="Down").click()
    wait_for(desk, "at: [10, 26.5, 12, 11]")  # between 5 to 14 and 50 to 70: two gaps of 12.5
    assert written(desk).rstrip() == LAYOUT.replace("[10, 20, 12, 11]", "[10, 26.5, 12, 11]").rstrip()
    undo(desk)


def test_the_look_of_a_box_is_chosen(desk: Any) -> None:
    box(desk, 1).click()
    desk.get_by_test_id("look-style").select_option("number")
    wait_for(desk, "{field: name, at: [6, 5, 30, 9], style: number}")
    desk.get_by_test_id("look-size").fill("12.5")
    desk.get_by_test_id("look-size").press("Enter")
    wait_for(desk, "style: number, size: 12.5pt}")
    desk.get_by_test_id("look-style").select_option("usual")
    wait_for(desk, "{field: name, at: [6, 5, 30, 9], size: 12.5pt}")
    undo_steps = 3
    for _ in range(undo_steps):
        desk.locator(".cm-content").focus()
        desk.keyboard.press("Control+z")
    desk.get_by_text("saved", exact=True).wait_for()
    desk.get_by_test_id("box").select_option("0")
    desk.get_by_test_id("digits-fill").evaluate(
        "each => { each.value = '#12ab34'; each.dispatchEvent(new Event('change', { bubbles: true })); }"
    )
    wait_for(desk, 'fill: "#12ab34"}   # behind all')
    desk.get_by_test_id("look-stroke").select_option("accent")
    wait_for(desk, "stroke: accent}   # behind all")
    assert desk.get_by_test_id("look-stroke").input_value() == "accent"


def test_words_of_a_new_box_are_typed_beside_it_and_gestures_go_to_the_box_that_was_chosen(desk: Any) -> None:
    box(desk, 1).click()
    desk.get_by_test_id("left").fill("7")
    desk.get_by_test_id("added").fill("Text")
    desk.get_by_test_id("add").click()
    assert desk.get_by_test_id("left").count() == 0 or desk.get_by_test_id("look-text").is_visible()
    wait_for(desk, "{field: name, at: [7, 5, 30, 9]")
    wait_for(desk, "- {text: Text, at: ")
    desk.get_by_test_id("look-text").fill("Pay\n")
    desk.get_by_test_id("insert").select_option("name")
    wait_for(desk, 'text: "Pay\\\\\\n{{ name }}"')
    desk.get_by_test_id("top").fill("3")
    desk.get_by_test_id("box").select_option("-1")
    wait_for(desk, ", 3, ")
    desk.get_by_test_id("background").select_option("panel")
    wait_for(desk, "background: panel")


def test_the_picture_is_twice_as_large_at_200_percent(desk: Any) -> None:
    desk.get_by_test_id("zoom-true").click()
    size = "document.querySelector('.card-stage img').getBoundingClientRect().width"
    desk.wait_for_function(f"{size} > 230 && {size} < 250")  # 63.5 mm at 96 dots to the inch
    desk.get_by_test_id("zoom-double").click()
    desk.wait_for_function(f"{size} > 470 && {size} < 490")
    assert desk.get_by_test_id("zoom-double").get_attribute("aria-pressed") == "true"


def test_small_boxes_are_above_large_ones(desk: Any) -> None:
    desk.mouse.click(*middle(box(desk, 1)))
    assert desk.get_by_test_id("box").input_value() == "1"


def test_a_mistake_in_the_text_is_told_and_nothing_moves(desk: Any) -> None:
    desk.locator(".cm-line", has_text="behind all").click()
    desk.keyboard.press("End")
    desk.keyboard.type("\n  - {text: a}")
    desk.locator(".problems li.error").wait_for()
    before = written(desk)
    box(desk, 1).focus()
    desk.keyboard.press("ArrowRight")
    desk.locator("[data-testid=placed].studio-fault").wait_for()
    assert written(desk) == before


def test_the_back_is_not_moved_by_the_layout_of_the_front(desk: Any) -> None:
    desk.get_by_test_id("back").click()
    desk.get_by_text("show that side to move its boxes").wait_for()
    assert desk.locator(".layout-box").count() == 0


def test_a_new_layout_is_added_and_goes_on_as_svg(desk: Any, studio: RunningStudio) -> None:
    (studio.project / "games/ember/templates/hero.back.layout.yaml").unlink()
    desk.goto(f"{studio.origin}/template")
    desk.get_by_label("Layout or built-in template").select_option("ember/hero.back.layout.yaml")
    desk.get_by_role("button", name="Add to the project").click()
    desk.wait_for_url("**hero.back.layout.yaml*")
    desk.get_by_test_id("back").click()
    desk.wait_for_selector(".layout-box")
    desk.get_by_role("button", name="Continue as SVG").click()
    desk.wait_for_url("**hero.back.svg.j2*")
    desk.wait_for_selector("[data-shown]")
    text = (studio.project / "games/ember/templates/hero.back.svg.j2").read_text(encoding="utf-8")
    assert "icon('gem'" in text


@pytest.mark.parametrize("look", LOOKS)
def test_axe_finds_no_grave_fault_while_a_box_is_chosen(desk: Any, look: str) -> None:
    width, scheme = LOOKS[look]
    desk.set_viewport_size({"width": width, "height": 900})
    desk.emulate_media(color_scheme=scheme)
    act: Callable[[], object] = box(desk, 1).click
    act()
    desk.wait_for_timeout(300)
    assert faults(desk) == []
    assert desk.evaluate("document.documentElement.scrollWidth") <= width
    title = desk.locator("#layout-title").bounding_box()
    assert title["y"] + title["height"] <= desk.get_by_role("button", name="Continue as SVG").bounding_box()["y"]


def test_no_request_leaves_the_machine(desk: Any, studio: RunningStudio) -> None:
    asked: list[str] = []
    desk.on("request", lambda request: asked.append(request.url))
    box(desk, 1).focus()
    desk.keyboard.press("ArrowRight")
    wait_for(desk, "at: [6.5, ")
    assert all(url.startswith((studio.origin, "data:", "blob:", "ws:")) for url in asked)


def test_the_boxes_are_on_the_picture_in_every_zoom(desk: Any) -> None:
    for act in ("zoom-true", "zoom-double", "zoom-fit"):
        desk.get_by_test_id(act).click()
        desk.get_by_label("Bleed").set_checked(act != "zoom-true")
        place = (
            "[...document.querySelectorAll('.card-stage img, .layout-layer')].map(each => each.getBoundingClientRect())"
        )
        same = "(one, other) => ['left', 'top', 'width'].every(name => Math.abs(one[name] - other[name]) < 2)"
        desk.wait_for_function(
            f"(() => {{ const [one, other] = {place}; return {_IN_FIT} || ({same})(one, other); }})()"
        )
        assert box(desk, 1).is_visible()


# A picture that fits its stage is smaller than its element.
_IN_FIT = "(document.querySelector('.zoom-fit') && Math.abs(one.top - other.top) < 2)"
