"""Stickers: the parts of changed faces to glue over old cards."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from cardgen.face.elements import joined_box, text_extent
from cardgen.face.face import Face, Text
from cardgen.model.card_values import Scalar
from cardgen.pipeline.release.errata.differences import different_parts
from cardgen.pipeline.release.errata.face_changes import PrintedChange, SideChange, TextChange
from cardgen.pipeline.release.report import item_names, value_label
from cardgen.units import Box, Size

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


def stickers_of(printed: PrintedChange, picture: Callable[[Face], bytes]) -> tuple[Sticker, ...] | None:
    """Return the stickers for a card; None if it must be printed whole.

    That is a card that is new, whose look changed, or most of which changed. A card that looks the same needs none.
    """
    if not printed.sides:
        return None
    stickers: list[Sticker] = []
    for side in printed.sides:
        boxes = _boxes(side, different_parts(side.old, side.new, picture))
        if sum(box.width * box.height for box in boxes) > _MOST_COVERED * math.prod(side.new.size):
            return None
        stickers += (Sticker(printed, side.side, side.new, box, _label(printed, side, box)) for box in boxes)
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


def _label(printed: PrintedChange, side: SideChange, box: Box) -> str:
    """Return the names of the texts on a sticker, and the words of short ones."""
    names = item_names(printed.change)
    texts = [text for text in side.texts if any(_overlap(each, box) for each in text.boxes)]
    labels = [*(_text_label(text, names) for text in texts)] or [*_printed_texts(side.new, box)]
    return ", ".join(dict.fromkeys(labels)) or "drawing"


def _printed_texts(face: Face, box: Box) -> Iterator[str]:
    """Yield the texts of a face in a box, such as its version."""
    for item in face.items:
        extent = text_extent((item,)) if isinstance(item, Text) else None
        if isinstance(item, Text) and extent and _overlap(extent, box):
            yield _short(" ".join(line.text for line in item.lines))


def _text_label(text: TextChange, names: Mapping[str, Scalar]) -> str:
    label = value_label(text.field, names) if text.field else ""
    return label if text.is_sentence else f"{label} {_short(text.new or text.old)}".strip()


def _short(text: str) -> str:
    joined = " ".join(text.split())
    return f"“{joined[:_MAX_TEXT]}…”" if len(joined) > _MAX_TEXT else f"“{joined}”"
