"""Where the sheets of a finished PDF are cut: by their cut list, the file of a cutter, their cut marks, or the TrimBox.

A cut list is followed as a person would: each line cuts its parts from edge to edge. Its drawings show which parts are
pieces.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pikepdf

from cardgen.export.page_objects import Mark, PageView, UnreadableFileError, page_names
from cardgen.project.files import built_in_folder
from cardgen.sheet.cut_list import FROM_LEFT, FROM_TOP, SHEET
from cardgen.sheet.leaf import DUPLEX_MODES, Backs, Slot, back_slot, reading_flip
from cardgen.svg.tree import ART, SvgError, parse_number, parse_view_box, read_tree
from cardgen.text.captions import CAPTIONS_FOLDER, Captions, load_captions
from cardgen.units import MAX_LENGTH, MIN_SIDE, Box, Shape, Size, to_mm

# Lengths in cut lists have one decimal.
_ROUNDING = 0.06
_SAME = 0.05
# The most space between words of a text, in millimeters.
_SPACE = 1.5
# Where cuts are known from.
CUT_LIST, CUTTER_FILE, CUT_MARKS, TRIM_BOX = "cut list", "cutter file", "cut marks", "TrimBox"


class Cell(NamedTuple):
    """A piece on a sheet: the box of its trim, as seen on the front, and its shape.

    A round piece that is punched out of a rectangle has it as its `frame`.
    """

    box: Box
    shape: Shape = Shape.RECTANGLE
    frame: Box | None = None


@dataclass(slots=True)
class CutPlan:
    """The pieces of a sheet in reading order, where they are known from, and what is wrong with the cuts."""

    cells: list[Cell]
    source: str
    faults: list[str] = field(default_factory=list)


class SheetPages(NamedTuple):
    """The pages of a sheet, from 1: its front, and its back or None; both are one page if the sheet is folded."""

    name: str
    front: int
    back: int | None
    flip: Backs | None

    def back_box(self, box: Box, paper: Size) -> Box:
        """Return the box on the back page that lies behind one on the front."""
        return back_slot(Slot(box, box), paper, self.flip or reading_flip(paper)).trim


_SIDE = re.compile(r"(.*?) ?\b(front|back)")


def sheets_of(pdf: pikepdf.Pdf, views: Sequence[PageView], backs: Backs | None) -> list[SheetPages]:
    """Return the sheets of a document, by the labels of its pages, or else by how it asks to be printed.

    `backs` says how it is printed, whatever the document says.
    """
    preferences: Any = pdf.Root.get("/ViewerPreferences", {})
    wish = str(preferences.get("/Duplex", "")).lstrip("/")
    flip = backs or next((each for each, mode in DUPLEX_MODES.items() if mode.value == wish), None)
    count, names = len(views), page_names(pdf)
    # A page that is gone has a label all the same.
    labels = {number: name for number, name in names.items() if number <= count}
    sides = {number: match for number, name in labels.items() if (match := _SIDE.fullmatch(name))}
    if sides:
        behind = {match[1]: number for number, match in sides.items() if match[2] == "back"}
        fronts = {
            number: sides[number][1] if number in sides else names.get(number, "") for number in range(1, count + 1)
        }
        found = [
            SheetPages(name, number, behind.get(name) if number in sides else None, flip)
            for number, name in fronts.items()
            if number not in behind.values()
        ]
    elif flip in (Backs.LONG_EDGE, Backs.SHORT_EDGE):
        pairs = range(1, count + 1, 2)
        found = [
            SheetPages(str(sheet), front, front + 1 if front < count else None, flip)
            for sheet, front in enumerate(pairs, 1)
        ]
    else:
        found = [SheetPages(str(number), number, None, flip) for number in range(1, count + 1)]
    if backs is Backs.NONE:
        return [each._replace(back=None) for each in found]
    return [
        each._replace(back=each.front, flip=Backs.GUTTERFOLD)
        if each.back is None and (backs is Backs.GUTTERFOLD or _is_folded(views[each.front - 1]))
        else each
        for each in found
    ]


def _is_folded(view: PageView) -> bool:
    """Return whether a dashed line runs across the middle of a page."""
    wide, middle = view.size.width, view.size.height / 2
    lines = (mark.box for mark in view.marks if mark.kind == "line" and mark.is_dashed)
    return any(box.width > 0.95 * wide and box.height < _SAME and abs(box.y - middle) < 0.5 for box in lines)


# Cut lists.

_HEADING = re.compile(r"(\D+) (\d.*)")
_NUMBERS = re.compile(r"(\d+)(?:(?:–| to )(\d+))?")
_STEP = re.compile(r"(\d+)(?:–(\d+))?: (.+), (\D+): ([\d., ]+)")
_LETTERS = re.compile(r"[A-Z]+(?:(?: | to |–)[A-Z]+)*")
_NEW_STEP = re.compile(r"\d+(–\d+)?:")
_MOST_SHEETS = 10_000
# Headings whose places differ by less are in one column.
_COLUMN = 20.0


class _Step(NamedTuple):
    """A line of a cut list: how many parts it cuts, from which edge, and the lengths in millimeters, ascending."""

    first: int
    parts: int
    is_upright: bool
    lengths: tuple[float, ...]


class CutListEntry(NamedTuple):
    """The cuts of some sheets, and the drawings beside them."""

    sheets: tuple[int, ...]
    steps: tuple[_Step, ...]
    drawings: tuple[Mark, ...]

    def plan(self, paper: Size) -> CutPlan:
        """Return the pieces of a sheet, after all cuts.

        Raises UnreadableFileError if no drawing shows them.
        """
        boxes = [mark.box for mark in self.drawings if mark.kind == "box"]
        sheet = max(boxes, key=lambda box: box.width * box.height, default=None)
        if sheet is None or not sheet.width:
            raise UnreadableFileError(f"the cut list does not show sheet {self.sheets[0]}")
        scale = paper.width / sheet.width

        def true(box: Box) -> Box:
            return Box((box.x - sheet.x) * scale, (box.y - sheet.y) * scale, box.width * scale, box.height * scale)

        cells = [Cell(true(box)) for box in boxes if box is not sheet]
        plan = CutPlan(cells, CUT_LIST)
        plan.faults += _faults(self.steps, [cell.box for cell in cells], true(sheet))
        circles = [true(mark.box) for mark in self.drawings if mark.kind == "circle"]
        plan.cells = [_round_cell(cell, circles) for cell in cells]
        return plan


def _round_cell(cell: Cell, circles: Sequence[Box]) -> Cell:
    inside = next((circle for circle in circles if _holds(cell.box, circle)), None)
    return Cell(inside, Shape.ROUND, cell.box) if inside else cell


def _holds(outer: Box, inner: Box, by: float = 0.2) -> bool:
    """Return whether the middle of a box is in another one, and no edge farther out than `by` millimeters."""
    return (
        outer.x - by <= inner.x
        and outer.y - by <= inner.y
        and inner.right <= outer.right + by
        and inner.bottom <= outer.bottom + by
    )


class CutListWords:
    """The words of cut lists in all languages: those before the numbers of sheets, and of edges, whether upright."""

    def __init__(self, folders: Sequence[Path] = ()) -> None:
        """`folders` have captions besides the built-in ones. Raises CardgenError for captions that cannot be read."""
        folders = (*folders, built_in_folder(CAPTIONS_FOLDER))
        tags = sorted({path.stem for folder in folders for path in folder.glob("*.txt")})
        languages = [Captions(), *(load_captions(tag, folders) for tag in tags)]
        self.sheets = frozenset(each.translate(words) for each in languages for words in SHEET)
        self.edges = {
            "".join(each.translate(words).split()): words == FROM_LEFT
            for each in languages
            for words in (FROM_LEFT, FROM_TOP)
        }


def cut_list_entries(view: PageView, known: CutListWords) -> list[CutListEntry]:
    """Return what a page says of how to cut; nothing if it is not of a cut list.

    Raises UnreadableFileError for a line that is not understood.
    """
    texts = _whole_texts(mark for mark in view.marks if mark.kind == "text" and mark.words)
    matches = ((mark, _HEADING.fullmatch(mark.words)) for mark in texts)
    headings = [mark for mark, m in matches if m and m[1].strip() in known.sheets]
    written = "".join("".join(mark.words.split()) for mark in texts)
    if not any(f"{words}:" in written for words in known.edges):
        return []
    found = []
    drawn = [mark for mark in view.marks if mark.kind in ("box", "circle")]
    for heading in headings:
        left = heading.box.x - 0.5
        # The drawing begins a little above the baseline of the heading.
        top = heading.box.y - 4
        column = [mark for mark in headings if abs(mark.box.x - heading.box.x) < _COLUMN]
        below = sorted(mark.box.y - 4 for mark in column if mark.box.y > heading.box.y)
        bottom = below[0] if below else view.size.height
        # Words end where the drawings of the next column begin.
        right = min((mark.box.x for mark in drawn if mark.box.x > left), default=view.size.width)
        words = (mark for mark in texts if left < mark.box.x < right and top < mark.box.y < bottom)
        steps = tuple(_step(line, known) for line in _lines(mark for mark in words if mark is not heading))
        before = max((mark.box.x for mark in headings if mark.box.x < left - _COLUMN), default=0.0)
        drawings = tuple(mark for mark in drawn if top < mark.box.y < bottom and before < mark.box.x < left)
        sheet_numbers: list[int] = []
        for part in _HEADING.sub(r"\2", heading.words).split(", "):
            if not (match := _NUMBERS.fullmatch(part)) or int(match[2] or 0) > _MOST_SHEETS:
                raise UnreadableFileError(f"the heading '{heading.words}' of the cut list is not understood")
            sheet_numbers += range(int(match[1]), int(match[2] or match[1]) + 1)
        found.append(CutListEntry(tuple(sheet_numbers), steps, drawings))
    return found


def _whole_texts(marks: Iterable[Mark]) -> list[Mark]:
    """Return texts, those that follow each other on a line together: each script has a font of its own."""
    whole: list[Mark] = []
    for mark in sorted(marks, key=lambda mark: (round(mark.box.y, 1), mark.box.x)):
        before = whole[-1] if whole else mark
        if before is not mark and abs(before.box.y - mark.box.y) < _SAME and mark.box.x - before.box.right < _SPACE:
            box = before.box._replace(width=max(before.box.right, mark.box.right) - before.box.x)
            whole[-1] = before._replace(box=box, words=f"{before.words} {mark.words}")
        else:
            whole.append(mark)
    return whole


def _lines(marks: Iterator[Mark]) -> Iterator[str]:
    """Yield lines of text, those that are wrapped together."""
    rows: dict[float, list[Mark]] = {}
    for mark in marks:
        rows.setdefault(round(mark.box.y, 1), []).append(mark)
    line = ""
    for _, row in sorted(rows.items()):
        words = " ".join(mark.words for mark in sorted(row, key=lambda mark: mark.box.x))
        if _NEW_STEP.match(words) and line:
            yield line
            line = ""
        line = f"{line} {words}".strip()
    if line:
        yield line


def _step(line: str, known: CutListWords) -> _Step:
    match = _STEP.fullmatch(" ".join(line.split()))
    lengths = match[5].split(", ") if match else []
    is_upright = known.edges.get("".join(match[4].split())) if match else None
    if not match or is_upright is None or len(lengths) != int(match[2] or match[1]) - int(match[1]) + 1:
        raise UnreadableFileError(f"'{line}' in the cut list is not understood")
    parts = 1  # the whole sheet has no letters
    if _LETTERS.fullmatch(match[3]):
        first, *others = re.split("–| to ", match[3])
        parts = _letter_number(others[0]) - _letter_number(first) + 1 if others else len(first.split())
    return _Step(int(match[1]), parts, is_upright, tuple(sorted(map(float, lengths))))


def _letter_number(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def _faults(steps: Sequence[_Step], cells: Sequence[Box], sheet: Box) -> Iterator[str]:
    """Follow the cuts; yield what they damage, and what they leave together."""
    waiting, later = [sheet], list[Box]()
    for step in steps:
        if not waiting:
            waiting, later = [part for part in later if not _is_finished(part, cells)], []
        alike = [part for part in waiting if _same_size(part, waiting[0])][: step.parts]
        if len(alike) < step.parts:
            yield f"cut {step.first} is for {step.parts} parts, but only {len(alike)} can be cut so"
            return
        for part in alike:
            waiting.remove(part)
            start, end = (part.x, part.right) if step.is_upright else (part.y, part.bottom)
            for number, length in enumerate(reversed(step.lengths), step.first):
                yield from _damage(number, start + length, part, cells, step)
            edges = [start, *(start + length for length in step.lengths), end]
            later += [
                part._replace(x=low, width=high - low) if step.is_upright else part._replace(y=low, height=high - low)
                for low, high in pairwise(edges)
            ]
    left = sum(not _is_finished(part, cells) for part in (*waiting, *later))
    if left:
        yield f"after the last cut, {left} parts are not cut to their pieces"


def _damage(number: int, at: float, part: Box, cells: Sequence[Box], step: _Step) -> Iterator[str]:
    for cell in cells:
        low, high = (cell.x, cell.right) if step.is_upright else (cell.y, cell.bottom)
        if _holds(part, cell) and min(at - low, high - at) > 2 * _ROUNDING:
            yield f"cut {number} goes through a piece, {min(at - low, high - at):.1f} mm from its edge"
            return


def _is_finished(part: Box, cells: Sequence[Box]) -> bool:
    inside = [cell for cell in cells if _holds(part, cell)]
    return not inside or (len(inside) == 1 and _same_size(part, inside[0]))


def _same_size(one: Box, other: Box) -> bool:
    return max(abs(one.width - other.width), abs(one.height - other.height)) < 4 * _ROUNDING


# Files of cutters: closed lines in millimeters, in the SVG and the DXF that `cardgen export silhouette` writes.


def cutter_plan(content: bytes) -> CutPlan:
    """Return the pieces of an SVG or DXF file. Raises UnreadableFileError if there are none, or something else."""
    is_dxf = _DXF.match(content) is not None
    try:
        cells = list(_dxf_cells(content) if is_dxf else _svg_cells(content))
        if not all(0 < side <= MAX_LENGTH for cell in cells for side in cell.box[2:]):
            raise ValueError("a line encloses nothing, or more than any paper has")
    except (SvgError, ValueError) as error:
        what = "the cut list cannot be followed" if is_dxf else "the cut list is neither a PDF nor the file of a cutter"
        raise UnreadableFileError(f"{what}: {error}") from None
    if not cells:
        raise UnreadableFileError("the cut list has no closed lines to cut along")
    return CutPlan(cells, CUTTER_FILE)


def _svg_cells(content: bytes) -> Iterator[Cell]:
    tree = read_tree(content, ART)
    root = tree.elements[0].attributes
    view = parse_view_box(root.get("viewBox", ""))
    if view is None or not root.get("width", "").endswith("mm") or abs(float(root["width"][:-2]) - view.width) > _SAME:
        raise ValueError("its unit is not the millimeter")
    for each in tree.elements:
        if each.tag == "rect":
            x, y, width, height = (parse_number(each.get(key, "0")) for key in ("x", "y", "width", "height"))
            yield Cell(Box(x - view.x, y - view.y, width, height))
        elif each.tag == "circle":
            x, y, r = (parse_number(each.get(key, "0")) for key in ("cx", "cy", "r"))
            yield Cell(Box(x - r - view.x, y - r - view.y, 2 * r, 2 * r), Shape.ROUND)
        elif each.tag not in ("svg", "g", "title", "desc", "metadata", "defs"):
            raise ValueError(f"<{each.tag}> is not supported")


_DXF = re.compile(rb"\s*(?:999\s*\n[^\n]*\n\s*)*0\s*\r?\n\s*SECTION\b")
_MILLIMETERS = "4"


def _dxf_cells(content: bytes) -> Iterator[Cell]:
    """Yield the closed polylines and circles of a DXF file, whose y points up from the lower left corner."""
    lines = [line.strip() for line in content.decode("ascii", "replace").splitlines()]
    groups = [*zip(lines[::2], lines[1::2], strict=False)]
    header = {name: groups[at + 1 : at + 4] for at, (code, name) in enumerate(groups) if code == "9"}
    if ("70", _MILLIMETERS) not in header.get("$INSUNITS", ()):
        raise ValueError("its unit is not the millimeter")
    low, high = (
        [parse_number(each) for code, each in header.get(name, ()) if code in ("10", "20")]
        for name in ("$EXTMIN", "$EXTMAX")
    )
    if low != [0.0, 0.0] or len(high) != 2:
        raise ValueError("it does not say how large the paper is ($EXTMIN 0, 0 and $EXTMAX)")
    height = high[1]
    starts = [at for at, (code, _) in enumerate(groups) if code == "0"]
    is_inside, open_line = False, [("", "")]
    for start, end in pairwise((*starts, len(groups))):
        tag, values = groups[start][1], groups[start + 1 : end]
        if tag == "SECTION":
            is_inside = ("2", "ENTITIES") in values
        elif not is_inside or tag in ("ENDSEC", "EOF"):
            continue
        elif tag == "POLYLINE":
            # Its own point is a dummy; those of its vertices follow.
            open_line = [pair for pair in values if pair[0] == "70"]
        elif tag == "VERTEX":
            open_line += values
        elif tag in ("SEQEND", "LWPOLYLINE"):
            yield _dxf_outline(open_line if tag == "SEQEND" else values, height)
        elif tag == "CIRCLE":
            ((x, y),), (r,) = _points(values), _values(values, "40")
            yield Cell(Box(x - r, height - y - r, 2 * r, 2 * r), Shape.ROUND)
        else:
            raise ValueError(f"{tag[:20]} is not supported, only closed polylines and circles")


def _dxf_outline(values: Sequence[tuple[str, str]], height: float) -> Cell:
    points = _points(values)
    if not any(code == "70" and int(parse_number(each)) & 1 for code, each in values) or len(points) < 4:
        raise ValueError("a polyline is not closed, or has fewer than four vertices")
    xs, ys = zip(*points, strict=True)
    return Cell(Box(min(xs), height - max(ys), max(xs) - min(xs), max(ys) - min(ys)))


def _points(values: Sequence[tuple[str, str]]) -> list[tuple[float, float]]:
    points = [*zip(_values(values, "10"), _values(values, "20"), strict=True)]
    if not points:
        raise ValueError("a line has no points")
    return points


def _values(values: Sequence[tuple[str, str]], wanted: str) -> list[float]:
    return [parse_number(each) for code, each in values if code == wanted]


# Cut marks.

_CUT_LAYER = re.compile(r"cut|crop|trim", re.IGNORECASE)
_SHORTEST, _LONGEST = 1.5, 15.0


def has_cut_layer(views: Iterable[PageView]) -> bool:
    """Return whether the cut marks of a document are on a layer."""
    return any(_CUT_LAYER.search(mark.layer) for view in views for mark in view.marks)


def cut_marks(view: PageView, *, on_layer: bool) -> list[Mark]:
    """Return the straight cut marks of a page: those of a layer for them, or else short lines without one."""
    lines = [mark for mark in view.marks if mark.kind == "line" and not mark.is_dashed]
    straight = [mark for mark in lines if min(mark.box.width, mark.box.height) < _SAME]
    if on_layer:
        return [mark for mark in straight if _CUT_LAYER.search(mark.layer)]
    return [mark for mark in straight if not mark.layer and _SHORTEST < max(mark.box.width, mark.box.height) < _LONGEST]


def is_cut_circle(mark: Mark) -> bool:
    """Return whether a mark is the cut line of a round piece."""
    return mark.kind == "circle" and bool(_CUT_LAYER.search(mark.layer))


def _is_contour(mark: Mark) -> bool:
    """Return whether a mark is the cut line of a piece with rounded corners or another outline."""
    return mark.kind == "other" and bool(_CUT_LAYER.search(mark.layer)) and min(mark.box[2:]) > MIN_SIDE


def marked_plan(view: PageView, *, on_layer: bool, is_folded: bool) -> CutPlan | None:
    """Return the pieces between the cut marks of a page, which has a grid, or inside its cut lines; None if none."""
    height = view.size.height / 2 if is_folded else view.size.height
    # A cut line is drawn over its white edge, which is the same circle.
    circles = {tuple(round(edge, 1) for edge in mark.box): mark.box for mark in view.marks if is_cut_circle(mark)}
    cells = [Cell(box, Shape.ROUND) for box in circles.values()]
    if not cells:
        marks = cut_marks(view, on_layer=on_layer)
        columns = list(_columns(mark.box.x for mark in marks if mark.box.height > mark.box.width))
        level = (mark.box.y for mark in marks if mark.box.width > mark.box.height)
        rows = list(_columns(y for y in level if y < height))
        cells = [Cell(Box(x, y, right - x, low - y)) for y, low in rows for x, right in columns]
        cells = cells or [Cell(mark.box) for mark in view.marks if _is_contour(mark)]
    cells = [cell for cell in cells if cell.box.bottom < height + _SAME]
    return CutPlan(cells, CUT_MARKS) if cells else None


def _columns(places: Iterator[float]) -> Iterator[tuple[float, float]]:
    """Yield the pieces between cuts; narrow strips between them are waste."""
    edges: list[float] = []
    for place in sorted(places):
        if not edges or place - edges[-1] > _SAME:
            edges.append(place)
    spans = list(pairwise(edges))
    longest = max((end - start for start, end in spans), default=0.0)
    yield from ((start, end) for start, end in spans if end - start > max(longest / 2, MIN_SIDE - _SAME))


def trimmed_plan(view: PageView) -> CutPlan | None:
    """Return the one piece of a page with a TrimBox; None without."""
    if "/TrimBox" not in view.source.obj:
        return None
    first, second, third, fourth = (to_mm(float(side)) for side in view.source.trimbox)
    box = view.box((min(first, third), min(second, fourth), max(first, third), max(second, fourth)))
    return CutPlan([Cell(box)], TRIM_BOX)


def cut_list_of(views: Sequence[PageView], known: CutListWords) -> tuple[Mapping[int, CutListEntry], frozenset[int]]:
    """Return the entries of a document's cut list by the number of the sheet, and the pages that have it."""
    entries: dict[int, CutListEntry] = {}
    pages = set()
    for view in views:
        for entry in cut_list_entries(view, known):
            pages.add(view.number)
            entries.update(dict.fromkeys(entry.sheets, entry))
    return entries, frozenset(pages)
