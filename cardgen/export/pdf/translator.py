"""Fast path: SVG artwork becomes PDF operators, without CairoSVG and its system library.

A chunk with masks, patterns, markers, style sheets, units, and so on is left to CairoSVG as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import NamedTuple

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place
from cardgen.export.pdf import operators as pdf_operators
from cardgen.export.pdf.operators import (
    DEFINITION_TAGS,
    GEOMETRY,
    GRADIENT_TAGS,
    INITIAL_STYLE,
    Gradient,
    GradientElement,
    Group,
    Mask,
    Resource,
    SharedPath,
    Translation,
    alpha_shading,
    clip_operators,
    colour_operator,
    colour_shading,
    format_number,
    gradient_element,
    gradient_stop,
    is_point,
    joined,
    matrix_operator,
    merge_style,
    parse_opacity,
    require_supported,
    resolve,
    root_space,
    transform_operator,
)
from cardgen.face.face import Artwork
from cardgen.project.files import display_path
from cardgen.runtime.installation import FAST
from cardgen.runtime.processes import WATCHDOG, TimeLimitError
from cardgen.svg.tree import CHUNK, Element, parse_number, parse_numbers, parse_rgba, parse_transform, read_tree
from cardgen.units import IDENTITY, Box, Matrix, Size, apply, compose, inverse, multiply, translation

# FAST PATH. Reason: CairoSVG needs a system library, and makes a document of each chunk, which must be opened and
# merged. Gain: building 900 cards takes 3.0 s of processor time instead of 4.6 s, and a kit of 49 cards 2.5 s instead
# of 3.3 s. Slow twin: cairo_artwork.


# Time limit for one chunk, in seconds; CairoSVG would take even longer, and report it.
TIME_LIMIT = 10.0
_IGNORED_TAGS = ("title", "desc", "metadata")
_CONTAINER_TAGS = frozenset({"svg", "g", "a"})
# Not drawn where they are; whatever refers to them is not translated.
_UNUSED_TAGS = frozenset({"mask", "pattern", "marker", "symbol"})
# Attributes that change the graphics state of an element.
_IS_PLACED = frozenset({"transform", "clip-path", "mask", "mix-blend-mode"})
# Attributes of elements that are composed as a whole.
_IS_GROUP = frozenset({"mask", "mix-blend-mode", "isolation"})
_COPIED_TAGS = GEOMETRY.keys() | {"mask", "pattern"}
_FILL_RULES = {"nonzero": "", "evenodd": "*"}


@lru_cache(maxsize=256)
def translate(svg: bytes, *, always: bool = False) -> Translation | None:
    """Translate a chunk; None if CairoSVG has to draw it.

    Coordinates are in points from the lower left corner of the trim. Reduced art is `always` translated, because
    CairoSVG would draw some of it wrong.
    """
    if not FAST and not always:
        return None
    try:
        with WATCHDOG.limit(TIME_LIMIT):
            return _SvgTranslator().run(svg)
    except (ValueError, TimeLimitError):
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
    except ValueError as error:
        tag, attributes = translator.element.tag, translator.element.attributes
        return str(error), " ".join((f"<{tag}", *(f'{name}="{value}"' for name, value in attributes.items())))
    except TimeLimitError:
        return f"it took longer than {TIME_LIMIT:g} seconds", ""
    return "", ""


def undrawable_art(artwork: Artwork) -> CardgenError:
    """Return the error of art that cannot be translated; it took too long, or its numbers are out of range."""
    reason, _ = untranslatable_part(artwork.svg)
    place = Place(display_path(artwork.template) if artwork.template else "<artwork>")
    return CardgenError(Diagnostic(Code.UNDRAWABLE, f"this picture cannot be drawn: {reason}", place, "save it as PNG"))


@dataclass(slots=True)
class _OpenElement:
    """An open element: inherited style, matrix, and the state to restore."""

    tag: str
    style: Mapping[str, str]
    matrix: Matrix = IDENTITY
    saved_state: dict[str, str] | None = None
    opacity: float = 1.0
    outer: OperatorStream | None = None


class _SvgTranslator:
    def __init__(self) -> None:
        self.stream = OperatorStream(Box(0, 0, 0, 0))
        self.viewport = Size(0, 0)
        # The element of the file that began last, and whether a copy of another is drawn there.
        self.element = Element("svg", {})
        self._is_copy = False
        self._clips: dict[str, str] = {}
        self._gradients: dict[str, GradientElement] = {}
        # What `use`, masks, and patterns can refer to.
        self._copied: dict[str, list[Element]] = {}

    def run(self, svg: bytes) -> Translation:
        tree = read_tree(svg, CHUNK)
        for element in tree.elements:
            if "id" in element.attributes and element.tag in _COPIED_TAGS:
                self._copied.setdefault(element.attributes["id"], []).append(element)
        self.element = tree.root
        # Set up coordinates in points from the trim's lower left corner.
        attributes = tree.root.attributes
        root = root_space(attributes.get("viewBox", "0 0 0 0"), attributes.get("width"), attributes.get("height"))
        self.viewport, self.stream.box = root.viewport, root.box
        self.stream.parts.append(root.operator)
        self._read_children(tree.root, _OpenElement("svg", INITIAL_STYLE, root.matrix))
        return self.stream.finish()

    def _read_children(self, element: Element, above: _OpenElement) -> None:
        for child in element.children:
            self._read(child, above)

    def _read(self, element: Element, above: _OpenElement) -> None:
        tag = element.tag
        self._note(element)
        if tag in _IGNORED_TAGS:
            return
        if tag == "defs" and above.tag in _CONTAINER_TAGS and not element.attributes:
            self._read_children(element, _OpenElement(tag, above.style, above.matrix))
        elif tag in DEFINITION_TAGS and above.tag in {*_CONTAINER_TAGS, "defs"}:
            self._define(element, above.tag)
        elif above.tag == "defs" or tag in _UNUSED_TAGS:
            return
        elif tag not in GEOMETRY or above.tag not in _CONTAINER_TAGS:
            raise ValueError(f"<{tag}> in <{above.tag}> is not supported")
        elif tag == "use":
            self._use(element, above)
        else:
            own = merge_style(element.attributes)
            require_supported(tag, own)
            inside = self._open(tag, own, above)
            if inside:
                self._read_children(element, inside)
                self._close(inside)

    def _note(self, element: Element) -> None:
        if not self._is_copy:
            self.element = element

    def _use(self, element: Element, above: _OpenElement) -> None:
        """Draw a copy of a shape or group that was read before."""
        own = merge_style(element.attributes)
        require_supported("use", own)
        target = self._copy(own.get("href", own.get("xlink:href", "")).removeprefix("#"))
        if target is None:
            raise ValueError("<use> does not refer to exactly one shape before it")
        x, y = (parse_number(own.get(name, "0")) for name in ("x", "y"))
        attributes = {name: value for name, value in own.items() if name not in GEOMETRY["use"]}
        attributes["transform"] = f"{own.get('transform', '')} translate({x} {y})"
        require_supported("g", attributes)
        inside = self._open("g", attributes, above)
        if inside:
            self._read_copies([target], inside)
            self._read_children(element, inside)
            self._close(inside)

    def _copy(self, name: str | None) -> Element | None:
        """Return the element with an id that ended before; None if there is none, or if several differ."""
        found = [each for each in self._copied.get(name or "", ()) if each.last < self.element.number]
        return found[0] if found and all(_is_alike(each, found[0]) for each in found[1:]) else None

    def _read_copies(self, elements: Iterable[Element], above: _OpenElement) -> None:
        was_copy, self._is_copy = self._is_copy, True
        for each in elements:
            self._read(each, above)
        self._is_copy = was_copy

    def _define(self, element: Element, above: str) -> None:
        """Add a gradient or clip path; it can be repeated, but not changed."""
        tag, own = element.tag, merge_style(element.attributes)
        if "id" not in own or (tag == "clipPath" and own.keys() != {"id"}):
            raise ValueError(f"<{tag}> in <{above}> is not supported")
        name, definition = own["id"], gradient_element(tag, own) if tag in GRADIENT_TAGS else None
        outlines = list[str]()
        for child in element.children:
            self._note(child)
            inside = merge_style(child.attributes)
            if definition and child.tag == "stop":
                definition.stops.append(gradient_stop(inside))
            elif not definition and child.tag in pdf_operators.SHAPE_TAGS:
                outlines.append(clip_operators(child.tag, inside))
            elif child.tag not in _IGNORED_TAGS:
                raise ValueError(f"<{child.tag}> in <{tag}> is not supported")
            self._require_empty(child)
        if definition:
            is_repeated = self._gradients.setdefault(name, definition) == definition
        elif len(outlines) == 1:
            is_repeated = self._clips.setdefault(name, outlines[0]) == outlines[0]
        else:
            raise ValueError(f"the clip path '#{name}' does not consist of one shape")
        if not is_repeated:
            raise ValueError(f"the id '{name}' has several definitions")

    def _require_empty(self, element: Element) -> None:
        for child in element.children:
            self._note(child)
            if element.tag not in _IGNORED_TAGS and child.tag not in _IGNORED_TAGS:
                raise ValueError(f"<{child.tag}> in <{element.tag}> is not supported")

    def _open(self, tag: str, own: Mapping[str, str], above: _OpenElement) -> _OpenElement | None:
        """Start a group, or draw a shape; return None if nothing in it is visible."""
        changes = {name: value for name, value in own.items() if name in INITIAL_STYLE}
        style = {**above.style, **changes} if changes else above.style
        opacity = parse_opacity(own.get("opacity", "1"))
        if own.get("display") == "none" or opacity == 0:
            return None
        element = _OpenElement(tag, style, above.matrix, opacity=opacity)
        if not _IS_PLACED.isdisjoint(own):
            self._place(element, own)
        is_composite = tag in _CONTAINER_TAGS or "none" not in (style["fill"], style["stroke"])
        if (opacity < 1 and is_composite) or not _IS_GROUP.isdisjoint(own):
            box = self._space(element).visible_box()
            element.outer, self.stream = self.stream, OperatorStream(box)
            element.matrix = IDENTITY
        if tag not in _CONTAINER_TAGS and style["visibility"] == "visible":
            self._paint(element, pdf_operators.shape_operators(tag, own))
        return element

    def _close(self, element: _OpenElement) -> None:
        if element.outer is not None:
            group = self.stream
            self.stream = element.outer
            box = (group.box.x, group.box.y, group.box.right, group.box.bottom)
            self.stream.paint_group(Group(box, group.finish()), element.opacity)
        if element.saved_state is not None:
            self.stream.restore(element.saved_state)

    def _definition(self, value: str, tag: str) -> Element | None:
        """Return the mask or pattern that a value such as 'url(#leaf)' refers to; None if there is no such one."""
        found = self._copy(referenced_id(value))
        return found if found is not None and found.tag == tag else None

    def _group(self, box: Box, element: Element) -> Group:
        """Return the content of a mask or pattern as a group in its own space."""
        outer, self.stream = self.stream, OperatorStream(box)
        self._read_copies(element.children, _OpenElement("g", INITIAL_STYLE))
        group, self.stream = self.stream, outer
        return Group((box.x, box.y, box.right, box.bottom), group.finish())

    def _place(self, element: _OpenElement, own: Mapping[str, str]) -> None:
        """Apply an element's transform and clip path."""
        place = []
        if "transform" in own:
            matrix, operator = transform_operator(own["transform"])
            place.append(operator)
            element.matrix = multiply(element.matrix, matrix)
        if own.get("clip-path", "none") != "none":
            name = referenced_id(own["clip-path"]) or ""
            if name not in self._clips:
                raise ValueError(f"'{own['clip-path']}' is not a clip path")
            place.append(self._clips[name])
        place += [self._state_operator(resource) for resource in self._states(own)]
        if place:
            element.saved_state = self.stream.save(" ".join(place))

    def _states(self, own: Mapping[str, str]) -> Iterator[Resource]:
        """Yield the graphics states of a mask and a blend mode."""
        if own.get("mask", "none") != "none":
            mask = self._definition(own["mask"], "mask")
            if mask is None:
                raise ValueError(f"'{own['mask']}' is not a mask")
            yield soft_mask(mask.attributes, self._group(definition_box("mask", mask.attributes), mask))
        if own.get("mix-blend-mode", "normal") != "normal":
            yield blend_state(own["mix-blend-mode"])

    def _state_operator(self, resource: Resource) -> str:
        self.stream.resources.add(resource)
        return f"/{resource.name} gs"

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
        has_width = style["stroke"] != "none" and parse_number(style["stroke-width"]) > 0
        stroke = self._brush("stroke", element, outline) if has_width else None
        if stroke:
            self.stream.set_pen(style)
        self.stream.paint(outline, rule, fill, stroke)

    def _brush(self, use: str, element: _OpenElement, outline: str) -> Brush | None:
        alpha = parse_opacity(element.style[f"{use}-opacity"]) * (1.0 if element.outer else element.opacity)
        box = partial(pdf_operators.outline_box, outline)
        paint = element.style["color"] if element.style[use].lower() == "currentcolor" else element.style[use]
        tile = self._definition(paint, "pattern")
        if tile:
            content = self._group(definition_box("pattern", tile.attributes), tile)
            return tile_brush(use, tile.attributes, content, alpha, self._space(element))
        return make_brush(use, paint, alpha, self._gradients, box, self._space(element))


