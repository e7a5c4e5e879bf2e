"""Layouts by hand: where the boxes of a text are, and edits that write another place into it.

An edit changes the digits of the numbers that differ, and nothing else. The result is read again: unless exactly this
box is where it should be, the edit is refused.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from cardgen.editor.form.edits import EditError
from cardgen.face.inkscape_texts import DrawingError
from cardgen.face.layout import CONTENTS, LayoutBox, ReadLayout, read_layout
from cardgen.svg.tree import TEMPLATE, Element, read_tree
from cardgen.units import parse_length, shorten

At = tuple[float, float, float, float]
# What is nearer than this is the same place, in mm: a text has three decimals of a millimeter, or four of an inch.
_SAME = 0.003
_WRITTEN = re.compile(r"(?P<before>[\"']?\s*)(?P<number>[-+.\deE]+)(?P<after>\s*(?P<unit>mm|cm|in|pt)?\s*[\"']?)")


class PlacedBox(NamedTuple):
    """A box of a layout: its name in words, its line, and its place in mm.

    A box that is repeated is drawn `times`, each further by `step`.
    """

    name: str
    line: int
    at: At
    step: tuple[float, float] = (0.0, 0.0)
    times: int = 1


def placed_boxes(text: str) -> tuple[PlacedBox, ...]:
    """Return the boxes of a layout in paint order; none of a text with mistakes."""
    try:
        layout, document = read_layout(text, "")
    except DrawingError:
        return ()
    spans = (document.place(("boxes", index)).span for index in range(len(layout.boxes)))
    return tuple(
        PlacedBox(_name(box), span.line if span else 1, box.at, box.step or (0, 0), _times(box))
        for box, span in zip(layout.boxes, spans, strict=True)
    )


def _name(box: LayoutBox) -> str:
    content = next(name for name in CONTENTS if getattr(box, name) is not None)
    value = getattr(box, content)
    words = ", ".join(value) if isinstance(value, tuple) else str(value)
    return f"{content} {shorten(' '.join(words.split()), 30)}"


def _times(box: LayoutBox) -> int:
    return len(box.each) if isinstance(box.each, tuple) and box.step else 1


def place_box(text: str, index: int, at: At) -> str:
    """Return the text of a layout with a box at another place.

    Raises EditError, with the line, if that is impossible.
    """
    try:
        before = read_layout(text, "")
        box = before.layout.boxes[index]
    except DrawingError as error:
        raise EditError(f"the layout has a mistake: {error}") from None
    except IndexError:
        raise EditError("the box does not exist any more") from None
    for number in reversed(range(4)):
        if abs(at[number] - box.at[number]) >= _SAME / 10:
            text = _with_number(text, before, ("boxes", index, "at", number), at[number])
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


def require_only(before: str, after: str, index: int, way: tuple[float, float]) -> None:
    """Require that only a box differs in two drawings of a layout, and that it has gone all of its way, in mm.

    The drawings are the SVG of a template, before texts are set. Raises EditError otherwise.
    """
    one, other = (_split(svg, index) for svg in (before, after))
    if one[0] != other[0] or [each.tag for each in one[1]] != [each.tag for each in other[1]]:
        raise EditError("drawing it again has changed other boxes, too; edit the text")
    for old, new in zip(one[1], other[1], strict=True):
        corners = _corner(old), _corner(new)
        if corners[0] and corners[1] and not _is_moved(*corners[0], *corners[1], way):
            raise EditError("drawing it again has not moved the box as it should; edit the text")


def _is_moved(x: float, y: float, new_x: float, new_y: float, way: tuple[float, float]) -> bool:
    return abs(new_x - x - way[0]) < 2 * _SAME and abs(new_y - y - way[1]) < 2 * _SAME


def _split(svg: str, index: int) -> tuple[list[object], list[Element]]:
    """Return what a layout draws besides a box, and the elements of the box."""
    children = read_tree(svg.encode("utf-8", "surrogatepass"), TEMPLATE).root.children
    own = [each for each in children if each.attributes.get("data-box") == str(index)]
    return [_content(each) for each in children if each not in own], own


def _content(element: Element) -> object:
    inside = [each.strip() if isinstance(each, str) else _content(each) for each in element.content]
    return element.tag, element.attributes, inside


def _corner(element: Element) -> tuple[float, float] | None:
    """Return the top left corner of an element that has one."""
    if "x" not in element.attributes:
        return None
    return float(element.attributes["x"]), float(element.attributes["y"])
