"""SVG masks, patterns, and blend modes as graphics states and brushes of PDF."""

from __future__ import annotations

from collections.abc import Mapping

from cardgen.affine import IDENTITY, compose, translation
from cardgen.export.artwork.attributes import merge_style
from cardgen.export.artwork.brushes import PATTERN_OPERATORS, Space
from cardgen.export.artwork.translation import Group, Resource
from cardgen.export.pdf.operators import format_number, parse_number
from cardgen.export.pdf.stream import Brush
from cardgen.face.svg import subset
from cardgen.units import Box

_BLEND_MODES = {
    "multiply": "Multiply", "screen": "Screen", "overlay": "Overlay", "darken": "Darken", "lighten": "Lighten",
    "color-dodge": "ColorDodge", "color-burn": "ColorBurn", "hard-light": "HardLight", "soft-light": "SoftLight",
    "difference": "Difference", "exclusion": "Exclusion", "hue": "Hue", "saturation": "Saturation", "color": "Color",
    "luminosity": "Luminosity",
}  # fmt: skip
_ATTRIBUTES = {
    "mask": {"id", "maskUnits", "x", "y", "width", "height", "style"},
    "pattern": {"id", "patternUnits", "patternTransform", "x", "y", "width", "height"},
}


def definition_box(tag: str, attributes: Mapping[str, str]) -> Box:
    """Return the box of a mask, or of the tile of a pattern in its own space.

    Raises ValueError if it is not in user space, or has attributes that are not supported.
    """
    if attributes.keys() - _ATTRIBUTES[tag] or attributes.get(f"{tag}Units") != "userSpaceOnUse":
        raise ValueError(f"<{tag}> is not in user space")
    box = Box(*(parse_number(attributes.get(name, "0")) for name in ("x", "y", "width", "height")))
    return box if tag == "mask" else box._replace(x=0, y=0)


def soft_mask(attributes: Mapping[str, str], content: Group) -> Resource:
    """Return the graphics state of a mask."""
    kind = merge_style(dict(attributes)).get("mask-type", "luminance")
    source = {"luminance": "Luminosity", "alpha": "Alpha"}.get(kind)
    if source is None:
        raise ValueError(f"'{kind}' is not a type of mask")
    return Resource("ExtGState", f"<< /SMask << /Type /Mask /S /{source} /G %s >> >>", content)


def blend_state(mode: str) -> Resource:
    """Return the graphics state of a blend mode; raises ValueError for an unknown one."""
    if mode not in _BLEND_MODES:
        raise ValueError(f"'{mode}' is not a blend mode")
    return Resource("ExtGState", f"<< /BM /{_BLEND_MODES[mode]} >>")


def tile_brush(use: str, attributes: Mapping[str, str], content: Group, alpha: float, space: Space) -> Brush | None:
    """Return the brush of a pattern, whose tile starts at its origin; None if it paints nothing."""
    _, _, width, height = content.box
    if alpha <= 0 or width <= 0 or height <= 0:
        return None
    transform = subset.parse_transform(attributes["patternTransform"]) if "patternTransform" in attributes else IDENTITY
    x, y = (parse_number(attributes.get(name, "0")) for name in "xy")
    matrix = " ".join(map(format_number, compose(space.matrix, transform, translation(x, y))))
    steps = f"/XStep {format_number(width)} /YStep {format_number(height)}"
    tile = f"/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 {steps} /Matrix [{matrix}]"
    pattern = Resource("Pattern", tile, content)
    space_operator, operator = PATTERN_OPERATORS[use]
    return Brush(f"/Pattern {space_operator} /{pattern.name} {operator}", alpha, (pattern,))
