"""The Game Crafter: pictures in the pixels of its decks, and their upload on request."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Annotated, NamedTuple

from pydantic import Field

from cardgen.face.face import Face
from cardgen.print.render import RenderedCard
from cardgen.project.project import CardSize
from cardgen.target.job import ExportJob, Outcome, faces_of
from cardgen.target.print import pieces
from cardgen.target.print.profile import PrintProfile
from cardgen.target.print.tgc_client import DeckUpload, upload
from cardgen.units import MM_PER_INCH, Shape, Size
from cardgen.validation.base import Flag, Int, Model, Text

# Metric sizes of cards differ from those of the decks, which are in inches, by at most this many millimeters.
_TOLERANCE = 0.7


class DeckProduct(Model):
    """A kind of deck: its name in the service's API, the pixels of its pictures at 300 dpi, and its trim size."""

    identity: Text
    width: Annotated[Int, Field(ge=100, le=10_000)]
    height: Annotated[Int, Field(ge=100, le=10_000)]
    trim: CardSize
    round: Flag = False


class TgcProfile(PrintProfile):
    """Requirements of The Game Crafter; the first deck of a card's size is used."""

    decks: Annotated[tuple[DeckProduct, ...], Field(min_length=1)]


Profile = TgcProfile


class _Side(NamedTuple):
    """Picture of a face, by its path in the output folder."""

    path: str
    content: bytes


def export(job: ExportJob[TgcProfile]) -> Outcome:
    """Add the pictures of each deck, and upload them if the job asks for it.

    Raises CardgenError if no card has the size of a deck, and if the upload fails.
    """
    sizes: dict[bool, list[Size]] = {False: [], True: []}
    for deck in job.profile.decks:
        sizes[deck.round].append(deck.trim)
    selection = pieces.select(job, sizes[False], round_sizes=sizes[True], tolerance=_TOLERANCE)
    uploads: list[DeckUpload] = []
    for product in job.profile.decks:
        cards = [card for card in selection.cards if _product_of(job.profile, card) is product]
        if cards:
            uploads.append(_add_deck(job, product, cards))
    counts = {"decks": len(uploads), "pictures": sum(len(each.pictures) for each in uploads)}
    if job.options.get("upload"):
        address = upload(job.title, uploads, job.progress.step)
        return Outcome(counts, selection.notes, f"check the proofs, then order: {address}", selection.skipped)
    next_step = "upload the pictures by hand, or export again with --upload"
    return Outcome(counts, selection.notes, next_step, selection.skipped)


def _product_of(profile: TgcProfile, card: RenderedCard) -> DeckProduct | None:
    is_round = card.piece.shape is Shape.ROUND
    matches = (
        deck for deck in profile.decks if deck.round == is_round and pieces.same_size(card.size, deck.trim, _TOLERANCE)
    )
    return next(matches, None)


def _add_deck(job: ExportJob[TgcProfile], product: DeckProduct, cards: list[RenderedCard]) -> DeckUpload:
    """Add the pictures of one deck to the output, and return what to upload."""
    size = pieces.PixelSize(product.width, product.height)
    smallest = Size(*map(min, *(_as_deck(card.size, product) for card in cards), product.trim))
    bleed = max((pixels / 300 * MM_PER_INCH - side) / 2 for pixels, side in zip(size, smallest, strict=True))
    picture = job.pictures(faces_of(cards), 300, bleed)
    names: dict[int, str] = {}
    files: dict[str, bytes] = {}
    for number, card in enumerate(cards, 1):
        for side, face in (("front", card.piece.front), ("back", card.piece.back)):
            if face is not None and id(face) not in names:
                name = names[id(face)] = f"{product.identity}/{number:03}-{card.entry.card.id}-{side}.png"
                files[name] = _picture(picture(face), size, face.size, product.trim, job)
    for name, content in files.items():
        job.output.add(name, content)
    backs = Counter(names[id(card.piece.back)] for card in cards if card.piece.back)
    rows = tuple(_rows(job, cards, names))
    return DeckUpload(product.identity, files, rows, backs.most_common(1)[0][0] if backs else None)


def _as_deck(card: Size, product: DeckProduct) -> Size:
    """Return the size of a card, turned as the cards of the deck are."""
    return card if card.is_landscape == product.trim.is_landscape else card.swap_sides()


def _picture(content: bytes, size: pieces.PixelSize, card: Size, trim: Size, job: ExportJob[TgcProfile]) -> bytes:
    """Return a picture in the pixels of the deck; a card that lies on its side is turned."""
    turned = card.is_landscape != trim.is_landscape
    wanted = pieces.PixelSize(size.height, size.width) if turned else size
    image = pieces.cropped(content, wanted)
    return pieces.encoded(image.rotate(90, expand=True) if turned else image, "PNG", 300)


def _rows(
    job: ExportJob[TgcProfile], cards: list[RenderedCard], names: dict[int, str]
) -> Iterator[tuple[str, int, str, str | None]]:
    """Yield name, copies, front, and back of each card."""
    for card in cards:
        back: Face | None = card.piece.back
        yield card.entry.card.name, job.copies(card), names[id(card.piece.front)], names[id(back)] if back else None
