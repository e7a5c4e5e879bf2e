"""Sprues as data: a YAML file says where the slots are on a paper."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from cardgen.diagnostic import Diagnostic, stop_on_errors
from cardgen.project.paths import shown
from cardgen.project.settings import CardSize, Length, PaperSize
from cardgen.shape.base import Int, Model, Text
from cardgen.shape.origin import Origin
from cardgen.shape.validation import validate
from cardgen.sheet.bleeding import bled, overlap
from cardgen.sheet.cutting import cut_list
from cardgen.sheet.mixed import cells
from cardgen.sheet.packing import PUNCH_ROOM
from cardgen.sheet.page import Slot
from cardgen.sheet.sprue import Mark, Sprue
from cardgen.source import read
from cardgen.units import Box, Shape, Size

BAD_SPRUE = "CG528"
_TOLERANCE = 1e-6
_MOST = 400

Many = Annotated[Int, Field(ge=1, le=_MOST)]


class Slots(Model):
    """One slot, or columns and rows of them.

    `x` and `y` are the top left corner of the first trim on the paper. `size` is that of the card as it is read; `turn`
    is the angle in degrees, clockwise, by which it stands turned.
    """

    size: CardSize
    x: Length
    y: Length
    columns: Many = 1
    rows: Many = 1
    gap: Length = 0.0
    turn: Literal[0, 90, 180, 270] = 0
    shape: Shape = Shape.RECTANGLE

    def slots(self) -> Iterator[Slot]:
        """The slots in reading order, without their bleeds."""
        width, height = self.size if self.turn % 180 == 0 else self.size.turned()
        for row in range(self.rows):
            for column in range(self.columns):
                trim = Box(self.x + column * (width + self.gap), self.y + row * (height + self.gap), width, height)
                yield Slot(trim, trim, self.turn, self.shape)


class Arrangement(Model):
    """What a sprue's file says: the paper, what is printed beside the slots, and the slots.

    `margin` is what the printer leaves white; the rule stands beside it, at the foot or along the left edge.
    """

    paper: PaperSize
    about: Text | None = None
    margin: Length = 5.0
    legend: Literal["foot", "left"] = "foot"
    marks: tuple[Mark, ...] = tuple(Mark)
    slots: Annotated[tuple[Slots, ...], Field(min_length=1)]


class Fit(NamedTuple):
    """What fits into a slot."""

    size: Size
    shape: Shape


@dataclass(frozen=True, slots=True)
class Pattern:
    """A sprue that was read: its name, what it is, its slots, and what fits into each of them."""

    name: str
    about: str
    sprue: Sprue
    fits: tuple[Fit, ...]


def load(path: Path, bleed: float, *, folded: bool = False) -> Pattern:
    """The sprue in a file; its bleeds are at most `bleed` millimetres, and the sheet is `folded` before it is cut.

    Raises CardgenError with everything that is wrong in it: slots that overlap or leave the paper among it.
    """
    document = read(path, shown(path))
    origin = Origin(document, (Arrangement,))
    found, problems = validate(Arrangement, document.data, origin)
    stop_on_errors((*document.diagnostics, *problems))
    assert found is not None
    stop_on_errors(_misplaced(found, origin))
    placed = [(slot, Fit(each.size, each.shape)) for each in found.slots for slot in each.slots()]
    slots = [slot for slot, _ in placed]
    try:
        height = found.paper.height / 2 if folded else found.paper.height
        steps = cut_list(Box(0, 0, found.paper.width, height), cells(slots))
    except ValueError:  # The user may have a cutter that does not go from edge to edge; ticks alone will do.
        steps = ()
    placed_slots = bled(slots, bleed, found.paper)
    sprue = Sprue(found.paper, placed_slots, found.margin, found.legend == "left", steps, found.marks)
    return Pattern(path.stem, found.about or "", sprue, tuple(fit for _, fit in placed))


def _misplaced(found: Arrangement, origin: Origin) -> Iterator[Diagnostic]:
    """Slots that leave the paper or overlap; each row of slots is complained about once for either."""
    if sum(row.columns * row.rows for row in found.slots) > _MOST:
        yield Diagnostic(BAD_SPRUE, f"there are more than {_MOST} slots", origin.place(("slots",)))
        return
    known: list[tuple[int, Slot]] = []
    for number, row in enumerate(found.slots):
        place = origin.place(("slots", number))
        slots = list(row.slots())
        if any(not _inside(slot.trim, found.paper) for slot in slots):
            yield Diagnostic(
                BAD_SPRUE, f"a slot of {row.size} leaves the paper of {found.paper}", place, _advice(slots, found.paper)
            )
        earlier = len(known)
        known += [(number, slot) for slot in slots]
        clash = _clash(known, earlier)
        if clash is not None:
            yield _overlapping(clash, number, row, found, origin)


def _clash(known: list[tuple[int, Slot]], earlier: int) -> int | None:
    """The row of a slot that takes some of the paper of one behind the `earlier` ones."""
    boxes = cells([slot for _, slot in known])
    pairs = ((index, other) for index in range(earlier, len(known)) for other in range(index))
    return next((known[other][0] for index, other in pairs if overlap(boxes[index], boxes[other])), None)


def _overlapping(clash: int, number: int, row: Slots, found: Arrangement, origin: Origin) -> Diagnostic:
    same, round_one = clash == number, Shape.ROUND in (row.shape, found.slots[clash].shape)
    what = "two of these slots overlap" if same else "this slot overlaps another"
    related = () if same else ((origin.place(("slots", clash)), "the other slot"),)
    room = f"a round slot needs {PUNCH_ROOM:g} mm of paper on every side, for the punch"
    advice = room if round_one else "move one of them"
    return Diagnostic(BAD_SPRUE, what, origin.place(("slots", number)), advice, related=related)


def _inside(box: Box, paper: Size) -> bool:
    return min(box.x, box.y) >= 0 and box.right <= paper.width + _TOLERANCE and box.bottom <= paper.height + _TOLERANCE


def _advice(slots: list[Slot], paper: Size) -> str:
    right, bottom = max(slot.trim.right for slot in slots), max(slot.trim.bottom for slot in slots)
    return f"the slots reach to {right:g} x {bottom:g} mm; move them, or choose fewer of them or larger paper"
