"""Fast path: plain SVG becomes PDF operators; CairoSVG draws the rest.

A chunk with gradients, opacity, style sheets, markers, `use`, units, and so on is left to CairoSVG as a whole.
"""

# FAST PATH. Reason: CairoSVG makes a document of each chunk, which must be opened and merged, while most artwork is
# shapes in solid colors. Gain: building 900 cards takes 3.0 s of processor time instead of 4.6 s, and a kit of 49 cards
# 2.5 s instead of 3.3 s. Slow twin: cairo_artwork.

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeAlias
from xml.parsers import expat

from cardgen.export import pdf_operators
from cardgen.face.svg import subset
from cardgen.runtime.fast_paths import FAST
from cardgen.runtime.time_limit import WATCHDOG, TimeLimitError
from cardgen.units import to_points

# Time limit for one chunk, in seconds; CairoSVG would take even longer, and report it.
TIME_LIMIT = 10.0
# A filled path with more characters is stored once per document, for all its positions and colors.
_SHARED_FROM = 160
_IGNORED_TAGS = ("title", "desc", "metadata")
_DEFS_PARENTS = ("svg", "g")
_INITIAL_STYLE = {
    "fill": "black", "fill-rule": "nonzero", "stroke": "none", "stroke-width": "1", "stroke-linecap": "butt",
    "stroke-linejoin": "miter", "stroke-miterlimit": "4", "stroke-dasharray": "none", "stroke-dashoffset": "0",
}  # fmt: skip
_GEOMETRY = {
    "path": {"d"},
    "rect": {"x", "y", "width", "height", "rx", "ry"},
    "circle": {"cx", "cy", "r"},
    "ellipse": {"cx", "cy", "rx", "ry"},
    "line": {"x1", "y1", "x2", "y2"},
    "polyline": {"points"},
    "polygon": {"points"},
    "g": set[str](),
}
_COMMON_ATTRIBUTES = {*_INITIAL_STYLE, "transform", "clip-path", "id", "class", "style", "role"}
_SUPPORTED_ATTRIBUTES = {tag: _COMMON_ATTRIBUTES | geometry for tag, geometry in _GEOMETRY.items()}
_IGNORED_PREFIXES = ("data-", "aria-")
_URL = re.compile(r"url\(#([-\w.:]+)\)")
_CAPS = {"butt": 0, "round": 1, "square": 2}
_JOINS = {"miter": 0, "round": 1, "bevel": 2}
# The initial graphics state of PDF; width, miter limit, and colors are always set.
_DEFAULTS = {"cap": "0 J", "join": "0 j", "dash": "[] 0 d"}


