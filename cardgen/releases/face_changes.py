"""The faces of cards in an earlier release and now, and where they differ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Any, NamedTuple

from pydantic import ValidationError

from cardgen.diagnostic import CardgenError
from cardgen.face.face import Face
from cardgen.model.card_values import pointer_steps
from cardgen.model.entry import Entry
from cardgen.print.render import CardRenderer, RenderedCard
from cardgen.releases.changes import CardKey, ChangedCard, ChangedValue
from cardgen.releases.selection import Selection, card_key
from cardgen.text.lines import Fit
from cardgen.units import Box

_FEWEST_WORDS = 4


class TextChange(NamedTuple):
    """A printed text before and after, with its places on the face; '' for one that is missing.

    `field` is the path of the text in the card's data, or ''.
    """

    field: str
    old: str
    new: str
    boxes: tuple[Box, ...]

    @property
    def is_sentence(self) -> bool:
        """True for a text of the card's data that says more than a name or a number."""
        return bool(self.field) and max(len(self.old.split()), len(self.new.split())) >= _FEWEST_WORDS


@dataclass(frozen=True, slots=True)
class SideChange:
    """A side of a card before and after, and its changed texts."""

    side: str
    old: Face
    new: Face
    texts: tuple[TextChange, ...]


@dataclass(frozen=True, slots=True)
class PrintedChange:
    """A changed card with its sides; without `sides`, the earlier faces cannot be made.

    `card` is the card as it is printed, unless only pieces made from it are.
    """

    change: ChangedCard
    copies: int
    sides: tuple[SideChange, ...] = ()
    card: RenderedCard | None = None


def text_changes(old: Face, new: Face) -> tuple[TextChange, ...]:
    """Return the texts of two faces that differ."""
    before, after = _fits(old), _fits(new)
    matcher = SequenceMatcher(None, [_key(fit) for fit in before], [_key(fit) for fit in after], autojunk=False)
    return tuple(
        change
        for tag, start, stop, first, last in matcher.get_opcodes()
        if tag != "equal"
        for change in _paired(before[start:stop], after[first:last])
    )


def _fits(face: Face) -> list[Fit]:
    return [fit for fit in face.fits if isinstance(fit, Fit) and fit.markup]


def _key(fit: Fit) -> tuple[str, str]:
    return fit.field, fit.markup


def _paired(before: Sequence[Fit], after: Sequence[Fit]) -> Iterator[TextChange]:
    """Yield the changes of a block of texts; those of one field belong together."""
    rest = list(after)
    for old in before:
        new = next((fit for fit in rest if fit.field == old.field), None)
        if new:
            rest.remove(new)
        yield _change(old, new)
    yield from (_change(None, new) for new in rest)


def _change(old: Fit | None, new: Fit | None) -> TextChange:
    both = [fit for fit in (old, new) if fit]
    boxes = tuple(fit.box for fit in both if fit.box)
    return TextChange(both[0].field, old.markup if old else "", new.markup if new else "", boxes)


_GONE = object()
# The number of items that a list can have more than that of the card as it is.
_MOST_ITEMS = 500


def earlier_entry(entry: Entry, change: ChangedCard) -> Entry | None:
    """Return a card with the rules and words that it had before, in its current look.

    A release stores values without their structure, so a value that the card can no longer have makes this impossible:
    the result is then None.
    """
    data = _plain(entry.card.model_dump(exclude_unset=True, by_alias=True))
    values = [value for value in change.values if value.key != "id"]
    try:
        return replace(entry, card=type(entry.card).model_validate(_with_values(data, values)))
    except (ValidationError, ValueError, TypeError, LookupError):
        return None


def _plain(value: Any) -> Any:
    """Return data with lists instead of tuples and sets."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list | set | frozenset):
        return [_plain(item) for item in value]
    return value


def _with_values(data: Any, values: Iterable[ChangedValue]) -> Any:
    """Return a copy of data with the earlier values."""
    changed = _plain(data)
    for value in values:
        _put(changed, tuple(pointer_steps(value.key)), _GONE if value.old is None else value.old)
    return _without_gone(changed)


def _put(container: Any, steps: tuple[str, ...], value: object) -> None:
    """Set a value, and make the containers on the way to it."""
    step, *rest = steps
    if isinstance(container, list):
        index = int(step)
        if index > len(container) + _MOST_ITEMS:
            raise LookupError(f"item {index} of {len(container)}")
        while len(container) <= index:
            container.append(_GONE)
        key: Any = index
        missing = container[index] is _GONE
    else:
        key, missing = step, container.get(step) in (None, _GONE)
    if not rest:
        container[key] = value
        return
    if missing:
        if value is _GONE:
            return
        container[key] = [] if rest[0].isdecimal() else {}
    _put(container[key], tuple(rest), value)


def _without_gone(value: Any) -> Any:
    """Return data without values that are gone, and without containers that these leave empty."""
    if isinstance(value, dict):
        items = {key: _without_gone(item) for key, item in value.items()}
        kept: Any = {key: item for key, item in items.items() if item is not _GONE}
    elif isinstance(value, list):
        kept = [item for item in map(_without_gone, value) if item is not _GONE]
    else:
        return value
    return kept if kept or not value else _GONE


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
