"""Attributes of SVG elements that are translated to PDF."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from cardgen.export.pdf import operators as pdf_operators

INITIAL_STYLE = {
    "fill": "black", "fill-rule": "nonzero", "fill-opacity": "1", "stroke": "none", "stroke-opacity": "1",
    "stroke-width": "1", "stroke-linecap": "butt", "stroke-linejoin": "miter", "stroke-miterlimit": "4",
    "stroke-dasharray": "none", "stroke-dashoffset": "0", "visibility": "visible", "color": "black",
}  # fmt: skip
GEOMETRY = {
    "path": {"d"},
    "rect": {"x", "y", "width", "height", "rx", "ry"},
    "circle": {"cx", "cy", "r"},
    "ellipse": {"cx", "cy", "rx", "ry"},
    "line": {"x1", "y1", "x2", "y2"},
    "polyline": {"points"},
    "polygon": {"points"},
    "g": set[str](),
    "a": {"href", "xlink:href"},
    "use": {"x", "y", "width", "height", "href", "xlink:href"},
}
_COMMON_ATTRIBUTES = {
    *INITIAL_STYLE, "transform", "clip-path", "opacity", "display", "overflow", "shape-rendering", "clip-rule", "id",
    "class", "style", "role", "stop-color", "stop-opacity", "mask", "mix-blend-mode", "isolation",
}  # fmt: skip
_SUPPORTED = {tag: _COMMON_ATTRIBUTES | geometry for tag, geometry in GEOMETRY.items()}
_IGNORED_PREFIXES = ("data-", "aria-")
_CLIP_OPERATORS = {"nonzero": "W n", "evenodd": "W* n"}


def require_supported(tag: str, attributes: Mapping[str, str]) -> None:
    """Raise ValueError if an element has an attribute that is not translated."""
    supported = _SUPPORTED[tag]
    if supported.issuperset(attributes):
        return
    for name in attributes:
        if name not in supported and not name.startswith(_IGNORED_PREFIXES):
            raise ValueError(f"<{tag}> has the attribute '{name}'")


def clip_operators(tag: str, attributes: Mapping[str, str]) -> str:
    """Return the operators that clip to a shape.

    Raises ValueError if it is empty or not supported.
    """
    if unsupported := attributes.keys() - GEOMETRY[tag] - {"clip-rule"}:
        raise ValueError(f"<{tag}> in <clipPath> has the attribute '{min(unsupported)}'")
    outline = pdf_operators.shape_operators(tag, attributes)
    rule = attributes.get("clip-rule", "nonzero")
    if not outline or rule not in _CLIP_OPERATORS:
        raise ValueError(f"<{tag}> in <clipPath> is empty" if not outline else f"'{rule}' is not a clip rule")
    return f"{outline} {_CLIP_OPERATORS[rule]}"


@lru_cache(maxsize=256)
def parse_opacity(text: str) -> float:
    """Return an opacity from 0 to 1; raises ValueError if it is not a number."""
    return min(1.0, max(0.0, pdf_operators.parse_number(text)))


def merge_style(attributes: dict[str, str]) -> dict[str, str]:
    """Return the attributes with the properties of `style`, which have priority."""
    if "style" not in attributes:
        return attributes
    merged = dict(attributes)
    for declaration in filter(str.strip, merged.pop("style").split(";")):
        name, _, value = declaration.partition(":")
        merged[name.strip()] = value.strip()
    return merged
