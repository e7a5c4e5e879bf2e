"""What is on a page beside its faces: marks, outlines and labels, in layers that readers can show and hide."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

from reportlab.pdfgen.canvas import Canvas

from cardgen.affine import multiply, rotation, translation
from cardgen.export.drawing import FaceDrawer
from cardgen.export.layers import tag
from cardgen.export.xobjects import recorded
from cardgen.face.face import Text
from cardgen.sheet.page import Label, Layer, Outline, Page, Slot, Stroke
from cardgen.text.fitting import set_line
from cardgen.text.fonts import Fonts
from cardgen.text.lines import Style
from cardgen.units import Box, Shape, points

LEGEND = Style(family="Source Sans 3", size=6.0, colour="#444444")
_HAIRLINE = 0.25
_SAFE = (0.0, 0.6, 0.75)


class PaperDrawer:
    """Draws what lies around the faces on the pages of one document."""

    def __init__(self, canvas: Canvas, faces: FaceDrawer, fonts: Fonts) -> None:
        self._canvas = canvas
        self._faces = faces
        self._fonts = fonts
        # The same marks, and the same numbers, stand on every sheet of a sprue.
        self._marks: dict[tuple[tuple[Stroke | Outline, ...], float], str] = {}
        self._texts: dict[Label, Text] = {}

    def draw(self, page: Page[Any]) -> None:
        """Marks, safe zones and labels, layer by layer."""
        height = page.paper.height
        self._canvas.setLineWidth(_HAIRLINE)
        every: tuple[Stroke | Outline, ...] = (*page.strokes, *page.outlines)
        for layer in (None, *Layer):
            marks = tuple(mark for mark in every if mark.layer is layer)
            labels = [label for label in page.labels if label.layer is layer]
            if marks or labels:
                with self.layer(layer):
                    self._canvas.addLiteral(self._drawn(marks, height))
                    for label in labels:
                        self._label(label, height)

    def _drawn(self, marks: tuple[Stroke | Outline, ...], height: float) -> str:
        """The operators that draw some marks."""
        if (marks, height) not in self._marks:
            with recorded(self._canvas) as (drawn, _):
                for mark in marks:
                    if isinstance(mark, Stroke):
                        self._stroke(mark, height)
                    else:
                        self._outline(mark, height)
            self._marks[marks, height] = "\n".join(drawn)
        return self._marks[marks, height]

    @contextmanager
    def layer(self, layer: Layer | None) -> Iterator[None]:
        """What is drawn inside belongs to a layer, or to none."""
        if layer:
            self._canvas.addLiteral(f"/OC /{tag(layer)} BDC")
        yield
        if layer:
            self._canvas.addLiteral("EMC")

    def _stroke(self, stroke: Stroke, height: float) -> None:
        self._canvas.setDash([3, 2] if stroke.dashed else [])
        self._canvas.line(points(stroke.x1), points(height - stroke.y1), points(stroke.x2), points(height - stroke.y2))

    def _outline(self, outline: Outline, height: float) -> None:
        canvas, box = self._canvas, outline.box
        canvas.saveState()
        if outline.layer is Layer.SAFE:
            canvas.setStrokeColorRGB(*_SAFE)
            canvas.setDash([1, 2])
        if outline.shape is Shape.ROUND:
            middle = (points(box.x + box.width / 2), points(height - box.y - box.height / 2))
            canvas.circle(*middle, points(box.width / 2))
        else:
            canvas.rect(points(box.x), points(height - box.bottom), points(box.width), points(box.height))
        canvas.restoreState()

    def _label(self, label: Label, height: float) -> None:
        if label not in self._texts:
            style = Style(LEGEND.family, label.size, LEGEND.colour)
            setting = set_line(label.text, 0, 0, style, self._fonts, anchor=label.anchor, min_size=label.size)
            matrix = multiply(translation(label.x, label.y), rotation(label.turn))
            self._texts[label] = Text(setting.lines, matrix)
        self._faces.text(self._texts[label], height)


def clip(slot: Slot, height: float) -> str:
    """The operators that keep a face inside of its slot."""
    if slot.shape is Shape.ROUND:
        return f"{_circle(slot.clip, height)} W n"
    if slot.notched:
        trim, clip = slot.trim, slot.clip
        level = Box(clip.x, trim.y, clip.width, trim.height)
        upright = Box(trim.x, clip.y, trim.width, clip.height)
        return f"{_rectangle(level, height)} {_rectangle(upright, height)} W n"
    return f"{_rectangle(slot.clip, height)} W n"


def _rectangle(box: Box, height: float) -> str:
    return f"{points(box.x):.3f} {points(height - box.bottom):.3f} {points(box.width):.3f} {points(box.height):.3f} re"


def _circle(box: Box, height: float) -> str:
    """The circle in a box, as four curves."""
    x, y = points(box.x + box.width / 2), points(height - box.y - box.height / 2)
    radius = points(min(box.width, box.height) / 2)
    handle = radius * 4 / 3 * math.tan(math.pi / 8)
    corners = ((1, 0), (0, 1), (-1, 0), (0, -1), (1, 0))
    parts = [f"{x + radius:.3f} {y:.3f} m"]
    for (a, b), (c, d) in pairwise(corners):
        first = (x + radius * a - handle * b, y + radius * b + handle * a)
        second = (x + radius * c + handle * d, y + radius * d - handle * c)
        end = (x + radius * c, y + radius * d)
        parts.append(" ".join(f"{number:.3f}" for number in (*first, *second, *end)) + " c")
    return " ".join(parts)
