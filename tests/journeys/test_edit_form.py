"""What authors do with the form of a card, and with the editor's help, beside the text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.journeys.conftest import RunningStudio, running_studio, write_project

SENTENCE = "Once per battle, at the start of its activation, the bearer heals 2 wounds."
RELIC = f"""\
# My own relic.
kind: relic
name: Field Lamp  # as printed
text: {SENTENCE}
"""
WARBAND = """\
kind: warband
name: The Oath
members:
  - {character: nobody, relic: Field Lamp}  # the leader
"""
GUARD = """\
kind: character
name: Guard
stats: {M: 5, B: 4, S: 4, W: 5, Mo: 11}
weapns:
  - Lantern Mace: CW R1 P1 D2
abilities:
  - {name: First, text: Friends within 8 cm have +1 Spirit.}
  - {name: Second, text: Friends within 6 cm have +1 Spirit.}
"""
TIN = "kind: relic\nname: Tin\ntext: Pay.\n"
LINES = "kind: relic\nname: Lines\ntext: |-\n  Pay or\n  leave.\n\n  First.\\\n  Second.\nqty: 2\n"
OTHER = """\
kind: relic
name: Old Cloak
effects:
  - {when: attacked, attacker: {mind: -1}}
"""


@pytest.fixture(scope="module")
def studio(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningStudio]:
    folder = write_project(tmp_path_factory.mktemp("form") / "scouts", 5)
    for name, text in {
        "lamp": RELIC,
        "oath": WARBAND,
        "cloak": OTHER,
        "guard": GUARD,
        "tin": TIN,
        "lines": LINES,
    }.items():
        (folder / "cards" / f"{name}.yaml").write_text(text, encoding="utf-8")
    with running_studio(folder) as started:
        yield started


def _open(page: Any, studio: RunningStudio, name: str) -> Path:
    page.goto(studio.address(f"cards/{name}.yaml"))
    page.wait_for_selector(".form [data-path]")
    page.wait_for_selector(".text-assist[data-ready]", state="attached")
    return studio.project / "cards" / f"{name}.yaml"


def _text(page: Any) -> str:
    """The text in the editor."""
    return str(page.evaluate("[...document.querySelectorAll('.cm-line')].map((line) => line.textContent).join('\\n')"))


def _wait_for_text(page: Any, part: str) -> None:
    page.wait_for_function(
        "part => [...document.querySelectorAll('.cm-line')].map((line) => line.textContent).join('\\n').includes(part)",
        arg=part,
    )


def _save(page: Any) -> None:
    page.get_by_role("button", name="Save").click()
    page.get_by_text("saved", exact=True).wait_for()


def _go_to_line_end(page: Any, words: str) -> None:
    page.locator(".cm-line", has_text=words).first.click()
    page.keyboard.press("End")


def _undo_all(page: Any, text: str) -> None:
    """Undo until the text is there; keys that are typed slowly are undone one by one."""
    for _ in range(30):
        if _text(page) == text:
            return
        page.keyboard.press("Control+z")
    raise AssertionError(f"undo does not lead to {text!r}, but to {_text(page)!r}")


def test_a_homebrew_relic_goes_from_a_sentence_to_its_effects(page: Any, studio: RunningStudio) -> None:
    file = _open(page, studio, "lamp")
    page.locator(".readings q", has_text="the bearer regains 2").wait_for()
    page.get_by_role("button", name="Replace the text by these effects").click()
    page.locator(".made", has_text="the bearer regains 2").wait_for()
    page.get_by_label("More: Heal").click()
    page.locator(".made", has_text="the bearer regains 3").wait_for()
    _save(page)
    assert file.read_text(encoding="utf-8") == (
        "# My own relic.\nkind: relic\nname: Field Lamp  # as printed\nonce: true\n"
        "effects:\n  - {when: activation_start, bearer: {heal: 3}}\n"
    )


def test_an_effect_is_built_from_clauses_and_a_sentence(page: Any, studio: RunningStudio) -> None:
    _open(page, studio, "cloak")
    page.get_by_label("Add to 1").select_option("if")
    page.get_by_label("Add to If").select_option("range_over")
    _wait_for_text(page, "if: {range_over: 1}")
    page.get_by_label("Range over", exact=True).fill("12")
    page.locator(".made", has_text="from over 12").wait_for()
    page.locator(".sentence summary").click()
    page.get_by_label("Words that can follow").get_by_role("button", name="Enemies", exact=True).click()
    page.keyboard.type("within 6 cm have -1 Body.")
    page.locator(".sentence .readings", has_text="Enemies within 6").wait_for()
    page.keyboard.press("Enter")
    page.locator(".made", has_text="Enemies within 6").wait_for()
    assert "  - {if: {range_within: 6}, enemies: {body: -1}}\n" in _text(page)
    page.locator(".examples summary").click()
    page.locator(".examples li button").first.click()
    page.get_by_role("group", name="3", exact=True).wait_for()


def test_lines_that_are_typed_into_the_form_are_printed(page: Any, studio: RunningStudio) -> None:
    file = _open(page, studio, "lines")
    field = page.get_by_label("Text", exact=True)
    assert field.input_value() == "Pay or leave.\n\nFirst.\nSecond."
    field.press("Control+End")
    page.keyboard.type("\nThird. \n")
    _wait_for_text(page, "Third.")
    assert _text(page) == LINES.replace("Second.", "Second.\\\n  Third.")
    assert field.input_value().endswith("Third. \n"), "what is typed stays"
    page.get_by_label("Add to Lines").select_option("motto")
    page.get_by_label("Motto", exact=True).focus()
    page.keyboard.type("Old.")
    _wait_for_text(page, "motto: Old.")
    _save(page)
    assert "text: |-\n  Pay or\n  leave.\n\n  First.\\\n  Second.\\\n  Third.\n" in file.read_text(encoding="utf-8")


def test_a_stepper_changes_one_number_and_keeps_comments(page: Any, studio: RunningStudio) -> None:
    file = _open(page, studio, "scout-0")
    before = file.read_text(encoding="utf-8")
    picture = page.locator("[data-shown]").get_attribute("data-shown")
    page.get_by_label("More: Wounds (W)").click()
    page.get_by_label("More: Wounds (W)").click()
    _wait_for_text(page, "W: 7")
    page.wait_for_function("old => document.querySelector('[data-shown]').dataset.shown !== old", arg=picture)
    assert _text(page) == before.replace("W: 5", "W: 7")
    page.get_by_label("Movement (Mo)", exact=True).fill("99")
    page.locator(".field-problem", has_text="73").wait_for()
    page.get_by_label("Less: Movement (Mo)").click()
    page.locator(".field-problem").wait_for(state="detached")
    _save(page)
    assert file.read_text(encoding="utf-8") == before.replace("W: 5, Mo: 11", "W: 7, Mo: 73")


def test_fast_undo_only_passes_texts_that_were_there(page: Any, studio: RunningStudio) -> None:
    _open(page, studio, "cloak")
    page.evaluate("""() => {
      window.texts = [];
      const lines = () => [...document.querySelectorAll(".cm-line")].map((line) => line.textContent);
      const note = () => texts.push(lines().join("\\n"));
      note();
      const changes = { subtree: true, childList: true, characterData: true };
      new MutationObserver(note).observe(document.querySelector(".cm-content"), changes);
    }""")
    page.get_by_label("Mind", exact=True).click()
    for number in range(1, 25):
        page.keyboard.press("Control+a")
        page.keyboard.type(str(number * 13))
        if number % 4 == 0:
            page.wait_for_timeout(350)
    page.wait_for_timeout(600)
    # Two keys that arrive together are shown as one change, and undone one by one.
    typed = {str(number * 13)[:digits] for number in range(1, 25) for digits in (1, 2, 3)}
    allowed = {re.sub(r"mind: -?\d+", f"mind: {number}", text) for text in page.evaluate("texts") for number in typed}
    allowed |= set(page.evaluate("texts"))
    for key in ("Control+z", "Control+y", "Control+z"):
        for step in range(14):
            page.keyboard.press(key)
            if step % 3 == 2:
                page.wait_for_timeout(120)
    page.wait_for_timeout(500)
    assert set(page.evaluate("texts")) <= allowed
    page.get_by_label("More: Mind").click()
    page.wait_for_timeout(300)
    _save(page)
    assert (studio.project / "cards" / "cloak.yaml").read_text(encoding="utf-8") == page.evaluate("texts.at(-1)")


def test_an_emptied_number_is_removed_or_asked_for(page: Any, studio: RunningStudio) -> None:
    _open(page, studio, "scout-3")
    page.get_by_label("Wounds (W)", exact=True).press("Control+a")
    page.keyboard.press("Delete")
    page.locator(".field-number [role=alert]", has_text="enter a number from 1").wait_for()
    page.keyboard.type("3")
    _wait_for_text(page, "W: 3")
    assert not page.locator(".field-number [role=alert]").count()
    _open(page, studio, "cloak")
    page.get_by_label("Mind", exact=True).press("Control+a")
    page.keyboard.type("e")
    page.locator(".field-number [role=alert]", has_text="enter a number").wait_for()
    page.keyboard.press("Backspace")
    page.keyboard.press("Tab")
    _wait_for_text(page, "attacker: {}")


def test_undo_goes_back_through_form_and_text(page: Any, studio: RunningStudio) -> None:
    file = _open(page, studio, "scout-1")
    before = file.read_text(encoding="utf-8")
    _go_to_line_end(page, "name: Scout 1")
    page.keyboard.type(" Typed")
    page.wait_for_function("document.querySelector('.form input').value === 'Scout 1 Typed'")
    page.get_by_label("More: Mind (M)").click()
    _wait_for_text(page, "M: 4")
    page.locator("#field-name").fill("Formed")
    _wait_for_text(page, "name: Formed")
    _undo_all(page, before.replace("Scout 1", "Scout 1 Typed").replace("M: 3", "M: 4"))
    page.wait_for_function("document.querySelector('.form input').value === 'Scout 1 Typed'")
    page.keyboard.press("Control+z")
    _wait_for_text(page, "M: 3")
    _go_to_line_end(page, "name: Scout 1")
    _undo_all(page, before)
    page.get_by_text("saved", exact=True).wait_for()
    page.locator("#field-name").focus()
    page.keyboard.press("Control+Shift+z")
    _wait_for_text(page, "name: Scout 1 ")
    page.get_by_text("unsaved changes", exact=True).wait_for()
    assert page.locator("#field-name").input_value().startswith("Scout 1")


def test_items_are_added_moved_and_removed(page: Any, studio: RunningStudio) -> None:
    _open(page, studio, "scout-2")
    page.get_by_role("button", name="Add to Abilities").click()
    page.wait_for_function("document.activeElement.value === '…'")
    page.keyboard.type("Second")
    _wait_for_text(page, "- name: Second")
    page.get_by_label("Move up: Second").click()
    page.locator("[data-path='[\"abilities\",1]']", has_text="Lamp").wait_for()
    assert "abilities:\n  - name: Second\n    text: …\n  - name: Lamp\n" in _text(page)
    page.get_by_role("button", name="Remove Second").click()
    page.get_by_role("button", name="Remove Second").wait_for(state="detached")
    page.get_by_role("button", name="Add to Tags").click()
    _wait_for_text(page, "tags: [even, …]  # a comment")
    page.wait_for_function("document.activeElement.value === '…'")
    page.keyboard.type("lamps")
    _wait_for_text(page, "tags: [even, lamps]  # a comment")
    page.get_by_role("button", name="All fields of Lantern Mace").click()
    page.get_by_label("More: Damage").click()
    _wait_for_text(page, "damage: 3")


def test_a_card_is_picked_for_a_warband(page: Any, studio: RunningStudio) -> None:
    file = _open(page, studio, "oath")
    before = file.read_text(encoding="utf-8")
    page.locator(".field-problem", has_text="nobody").wait_for()
    page.get_by_label("Character", exact=True).fill("scout")
    page.get_by_role("option", name="Scout 3").first.wait_for()
    for _ in range(10):
        page.keyboard.press("ArrowDown")
        if "Scout 3" in page.locator("[role=option][aria-selected=true]").inner_text():
            break
    page.keyboard.press("Enter")
    page.locator(".field-problem", has_text="nobody").wait_for(state="detached")
    _save(page)
    assert file.read_text(encoding="utf-8") in (
        before.replace("nobody", "Scout 3"),
        before.replace("nobody", "scout-3"),
    )


def test_a_picture_is_chosen_by_its_thumbnail(page: Any, studio: RunningStudio) -> None:
    art = studio.project / "art"
    art.mkdir()
    Image.new("RGB", (600, 300), "teal").save(art / "lagoon.png")
    _open(page, studio, "cloak")
    before = _text(page)
    page.get_by_label("Add to Old Cloak").select_option("art")
    page.get_by_role("option", name="art/lagoon.png").wait_for()
    page.wait_for_function("document.querySelector('[role=option] img').naturalWidth === 96")
    page.get_by_role("option", name="art/lagoon.png").click()
    _wait_for_text(page, "art: art/lagoon.png")
    assert page.locator("[role=option]").count() == 0
    _undo_all(page, before)


def test_a_new_field_has_the_focus_even_if_an_older_text_is_shown_first(page: Any, studio: RunningStudio) -> None:
    _open(page, studio, "cloak")
    page.evaluate("""() => {
      const form = getElement(Number(document.querySelector("section.form").id.slice(1)));
      const shown = { kind: form.kind, fault: "", line: 0, restorable: true, revision: form.shown, field: form.root };
      const name = form.root.fields.find((each) => each.label === "Name");
      const text = { ...name, label: "Motto", value: "…", path: ["motto"] };
      form.finish(["motto"], "");
      form.show(shown);
      const later = { ...shown, field: { ...form.root, fields: [...form.root.fields, text] } };
      setTimeout(() => form.show(later), 100);
    }""")
    page.wait_for_function("document.activeElement.closest('[data-path]')?.dataset.path === '[\"motto\"]'")
    assert page.evaluate("document.activeElement.value") == "…"


def test_keys_and_values_are_completed_by_keyboard(page: Any, studio: RunningStudio) -> None:
    _open(page, studio, "scout-3")
    _go_to_line_end(page, "name: Scout 3")
    page.keyboard.press("Enter")
    page.keyboard.type("mot", delay=50)
    page.locator(".cm-tooltip-autocomplete li[aria-selected]", has_text="motto").wait_for()
    page.wait_for_timeout(300)  # completions do not take a key that comes at the same moment
    page.keyboard.press("Enter")
    page.keyboard.type("Seen.")
    _wait_for_text(page, "motto: Seen.")
    page.keyboard.press("Control+Space")
    page.keyboard.press("Escape")
    field = page.locator(".field.text", has_text="Motto")
    field.wait_for()
    assert page.get_by_role("combobox", name="Motto").input_value() == "Seen."


def test_help_is_shown_at_the_cursor(page: Any, studio: RunningStudio) -> None:
    _open(page, studio, "scout-4")
    page.locator(".cm-line", has_text="name: Scout 4").click()
    page.keyboard.press("F1")
    page.locator(".text-help", has_text="scout-4").wait_for()
    assert page.locator(".text-help img").get_attribute("src").startswith("/picture/")
    page.locator(".text-help", has_text="wounds").wait_for()
    assert "Scout 4" in page.locator(".text-assist [role=status]").inner_text()
    page.keyboard.press("Escape")
    page.locator(".text-help").wait_for(state="detached")
    page.locator(".cm-line span", has_text="weapons").first.hover()
    page.locator(".text-help", has_text="weapons").wait_for()


def test_a_broken_file_is_fixed_by_clicks(page: Any, studio: RunningStudio) -> None:
    file = _open(page, studio, "scout-4")
    good = file.read_text(encoding="utf-8")
    _go_to_line_end(page, "kind:")
    page.keyboard.type(": no map")
    page.locator(".form [role=alert]", has_text="The form shows the card as it was").wait_for()
    assert page.locator("#field-name").input_value() == "Scout 4"
    assert page.locator("#field-name").is_disabled()
    page.get_by_role("button", name="Back to the last text that could be read").click()
    page.locator(".form [role=alert]").wait_for(state="detached")
    assert _text(page) == good
    file.write_text(good.replace("weapons:", "weapns:").replace("M: 3", "M: 9"), encoding="utf-8")
    page.locator(".form").get_by_role("button", name="Change to 'weapons'").click()
    page.get_by_label("Less: Mind (M)").click()
    page.locator(".problems li.error").first.wait_for(state="detached")
    _save(page)
    assert file.read_text(encoding="utf-8") == good.replace("M: 3", "M: 5")


def test_clicks_while_the_card_changes_are_made_or_refused(page: Any, studio: RunningStudio) -> None:
    _open(page, studio, "guard")
    fix = page.locator(".form").get_by_role("button", name="Change to 'weapons'")
    fix.wait_for()
    page.evaluate("""() => {  // one click with that on the fix, one at the moment in which the text changes
      const less = document.querySelector("[aria-label='Less: Mind (M)']");
      new MutationObserver((_, observer) => {
        if (!document.querySelector(".cm-content").textContent.includes("weapons:")) return;
        observer.disconnect();
        less.click();
      }).observe(document.querySelector(".cm-content"), { subtree: true, childList: true, characterData: true });
      [...document.querySelectorAll(".form button")].find((each) => each.textContent === "Change to 'weapons'").click();
      less.click();
    }""")
    _wait_for_text(page, "M: 3")
    assert _text(page) == GUARD.replace("weapns", "weapons").replace("M: 5", "M: 3")
    page.evaluate("""() => {
      const press = (name) => document.querySelector(`.form [aria-label='${name}']`).click();
      ["Move up: Second", "Remove Second", "Less: Body (B)"].forEach(press);
    }""")
    page.locator(".form [role=alert]", has_text="The card has changed; check the field and try again").wait_for()
    _wait_for_text(page, "B: 3")
    first, second = GUARD.splitlines(keepends=True)[-2:]
    assert _text(page).endswith(f"abilities:\n{second}{first}")


def test_the_form_is_used_by_keyboard_alone(page: Any, studio: RunningStudio) -> None:
    file = _open(page, studio, "scout-1")
    page.keyboard.press("F6")
    assert page.evaluate("document.activeElement.closest('.form') !== null")
    page.keyboard.press("End")
    page.keyboard.type(" Keys")
    _wait_for_text(page, " Keys")
    page.keyboard.press("F6")
    assert page.evaluate("document.activeElement.classList.contains('cm-content')")
    page.keyboard.press("F6")
    page.keyboard.press("F6")
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.type === 'number'"):
            break
    page.keyboard.press("ArrowUp")
    _wait_for_text(page, "M: 4")
    page.keyboard.press("Control+s")
    page.get_by_text("saved", exact=True).wait_for()
    assert "M: 4, B: 4" in file.read_text(encoding="utf-8")
    unnamed = page.evaluate(
        "[...document.querySelectorAll('.form input, .form select, .form textarea, .form button')]"
        ".filter((each) => !each.labels?.length && !each.ariaLabel && !each.textContent.trim()).length"
    )
    assert unnamed == 0


def test_a_renamed_card_is_renamed_in_all_files_as_one_step(page: Any, tmp_path: Path) -> None:
    # Drafts of other journeys that cannot be read would forbid it, because their references would keep the old name.
    with running_studio(write_project(tmp_path / "scouts", 5)) as studio:
        page.goto(studio.url)
        folder = studio.project / "cards"
        oath, lamp = folder / "vow.yaml", folder / "storm.yaml"
        lamp.write_text("kind: relic\nname: Calm Lamp\ntext: It shines.\n", encoding="utf-8")
        warband = WARBAND.replace("nobody", "Scout 4").replace("Oath", "Vow").replace("Field", "Calm")
        oath.write_text(warband, encoding="utf-8")
        before = oath.read_text(encoding="utf-8")
        _open(page, studio, "storm")
        page.get_by_label("Name", exact=True).fill("Storm Lamp")
        problem = page.locator(".problems li", has_text="1 reference to 'Calm Lamp' in cards/vow.yaml")
        problem.wait_for()
        page.keyboard.press("Control+s")
        page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
        assert "Calm Lamp" in lamp.read_text(encoding="utf-8")
        problem.get_by_role("button", name="Rename in all files").click()
        page.get_by_text("Renamed in cards/storm.yaml, cards/vow.yaml").wait_for()
        assert "name: Storm Lamp" in lamp.read_text(encoding="utf-8")
        assert oath.read_text(encoding="utf-8") == before.replace("Calm Lamp", "Storm Lamp")
        problem.wait_for(state="detached")
        page.get_by_role("region", name="Last change").get_by_role("button", name="Undo").click()
        page.locator(".cm-line", has_text="Calm Lamp").wait_for()
        assert (oath.read_text(encoding="utf-8"), "Calm Lamp" in lamp.read_text(encoding="utf-8")) == (before, True)
        page.get_by_label("Name", exact=True).fill("Storm Lamp")
        problem.wait_for()
        page.keyboard.press("Control+s")
        page.get_by_role("dialog").get_by_role("button", name="Rename in all files").click()
        page.get_by_text("saved", exact=True).wait_for()
        assert oath.read_text(encoding="utf-8") == before.replace("Calm Lamp", "Storm Lamp")


_ICON = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>'


def test_an_icon_of_ones_own_is_added_where_icons_are_offered_and_beside_its_problem(
    page: Any, studio: RunningStudio, tmp_path: Path
) -> None:
    icon, coin = tmp_path / "coin.svg", tmp_path / "coin.png"
    icon.write_text(_ICON, encoding="utf-8")
    Image.new("RGB", (9, 9)).save(coin)
    _open(page, studio, "tin")
    field = page.locator("[data-path='[\"text\"]'] textarea")
    field.fill("Pay 2 ")
    page.get_by_role("button", name="Insert an icon").click()
    with page.expect_file_chooser() as chooser:
        page.get_by_role("option", name="Add an icon …").click()
    chooser.value.set_files(coin)
    page.get_by_text("'coin.png': an icon must be an SVG file").wait_for()
    with page.expect_file_chooser() as chooser:
        field.press("ArrowLeft")
        field.press("ArrowRight")
        field.click()
        page.get_by_role("option", name="Add an icon …").click()
    chooser.value.set_files(icon)
    _wait_for_text(page, "Pay 2 {coin}")
    assert (studio.project / "icons" / "coin.svg").read_text(encoding="utf-8") == _ICON
    field.fill("Pay 2 {zorkmid}")
    problem = page.locator(".field-problem", has_text="unknown icon 'zorkmid'")
    with page.expect_file_chooser() as chooser:
        problem.get_by_role("button", name="Add this icon").click()
    chooser.value.set_files(icon)
    problem.wait_for(state="detached")
    assert (studio.project / "icons" / "zorkmid.svg").is_file()
