"""Marks, outlines, and labels around the faces of a page."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from reportlab.pdfgen.canvas import Canvas

from cardgen.affine import multiply, rotation, translation
from cardgen.export.pdf.artwork import Drawing
from cardgen.export.pdf.faces import PdfFaces
from cardgen.export.pdf.file import PdfFile
from cardgen.export.pdf.form_xobject import capture
from cardgen.export.pdf.operators import shape_operators
from cardgen.face.face import Text
from cardgen.sheet.page import Label, Layer, Outline, Polygon, SheetPage, Slot, Stroke
from cardgen.text.copyfitting import set_line
from cardgen.text.fonts import Fonts
from cardgen.text.lines import Style
from cardgen.units import Box, Shape, to_points

LABEL_STYLE = Style(family="Source Sans 3", size=6.0, colour="#444444")
_HAIRLINE = 0.25
_LAYERS = (None, *Layer)
_SAFE_ZONE_COLOUR = (0.0, 0.6, 0.75)


class PageMarks:
    """Marks, outlines, and labels on the pages of one document."""

    def __init__(self, canvas: Canvas, faces: PdfFaces, fonts: Fonts, file: PdfFile) -> None:
        self._canvas = canvas
        self._faces = faces
        self._fonts = fonts
        self._file = file
        # Cached, because every sheet of a sprue has the same marks and numbers.
        self._streams: dict[tuple[object, ...], str] = {}
        self._labels: dict[tuple[Label, float], Drawing] = {}

    def add(self, page: SheetPage[Any]) -> str:
        """Return the reference to a content stream that draws marks and safe zones, layer by layer."""
        key = (page.fills, page.strokes, page.outlines, page.paper.height)
        if key not in self._streams:
            self._streams[key] = self._file.add_stream("\n".join(self._marks(page, page.paper.height)))
        return self._streams[key]

    def labels(self, page: SheetPage[Any]) -> Iterator[Drawing]:
        """Yield the labels of a page, layer by layer."""
        for label in sorted(page.labels, key=lambda label: _LAYERS.index(label.layer)):
            key = (label, page.paper.height)
            if key not in self._labels:
                drawing = self._label(label, page.paper.height)
                operators = _on_layer(label.layer, drawing.operators)
                self._labels[key] = drawing._replace(operators=operators)
            yield self._labels[key]

    def _marks(self, page: SheetPage[Any], height: float) -> Iterator[str]:
        if page.fills:
            paths = " ".join(_rectangle_path(box, height) for box in page.fills)
            yield f"q 0 g {paths} f Q"
        yield f"{_HAIRLINE} w"
        every: tuple[Stroke | Outline, ...] = (*page.strokes, *page.outlines)
        for layer in _LAYERS:
            with capture(self._canvas) as (operators, _):
                for mark in every:
                    if mark.layer is not layer:
                        continue
                    if isinstance(mark, Stroke):
                        self._draw_stroke(mark, height)
                    else:
                        self._draw_outline(mark, height)
            if operators:
                yield _on_layer(layer, "\n".join(operators))

    def _draw_stroke(self, stroke: Stroke, height: float) -> None:
        self._canvas.setDash([3, 2] if stroke.dashed else [])
        ends = [to_points(each) for each in (stroke.x1, height - stroke.y1, stroke.x2, height - stroke.y2)]
        if stroke.halo:
            self._canvas.saveState()
            self._canvas.setStrokeColorRGB(1, 1, 1)
            self._canvas.setLineWidth(5 * _HAIRLINE)
            self._canvas.line(*ends)
            self._canvas.restoreState()
        self._canvas.line(*ends)

    def _draw_outline(self, outline: Outline, height: float) -> None:
        canvas, box = self._canvas, outline.box
        canvas.saveState()
        if outline.layer is Layer.SAFE:
            canvas.setStrokeColorRGB(*_SAFE_ZONE_COLOUR)
            canvas.setDash([1, 2])
        if outline.shape is Shape.ROUND:
            middle = (to_points(box.x + box.width / 2), to_points(height - box.y - box.height / 2))
            if outline.layer is Layer.CUTS:  # can be seen on dark faces, too
                self._draw_halo(*middle, to_points(box.width / 2))
            canvas.circle(*middle, to_points(box.width / 2))
        else:
            canvas.rect(to_points(box.x), to_points(height - box.bottom), to_points(box.width), to_points(box.height))
        canvas.restoreState()

    def _draw_halo(self, x: float, y: float, radius: float) -> None:
        self._canvas.saveState()
        self._canvas.setStrokeColorRGB(1, 1, 1)
        self._canvas.setLineWidth(3 * _HAIRLINE)
        self._canvas.circle(x, y, radius)
        self._canvas.restoreState()

    def _label(self, label: Label, height: float) -> Drawing:
        style = Style(LABEL_STYLE.family, label.size, LABEL_STYLE.colour)
        setting = set_line(label.text, 0, 0, style, self._fonts, anchor=label.anchor, min_size=label.size)
        matrix = multiply(translation(label.x, label.y), rotation(label.turn))
        return self._faces.text_drawing(Text(setting.lines, matrix), height)


def _on_layer(layer: Layer | None, operators: str) -> str:
    return f"/OC /{layer_tag(layer)} BDC\n{operators}\nEMC" if layer else operators


def layer_tag(layer: Layer) -> str:
    """Return the name of a layer in the content of a page."""
    return f"Layer{layer.name.title()}"


def clip_operators(slot: Slot, height: float) -> str:
    """Return the operators that clip a face to its slot."""
    if slot.clip_area:
        return f"{' '.join(_polygon_path(polygon, height) for polygon in slot.clip_area)} W n"
    if slot.radius and slot.shape is Shape.RECTANGLE:
        return f"{_rounded_path(slot.clip, slot.radius, height)} W n"
    path = _circle_path if slot.shape is Shape.ROUND else _rectangle_path
    return f"{path(slot.clip, height)} W n"


def _polygon_path(polygon: Polygon, height: float) -> str:
    """Return the path of a polygon, always counterclockwise, so that overlaps of polygons stay inside the clip."""
    clockwise = sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairwise((*polygon, polygon[0]))) > 0
    corners = [f"{to_points(x):.3f} {to_points(height - y):.3f}" for x, y in (polygon if clockwise else polygon[::-1])]
    return f"{corners[0]} m {' '.join(f'{corner} l' for corner in corners[1:])} h"


def _rectangle_path(box: Box, height: float) -> str:
    numbers = (box.x, height - box.bottom, box.width, box.height)
    return f"{' '.join(f'{to_points(number):.3f}' for number in numbers)} re"


def _rounded_path(box: Box, radius: float, height: float) -> str:
    sides = {"x": box.x, "y": height - box.bottom, "width": box.width, "height": box.height, "rx": radius}
    return shape_operators("rect", {name: f"{to_points(side):.3f}" for name, side in sides.items()})


def _circle_path(box: Box, height: float) -> str:
    """Return the circle inscribed in a box, as four curves."""
    x, y = to_points(box.x + box.width / 2), to_points(height - box.y - box.height / 2)
    radius = to_points(min(box.width, box.height) / 2)
    handle = radius * 4 / 3 * math.tan(math.pi / 8)
    corners = ((1, 0), (0, 1), (-1, 0), (0, -1), (1, 0))
    parts = [f"{x + radius:.3f} {y:.3f} m"]
    for (a, b), (c, d) in pairwise(corners):
        first = (x + radius * a - handle * b, y + radius * b + handle * a)
        second = (x + radius * c + handle * d, y + radius * d - handle * c)
        end = (x + radius * c, y + radius * d)
        parts.append(" ".join(f"{number:.3f}" for number in (*first, *second, *end)) + " c")
    return " ".join(parts)
