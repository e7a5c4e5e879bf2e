"""Pieces that a print service takes: cards of its sizes, and their exact pictures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image

from cardgen.codes import Code
from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.print.render import RenderedCard
from cardgen.quantity import quantity
from cardgen.target.job import ExportJob, is_paper_piece
from cardgen.units import MM_PER_INCH, Shape, Size
from cardgen.validation.suggestion import join_words

# Difference of sizes that a cutter cannot see, in millimeters.
_TOLERANCE = 0.1


class Selection(NamedTuple):
    """The cards that a service takes, each once, those that it does not take, and a note about them."""

    cards: tuple[RenderedCard, ...]
    skipped: tuple[RenderedCard, ...]
    notes: tuple[str, ...]


def same_size(one: Size, other: Size, tolerance: float = _TOLERANCE) -> bool:
    """Return whether two sizes are equal, upright or turned."""
    return any(
        max(abs(one.width - each.width), abs(one.height - each.height)) <= tolerance
        for each in (other, other.swap_sides())
    )


def select(
    job: ExportJob[Any],
    sizes: Sequence[Size],
    *,
    round_sizes: Sequence[Size] = (),
    tolerance: float = _TOLERANCE,
) -> Selection:
    """Return the cards of one of the sizes; without sizes, all rectangular ones.

    Raises CardgenError if there are none.
    """
    cards = tuple(card for card in job.cards if _is_taken(card, sizes, round_sizes, tolerance))
    if not cards:
        first = next(job.cards)
        message = f"{job.profile.title} does not cut pieces of {_format_name(first)}"
        advice = f"use a size such as {join_words(dict.fromkeys(map(str, sizes)))}" if sizes else "select other pieces"
        raise CardgenError(Diagnostic(Code.NOT_EXPORTABLE, message, first.entry.place(("size",)), advice))
    taken = set(map(id, cards))
    skipped = tuple(card for card in job.cards if id(card) not in taken)
    return Selection(cards, skipped, _left_out_notes(skipped))


def _is_taken(card: RenderedCard, sizes: Sequence[Size], round_sizes: Sequence[Size], tolerance: float) -> bool:
    if card.piece.shape is Shape.ROUND:
        return any(same_size(card.size, size, tolerance) for size in round_sizes)
    return not sizes or any(same_size(card.size, size, tolerance) for size in sizes)


def _format_name(card: RenderedCard) -> str:
    return f"{card.size}{', round' if card.piece.shape is Shape.ROUND else ''}"


def _left_out_notes(cards: Iterable[RenderedCard]) -> tuple[str, ...]:
    return _left_out_note("of another size", (f"{card.entry.kind} ({_format_name(card)})" for card in cards))


def require_count(job: ExportJob[Any], count: int) -> None:
    """Raise CardgenError if an order has more cards than the service takes."""
    most = job.profile.most_cards
    if most is not None and count > most:
        message = f"{job.profile.title} takes at most {most} cards in an order, not {count}"
        advice = "export fewer cards with --only, --warband, or --qty"
        raise CardgenError(Diagnostic(Code.NOT_EXPORTABLE, message, Place(job.name), advice))


def select_two_sided(job: ExportJob[Any], sizes: Sequence[Size]) -> Selection:
    """Return the cards of one of the sizes for a service that prints both sides.

    Forms and paper figures without a back are left out. Raises CardgenError for any other card without one.
    """
    selection = select(job, sizes)
    forms = tuple(card for card in selection.cards if card.piece.back is None and is_paper_piece(card))
    left_out = set(map(id, forms))
    cards = tuple(card for card in selection.cards if id(card) not in left_out)
    _require_backs(job, cards)
    form_notes = _left_out_note("without a back", (card.entry.kind for card in forms))
    return Selection(cards, (*selection.skipped, *forms), (*selection.notes, *form_notes))


def _left_out_note(which: str, names: Iterable[str]) -> tuple[str, ...]:
    count = Counter(names)
    if not count:
        return ()
    pieces = quantity(count.total(), "piece")
    return (f"left out {pieces} {which}: {', '.join(sorted(count))}",)


def _require_backs(job: ExportJob[Any], cards: Sequence[RenderedCard]) -> None:
    for card in cards or tuple(job.cards):
        if card.piece.back is None:
            message = f"'{card.entry.card.name}' has no back, which {job.profile.title} needs"
            raise CardgenError(
                Diagnostic(Code.NOT_EXPORTABLE, message, card.entry.place(), "use a template with a back")
            )


class PixelSize(NamedTuple):
    """Width and height of a picture."""

    width: int
    height: int


def pixels_of(size: Size, bleed: float, dpi: int) -> PixelSize:
    """Return the size of a picture with its bleed."""
    return PixelSize(*(round((side + 2 * bleed) * dpi / MM_PER_INCH) for side in size))


def cropped(content: bytes, size: PixelSize) -> Image.Image:
    """Return the middle of a PNG file as a picture of exactly this size, on white."""
    with Image.open(BytesIO(content)) as image:
        picture = image.convert("RGB")
    left, top = ((have - want) // 2 for have, want in zip(picture.size, size, strict=True))
    if (left, top) == (0, 0) and picture.size == tuple(size):
        return picture
    return picture.crop((left, top, left + size.width, top + size.height))


def encoded(picture: Image.Image, kind: str, dpi: int, **options: Any) -> bytes:
    """Return a picture as a file with its resolution."""
    output = BytesIO()
    picture.save(output, kind, dpi=(dpi, dpi), **options)
    return output.getvalue()


def profile_option(job: ExportJob[Any]) -> Path | None:
    """Return the file that `--profile` names."""
    return Path(job.options["profile"]) if job.options.get("profile") else None
