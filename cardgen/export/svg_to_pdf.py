"""Fast path: SVG artwork becomes PDF operators, without CairoSVG and its system library.

A chunk with masks, patterns, markers, style sheets, units, and so on is left to CairoSVG as a whole.
"""

# FAST PATH. Reason: CairoSVG needs a system library, and makes a document of each chunk, which must be opened and
# merged. Gain: building 900 cards takes 3.0 s of processor time instead of 4.6 s, and a kit of 49 cards 2.5 s instead
# of 3.3 s. Slow twin: cairo_artwork.

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import TypeAlias
from xml.parsers import expat

from cardgen.affine import IDENTITY, Matrix, multiply
from cardgen.export import pdf_operators, svg_gradients
from cardgen.export.pdf_stream import Brush, OperatorStream
from cardgen.export.svg_attributes import (
    GEOMETRY,
    INITIAL_STYLE,
    clip_operators,
    merge_style,
    parse_opacity,
    require_supported,
)
from cardgen.export.svg_brushes import Space, make_brush, referenced_id
from cardgen.export.svg_gradients import GRADIENT_TAGS, GradientElement
from cardgen.export.translation import Group, Translation
from cardgen.face.svg import subset
from cardgen.runtime.fast_paths import FAST
from cardgen.runtime.time_limit import WATCHDOG, TimeLimitError
from cardgen.units import Box, Size, to_points

# Time limit for one chunk, in seconds; CairoSVG would take even longer, and report it.
TIME_LIMIT = 10.0
_IGNORED_TAGS = ("title", "desc", "metadata")
_CONTAINER_TAGS = frozenset({"svg", "g", "a"})
# Not drawn where they are; whatever refers to them is not translated.
_UNUSED_TAGS = frozenset({"mask", "pattern", "marker", "symbol"})
_DEFINITION_TAGS = frozenset({"clipPath", *GRADIENT_TAGS})
_FILL_RULES = {"nonzero": "", "evenodd": "*"}


@lru_cache(maxsize=1024)
def translate(svg: bytes) -> Translation | None:
    """Translate a chunk; None if CairoSVG has to draw it.

    Coordinates are in points from the lower left corner of the trim.
    """
    if not FAST:
        return None
    try:
        with WATCHDOG.limit(TIME_LIMIT):
            return _SvgTranslator().run(svg)
    except (ValueError, expat.ExpatError, TimeLimitError):
        return None


def untranslatable_part(svg: bytes) -> tuple[str, str]:
    """Return the reason why CairoSVG must draw a chunk, and the culprit's tag.

    Both are empty if the chunk can be translated, and the tag if no element is at fault. Attributes are written with
    double quotes.
    """
    translator = _SvgTranslator()
    try:
        with WATCHDOG.limit(TIME_LIMIT):
            translator.run(svg)
    except (ValueError, expat.ExpatError) as error:
        tag, attributes = translator.element
        return str(error), " ".join((f"<{tag}", *(f'{name}="{value}"' for name, value in attributes.items())))
    except TimeLimitError:
        return f"it took longer than {TIME_LIMIT:g} seconds", ""
    return "", ""


# Tags with the attributes of starts; ends have none.
_Events: TypeAlias = list[tuple[str, dict[str, str] | None]]


@dataclass(slots=True)
class _OpenElement:
    """An open element: inherited style, matrix, and the state to restore."""

    tag: str
    style: Mapping[str, str]
    matrix: Matrix = IDENTITY
    saved_state: dict[str, str] | None = None
    opacity: float = 1.0
    outer: OperatorStream | None = None


@dataclass(slots=True)
class _Copy:
    """An element for `use`: its id, depth, and events."""

    name: str
    depth: int
    events: _Events = field(default_factory=list)


