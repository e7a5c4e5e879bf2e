"""Pages become a PDF: each distinct piece of artwork and each distinct face is one form, placed as often as needed."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from dataclasses import dataclass

from reportlab import rl_config
from reportlab.pdfgen.canvas import Canvas

from cardgen.export import artwork, typefaces
from cardgen.export.dates import check_date
from cardgen.export.drawing import FaceDrawer
from cardgen.export.shelf import Shelf
from cardgen.face.face import Face, Text
from cardgen.sheet.page import Label, Page, Placement, Stroke
from cardgen.text.fitting import set_line
from cardgen.text.fonts import Fonts
from cardgen.text.lines import Style
from cardgen.units import Box, points

_HAIRLINE = 0.25
_LEGEND = Style(family="Source Sans 3", size=6.0, colour="#444444")


@dataclass(frozen=True, slots=True)
class About:
    """What a document says of itself; `duplex` is the PDF name of how the printer should turn the paper."""

    title: str
    subject: str = ""
    duplex: str = ""
    language: str = "en"


def write(pages: Sequence[Page[Face]], fonts: Fonts, about: About, shelf: Shelf | None = None) -> bytes:
    """The PDF of some pages: text real and searchable, fonts embedded as subsets, the same bytes for the same input.

    The `shelf` has artwork that was drawn before. Its date is a fixed one, or that of SOURCE_DATE_EPOCH.
    Raises CardgenError when that is no date, and when artwork cannot be drawn.
    """
    check_date()
    writer = _Writer(fonts, about)
    for page in pages:
        writer.page(page)
    return writer.finish(shelf)


class _Writer:
    def __init__(self, fonts: Fonts, about: About) -> None:
        rl_config.useA85 = 0
        self._buffer = io.BytesIO()
        self._fonts = fonts
        first = typefaces.registered(fonts, _LEGEND.family)
        self._canvas = Canvas(self._buffer, pageCompression=1, invariant=1, initialFontName=first)
        self._faces = FaceDrawer(self._canvas, fonts)
        describe(self._canvas, about)

    def page(self, page: Page[Face]) -> None:
        for placement in page.placements:
            self._faces.define(placement.face)
        canvas, height = self._canvas, page.paper.height
        canvas.setPageSize((points(page.paper.width), points(height)))
        canvas.setTrimBox(_corners(page.trim, height))
        canvas.setBleedBox(_corners(page.bleed, height))
        for placement in page.placements:
            self._place(placement, height)
        canvas.setLineWidth(_HAIRLINE)
        for stroke in page.strokes:
            self._stroke(stroke, height)
        for label in page.labels:
            self._label(label, height)
        canvas.showPage()

    def finish(self, shelf: Shelf | None) -> bytes:
        self._canvas.save()
        empty = self._faces.artwork
        if not empty:
            return self._buffer.getvalue()
        from cardgen.export import linking  # pikepdf takes its time to load, and most documents need none.

        drawn = artwork.drawn(empty.values(), shelf)
        return linking.link(self._buffer.getvalue(), {name: drawn[piece.svg] for name, piece in empty.items()})

    def _place(self, placement: Placement[Face], paper_height: float) -> None:
        face, slot = placement.face, placement.slot
        canvas = self._canvas
        canvas.saveState()
        left, bottom, right, top = _corners(slot.clip, paper_height)
        canvas.addLiteral(f"{left:.3f} {bottom:.3f} {right - left:.3f} {top - bottom:.3f} re W n")
        canvas.translate(
            points(slot.trim.x + slot.trim.width / 2), points(paper_height - slot.trim.y - slot.trim.height / 2)
        )
        canvas.rotate(-slot.turn)
        canvas.translate(points(-face.size.width / 2), points(-face.size.height / 2))
        canvas.doForm(self._faces.define(face))
        canvas.restoreState()

    def _stroke(self, stroke: Stroke, paper_height: float) -> None:
        canvas = self._canvas
        canvas.setDash([3, 2] if stroke.dashed else [])
        canvas.line(
            points(stroke.x1), points(paper_height - stroke.y1), points(stroke.x2), points(paper_height - stroke.y2)
        )

    def _label(self, label: Label, paper_height: float) -> None:
        setting = set_line(label.text, 0, 0, _LEGEND, self._fonts, anchor="middle", min_size=_LEGEND.size)
        angle = math.radians(label.turn)
        matrix = (math.cos(angle), math.sin(angle), -math.sin(angle), math.cos(angle), label.x, label.y)
        self._faces.text(Text(setting.lines, matrix), paper_height)


def describe(canvas: Canvas, about: About) -> None:
    """Write into a document what it says of itself."""
    canvas.setTitle(about.title)
    canvas.setSubject(about.subject)
    canvas.setAuthor("")
    canvas.setCreator("cardgen")
    canvas.setCatalogEntry("Lang", about.language)
    canvas.setViewerPreference("PrintScaling", "None")
    canvas.setViewerPreference("DisplayDocTitle", "true")
    if about.duplex:
        canvas.setViewerPreference("Duplex", about.duplex)


def _corners(box: Box, paper_height: float) -> tuple[float, float, float, float]:
    """A box as PDF has it: left, bottom, right and top in points, y upward."""
    return (points(box.x), points(paper_height - box.bottom), points(box.right), points(paper_height - box.y))
