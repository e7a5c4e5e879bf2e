"""The sides of a new battle: the cards of each, as far as they are cards of the project."""

from __future__ import annotations

from urllib.parse import urlencode

from nicegui import ui

from cardgen.studio.engine.answers import CardRow
from cardgen.studio.pages.shared.elements import title, with_props
from cardgen.studio.studio import Studio

# Pictures of a side.
_MOST_PICTURES = 12
_STEPS = (
    "Choose the sides, and begin the battle.",
    "Open the address that appears, in other windows or on phones, and enter the code.",
    "Choose a side or the shared screen. Whoever must answer sees the choices.",
)


class SidesView:
    """The sides of a new battle with pictures of their cards, and how players join."""

    def __init__(self, studio: Studio) -> None:
        self._studio = studio
        self._names: list[str] = []
        self._box = ui.element("div").classes("play-sides")
        with ui.element("section").props('aria-label="How to play"'):
            title("How to play", 2)
            with ui.element("ol").classes("play-steps"):
                for step in _STEPS:
                    with ui.element("li"):
                        ui.label(step)

    def show(self, names: list[str]) -> None:
        """Show sides by the names of their card lists."""
        names = list(dict.fromkeys(names))
        if names == self._names:
            return
        self._names = names
        self._box.clear()
        with self._box:
            for name in names:
                self._show_side(name)

    def _show_side(self, name: str) -> None:
        rows = [row for row in self._studio.state.cards if name in row.lists and row.is_printed]
        with ui.element("section").classes("play-side"):
            title(name, 2)
            if not rows:
                ui.label("This project has no pictures of its cards.").classes("option-help")
            with ui.element("div").classes("play-pictures"):
                for row in rows[:_MOST_PICTURES]:
                    _picture(row)
            if len(rows) > _MOST_PICTURES:
                ui.label(f"and {len(rows) - _MOST_PICTURES} more").classes("option-help")


def _picture(row: CardRow) -> None:
    """Show a card, with a link to where it is written."""
    address = f"/edit?{urlencode({'file': row.file, 'card': row.key})}"
    picture = f"/face?{urlencode({'key': row.key, 'v': row.version})}"
    with ui.link(target=address):
        image = ui.element("img")
    with_props(image, src=picture, alt=row.name, loading="lazy", title=row.name)