@dataclass(slots=True)
class _SvgTranslator:
    stream: OperatorStream = field(default_factory=lambda: OperatorStream(Box(0, 0, 0, 0)))
    stack: list[_OpenElement] = field(default_factory=list)
    viewport: Size = field(default_factory=lambda: Size(0, 0))
    clips: dict[str, str] = field(default_factory=dict)
    gradients: dict[str, GradientElement] = field(default_factory=dict)
    # What `use` can refer to by id; None if several elements have it.
    copies: dict[str, _Events | None] = field(default_factory=dict)
    open_copies: list[_Copy] = field(default_factory=list)
    # The definition that is being read: a gradient, or the outlines of a clip path.
    definition: tuple[str, GradientElement | list[str]] | None = None
    # The element that began last.
    element: tuple[str, Mapping[str, str]] = field(default_factory=lambda: ("svg", {}))

    def run(self, svg: bytes) -> Translation:
        parser = expat.ParserCreate("utf-8")
        parser.StartElementHandler, parser.EndElementHandler = self._read_start, self._read_end
        parser.Parse(svg, True)
        return self.stream.finish()

    def _read_start(self, tag: str, attributes: dict[str, str]) -> None:
        self.element = (tag, attributes)
        if "id" in attributes and tag in GEOMETRY:
            self.open_copies.append(_Copy(attributes["id"], len(self.stack)))
        for copy in self.open_copies:
            copy.events.append((tag, attributes))
        self._start(tag, attributes)

    def _read_end(self, tag: str) -> None:
        for copy in self.open_copies:
            copy.events.append((tag, None))
        self._end(tag)
        if self.open_copies and self.open_copies[-1].depth == len(self.stack):
            copy = self.open_copies.pop()
            is_ambiguous = self.copies.setdefault(copy.name, copy.events) != copy.events
            self.copies[copy.name] = None if is_ambiguous else copy.events

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        above = self.stack[-1] if self.stack else None
        if above is None:
            self.stack.append(_OpenElement(tag, INITIAL_STYLE, self._root_matrix(attributes)))
        elif above.tag in _IGNORED_TAGS or tag in _IGNORED_TAGS:
            self._ignore(above)
        elif tag == "defs" and above.tag in _CONTAINER_TAGS and not attributes:
            self.stack.append(_OpenElement(tag, above.style, above.matrix))
        elif above.tag in _DEFINITION_TAGS or (tag in _DEFINITION_TAGS and above.tag in {*_CONTAINER_TAGS, "defs"}):
            self._start_definition(above.tag, tag, merge_style(attributes))
            self.stack.append(_OpenElement(tag, INITIAL_STYLE))
        elif above.tag == "defs" or tag in _UNUSED_TAGS:
            self._ignore(above)
        elif tag == "use" and above.tag in _CONTAINER_TAGS:
            self._use(merge_style(attributes), above)
        elif tag in GEOMETRY and above.tag in _CONTAINER_TAGS:
            self._visible(tag, merge_style(attributes), above)
        else:
            raise ValueError(f"<{tag}> in <{above.tag}> is not supported")

    def _ignore(self, above: _OpenElement) -> None:
        self.stack.append(_OpenElement(_IGNORED_TAGS[0], above.style))

    def _end(self, tag: str) -> None:
        element = self.stack.pop()
        if tag in _DEFINITION_TAGS and self.definition and element.tag == tag:
            self._define(*self.definition)
            self.definition = None
        if element.outer is not None:
            group = self.stream
            self.stream = element.outer
            box = (group.box.x, group.box.y, group.box.right, group.box.bottom)
            self.stream.paint_group(Group(box, group.finish()), element.opacity)
        if element.saved_state is not None:
            self.stream.restore(element.saved_state)

    def _root_matrix(self, attributes: Mapping[str, str]) -> Matrix:
        """Set up coordinates in points from the trim's lower left corner.

        The bleed is equally wide on all sides.
        """
        x, y, width, height = (
            pdf_operators.parse_numbers(attributes["viewBox"]) if "viewBox" in attributes else (0, 0, 0, 0)
        )
        if attributes.get("width") != f"{width:g}mm" or attributes.get("height") != f"{height:g}mm":
            raise ValueError("the SVG has no size in mm")
        if x != y:
            raise ValueError("the viewBox has bleeds of different widths")
        self.viewport = Size(width, height)
        self.stream.box = Box(*(to_points(side) for side in (x, y, width, height)))
        scale = to_points(1)
        matrix = (scale, 0.0, 0.0, -scale, 0.0, (height + 2 * y) * scale)
        self.stream.parts.append(pdf_operators.matrix_operator(matrix))
        return matrix

    def _start_definition(self, above: str, tag: str, attributes: Mapping[str, str]) -> None:
        if tag in GRADIENT_TAGS and above not in _DEFINITION_TAGS and "id" in attributes:
            self.definition = (attributes["id"], svg_gradients.gradient_element(tag, attributes))
            return
        if tag == "clipPath" and above not in _DEFINITION_TAGS and attributes.keys() == {"id"}:
            self.definition = (attributes["id"], [])
            return
        match self.definition:
            case (_, GradientElement() as gradient) if tag == "stop":
                gradient.stops.append(svg_gradients.gradient_stop(attributes))
            case (_, list() as outlines) if tag in pdf_operators.SHAPE_TAGS:
                outlines.append(clip_operators(tag, attributes))
            case _:
                raise ValueError(f"<{tag}> in <{above}> is not supported")

    def _define(self, name: str, definition: GradientElement | list[str]) -> None:
        """Add a definition; it can be repeated, but not changed."""
        if isinstance(definition, GradientElement):
            is_repeated = self.gradients.setdefault(name, definition) == definition
        elif len(definition) == 1:
            is_repeated = self.clips.setdefault(name, definition[0]) == definition[0]
        else:
            raise ValueError(f"the clip path '#{name}' does not consist of one shape")
        if not is_repeated:
            raise ValueError(f"the id '{name}' has several definitions")

    def _visible(self, tag: str, own: Mapping[str, str], above: _OpenElement) -> None:
        """Start a group or draw a shape."""
        require_supported(tag, own)
        style = {**above.style, **{name: value for name, value in own.items() if name in INITIAL_STYLE}}
        opacity = parse_opacity(own.get("opacity", "1"))
        if own.get("display") == "none" or opacity == 0:
            self._ignore(above)
            return
        element = _OpenElement(tag, style, above.matrix, opacity=opacity)
        self._place(element, own)
        if opacity < 1 and (tag in _CONTAINER_TAGS or "none" not in (style["fill"], style["stroke"])):
            self._begin_group(element)
        if tag not in _CONTAINER_TAGS and style["visibility"] == "visible":
            self._paint(element, pdf_operators.shape_operators(tag, own))
        self.stack.append(element)

    def _use(self, own: Mapping[str, str], above: _OpenElement) -> None:
        """Draw a copy of a shape or group that was read before."""
        require_supported("use", own)
        events = self.copies.get(own.get("href", own.get("xlink:href", "")).removeprefix("#"))
        if events is None:
            raise ValueError("<use> does not refer to exactly one shape before it")
        x, y = (pdf_operators.parse_number(own.get(name, "0")) for name in ("x", "y"))
        attributes = {name: value for name, value in own.items() if name not in GEOMETRY["use"]}
        self._visible("g", {**attributes, "transform": f"{own.get('transform', '')} translate({x} {y})"}, above)
        for tag, inside in events:
            if inside is None:
                self._end(tag)
            else:
                self._start(tag, inside)

    def _place(self, element: _OpenElement, own: Mapping[str, str]) -> None:
        """Apply an element's transform and clip path."""
        place = []
        if "transform" in own:
            matrix = subset.parse_transform(own["transform"])
            place.append(pdf_operators.matrix_operator(matrix))
            element.matrix = multiply(element.matrix, matrix)
        if own.get("clip-path", "none") != "none":
            name = referenced_id(own["clip-path"])
            if name not in self.clips:
                raise ValueError(f"'{own['clip-path']}' is not a clip path")
            place.append(self.clips[name])
        if place:
            element.saved_state = self.stream.save(" ".join(place))

    def _begin_group(self, element: _OpenElement) -> None:
        """Paint the element and its content into a group of its own."""
        box = self._space(element).visible_box()
        element.outer, self.stream = self.stream, OperatorStream(box)
        element.matrix = IDENTITY

    def _space(self, element: _OpenElement) -> Space:
        return Space(element.matrix, self.stream.box, self.viewport)

    def _paint(self, element: _OpenElement, outline: str) -> None:
        style = element.style
        rule = _FILL_RULES.get(style["fill-rule"])
        if rule is None:
            raise ValueError(f"'{style['fill-rule']}' is not a fill rule")
        if not outline:
            return
        fill = self._brush("fill", element, outline) if pdf_operators.has_inside(outline) else None
        has_width = style["stroke"] != "none" and pdf_operators.parse_number(style["stroke-width"]) > 0
        stroke = self._brush("stroke", element, outline) if has_width else None
        if stroke:
            self.stream.set_pen(style)
        self.stream.paint(outline, rule, fill, stroke)

    def _brush(self, use: str, element: _OpenElement, outline: str) -> Brush | None:
        alpha = parse_opacity(element.style[f"{use}-opacity"]) * (1.0 if element.outer else element.opacity)
        box = partial(pdf_operators.outline_box, outline)
        paint = element.style["color"] if element.style[use].lower() == "currentcolor" else element.style[use]
        return make_brush(use, paint, alpha, self.gradients, box, self._space(element))
