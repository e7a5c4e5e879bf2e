"""An editor whose text the server changes only if the browser still has the text it knows."""

from __future__ import annotations

import json
from typing import Any

from nicegui import ui
from nicegui.element import Element


class _Link(Element, component="text_editor.js"):  # type: ignore[call-arg]
    """What the browser adds to the editor."""


class TextEditor(ui.codemirror):
    """A CodeMirror editor that may be undone while the server computes a change.

    Its value follows the browser. A change of the server reaches it when the browser has made it, so that the
    browser's changes, which are offsets in its own text, always fit the value.
    """

    def __init__(self, text: str, **options: Any) -> None:
        super().__init__(text, indent="  ", theme="githubLight", line_wrapping=True, **options)
        self._link = _Link()
        self._link._props["editor"] = self.id

    def put(self, text: str) -> None:
        """Replace the text, whatever it is now, as one step that can be undone."""
        self._link.run_method("replace", None, text)

    async def replace(self, base: str, text: str) -> bool:
        """Replace the text `base` as one step that can be undone; return False if the browser has another by now."""
        try:
            return bool(await self._link.run_method("replace", base, text, timeout=5))
        except TimeoutError:
            return False


def name_text(file: str) -> None:
    """Give the code editor a name for screen readers; it takes none from its element."""
    label = json.dumps(f"Text of {file}. Press Escape, then Tab to leave it.")
    ui.run_javascript(f"document.querySelector('.cm-content')?.setAttribute('aria-label', {label})")
