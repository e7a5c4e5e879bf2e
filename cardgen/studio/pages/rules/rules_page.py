"""The view of what a card does in the referee."""

from __future__ import annotations

from nicegui import ui

from cardgen.studio.engine.answers import CardRow
from cardgen.studio.pages.rules.rules_view import RulesView
from cardgen.studio.pages.shared.frame import add_styles, page_frame
from cardgen.studio.pages.shared.window import connected_window
from cardgen.studio.studio import Studio


async def show_rules(studio: Studio, card: str) -> None:
    """Show what a card does in the referee."""
    await studio.ready.wait()
    with page_frame(studio, "rules"):
        add_styles("rules/rules")
        if not studio.state.cards:
            ui.label("No card can be read." if studio.state.unread else "This project has no cards yet.").classes(
                "cards-empty"
            )
            return
        view = RulesView(studio, studio.card(card) or _first_card(studio))
    async with connected_window():
        await view.choose(view.card)
        if not studio.card(card):
            await view.choose_player()


def _first_card(studio: Studio) -> CardRow:
    """Return the first card of the text that was changed last, or of the project."""
    files = (*reversed(tuple(studio.drafts)), studio.state.cards[0].file)
    return next(row for file in files for row in studio.state.cards if row.file == file)
