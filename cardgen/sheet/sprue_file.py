"""Sprues as YAML files: the slots on a paper."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from cardgen.diagnostic import Diagnostic, stop_on_errors
from cardgen.project.files import display_path
from cardgen.project.settings import CardSize, Length, PaperSize
from cardgen.sheet.bleed import overlap, with_bleed
from cardgen.sheet.cut_sequence import plan_cuts
from cardgen.sheet.gang_sheet import cut_cells
from cardgen.sheet.guillotine_packing import PUNCH_CLEARANCE
from cardgen.sheet.page import Slot
from cardgen.sheet.sprue import PrinterMark, Sprue
from cardgen.source import read_document
from cardgen.units import Box, Shape, Size
from cardgen.validation.base import Int, Model, Text
from cardgen.validation.source_map import SourceMap
from cardgen.validation.validate import validate

BAD_SPRUE = "CG528"
_TOLERANCE = 1e-6
_MAX_SLOTS = 400

SlotCount = Annotated[Int, Field(ge=1, le=_MAX_SLOTS)]


class SlotGrid(Model):
    """One slot, or columns and rows of them.

    `x` and `y` are the top left corner of the first trim on the paper. `size` is that of the card as it is read; `turn`
    is the angle in degrees, clockwise, by which it stands turned.
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
        """The slots in reading order, without their bleeds."""
        width, height = self.size if self.turn % 180 == 0 else self.size.swap_sides()
        for row in range(self.rows):
            for column in range(self.columns):
                trim = Box(self.x + column * (width + self.gap), self.y + row * (height + self.gap), width, height)
                yield Slot(trim, trim, self.turn, self.shape)


class SprueFile(Model):
    """What a sprue's file says: the paper, what is printed beside the slots, and the slots.

    `margin` is what the printer leaves white; the rule stands beside it, at the foot or along the left edge.
    """

    paper: PaperSize
    about: Text | None = None
    margin: Length = 5.0
    legend: Literal["foot", "left"] = "foot"
    marks: tuple[PrinterMark, ...] = tuple(PrinterMark)
    slots: Annotated[tuple[SlotGrid, ...], Field(min_length=1)]


class SlotFormat(NamedTuple):
    """What fits into a slot."""

    size: Size
    shape: Shape


@dataclass(frozen=True, slots=True)
class LoadedSprue:
    """A sprue that was read: its name, what it is, its slots, and what fits into each of them."""

    name: str
    about: str
    sprue: Sprue
    formats: tuple[SlotFormat, ...]


def load(path: Path, bleed: float, *, folded: bool = False) -> LoadedSprue:
    """The sprue in a file; its bleeds are at most `bleed` millimetres, and the sheet is `folded` before it is cut.

    Raises CardgenError with everything that is wrong in it: slots that overlap or leave the paper among it.
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
    except ValueError:  # The user may have a cutter that does not go from edge to edge; ticks alone will do.
        steps = ()
    placed_slots = with_bleed(tuple(slots), bleed, file.paper)
    sprue = Sprue(file.paper, placed_slots, file.margin, file.legend == "left", steps, file.marks)
    return LoadedSprue(path.stem, file.about or "", sprue, tuple(fit for _, fit in slot_formats))


def _placement_problems(file: SprueFile, origin: SourceMap) -> Iterator[Diagnostic]:
    """Slots that leave the paper or overlap; each row of slots is complained about once for either."""
    if sum(row.columns * row.rows for row in file.slots) > _MAX_SLOTS:
        yield Diagnostic(BAD_SPRUE, f"there are more than {_MAX_SLOTS} slots", origin.place(("slots",)))
        return
    numbered: list[tuple[int, Slot]] = []
    for number, row in enumerate(file.slots):
        place = origin.place(("slots", number))
        slots = list(row.expand())
        if any(not _is_on_paper(slot.trim, file.paper) for slot in slots):
            yield Diagnostic(
                BAD_SPRUE, f"a slot of {row.size} leaves the paper of {file.paper}", place, _advice(slots, file.paper)
            )
        earlier = len(numbered)
        numbered += [(number, slot) for slot in slots]
        clash = _overlapping_row(numbered, earlier)
        if clash is not None:
            yield _overlap_problem(clash, number, row, file, origin)


def _overlapping_row(numbered: list[tuple[int, Slot]], earlier: int) -> int | None:
    """The row of a slot that takes some of the paper of one behind the `earlier` ones."""
    boxes = cut_cells([slot for _, slot in numbered])
    pairs = ((index, other) for index in range(earlier, len(numbered)) for other in range(index))
    return next((numbered[other][0] for index, other in pairs if overlap(boxes[index], boxes[other])), None)


def _overlap_problem(clash: int, number: int, row: SlotGrid, file: SprueFile, origin: SourceMap) -> Diagnostic:
    same, round_one = clash == number, Shape.ROUND in (row.shape, file.slots[clash].shape)
    what = "two of these slots overlap" if same else "this slot overlaps another"
    related = () if same else ((origin.place(("slots", clash)), "the other slot"),)
    room = f"a round slot needs {PUNCH_CLEARANCE:g} mm of paper on every side, for the punch"
    advice = room if round_one else "move one of them"
    return Diagnostic(BAD_SPRUE, what, origin.place(("slots", number)), advice, related=related)


def _is_on_paper(box: Box, paper: Size) -> bool:
    return min(box.x, box.y) >= 0 and box.right <= paper.width + _TOLERANCE and box.bottom <= paper.height + _TOLERANCE


def _advice(slots: list[Slot], paper: Size) -> str:
    right, bottom = max(slot.trim.right for slot in slots), max(slot.trim.bottom for slot in slots)
    return f"the slots reach to {right:g} x {bottom:g} mm; move them, or choose fewer of them or larger paper"
