"""Pages of placed faces, running text, and marks, and the leaves of paper that they are printed on.

All lengths are in millimeters from the top left corner of the paper; y points down. Weights of lines are in points.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Generic, Literal, NamedTuple, TypeAlias, TypeVar

from cardgen.text.lines import Line, Style
from cardgen.units import IDENTITY, Box, Matrix, Shape, Size, compose, rotation, translation

FaceT = TypeVar("FaceT")
# Corners, in order.
Polygon: TypeAlias = tuple[tuple[float, float], ...]


class Layer(StrEnum):
    """Layers that readers can show and hide, by their displayed names."""

    CUTS = "Cut marks"
    FOLDS = "Fold lines"
    SAFE = "Safe zone"


class Side(StrEnum):
    """Side of a sheet.

    BOTH holds fronts and backs, to be folded.
    """

    FRONT = "front"
    BACK = "back"
    BOTH = "front and back"


class Slot(NamedTuple):
    """Slot for one face.

    `trim` is the cut line, and `clip` is the box around everything that the face may paint: the trim plus the available
    bleed. Beside neighbors the bleed is not a full box: `clip_area` then has its polygons. Otherwise a round slot
    paints the circle in its clip. `turn` is the clockwise rotation of the face in degrees, and `radius` that of the
    corners of the clip.
    """

    trim: Box
    clip: Box
    turn: int = 0
    shape: Shape = Shape.RECTANGLE
    clip_area: tuple[Polygon, ...] = ()
    radius: float = 0.0


class Placement(NamedTuple, Generic[FaceT]):
    """Face in its slot; `name` is that of its card."""

    face: FaceT
    slot: Slot
    name: str = ""


# Marks: what is drawn on a page besides faces. Each can be moved, so that pages can be placed on larger ones.

HAIRLINE = 0.25
# The look of labels, whose size is their own.
LABEL_STYLE = Style(family="Source Sans 3", size=6.0, colour="#444444")


class Stroke(NamedTuple):
    """Straight line, by default a black hairline; `dashed` for a fold, with a white `halo` on a dark drawing.

    Without a layer, it is always visible.
    """

    x1: float
    y1: float
    x2: float
    y2: float
    dashed: bool = False
    layer: Layer | None = None
    halo: bool = False
    colour: str = ""
    weight: float = HAIRLINE

    def moved(self, dx: float, dy: float) -> Stroke:
        """Return the line at another place."""
        return self._replace(x1=self.x1 + dx, y1=self.y1 + dy, x2=self.x2 + dx, y2=self.y2 + dy)


class CornerArc(NamedTuple):
    """Quarter of the circle in a box, counterclockwise from `start` degrees, which count from the right."""

    box: Box
    start: int
    colour: str = ""
    layer: Layer | None = None

    def moved(self, dx: float, dy: float) -> CornerArc:
        """Return the arc at another place."""
        return self._replace(box=_moved_box(self.box, dx, dy))


class Outline(NamedTuple):
    """Outline of a box, or of the circle in it.

    Without a layer, it is always visible.
    """

    box: Box
    shape: Shape
    layer: Layer | None

    def moved(self, dx: float, dy: float) -> Outline:
        """Return the outline at another place."""
        return self._replace(box=_moved_box(self.box, dx, dy))


class FilledBox(NamedTuple):
    """Filled rectangle, by default black, with corners of a `radius`.

    `edge` is the color of its outline, '' for none, and `weight` how thick that is.
    """

    box: Box
    colour: str = ""
    radius: float = 0.0
    edge: str = ""
    weight: float = 0.5
    layer: Layer | None = None

    def moved(self, dx: float, dy: float) -> FilledBox:
        """Return the rectangle at another place."""
        return self._replace(box=_moved_box(self.box, dx, dy))


class Label(NamedTuple):
    """Short text at the start, middle, or end of its baseline.

    `turn` is in degrees, clockwise, and `size` in points. Without a layer, it is always visible.
    """

    text: str
    x: float
    y: float
    turn: int = 0
    anchor: Literal["start", "middle", "end"] = "middle"
    size: float = 6.0
    layer: Layer | None = None

    def moved(self, dx: float, dy: float) -> Label:
        """Return the label at another place."""
        return self._replace(x=self.x + dx, y=self.y + dy)


PaperMark: TypeAlias = Stroke | CornerArc | Outline | FilledBox | Label


class TypesetLine(NamedTuple):
    """Line of running text, whose origin is at `x` and `y`."""

    line: Line
    x: float
    y: float

    def moved(self, dx: float, dy: float) -> TypesetLine:
        """Return the line at another place."""
        return self._replace(x=self.x + dx, y=self.y + dy)


class Anchor(NamedTuple):
    """Target of links and bookmarks to a section, or of links to a rule.

    `level` counts from 1; a rule has 0, and no bookmark.
    """

    id: str
    title: str
    level: int
    x: float = 0.0
    y: float = 0.0

    def moved(self, dx: float, dy: float) -> Anchor:
        """Return the target at another place."""
        return self._replace(x=self.x + dx, y=self.y + dy)


class Link(NamedTuple):
    """Link from a box to the anchor with an id, which is on a page of the same document."""

    box: Box
    id: str

    def moved(self, dx: float, dy: float) -> Link:
        """Return the link at another place."""
        return self._replace(box=_moved_box(self.box, dx, dy))


TextMark: TypeAlias = TypesetLine | FilledBox | Stroke | Anchor | Link


def _moved_box(box: Box, dx: float, dy: float) -> Box:
    return box._replace(x=box.x + dx, y=box.y + dy)


class SheetPage(NamedTuple, Generic[FaceT]):
    """One side of one sheet, ready to draw.

    `text` is running text with its boxes, rules, and links, in paint order; `marks` are printed over all else. `trim`
    contains all cut lines, and `bleed` everything that faces may paint. `correction` compensates for the printer.
    `name` is the page label ('3 back'), and `pieces` are the groups and names of the pieces with fronts on this page.
    """

    paper: Size
    side: Side
    placements: tuple[Placement[FaceT], ...]
    marks: tuple[PaperMark, ...]
    trim: Box
    bleed: Box
    correction: Matrix = IDENTITY
    name: str = ""
    pieces: tuple[tuple[str, str], ...] = ()
    text: tuple[TextMark, ...] = ()


def whole_page(
    paper: Size, text: Iterable[TextMark] = (), marks: Iterable[PaperMark] = (), name: str = ""
) -> SheetPage[FaceT]:
    """Return a front of text and marks that is not trimmed."""
    whole = Box(0, 0, *paper)
    return SheetPage(paper, Side.FRONT, (), tuple(marks), whole, whole, name=name, text=tuple(text))


def beside(pages: Sequence[SheetPage[FaceT] | None], side: Side, paper: Size) -> SheetPage[FaceT] | None:
    """Return one side with pages from left to right; None if all are blank.

    It has no links and bookmarks, which are useless on paper.
    """
    if not any(pages):
        return None
    width = paper.width / len(pages)
    placed = [(page, place * width) for place, page in enumerate(pages) if page]
    text = (mark.moved(x, 0) for page, x in placed for mark in page.text if not isinstance(mark, Anchor | Link))
    marks = (mark.moved(x, 0) for page, x in placed for mark in page.marks)
    return whole_page(paper, text, marks)._replace(side=side)


# Duplex: backs behind their fronts, and correction of misregistration.


class Backs(StrEnum):
    """Ways to print backs behind their fronts."""

    LONG_EDGE = "long-edge"
    SHORT_EDGE = "short-edge"
    GUTTERFOLD = "gutterfold"
    NONE = "none"


def back_slot(slot: Slot, paper: Size, backs: Backs) -> Slot:
    """Return the slot of the back, as seen after the flip.

    The reader turns a card about its own vertical axis, like a page. A flip about the vertical axis of the paper
    mirrors x. A flip about the horizontal axis, such as a fold across the middle, mirrors y, so the back is rotated by
    180 degrees.
    """
    sideways = _flips_sideways(paper, backs)
    mirror = _mirror_x if sideways else _mirror_y
    return slot._replace(
        trim=mirror(slot.trim, paper),
        clip=mirror(slot.clip, paper),
        clip_area=tuple(_mirror_polygon(each, paper, sideways=sideways) for each in slot.clip_area),
        turn=(-slot.turn if sideways else 180 - slot.turn) % 360,
    )


def back_stroke(stroke: Stroke, paper: Size, backs: Backs) -> Stroke:
    """Return the stroke on the back behind one on the front."""
    if _flips_sideways(paper, backs):
        return stroke._replace(x1=paper.width - stroke.x1, x2=paper.width - stroke.x2)
    return stroke._replace(y1=paper.height - stroke.y1, y2=paper.height - stroke.y2)


def flip_matrix(paper: Size, backs: Backs) -> Matrix:
    """Return the map between back page and view through the front.

    It is its own inverse.
    """
    if _flips_sideways(paper, backs):
        return (-1.0, 0.0, 0.0, 1.0, paper.width, 0.0)
    return (1.0, 0.0, 0.0, -1.0, 0.0, paper.height)


def _flips_sideways(paper: Size, backs: Backs) -> bool:
    if backs is Backs.GUTTERFOLD:
        return False
    return (backs is Backs.LONG_EDGE) != paper.is_landscape


def _mirror_polygon(polygon: Polygon, paper: Size, *, sideways: bool) -> Polygon:
    if sideways:
        return tuple((paper.width - x, y) for x, y in polygon)
    return tuple((x, paper.height - y) for x, y in polygon)


def _mirror_x(box: Box, paper: Size) -> Box:
    return box._replace(x=paper.width - box.right)


def _mirror_y(box: Box, paper: Size) -> Box:
    return box._replace(y=paper.height - box.bottom)


class Misregistration(NamedTuple):
    """Deviation of a printer's sheets from their pages.

    `dx` and `dy` are the offset of the back's center from the front's, and `rotation` is the rotation of the back about
    it: millimeters and degrees, clockwise, both as seen through the front against the light. `scale_x` and `scale_y`
    are the printed length of one millimeter across and along the sheet, on both sides.
    """

    dx: float = 0.0
    dy: float = 0.0
    rotation: float = 0.0
    scale_x: float = 1.0
    scale_y: float = 1.0

    def front_correction(self, paper: Size) -> Matrix:
        """Return the transformation of a front page that makes lengths true."""
        return _about_middle(paper, (1 / self.scale_x, 0.0, 0.0, 1 / self.scale_y, 0.0, 0.0))

    def back_correction(self, paper: Size, backs: Backs) -> Matrix:
        """Return the transformation of a back page that restores registration.

        The printer scales the page, then rotates it about the center and shifts it, as seen through the front. So the
        page is flipped to the front's view, shifted and rotated back, flipped again, and scaled back.
        """
        shift_back = compose(_about_middle(paper, rotation(-self.rotation)), translation(-self.dx, -self.dy))
        flip = flip_matrix(paper, backs)
        return compose(self.front_correction(paper), flip, shift_back, flip)


def _about_middle(paper: Size, matrix: Matrix) -> Matrix:
    x, y = paper.width / 2, paper.height / 2
    return compose(translation(x, y), matrix, translation(-x, -y))


# Leaves: sheets of paper with a front and a back, from which the pages of a document follow.
# A document that has backs is printed on both sides. A printer then takes every second page for the back of the one
# before, so each leaf has two pages, of which the second may be blank.


class Printing(StrEnum):
    """How a leaf is printed: on card stock on both sides or on one, or as a text on plain paper."""

    DUPLEX_CARD = "duplex card"
    SIMPLEX_CARD = "simplex card"
    PLAIN_PAPER = "plain paper"


class DuplexMode(StrEnum):
    """How a PDF asks to be printed (ISO 32000-1, table 150), or not."""

    SIMPLEX = "Simplex"
    LONG_EDGE = "DuplexFlipLongEdge"
    SHORT_EDGE = "DuplexFlipShortEdge"
    UNKNOWN = ""


DUPLEX_MODES = {Backs.LONG_EDGE: DuplexMode.LONG_EDGE, Backs.SHORT_EDGE: DuplexMode.SHORT_EDGE}


class Leaf(NamedTuple, Generic[FaceT]):
    """One sheet of paper.

    `back` is None if nothing is printed on it, and lies behind the `front` when the paper is flipped about the edge
    `flip`. `name` is that in the labels of its pages; without one, each has its own. `is_plain` is true for text that
    is not cut, such as a cut list.
    """

    front: SheetPage[FaceT]
    back: SheetPage[FaceT] | None = None
    name: str = ""
    flip: Backs = Backs.LONG_EDGE
    is_plain: bool = False

    @property
    def printing(self) -> Printing:
        """How it is printed."""
        if self.is_plain:
            return Printing.PLAIN_PAPER
        return Printing.SIMPLEX_CARD if self.back is None else Printing.DUPLEX_CARD

    @property
    def printed_sides(self) -> tuple[SheetPage[FaceT], ...]:
        """The front, and the back if it is not blank."""
        return (self.front,) if self.back is None else (self.front, self.back)


def paper_leaves(pages: Sequence[SheetPage[FaceT]]) -> list[Leaf[FaceT]]:
    """Return the leaves of a text that is read page by page, each with the next page on its back."""
    backs: list[SheetPage[FaceT] | None] = [page._replace(side=Side.BACK) for page in pages[1::2]]
    return [
        Leaf(front, back, "", reading_flip(front.paper), is_plain=True)
        for front, back in zip(pages[::2], [*backs, None], strict=False)
    ]


def reading_flip(paper: Size) -> Backs:
    """Return the edge to flip a page about that is read upright on both sides, like those of a book."""
    return Backs.SHORT_EDGE if paper.is_landscape else Backs.LONG_EDGE


def pages_of(leaves: Iterable[Leaf[FaceT]]) -> tuple[SheetPage[FaceT], ...]:
    """Return the pages of a document, in printing order: card first, then text on plain paper.

    If any leaf has a back, all have two pages, but for the last one of a text. No two pages have the same label.
    """
    ordered = printing_order(leaves)
    pages = pages_in_order(ordered)
    ends_blank = len(pages) > len(ordered) and ordered[-1].back is None and all(leaf.is_plain for leaf in ordered)
    return pages[:-1] if ends_blank else pages


def printing_order(leaves: Iterable[Leaf[FaceT]]) -> list[Leaf[FaceT]]:
    """Return the leaves of a document of one kind of paper, before text on plain paper."""
    return sorted(leaves, key=lambda leaf: leaf.is_plain)


def pages_in_order(leaves: Sequence[Leaf[FaceT]]) -> tuple[SheetPage[FaceT], ...]:
    """Return the pages of leaves in their order; if any has a back, all have two. No two have the same label."""
    two_sided = any(leaf.back is not None for leaf in leaves)
    return tuple(page for leaf in _with_own_names(leaves) for page in _leaf_pages(leaf, two_sided=two_sided))


def pages_of_side(leaves: Sequence[Leaf[FaceT]], side: Side) -> tuple[SheetPage[FaceT], ...]:
    """Return the pages on one side of leaves, one for each; none if nothing is there.

    So the sheets of fronts go back into the tray as they are: a leaf without a back has a blank one.
    """
    pages = pages_in_order(leaves)
    if len(pages) == len(leaves):
        return pages if side is Side.FRONT else ()
    return pages[::2] if side is Side.FRONT else pages[1::2]


def duplex_mode(leaves: Iterable[Leaf[FaceT]]) -> DuplexMode:
    """Return how a document asks to be printed; UNKNOWN if its leaves must be flipped about different edges."""
    flips = {leaf.flip for leaf in leaves if leaf.back is not None}
    if not flips:
        return DuplexMode.SIMPLEX
    return DUPLEX_MODES[flips.pop()] if len(flips) == 1 else DuplexMode.UNKNOWN


def _with_own_names(leaves: Iterable[Leaf[FaceT]]) -> Iterator[Leaf[FaceT]]:
    """Yield the leaves; the second with a name has (2) added to it."""
    seen: Counter[str] = Counter()
    for leaf in leaves:
        seen[leaf.name] += 1
        repeated = leaf.name and seen[leaf.name] > 1
        yield leaf._replace(name=f"{leaf.name} ({seen[leaf.name]})") if repeated else leaf


def _leaf_pages(leaf: Leaf[FaceT], *, two_sided: bool) -> Iterator[SheetPage[FaceT]]:
    if not two_sided:
        yield leaf.front._replace(name=leaf.name or leaf.front.name)
        return
    for side, page in ((Side.FRONT, leaf.front), (Side.BACK, leaf.back or _blank_back(leaf.front))):
        yield page._replace(name=f"{leaf.name} {side}") if leaf.name else page


def _blank_back(front: SheetPage[FaceT]) -> SheetPage[FaceT]:
    """Return an empty page with the boxes of the front, which a press expects on every page."""
    return SheetPage(front.paper, Side.BACK, (), (), front.trim, front.bleed)
