"""Pictures for cards: dropped, pasted, and chosen with the keyboard's button."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.journeys.conftest import RunningStudio, running_studio, write_project
from tests.journeys.test_access import _faults_in_all_looks

# A file arrives at the text, whose editor would insert its content, as an event of a kind with a file.
_ARRIVE = """([data, kind]) => {
  const bytes = Uint8Array.from(atob(data), (each) => each.charCodeAt(0));
  const transfer = new DataTransfer();
  transfer.items.add(new File([bytes], "photo.png", { type: "image/png" }));
  const options = { bubbles: true, cancelable: true };
  const events = kind === "paste" ? [new ClipboardEvent(kind, { clipboardData: transfer, ...options })]
    : ["dragover", "drop"].map((type) => new DragEvent(type, { dataTransfer: transfer, ...options }));
  for (const each of events) document.querySelector(".cm-content").dispatchEvent(each);
}"""


@pytest.fixture
def studio(browser: Any, tmp_path: Path) -> Iterator[RunningStudio]:
    with running_studio(write_project(tmp_path / "scouts", 2)) as started:
        yield started


def _picture(folder: Path, name: str, side: int) -> Path:
    path = folder / name
    Image.effect_noise((side, side), 80).save(path)
    return path


def _open(page: Any, studio: RunningStudio) -> None:
    page.goto(studio.address("cards/scout-1.yaml"))
    page.wait_for_selector(".form [data-path]")
    page.wait_for_selector("[data-shown]")


def test_a_chosen_picture_is_named_in_the_card_with_a_warning_that_it_is_coarse(
    page: Any, studio: RunningStudio, tmp_path: Path
) -> None:
    _open(page, studio)
    page.get_by_label("Add a picture").set_input_files(_picture(tmp_path, "photo.png", 200))
    page.get_by_text("Saved as art/scout-1.png.").wait_for()
    page.get_by_test_id("state").get_by_text("it prints blurred").wait_for()
    page.locator(".cm-line", has_text="art: art/scout-1.png").wait_for()
    assert _faults_in_all_looks(page, "coarse") == []
    page.keyboard.press("Control+s")
    page.get_by_text("saved", exact=True).wait_for()
    assert "art: art/scout-1.png\n" in (studio.project / "cards" / "scout-1.yaml").read_text(encoding="utf-8")


def test_a_dropped_and_a_pasted_picture_are_steps_that_ctrl_z_takes_back(
    page: Any, studio: RunningStudio, tmp_path: Path
) -> None:
    _open(page, studio)
    for number, kind in enumerate(("drop", "paste"), start=1):
        data = b64encode(_picture(tmp_path, f"{kind}.png", 900 + number).read_bytes()).decode()
        page.evaluate(_ARRIVE, [data, kind])
        name = "scout-1.png" if number == 1 else "scout-1-2.png"
        page.get_by_text(f"Saved as art/{name}.").wait_for()
        page.locator(".cm-line", has_text=f"art: art/{name}").wait_for()
    page.get_by_test_id("state").get_by_text("dpi at its printed size").wait_for()
    assert not page.get_by_text("it prints blurred").count()
    page.locator(".cm-content").focus()
    page.keyboard.press("Control+z")
    page.locator(".cm-line", has_text="art: art/scout-1.png").wait_for()
    page.keyboard.press("Control+z")
    page.locator(".cm-line", has_text="art:").wait_for(state="detached")
    assert sorted(path.name for path in (studio.project / "art").iterdir()) == ["scout-1-2.png", "scout-1.png"]


def test_a_file_that_is_no_picture_is_refused_by_its_name(page: Any, studio: RunningStudio, tmp_path: Path) -> None:
    _open(page, studio)
    file = tmp_path / "notes.png"
    file.write_text("not a picture", encoding="utf-8")
    page.get_by_label("Add a picture").set_input_files(file)
    page.get_by_text("'notes.png' is not a picture that can be printed").wait_for()
    assert not (studio.project / "art").exists()


def test_only_the_studio_itself_may_send_files(page: Any, studio: RunningStudio) -> None:
    context = page.context.browser.new_context()
    assert context.request.post(f"{studio.origin}/upload", data=b"x").status == 403
    context.close()
    sent = page.context.request.post(f"{studio.origin}/upload", data=b"x", headers={"Origin": "http://evil.test"})
    assert sent.status == 403


def _drag_box(page: Any, way: tuple[float, float]) -> None:
    place = page.locator(".layout-box").bounding_box()
    start = (place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    page.mouse.move(*start)
    page.mouse.down()
    for part in (0.4, 1.0):
        page.mouse.move(start[0] + way[0] * part, start[1] + way[1] * part)
    page.mouse.up()


def test_a_picture_is_panned_zoomed_and_turned_by_hand_and_undo_returns_every_byte(
    page: Any, studio: RunningStudio, tmp_path: Path
) -> None:
    _open(page, studio)
    page.get_by_label("Add a picture").set_input_files(_picture(tmp_path, "photo.png", 600))
    page.locator(".layout-box").wait_for()
    before = page.locator(".cm-line").all_text_contents()
    state, said = page.get_by_test_id("state"), page.get_by_test_id("framed")
    dpi = state.inner_text()

    def art() -> str:
        lines = "".join(page.locator(".cm-line").all_text_contents())
        return lines[lines.index("art:") : lines.index("stats:")]

    def gesture(act: Any, words: str) -> str:
        old = art()
        act()
        page.wait_for_function("old => !document.querySelector('.cm-content').textContent.includes(old)", arg=old)
        said.get_by_text(words).wait_for()
        page.locator(".layout-copy").wait_for(state="detached")
        return art()

    box = page.locator(".layout-box")
    texts = [gesture(lambda: _drag_box(page, (0, -20)), "art: across")]
    assert "file: art/scout-1.png" in texts[0]
    assert "focus:" in texts[0]
    texts.append(gesture(lambda: page.mouse.wheel(0, -300), "size 1.1 times"))
    assert "scale: 1.1" in texts[1]
    state.get_by_text("picture").wait_for()
    page.wait_for_function("old => !document.querySelector('[data-testid=state]').textContent.includes(old)", arg=dpi)
    box.focus()

    def nudge() -> None:
        for _ in range(3):
            page.keyboard.press("ArrowRight")

    texts.append(gesture(nudge, "art: across"))
    box.focus()
    texts.append(gesture(lambda: page.keyboard.press("r"), "turned 90°"))
    assert "rotate: 90" in texts[3]
    texts.append(gesture(lambda: page.get_by_test_id("art-scale").press("ArrowRight"), "size 1.15 times"))
    assert _faults_in_all_looks(page, "framed") == []
    page.locator(".cm-content").focus()
    for text in [*reversed(texts[:-1]), None]:
        page.keyboard.press("Control+z")
        if text:
            page.wait_for_function("text => document.querySelector('.cm-content').textContent.includes(text)", arg=text)
    page.wait_for_function("!document.querySelector('.cm-content').textContent.includes('focus')")
    assert page.locator(".cm-line").all_text_contents() == before


def test_a_picture_that_is_dropped_on_the_page_of_all_cards_is_told_where_it_belongs(page: Any) -> None:
    page.evaluate(_ARRIVE.replace(".cm-content", ".card-cell"), ["AAAA", "drop"])
    page.get_by_role("alert").get_by_role("link", name="open the card").click()
    page.get_by_label("Add a picture").wait_for(state="attached")
    assert "/edit?" in page.url
