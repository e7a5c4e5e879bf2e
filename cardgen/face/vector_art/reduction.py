"""Reduction of an SVG tree to groups and paths."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from cardgen.affine import IDENTITY, Matrix, multiply, translation
from cardgen.face.vector_art import features
from cardgen.face.vector_art.cascade import INITIAL, computed_style
from cardgen.face.vector_art.document import Element
from cardgen.face.vector_art.lengths import (
    Metrics,
    collapses,
    parse_share,
    parse_transform,
    parse_view_box,
    view_box_matrix,
)
from cardgen.face.vector_art.outlines import SHAPE_TAGS, Leaf, box_outline, path_data
from cardgen.face.vector_art.regions import Regions
from cardgen.face.vector_art.scene import Context, Scene, group_tag
from cardgen.face.vector_art.strokes import ShapePainter
from cardgen.units import Box, Size

_BLEND_MODES = frozenset({
    "multiply", "screen", "overlay", "darken", "lighten", "color-dodge", "color-burn", "hard-light", "soft-light",
    "difference", "exclusion", "hue", "saturation", "color", "luminosity",
})  # fmt: skip


class _Wrap(NamedTuple):
    """The group around an element: opacity, blend mode, and isolation."""

    opacity: float
    style: str


class Reducer:
    """Draws the elements of one file into a scene."""

    def __init__(self, scene: Scene, colour: str = INITIAL["color"]) -> None:
        self.scene = scene
        self._initial = {**INITIAL, "color": colour}
        self._regions = Regions(scene, self.draw, self.style_of)
        self._shapes = ShapePainter(scene, self.draw, self.style_of)
        self._styles: dict[int, Mapping[str, str]] = {}

    def style_of(self, element: Element) -> Mapping[str, str]:
        """Return the style of an element where it is defined, whatever refers to it."""
        if element.number not in self._styles:
            above = self.style_of(element.parent) if element.parent else self._initial
            self._styles[element.number] = computed_style(element, above)
        return self._styles[element.number]

    def draw_root(self, size: Size, view: Box | None) -> None:
        """Draw the whole file in its size in pixels."""
        root = self.scene.tree.root
        style = self.style_of(root)
        metrics = Metrics(Size(view.width, view.height) if view else size, self._em(root, style, 16.0))
        matrix = view_box_matrix(view, Box(0, 0, *size), root.get("preserveAspectRatio")) if view else IDENTITY
        context = Context(style, metrics)
        for feature in features.style_faults(style):
            self.scene.refuse(root, feature)
        if style["display"] == "none" or not features.meets_conditions(root):
            return
        self.scene.add(group_tag(matrix, style="isolation:isolate" if self._blends() else ""))
        self._draw_wrapped(root, style, context, lambda inside: self._draw_children(root, inside))
        self.scene.add("</g>")

    def _blends(self) -> bool:
        return any("mix-blend-mode" in element.style for element in self.scene.tree.elements)

    def draw(self, element: Element, context: Context) -> list[Leaf]:
        """Draw an element, and return its outlines in the user space of its parent."""
        fault = features.element_fault(element)
        if fault:
            self.scene.refuse(element, fault)
        if fault or element.tag not in features.DRAWN_TAGS:
            return []
        style = computed_style(element, context.style)
        if style["display"] == "none" or not features.meets_conditions(element):
            return []
        self.scene.count(element)
        try:
            return self._draw_visible(element, style, context)
        except ValueError as error:
            if not hasattr(error, "faults"):
                self.scene.refuse(element, "", f"<{element.tag}>: {error}")
                return []
            raise

    def _draw_visible(self, element: Element, style: Mapping[str, str], context: Context) -> list[Leaf]:
        for feature in features.style_faults(style):
            self.scene.refuse(element, feature)
        context = context._replace(
            style=style, metrics=context.metrics._replace(em=self._em(element, style, context.metrics.em))
        )
        matrix = parse_transform(element.get("transform"))
        if element.tag == "use":
            metrics = context.metrics
            x, y = (metrics.length(element.get(name) or "0", name) for name in "xy")
            matrix = multiply(matrix, translation(x, y))
        if collapses(matrix):
            return []
        with self.scene.apart() as body:
            leaves = self._draw_wrapped(element, style, context, lambda inside: self._draw_content(element, inside))
        if body:
            parts = body if matrix == IDENTITY else [group_tag(matrix), *body, "</g>"]
            self.scene.body.extend(parts)
        return [(outline, multiply(matrix, inner)) for outline, inner in leaves]

    def _draw_wrapped(
        self, element: Element, style: Mapping[str, str], context: Context, content: object
    ) -> list[Leaf]:
        """Draw content in the groups of its opacity, blend mode, clip path, and mask."""
        assert callable(content)
        wrap = self._wrap(element, style, context)
        with self.scene.apart() as body:
            leaves: list[Leaf] = content(context)
            regions = self._regions.of(element, style, context, leaves)
        if regions is None or not body or not wrap.opacity:
            return leaves
        opacity = f"{wrap.opacity:.4g}" if wrap.opacity < 1 else ""
        openers = [
            group_tag(mask=f"url(#{each.name})") if each.is_mask else group_tag(clip_path=f"url(#{each.name})")
            for each in regions
        ]
        if opacity or wrap.style:
            openers.insert(0, group_tag(opacity=opacity, style=wrap.style))
        self.scene.body.extend([*openers, *body, *("</g>" for _ in openers)])
        return leaves

    def _wrap(self, element: Element, style: Mapping[str, str], context: Context) -> _Wrap:
        if context.is_clip:
            return _Wrap(1.0, "")
        blend = style["mix-blend-mode"]
        if blend not in _BLEND_MODES and blend != "normal":
            self.scene.refuse(element, f"mix-blend-mode: {blend}")
        if blend in _BLEND_MODES:
            return _Wrap(parse_share(style["opacity"]), f"mix-blend-mode:{blend}")
        return _Wrap(parse_share(style["opacity"]), "isolation:isolate" if style["isolation"] == "isolate" else "")

    def _em(self, element: Element, style: Mapping[str, str], above: float) -> float:
        """Return the type size in pixels, to which lengths in em refer."""
        text = element.style.get("font-size", "inherit")
        if text == "inherit":
            return above
        try:
            return Metrics(Size(above * 2**0.5, above * 2**0.5), above).length(text, "x" if "%" not in text else "d")
        except ValueError:
            return {"small": 13.0, "large": 18.0}.get(text, 16.0)

    def _draw_content(self, element: Element, context: Context) -> list[Leaf]:
        if element.tag in SHAPE_TAGS:
            return self._shapes.draw_shape(element, context)
        if element.tag == "use":
            return self._draw_use(element, context)
        if element.tag == "switch":
            chosen = (
                each for each in element.children if each.tag in features.DRAWN_TAGS and features.meets_conditions(each)
            )
            child = next(chosen, None)
            return self.draw(child, context) if child else []
        if element.tag == "svg":
            return self._draw_viewport(element, context, element.attributes)
        return self._draw_children(element, context)

    def _draw_children(self, element: Element, context: Context) -> list[Leaf]:
        return [leaf for child in element.children for leaf in self.draw(child, context)]

    def _draw_use(self, element: Element, context: Context) -> list[Leaf]:
        name = element.get("href")
        if name and not name.startswith("#"):
            self.scene.refuse(element, "external reference")
            return []
        target = self.scene.tree.ids.get(name.removeprefix("#"))
        if target is None:
            return []
        inside = context.entered(target)
        if inside is None or _contains(target, element):
            self.scene.refuse(
                element, "circular reference", f"'{name[:40]}' refers to itself, or its chain of references is too long"
            )
            return []
        if context.is_clip and target.tag not in SHAPE_TAGS:
            return []
        if target.tag not in ("svg", "symbol"):
            return self.draw(target, inside)
        own = {key: element.attributes[key] for key in ("width", "height") if element.get(key) not in ("", "auto")}
        style = computed_style(target, context.style)
        if target.tag == "svg":
            matrix, place = IDENTITY, {**target.attributes, **own}
        else:
            matrix, place = parse_transform(target.get("transform")), {**target.attributes, "x": "0", "y": "0", **own}
        inside = inside._replace(style=style)
        with self.scene.apart() as body:
            leaves = self._draw_wrapped(target, style, inside, lambda each: self._draw_viewport(target, each, place))
        self.scene.body.extend(body if matrix == IDENTITY else [group_tag(matrix), *body, "</g>"])
        return leaves

    def _draw_viewport(self, element: Element, context: Context, place: Mapping[str, str]) -> list[Leaf]:
        """Draw the content of a nested viewport, clipped unless it may overflow."""
        metrics = context.metrics
        x, y = (metrics.length(place.get(name, "") or "0", name) for name in "xy")
        width, height = (
            metrics.length("100%" if place.get(name, "") in ("", "auto") else place[name], axis)
            for name, axis in (("width", "x"), ("height", "y"))
        )
        view = parse_view_box(element.get("viewBox"))
        if width <= 0 or height <= 0 or (view and (view.width <= 0 or view.height <= 0)):
            return []
        box = Box(x, y, width, height)
        aspect = element.get("preserveAspectRatio")
        matrix: Matrix = view_box_matrix(view, box, aspect) if view else translation(x, y)
        inside = context._replace(metrics=metrics._replace(viewport=Size(*(view or box)[2:])))
        with self.scene.apart() as body:
            leaves = self._draw_children(element, inside)
        if body:
            clipped = context.style["overflow"] not in ("visible", "auto") and not context.is_clip
            clip = f"url(#{self._clip_box(box)})" if clipped else ""
            self.scene.body.extend([group_tag(clip_path=clip), group_tag(matrix), *body, "</g></g>"])
        return [(outline, multiply(matrix, inner)) for outline, inner in leaves]

    def _clip_box(self, box: Box) -> str:
        name = self.scene.new_id()
        self.scene.definitions.append(f'<clipPath id="{name}"><path d="{path_data(box_outline(box))}"/></clipPath>')
        return name


def _contains(outer: Element, inner: Element) -> bool:
    current: Element | None = inner
    while current is not None and current is not outer:
        current = current.parent
    return current is outer
