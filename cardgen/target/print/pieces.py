"""Pieces that a print service takes: cards of its sizes, and their exact pictures."""

from __future__ import annotations

import os
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from PIL import Image
from pydantic import Field

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, join_words
from cardgen.export.inks import PressStandard, load_profile
from cardgen.export.pdf import writer
from cardgen.export.press import PressSettings, make_press_pdf
from cardgen.face.face import Face
from cardgen.options import LEAST_DPI, MOST_DPI
from cardgen.print.render import RenderedCard
from cardgen.project.project import CardSize, Length
from cardgen.sheet.imposition import impose_single
from cardgen.sheet.leaf import Leaf, SheetPage, pages_of
from cardgen.target.job import CutFormat, ExportJob, Outcome, is_paper_piece
from cardgen.target.profile import ServiceProfile
from cardgen.units import MM_PER_INCH, Shape, Size, quantity
from cardgen.validation.base import Int, Number, Text

# Profiles of print services.

PageOrder = Literal["front-back", "back-front", "separate"]


class PrintProfile(ServiceProfile):
    """Requirements of a print service; lengths are in millimeters.

    `sizes` are the trim sizes that it cuts; without any, it cuts all. `safe` is the distance from the trim that it asks
    to keep free, and `ink_limit` the maximum total of inks in percent. `most_cards` is the maximum number of cards in
    an order, and `smallest_type` the smallest type size in points. `cut_contour` is the spot color of cut lines.
    """

    sizes: tuple[CardSize, ...] = ()
    bleed: Length | None = 3.0
    safe: Length = 3.0
    corner_radius: Length = 3.0
    page_order: PageOrder = "front-back"
    ink_limit: Annotated[Int, Field(ge=100, le=400)] = 300
    standard: Literal["PDF/X-4", "PDF/X-1a:2003"] | None = None
    cut_contour: Text | None = None
    most_cards: Annotated[Int, Field(ge=1)] | None = None
    smallest_type: Annotated[Number, Field(gt=0, le=72)] = 5.0
    min_dpi: Annotated[Int, Field(ge=LEAST_DPI, le=MOST_DPI)] = 250


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
    left_out_notes = _left_out_note(
        "of another size", (f"{card.entry.kind} ({_format_name(card)})" for card in skipped)
    )
    return Selection(cards, skipped, left_out_notes)


def _is_taken(card: RenderedCard, sizes: Sequence[Size], round_sizes: Sequence[Size], tolerance: float) -> bool:
    if card.piece.shape is Shape.ROUND:
        return any(same_size(card.size, size, tolerance) for size in round_sizes)
    return not sizes or any(same_size(card.size, size, tolerance) for size in sizes)


def _format_name(card: RenderedCard) -> str:
    return f"{card.size}{', round' if card.piece.shape is Shape.ROUND else ''}"


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
    for card in cards or tuple(job.cards):
        if card.piece.back is None:
            message = f"'{card.entry.card.name}' has no back, which {job.profile.title} needs"
            raise CardgenError(
                Diagnostic(Code.NOT_EXPORTABLE, message, card.entry.place(), "use a template with a back")
            )
    form_notes = _left_out_note("without a back", (card.entry.kind for card in forms))
    return Selection(cards, (*selection.skipped, *forms), (*selection.notes, *form_notes))


def _left_out_note(which: str, names: Iterable[str]) -> tuple[str, ...]:
    count = Counter(names)
    if not count:
        return ()
    pieces = quantity(count.total(), "piece")
    return (f"left out {pieces} {which}: {', '.join(sorted(count))}",)


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


# Press PDFs of a selection of cards, one per size.


def export_documents(job: ExportJob[Any], selection: Selection) -> Outcome:
    """Add one PDF for each size and shape, and return the outcome.

    Raises CardgenError without a color profile.
    """
    settings = _press_settings(job)
    by_format: dict[CutFormat, list[RenderedCard]] = {}
    for card in job.expand(selection.cards):
        by_format.setdefault(CutFormat.of(card), []).append(card)
    pages = 0
    for each, cards in by_format.items():
        leaves = list(impose_single([card.piece for card in cards], each.size, settings_bleed(job)))
        drawn = _in_order(leaves, job.profile.page_order)
        about = writer.DocumentInfo(job.title)
        in_format = replace(settings, corner_radius=_corner_radius(each, settings.corner_radius))
        document = writer.write(drawn, job.fonts, about, job.artwork_cache)
        size = each.size
        detail = "" if len(by_format) == 1 else f"-{size.width:g}x{size.height:g}mm{each.suffix}"
        job.output.add(f"{job.stem}{detail}.pdf", make_press_pdf(document, drawn, in_format))
        job.progress.step("pages")
        pages += len(drawn)
    standard = job.profile.standard or PressStandard.X4
    folder = job.request.output
    option = "" if folder == Path("output") / job.name else f" -o {shlex.quote(os.fspath(folder))}"
    next_step = (
        f"run 'cardgen preflight {job.name}{option}', then send the PDF; it is made to {standard}, not certified"
    )
    return Outcome({"pages": pages}, (*selection.notes, *_notes(job, selection.cards)), next_step, selection.skipped)


def _corner_radius(each: CutFormat, rounded: float) -> float:
    """Return the radius of cut corners; that of a round piece makes a circle."""
    return min(each.size) / 2 if each.shape is Shape.ROUND else each.radius(rounded)


def settings_bleed(job: ExportJob[Any]) -> float:
    """Return the bleed of the pages in millimeters."""
    return job.profile.bleed if job.profile.bleed is not None else job.project.settings.bleed


def _press_settings(job: ExportJob[Any]) -> PressSettings:
    path, profile = profile_option(job), job.profile
    if path is None:
        advice = "add --profile with the ICC file that your print shop specifies"
        raise CardgenError(
            Diagnostic(Code.BAD_PROFILE, "a press PDF needs a color profile", Place("--profile"), advice)
        )
    return PressSettings(
        load_profile(path),
        PressStandard(profile.standard or "PDF/X-4"),
        profile.ink_limit / 100,
        profile.cut_contour,
        profile.corner_radius,
        job.dpi,
    )


def _in_order(leaves: Sequence[Leaf[Face]], order: str) -> Sequence[SheetPage[Face]]:
    """Return the pages in the order of the press; if only some cards have backs, those of the others are empty."""
    pages = pages_of(leaves)
    if all(leaf.back is None for leaf in leaves):
        return pages
    fronts, backs = pages[::2], pages[1::2]
    if order == "separate":
        return (*fronts, *backs)
    first, second = (backs, fronts) if order == "back-front" else (fronts, backs)
    return [page for pair in zip(first, second, strict=True) for page in pair]


def _notes(job: ExportJob[Any], cards: Sequence[RenderedCard]) -> Iterator[str]:
    bare = sum(card.piece.back is None for card in cards)
    if 0 < bare < len(cards):
        yield f"{bare} cards have no back; their back pages are empty"
    if any(face.fields for card in cards for face in (card.piece.front, card.piece.back) if face):
        yield "form fields are left out"
