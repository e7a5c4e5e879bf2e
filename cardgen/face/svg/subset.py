"""SVG subset of templates: elements, attributes, CSS properties, transforms.

Anything that CairoSVG would ignore or draw differently (blur, blend modes, foreignObject, CSS variables) is refused.
"""

from __future__ import annotations

import math
import re

from cardgen.affine import IDENTITY, Matrix, multiply, rotation
from cardgen.face.svg.style_sheet import style_fault
from cardgen.face.svg.values import value_fault
from cardgen.validation.suggestion import did_you_mean

DRAWING_TAGS = frozenset({"path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "use"})
STRUCTURE_TAGS = frozenset({
    "svg", "g", "a", "defs", "symbol", "clipPath", "mask", "pattern", "marker", "linearGradient", "radialGradient",
    "stop", "style", "title", "desc", "metadata",
})  # fmt: skip
BOX_TAGS = frozenset({"cg:text", "cg:art", "cg:room", "cg:fold", "cg:cut", "cg:field", "text"})
ALL_TAGS = DRAWING_TAGS | STRUCTURE_TAGS | BOX_TAGS

# Attributes allowed on a group that contains boxes; others would have no effect on the boxes.
BOX_GROUP_ATTRIBUTES = frozenset({"transform", "class", "id"})

_GEOMETRY = {
    "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry", "fx", "fy", "width", "height", "d", "points",
    "viewBox", "preserveAspectRatio", "transform", "gradientTransform", "gradientUnits", "spreadMethod", "offset",
    "patternUnits", "patternContentUnits", "patternTransform", "clipPathUnits", "maskUnits", "maskContentUnits",
    "markerWidth", "markerHeight", "markerUnits", "refX", "refY", "orient", "href", "xlink:href", "id", "class",
    "style", "version", "type", "xml:space", "pathLength",
}  # fmt: skip
PROPERTIES = frozenset({
    "fill", "fill-opacity", "fill-rule", "stroke", "stroke-width", "stroke-opacity", "stroke-linecap",
    "stroke-linejoin", "stroke-miterlimit", "stroke-dasharray", "stroke-dashoffset", "opacity", "color", "display",
    "visibility", "clip-path", "clip-rule", "mask", "marker", "marker-start", "marker-mid", "marker-end",
    "stop-color", "stop-opacity", "overflow", "shape-rendering",
})  # fmt: skip
ATTRIBUTES = frozenset(_GEOMETRY) | PROPERTIES
BOX_ATTRIBUTES = {
    "cg:text": frozenset({
        "x", "y", "width", "height", "style", "family", "size", "min-size", "align", "valign", "field", "fill",
    }),
    "text": frozenset({"x", "y", "width", "style", "family", "size", "min-size", "text-anchor", "field", "fill"}),
    "cg:art": frozenset({"x", "y", "width", "height", "file", "of", "fit", "focus", "radius"}),
    "cg:room": frozenset({"used", "available", "field"}),
    "cg:fold": frozenset({"x1", "y1", "x2", "y2"}),
    "cg:cut": frozenset({"d"}),
    "cg:field": frozenset({"x", "y", "width", "height", "name", "size", "multiline", "align", "type"}),
}  # fmt: skip

# Those of a cg:text with a path.
ARC_ATTRIBUTES = frozenset({
    "path", "cx", "cy", "r", "angle", "sweep", "side", "style", "family", "size", "min-size", "field", "fill",
})  # fmt: skip

# What box elements call things that SVG, CSS, or card authors call otherwise.
_OTHER_NAMES = {
    "color": "fill", "colour": "fill", "font-size": "size", "fontsize": "size", "font": "family",
    "font-family": "family", "class": "style", "w": "width", "h": "height", "anchor": "text-anchor", "src": "file",
    "href": "file",
}  # fmt: skip
_ATTRIBUTE_FAULT = re.compile(r"unknown attribute '([^']*)'")
_WRONG_VALUE = re.compile(r"""(?:unknown color )?'([^']+)'(?: is not a valid color|;)|([\w-]+="[^"]*") is not a""")
# A reference in quotes, or everything up to the next parenthesis or the end.
_URL = re.compile(r"url\(\s*+(?:(['\"])([^'\"]*+)\1\s*+\)|([^)]*+)\)?+)", re.IGNORECASE)
_ID = re.compile(r"[A-Za-z_][-\w.:]*", re.ASCII)


def element_fault(tag: str, attributes: dict[str, str]) -> str | None:
    """Return an element's fault as a message.

    None if the element will be drawn as written.
    """
    if tag == "image":
        return "<image> is not supported; use <cg:art> for pictures"
    if tag not in ALL_TAGS:
        hint = did_you_mean(tag, ALL_TAGS) or f"; use {', '.join(sorted(DRAWING_TAGS))}, or cg:text"
        return f"<{tag}> is not supported{hint}"
    bent = tag == "cg:text" and "path" in attributes
    form = f'{tag} path="arc"' if bent else tag
    allowed = ARC_ATTRIBUTES if bent else BOX_ATTRIBUTES.get(tag, ATTRIBUTES)
    for name, value in attributes.items():
        if name not in allowed and not _has_no_effect(name):
            meant = _OTHER_NAMES.get(name, "") if tag in BOX_TAGS else ""
            hint = f"; did you mean '{meant}'?" if meant in allowed else did_you_mean(name, sorted(allowed))
            hint = hint or f" (one of {', '.join(sorted(allowed))})"
            return f"unknown attribute '{name}' of <{form}>{hint}"
        fault = None if tag in BOX_TAGS else _value_fault(name, value)
        if fault:
            return fault
    return None


def fault_word(tag: str, fault: str) -> str:
    """Return the part of an element's source that a fault is about."""
    attribute = _ATTRIBUTE_FAULT.match(fault)
    if attribute:
        return f"{attribute[1]}="
    value = _WRONG_VALUE.match(fault)
    return (value[1] or value[2]) if value else f"<{tag}"


def _has_no_effect(name: str) -> bool:
    """Return whether an attribute does not affect the picture.

    A prefixed one could be an alias of any other, so it does not count.
    """
    if name in ("xmlns", "role") or name.startswith("xmlns:"):
        return True
    return name.startswith(("data-", "aria-")) and ":" not in name


def _value_fault(name: str, value: str) -> str | None:
    if name in ("href", "xlink:href"):
        return (
            None
            if _ID.fullmatch(value, 1) and value[0] == "#"
            else f"{name} can refer only to a part of the same template, such as '#leaf'"
        )
    if name == "id" and not _ID.fullmatch(value):
        return f"'{value}' is not a valid id; use only letters from a to z, digits, '-', '_', '.', and ':'"
    if name == "style":
        return style_fault(value, PROPERTIES, is_attribute=True)
    return _url_fault(value) or value_fault(name, value)


def _url_fault(value: str) -> str | None:
    if "(" not in value:  # as in long path data
        return None
    if "var(" in value:
        return "CSS variables are not supported; use values of the theme, such as {{ theme.colours.ink }}"
    for quote, quoted, bare in _URL.findall(value):
        target = quoted if quote else bare.strip()
        if not target.startswith("#"):
            return f"url({target}) can refer only to a part of the same template, such as url(#leaf)"
    return None


_TRANSFORM_CALL = re.compile(r"\s*+,?+\s*+(\w++)\s*+\(([^()]*+)\)")
_SEPARATOR = re.compile(r"[\s,]+")
_MAX_COEFFICIENT = 1e6


def parse_transform(text: str) -> Matrix:
    """Return the matrix of an SVG `transform` attribute.

    Raises ValueError with a message for the user if it is invalid.
    """
    matrix, position = IDENTITY, 0
    text = text.rstrip()
    while position < len(text):
        call = _TRANSFORM_CALL.match(text, position)
        if call is None:
            raise ValueError(f"'{text[:40]}' is not a valid transform")
        matrix = multiply(matrix, _parse_call(call[1], call[2]))
        position = call.end()
    if not all(abs(number) < _MAX_COEFFICIENT for number in matrix):
        raise ValueError(f"'{text[:40]}' is out of range")
    return matrix


def _parse_call(name: str, arguments: str) -> Matrix:
    try:
        numbers = [float(number) for number in _SEPARATOR.split(arguments.strip()) if number]
    except ValueError:
        raise ValueError(f"'{name}({arguments})'"[:40] + " is not a valid transform") from None
    match name, numbers:
        case "translate", [x, *rest] if len(rest) <= 1:
            return (1, 0, 0, 1, x, rest[0] if rest else 0)
        case "scale", [x, *rest] if len(rest) <= 1:
            return (x, 0, 0, rest[0] if rest else x, 0, 0)
        case "rotate", [degrees]:
            return rotation(degrees)
        case "rotate", [degrees, x, y]:
            return multiply(multiply((1, 0, 0, 1, x, y), rotation(degrees)), (1, 0, 0, 1, -x, -y))
        case "skewX", [degrees]:
            return (1, 0, math.tan(math.radians(degrees)), 1, 0, 0)
        case "skewY", [degrees]:
            return (1, math.tan(math.radians(degrees)), 0, 1, 0, 0)
        case "matrix", [a, b, c, d, e, f]:
            return (a, b, c, d, e, f)
    raise ValueError(f"'{name}({arguments})' is not a valid transform")
