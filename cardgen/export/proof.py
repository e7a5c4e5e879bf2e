"""Proof of a finished PDF: each piece as it is once the sheets are cut.

All lengths are in millimeters from the top left corner of a page; y points down. Offsets of backs are as seen through
the front.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from itertools import combinations
from math import atan2, ceil, cos, degrees, floor, hypot, log, pi, sin, sqrt
from pathlib import Path
from typing import NamedTuple

import pypdfium2
from PIL import Image, ImageChops, ImageDraw

from cardgen.diagnostic import Severity
from cardgen.export.cut_plan import (
    CUT_MARKS,
    CUTTER_FILE,
    Cell,
    CutListWords,
    CutPlan,
    SheetPages,
    cut_list_of,
    cut_marks,
    cutter_plan,
    has_cut_layer,
    is_cut_circle,
    marked_plan,
    sheets_of,
    trimmed_plan,
)
from cardgen.export.page_objects import (
    Art,
    Mark,
    PageView,
    Type,
    UnreadableFileError,
    open_pdf,
    pictures_on,
    readable,
    type_on,
)
from cardgen.export.preflight import Finding
from cardgen.sheet.leaf import Backs, Layer
from cardgen.units import MM_PER_INCH, Box, Shape, Size, quantity

# What is off by more is reported, in millimeters.
TOLERANCE = 0.15
# The least bleed, where there is room for it: cuts by hand and by machine are off by this much.
LEAST_BLEED, CUTTER_BLEED = 1.0, 0.5
# Type and pictures that cannot be read on a table, or are blurred.
SMALLEST_TYPE, MIN_DPI = 7.0, 200
_DPI, _MOST_PIXELS = 300.0, 60_000_000
_REACH, _INSIDE, _STEP, _CORNER, _ALONG, _BROAD = 5.0, 0.4, 2.0, 2.0, 0.8, 1.2
_WHITE, _CUT_LINE = 247, 0.35
# Art of a piece: how far it may reach beyond the trim on both sides together, or fall short of it.
_MOST_BLEED, _SHORT = 24.0, 1.5
SIDES = ("left", "top", "right", "bottom")


class Side(NamedTuple):
    """One side of a piece: its page, trim, and what is printed there.

    `art` is what is placed as a whole, and `offset` how far its middle is from that of the trim; `up` is where its top
    is, in degrees clockwise. `bleed` is painted at the left, top, right, and bottom, None where nothing needs any or
    another piece begins. `small` is the word in the smallest `type`, in points, and `dpi` that of the coarsest picture.
    """

    page: int
    trim: Box
    art: tuple[int, int] | None
    offset: tuple[float, float] | None
    up: float | None
    bleed: tuple[float | None, ...]
    type: float | None
    small: str
    dpi: float | None
    words: tuple[str, ...]
    blank: bool


class ProofPiece(NamedTuple):
    """A piece: its sheet, its number there, its shape, its sides, and how far the back is from the front."""

    sheet: str
    number: int
    shape: Shape
    front: Side
    back: Side | None
    shift: tuple[float, float] | None

    @property
    def size(self) -> Size:
        """The size of its trim."""
        return Size(self.front.trim.width, self.front.trim.height)


class SheetProof(NamedTuple):
    """What is found on one sheet: where its cuts are known from, and a PNG file for each piece if these are wanted.

    Without a source, it is not cut.
    """

    pages: tuple[int, ...]
    source: str
    pieces: tuple[ProofPiece, ...] = ()
    findings: tuple[Finding, ...] = ()
    pictures: tuple[bytes, ...] = ()


class Prover:
    """A document whose sheets are looked at one by one."""

    def __init__(
        self, content: bytes, cut_list: bytes | None, backs: Backs | None, folders: Sequence[Path] = ()
    ) -> None:
        """`cut_list` is a PDF or SVG file, and `folders` have captions, whose words it may use.

        Raises UnreadableFileError if one of the files cannot be read.
        """
        known = CutListWords(folders)
        with readable():
            # Their objects die with the document.
            self._open = pdf, document = open_pdf(content), pypdfium2.PdfDocument(content)
            if len(document) != len(pdf.pages):
                raise UnreadableFileError("the file is not a valid PDF")
            self._views = [PageView(document[n], page, n + 1) for n, page in enumerate(pdf.pages)]
            self._entries, listed = cut_list_of(self._views, known)
            self._on_layer = has_cut_layer(self._views)
            self._cutter: CutPlan | None = None
            if cut_list and cut_list.startswith(b"%PDF"):
                with open_pdf(cut_list) as other, pypdfium2.PdfDocument(cut_list) as pages:
                    views = [PageView(pages[n], page, n + 1) for n, page in enumerate(other.pages)]
                    self._entries, listed_there = cut_list_of(views, known)
                if not listed_there:
                    raise UnreadableFileError("the PDF named as cut list has no cut list")
            elif cut_list:
                self._cutter = cutter_plan(cut_list)
            self._sheets = [sheet for sheet in sheets_of(pdf, self._views, backs) if sheet.front not in listed]

    @property
    def count(self) -> int:
        """The number of sheets."""
        return len(self._sheets)

    def sheet(self, index: int, *, pictures: bool) -> SheetProof:
        """Return the proof of a sheet. Raises UnreadableFileError if it cannot be read."""
        with readable():
            sheet = self._sheets[index]
            front, back = self._views[sheet.front - 1], self._views[sheet.back - 1] if sheet.back else None
            plan = self._plan(sheet, front)
            if plan:
                return _SheetReader(sheet, front, back, plan, on_layer=self._on_layer).proof(pictures=pictures)
            pages = tuple(dict.fromkeys(page for page in (sheet.front, sheet.back) if page))
            message = "the cut marks do not enclose a piece"
            marked = Finding("cut-list", message, page=sheet.front, severity=Severity.WARNING)
            return SheetProof(pages, "", (), (marked,) if cut_marks(front, on_layer=self._on_layer) else ())

    def _plan(self, sheet: SheetPages, view: PageView) -> CutPlan | None:
        if self._cutter:
            return self._cutter
        if sheet.name.isdecimal() and (entry := self._entries.get(int(sheet.name))):
            return entry.plan(view.size)
        plan = marked_plan(view, on_layer=self._on_layer, is_folded=sheet.back == sheet.front)
        # A page without marks in a document that has them is a cover, or a text.
        return plan or (None if self._on_layer or self._entries else trimmed_plan(view))


class _SheetReader:
    """Looks at the pieces of one sheet."""

    def __init__(
        self, sheet: SheetPages, front: PageView, back: PageView | None, plan: CutPlan, *, on_layer: bool
    ) -> None:
        self._sheet, self._plan, self._on_layer = sheet, plan, on_layer
        paper, cells = front.size, plan.cells
        self._front = _PageReader(front, cells)
        self._back = None
        if back:
            behind = [
                cell._replace(
                    box=sheet.back_box(cell.box, paper),
                    frame=sheet.back_box(cell.frame, paper) if cell.frame else None,
                )
                for cell in cells
            ]
            self._back = _PageReader(back, behind, self._front if back is front else None)
        # How x and y of a back are seen through the front.
        probe = sheet.back_box(Box(0, 0, 1, 1), paper)
        self._mirror = (-1.0, 1.0) if probe.x > 0.5 else (1.0, -1.0)

    def proof(self, *, pictures: bool) -> SheetProof:
        """Return what is found."""
        found: list[ProofPiece] = []
        for number, cell in enumerate(self._plan.cells):
            front = self._front.side(number)
            back = self._back.side(number) if self._back else None
            shift = None
            if back and back.offset and front.offset:
                across, down = (side * sign for side, sign in zip(back.offset, self._mirror, strict=True))
                shift = (across - front.offset[0], down - front.offset[1])
            found.append(ProofPiece(self._sheet.name, number + 1, cell.shape, front, back, shift))
        pieces = tuple(piece for piece in found if not piece.front.blank or (piece.back and not piece.back.blank))
        findings = [Finding("cut-list", fault, page=self._sheet.front) for fault in self._plan.faults]
        # The pieces of which nothing, or only the back, is printed; the last ones may be empty.
        last = max((piece.number for piece in found if not piece.front.blank), default=0)
        for side, piece in ((piece.front, piece) for piece in found if piece.front.blank):
            if piece.back and not piece.back.blank:
                findings.append(
                    Finding("missing", "the front is blank, but the back is not", page=side.page, box=side.trim)
                )
            elif piece.number < last:
                message = "the piece is blank, but others follow"
                findings.append(Finding("missing", message, "", side.page, "", side.trim, Severity.WARNING))
        # A folded sheet has both sides on one page.
        is_folded = self._sheet.back == self._sheet.front
        readers = [reader for reader in (None if is_folded else self._front, self._back) if reader]
        for reader in readers:
            findings += [*reader.scale(), *reader.inside_marks(), *reader.mirrored()]
            if is_folded or reader is self._back or self._plan.source != CUT_MARKS:
                findings += reader.stray_marks(on_layer=self._on_layer)
        least = CUTTER_BLEED if self._plan.source == CUTTER_FILE else LEAST_BLEED
        for piece in pieces:
            findings += _piece_findings(piece, self._mirror, least)
        drawn = tuple(self._picture(piece) for piece in pieces) if pictures else ()
        pages = tuple(dict.fromkeys(page for page in (self._sheet.front, self._sheet.back) if page))
        return SheetProof(pages, self._plan.source, pieces, tuple(dict.fromkeys(findings)), drawn)

    def _picture(self, piece: ProofPiece) -> bytes:
        """Return a PNG file of the front and the back, both upright, as cut."""
        sides = [self._front.cut(piece.front, piece.shape)]
        if piece.back and self._back and not piece.back.blank:
            sides.append(self._back.cut(piece.back, piece.shape))
        gap = 24
        whole = Image.new("RGB", (sum(side.width + gap for side in sides) - gap, max(s.height for s in sides)), "white")
        at = 0
        for side in sides:
            whole.paste(side, (at, 0))
            at += side.width + gap
        content = BytesIO()
        whole.save(content, "PNG", dpi=(_DPI, _DPI))
        return content.getvalue()


class _Letter(NamedTuple):
    x: float
    y: float
    points: float
    type: Type
    up: tuple[float, float]


class _PageReader:
    """Looks at one page with the trims of its pieces; `other` has read it already."""

    def __init__(self, view: PageView, cells: Sequence[Cell], other: _PageReader | None = None) -> None:
        self._view, self._cells = view, cells
        # Pixels per millimeter.
        self._scale = min(_DPI / MM_PER_INCH, sqrt(_MOST_PIXELS / (view.size.width * view.size.height)))
        self._image: Image.Image = other._image if other else view.image(self._scale * MM_PER_INCH)
        # The darkest channel of each pixel.
        red, green, blue = self._image.split()
        self._wide, self._high = self._image.width, self._image.height
        # A picture has whole pixels, so that it is stretched a little.
        self._across, self._down = self._wide / view.size.width, self._high / view.size.height
        self._pixels: bytes = ImageChops.darker(red, ImageChops.darker(green, blue)).tobytes()
        self._letters: list[_Letter] = other._letters if other else list(self._all_letters())
        self._pictures = [(view.box(each.extent), each.dpi) for each in pictures_on(view.page)]
        self._all_cells = [*other._cells, *cells] if other else list(cells)

    def _all_letters(self) -> Iterator[_Letter]:
        a, b, c, d, *_ = self._view.matrix
        for each in type_on(self._view.page):
            box, (x, y) = self._view.box(each.extent), each.up
            up = (a * x + c * y, b * x + d * y)
            size = hypot(*up) or 1.0
            yield _Letter(box.x + box.width / 2, box.y + box.height / 2, each.size, each, (up[0] / size, up[1] / size))

    # What each piece is.

    def side(self, number: int) -> Side:
        """Return what is printed of a piece."""
        cell = self._cells[number]
        trim = cell.box
        letters = self._letters_in(trim)
        smallest = min(letters, key=lambda each: each.points, default=None)
        whole = [each for each in letters if each.type.is_whole]
        dpis = [dpi for box, dpi in self._pictures if dpi > 0 and _middle_in(box, trim)]
        art, middle = self._art(trim), _middle(trim)
        offset = None
        if art:
            across, down = _middle(art.box)
            offset = (across - middle[0], down - middle[1])
        is_blank = art is None and self._is_white(trim, cell.shape)
        return Side(
            self._view.number,
            trim,
            art.key if art else None,
            offset,
            _direction(letters, art),
            (None,) * 4 if is_blank else self._bleed(cell, art),
            smallest.points if smallest else None,
            smallest.type.word() if smallest else "",
            min(dpis, default=None),
            tuple(sorted(self._view.words(trim).union(each.type.word().casefold() for each in whole))),
            is_blank,
        )

    def _letters_in(self, box: Box) -> list[_Letter]:
        return [each for each in self._letters if box.x < each.x < box.right and box.y < each.y < box.bottom]

    def mirrored(self) -> Iterator[Finding]:
        """Yield the pieces whose type reads in a mirror."""
        for cell in self._cells:
            letters = self._letters_in(cell.box)
            if 2 * sum(each.type.is_mirrored for each in letters) > len(letters):
                message = "the piece is printed as a mirror image"
                yield Finding("position", message, page=self._view.number, box=cell.box)

    def _art(self, trim: Box) -> Art | None:
        """Return what is placed as a whole in a trim, with its bleed."""
        x, y = _middle(trim)
        near = []
        for each in self._view.art:
            wide, high = each.box.width - trim.width, each.box.height - trim.height
            across, down = _middle(each.box)
            away = hypot(across - x, down - y)
            if (
                -_SHORT < wide < _MOST_BLEED
                and -_SHORT < high < _MOST_BLEED
                and away < min(trim.width, trim.height) / 2
            ):
                near.append((away, each))
        return min(near, key=lambda one: one[0])[1] if near else None

    def _is_white(self, trim: Box, shape: Shape) -> bool:
        # The bleed of neighbors may reach into a piece without a back, and cut lines are around a round one.
        around = trim.width / 4 if shape is Shape.ROUND else _REACH
        inner = trim.expand(-min(around, trim.width / 4, trim.height / 4))
        return min(low for low, _ in self._crop(inner).getextrema()) >= _WHITE  # type: ignore[misc]  # three channels

    def _crop(self, box: Box) -> Image.Image:
        left, top, right, bottom = (round(at * self._scale) for at in (box.x, box.y, box.right, box.bottom))
        return self._image.crop((left, top, right, bottom))

    def _bleed(self, cell: Cell, art: Art | None) -> tuple[float | None, ...]:
        """Return the least bleed on each side: where it is painted inside, and no other piece begins."""
        found: dict[str, list[float]] = {side: [] for side in SIDES}
        near = [each for each in self._all_cells if each != cell and _gap(each.box, cell.box) < 2 * _REACH]
        for side, x, y, right, down in self._painted_rays(cell):
            limit = min([_REACH, *(_room(x, y, right, down, other) for other in near)])
            if limit > 2 * TOLERANCE:
                painted = min(limit, self._painted(x, y, right, down, limit))
                # Where another piece leaves less room, all of it is enough.
                if limit >= LEAST_BLEED or painted < limit - 0.1:
                    found[side].append(painted)
        bleed: list[float | None] = [min(found[side], default=None) for side in SIDES]
        if art and cell.shape is not Shape.ROUND:
            box, (xs, ys) = cell.box, art.edges
            exact = (
                [box.x - x for x in xs],
                [box.y - y for y in ys],
                [x - box.right for x in xs],
                [y - box.bottom for y in ys],
            )
            bleed = [_nearest(each, edges, 2 / self._scale) for each, edges in zip(bleed, exact, strict=True)]
        return tuple(None if each is None else round(each, 3) for each in bleed)

    def _painted_rays(self, cell: Cell) -> Iterator[tuple[str, float, float, float, float]]:
        """Yield the places along a trim where something is painted that a cut beside it would show to end.

        A line that runs to the edge ends somewhere in any case: what counts is broad and deep, or goes along the side.
        """
        rays = [*_rays(cell)]
        painted = [self._darkness(x - right * _INSIDE, y - down * _INSIDE) > 0 for _, x, y, right, down in rays]
        all_rays, those = (
            Counter(ray[0] for ray in rays),
            Counter(ray[0] for ray, each in zip(rays, painted, strict=True) if each),
        )
        for ray in (ray for ray, is_painted in zip(rays, painted, strict=True) if is_painted):
            side, x, y, right, down = ray
            around = ((depth, beside) for depth in (1, 2, 3) for beside in (-_BROAD, 0.0, _BROAD))
            if those[side] > _ALONG * all_rays[side] or all(
                self._darkness(x - right * n * _INSIDE + down * at, y - down * n * _INSIDE + right * at) > 0
                for n, at in around
            ):
                yield ray

    def _darkness(self, x: float, y: float) -> int:
        """Return by how much a place is darker than nearly white; nothing outside the paper is."""
        across, down = int(x * self._across), int(y * self._down)
        if not (x >= 0 and y >= 0 and across < self._wide and down < self._high):
            return 0
        return max(0, _WHITE + 1 - self._pixels[down * self._wide + across])

    def _painted(self, x: float, y: float, right: float, down: float, limit: float) -> float:
        """Return how far a page is painted from a place in a direction, in millimeters.

        The last pixel counts as far as it is painted.
        """
        if right and down:
            return self._painted_aslant(x, y, right, down, limit)
        before, last = 0, 0
        for step in range(ceil(limit * self._scale) + 1):
            at = (step + 0.5) / self._scale
            darkness = self._darkness(x + right * at, y + down * at)
            if not darkness:
                part = min(1.0, last / before) if before else float(bool(last))
                # The edge of the pixel that is white lies between the steps.
                place = (x if right else y) * self._scale
                ahead = (right or down) > 0
                edge = floor(place + step + 0.5) - place if ahead else place - ceil(place - step - 0.5)
                return max(0.0, (edge - 1 + part) / self._scale) if step else 0.0
            before, last = last or darkness, darkness
        return limit

    def _painted_aslant(self, x: float, y: float, right: float, down: float, limit: float) -> float:
        """Return how far a page is painted in a direction across its pixels: up to where half of the paint is left."""
        along: list[float] = []
        for step in range(ceil(4 * limit * self._scale) + 1):
            # Cut lines of round pieces have a white edge.
            at = _CUT_LINE + step / 4 / self._scale
            darkness = self._smooth_darkness(x + right * at, y + down * at)
            if darkness <= 0:
                # The edge is blurred over two pixels.
                half = along[max(0, step - 10)] / 2 if along else 0.0
                ends = next((n for n in reversed(range(step)) if along[n] > half), None)
                return _CUT_LINE + (ends + 0.5) / 4 / self._scale if ends else 0.0
            along.append(darkness)
        return limit

    def _smooth_darkness(self, x: float, y: float) -> float:
        """Return the darkness of a place by those of the four pixels around it."""
        x, y = x - 0.5 / self._across, y - 0.5 / self._down
        right, below = x + 1 / self._across, y + 1 / self._down
        share, low = x * self._across % 1, y * self._down % 1
        above = (1 - share) * self._darkness(x, y) + share * self._darkness(right, y)
        return (1 - low) * above + low * ((1 - share) * self._darkness(x, below) + share * self._darkness(right, below))

    # What is printed over the pieces, and beside them.

    def scale(self) -> Iterator[Finding]:
        """Yield scale bars that are longer or shorter than they say."""
        for label in self._view.marks:
            if label.kind == "text" and (match := re.fullmatch(r"(\d{2,3}) mm", label.words)):
                wanted = float(match[1])
                bars = [mark.box for mark in self._view.marks if mark.kind == "line" and not mark.layer]
                lengths = [(_gap(box, label.box), max(box.width, box.height)) for box in bars]
                near = [(gap, length) for gap, length in lengths if abs(length - wanted) < 0.15 * wanted and gap < 15]
                if near and abs(min(near)[1] - wanted) > TOLERANCE:
                    message = f"the scale bar of {wanted:g} mm is {min(near)[1]:.2f} mm long"
                    yield Finding("scale", message, page=self._view.number, box=label.box)

    def stray_marks(self, *, on_layer: bool) -> Iterator[Finding]:
        """Yield the cut mark that is farthest from the edge of a piece."""
        boxes = [cell.frame or cell.box for cell in self._all_cells]
        if not boxes or any(cell.shape is Shape.ROUND and not cell.frame for cell in self._cells):
            return
        upright = [edge for box in boxes for edge in (box.x, box.right)]
        level = [edge for box in boxes for edge in (box.y, box.bottom)]
        worst = (TOLERANCE, Mark("", boxes[0]))
        for mark in cut_marks(self._view, on_layer=on_layer):
            at, edges = (mark.box.x, upright) if mark.box.height > mark.box.width else (mark.box.y, level)
            worst = max(worst, (min(abs(at - edge) for edge in edges), mark))
        if worst[0] > TOLERANCE:
            message = f"a cut mark is {worst[0]:.2f} mm from the edge of the nearest piece"
            yield Finding("mark", message, page=self._view.number, box=worst[1].box)

    def inside_marks(self) -> Iterator[Finding]:
        """Yield the marks and texts of the sheet that are printed on a piece."""
        edges = {round(edge, 1) for cell in self._all_cells for edge in (cell.box.x, cell.box.right)}
        edges |= {round(edge, 1) for cell in self._all_cells for edge in (cell.box.y, cell.box.bottom)}
        for mark in self._view.marks:
            if mark.kind not in ("line", "text") or mark.layer in (Layer.FOLDS, Layer.SAFE) or is_cut_circle(mark):
                continue
            for cell in self._all_cells:
                if not _reaches_into(mark.box, cell):
                    continue
                crosses = not _inside(mark.box, cell.box) or round(min(mark.box[:2]), 1) in edges
                if mark.layer or (crosses and self._art(cell.box)):
                    what = f"'{mark.words}'" if mark.kind == "text" else "a mark"
                    message = f"{what} is printed on the piece"
                    yield Finding("mark", message, page=self._view.number, box=mark.box)

    def cut(self, side: Side, shape: Shape) -> Image.Image:
        """Return a side as it is cut, with its top at the top."""
        piece = self._crop(side.trim)
        if shape is Shape.ROUND:
            mask = Image.new("L", piece.size)
            ImageDraw.Draw(mask).ellipse((0, 0, piece.width - 1, piece.height - 1), fill=255)
            piece = Image.composite(piece, Image.new("RGB", piece.size, "white"), mask)
        return piece.rotate(90 * round((side.up or 0) / 90), expand=True)


def _nearest(value: float | None, exact: Sequence[float], within: float) -> float | None:
    if value is None:
        return None
    # Pixels are painted as a whole; the edge of a path or picture is exact.
    away, best = min((abs(each - value), each) for each in exact)
    return value if away > within else max(0.0, best)


def _middle(box: Box) -> tuple[float, float]:
    return box.x + box.width / 2, box.y + box.height / 2


def _middle_in(box: Box, outer: Box) -> bool:
    x, y = _middle(box)
    return outer.x < x < outer.right and outer.y < y < outer.bottom


def _inside(box: Box, outer: Box) -> bool:
    return box.x > outer.x and box.y > outer.y and box.right < outer.right and box.bottom < outer.bottom


def _gap(one: Box, other: Box) -> float:
    """Return the distance of two boxes; nothing if they overlap."""
    across = max(other.x - one.right, one.x - other.right, 0.0)
    return hypot(across, max(other.y - one.bottom, one.y - other.bottom, 0.0))


def _reaches_into(box: Box, cell: Cell) -> bool:
    inner = cell.box.expand(-TOLERANCE)
    if cell.shape is Shape.ROUND:
        x, y = _middle(cell.box)
        nearest = hypot(max(box.x - x, x - box.right, 0.0), max(box.y - y, y - box.bottom, 0.0))
        return nearest < inner.width / 2
    return box.x < inner.right and inner.x < box.right and box.y < inner.bottom and inner.y < box.bottom


def _rays(cell: Cell) -> Iterator[tuple[str, float, float, float, float]]:
    """Yield places along a trim, with their side and the direction outward."""
    box = cell.box
    if cell.shape is Shape.ROUND:
        (x, y), radius = _middle(box), box.width / 2
        for part in range(72):
            right, down = cos((part + 0.5) * pi / 36), sin((part + 0.5) * pi / 36)
            side = ("left", "right")[right > 0] if abs(right) > abs(down) else ("top", "bottom")[down > 0]
            yield side, x + radius * right, y + radius * down, right, down
        return
    corner = min(_CORNER, box.width / 4, box.height / 4)
    for step in range(int((box.width - 2 * corner) / _STEP) + 1):
        yield "top", box.x + corner + step * _STEP, box.y, 0.0, -1.0
        yield "bottom", box.x + corner + step * _STEP, box.bottom, 0.0, 1.0
    for step in range(int((box.height - 2 * corner) / _STEP) + 1):
        yield "left", box.x, box.y + corner + step * _STEP, -1.0, 0.0
        yield "right", box.right, box.y + corner + step * _STEP, 1.0, 0.0


def _room(x: float, y: float, right: float, down: float, other: Cell) -> float:
    """Return how far from a place in a direction another piece is not nearer; the reach if it is elsewhere."""
    box = other.box
    if other.shape is Shape.ROUND:
        radius, (middle, center) = box.width / 2, _middle(box)
        across, below = x - middle, y - center
        away = radius - across * right - below * down
        return max(0.0, across**2 + below**2 - radius**2) / (2 * away) if away > 1e-6 else _REACH
    near, far, beside = 0.0, 2 * _REACH, 0.0
    for at, step, low, high in ((x, right, box.x, box.right), (y, down, box.y, box.bottom)):
        if abs(step) > 1e-6:
            first, second = sorted(((low - at) / step, (high - at) / step))
            near, far = max(near, first), min(far, second)
        else:
            beside = max(low - at, at - high, 0.0)
    if near >= far + 0.01:
        return _REACH
    # Up to where the other one is as near as this one: below its nearest edge, or beside it.
    return (beside**2 + near**2) / (2 * near) if beside < near else beside if beside < far else _REACH


def _direction(letters: Sequence[_Letter], art: Art | None) -> float | None:
    """Return where the top is, in degrees clockwise: that of most type, or of the art."""
    across = sum(each.up[0] * each.points**2 for each in letters)
    down = sum(each.up[1] * each.points**2 for each in letters)
    total = sum(each.points**2 for each in letters)
    enough = len(letters) > 5 or any(each.type.is_whole for each in letters)
    if enough and hypot(across, down) > 0.6 * total:
        return round(degrees(atan2(across, -down)), 1)
    if art:
        return round(degrees(atan2(art.matrix[2], -art.matrix[3])), 1)
    return None


def _piece_findings(piece: ProofPiece, mirror: tuple[float, float], least: float) -> Iterator[Finding]:
    """Yield the findings of one piece."""
    for side in filter(None, (piece.front, piece.back)):
        about = (side.page, "", side.trim)
        known = [(name, bleed) for name, bleed in zip(SIDES, side.bleed, strict=True) if bleed is not None]
        lacking = [(bleed, name) for name, bleed in known if bleed < least - 0.1]
        if lacking:
            names = " and ".join(name for _, name in lacking)
            message = f"the bleed is {min(lacking)[0]:.1f} mm at the {names}; a cut that is off shows white"
            yield Finding("bleed", message, "", *about, Severity.WARNING)
        if side.type is not None and side.type < SMALLEST_TYPE - 0.05:
            message = f"'{side.small}' is {side.type:.1f} pt, smaller than {SMALLEST_TYPE:g} pt"
            yield Finding("type-size", message, "", *about, Severity.WARNING)
        if side.dpi is not None and side.dpi < MIN_DPI - 2:
            message = f"a picture has {side.dpi:.0f} dpi, fewer than {MIN_DPI}"
            yield Finding("resolution", message, "", *about, Severity.WARNING)
    front, back = piece.front, piece.back
    if front.offset and max(map(abs, front.offset)) > TOLERANCE:
        message = f"the front is {_offset(*front.offset)}"
        yield Finding("position", message, page=front.page, box=front.trim)
    if not back or back.blank or front.blank:
        return
    if piece.shift and max(map(abs, piece.shift)) > TOLERANCE:
        message = f"the back is {_offset(*piece.shift)}, seen through the front"
        yield Finding("back", message, page=back.page, box=back.trim)
    if front.up is not None and back.up is not None:
        # A card is turned about its upright axis.
        expected = -front.up if mirror[0] < 0 else 180 - front.up
        turn = (back.up - expected + 180) % 360 - 180
        if abs(turn) > 135:
            yield Finding("back", "the back is upside down", page=back.page, box=back.trim)


def _offset(across: float, down: float) -> str:
    parts = [
        f"{abs(value):.2f} mm too far {word[value > 0]}"
        for value, word in ((across, ("to the left", "to the right")), (down, ("up", "down")))
        if abs(value) > TOLERANCE
    ]
    return " and ".join(parts)


# What only all pieces together show.


def compare(pieces: Sequence[ProofPiece]) -> Iterator[Finding]:
    """Yield the pieces of a document that differ from others in size or back."""
    counts = Counter(_rounded(piece.size) for piece in pieces)
    for piece in pieces:
        size = _rounded(piece.size)
        for usual, count in counts.items():
            away = max(abs(size.width - usual.width), abs(size.height - usual.height))
            if TOLERANCE < away < 1 and count >= 3 * counts[size]:
                message = f"the piece is {size}, but {count} others are {usual}"
                yield Finding("trim", message, "", piece.front.page, "", piece.front.trim, Severity.WARNING)
                break
    yield from _odd_backs(pieces)
    yield from _swapped_backs(pieces)


def _rounded(size: Size) -> Size:
    # Turned pieces are alike.
    return Size(*sorted(round(side, 1) for side in size))


def _odd_backs(pieces: Sequence[ProofPiece]) -> Iterator[Finding]:
    """Yield equal fronts with different backs, except those that most of them have."""
    alike: dict[object, list[ProofPiece]] = defaultdict(list)
    for piece in pieces:
        if piece.front.art and piece.back and (piece.back.art or piece.back.blank):
            alike[piece.front.art].append(piece)
    for those in alike.values():
        (usual, count), *others = Counter(piece.back.art for piece in those if piece.back).most_common()
        for piece in those if others else ():
            assert piece.back
            if piece.back.art != usual:
                message = f"the back differs from the one of {quantity(count, 'equal front')}"
                yield Finding("back", message, page=piece.back.page, box=piece.back.trim)


_MOST_COMPARED = 400


def _swapped_backs(pieces: Iterable[ProofPiece]) -> Iterator[Finding]:
    """Yield pairs of pieces of one size whose words fit better if they exchange their backs."""
    pairs = {(piece.front.art, piece.back.art): piece for piece in pieces if piece.back and piece.back.words}
    those = [piece for (front, _), piece in pairs.items() if front][:_MOST_COMPARED]
    count = Counter(word for piece in those for word in piece.front.words)

    def shared(one: ProofPiece, other: ProofPiece) -> float:
        assert other.back
        return sum(log(len(those) / count[word]) for word in {*one.front.words} & {*other.back.words})

    for one, other in combinations(those, 2):
        if (
            _rounded(one.size) != _rounded(other.size)
            or not one.back
            or not other.back
            or one.back.art == other.back.art
        ):
            continue
        if shared(one, other) > shared(one, one) and shared(other, one) > shared(other, other):
            for this, that in ((one, other), (other, one)):
                assert this.back
                message = f"the back seems to be that of piece {that.number} of page {that.front.page}"
                yield Finding("back", message, "", this.back.page, "", this.back.trim, Severity.WARNING)
