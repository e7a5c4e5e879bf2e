"""Silhouette: sheets with registration marks, and their cut lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Literal

from pydantic import Field

from cardgen.codes import Code
from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.export import cut_files
from cardgen.export.pdf import writer
from cardgen.face.face import Face
from cardgen.print.options import PrintSetup, paper_name, print_setup
from cardgen.print.render import RenderedCard
from cardgen.project.project import Length
from cardgen.sheet.imposition import ImposedSheet, PrintPiece, sheet_leaves
from cardgen.sheet.leaf import Label, SheetPage, duplex_mode, pages_of
from cardgen.sheet.printer_marks import MarkPattern
from cardgen.sheet.registration import CARD_DISTANCE, FEEDER_INSET, CutterLayout, cutter_layout, without_slots
from cardgen.target.cutters.pieces import cut_pieces, left_out, left_out_notes
from cardgen.target.job import CutFormat, ExportJob, Outcome
from cardgen.target.profile import ServiceProfile
from cardgen.units import Shape
from cardgen.validation.base import Flag

# Raised when a layout moves, because users keep cut files: a new sheet must not be cut with an old file.
_VERSIONS = {Shape.RECTANGLE: 1, Shape.ROUND: 2}
_LABEL_DISTANCE = 5.0


class SilhouetteProfile(ServiceProfile):
    """Sheets for a Silhouette; lengths are in millimeters.

    `marks` is 3, or 4 for machines that look for four corners. `feeder` moves the marks inward for a sheet feeder.
    """

    marks: Literal[3, 4] = 3
    inset: Annotated[Length, Field(ge=10, le=40)] = 10.0
    feeder: Flag = False
    corner_radius: Length = 3.0


Profile = SilhouetteProfile


def export(job: ExportJob[SilhouetteProfile]) -> Outcome:
    """Add a PDF and cut files for each size of piece.

    Pieces that do not fit are left out. Raises CardgenError if no piece fits, and for slots that do not exist.
    """
    setup = print_setup(job.project, job.request)
    formats: dict[CutFormat, list[RenderedCard]] = {}
    for card in cut_pieces(job):
        formats.setdefault(CutFormat.of(card), []).append(card)
    layouts: dict[CutFormat, CutterLayout] = {}
    too_large: list[Diagnostic] = []
    for each, cards in formats.items():
        try:
            layouts[each] = _layout(job, setup, each, cards)
        except CardgenError as error:
            too_large += error.diagnostics
    if not layouts:
        raise CardgenError(*too_large)
    sheets = 0
    for each, whole in layouts.items():
        layout = without_slots(whole, _skipped(job, whole))
        sheets += _add_sheets(job, setup, layout, each, formats[each])
    large = tuple(card for each, cards in formats.items() if each not in layouts for card in cards)
    large_notes = (f"left out '{card.entry.card.name}' ({card.size}): too large for the sheet" for card in large)
    counts = {"sheets": sheets, "templates": len(layouts)}
    next_step = "print without scaling, open the DXF or SVG as it is, and load the page in landscape"
    bleed_note = f"the bleed is {CARD_DISTANCE / 2} mm, so that cards can be close together"
    notes = (bleed_note, *left_out_notes(job), *large_notes)
    return Outcome(counts, notes, next_step, (*left_out(job), *large))


def _inset(job: ExportJob[SilhouetteProfile]) -> float:
    feeder = job.profile.feeder or bool(job.options.get("feeder"))
    return max(job.profile.inset, FEEDER_INSET) if feeder else job.profile.inset


def _pattern(job: ExportJob[SilhouetteProfile]) -> MarkPattern:
    return MarkPattern.FOUR if job.options.get("four_marks") else MarkPattern(job.profile.marks)


def _layout(
    job: ExportJob[SilhouetteProfile], setup: PrintSetup, each: CutFormat, cards: Sequence[RenderedCard]
) -> CutterLayout:
    try:
        return cutter_layout(setup.sheet.paper, each.size, each.shape, _pattern(job), _inset(job))
    except ValueError as error:
        place = cards[0].entry.place(("size",))
        raise CardgenError(Diagnostic(Code.NOT_EXPORTABLE, str(error), place)) from None


def _skipped(job: ExportJob[SilhouetteProfile], layout: CutterLayout) -> frozenset[int]:
    """Return the slots to leave empty, such as those with dark cards near a mark."""
    text = job.options.get("skip_slot") or ""
    known = {str(number): number for number in range(1, len(layout.sprue.slots) + 1)}
    names = [name.strip() for name in text.split(",") if name.strip()]
    unknown = next((name for name in names if name not in known), None)
    if unknown is not None or (known and len(set(names)) == len(known)):
        message = f"unknown slot '{unknown}'" if unknown is not None else "every slot of the sheet is skipped"
        advice = f"use numbers from 1 to {len(known)}, in reading order, such as 1,4"
        raise CardgenError(Diagnostic(Code.NOT_EXPORTABLE, message, Place("--skip-slot"), advice))
    return frozenset(known[name] for name in names)


def _template_name(job: ExportJob[SilhouetteProfile], setup: PrintSetup, each: CutFormat) -> str:
    form = f"{each.size.width:g}x{each.size.height:g}{each.suffix}"
    inset = f"-inset{_inset(job):g}" if _inset(job) != 10 else ""
    return f"cardgen-{paper_name(setup.sheet.paper)}-{form}-{_pattern(job).value}marks{inset}-v{_VERSIONS[each.shape]}"


def _add_sheets(
    job: ExportJob[SilhouetteProfile],
    setup: PrintSetup,
    layout: CutterLayout,
    each: CutFormat,
    cards: Sequence[RenderedCard],
) -> int:
    """Add the files of one layout, and return the number of its sheets."""
    name = _template_name(job, setup, each)
    pieces = [card.piece for card in job.expand(cards)]
    per_sheet = len(layout.sprue.slots)
    imposed: list[ImposedSheet[Face]] = [
        ImposedSheet(layout.sprue, tuple(_filled(pieces[start : start + per_sheet], per_sheet)), CARD_DISTANCE / 2)
        for start in range(0, len(pieces), per_sheet)
    ]
    landscape = setup.sheet._replace(paper=layout.sprue.paper)
    leaves = [
        leaf._replace(front=_marked(leaf.front, layout, name)) for leaf in sheet_leaves(imposed, landscape, job.title)
    ]
    about = writer.DocumentInfo(f"{job.title}: {name}", duplex=duplex_mode(leaves))
    document = writer.write_file(pages_of(leaves), job.fonts, about, job.artwork_cache)
    job.output.add(f"{name}.pdf", document)
    slots, paper, radius = layout.sprue.slots, layout.sprue.paper, each.radius(job.profile.corner_radius)
    job.output.add(f"{name}.dxf", cut_files.dxf(slots, paper, radius))
    job.output.add(f"{name}.svg", cut_files.svg(slots, paper, radius, name))
    job.progress.step("sheets")
    return len(imposed)


def _filled(pieces: Iterable[PrintPiece[Face]], count: int) -> Iterator[PrintPiece[Face] | None]:
    """Yield the pieces of a sheet, and None for its empty slots."""
    remaining = iter(pieces)
    return (next(remaining, None) for _ in range(count))


def _marked(page: SheetPage[Face], layout: CutterLayout, name: str) -> SheetPage[Face]:
    """Return a front with the marks and the name of its cut file; backs are not scanned."""
    label = Label(name, layout.sprue.paper.width / 2, layout.sprue.paper.height - _LABEL_DISTANCE)
    return page._replace(marks=(*layout.marks, *page.marks, label))