@dataclass(frozen=True, slots=True)
class SharedPath:
    """A long path and its fill operator, in the current fill color."""

    content: str

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, bottom, right, and top.

        Includes the handles of curves, so that nothing is clipped.
        """
        numbers = [float(word) for word in self.content.split() if word[-1] in "0123456789"]
        across, upward = numbers[::2], numbers[1::2]
        return (min(across), min(upward), max(across), max(upward)) if numbers else (0, 0, 0, 0)


Translation: TypeAlias = tuple[str | SharedPath, ...]


class _Unsupported(Exception):  # noqa: N818 - left to CairoSVG, not an error
    """The chunk contains something that is not translated."""


@lru_cache(maxsize=4096)
def translate(svg: bytes) -> Translation | None:
    """Translate a chunk; None if CairoSVG has to draw it.

    Coordinates are in points from the lower left corner of the trim.
    """
    if not FAST or b"<style" in svg:
        return None
    try:
        with WATCHDOG.limit(TIME_LIMIT):
            return _SvgTranslator().run(svg)
    except (_Unsupported, ValueError, expat.ExpatError, TimeLimitError):
        return None


@dataclass(slots=True)
class _OpenElement:
    """An open element: its inherited style and the saved graphics state."""

    tag: str
    style: Mapping[str, str]
    saved_state: dict[str, str] | None = None


@dataclass(slots=True)
class _SvgTranslator:
    operators: list[str | SharedPath] = field(default_factory=list)
    stack: list[_OpenElement] = field(default_factory=list)
    clips: dict[str, str] = field(default_factory=dict)
    clip: tuple[str, list[str]] | None = None
    state: dict[str, str] = field(default_factory=lambda: dict(_DEFAULTS))

    def run(self, svg: bytes) -> Translation:
        parser = expat.ParserCreate("utf-8")
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._end
        parser.Parse(svg, True)
        return tuple(_join_operators(self.operators))

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        above = self.stack[-1] if self.stack else None
        if above is None:
            self.stack.append(_OpenElement(tag, _INITIAL_STYLE))
            self._root(attributes)
        elif above.tag in _IGNORED_TAGS or tag in _IGNORED_TAGS:
            self.stack.append(_OpenElement(_IGNORED_TAGS[0], above.style))
        elif tag == "defs" and above.tag in _DEFS_PARENTS and not attributes:
            self.stack.append(_OpenElement(tag, above.style))
        elif above.tag == "defs" or self.clip is not None:
            self._definition(above.tag, tag, attributes)
        elif tag in _GEOMETRY and above.tag not in pdf_operators.SHAPE_TAGS:
            self._visible(tag, attributes, above.style)
        else:
            raise _Unsupported

    def _end(self, tag: str) -> None:
        element = self.stack.pop()
        if tag == "clipPath" and self.clip is not None:
            name, outlines = self.clip
            if len(outlines) != 1 or not outlines[0]:
                raise _Unsupported
            outline, self.clip = f"{outlines[0]} W n", None
            if self.clips.setdefault(name, outline) != outline:  # the same definition may be repeated
                raise _Unsupported
        if element.saved_state is not None:
            self.operators.append("Q")
            self.state = element.saved_state

    def _root(self, attributes: Mapping[str, str]) -> None:
        """Set up coordinates in points from the trim's lower left corner.

        The bleed is equally wide on all sides.
        """
        x, y, width, height = (
            pdf_operators.parse_numbers(attributes["viewBox"]) if "viewBox" in attributes else (0, 0, 0, 0)
        )
        if attributes.get("width") != f"{width:g}mm" or attributes.get("height") != f"{height:g}mm":
            raise _Unsupported
        scale = to_points(1)
        if x != y:
            raise _Unsupported
        self.operators.append(pdf_operators.matrix_operator((scale, 0, 0, -scale, 0, (height + 2 * y) * scale)))

    def _definition(self, above: str, tag: str, attributes: Mapping[str, str]) -> None:
        if tag == "clipPath" and above == "defs" and attributes.keys() == {"id"}:
            self.clip = (attributes["id"], [])
        elif (
            self.clip is not None
            and above == "clipPath"
            and tag in pdf_operators.SHAPE_TAGS
            and attributes.keys() <= _GEOMETRY[tag]
        ):
            self.clip[1].append(pdf_operators.shape_operators(tag, attributes))
        else:
            raise _Unsupported
        self.stack.append(_OpenElement(tag, _INITIAL_STYLE))

    def _visible(self, tag: str, attributes: dict[str, str], inherited: Mapping[str, str]) -> None:
        """Start a group or draw a shape."""
        own = _merge_style(attributes)
        if any(name not in _SUPPORTED_ATTRIBUTES[tag] and not name.startswith(_IGNORED_PREFIXES) for name in own):
            raise _Unsupported
        style = {**inherited, **{name: value for name, value in own.items() if name in _INITIAL_STYLE}}
        place = self._placement_operators(own)
        element = _OpenElement(tag, style, dict(self.state) if place else None)
        if place:
            self.operators.append(f"q {place}")
        if tag != "g":
            self._paint(pdf_operators.shape_operators(tag, own), tag, style)
        self.stack.append(element)

    def _placement_operators(self, attributes: Mapping[str, str]) -> str:
        """Return the operators for an element's transform and clip path."""
        place = []
        if "transform" in attributes:
            place.append(pdf_operators.matrix_operator(subset.parse_transform(attributes["transform"])))
        if attributes.get("clip-path", "none") != "none":
            name = _URL.fullmatch(attributes["clip-path"])
            if name is None or name[1] not in self.clips:
                raise _Unsupported
            place.append(self.clips[name[1]])
        return " ".join(place)

    def _paint(self, outline: str, tag: str, style: Mapping[str, str]) -> None:
        filled = style["fill"] != "none" and tag != "line"
        stroked = style["stroke"] != "none" and pdf_operators.parse_number(style["stroke-width"]) > 0
        rule = {"nonzero": "", "evenodd": "*"}.get(style["fill-rule"])
        if rule is None:
            raise _Unsupported
        if not outline or not (filled or stroked):
            return
        if filled:
            self._set_state("fill", pdf_operators.colour_operator(style["fill"], "rg"))
        if stroked:
            self._set_pen(style)
        operator = ("B" if stroked else "f") + rule if filled else "S"
        shape = f"{outline} {operator}"
        self.operators.append(SharedPath(shape) if not stroked and len(shape) > _SHARED_FROM else shape)

    def _set_pen(self, style: Mapping[str, str]) -> None:
        """Set color, width, and line style of strokes."""
        cap, join = _CAPS.get(style["stroke-linecap"]), _JOINS.get(style["stroke-linejoin"])
        limit = pdf_operators.parse_number(style["stroke-miterlimit"])
        if cap is None or join is None or limit < 1:
            raise _Unsupported
        self._set_state("stroke", pdf_operators.colour_operator(style["stroke"], "RG"))
        self._set_state("width", f"{pdf_operators.format_number(pdf_operators.parse_number(style['stroke-width']))} w")
        self._set_state("cap", f"{cap} J")
        self._set_state("join", f"{join} j")
        self._set_state("limit", f"{pdf_operators.format_number(limit)} M")
        self._set_state("dash", _dash_operator(style["stroke-dasharray"], style["stroke-dashoffset"]))

    def _set_state(self, what: str, operator: str) -> None:
        if self.state.get(what) != operator:
            self.state[what] = operator
            self.operators.append(operator)


def _merge_style(attributes: dict[str, str]) -> dict[str, str]:
    """Return the attributes with the properties of `style`, which have priority."""
    if "style" not in attributes:
        return attributes
    merged = dict(attributes)
    for declaration in filter(str.strip, merged.pop("style").split(";")):
        name, _, value = declaration.partition(":")
        merged[name.strip()] = value.strip()
    return merged


def _dash_operator(lengths: str, offset: str) -> str:
    if lengths == "none":
        return _DEFAULTS["dash"]
    numbers = pdf_operators.parse_numbers(lengths)
    if not numbers or min(numbers) < 0 or not any(numbers):
        raise _Unsupported
    phase = pdf_operators.format_number(pdf_operators.parse_number(offset))
    return f"[{' '.join(map(pdf_operators.format_number, numbers))}] {phase} d"


def _join_operators(drawn: list[str | SharedPath]) -> list[str | SharedPath]:
    """Join adjacent operators into one text."""
    joined: list[str | SharedPath] = []
    for each in drawn:
        if isinstance(each, str) and joined and isinstance(joined[-1], str):
            joined[-1] = f"{joined[-1]}\n{each}"
        else:
            joined.append(each)
    return joined
