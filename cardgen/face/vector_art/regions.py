"""Clip paths and masks of SVG art (SVG 1.1, chapter 14)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from cardgen.affine import IDENTITY, Matrix, multiply
from cardgen.face.vector_art.document import Element
from cardgen.face.vector_art.lengths import Metrics, box_matrix, collapses, parse_transform
from cardgen.face.vector_art.outlines import Leaf, bounds, path_data, transformed
from cardgen.face.vector_art.paint import parse_reference, require_plain_transform
from cardgen.face.vector_art.scene import Context, Scene, group_tag
from cardgen.units import Box, Size

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
            return [self._plain_clip(body[0], outlines[0], matrix)]
        openers = [group_tag(matrix), *(_opener(each) for each in own)]
        content = "".join([*openers, *body, *("</g>" for _ in openers)])
        return [self._define_mask(content, bounds([(each, multiply(matrix, inner)) for each, inner in outlines]))]

    def _plain_clip(self, path: str, leaf: Leaf, matrix: Matrix) -> Region:
        """Define a clip path of one shape, which all programs draw well."""
        outline, inner = leaf
        rule = ' clip-rule="evenodd"' if 'fill-rule="evenodd"' in path else ""
        data = path_data(transformed(outline, multiply(matrix, inner)))
        name = self._scene.new_id()
        self._scene.definitions.append(f'<clipPath id="{name}"><path d="{data}"{rule}/></clipPath>')
        return Region(name, False)

    def _mask(self, mask: Element, context: Context, leaves: Sequence[Leaf]) -> list[Region] | None:
        box = bounds(leaves)
        region = self._mask_region(mask, context, box)
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

    def _mask_region(self, mask: Element, context: Context, box: Box | None) -> Box | None:
        """Return the region outside which a mask hides everything."""
        in_user_space = mask.get("maskUnits") == "userSpaceOnUse"
        metrics = context.metrics if in_user_space else Metrics(Size(1, 1))
        sides = [
            metrics.length(mask.get(name) or default, "x" if name in ("x", "width") else "y")
            for name, default in _MASK_SIDES
        ]
        if in_user_space:
            return Box(*sides)
        if box is None:
            return None
        x, y, width, height = sides
        return Box(box.x + x * box.width, box.y + y * box.height, width * box.width, height * box.height)

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
