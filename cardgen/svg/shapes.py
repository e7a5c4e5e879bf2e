"""Shapes with their fill, stroke, and markers; gradients and patterns (SVG 1.1, chapters 11 and 13)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import atan2, degrees, hypot
from typing import NamedTuple

from cardgen.svg.scene import (
    MAX_CHAIN,
    Context,
    Leaf,
    Outline,
    Scene,
    bounds,
    box_outline,
    group_tag,
    matrix_text,
    outline_of,
    path_data,
)
from cardgen.svg.tree import (
    Colour,
    Element,
    Metrics,
    box_matrix,
    collapses,
    parse_number,
    parse_reference,
    parse_share,
    parse_transform,
    parse_view_box,
    property_colour,
    view_box_matrix,
)
from cardgen.units import IDENTITY, Box, Matrix, Size, apply, compose, inverse, multiply, rotation, translation

GRADIENT_TAGS = frozenset({"linearGradient", "radialGradient"})
_NAMES: Mapping[str, tuple[str, ...]] = {
    "linearGradient": ("x1", "y1", "x2", "y2"),
    "radialGradient": ("cx", "cy", "r", "fx", "fy"),
}
_COORDINATES = frozenset({*_NAMES["linearGradient"], *_NAMES["radialGradient"], "fr"})
# Repetitions of a gradient on each side, beyond which it is a blur of all its colors.
_MAX_PERIODS = 64


def inherited_attributes(element: Element, scene: Scene) -> tuple[dict[str, str], list[Element]]:
    """Return the attributes of a paint server and of those it refers to, and these elements.

    A gradient can refer to one of the other type, but has no coordinates from it.
    """
    family = GRADIENT_TAGS if element.tag in GRADIENT_TAGS else {element.tag}
    chain: list[Element] = []
    attributes: dict[str, str] = {}
    current: Element | None = element
    while current is not None and current not in chain and len(chain) < MAX_CHAIN:
        chain.append(current)
        own = current.attributes
        if current.tag != element.tag:
            own = {name: value for name, value in own.items() if name not in _COORDINATES}
        attributes = {**own, **attributes}
        current = scene.tree.ids.get(current.get("href").removeprefix("#"))
        current = current if current is not None and current.tag in family else None
    return attributes, chain


def require_plain_transform(attributes: Mapping[str, str], name: str) -> None:
    """Raise ValueError for a transform that programs treat in different ways."""
    if collapses(parse_transform(attributes.get(name, ""))):
        raise ValueError(f"the {name} leaves no area")
    if attributes.get("transform-origin"):
        raise ValueError("the property transform-origin is not supported")


class _Stop(NamedTuple):
    offset: float
    colour: Colour

    @property
    def source(self) -> str:
        """The stop as an element."""
        opacity = "" if self.colour.alpha == 1 else f' stop-opacity="{self.colour.alpha:.4g}"'
        return f'<stop offset="{self.offset:.6g}" stop-color="{self.colour.text}"{opacity}/>'


class GradientPaint:
    """A gradient for one shape."""

    def __init__(
        self, element: Element, scene: Scene, context: Context, style_of: Callable[[Element], Mapping[str, str]]
    ) -> None:
        self._scene = scene
        self._context = context
        self._style_of = style_of
        self._attributes, self._chain = inherited_attributes(element, scene)
        self._element = element

    def define(self, leaf: Leaf) -> Colour | str | None:
        """Return the color or the id of a new definition.

        Return None if nothing is painted.

        Raises ValueError if the gradient cannot be drawn.
        """
        owner = next((each for each in self._chain if any(child.tag == "stop" for child in each.children)), None)
        stops: list[_Stop] = []
        for child in owner.children if owner else ():
            if child.tag == "stop":
                offset = max(parse_share(child.get("offset") or "0"), stops[-1].offset if stops else 0.0)
                style = self._style_of(child)
                colour = property_colour(style["stop-color"], style["color"], self._context.is_mask)
                stops.append(_Stop(offset, Colour(colour.text, colour.alpha * parse_share(style["stop-opacity"]))))
        own = parse_transform(self._attributes.get("gradientTransform", ""))
        box = None if self._in_user_space else bounds([leaf])
        matrix = own if self._in_user_space else multiply(box_matrix(box), own) if box else None
        if not stops or matrix is None:
            return None
        require_plain_transform(self._attributes, "gradientTransform")
        if collapses(matrix):
            return None
        coordinates = self._coordinates()
        if len(stops) == 1 or _is_point(coordinates):
            return stops[-1].colour
        spread = self._attributes.get("spreadMethod", "pad")
        if spread in ("repeat", "reflect"):
            # The corners of a shape, with room for its stroke, in the space of its gradient.
            box = bounds([leaf])
            if box is None:
                corners = []
            else:
                box = box.expand(max(box.width, box.height) * 0.25)
                back = inverse(matrix)
                corners = [apply(back, x, y) for x in (box.x, box.right) for y in (box.y, box.bottom)]
            coordinates, stops = _spread(coordinates, stops, corners, is_mirrored=spread == "reflect")
        return self._add(coordinates, stops, matrix)

    def _add(self, coordinates: tuple[float, ...], stops: Sequence[_Stop], matrix: Matrix) -> str:
        name = self._scene.new_id()
        tag = self._tag
        numbers = "".join(f' {key}="{value:.9g}"' for key, value in zip(_NAMES[tag], coordinates, strict=True))
        self._scene.definitions.append(
            f'<{tag} id="{name}" gradientUnits="userSpaceOnUse" gradientTransform="{matrix_text(matrix)}"{numbers}>'
            f"{''.join(stop.source for stop in stops)}</{tag}>"
        )
        return name

    @property
    def _in_user_space(self) -> bool:
        return self._attributes.get("gradientUnits") == "userSpaceOnUse"

    def _coordinates(self) -> tuple[float, ...]:
        metrics = self._context.metrics if self._in_user_space else Metrics(Size(1, 1))

        def length(name: str, default: str) -> float:
            axis = "d" if name == "r" else name[-1] if name[-1] in "xy" else name[0]
            return metrics.length(self._attributes.get(name, default), axis)

        if self._tag == "linearGradient":
            return (length("x1", "0%"), length("y1", "0%"), length("x2", "100%"), length("y2", "0%"))
        if parse_length_or_zero(self._attributes.get("fr", "0")):
            raise ValueError("a gradient with a focal radius ('fr') is not supported")
        x, y, radius = (length(name, "50%") for name in ("cx", "cy", "r"))
        if radius < 0:
            raise ValueError("the radius of a gradient is negative")
        focus = (length("fx", f"{x}"), length("fy", f"{y}"))
        # Programs draw a focal point outside the circle in different ways.
        if radius and hypot(focus[0] - x, focus[1] - y) >= radius:
            raise ValueError("a gradient whose focal point is outside its circle is not supported")
        return (x, y, radius, *focus)

    @property
    def _tag(self) -> str:
        return self._element.tag


def parse_length_or_zero(text: str) -> float:
    """Return the number of a length, whatever its unit."""
    return parse_number(text.strip().rstrip("%abcdefghijklmnopqrstuvwxyz") or "0")


def _is_point(coordinates: tuple[float, ...]) -> bool:
    return coordinates[:2] == coordinates[2:] if len(coordinates) == 4 else coordinates[2] == 0


def _spread(
    coordinates: tuple[float, ...], stops: Sequence[_Stop], corners: Sequence[tuple[float, float]], *, is_mirrored: bool
) -> tuple[tuple[float, ...], list[_Stop]]:
    """Return a gradient that repeats, written out as far as the shape reaches.

    Raises ValueError if it repeats too often.
    """
    # The first and the last period that a shape reaches. The period of the gradient itself is from 0 to 1.
    if len(coordinates) == 4:
        x1, y1, x2, y2 = coordinates
        dx, dy = x2 - x1, y2 - y1
        shares = [((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy) for x, y in corners]
        periods = int(min(shares, default=0) // 1), int(-(-max(shares, default=1) // 1)) or 1
    else:
        x, y, radius, fx, fy = coordinates
        slack = radius - hypot(x - fx, y - fy)  # how fast the circles grow where they grow slowest
        reach = max((hypot(px - fx, py - fy) for px, py in corners), default=0)
        periods = 0, max(1, int(-(-reach // slack)))
    first, last = periods
    if last - first > 2 * _MAX_PERIODS:
        raise ValueError(f"a gradient that repeats more than {2 * _MAX_PERIODS} times is not supported")
    backward = [_Stop(1 - stop.offset, stop.colour) for stop in reversed(stops)]
    spread = [
        _Stop((period + stop.offset - first) / (last - first), stop.colour)
        for period in range(first, last)
        for stop in _whole(backward if is_mirrored and period % 2 else stops)
    ]
    if len(coordinates) == 4:
        x1, y1, x2, y2 = coordinates
        dx, dy = x2 - x1, y2 - y1
        return (x1 + dx * first, y1 + dy * first, x1 + dx * last, y1 + dy * last), spread
    x, y, radius, fx, fy = coordinates
    # The circles between the focal point and the circle go on beyond it.
    return (fx + (x - fx) * last, fy + (y - fy) * last, radius * last, fx, fy), spread


def _whole(stops: Sequence[_Stop]) -> list[_Stop]:
    """Return stops that reach from 0 to 1."""
    return [_Stop(0.0, stops[0].colour), *stops, _Stop(1.0, stops[-1].colour)]


_PATTERN_BOX = ("x", "y", "width", "height")


class PatternPaint:
    """A pattern for one shape."""

    def __init__(
        self,
        element: Element,
        scene: Scene,
        context: Context,
        style_of: Callable[[Element], Mapping[str, str]],
        draw: Callable[[Element, Context], list[Leaf]],
    ) -> None:
        self._element = element
        self._scene = scene
        self._context = context
        self._style_of = style_of
        self._draw = draw
        self._attributes, self._chain = inherited_attributes(element, scene)

    def define(self, leaf: Leaf) -> str | None:
        """Return the id of a new definition; None if nothing is painted.

        Raises ValueError for invalid attributes.
        """
        box = bounds([leaf])
        tile = self._tile(box)
        owner = next((each for each in self._chain if each.children), None)
        inside = self._context.entered(self._element)
        if inside is None:
            self._scene.refuse(self._element, "circular reference", "<pattern> refers to itself")
        matrix = parse_transform(self._attributes.get("patternTransform", ""))
        content = self._content_matrix(tile, box) if tile else None
        require_plain_transform(self._attributes, "patternTransform")
        if tile is None or content is None or owner is None or inside is None:
            return None
        return self._add(tile, matrix, content, self._body(owner, inside, tile))

    def _add(self, tile: Box, matrix: Matrix, content: Matrix, body: list[str]) -> str | None:
        if not body:
            return None
        name = self._scene.new_id()
        matrix = multiply(matrix, translation(tile.x, tile.y))
        self._scene.definitions.append(
            f'<pattern id="{name}" patternUnits="userSpaceOnUse" patternTransform="{matrix_text(matrix)}" '
            f'width="{tile.width:.9g}" height="{tile.height:.9g}">'
            f"{group_tag(content)}{''.join(body)}</g></pattern>"
        )
        return name

    def _body(self, owner: Element, inside: Context, tile: Box) -> list[str]:
        style = self._style_of(owner)
        if style["overflow"] in ("visible", "auto"):
            self._scene.refuse(owner, "overflow of a pattern")
        view = parse_view_box(self._attributes.get("viewBox", ""))
        viewport = Size(*(view or tile)[2:]) if view else inside.metrics.viewport
        content = inside._replace(style=style, metrics=inside.metrics._replace(viewport=viewport))
        with self._scene.apart() as body:
            for child in owner.children:
                self._draw(child, content)
        return body

    def _tile(self, box: Box | None) -> Box | None:
        in_user_space = self._attributes.get("patternUnits") == "userSpaceOnUse"
        metrics = self._context.metrics if in_user_space else Metrics(Size(1, 1))
        sides = [
            metrics.length(self._attributes.get(name, "").strip() or "0", "x" if name in ("x", "width") else "y")
            for name in _PATTERN_BOX
        ]
        if not in_user_space:
            if box is None or box.width <= 0 or box.height <= 0:
                return None
            x, y, width, height = sides
            sides = [box.x + x * box.width, box.y + y * box.height, width * box.width, height * box.height]
        return Box(*sides) if sides[2] > 0 and sides[3] > 0 else None

    def _content_matrix(self, tile: Box, box: Box | None) -> Matrix | None:
        view = parse_view_box(self._attributes.get("viewBox", ""))
        if view:
            if view.width <= 0 or view.height <= 0:
                return None
            return view_box_matrix(
                view, Box(0, 0, tile.width, tile.height), self._attributes.get("preserveAspectRatio", "").strip()
            )
        if self._attributes.get("patternContentUnits") == "objectBoundingBox":
            return box_matrix(box._replace(x=0, y=0)) if box else None
        return IDENTITY


_CAPS, _JOINS = ("butt", "round", "square"), ("miter", "round", "bevel")
_NO_PAINT = ("none", "transparent", "")
_MARKERS = ("marker-start", "marker-mid", "marker-end")


class ShapePainter:
    """Painter of shapes; `draw` draws the content of patterns and markers."""

    def __init__(
        self,
        scene: Scene,
        draw: Callable[[Element, Context], list[Leaf]],
        style_of: Callable[[Element], Mapping[str, str]],
    ) -> None:
        self._scene = scene
        self._draw = draw
        self._style_of = style_of

    def draw_shape(self, element: Element, context: Context) -> list[Leaf]:
        """Draw a shape, and return its outline."""
        outline = outline_of(element, context.metrics)
        if not outline:
            return []
        leaf = (outline, IDENTITY)
        style = context.style
        if style["visibility"] == "visible":
            if context.is_clip:
                rule = _rule(style["clip-rule"])
                self._scene.add(f'<path d="{path_data(outline)}" fill="#ffffff"{rule}/>')
            else:
                self._paint(element, context, leaf)
        return [leaf]

    def _paint(self, element: Element, context: Context, leaf: Leaf) -> None:
        data = path_data(leaf[0])
        fill, stroke = self._fill(element, context, leaf), self._stroke(element, context, leaf)
        words = context.style["paint-order"].split()
        if len({*words}) < len(words) or not {*words} <= {"fill", "stroke", "markers"}:
            words = []  # 'normal', or invalid
        order = [*words, *(each for each in ("fill", "stroke", "markers") if each not in words)]
        if fill and stroke and order.index("fill") < order.index("stroke") and order[-1] == "markers":
            self._scene.add(f'<path d="{data}"{fill}{stroke}/>')
        else:
            parts = {"fill": fill, "stroke": f' fill="none"{stroke}' if stroke else ""}
            for step in order:
                if parts.get(step):
                    self._scene.add(f'<path d="{data}"{parts[step]}/>')
                elif step == "markers":
                    self._mark(element, context, leaf[0])
            return
        self._mark(element, context, leaf[0])

    def _fill(self, element: Element, context: Context, leaf: Leaf) -> str:
        style = context.style
        paint = self._paint_of("fill", element, context, leaf)
        if not paint or element.tag == "line":
            return ""
        return f"{paint}{_rule(style['fill-rule'])}"

    def _stroke(self, element: Element, context: Context, leaf: Leaf) -> str:
        style, metrics = context.style, context.metrics
        width = metrics.length(style["stroke-width"], "d")
        paint = self._paint_of("stroke", element, context, leaf) if width > 0 else ""
        if not paint:
            return ""
        parts = [f'{paint} stroke-width="{width:.7g}"']
        for name, allowed in (("stroke-linecap", _CAPS), ("stroke-linejoin", _JOINS)):
            if style[name] not in allowed:
                raise ValueError(f"'{style[name][:40]}' is not a valid {name}")
            parts += [f' {name}="{style[name]}"'] if style[name] != allowed[0] else []
        limit = parse_number(style["stroke-miterlimit"])
        if limit < 1:
            raise ValueError(f"'{limit:g}' is not a valid stroke-miterlimit")
        parts += [f' stroke-miterlimit="{limit:.6g}"'] if limit != 4 else []
        return "".join(parts) + self._dashes(element, context)

    def _dashes(self, element: Element, context: Context) -> str:
        text = context.style["stroke-dasharray"]
        if text == "none":
            return ""
        lengths = [context.metrics.length(each, "d") for each in text.replace(",", " ").split()]
        if not any(lengths) or min(lengths) < 0:
            return ""
        if "pathLength" in element.attributes:
            self._scene.refuse(element, "pathLength")
        offset = context.metrics.length(context.style["stroke-dashoffset"], "d")
        # PDF has no negative offsets in older programs; a whole number of patterns changes nothing.
        offset %= sum(lengths) * 2
        row = " ".join(f"{each:.7g}" for each in lengths)
        return f' stroke-dasharray="{row}"' + (f' stroke-dashoffset="{offset:.7g}"' if offset else "")

    def _paint_of(self, use: str, element: Element, context: Context, leaf: Leaf) -> str:
        """Return the attributes of a fill or stroke.

        Return '' if nothing is painted.
        """
        opacity = parse_share(context.style[f"{use}-opacity"])
        paint = self._resolve(context.style[use], element, context, leaf) if opacity else None
        if isinstance(paint, str):
            source, alpha = f"url(#{paint})", opacity
        elif paint and paint.alpha:
            source, alpha = paint.text, opacity * paint.alpha
        else:
            return ""
        return f' {use}="{source}"' + (f' {use}-opacity="{alpha:.4g}"' if alpha < 1 else "")

    def _resolve(self, text: str, element: Element, context: Context, leaf: Leaf) -> Colour | str | None:
        if text in _NO_PAINT:
            return None
        if text in ("context-fill", "context-stroke"):
            self._scene.refuse(element, text)
            return None
        reference = parse_reference(text)
        if reference is None:
            return property_colour(text, context.style["color"], context.is_mask)
        server = self._scene.tree.ids.get(reference.name)
        paint: Colour | str | None = None
        if server is not None and server.tag in GRADIENT_TAGS:
            paint = GradientPaint(server, self._scene, context, self._style_of).define(leaf)
        elif server is not None and server.tag == "pattern":
            paint = PatternPaint(server, self._scene, context, self._style_of, self._draw).define(leaf)
        if server is not None and server.tag in ("meshgradient", "meshGradient", "hatch", "solidColor"):
            self._scene.refuse(server, f"<{server.tag}>")
        if paint is None and reference.fallback:
            return self._resolve(reference.fallback, element, context, leaf)
        return paint

    def _mark(self, element: Element, context: Context, outline: Outline) -> None:
        names = [name for name in _MARKERS if context.style[name] not in ("none", "")]
        if not names or context.is_clip:
            return
        if element.tag not in MARKED_TAGS:  # SVG 1.1 and 2 disagree about these
            self._scene.refuse(element, f"markers on <{element.tag}>")
            return
        if "marker-mid" in names and "a" in element.get("d").lower():  # arcs have become several curves
            self._scene.refuse(element, "markers in the middle of arcs")
            return
        all_vertices = vertices(outline)
        for name in _MARKERS:
            reference = parse_reference(context.style[name]) if name in names else None
            marker = self._scene.tree.ids.get(reference.name) if reference else None
            if marker is not None and marker.tag == "marker":
                self._place(marker, context, [each for each in all_vertices if each.place == name])

    def _place(self, marker: Element, context: Context, found: list[Vertex]) -> None:
        inside = context.entered(marker)
        if inside is None:
            self._scene.refuse(marker, "circular reference", "<marker> refers to itself")
            return
        style = self._style_of(marker)
        width = context.metrics.length(context.style["stroke-width"], "d")
        for place in place_markers(marker, found, width, context.metrics):
            viewport = Size(place.clip.width, place.clip.height)
            content = inside._replace(style=style, metrics=context.metrics._replace(viewport=viewport))
            with self._scene.apart() as body:
                for child in marker.children:
                    self._draw(child, content)
            if body:
                clip = "" if style["overflow"] in ("visible", "auto") else f"url(#{self._clip(place.clip)})"
                self._scene.add(group_tag(place.matrix, clip_path=clip))
                for each in body:
                    self._scene.add(each)
                self._scene.add("</g>")

    def _clip(self, box: object) -> str:
        name = self._scene.new_id()
        data = path_data(box_outline(box))  # type: ignore[arg-type]
        self._scene.definitions.append(f'<clipPath id="{name}"><path d="{data}"/></clipPath>')
        return name


def _rule(text: str) -> str:
    if text not in ("nonzero", "evenodd"):
        raise ValueError(f"'{text[:40]}' is not a fill rule")
    return ' fill-rule="evenodd"' if text == "evenodd" else ""


MARKED_TAGS = frozenset({"path", "line", "polyline", "polygon"})
_TURNS = {"deg": 1.0, "grad": 0.9, "rad": 57.29577951308232, "turn": 360.0}
_Point = tuple[float, float]


class Vertex(NamedTuple):
    """A point with the directions in which the path arrives and leaves.

    None at its ends.
    """

    place: str
    point: _Point
    arriving: _Point | None
    leaving: _Point | None

    @property
    def angle(self) -> float:
        """The direction of a marker, in degrees; at a corner, halfway."""
        directions = [atan2(y, x) for x, y in filter(None, (self.arriving, self.leaving))]
        if len(directions) == 2:
            unit = [(x / hypot(x, y), y / hypot(x, y)) for x, y in filter(None, (self.arriving, self.leaving))]
            x, y = (sum(each) for each in zip(*unit, strict=True))
            if hypot(x, y) > 1e-9:
                return degrees(atan2(y, x))
        return degrees(directions[0]) if directions else 0.0


def vertices(outline: Outline) -> list[Vertex]:
    """Return the vertices of a path: the first, those between, and the last."""
    steps = [*_steps(outline)]
    result: list[Vertex] = []
    for index, (point, arriving, leaving) in enumerate(steps):
        place = "marker-start" if index == 0 else "marker-end" if index == len(steps) - 1 else "marker-mid"
        result.append(Vertex(place, point, arriving, leaving))
    if len(steps) == 1:
        result.append(result[0]._replace(place="marker-end"))
    return result


_Step = tuple[_Point, _Point | None, _Point | None]


def _steps(outline: Outline) -> list[_Step]:
    """Return each point with the directions before and after it."""
    steps: list[_Step] = []
    start = 0
    for kind, *numbers in outline:
        if kind == "M":
            start = len(steps)
            steps.append(((numbers[0], numbers[1]), None, None))
            continue
        at, before, _ = steps[-1]
        target = steps[start][0] if kind == "Z" else (numbers[-2], numbers[-1])
        path = [at, *zip(numbers[:-2:2], numbers[1:-2:2], strict=True), target]
        leaving, arriving = _direction(path), _direction(path[::-1])
        arriving = (-arriving[0], -arriving[1]) if arriving else None
        steps[-1] = (at, before, leaving)
        following = steps[start][2] if kind == "Z" else None
        steps.append((target, arriving, following))
        if kind == "Z":
            first = steps[start]
            steps[start] = (first[0], arriving, first[2])
    return steps


def _direction(path: list[_Point]) -> _Point | None:
    """Return the direction in which a path leaves its first point."""
    x0, y0 = path[0]
    return next(((x - x0, y - y0) for x, y in path[1:] if hypot(x - x0, y - y0) > 1e-9), None)


class MarkerPlace(NamedTuple):
    """Where a marker is drawn: its matrix, and its own clip in the space after it."""

    matrix: Matrix
    clip: Box


def marker_size(marker: Element, metrics: Metrics) -> tuple[float, float]:
    """Return the width and the height of a marker; raises ValueError."""
    return tuple(metrics.length(marker.get(name) or "3", axis) for name, axis in _MARKER_SIZE)  # type: ignore[return-value]


_MARKER_SIZE = (("markerWidth", "x"), ("markerHeight", "y"))


def place_markers(marker: Element, found: list[Vertex], width: float, metrics: Metrics) -> Iterator[MarkerPlace]:
    """Yield the places of one marker; `width` is that of the stroke.

    Raises ValueError for invalid attributes.
    """
    wide, high = marker_size(marker, metrics)
    view = parse_view_box(marker.get("viewBox"))
    if wide <= 0 or high <= 0 or (view and (view.width <= 0 or view.height <= 0)):
        return
    scale = 1.0 if marker.get("markerUnits") == "userSpaceOnUse" else width
    inside = view_box_matrix(view, Box(0, 0, wide, high), marker.get("preserveAspectRatio")) if view else None
    place = []
    for name, axis, side in (("refX", "x", "width"), ("refY", "y", "height")):
        text = marker.get(name) or "0"
        if text in _KEYWORDS and view:
            place.append(getattr(view, axis) + getattr(view, side) * _KEYWORDS[text])
        else:
            place.append(metrics.length(text, axis))
    ref_x, ref_y = place[0], place[1]
    clip = Box(0, 0, wide, high)
    if inside:
        a, _, _, d, e, f = inside
        ref_x, ref_y = a * ref_x, d * ref_y
        inside, clip = (a, 0.0, 0.0, d, 0.0, 0.0), Box(-e / a, -f / d, wide / a, high / d)
    for vertex in found:
        turn = rotation(_turn(marker.get("orient") or "0", vertex))
        matrix = compose(translation(*vertex.point), turn, (scale, 0, 0, scale, 0, 0), translation(-ref_x, -ref_y))
        yield MarkerPlace(compose(matrix, inside) if inside else matrix, clip)


_KEYWORDS: Mapping[str, float] = {"left": 0.0, "top": 0.0, "center": 0.5, "right": 1.0, "bottom": 1.0}


def _turn(orient: str, vertex: Vertex) -> float:
    if orient in ("auto", "auto-start-reverse"):
        is_reversed = orient != "auto" and vertex.place == "marker-start"
        return vertex.angle + (180 if is_reversed else 0)
    unit = next((unit for unit in _TURNS if orient.endswith(unit)), "")
    # 'grad' ends as 'rad' does
    unit = "grad" if orient.endswith("grad") else unit
    return parse_number(orient.removesuffix(unit)) * _TURNS.get(unit, 1.0)
