"""The picture of a card beside the text that is being written, and what the author chose to see of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from nicegui.element import Element

from cardgen.studio.engine.answers import CardRow, DrawnFace
from cardgen.studio.pages.edit.text.open_file import OpenFile
from cardgen.studio.studio import Studio

_EDITOR_THEMES = {True: "githubDark", False: "githubLight"}


class _CardView(Element, component="card_view.js"):  # type: ignore[call-arg]
    """The picture of the card that is being written."""


class Look(NamedTuple):
    """Which side of a card is shown, and which marks over it."""

    back: bool = False
    marks: tuple[str, ...] = ()


class CardPane:
    """The picture of one of several cards. `on_choose` gets the key of another card, `on_look` follows another look."""

    def __init__(
        self, studio: Studio, file: OpenFile, on_choose: Callable[[object], Any], on_look: Callable[[], Any]
    ) -> None:
        self._studio, self._on_look = studio, on_look
        self.look = Look()
        self._name = ""
        self._view = _CardView()
        self._view.on("choose", lambda event: on_choose(event.args))
        self._view.on("save", file.save)
        self._view.on("look", lambda event: self._set_look(event.args))
        self._view.on("dark", lambda event: file.editor.set_theme(_EDITOR_THEMES[bool(event.args)]))
        self._view._props.update(cards=[], selected="")

    def show_cards(self, rows: Iterable[CardRow], selected: str) -> None:
        """Show which cards there are, and which one the picture is of."""
        cards = [{"key": row.key, "name": row.name} for row in rows]
        self._name = next((card["name"] for card in cards if card["key"] == selected), "")
        if (cards, selected) != (self._view._props["cards"], self._view._props["selected"]):
            self._view._props.update(cards=cards, selected=selected)
            self._view.update()

    def show(self, drawn: DrawnFace) -> None:
        """Show a picture, or why there is none: then the last one stays, marked as old."""
        picture = f"/picture/{self._studio.keep_picture(drawn.svg)}" if drawn.svg else ""
        data = {"picture": picture, "problem": drawn.problem, "name": self._name}
        self._view.run_method("show", {**data, "hasBack": drawn.has_back, "fill": drawn.fill})

    def show_problem(self, problem: str) -> None:
        """Say why the current text has no picture."""
        self.show(DrawnFace(b"", problem=problem))

    def _set_look(self, look: object) -> Any:
        if isinstance(look, dict) and isinstance(look.get("marks"), list):
            self.look = Look(bool(look.get("back")), tuple(str(mark) for mark in look["marks"]))
            return self._on_look()
        return None
