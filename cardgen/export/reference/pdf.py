"""Reference sheet as PDF: typeset columns in Platypus frames."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

from reportlab import rl_config
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, FrameBreak, PageTemplate

from cardgen.export.pdf import fonts as pdf_fonts
from cardgen.export.pdf import postprocess
from cardgen.export.pdf.faces import PdfFaces
from cardgen.export.pdf.writer import DocumentInfo, check_source_date, set_document_info
from cardgen.export.reference.pagination import PaginatedSheet, SheetFormat, draw_trim
from cardgen.export.reference.typography import (
    Anchor,
    Background,
    FilledBox,
    ItemContent,
    ItemMark,
    PageReference,
    Rule,
    TextLine,
    leading,
    scale,
)
from cardgen.face.face import Text
from cardgen.reference.document_tree import Document
from cardgen.sheet.column_balancing import Column, PositionedItem
from cardgen.sheet.leaf import DUPLEX_MODES, DuplexMode, reading_flip
from cardgen.text.copyfitting import Compositor
from cardgen.text.fonts import Fonts
from cardgen.text.lines import Line, Run, Style
from cardgen.text.markup import Phrase
from cardgen.units import to_mm, to_points

# The space between the title and the subtitle, in millimeters.
_TITLE_GAP = 4.0


def write(
    document: Document, pages: PaginatedSheet, sheet_format: SheetFormat, fonts: Fonts, compositor: Compositor
) -> bytes:
    """Return a PDF with searchable text, bookmarks, and links.

    The same input gives the same bytes. Raises CardgenError if SOURCE_DATE_EPOCH is not a valid timestamp.
    """
    check_source_date()
    return _ReferencePdf(document, pages, sheet_format, fonts, compositor).bytes()


class _ReferencePdf:
    def __init__(
        self, document: Document, pages: PaginatedSheet, sheet_format: SheetFormat, fonts: Fonts, compositor: Compositor
    ) -> None:
        self._document, self._pages, self._format = document, pages, sheet_format
        self._fonts, self._compositor = fonts, compositor
        self._typography = pages.typography
        self._paper = sheet_format.paper

    def bytes(self) -> bytes:
        """Build the document with Platypus, and finish it."""
        rl_config.useA85 = 0
        buffer = io.BytesIO()
        size = (to_points(self._paper.width), to_points(self._paper.height))
        about = {"title": self._document.title, "subject": self._document.subtitle, "author": "", "creator": "cardgen"}
        templates = [self._template(0), self._template(1)]
        template = BaseDocTemplate(buffer, pagesize=size, pageTemplates=templates, **about)
        template.build(list(self._story()), canvasmaker=self._canvas)
        return postprocess.postprocess(buffer, {}).content()

    def _canvas(self, file: Any, **_: Any) -> Canvas:
        """Return the document's canvas, before its first page starts."""
        first = pdf_fonts.register_font(self._fonts, self._typography.body.family)
        canvas = Canvas(file, pageCompression=0, invariant=1, initialFontName=first)
        canvas.setPageSize((to_points(self._paper.width), to_points(self._paper.height)))
        about = DocumentInfo(self._document.title, self._document.subtitle, self._duplex, self._document.language)
        set_document_info(canvas, about)
        if len(self._pages.sections) > 1:
            canvas.showOutline()
        self._faces = PdfFaces(canvas, self._fonts)
        return canvas

    @property
    def _duplex(self) -> str:
        return DUPLEX_MODES[reading_flip(self._paper)] if self._pages.count > 1 else DuplexMode.SIMPLEX

    def _template(self, page: int) -> PageTemplate:
        """Return the first or a later page: frames in reading order."""
        form, width = self._format, self._format.column_width
        height = form.height(page * form.columns)
        frames = [
            Frame(
                *map(to_points, (form.margin + number * (width + form.gutter), form.margin + form.foot, width, height)),
                leftPadding=0, rightPadding=0, topPadding=0, bottomPadding=0, id=f"column{number}",
            )
            for number in range(form.columns)
        ]  # fmt: skip
        first = page == 0
        return PageTemplate(
            "first" if first else "next",
            frames,
            onPage=self._first_page if first else self._next_page,
            onPageEnd=self._draw_foot,  # after the columns, in reading order
            autoNextPageTemplate="next",
        )

    def _story(self) -> Iterator[Flowable]:
        """Yield one flowable and one break per column.

        An empty column has only a break.
        """
        number = 0
        for column in self._pages.columns:
            while number < column.number:
                yield FrameBreak()
                number += 1
            yield _ColumnFlowable(self, column)

    def _first_page(self, canvas: Canvas, _: BaseDocTemplate) -> None:
        """Draw title and subtitle over a double rule."""
        form, small = self._format, self._format.small
        baseline, room = form.margin + (6.4 if small else 7.4), self._paper.width - 2 * form.margin
        sizes = (17.0, 9.0) if small else (22.0, 11.0)
        texts = [
            (self._document.title, self._typography.title(sizes[0])),
            (self._document.subtitle, self._typography.subtitle(sizes[1])),
        ]
        wide = sum(self._line(*each)[1] for each in texts) + _TITLE_GAP
        share = min(1.0, room / wide)
        title, _ = self._line(texts[0][0], scale(texts[0][1], share))
        self._draw_line(title, form.margin, baseline)
        subtitle, width = self._line(texts[1][0], scale(texts[1][1], share))
        self._draw_line(subtitle, form.margin + room - width, baseline)
        below = baseline + (2.2 if small else 2.8)
        self._draw_rule(canvas, below, "accent", 1.4)
        self._draw_rule(canvas, below + 0.9, "gilt", 0.5)

    def _next_page(self, canvas: Canvas, _: BaseDocTemplate) -> None:
        """Draw the running head."""
        baseline, style = self._format.margin + 2.6, self._typography.title(8.5)
        _, wide = self._line(self._document.title, style)
        share = min(1.0, (self._paper.width - 2 * self._format.margin) / wide)
        self._draw_line(self._line(self._document.title, scale(style, share))[0], self._format.margin, baseline)
        self._draw_rule(canvas, baseline + 1.6, "accent", 0.8)

    def _draw_foot(self, canvas: Canvas, _: BaseDocTemplate) -> None:
        """Draw the credit at the left, the page number at the right, and trim marks."""
        if self._format.trim:
            draw_trim(canvas, self._format.trim, self._paper)
        style = self._typography.running(6.75)
        baseline = self._paper.height - self._format.margin
        room = self._paper.width - 2 * self._format.margin
        if self._pages.count > 1:
            number, wide = self._line(f"{canvas.getPageNumber()} / {self._pages.count}", style)
            self._draw_line(number, self._format.margin + room - wide, baseline)
            room -= wide + 4
        if self._document.credit:
            credit = self._compositor.set_paragraph((Phrase(self._document.credit),), style, room).lines
            for number_below, line in zip(reversed(range(len(credit))), credit, strict=True):
                self._draw_line(line, self._format.margin, baseline - number_below * leading(style))

    def _line(self, text: str, style: Style) -> tuple[Line, float]:
        return self._compositor.set_line((Phrase(text),), style)

    def _draw_line(self, line: Line, x: float, y: float) -> None:
        self._faces.draw_text(Text((line,), (1, 0, 0, 1, x, y)), self._paper.height)

    def _draw_rule(self, canvas: Canvas, y: float, colour: str, weight: float) -> None:
        canvas.setStrokeColor(self._typography.colour(colour))
        canvas.setLineWidth(weight)
        at = to_points(self._paper.height - y)
        canvas.line(to_points(self._format.margin), at, to_points(self._paper.width - self._format.margin), at)

    def draw_column(self, canvas: Canvas, column: Column[ItemContent], height: float) -> None:
        """Draw a column; the canvas's origin is its lower left corner."""
        for placed in column.items:
            background = placed.item.content.background
            if background:
                self._draw_background(canvas, background, placed, height)
        for placed in column.items:
            for mark in placed.item.content.marks:
                self._draw_mark(canvas, mark, placed.y, height)

    def _draw_background(
        self, canvas: Canvas, background: Background, placed: PositionedItem[ItemContent], height: float
    ) -> None:
        top = placed.y - placed.space_above
        bottom = to_points(height - placed.y - placed.item.height)
        deep = to_points(placed.item.height + placed.y - top)
        canvas.setFillColor(background.colour)
        canvas.rect(to_points(background.x), bottom, to_points(background.width), deep, stroke=0, fill=1)
        canvas.setFillColor(background.bar)
        canvas.rect(to_points(background.x), bottom, to_points(background.bar_width), deep, stroke=0, fill=1)

    def _draw_mark(self, canvas: Canvas, mark: ItemMark, y: float, height: float) -> None:
        match mark:
            case TextLine(line, dx, dy):
                self._faces.draw_text(Text((line,), (1, 0, 0, 1, dx, y + dy)), height)
                self._links(canvas, mark, y, height)
            case FilledBox():
                canvas.setFillColor(mark.colour)
                canvas.setStrokeColor(mark.edge or mark.colour)
                canvas.setLineWidth(0.5)
                box = (mark.x, height - y - mark.y - mark.height, mark.width, mark.height, mark.radius)
                canvas.roundRect(*map(to_points, box), stroke=int(bool(mark.edge)), fill=1)
            case Rule():
                canvas.setStrokeColor(mark.colour)
                canvas.setLineWidth(mark.weight)
                at = to_points(height - y - mark.y)
                canvas.line(to_points(mark.x), at, to_points(mark.x + mark.width), at)
            case Anchor():
                canvas.bookmarkHorizontal(mark.id, 0, to_points(height - y))
                if mark.level:
                    canvas.addOutlineEntry(mark.title, mark.id, mark.level - 1)
            case PageReference():
                line, wide = self._line(f"{mark.prefix}{self._pages.sections[mark.id]}", mark.style)
                self._faces.draw_text(Text((line,), (1, 0, 0, 1, mark.x - wide, y + mark.y)), height)

    def _links(self, canvas: Canvas, words: TextLine, y: float, height: float) -> None:
        for run in (
            piece for piece in words.line.pieces if isinstance(piece, Run) and piece.link in self._pages.sections
        ):
            left, baseline = words.dx + run.x, height - y - words.dy - run.y
            box = (left, baseline - 0.8, left + run.width, baseline + 2.4)
            canvas.linkRect("", run.link, tuple(map(to_points, box)), relative=1, Border="[0 0 0]")


class _ColumnFlowable(Flowable):  # type: ignore[misc]
    """A whole column that fills its frame."""

    def __init__(self, writer: _ReferencePdf, column: Column[ItemContent]) -> None:
        super().__init__()
        self._writer, self._column = writer, column

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Take the whole frame."""
        self._height = height
        return width, height

    def draw(self) -> None:
        """Draw the items from the top down."""
        self._writer.draw_column(self.canv, self._column, to_mm(self._height))
