"""Errata as files: sheets, and stickers that cover what changed on a printed card."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from string import ascii_uppercase
from typing import NamedTuple

from PIL import Image, ImageChops

from cardgen.deck.deck import project_icons
from cardgen.deck.release_file import CardKey
from cardgen.diagnostic import slugify
from cardgen.export.pdf import writer
from cardgen.export.pdf.cairo import ArtworkCache
from cardgen.face.elements import text_extent
from cardgen.face.face import Face, Text
from cardgen.model.card_values import Scalar
from cardgen.print.output_formats import (
    Batch,
    Contents,
    FaceShape,
    Renderer,
    Resolution,
    finished_contents,
    rasterize,
    with_captions,
)
from cardgen.print.render import CardRenderer, RenderedCard
from cardgen.print.request import BuildRequest, paper_name
from cardgen.project.project import Project
from cardgen.releases.errata_sheet import (
    BODY,
    HEADING,
    Block,
    PrintedChange,
    SheetHead,
    SideChange,
    TextChange,
    errata_blocks,
    errata_pages,
    plain,
    printed_changes,
)
from cardgen.releases.report import item_names, value_label
from cardgen.releases.selection import Selection, card_key, file_name_part
from cardgen.sheet.imposition import SheetSettings
from cardgen.sheet.leaf import (
    Label,
    Layer,
    Leaf,
    Outline,
    Placement,
    SheetPage,
    Slot,
    duplex_mode,
    pages_of,
    paper_leaves,
    whole_page,
)
from cardgen.text.captions import Captions, captions_of
from cardgen.text.copyfitting import Compositor
from cardgen.text.lines import to_plain_text
from cardgen.units import IDENTITY, MM_PER_INCH, Box, Matrix, Shape, Size, joined_box, quantity

DPI = 127  # 5 pixels per millimeter
_PER_MM = DPI / MM_PER_INCH
# A difference of a channel that people could see, of 255, and the gap within a part, in millimeters.
_VISIBLE, _GAP = 12, 2


def different_parts(old: Face, new: Face, picture: Callable[[Face], bytes]) -> list[Box]:
    """Return boxes around the parts of two faces that differ, in millimeters from the corner of the trim."""
    one, two = (Image.open(io.BytesIO(picture(face))).convert("RGB") for face in (old, new))
    if one.size != two.size:
        return [Box(0, 0, *new.size)]
    mask = _largest_channel(ImageChops.difference(one, two)).point([0] * _VISIBLE + [255] * (256 - _VISIBLE))
    return [_box_of(mask, cells) for cells in _clusters(_different_cells(mask))]


def _largest_channel(image: Image.Image) -> Image.Image:
    red, green, blue = image.split()
    return ImageChops.lighter(ImageChops.lighter(red, green), blue)


def _different_cells(mask: Image.Image) -> set[tuple[int, int]]:
    """Return the squares of a millimeter with a difference, as column and row."""
    step = round(_PER_MM)
    small = mask.reduce(step).point([0] + [255] * 255)
    width = small.width
    return {(index % width, index // width) for index, value in enumerate(small.tobytes()) if value}


def _clusters(cells: set[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
    """Yield groups of cells that are near each other, from the top left."""
    rest = set(cells)
    for start in sorted(cells, key=lambda cell: cell[::-1]):
        if start not in rest:
            continue
        rest.discard(start)
        group, pending = [start], [start]
        while pending:
            near = rest & set(_around(pending.pop()))
            rest -= near
            group += near
            pending += near
        yield group


def _around(cell: tuple[int, int]) -> Iterable[tuple[int, int]]:
    x, y = cell
    steps = range(-_GAP, _GAP + 1)
    return ((x + across, y + down) for across in steps for down in steps)


def _box_of(mask: Image.Image, cells: Iterable[tuple[int, int]]) -> Box:
    """Return the exact box around the differences in some cells."""
    step = round(_PER_MM)
    around = joined_box(Box(x * step, y * step, step, step) for x, y in cells)
    assert around is not None, "a cluster has a cell"
    left, top = int(around.x), int(around.y)
    exact = mask.crop((left, top, int(around.right), int(around.bottom))).getbbox()
    assert exact is not None, "a cell has a difference"
    x1, y1, x2, y2 = exact
    return Box((left + x1) / _PER_MM, (top + y1) / _PER_MM, (x2 - x1) / _PER_MM, (y2 - y1) / _PER_MM)


# Space around a changed text, and the smallest sides that can be handled, in millimeters.
_EDGE, _SMALLEST = 0.5, Size(9, 5)
# If stickers cover more of a face, the whole card is printed instead.
_MOST_COVERED = 0.6
_MAX_TEXT = 40


class Sticker(NamedTuple):
    """A part of a face, in millimeters from the corner of its trim, and what it shows."""

    printed: PrintedChange
    side: str
    face: Face
    box: Box
    label: str


def stickers_of(
    printed: PrintedChange, picture: Callable[[Face], bytes], say: Callable[[str], str] = str
) -> tuple[Sticker, ...] | None:
    """Return the stickers for a card, whose labels `say` translates; None if it must be printed whole.

    That is a card that is new, whose look changed, or most of which changed. A card that looks the same needs none.
    """
    if not printed.sides:
        return None
    stickers: list[Sticker] = []
    for side in printed.sides:
        boxes = _boxes(side, different_parts(side.old, side.new, picture))
        if sum(box.width * box.height for box in boxes) > _MOST_COVERED * math.prod(side.new.size):
            return None
        stickers += (Sticker(printed, side.side, side.new, box, _label(printed, side, box, say)) for box in boxes)
    return tuple(stickers)


def _boxes(side: SideChange, parts: Sequence[Box]) -> list[Box]:
    """Return the boxes of the changed texts, and of other parts that differ."""
    texts = [box for box in map(_whole_box, side.texts) if box and any(_overlap(box, part) for part in parts)]
    others = [part for part in parts if not any(_contains(text, part) for text in texts)]
    return _merged([_cut_box(box, side.new.size) for box in (*texts, *others)], side.new.size)


def _whole_box(text: TextChange) -> Box | None:
    return joined_box(text.boxes)


def _cut_box(box: Box, size: Size) -> Box:
    """Return a box on whole millimeters with some space around it, within the trim."""
    x1, x2 = _range(box.x, box.right, _SMALLEST.width, size.width)
    y1, y2 = _range(box.y, box.bottom, _SMALLEST.height, size.height)
    return Box(x1, y1, x2 - x1, y2 - y1)


def _range(low: float, high: float, smallest: float, most: float) -> tuple[float, float]:
    spare = max(_EDGE, (smallest - (high - low)) / 2)
    return float(max(0, math.floor(low - spare))), float(min(most, math.ceil(high + spare)))


def _merged(boxes: Iterable[Box], size: Size) -> list[Box]:
    """Join boxes that overlap."""
    merged: list[Box] = []
    for box in boxes:
        while True:
            others = [each for each in merged if _overlap(each, box)]
            if not others:
                break
            merged = [each for each in merged if each not in others]
            box = joined_box((box, *others)) or box
        merged.append(box)
    return sorted(merged, key=lambda each: (each.y, each.x))


def _overlap(one: Box, two: Box) -> bool:
    return one.x < two.right and two.x < one.right and one.y < two.bottom and two.y < one.bottom


def _contains(outer: Box, inner: Box) -> bool:
    slack = outer.expand(_EDGE)
    within = slack.x <= inner.x and inner.right <= slack.right
    return within and slack.y <= inner.y and inner.bottom <= slack.bottom


def _label(printed: PrintedChange, side: SideChange, box: Box, say: Callable[[str], str]) -> str:
    """Return the names of the texts on a sticker, and the words of short ones."""
    names = item_names(printed.change)
    texts = [text for text in side.texts if any(_overlap(each, box) for each in text.boxes)]
    labels = [*(_text_label(text, names, say) for text in texts)] or [*_printed_texts(side.new, box)]
    # The label of a field that also has its words says nothing more.
    telling = [each for each in labels if not any(other.startswith(f"{each} ") for other in labels)]
    return ", ".join(dict.fromkeys(telling)) or say("drawing")


def _printed_texts(face: Face, box: Box) -> Iterator[str]:
    """Yield the texts of a face in a box, such as its version."""
    for item in face.items:
        extent = text_extent((item,)) if isinstance(item, Text) else None
        if isinstance(item, Text) and extent and _overlap(extent, box):
            yield _short(" ".join(line.text for line in item.lines))


def _text_label(text: TextChange, names: Mapping[str, Scalar], say: Callable[[str], str]) -> str:
    label, words = value_label(text.field, names, say) if text.field else "", to_plain_text(text.new or text.old)
    return label if text.is_sentence or words == label else f"{label} {_short(words)}".strip()


def _short(text: str) -> str:
    joined = " ".join(text.split())
    return f"“{joined[:_MAX_TEXT]}…”" if len(joined) > _MAX_TEXT else f"“{joined}”"


# Space between stickers, room for a label above each, and for the title, in whole millimeters.
_STICKER_GAP, _LABEL_ROOM, _TITLE_ROOM, _MARGIN = 5, 4, 8, 10
_CHARACTER = 1.15  # width of a character of a label, in millimeters
_TITLE_SIZE = 8.0


class PlacedSticker(NamedTuple):
    """A copy of a sticker on a sheet: the sheet from 1, its place, such as 'B3', and its corner."""

    sticker: Sticker
    sheet: int
    place: str
    x: float
    y: float

    @property
    def box(self) -> Box:
        """The cut line on the sheet."""
        return self.sticker.box._replace(x=self.x, y=self.y)


def place_stickers(stickers: Iterable[Sticker], paper: Size) -> list[PlacedSticker]:
    """Return all copies of stickers in rows on sheets, all at whole millimeters."""
    copies = [each for each in stickers for _ in range(each.printed.copies)]
    placed: list[PlacedSticker] = []
    sheet, row, column = 1, 0, 0
    x, y, height = _MARGIN, _MARGIN + _TITLE_ROOM, 0.0
    for each in sorted(copies, key=lambda sticker: -sticker.box.height):
        if column and x + each.box.width > paper.width - _MARGIN:
            x, y, row, column = _MARGIN, y + round(height + 0.499) + _STICKER_GAP + _LABEL_ROOM, row + 1, 0
        if not column:
            height = each.box.height
            if placed and y + _LABEL_ROOM + height > paper.height - _MARGIN:
                sheet, row, y = sheet + 1, 0, _MARGIN + _TITLE_ROOM
        place = f"{_letters(row)}{column + 1}"
        placed.append(PlacedSticker(each, sheet, place, x, y + _LABEL_ROOM))
        x, column = x + int(each.box.width + 0.999) + _STICKER_GAP, column + 1
    return placed


def _letters(row: int) -> str:
    return ascii_uppercase[row] if row < len(ascii_uppercase) else f"{ascii_uppercase[row % 26]}{row // 26}"


def sticker_pages(
    placed: Sequence[PlacedSticker], title: str, paper: Size, correction: Matrix = IDENTITY
) -> list[SheetPage[Face]]:
    """Return the sheets of stickers."""
    sheets = [list(group) for _, group in groupby(placed, key=lambda each: each.sheet)]
    return [_page(each, number, len(sheets), title, paper, correction) for number, each in enumerate(sheets, 1)]


def _page(
    placed: Sequence[PlacedSticker], number: int, count: int, title: str, paper: Size, correction: Matrix
) -> SheetPage[Face]:
    text = f"{title} {number}/{count} · print at 100%, cut along the lines"
    heading = Label(text, _MARGIN, _MARGIN + 3, anchor="start", size=_TITLE_SIZE)
    lines = (Outline(each.box, Shape.RECTANGLE, Layer.CUTS) for each in placed)
    page: SheetPage[Face] = whole_page(paper, (), (*lines, heading, *map(_place_label, placed)), f"stickers {number}")
    return page._replace(placements=tuple(map(_placement, placed)), correction=correction)


def _placement(placed: PlacedSticker) -> Placement[Face]:
    """Return the face of a card, of which only the sticker is painted."""
    face, box = placed.sticker.face, placed.sticker.box
    trim = Box(placed.x - box.x, placed.y - box.y, *face.size)
    return Placement(face._replace(folds=(), fields=(), cuts=()), Slot(trim, placed.box))


def _place_label(placed: PlacedSticker) -> Label:
    sticker = placed.sticker
    text = f"{placed.place}  {sticker.printed.change.card.name}, {sticker.side}"
    most = max(len(placed.place), int((sticker.box.width + _STICKER_GAP - 1) / _CHARACTER))
    shown = text if len(text) <= most else f"{text[: most - 1].rstrip(' ,')}…" if most > 8 else placed.place
    return Label(shown, placed.x, placed.y - 1, anchor="start")


def list_blocks(placed: Sequence[PlacedSticker], captions: Captions) -> Iterator[Block]:
    """Yield the list of stickers: place on the sheets, card, side, and text."""
    ordered = sorted(enumerate(placed), key=lambda each: (each[1].sticker.printed.change.card.name, each[0]))
    previous = ""
    for _, group in groupby((each for _, each in ordered), key=lambda each: id(each.sticker)):
        places = list(group)
        sticker = places[0].sticker
        change = sticker.printed.change
        if previous != (previous := f"{change.card.name} ({change.kind(captions.name)})"):
            yield Block(((plain(previous), HEADING._replace(size=10.5)),), 2.2, joins=True)
        numbers = ", ".join(each.place for each in places)
        sheets = ", ".join(map(str, dict.fromkeys(each.sheet for each in places)))
        what = f"{captions.name(sticker.side)}, {sticker.label}"
        yield Block(((plain(f"sheet {sheets}, {numbers}: {what}"), BODY),), 0.4, tick=True)


SHEET, STICKERS = "sheet", "stickers"
CHOICES = (SHEET, STICKERS)


class Errata(NamedTuple):
    """The documents of errata, the number of stickers, and the cards that these update, which stay unprinted."""

    batches: tuple[Batch, ...] = ()
    stickers: int = 0
    updated: tuple[RenderedCard, ...] = ()


@dataclass(frozen=True)
class ErrataWriter:
    """Writer of the errata of a build; `sheet` has the paper and the printer's correction."""

    request: BuildRequest
    project: Project
    selection: Selection
    renderer: CardRenderer
    sheet: SheetSettings
    cache: ArtworkCache | None

    def write(self, rendered: Sequence[RenderedCard]) -> Errata:
        """Return the documents that the request names."""
        printed = printed_changes(self.selection, rendered, self.renderer, self.request.qty)
        stickers = self._stickers(printed) if STICKERS in self.request.errata else {}
        updated = tuple(each.card for each in printed if each.card and stickers.get(each.change.card.key) is not None)
        batches = []
        if SHEET in self.request.errata and (printed or self.selection.gone):
            batches.append(self._sheet(printed, {card_key(each) for each in updated}))
        placed = place_stickers((sticker for each in stickers.values() for sticker in each or ()), self.sheet.paper)
        if placed:
            batches.append(self._sticker_sheets(placed))
        return Errata(tuple(batches), len(placed), updated)

    @property
    def _title(self) -> str:
        changes = self.selection.changes
        say = self._captions.translate
        return say(f"Errata {changes.old} → {say(changes.new)}")

    @cached_property
    def _captions(self) -> Captions:
        return captions_of(self.project)

    def _sheet(self, printed: Sequence[PrintedChange], updated: Collection[CardKey]) -> Batch:
        selection = self.selection
        counts = f"{quantity(len(printed), 'card')} new or changed"
        head = SheetHead(
            self._title, f"{counts}, {len(selection.gone)} gone. Old words are struck, new ones underlined."
        )
        blocks = errata_blocks(selection.changes, printed, selection.gone, updated, self._captions)
        return self._batch("errata", self._title, paper_leaves(self._pages(head, blocks)))

    def _sticker_sheets(self, placed: Sequence[PlacedSticker]) -> Batch:
        title = f"{self._title}: {self._captions.translate('stickers')}"
        stickers = sticker_pages(placed, title, self.sheet.paper, self.sheet.front_correction)
        stickers = with_captions(stickers, self._captions)
        head = SheetHead(title, "Tick off each sticker when it is glued.")
        checklist = self._pages(head, list_blocks(placed, self._captions))
        leaves = [Leaf(page, None, page.name) for page in stickers]
        leaves += [Leaf(page, None, page.name, is_plain=True) for page in checklist]
        return self._batch("stickers", title, leaves)

    def _pages(self, head: SheetHead, blocks: Iterable[Block]) -> list[SheetPage[Face]]:
        selection = self.selection
        game = next(each.card.game for each in (*selection.printed, *selection.gone))
        compositor = Compositor(
            self.renderer.fonts, project_icons(self.project, game), self.project.language, self._captions
        )
        return errata_pages(head, blocks, self.sheet.paper, compositor)

    def _stickers(self, printed: Sequence[PrintedChange]) -> dict[CardKey, tuple[Sticker, ...] | None]:
        """Return the stickers of each card by game, kind, and id; None for one that is printed whole."""
        faces = [face for each in printed for side in each.sides for face in (side.old, side.new)]
        picture = self._pictures(faces) if faces else _no_picture
        return {each.change.card.key: stickers_of(each, picture, self._captions.name) for each in printed}

    def _pictures(self, faces: Sequence[Face]) -> Callable[[Face], bytes]:
        renderer = Renderer(
            self.renderer.fonts, self._title, self.cache, self.request.processes, self.project.workspace.cluster
        )
        return rasterize(map(FaceShape, faces), Resolution(DPI), renderer)

    def _batch(self, what: str, title: str, leaves: Sequence[Leaf[Face]]) -> Batch:
        request = self.request
        owner = f"{slugify(request.warband)}-" if request.warband else ""
        part = "-selection" if request.only or request.paths else ""
        since = file_name_part(request.changed_since or "")
        path = request.output / f"{owner}{what}{part}-since-{since}-{paper_name(self.sheet.paper)}.pdf"

        pages, about = pages_of(leaves), writer.DocumentInfo(title, duplex=duplex_mode(leaves))

        def make(_: object) -> Contents:
            document = writer.write_file(pages, self.renderer.fonts, about, self.cache)
            return finished_contents(path, document)

        return Batch({path: (pages, about)}, make, len(leaves))


def _no_picture(_: Face) -> bytes:
    raise AssertionError("no card has an earlier face")
