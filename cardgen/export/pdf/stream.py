"""Streams of PDF operators that track the graphics state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from cardgen.export.artwork.translation import Group, Resource, SharedPath, Translation, joined
from cardgen.export.pdf import operators as pdf_operators
from cardgen.svg.values import parse_number, parse_numbers
from cardgen.units import Box

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
