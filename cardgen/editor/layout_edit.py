"""Layouts by hand: the boxes of a text, and edits that move, add, remove, order, and dress them.

An edit of places changes the digits of the numbers that differ, and nothing else. Each result is read again: unless it
says exactly what it should, the edit is refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from cardgen.editor.form.edits import EditError, add_key, append_item, move_item, remove_value, set_value
from cardgen.face.inkscape_texts import DrawingError
from cardgen.face.layout import SAME, At, Layout, ReadLayout, look_of, number_text, read_layout
from cardgen.units import parse_length

_WRITTEN = re.compile(r"(?P<before>[\"']?\s*)(?P<number>[-+.\deE]+)(?P<after>\s*(?P<unit>mm|cm|in|pt)?\s*[\"']?)")


class Change(NamedTuple):
    """A text of a layout after a gesture, and where its boxes are afterward by where they were.

    `changed` are the boxes, by their new index, that are drawn otherwise, with their way in mm if they are moved.
    """

    text: str
    indices: Mapping[int, int]
    changed: Mapping[int, tuple[float, float] | None]


def change_layout(text: str, gesture: Mapping[str, Any]) -> Change:
    """Return the text of a layout after a gesture.

    A gesture has one of the keys `places`, a list of indices with places; `add`, a box; `remove`, an index; `order`, an
    index with the one to which the box goes; `look`, an index with a key and its value or None; `background`, a color
    or None. Raises EditError, with the line, if it is impossible.
    """
    try:
        layout = read_layout(text, "").layout
    except DrawingError as error:
        raise EditError(f"the layout has a mistake: {error}") from None
    ((act, data),) = gesture.items()
    indices = {index: index for index in range(len(layout.boxes))}
    if act == "add":
        return Change(_checked(append_item(text, (_BOXES,), data)), indices, {len(indices): None})
    if act == "background":
        if data is None:
            return Change(_checked(remove_value(text, (act,))), indices, {-1: None})
        after = set_value(text, (act,), data) if layout.background else add_key(text, (), act, data, ("size",))
        return Change(_checked(after), indices, {-1: None})
    if act == "places":
        ways = {}
        for index, at in data:
            _require_box(layout, index)
            before = layout.boxes[index].at
            text = place_box(text, index, at)
            ways[index] = (at[0] - before[0], at[1] - before[1])
        return Change(text, indices, ways)
    index, *rest = data if isinstance(data, list | tuple) else (data,)
    _require_box(layout, index)
    if act == "remove":
        after = remove_value(text, (_BOXES, index))
        return Change(_checked(after), {each: each - (each > index) for each in indices if each != index}, {})
    if act == "order":
        (target,) = rest
        _require_box(layout, target)
        order = [each for each in indices if each != index]
        order.insert(target, index)
        moved = move_item(text, (_BOXES,), index, target)
        return Change(_checked(moved), {each: place for place, each in enumerate(order)}, {})
    key, value = rest
    if key not in look_of(layout.boxes[index]):
        raise EditError(f"'{key}' does nothing in this box")
    path = (_BOXES, index, key)
    text = set_value(text, path, value) if value is not None else remove_value(text, path)
    return Change(_checked(text), indices, {index: None})


_BOXES = "boxes"


def _require_box(layout: Layout, index: int) -> None:
    if not 0 <= index < len(layout.boxes):
        raise EditError("the box does not exist any more")


def _checked(text: str) -> str:
    """Return a text that is a layout without mistakes, or raise EditError."""
    try:
        read_layout(text, "")
    except DrawingError as error:
        raise EditError(str(error)) from None
    return text


def place_box(text: str, index: int, at: At) -> str:
    """Return the text of a layout with a box at another place.

    Raises EditError, with the line, if that is impossible.
    """
    before = read_layout(text, "")
    for number in reversed(range(4)):
        if abs(at[number] - before.layout.boxes[index].at[number]) >= SAME / 10:
            text = _with_number(text, before, (_BOXES, index, "at", number), at[number])
    _require_moved(text, before, index, at)
    return text


def _with_number(text: str, before: ReadLayout, path: tuple[str | int, ...], mm: float) -> str:
    node = before.document.root
    for step in path:
        node = node.child(step) if node else None
    start, end = node.value_range if node else (0, 0)
    # The document has the text without a mark of the byte order.
    offset = len(text) - len(text.removeprefix("\ufeff"))
    written = _WRITTEN.fullmatch(text, start + offset, end + offset)
    if written is None:
        span = before.document.place(path).span
        raise EditError(f"the number at line {span.line if span else 1} cannot be changed by hand; edit it there")
    unit = written["unit"] or "mm"
    number = number_text(mm / parse_length(f"1{unit}"), 3 if unit == "mm" else 4)
    return f"{text[: start + offset]}{written['before']}{number}{written['after']}{text[end + offset :]}"


def _require_moved(text: str, before: ReadLayout, index: int, at: At) -> None:
    """Raise EditError unless exactly one box of the layout has moved to a place."""
    span = before.document.place(("boxes", index)).span
    where = f"the box at line {span.line if span else 1} cannot be moved by hand"
    try:
        after = read_layout(text, "").layout
    except DrawingError as error:
        raise EditError(f"{where}: {error}") from None
    boxes = list(after.boxes)
    if len(boxes) == len(before.layout.boxes):
        moved = boxes[index].at
        boxes[index] = boxes[index].model_copy(update={"at": before.layout.boxes[index].at})
        is_there = all(abs(one - other) < SAME for one, other in zip(moved, at, strict=True))
        if is_there and after.model_copy(update={"boxes": tuple(boxes)}) == before.layout:
            return
    raise EditError(f"{where}: others have the same numbers; edit them there")
