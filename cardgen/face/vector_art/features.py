"""Features of SVG that art cannot have.

They would be drawn wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from cardgen.face.vector_art.document import Element
from cardgen.face.vector_art.outlines import SHAPE_TAGS

DRAWN_TAGS = SHAPE_TAGS | {"svg", "g", "a", "use", "switch"}
# Elements that draw nothing where they are.
_SILENT_TAGS = frozenset({
    "defs", "symbol", "clipPath", "mask", "pattern", "marker", "linearGradient", "radialGradient", "stop", "style",
    "title", "desc", "metadata", "filter", "view", "cursor", "font", "font-face", "color-profile", "solidColor",
})  # fmt: skip
_ANIMATIONS = frozenset({"animate", "animateColor", "animateMotion", "animateTransform", "set", "discard"})
_FEATURES = {
    "text": "text", "tspan": "text", "flowRoot": "text",
    "textPath": "text", "tref": "text",
    "image": "embedded pictures (<image>)", "foreignObject": "<foreignObject>", "script": "scripts",
}  # fmt: skip
# Values that change nothing; any other value of these properties is a fault.
_PLAIN_VALUES: Mapping[str, frozenset[str]] = {
    "filter": frozenset({"none"}),
    "backdrop-filter": frozenset({"none"}),
    "vector-effect": frozenset({"none"}),
    "clip": frozenset({"auto"}),
    "transform-origin": frozenset({"", "0 0", "0px 0px", "0", "left top", "top left"}),
    "color-interpolation": frozenset({"auto", "sRGB", "srgb"}),
    "transform": frozenset({"", "none"}),
    "d": frozenset({"", "none"}),
    "background-color": frozenset({"", "none", "transparent"}),
    "stroke-linejoin": frozenset({"miter", "round", "bevel"}),
}


def element_fault(element: Element) -> str:
    """Return the feature for which an element cannot be drawn, or ''."""
    tag = element.tag
    if tag in _ANIMATIONS:
        return "animation"
    if tag in DRAWN_TAGS | _SILENT_TAGS:
        animated = tag in SHAPE_TAGS and any(child.tag in _ANIMATIONS for child in element.children)
        return "animation" if animated else ""
    return _FEATURES.get(tag, f"<{tag[:40]}>")


def style_faults(style: Mapping[str, str]) -> Iterator[str]:
    """Yield the properties of an element that cannot be drawn."""
    for name, plain in _PLAIN_VALUES.items():
        if style[name] not in plain:
            yield f"{name}: {style[name][:40]}" if name == "stroke-linejoin" else f"the property {name}"


def meets_conditions(element: Element) -> bool:
    """Return whether an element is drawn by a program without extensions, in English."""
    attributes = element.attributes
    if "requiredExtensions" in attributes:
        return False
    if "systemLanguage" not in attributes:
        return True
    languages = (each.strip().lower() for each in attributes["systemLanguage"].split(","))
    return any(each == "en" or each.startswith("en-") for each in languages)
