"""Pictures of cards for an editor."""

from __future__ import annotations

from cardgen.codes import Code
from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.editor.session import LoadedProject
from cardgen.model.entry import Entry


def draw_card(loaded: LoadedProject, game: str, card: str, dpi: int) -> bytes:
    """Return the front of a card as PNG. Raises CardgenError if it is not printed, or cannot be drawn."""
    # loaded here because most requests need no graphics libraries
    from cardgen.export.face_picture import render_face
    from cardgen.pipeline.build.render import CardRenderer
    from cardgen.pipeline.options import ProgressCounter
    from cardgen.project.project import corner_radius

    entry = _printed_entry(loaded, game, card)
    renderer = CardRenderer(loaded.project)
    (rendered,) = renderer.render_all([entry], ProgressCounter(), backs=False)
    piece, radius = rendered.piece, corner_radius(loaded.project.settings, entry.kind)
    return render_face(piece.front, "png", renderer.fonts, entry.card.name, dpi, shape=piece.shape, radius=radius)


def _printed_entry(loaded: LoadedProject, game: str, card: str) -> Entry:
    from cardgen.pipeline.load.deck import require_game

    cards = (each for found in loaded.deck.index.values() for each in found)
    entry = next((each for each in cards if each.game == game and each.card.id == card), None)
    if entry is None or not require_game(game).kinds[entry.kind].is_printed:
        raise CardgenError(Diagnostic(Code.NOT_ONE_CARD, f"'{card}' is not printed as a card", Place(card)))
    return entry
