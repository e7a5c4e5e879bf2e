"""Silhouette: sheets with registration marks, and their cut lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

from pydantic import Field

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place
from cardgen.export.pdf import writer
from cardgen.face.face import Face
from cardgen.print.render import RenderedCard
from cardgen.print.request import PrintSetup, paper_name, print_setup
from cardgen.project.project import Length
from cardgen.sheet.gang_sheet import pack_disks
from cardgen.sheet.imposition import ImposedSheet, PrintPiece, sheet_leaves
from cardgen.sheet.leaf import FilledBox, Label, SheetPage, Slot, duplex_mode, pages_of
from cardgen.sheet.printer_marks import REGISTRATION_THICKNESS, MarkPattern, registration_marks
from cardgen.sheet.sprue import TURNED, Sprue, with_bleed
from cardgen.target.cutters.pieces import cut_dxf, cut_pieces, cut_svg, left_out, left_out_notes
from cardgen.target.job import CutFormat, ExportJob, Outcome
from cardgen.target.profile import ServiceProfile
from cardgen.units import MM_PER_INCH, Box, Shape, Size
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
        # The slots to leave empty, such as those with dark cards near a mark.
        text = job.options.get("skip_slot") or ""
        known = {str(number): number for number in range(1, len(whole.sprue.slots) + 1)}
        names = [name.strip() for name in text.split(",") if name.strip()]
        unknown = next((name for name in names if name not in known), None)
        if unknown is not None or (known and len(set(names)) == len(known)):
            message = f"unknown slot '{unknown}'" if unknown is not None else "every slot of the sheet is skipped"
            advice = f"use numbers from 1 to {len(known)}, in reading order, such as 1,4"
            raise CardgenError(Diagnostic(Code.NOT_EXPORTABLE, message, Place("--skip-slot"), advice))
        layout = without_slots(whole, frozenset(known[name] for name in names))
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


def _add_sheets(
    job: ExportJob[SilhouetteProfile],
    setup: PrintSetup,
    layout: CutterLayout,
    each: CutFormat,
    cards: Sequence[RenderedCard],
) -> int:
    """Add the files of one layout, and return the number of its sheets."""
    form = f"{each.size.width:g}x{each.size.height:g}{each.suffix}"
    inset = f"-inset{_inset(job):g}" if _inset(job) != 10 else ""
    name = f"cardgen-{paper_name(setup.sheet.paper)}-{form}-{_pattern(job).value}marks{inset}-v{_VERSIONS[each.shape]}"
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
    job.output.add(f"{name}.dxf", cut_dxf(slots, paper, radius))
    job.output.add(f"{name}.svg", cut_svg(slots, paper, radius, name))
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


# Card layouts with registration marks for optical cutters.
# The cutter's software works in whole pixels of 300 per inch, and so do the layouts: the marks are found to a tenth of
# a millimeter, and a layout must not differ from one run to the next.

# Distance between neighboring cards, which share it as bleed, and around the marks; millimeters.
CARD_DISTANCE = 1.25
DEFAULT_INSET, FEEDER_INSET = 10.0, 15.875
_PADDING = 1.5
_SHORTEST = 5.0
_DPI = 300


@dataclass(frozen=True, slots=True)
class CutterLayout:
    """Slots on a landscape sheet, and its registration marks; millimeters."""

    sprue: Sprue
    pattern: MarkPattern
    inset: float
    length: float

    @property
    def marks(self) -> tuple[FilledBox, ...]:
        """The registration marks."""
        return tuple(registration_marks(self.sprue.paper, self.pattern, self.inset, self.length))


@dataclass(frozen=True, slots=True)
class _Arrangement:
    """Corners of the cards in pixels, in reading order."""

    corners: tuple[tuple[int, int], ...]
    turned: bool = False

    @property
    def count(self) -> int:
        return len(self.corners)

    @property
    def x(self) -> int:
        return min(x for x, _ in self.corners)

    @property
    def y(self) -> int:
        return min(y for _, y in self.corners)


def cutter_layout(
    paper: Size, card: Size, shape: Shape, pattern: MarkPattern, inset: float = DEFAULT_INSET
) -> CutterLayout:
    """Return the layout with the most cards.

    Raises ValueError with a message for the user if not even one card fits.
    """
    landscape = paper if paper.is_landscape else paper.swap_sides()
    page = (_pixels(landscape.width), _pixels(landscape.height))
    if shape is Shape.ROUND:
        found = list(_disks(page, card.width, inset))
    else:
        found = [grid for turned in (False, True) for grid in _grids(page, card, inset, turned=turned)]
    if not found:
        message = f"a card of {card} does not fit between the registration marks on paper of {paper}"
        raise ValueError(f"{message}; choose larger paper or a smaller inset")
    best = max(found, key=lambda each: (each.count, not each.turned))
    edge, distance = _pixels(inset), _pixels(CARD_DISTANCE)
    length = _millimetres(max(best.x - edge, best.y - edge) - distance)
    card_slots: list[Slot] = []
    size = card.swap_sides() if best.turned else card
    for x, y in best.corners:
        box = Box(_millimetres(x), _millimetres(y), *size)
        card_slots.append(Slot(box, box, TURNED if best.turned else 0, shape))
    slots = with_bleed(tuple(card_slots), CARD_DISTANCE / 2, Box(0, 0, *landscape))
    return CutterLayout(Sprue(landscape, slots, inset, slug_on_left=False, marks=()), pattern, inset, length)


def without_slots(layout: CutterLayout, skipped: frozenset[int]) -> CutterLayout:
    """Return the layout without some slots, which are numbered from 1 in reading order."""
    slots = tuple(slot for number, slot in enumerate(layout.sprue.slots, 1) if number not in skipped)
    return replace(layout, sprue=layout.sprue._replace(slots=slots))


def _pixels(length: float) -> int:
    return round(_exact_pixels(length))


def _exact_pixels(length: float) -> float:
    return length * _DPI / MM_PER_INCH


def _millimetres(pixels: int) -> float:
    return pixels * MM_PER_INCH / _DPI


def _grids(page: tuple[int, int], card: Size, inset: float, *, turned: bool) -> Iterator[_Arrangement]:
    """Yield the grids that stay clear of the corners."""
    size = card.swap_sides() if turned else card
    cell = (_pixels(size.width), _pixels(size.height))
    for width, height in _rooms(page, inset):
        columns, rows = _most(width, cell[0]), _most(height, cell[1])
        for fewer in ((columns, rows), (columns - 1, rows), (columns, rows - 1)):
            if min(fewer) > 0:
                grid = _Arrangement(tuple(_grid_corners(page, cell, *fewer)), turned)
                if _is_clear(grid, inset):
                    yield grid


def _disks(page: tuple[int, int], diameter: float, inset: float) -> Iterator[_Arrangement]:
    """Yield the packings of disks that stay clear of the corners."""
    clear = _clear_zone(inset) + _pixels(CARD_DISTANCE / 2) + 1
    wide, high = page[0] - 2 * _pixels(inset), page[1] - 2 * _pixels(inset)
    for width, height in (*_rooms(page, inset), (page[0] - 2 * clear, high), (wide, page[1] - 2 * clear)):
        room = Size(_millimetres(width), _millimetres(height))
        # A pixel more, because rounding may bring two disks closer by that.
        centers = pack_disks(room, diameter, CARD_DISTANCE + _millimetres(1))
        radius = _exact_pixels(diameter / 2)
        right, down = (page[0] - width) / 2 - radius, (page[1] - height) / 2 - radius
        corners = tuple((round(_exact_pixels(x) + right), round(_exact_pixels(y) + down)) for x, y in centers)
        if corners and _is_clear(_Arrangement(corners), inset):
            yield _Arrangement(corners)


def _rooms(page: tuple[int, int], inset: float) -> Iterator[tuple[int, int]]:
    """Yield the rooms for cards: between the marks, or also clear of them along one axis."""
    edge, reach = _pixels(inset), _pixels(_SHORTEST)
    for margin_x, margin_y in ((edge, edge), (edge + reach, edge), (edge, edge + reach)):
        yield page[0] - 2 * margin_x, page[1] - 2 * margin_y


def _most(space: int, side: int) -> int:
    distance = _pixels(CARD_DISTANCE)
    return max(0, (space + distance) // (side + distance))


def _grid_corners(page: tuple[int, int], cell: tuple[int, int], columns: int, rows: int) -> Iterator[tuple[int, int]]:
    """Yield the corners of a grid in the middle of the page."""
    distance = _pixels(CARD_DISTANCE)
    width = columns * cell[0] + (columns - 1) * distance
    height = rows * cell[1] + (rows - 1) * distance
    left, top = round((page[0] - width) / 2), round((page[1] - height) / 2)
    for row in range(rows):
        for column in range(columns):
            yield left + column * (cell[0] + distance), top + row * (cell[1] + distance)


def _is_clear(cards: _Arrangement, inset: float) -> bool:
    """Return whether the cards with their bleed stay out of the corners, along one axis at least."""
    zone = _clear_zone(inset)
    bleed = _pixels(CARD_DISTANCE / 2)
    return cards.x - bleed >= zone or cards.y - bleed >= zone


def _clear_zone(inset: float) -> int:
    """Return the side of the corners in pixels."""
    return _pixels(inset) + _pixels(_SHORTEST) + _pixels(REGISTRATION_THICKNESS / 2) + _pixels(_PADDING)
