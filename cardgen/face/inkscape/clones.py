"""Clones of a drawing as groups around what they repeat."""

from __future__ import annotations

from cardgen.face.inkscape.document import DrawingElement

_GEOMETRY = frozenset({"x", "y", "width", "height", "href", "xlink:href", "transform"})


def clone_group(clone: DrawingElement) -> DrawingElement:
    """Return the group around the copy of an object, with the clone's position and properties."""
    x, y = (float(clone.attributes.get(axis, "0") or 0) for axis in "xy")
    outer = f"{clone.attributes.get('transform', '')} translate({x:g} {y:g})".strip()
    own = {name: value for name, value in clone.attributes.items() if name not in _GEOMETRY}
    group = DrawingElement("g", {**own, "transform": outer, "clone": "yes"}, clone.line)
    group.style = clone.style
    return group


def symbol_group(symbol: DrawingElement) -> DrawingElement:
    """Return a symbol as a group, which is drawn where it is."""
    group = DrawingElement("g", {**symbol.attributes}, symbol.line, symbol.content)
    group.style = {name: value for name, value in symbol.style.items() if name != "display"}
    return group


def at_line(element: DrawingElement, line: int) -> DrawingElement:
    """Return an object as if it were at the line of its clone."""
    copy = DrawingElement(element.tag, element.attributes, line, element.content)
    copy.style = element.style
    return copy
