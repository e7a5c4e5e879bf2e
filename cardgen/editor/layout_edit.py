"""Layouts by hand: the boxes of a text, and edits that move, add, remove, order, and dress them.

An edit of places changes the digits of the numbers that differ, and nothing else. Each result is read again: unless it
says exactly what it should, the edit is refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from cardgen.editor.form.edits import EditError, append_item, move_item, remove_value, set_value
from cardgen.face.inkscape_texts import DrawingError
from cardgen.face.layout import CONTENTS, Layout, LayoutBox, ReadLayout, read_layout
from cardgen.svg.tree import TEMPLATE, Element, read_tree
from cardgen.units import parse_length, shorten

At = tuple[float, float, float, float]
# What is nearer than this is the same place, in mm: a text has three decimals of a millimeter, or four of an inch.
_SAME = 0.003
_WRITTEN = re.compile(r"(?P<before>[\"']?\s*)(?P<number>[-+.\deE]+)(?P<after>\s*(?P<unit>mm|cm|in|pt)?\s*[\"']?)")


class PlacedBox(NamedTuple):
    """A box of a layout: its name in words, its line, its place in mm, and its look.

    A box that is repeated is drawn `times`, each further by `step`. The `look` has the keys that boxes of its content
    can have, with None for those that are not written. One that is not `drawn` shows nothing on the card.
    """

    name: str
    line: int
    at: At
    step: tuple[float, float] = (0.0, 0.0)
    times: int = 1
    look: Mapping[str, object] = {}
    drawn: bool = True


# The keys of the look of a box: those that can be changed by hand.
LOOK = ("style", "size", "align", "valign", "fill", "stroke", "stroke_width", "radius", "opacity", "fit", "label",
        "count")  # fmt: skip


def placed_boxes(text: str, drawing: str = "") -> tuple[PlacedBox, ...]:
    """Return the boxes of a layout in paint order; none of a text with mistakes.

    The `drawing` is the SVG of a card, which says what shows something on it.
    """
    try:
        layout, document = read_layout(text, "")
    except DrawingError:
        return ()
    places = (document.place(("boxes", index)) for index in range(len(layout.boxes)))
    lines = (place.span.line if place.span else 1 for place in places)
    found = _split(drawing) if drawing else {}
    shown = {
        box
        for box, parts in found.items()
        if any(each.tag.rpartition("}")[2] != "g" or each.children for each in parts)
    }
    return tuple(
        PlacedBox(_name(box), line, box.at, box.step or (0, 0), _times(box), _look(box), not drawing or index in shown)
        for index, (box, line) in enumerate(zip(layout.boxes, lines, strict=True))
    )


def _content(box: LayoutBox) -> str:
    return next(name for name in CONTENTS if getattr(box, name) is not None)


def _look(box: LayoutBox) -> dict[str, object]:
    keys = CONTENTS[_content(box)]
    return {key: getattr(box, key) for key in LOOK if key in keys}


def _name(box: LayoutBox) -> str:
    content = _content(box)
    value = getattr(box, content)
    words = ", ".join(value) if isinstance(value, tuple) else str(value)
    return f"{content} {shorten(' '.join(words.split()), 30)}"


def _times(box: LayoutBox) -> int:
    return len(box.each) if isinstance(box.each, tuple) and box.step else 1


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
    index with the one to which the box goes; and `look`, an index with a key and its value or None. Raises EditError,
    with the line, if it is impossible.
    """
    try:
        layout = read_layout(text, "").layout
    except DrawingError as error:
        raise EditError(f"the layout has a mistake: {error}") from None
    ((act, data),) = gesture.items()
    indices = {index: index for index in range(len(layout.boxes))}
    if act == "add":
        return Change(_checked(append_item(text, (_BOXES,), data)), indices, {len(indices): None})
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
    if key not in _look(layout.boxes[index]):
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
        if abs(at[number] - before.layout.boxes[index].at[number]) >= _SAME / 10:
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
    digits = f"{mm / parse_length(f'1{unit}'):.{3 if unit == 'mm' else 4}f}".rstrip("0").rstrip(".")
    number = "0" if digits in ("-0", "") else digits
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
        is_there = all(abs(one - other) < _SAME for one, other in zip(moved, at, strict=True))
        if is_there and after.model_copy(update={"boxes": tuple(boxes)}) == before.layout:
            return
    raise EditError(f"{where}: others have the same numbers; edit them there")


def require_only(before: str, after: str, change: Change) -> None:
    """Require that a gesture changes only its own boxes in two drawings of a layout, and that they go all of their way.

    The drawings are the SVG of a template, before texts are set. Raises EditError otherwise.
    """
    one, other = _split(before), _split(after)
    kept = {index: at for index, at in change.indices.items() if at not in change.changed}
    is_same = all(_drawn(one, index) == _drawn(other, at) for index, at in kept.items())
    if not is_same or _drawn(one, None) != _drawn(other, None):
        raise EditError("drawing it again has changed other boxes, too; edit the text")
    for index, at in change.indices.items():
        way = change.changed.get(at)
        if way is None:
            continue
        pair = one.get(index, ()), other.get(at, ())
        if [each.tag for each in pair[0]] != [each.tag for each in pair[1]]:
            raise EditError("drawing it again has changed other boxes, too; edit the text")
        for old, new in zip(*pair, strict=True):
            gone = zip(_corner(old), _corner(new), way, strict=False)  # none for elements without a corner
            if any(abs(after - before - each) >= 2 * _SAME for before, after, each in gone):
                raise EditError("drawing it again has not moved the box as it should; edit the text")


def _split(svg: str) -> dict[int | None, list[Element]]:
    """Return the elements that a layout draws, by their box; None has what is in no box."""
    found: dict[int | None, list[Element]] = {}
    for each in read_tree(svg.encode("utf-8", "surrogatepass"), TEMPLATE).root.children:
        box = each.attributes.get("data-box")
        found.setdefault(None if box is None else int(box), []).append(each)
    return found


def _drawn(elements: Mapping[int | None, Sequence[Element]], box: int | None) -> list[object]:
    return [_inside(each) for each in elements.get(box, ())]


def _inside(element: Element) -> object:
    content = [each.strip() if isinstance(each, str) else _inside(each) for each in element.content]
    return element.tag, {key: value for key, value in element.attributes.items() if key != "data-box"}, content


def _corner(element: Element) -> tuple[float, ...]:
    """Return the top left corner of an element, or () if it has none."""
    return tuple(float(element.attributes[name]) for name in ("x", "y") if "x" in element.attributes)
