"""How pages are put together: no text of a project becomes a part of a program."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PAGES = Path(__file__).parents[3] / "cardgen/studio/pages"
# Methods and functions of NiceGUI that take a text apart, or hand it to the browser as a program or as HTML.
PARSED = {"props", "style", "html", "markdown", "run_javascript", "add_head_html", "add_body_html", "add_css"}
# Calls with texts that the code knows to be its own, or has quoted.
OWN = {"window.py: add_body_html", "window.py: add_css", "text_editor.py: run_javascript"}


def _parsed_texts(path: Path) -> Iterator[str]:
    """Yield the calls of such methods with anything but a constant."""
    calls = (node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call))
    for call in calls:
        is_parsed = isinstance(call.func, ast.Attribute) and call.func.attr in PARSED
        if is_parsed and call.args and not isinstance(call.args[0], ast.Constant):
            yield f"{path.name}: {ast.unparse(call.func).rpartition('.')[2]}"


def test_what_nicegui_takes_apart_is_constant() -> None:
    assert {call for path in PAGES.rglob("*.py") for call in _parsed_texts(path)} == OWN


def _web_files(path: Path) -> Iterator[str]:
    """Yield the scripts, folders of scripts, and style sheets that a page names."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ClassDef):
            named = {each.arg: ast.literal_eval(each.value) for each in node.keywords}
            yield from (named["component"], *named.get("esm", {}).values()) if "component" in named else ()
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "add_styles":
            yield from (f"web/{ast.literal_eval(each)}.css" for each in node.args)


def test_scripts_and_style_sheets_of_pages_exist() -> None:
    """NiceGUI shows an empty page for a missing script, and says nothing."""
    named = {file for path in PAGES.glob("*.py") for file in _web_files(path)}
    assert {"web/card_grid.js", "web/controls", "web/studio.css"} <= named
    assert [file for file in sorted(named) if not (PAGES / file).exists()] == []
    unused = {file.relative_to(PAGES).as_posix() for file in (PAGES / "web").glob("*")} - named
    assert unused == {"web/focus.js", "web/print_tab.js"}  # scripts of every page


@pytest.mark.parametrize("text", ['a" :b="alert(1)"', "'", ":c=d", "<img>", "\\"])
def test_a_property_is_the_text_that_it_was_given(text: str) -> None:
    nicegui = pytest.importorskip("nicegui", reason="the studio's extra is not installed")
    elements = pytest.importorskip("cardgen.studio.pages.elements")
    with nicegui.Client(nicegui.ui.page("/")):
        element = elements.with_props(nicegui.ui.element("div"), aria_label=text)
        assert dict(element._props) == {"aria-label": text}


HOSTILE: tuple[object, ...] = (
    None, True, 1, "1", [], ["line", "number"], {}, {"line": 1}, {"line": "1", "number": 2},
    {"line": True, "number": 2}, {"line": 1.5, "number": 2}, {"line": [1], "number": 2},
)  # fmt: skip


def test_what_a_browser_sends_is_of_the_types_that_its_page_sends() -> None:
    nicegui = pytest.importorskip("nicegui", reason="the studio's extra is not installed")
    elements = pytest.importorskip("cardgen.studio.pages.elements")
    arrived: list[object] = []
    with nicegui.Client(nicegui.ui.page("/")):
        view = nicegui.ui.element("div")
        elements.on_sent(view, "help", arrived.append, dict, line=int, number=int)
        elements.on_sent(view, "go", arrived.append, int)
        for listener in view._event_listeners.values():
            for sent in (*HOSTILE, {"line": 3, "number": 4}):
                view._handle_event({"listener_id": listener.id, "args": sent})
    assert arrived == [{"line": 3, "number": 4}, 1]


def _unread_events(path: Path) -> Iterator[str]:
    """Yield the listeners that take what a browser sends apart, without a look at what it is."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Lambda) and [each.arg for each in node.args.args] == ["event"]:
            parts = [each for each in ast.walk(node.body) if isinstance(each, ast.Subscript | ast.keyword)]
            calls = [each for each in ast.walk(node.body) if isinstance(each, ast.Call)]
            converted = any(ast.unparse(call.func) in {"int", "float"} for call in calls)
            if converted or any("event.args" in ast.unparse(part) for part in parts):
                yield f"{path.name}: {ast.unparse(node)}"


def test_no_page_takes_what_a_browser_sends_for_what_its_script_sends() -> None:
    assert [each for path in PAGES.glob("*.py") for each in _unread_events(path)] == []