def _is_alike(one: Element, other: Element) -> bool:
    """Return whether two elements draw the same."""
    if one.tag != other.tag or one.attributes != other.attributes or len(one.children) != len(other.children):
        return False
    return all(map(_is_alike, one.children, other.children))


_URL = re.compile(r"url\(\s*#([-\w.:]+)\s*\)")
_MIN_AREA = 1e-12
_COLOUR_OPERATORS = {"fill": "rg", "stroke": "RG"}
PATTERN_OPERATORS = {"fill": ("cs", "scn"), "stroke": ("CS", "SCN")}


def referenced_id(value: str) -> str | None:
    """Return the id in a value such as 'url(#leaf)'; None if it is not one."""
    match = _URL.fullmatch(value.strip()) if "url" in value else None
    return match[1] if match else None


class Space(NamedTuple):
    """User space of a shape.

    `matrix` leads to the form, which paints only inside `box`; percentages refer to `viewport`.
    """

    matrix: Matrix
    box: Box
    viewport: Size

    def visible_box(self) -> Box:
        """Return a box around all that is painted, in user space."""
        back = inverse(self.matrix)
        corners = [apply(back, x, y) for x in (self.box.x, self.box.right) for y in (self.box.y, self.box.bottom)]
        xs, ys = [x for x, _ in corners], [y for _, y in corners]
        return Box(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def make_brush(
    use: str,
    paint: str,
    alpha: float,
    gradients: Mapping[str, GradientElement],
    shape: Callable[[], Box],
    space: Space,
) -> Brush | None:
    """Return the brush of a fill or stroke; None if it paints nothing.

    `use` is 'fill' or 'stroke', and `shape` returns the box of the shape. Raises ValueError for paints that are not
    supported.
    """
    if paint == "none" or alpha <= 0:
        return None
    name = referenced_id(paint)
    if name is not None:
        return _gradient_brush(use, resolve(gradients, name, shape, space.viewport), alpha, space)
    brush = _colour_brush(use, paint)
    return brush if alpha == 1 else Brush(brush.operator, brush.alpha * alpha)


@lru_cache(maxsize=1024)
def _colour_brush(use: str, text: str) -> Brush:
    *colour, alpha = parse_rgba(text)
    return Brush(colour_operator(colour, _COLOUR_OPERATORS[use]), alpha)


def _gradient_brush(use: str, gradient: Gradient, alpha: float, space: Space) -> Brush | None:
    a, b, c, d, _, _ = gradient.matrix
    if not gradient.stops or abs(a * d - b * c) < _MIN_AREA:
        return None
    stops = gradient.stops[-1:] if is_point(gradient) else gradient.stops
    operator, resources = _gradient_operator(use, gradient._replace(stops=stops), space)
    if len({stop.alpha for stop in stops}) == 1:
        return Brush(operator, alpha * stops[0].alpha, resources)
    # A graphics state with a gradient's opacity as soft mask. It applies in user space.
    visible = space.visible_box()
    box = (visible.x, visible.y, visible.right, visible.bottom)
    mask = Mask(box, f"{matrix_operator(gradient.matrix)} /S sh", alpha_shading(gradient))
    return Brush(
        operator, alpha, resources, Resource("ExtGState", "<< /SMask << /Type /Mask /S /Luminosity /G %s >> >>", mask)
    )


def _gradient_operator(use: str, gradient: Gradient, space: Space) -> tuple[str, tuple[Resource, ...]]:
    """Return the operator that selects the colors, without their opacity."""
    if len({stop.colour for stop in gradient.stops}) == 1:
        return colour_operator(gradient.stops[0].colour, _COLOUR_OPERATORS[use]), ()
    matrix = " ".join(map(format_number, multiply(space.matrix, gradient.matrix)))
    shading = colour_shading(gradient)
    pattern = Resource("Pattern", f"<< /PatternType 2 /Matrix [{matrix}] /Shading {shading} >>")
    space_operator, operator = PATTERN_OPERATORS[use]
    return f"/Pattern {space_operator} /{pattern.name} {operator}", (pattern,)


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
    transform = parse_transform(attributes["patternTransform"]) if "patternTransform" in attributes else IDENTITY
    x, y = (parse_number(attributes.get(name, "0")) for name in "xy")
    matrix = " ".join(map(format_number, compose(space.matrix, transform, translation(x, y))))
    steps = f"/XStep {format_number(width)} /YStep {format_number(height)}"
    tile = f"/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 {steps} /Matrix [{matrix}]"
    pattern = Resource("Pattern", tile, content)
    space_operator, operator = PATTERN_OPERATORS[use]
    return Brush(f"/Pattern {space_operator} /{pattern.name} {operator}", alpha, (pattern,))


# Streams of PDF operators that track the graphics state.

# A filled path with more characters is stored once per document, for all its positions and colors.
_SHARED_FROM = 160
_CAPS = {"butt": 0, "round": 1, "square": 2}
_JOINS = {"miter": 0, "round": 1, "bevel": 2}
_NO_DASH = "[] 0 d"


class Brush(NamedTuple):
    """Paint of a fill or stroke.

    `operator` selects its color or pattern, which `resources` define; `mask` is a graphics state with a soft mask.
    """

    operator: str
    alpha: float = 1.0
    resources: tuple[Resource, ...] = ()
    mask: Resource | None = None


@lru_cache(maxsize=256)
def _alpha(key: str, value: float) -> tuple[str, Resource]:
    """Return the operator that sets an opacity, and the graphics state that it names."""
    resource = Resource("ExtGState", f"<< /{key} {value:.4g} >>")
    return f"/{resource.name} gs", resource


# The initial graphics state of PDF; width, miter limit, and colors are always set.
INITIAL_STATE: Mapping[str, str] = {
    "cap": "0 J", "join": "0 j", "dash": _NO_DASH, **{key: _alpha(key, 1.0)[0] for key in ("ca", "CA")}
}  # fmt: skip


@dataclass(slots=True)
class OperatorStream:
    """Operators of a form, which set the graphics state only where it changes.

    All of the content is inside `box`.
    """

    box: Box
    parts: list[str | SharedPath | Group] = field(default_factory=list)
    resources: set[Resource] = field(default_factory=set)
    state: dict[str, str] = field(default_factory=lambda: dict(INITIAL_STATE))

    def finish(self) -> Translation:
        """Return the operators and their resources."""
        return Translation(joined(self.parts), frozenset(self.resources))

    def save(self, operators: str) -> dict[str, str]:
        """Save the graphics state, add operators, and return the state for `restore`."""
        self.parts.append(f"q {operators}")
        return dict(self.state)

    def restore(self, state: dict[str, str]) -> None:
        """Restore the graphics state."""
        self.parts.append("Q")
        self.state = state

    def paint(self, outline: str, rule: str, fill: Brush | None, stroke: Brush | None) -> None:
        """Fill and stroke an outline; the pen is set already."""
        # pdfium paints strokes with patterns before the fill of the same path.
        if fill and stroke and not (fill.mask or stroke.mask or stroke.resources) and stroke.alpha == 1:
            self._set_brush(fill, "ca")
            self._set_brush(stroke, "CA")
            self.parts.append(f"{outline} B{rule}")
            return
        if fill:
            self._paint_once(fill, "ca", f"{outline} f{rule}")
        if stroke:
            self._paint_once(stroke, "CA", f"{outline} S")

    def _paint_once(self, brush: Brush, alpha_key: str, shape: str) -> None:
        if brush.mask:
            saved = self.save(f"/{brush.mask.name} gs")
            self.resources.add(brush.mask)
            self._set_brush(brush, alpha_key)
            self.parts.append(shape)
            self.restore(saved)
            return
        self._set_brush(brush, alpha_key)
        # Patterns are aligned with the form that uses them, so a shared path cannot have one.
        is_shared = alpha_key == "ca" and not brush.resources and len(shape) > _SHARED_FROM
        self.parts.append(SharedPath(shape) if is_shared else shape)

    def paint_group(self, group: Group, alpha: float) -> None:
        """Paint a group with an opacity."""
        self._set_alpha("ca", alpha)
        self.parts.append(group)

    def _set_brush(self, brush: Brush, alpha_key: str) -> None:
        if brush.resources:
            self.resources.update(brush.resources)
        self._set(f"{alpha_key} brush", brush.operator)
        self._set_alpha(alpha_key, brush.alpha)

    def _set_alpha(self, key: str, value: float) -> None:
        operator, resource = _alpha(key, value)
        if self._set(key, operator):
            self.resources.add(resource)

    def set_pen(self, style: Mapping[str, str]) -> None:
        """Set width and line style of strokes.

        Raises ValueError for styles that are not supported.
        """
        cap, join = _CAPS.get(style["stroke-linecap"]), _JOINS.get(style["stroke-linejoin"])
        limit = parse_number(style["stroke-miterlimit"])
        if cap is None or join is None or limit < 1:
            raise ValueError("the line cap, line join, or miter limit is not valid")
        self._set("width", f"{pdf_operators.format_number(parse_number(style['stroke-width']))} w")
        self._set("cap", f"{cap} J")
        self._set("join", f"{join} j")
        self._set("limit", f"{pdf_operators.format_number(limit)} M")
        self._set("dash", _dash_operator(style["stroke-dasharray"], style["stroke-dashoffset"]))

    def _set(self, what: str, operator: str) -> bool:
        is_new = self.state.get(what) != operator
        if is_new:
            self.state[what] = operator
            self.parts.append(operator)
        return is_new


def _dash_operator(lengths: str, offset: str) -> str:
    if lengths == "none":
        return _NO_DASH
    numbers = parse_numbers(lengths)
    if not numbers or min(numbers) < 0 or not any(numbers):
        raise ValueError(f"'{lengths}' is not a dash pattern")
    phase = pdf_operators.format_number(parse_number(offset))
    return f"[{' '.join(map(pdf_operators.format_number, numbers))}] {phase} d"
