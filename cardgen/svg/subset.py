"""SVG subset of templates: elements, attributes, CSS properties, transforms.

Anything that CairoSVG would ignore or draw differently (blur, blend modes, foreignObject, CSS variables) is refused.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from typing import Any

from cardgen.diagnostic import VERY_CLOSE_CUTOFF, closest, did_you_mean
from cardgen.svg.tree import LONG_NUMBER, NESTED_TOO_DEEPLY, parse_function

DRAWING_TAGS = frozenset({"path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "use"})
STRUCTURE_TAGS = frozenset({
    "svg", "g", "a", "defs", "symbol", "clipPath", "mask", "pattern", "marker", "linearGradient", "radialGradient",
    "stop", "style", "title", "desc", "metadata",
})  # fmt: skip
BOX_TAGS = frozenset({"cg:text", "cg:art", "cg:room", "cg:fold", "cg:cut", "cg:field", "text", "image"})
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
    "cg:art": frozenset({
        "x", "y", "width", "height", "file", "of", "fit", "focus", "scale", "rotate", "mirror", "mask", "radius",
        "opacity", "href",
    }),
    # `image` in `cardgen.svg.chunks` makes a cg:art of it.
    "image": frozenset({
        "x", "y", "width", "height", "href", "xlink:href", "preserveAspectRatio", "transform", "opacity", "clip-path",
        "style", "class", "id", "image-rendering",
    }),
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
}  # fmt: skip
_ATTRIBUTE_FAULT = re.compile(r"unknown attribute '([^']*)'")
_WRONG_VALUE = re.compile(r"""(?:unknown color )?'([^']+)'(?: is not a valid color|;)|([\w-]+="[^"]*") is not a""")
# A reference in quotes, or everything up to the next parenthesis or the end.
_URL = re.compile(r"url\(\s*+(?:(['\"])([^'\"]*+)\1\s*+\)|([^)]*+)\)?+)", re.ASCII | re.IGNORECASE)
# Viewers load what other functions name, such as image-set('https://…' 1x).
_FUNCTIONS = frozenset({
    "url", "rgb", "rgba", "hsl", "hsla", "hwb", "lab", "lch", "oklab", "oklch", "color", "icc-color",
})  # fmt: skip
_FUNCTION = re.compile(r"([^\s,()]*+)\s*+\(")
_ID = re.compile(r"[A-Za-z_][-\w.:]*", re.ASCII)


def element_fault(tag: str, attributes: dict[str, str]) -> str | None:
    """Return an element's fault as a message.

    None if the element will be drawn as written.
    """
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
    return _call_fault(name, value) or value_fault(name, value)


def _call_fault(name: str, value: str) -> str | None:
    if "(" not in value:  # as in long path data
        return None
    if "var(" in value:
        return _VARIABLES
    called = _FUNCTION.findall(value.lower()) if name in PROPERTIES else ()
    fault = next(filter(None, map(_function_fault, called)), None)
    if fault:
        return fault
    for quote, quoted, bare in _URL.findall(value):
        target = quoted if quote else bare.strip(" \t\r\n")
        if not target.startswith("#"):
            return f"url({target}) can refer only to a part of the same template, such as url(#leaf)"
    return None


_VARIABLES = "CSS variables are not supported; use values of the theme, such as {{ theme.colours.ink }}"


def _function_fault(name: str) -> str | None:
    if name == "var":
        return _VARIABLES
    return None if name in _FUNCTIONS else f"the function '{name}()' is not supported"


# A word, a number, or a color in hexadecimal digits.
_PLAIN = re.compile(r"[\w#.,%+-]+")


@lru_cache(maxsize=1024)
def style_fault(text: str, properties: Collection[str], *, is_attribute: bool) -> str | None:
    """Return the fault of a style sheet, or of a style attribute, or None.

    Only the given properties are allowed, and references only to parts of the same file.
    """
    # Loaded here because most templates have no styles. CairoSVG reads styles with the same library.
    import tinycss2

    if "\\" in text:
        return "a style sheet cannot contain backslashes"
    parse = tinycss2.parse_blocks_contents if is_attribute else tinycss2.parse_stylesheet
    try:
        nodes = parse(text, skip_comments=True, skip_whitespace=True)
        return next(_faults(nodes, frozenset(properties)), None)
    except NESTED_TOO_DEEPLY:
        return "a style is nested too deeply"
    except ValueError:
        return LONG_NUMBER


def _faults(nodes: Iterable[Any], properties: frozenset[str]) -> Iterator[str]:
    import tinycss2

    for node in nodes:
        match node.type:
            case "error":
                yield f"a style cannot be read: {node.message}"
            case "at-rule":
                yield "a style sheet cannot contain @-rules"
            case "declaration":
                if node.lower_name not in properties:
                    yield f"the property '{node.name}' is not supported"
                yield from _value_faults(node.value)
                value = tinycss2.serialize(node.value).strip()
                fault = value_fault(node.lower_name, value) if _PLAIN.fullmatch(value) else None
                if fault:
                    yield fault
            case "qualified-rule":
                contents = tinycss2.parse_blocks_contents(node.content, skip_comments=True, skip_whitespace=True)
                yield from _faults(contents, properties)


def _value_faults(tokens: Iterable[Any]) -> Iterator[str]:
    for token in tokens:
        if token.type == "error":
            yield f"a style cannot be read: {token.message}"
        elif token.type == "url":
            yield from _target_faults(token.value)
        elif token.type == "function":
            fault = _function_fault(token.lower_name)
            if fault:
                yield fault
            if token.lower_name == "url":
                for target in [each.value for each in token.arguments if each.type == "string"] or [""]:
                    yield from _target_faults(target)
            yield from _value_faults(token.arguments)
        elif token.type.endswith("block"):
            yield from _value_faults(token.content)


def _target_faults(target: str) -> Iterator[str]:
    if not target.startswith("#"):
        yield f"url({target}) can refer only to a part of the same template, such as url(#leaf)"


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
    return _paint_or_length_fault(name, value) if name in _PAINTS or name in _LENGTHS else None


@lru_cache(maxsize=4096)
def _paint_or_length_fault(name: str, value: str) -> str | None:
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
        return None if parse_function(text) is not None else f"'{text[:40]}' is not a valid color"
    similar = closest(text, _COLOUR_NAMES, VERY_CLOSE_CUTOFF)
    if similar:
        return f"unknown color '{text[:40]}'; did you mean '{similar}'?"
    name = text if re.fullmatch(r"[a-z_]{1,30}", text) else "ink"
    return f"unknown color '{text[:40]}'; write #rrggbb, or a color of the theme such as {{{{ theme.colours.{name} }}}}"
