"""Sheets of stickers at true size with cut lines, and their list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from string import ascii_uppercase
from typing import NamedTuple

from cardgen.affine import IDENTITY, Matrix
from cardgen.face.face import Face
from cardgen.pipeline.release.errata.sheet_layout import BODY, HEADING, Block, plain
from cardgen.pipeline.release.errata.sticker import Sticker
from cardgen.sheet.page import Label, Layer, Outline, Placement, SheetPage, Side, Slot
from cardgen.units import Box, Shape, Size

# Space between stickers, room for a label above each, and for the title, in whole millimeters.
_GAP, _LABEL_ROOM, _TITLE_ROOM, _MARGIN = 5, 4, 8, 10
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
            x, y, row, column = _MARGIN, y + round(height + 0.499) + _GAP + _LABEL_ROOM, row + 1, 0
        if not column:
            height = each.box.height
            if placed and y + _LABEL_ROOM + height > paper.height - _MARGIN:
                sheet, row, y = sheet + 1, 0, _MARGIN + _TITLE_ROOM
        place = f"{_letters(row)}{column + 1}"
        placed.append(PlacedSticker(each, sheet, place, x, y + _LABEL_ROOM))
        x, column = x + int(each.box.width + 0.999) + _GAP, column + 1
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
    whole = Box(0, 0, *paper)
    text = f"{title} {number}/{count} · print at 100 %, cut along the lines"
    heading = Label(text, _MARGIN, _MARGIN + 3, anchor="start", size=_TITLE_SIZE)
    return SheetPage(
        paper,
        Side.FRONT,
        tuple(map(_placement, placed)),
        (),
        (heading, *map(_place_label, placed)),
        whole,
        whole,
        tuple(Outline(each.box, Shape.RECTANGLE, Layer.CUTS) for each in placed),
        correction,
        name=f"stickers {number}",
    )


def _placement(placed: PlacedSticker) -> Placement[Face]:
    """Return the face of a card, of which only the sticker is painted."""
    face, box = placed.sticker.face, placed.sticker.box
    trim = Box(placed.x - box.x, placed.y - box.y, *face.size)
    return Placement(face._replace(folds=(), fields=(), cuts=()), Slot(trim, placed.box))


def _place_label(placed: PlacedSticker) -> Label:
    sticker = placed.sticker
    text = f"{placed.place}  {sticker.printed.change.card.name}, {sticker.side}"
    most = max(len(placed.place), int((sticker.box.width + _GAP - 1) / _CHARACTER))
    shown = text if len(text) <= most else f"{text[: most - 1].rstrip(' ,')}…" if most > 8 else placed.place
    return Label(shown, placed.x, placed.y - 1, anchor="start")


def list_blocks(placed: Sequence[PlacedSticker]) -> Iterator[Block]:
    """Yield the list of stickers: place on the sheets, card, side, and text."""
    ordered = sorted(enumerate(placed), key=lambda each: (each[1].sticker.printed.change.card.name, each[0]))
    previous = ""
    for _, group in groupby((each for _, each in ordered), key=lambda each: id(each.sticker)):
        places = list(group)
        sticker = places[0].sticker
        card = sticker.printed.change.card
        if previous != (previous := f"{card.name} ({card.kind})"):
            yield Block(((plain(previous), HEADING._replace(size=10.5)),), 2.2, joins=True)
        numbers = ", ".join(each.place for each in places)
        sheets = ", ".join(map(str, dict.fromkeys(each.sheet for each in places)))
        yield Block(((plain(f"sheet {sheets}, {numbers}: {sticker.side}, {sticker.label}"), BODY),), 0.4, tick=True)
