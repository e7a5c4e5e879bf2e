"""Sprue files: YAML files with the slots on a paper."""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from cardgen.diagnostic import Code, Diagnostic, stop_on_errors
from cardgen.project.files import display_path
from cardgen.project.project import CardSize, Length, PaperSize
from cardgen.sheet.gang_sheet import PUNCH_CLEARANCE, cut_cells
from cardgen.sheet.leaf import Slot
from cardgen.sheet.sprue import USUAL_MARKS, PrinterMark, Sprue, overlap, plan_cuts, with_bleed
from cardgen.source import read_document
from cardgen.units import Box, Shape, Size
from cardgen.validation.base import Int, Model, SourceMap, Text
from cardgen.validation.validate import validate

_TOLERANCE = 1e-6
_MAX_SLOTS = 400

SlotCount = Annotated[Int, Field(ge=1, le=_MAX_SLOTS)]


class SlotGrid(Model):
    """One slot, or columns and rows of slots.

    `x` and `y` are the top left corner of the first trim on the paper. `size` is that of the upright card; `turn` is
    its clockwise rotation in degrees.
    """

    size: CardSize
    x: Length
    y: Length
    columns: SlotCount = 1
    rows: SlotCount = 1
    gap: Length = 0.0
    turn: Literal[0, 90, 180, 270] = 0
    shape: Shape = Shape.RECTANGLE

    def expand(self) -> Iterator[Slot]:
        """Yield the slots in reading order, without bleeds."""
        width, height = self.size if self.turn % 180 == 0 else self.size.swap_sides()
        for row in range(self.rows):
            for column in range(self.columns):
                trim = Box(self.x + column * (width + self.gap), self.y + row * (height + self.gap), width, height)
                yield Slot(trim, trim, self.turn, self.shape)


class SprueFile(Model):
    """Contents of a sprue file: the paper, the marks, and the slots.

    `margin` is the printer's unprintable margin; the scale bar is next to it, at the foot or along the left edge.
    """

    paper: PaperSize
    about: Text | None = None
    margin: Length = 5.0
    legend: Literal["foot", "left"] = "foot"
    marks: tuple[PrinterMark, ...] = USUAL_MARKS
    slots: Annotated[tuple[SlotGrid, ...], Field(min_length=1)]


class SlotFormat(NamedTuple):
    """Size and shape of the piece that fits a slot."""

    size: Size
    shape: Shape


class LoadedSprue(NamedTuple):
    """Sprue with its name, description, and the format of each slot."""

    name: str
    about: str
    sprue: Sprue
    formats: tuple[SlotFormat, ...]


def load(path: Path, bleed: float, *, folded: bool = False) -> LoadedSprue:
    """Load a sprue from a file; `bleed` is in millimeters.

    Bleeds are at most `bleed`. `folded` says that the sheet is folded before it is cut. Raises CardgenError with
    everything that is wrong in the file, such as slots that overlap or extend beyond the paper.
    """
    document = read_document(path, display_path(path))
    origin = SourceMap(document, (SprueFile,))
    file, problems = validate(SprueFile, document.data, origin)
    stop_on_errors((*document.diagnostics, *problems))
    assert file is not None
    stop_on_errors(_placement_problems(file, origin))
    slot_formats = [(slot, SlotFormat(each.size, each.shape)) for each in file.slots for slot in each.expand()]
    slots = [slot for slot, _ in slot_formats]
    try:
        height = file.paper.height / 2 if folded else file.paper.height
        steps = plan_cuts(Box(0, 0, file.paper.width, height), cut_cells(slots))
    except ValueError:  # The user may have another kind of cutter: cut marks without numbers.
        steps = ()
    placed_slots = with_bleed(tuple(slots), bleed, Box(0, 0, *file.paper))
    sprue = Sprue(file.paper, placed_slots, file.margin, file.legend == "left", steps, file.marks)
    return LoadedSprue(path.stem, file.about or "", sprue, tuple(fit for _, fit in slot_formats))


def _placement_problems(file: SprueFile, origin: SourceMap) -> Iterator[Diagnostic]:
    """Yield slots that overlap or extend beyond the paper.

    Each grid of slots is reported at most once for each problem.
    """
    if sum(row.columns * row.rows for row in file.slots) > _MAX_SLOTS:
        yield Diagnostic(Code.BAD_SPRUE, f"a sprue can have at most {_MAX_SLOTS} slots", origin.place(("slots",)))
        return
    numbered: list[tuple[int, Slot]] = []
    for number, row in enumerate(file.slots):
        place = origin.place(("slots", number))
        slots = list(row.expand())
        if any(not _is_on_paper(slot.trim, file.paper) for slot in slots):
            right, bottom = max(slot.trim.right for slot in slots), max(slot.trim.bottom for slot in slots)
            yield Diagnostic(
                Code.BAD_SPRUE,
                f"a slot of {row.size} extends beyond the paper of {file.paper}",
                place,
                f"the slots extend to {right:g} x {bottom:g} mm; move them, use fewer slots, or choose larger paper",
            )
        earlier = len(numbered)
        numbered += [(number, slot) for slot in slots]
        # The number of a grid that overlaps the new slots. New slots are those from index `earlier` on. Round slots
        # that are `cut_out` with scissors need no room for a punch.
        cut_out = PrinterMark.CIRCLES in file.marks
        slots = [slot for _, slot in numbered]
        boxes = tuple(slot.trim for slot in slots) if cut_out else cut_cells(slots)
        pairs = ((index, other) for index in range(earlier, len(numbered)) for other in range(index))
        clashes = (
            numbered[other][0]
            for index, other in pairs
            if overlap(boxes[index], boxes[other]) and not (cut_out and _are_apart(slots[index], slots[other]))
        )
        clash = next(clashes, None)
        if clash is not None:
            yield _overlap_problem(clash, number, row, file, origin)


def _are_apart(one: Slot, other: Slot) -> bool:
    """Return whether two circles do not overlap, although their boxes may."""
    if one.shape is not Shape.ROUND or other.shape is not Shape.ROUND:
        return False
    radii = one.trim.width / 2, other.trim.width / 2
    across, down = one.trim.x + radii[0] - other.trim.x - radii[1], one.trim.y + radii[0] - other.trim.y - radii[1]
    return hypot(across, down) >= sum(radii) - _TOLERANCE


def _overlap_problem(clash: int, number: int, row: SlotGrid, file: SprueFile, origin: SourceMap) -> Diagnostic:
    same, round_one = clash == number, Shape.ROUND in (row.shape, file.slots[clash].shape)
    what = "two of these slots overlap" if same else "this slot overlaps another"
    related = () if same else ((origin.place(("slots", clash)), "the other slot"),)
    room = f"a round slot needs {PUNCH_CLEARANCE:g} mm of paper on every side, for the punch"
    needs_room = round_one and PrinterMark.CIRCLES not in file.marks
    advice = room if needs_room else "move one of them"
    return Diagnostic(Code.BAD_SPRUE, what, origin.place(("slots", number)), advice, related=related)


def _is_on_paper(box: Box, paper: Size) -> bool:
    return min(box.x, box.y) >= 0 and box.right <= paper.width + _TOLERANCE and box.bottom <= paper.height + _TOLERANCE
