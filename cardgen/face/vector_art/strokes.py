"""Shapes of SVG art with their fill, stroke, and markers."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cardgen.affine import IDENTITY
from cardgen.face.vector_art.document import Element
from cardgen.face.vector_art.lengths import parse_number, parse_share
from cardgen.face.vector_art.markers import MARKED_TAGS, Vertex, place_markers, vertices
from cardgen.face.vector_art.outlines import Leaf, Outline, box_outline, outline_of, path_data
from cardgen.face.vector_art.paint import (
    GRADIENT_TAGS,
    Colour,
    GradientPaint,
    parse_reference,
    property_colour,
)
from cardgen.face.vector_art.patterns import PatternPaint
from cardgen.face.vector_art.scene import Context, Scene, group_tag
from cardgen.units import Size

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
        order = _paint_order(context.style["paint-order"])
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


def _paint_order(text: str) -> list[str]:
    words = text.split()
    if len({*words}) < len(words) or not {*words} <= {"fill", "stroke", "markers"}:
        words = []  # 'normal', or invalid
    return [*words, *(each for each in ("fill", "stroke", "markers") if each not in words)]
