"""Cards to print as errata, each beside the faces of its earlier version."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from cardgen.diagnostic import CardgenError
from cardgen.face.face import Face
from cardgen.model.entry import Entry
from cardgen.pipeline.build.render import CardRenderer, RenderedCard
from cardgen.pipeline.release.changes import ChangedCard
from cardgen.pipeline.release.content.released_card import CardKey
from cardgen.pipeline.release.errata.earlier_card import earlier_entry
from cardgen.pipeline.release.errata.face_changes import PrintedChange, SideChange, text_changes
from cardgen.pipeline.release.selection import Selection, card_key

# Parts of a look that change only the side without texts.
_BACK = frozenset({"back"})


def printed_changes(
    selection: Selection, rendered: Sequence[RenderedCard], renderer: CardRenderer, qty: int | None
) -> list[PrintedChange]:
    """Return the changes of the cards that are printed, each with its sides before and after if they can be made."""
    cards = {card_key(each): each for each in rendered}
    return [_printed_change(each, cards, renderer, qty) for each in selection.printed]


def _printed_change(
    change: ChangedCard, cards: Mapping[CardKey, RenderedCard], renderer: CardRenderer, qty: int | None
) -> PrintedChange:
    card = cards.get(change.card.key)
    if card is None:  # Only pieces made from it are printed.
        return PrintedChange(change, qty or change.card.qty)
    copies = qty or card.entry.card.qty
    return PrintedChange(change, copies, tuple(_sides(change, card, renderer)), card)


def _sides(change: ChangedCard, card: RenderedCard, renderer: CardRenderer) -> Iterator[SideChange]:
    """Yield the sides of a card that has the same look as before; of others, nothing."""
    if change.old is None or not _BACK.issuperset(change.look):
        return
    earlier = earlier_entry(card.entry, change)
    faces = _earlier_faces(earlier, card, renderer) if earlier else None
    for side, old, new in zip(("front", "back"), faces or (), (card.piece.front, card.piece.back), strict=False):
        if old is not None and new is not None:
            yield SideChange(side, old, new, text_changes(old, new))


def _earlier_faces(earlier: Entry, card: RenderedCard, renderer: CardRenderer) -> tuple[Face, Face | None] | None:
    """Return the faces of the earlier card; None if it cannot be drawn, such as with a card that is gone."""
    try:
        piece, _ = renderer.render_piece(earlier, backs=card.piece.back is not None)
    except (CardgenError, LookupError):
        return None
    return piece.front, piece.back
