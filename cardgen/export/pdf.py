"""Pages become a PDF: each distinct piece of artwork and each distinct face is one form, placed as often as needed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from reportlab import rl_config
from reportlab.pdfgen.canvas import Canvas

from cardgen.affine import IDENTITY
from cardgen.export import artwork, operators, overlay, typefaces
from cardgen.export.dates import check_date
from cardgen.export.drawing import FaceDrawer, concatenate
from cardgen.export.paper import LEGEND, PaperDrawer, clip
from cardgen.export.shelf import Shelf
from cardgen.face.face import Face
from cardgen.sheet.page import Page, Placement, Slot
from cardgen.text.fonts import Fonts
from cardgen.units import Box, Size, points


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
        self._fonts = fonts
        first = typefaces.registered(fonts, LEGEND.family)
        self._canvas = Canvas("", pageCompression=1, invariant=1, initialFontName=first)
        self._faces = FaceDrawer(self._canvas, fonts)
        self._paper = PaperDrawer(self._canvas, self._faces, fonts)
        self._pages: list[Page[Face]] = []
        describe(self._canvas, about)

    def page(self, page: Page[Face]) -> None:
        page = overlay.with_folds(page)
        self._pages.append(page)
        for placement in page.placements:
            self._faces.define(placement.face)
        canvas, height = self._canvas, page.paper.height
        canvas.setPageSize((points(page.paper.width), points(height)))
        canvas.setTrimBox(_corners(page.trim, height))
        canvas.setBleedBox(_corners(page.bleed, height))
        if page.adjust != IDENTITY:
            concatenate(canvas, page.adjust, height)
        for placement in page.placements:
            self._place(placement, height)
        self._paper.draw(page)
        canvas.showPage()

    def finish(self, shelf: Shelf | None) -> bytes:
        empty = self._faces.artwork
        # What they have drawn is in the canvas, and in the document then; what they remember takes some megabytes.
        del self._faces, self._paper
        document: bytes = self._canvas.getpdfdata()
        del self._canvas
        if not empty and not any(map(_says_more, self._pages)):
            return document
        from cardgen.export import linking  # pikepdf takes its time to load, and pictures of cards need none.

        drawn = artwork.drawn(empty.values(), shelf)
        pieces = {name: drawn[piece.svg] for name, piece in empty.items()}
        return linking.link(document, pieces, self._pages)

    def _place(self, placement: Placement[Face], paper_height: float) -> None:
        face = placement.face
        self._canvas.addLiteral(_in_slot(placement.slot, face.size, paper_height))
        self._canvas.doForm(self._faces.define(face))
        self._canvas.addLiteral("Q")


@lru_cache(maxsize=1024)
def _in_slot(slot: Slot, size: Size, paper_height: float) -> str:
    """The operators that turn to a slot, for a face whose origin is its lower left corner."""
    a, b, c, d, e, f = overlay.standing(slot, size)
    x, y = points(c * size.height + e), points(paper_height - d * size.height - f)
    return f"q {clip(slot, paper_height)} {operators.concatenation((a, -b, -c, d, x, y))}"


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


def _says_more(page: Page[Face]) -> bool:
    """Whether there is more to a page than ReportLab writes: a number, layers, fields to fill in."""
    layered = any(stroke.layer for stroke in page.strokes)
    return bool(page.name) or layered or any(placement.face.fields for placement in page.placements)


def _corners(box: Box, paper_height: float) -> tuple[float, float, float, float]:
    """A box as PDF has it: left, bottom, right and top in points, y upward."""
    return (points(box.x), points(paper_height - box.bottom), points(box.right), points(paper_height - box.y))
