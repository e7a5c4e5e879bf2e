"""Values of SVG attributes and CSS properties: colors and lengths that renderers would replace silently."""

from __future__ import annotations

import re
from functools import lru_cache

from cardgen.validation.suggestion import VERY_CLOSE_CUTOFF, closest

_PAINTS = frozenset({"fill", "stroke", "stop-color", "color"})
_LENGTHS = frozenset({
    "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry", "fx", "fy", "width", "height", "offset",
    "stroke-width", "stroke-opacity", "stroke-miterlimit", "stroke-dashoffset", "fill-opacity", "opacity",
    "stop-opacity",
})  # fmt: skip
_LENGTH = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?:[a-zA-Z]{1,4}|%)?")
_DECIMAL_COMMA = re.compile(r"([+-]?\d+),(\d+[a-zA-Z%]*)")
_HEX = re.compile(r"#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})")
_KEYWORDS = frozenset({"", "none", "inherit", "initial", "unset", "currentcolor", "transparent", "auto"})
_CONTEXT = ("url(", "context-")
_COLOUR_NAMES = frozenset({
    "aliceblue", "antiquewhite", "aqua", "aquamarine", "azure", "beige", "bisque", "black", "blanchedalmond",
    "blue", "blueviolet", "brown", "burlywood", "cadetblue", "chartreuse", "chocolate", "coral",
    "cornflowerblue", "cornsilk", "crimson", "cyan", "darkblue", "darkcyan", "darkgoldenrod", "darkgray",
    "darkgreen", "darkgrey", "darkkhaki", "darkmagenta", "darkolivegreen", "darkorange", "darkorchid",
    "darkred", "darksalmon", "darkseagreen", "darkslateblue", "darkslategray", "darkslategrey", "darkturquoise",
    "darkviolet", "deeppink", "deepskyblue", "dimgray", "dimgrey", "dodgerblue", "firebrick", "floralwhite",
    "forestgreen", "fuchsia", "gainsboro", "ghostwhite", "gold", "goldenrod", "gray", "green", "greenyellow",
    "grey", "honeydew", "hotpink", "indianred", "indigo", "ivory", "khaki", "lavender", "lavenderblush",
    "lawngreen", "lemonchiffon", "lightblue", "lightcoral", "lightcyan", "lightgoldenrodyellow", "lightgray",
    "lightgreen", "lightgrey", "lightpink", "lightsalmon", "lightseagreen", "lightskyblue", "lightslategray",
    "lightslategrey", "lightsteelblue", "lightyellow", "lime", "limegreen", "linen", "magenta", "maroon",
    "mediumaquamarine", "mediumblue", "mediumorchid", "mediumpurple", "mediumseagreen", "mediumslateblue",
    "mediumspringgreen", "mediumturquoise", "mediumvioletred", "midnightblue", "mintcream", "mistyrose",
    "moccasin", "navajowhite", "navy", "oldlace", "olive", "olivedrab", "orange", "orangered", "orchid",
    "palegoldenrod", "palegreen", "paleturquoise", "palevioletred", "papayawhip", "peachpuff", "peru", "pink",
    "plum", "powderblue", "purple", "rebeccapurple", "red", "rosybrown", "royalblue", "saddlebrown", "salmon",
    "sandybrown", "seagreen", "seashell", "sienna", "silver", "skyblue", "slateblue", "slategray", "slategrey",
    "snow", "springgreen", "steelblue", "tan", "teal", "thistle", "tomato", "turquoise", "violet", "wheat",
    "white", "whitesmoke", "yellow", "yellowgreen",
})  # fmt: skip


def value_fault(name: str, value: str) -> str | None:
    """Return the fault of a color or length as a message; None for any other attribute or property."""
    return _value_fault(name, value) if name in _PAINTS or name in _LENGTHS else None


@lru_cache(maxsize=4096)
def _value_fault(name: str, value: str) -> str | None:
    if name in _PAINTS:
        return _colour_fault(value.partition("icc-color(")[0].strip())
    text = value.strip()
    if text.lower() in _KEYWORDS or _LENGTH.fullmatch(text):
        return None
    comma = _DECIMAL_COMMA.fullmatch(text)
    hint = f"; write {comma[1]}.{comma[2]}" if comma else ""
    return f'{name}="{value[:40]}" is not a valid number or length{hint}'


def _colour_fault(text: str) -> str | None:
    lowered = text.lower()
    if lowered in _KEYWORDS or lowered in _COLOUR_NAMES or lowered.startswith(_CONTEXT) or _HEX.fullmatch(text):
        return None
    if "(" in text:
        return None if _is_function(text) else f"'{text[:40]}' is not a valid color"
    similar = closest(text, _COLOUR_NAMES, VERY_CLOSE_CUTOFF)
    if similar:
        return f"unknown color '{text[:40]}'; did you mean '{similar}'?"
    name = text if re.fullmatch(r"[a-z_]{1,30}", text) else "ink"
    return f"unknown color '{text[:40]}'; write #rrggbb, or a color of the theme such as {{{{ theme.colours.{name} }}}}"


def _is_function(text: str) -> bool:
    """Return whether a color such as rgb(10, 20, 30) is valid."""
    from tinycss2.color4 import parse_color  # most artwork has colors such as #rrggbb

    return parse_color(text) is not None
