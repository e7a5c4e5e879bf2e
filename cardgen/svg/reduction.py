"""Reduction of an SVG file to groups and paths that all programs draw alike."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from cardgen.svg.scene import (
    SHAPE_TAGS,
    Context,
    Fault,
    Leaf,
    Scene,
    VectorArtError,
    bounds,
    box_outline,
    group_tag,
    path_data,
    transformed,
)
from cardgen.svg.shapes import ShapePainter, require_plain_transform
from cardgen.svg.tree import (
    ART,
    INITIAL,
    Element,
    Metrics,
    SvgError,
    Tree,
    apply_styles,
    box_matrix,
    collapses,
    computed_style,
    parse_reference,
    parse_share,
    parse_transform,
    parse_view_box,
    read_tree,
    view_box_matrix,
)
from cardgen.units import IDENTITY, Box, Matrix, Size, multiply, translation

# The largest side of a picture in its own units; beyond it, numbers lose precision.
_MAX_SIDE = 100_000.0


class VectorArt(NamedTuple):
    """A reduced SVG file.

    `size` is in pixels, of which only the proportions matter.
    """

    size: Size
    definitions: str
    body: str
    digest: str


def reduce_svg(content: bytes, colour: str = "black") -> VectorArt:
    """Reduce the content of an SVG file; `colour` is that of 'currentColor' where the file does not set one.

    Raises VectorArtError if anything in it cannot be drawn as its author meant it.
    """
    try:
        tree = read_tree(content, ART)
        apply_styles(tree)
    except SvgError as error:
        raise VectorArtError(Fault(str(error), error.line, error.feature)) from None
    digest = hashlib.blake2b(content, digest_size=6).hexdigest()
    scene = Scene(tree, f"a{digest}")
    size, view = _root_size(tree)
    try:
        Reducer(scene, colour).draw_root(size, view)
    except VectorArtError as error:
        raise VectorArtError(*scene.faults, *error.faults) from None
    except ValueError as error:
        scene.refuse(tree.root, "", f"<svg>: {error}")
    if scene.faults:
        raise VectorArtError(*sorted(scene.faults, key=lambda fault: fault.line))
    return VectorArt(size, "".join(scene.definitions), "".join(scene.body), scene.prefix)


def _root_size(tree: Tree) -> tuple[Size, Box | None]:
    root = tree.root
    try:
        view = parse_view_box(root.get("viewBox"))
        sides = [
            None
            if root.get(name) in ("", "auto") or "%" in root.get(name)
            else Metrics(Size(0, 0)).length(root.get(name), "x")
            for name in ("width", "height")
        ]
    except ValueError as error:
        raise VectorArtError(Fault(f"<svg>: {error}", root.line)) from None
    width, height = _complete_sides(sides[0], sides[1], view)
    if width is None or height is None:
        if view:
            raise VectorArtError(Fault("the viewBox must be greater than 0", root.line))
        raise VectorArtError(Fault("<svg> needs a viewBox, or a width and a height", root.line))
    if min(width, height, *(view[2:] if view else ())) <= 0:
        raise VectorArtError(Fault("the width and height of <svg> must be greater than 0", root.line))
    if max(width, height, *(view[2:] if view else ())) > _MAX_SIDE:
        raise VectorArtError(Fault(f"<svg> is too large (at most {_MAX_SIDE:,.0f} units per side)", root.line))
    return Size(width, height), view


def _complete_sides(width: float | None, height: float | None, view: Box | None) -> tuple[float | None, float | None]:
    """Return the sides, of which a missing one follows from the viewBox."""
    if view is None or view.width <= 0 or view.height <= 0:
        return width, height
    if width is None and height is None:
        return view.width, view.height
    if width is None and height is not None:
        return height * view.width / view.height, height
    if height is None and width is not None:
        return width, width * view.height / view.width
    return width, height


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
        for feature in style_faults(style):
            self.scene.refuse(root, feature)
        if style["display"] == "none" or not meets_conditions(root):
            return
        self.scene.add(group_tag(matrix, style="isolation:isolate" if self._blends() else ""))
        self._draw_wrapped(root, style, context, lambda inside: self._draw_children(root, inside))
        self.scene.add("</g>")

    def _blends(self) -> bool:
        return any("mix-blend-mode" in element.style for element in self.scene.tree.elements)

    def draw(self, element: Element, context: Context) -> list[Leaf]:
        """Draw an element, and return its outlines in the user space of its parent."""
        fault = element_fault(element)
        if fault:
            self.scene.refuse(element, fault)
        if fault or element.tag not in DRAWN_TAGS:
            return []
        style = computed_style(element, context.style)
        if style["display"] == "none" or not meets_conditions(element):
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
        for feature in style_faults(style):
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
            chosen = (each for each in element.children if each.tag in DRAWN_TAGS and meets_conditions(each))
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


_WHITE = {"fill": "white", "stroke": "none", "fill-opacity": "1", "visibility": "visible"}
_MASK_SIDES = (("x", "-10%"), ("y", "-10%"), ("width", "120%"), ("height", "120%"))


class Region(NamedTuple):
    """A definition that limits where an element is visible."""

    name: str
    is_mask: bool


class Regions:
    """Clip paths and masks; `draw` draws the elements inside them."""

    def __init__(
        self,
        scene: Scene,
        draw: Callable[[Element, Context], list[Leaf]],
        style_of: Callable[[Element], Mapping[str, str]],
    ) -> None:
        self._scene = scene
        self._draw = draw
        self._style_of = style_of

    def of(
        self, element: Element, style: Mapping[str, str], context: Context, leaves: Sequence[Leaf]
    ) -> list[Region] | None:
        """Return the regions of an element.

        Return None if it is not visible at all.
        """
        regions: list[Region] = []
        for name, tag, define in (("clip-path", "clipPath", self._clip), ("mask", "mask", self._mask)):
            target = self._target(element, style[name], name, tag)
            if target is None or (context.is_clip and tag == "mask"):
                continue
            inside = context.entered(target)
            if inside is None:
                self._scene.refuse(
                    target, "circular reference", f"<{tag}> refers to itself, or its chain of references is too long"
                )
                return None
            defined = define(target, inside, leaves)
            if defined is None:
                return None
            regions += defined
        return regions

    def _target(self, element: Element, value: str, name: str, tag: str) -> Element | None:
        if value in ("none", ""):
            return None
        reference = parse_reference(value)
        if reference is None or reference.fallback:
            self._scene.refuse(element, f"{name}: {value[:40]}")
            return None
        target = self._scene.tree.ids.get(reference.name)
        return target if target and target.tag == tag else None

    def _clip(self, clip: Element, context: Context, leaves: Sequence[Leaf]) -> list[Region] | None:
        require_plain_transform(clip.attributes, "transform")
        matrix = parse_transform(clip.get("transform"))
        if clip.get("clipPathUnits") == "objectBoundingBox":
            box = bounds(leaves)
            matrix = multiply(matrix, box_matrix(box)) if box else (0, 0, 0, 0, 0, 0)
        if collapses(matrix):
            return None
        style = {**self._style_of(clip), **_WHITE}
        inside = context._replace(style=style, is_clip=True, is_mask=False)
        with self._scene.apart() as body:
            outlines = [leaf for child in clip.children if _clips(child) for leaf in self._draw(child, inside)]
            own = self.of(clip, self._style_of(clip), context._replace(is_clip=True), outlines)
        if own is None or not body:
            return None
        if len(body) == 1 and not own and len(outlines) == 1 and body[0].startswith("<path"):
            # Define a clip path of one shape, which all programs draw well.
            outline, inner = outlines[0]
            rule = ' clip-rule="evenodd"' if 'fill-rule="evenodd"' in body[0] else ""
            data = path_data(transformed(outline, multiply(matrix, inner)))
            name = self._scene.new_id()
            self._scene.definitions.append(f'<clipPath id="{name}"><path d="{data}"{rule}/></clipPath>')
            return [Region(name, False)]
        openers = [group_tag(matrix), *(_opener(each) for each in own)]
        content = "".join([*openers, *body, *("</g>" for _ in openers)])
        return [self._define_mask(content, bounds([(each, multiply(matrix, inner)) for each, inner in outlines]))]

    def _mask(self, mask: Element, context: Context, leaves: Sequence[Leaf]) -> list[Region] | None:
        box = bounds(leaves)
        # The region outside which a mask hides everything.
        in_user_space = mask.get("maskUnits") == "userSpaceOnUse"
        metrics = context.metrics if in_user_space else Metrics(Size(1, 1))
        sides = [
            metrics.length(mask.get(name) or default, "x" if name in ("x", "width") else "y")
            for name, default in _MASK_SIDES
        ]
        if in_user_space:
            region = Box(*sides)
        elif box is None:
            region = None
        else:
            x, y, width, height = sides
            region = Box(box.x + x * box.width, box.y + y * box.height, width * box.width, height * box.height)
        if region is None or region.width <= 0 or region.height <= 0:
            return None
        matrix: Matrix = IDENTITY
        if mask.get("maskContentUnits") == "objectBoundingBox":
            matrix = box_matrix(box) if box else (0, 0, 0, 0, 0, 0)
        if collapses(matrix):
            return None
        style = self._style_of(mask)
        if style["color-interpolation"] == "linearRGB":
            self._scene.refuse(mask, "the property color-interpolation")
        by_alpha = style["mask-type"] == "alpha"
        inside = context._replace(style=style, is_mask=not by_alpha, is_clip=False)
        with self._scene.apart() as body:
            for child in mask.children:
                self._draw(child, inside)
        own = self.of(mask, style, context._replace(is_clip=False), leaves)
        if own is None or not body:
            return None
        content = "".join([group_tag(matrix), *body, "</g>"])
        return [*own, self._define_mask(content, region, by_alpha=by_alpha)]

    def _define_mask(self, content: str, region: Box | None, *, by_alpha: bool = False) -> Region:
        name = self._scene.new_id()
        box = region or Box(0, 0, 0, 0)
        sides = " ".join(f'{key}="{value:.9g}"' for key, value in zip(("x", "y", "width", "height"), box, strict=True))
        kind = ' style="mask-type:alpha"' if by_alpha else ""
        self._scene.definitions.append(f'<mask id="{name}" maskUnits="userSpaceOnUse" {sides}{kind}>{content}</mask>')
        return Region(name, True)


def _clips(child: Element) -> bool:
    """Return whether a child of a clip path belongs to it.

    Groups do not.
    """
    return child.tag not in ("g", "svg", "a", "switch", "image", "foreignObject", "symbol")


def _opener(region: Region) -> str:
    target = f"url(#{region.name})"
    return group_tag(mask=target) if region.is_mask else group_tag(clip_path=target)


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
