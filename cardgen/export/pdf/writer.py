"""Pages as a PDF; distinct faces and artwork become form XObjects."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

from reportlab import rl_config
from reportlab.pdfgen.canvas import Canvas

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place
from cardgen.export.pdf import cairo, file
from cardgen.export.pdf import operators as pdf_operators
from cardgen.export.pdf.cairo import ArtworkCache
from cardgen.export.pdf.file import PageMarks, PdfFaces, PdfFile, apply_matrix, clip_operators, layer_tag
from cardgen.export.pdf.fonts import no_font
from cardgen.export.pdf.resources import capture, do_operator
from cardgen.face.face import Face
from cardgen.runtime.atomic_write import ScratchFile
from cardgen.sheet.leaf import Anchor, Layer, Link, Placement, SheetPage, Slot
from cardgen.text.fonts import Fonts
from cardgen.units import IDENTITY, Box, Size, to_points

DATE_VARIABLE = "SOURCE_DATE_EPOCH"
# The last second of the year 9999, the latest date possible.
_LAST_SECOND = 253_402_300_799


def check_source_date() -> None:
    """Validate SOURCE_DATE_EPOCH, which ReportLab reads.

    If it is unset, documents are dated January 1, 2000. Raises CardgenError if it is not a number of seconds since the
    start of 1970.
    """
    value = os.environ.get(DATE_VARIABLE, "").strip()
    if value and not (value.isascii() and value.isdigit() and len(value) < 20 and int(value) <= _LAST_SECOND):
        message = f"'{value}' is not a valid timestamp (seconds since the start of 1970)"
        raise CardgenError(
            Diagnostic(Code.BAD_DATE, message, Place(DATE_VARIABLE), "unset it, or use the output of 'date +%s'")
        )


class DocumentInfo(NamedTuple):
    """Metadata of a document; `duplex` is the duplex mode in PDF.

    With `shows_bookmarks`, readers open it with a list of its bookmarks.
    """

    title: str
    subject: str = ""
    duplex: str = ""
    language: str = "en"
    shows_bookmarks: bool = False


def write(
    pages: Sequence[SheetPage[Face]], fonts: Fonts, about: DocumentInfo, cache: ArtworkCache | None = None
) -> bytes:
    """Return pages as a PDF, as `write_file` does."""
    return write_file(pages, fonts, about, cache).content()


def write_file(
    pages: Sequence[SheetPage[Face]],
    fonts: Fonts,
    about: DocumentInfo,
    cache: ArtworkCache | None = None,
    document: OpenDocument | None = None,
) -> ScratchFile:
    """Return pages as a PDF with searchable text and subset fonts, in a temporary file.

    The same input gives the same bytes. `cache` has artwork of earlier builds, and `document` faces that are drawn
    already; it cannot be used again. The date is fixed, or that of SOURCE_DATE_EPOCH. Raises CardgenError if that is
    not a valid timestamp, if artwork cannot be drawn, and if there is no room for temporary files.
    """
    document = document or OpenDocument(fonts)
    for page in pages:
        document.page(page)
    return document.finish(about, cache)


class OpenDocument:
    """A PDF whose faces can be drawn before its pages are known, such as while other faces are rendered.

    Every face that is drawn must be on one of the pages.
    """

    def __init__(self, fonts: Fonts) -> None:
        """Raises CardgenError if SOURCE_DATE_EPOCH is not a valid timestamp."""
        check_source_date()
        rl_config.useA85 = 0
        self._fonts = fonts
        self._canvas = Canvas("", pageCompression=1, invariant=1, initialFontName=no_font())
        self._file = PdfFile(self._canvas)
        self._navigation = Navigation(self._file)
        self._faces = PdfFaces(self._canvas, fonts)
        self._page_marks = PageMarks(self._canvas, self._faces, fonts, self._file)
        self._pages: list[SheetPage[Face]] = []

    def draw(self, face: Face) -> None:
        """Draw a face, unless it is drawn already. Raises CardgenError for artwork that cannot be drawn."""
        self._faces.define(face)
        self._file.write_added()

    def release(self, face: Face) -> Face:
        """Return the rest of a face that is drawn, which stands for it on pages from now on."""
        return self._faces.release(face)

    def page(self, page: SheetPage[Face]) -> None:
        """Add a page."""
        page = file.with_fold_lines(page)
        self._pages.append(page)
        for placement in page.placements:
            self._faces.define(placement.face)
        texts = [*self._page_marks.text(page), *self._page_marks.labels(page)]
        operators = (
            *self._correction(page),
            *(self._placed(placement, page.paper.height) for placement in page.placements),
            *(text.operators for text in texts),
        )
        forms = [
            *(self._faces.define(placement.face) for placement in page.placements),
            *chain.from_iterable(text.xobjects for text in texts),
        ]
        contents = (self._file.add_stream("\n".join(operators)), self._page_marks.add(page))
        layers = self._navigation.add(page)
        entries = f"{_page_boxes(page.paper, page.trim, page.bleed)}{self._navigation.links(page)}"
        self._navigation.add_anchors(page, self._file.add_page(entries, contents, forms, layers))

    def finish(self, about: DocumentInfo, cache: ArtworkCache | None) -> ScratchFile:
        """Return the document as a file."""
        set_document_info(self._canvas, about)
        placeholders = self._faces.placeholders
        # Their drawings are on the canvas; free their caches, which take some megabytes.
        del self._faces, self._page_marks
        document = self._file.finish(self._navigation.entries())
        del self._canvas, self._file, self._navigation
        if not placeholders and not any(map(_has_fields, self._pages)):
            return document
        # loaded here because pikepdf is slow to load, and pictures of cards do not need it
        from cardgen.export.pdf import postprocess

        rendered = cairo.render_artwork(placeholders.values(), cache) if placeholders else {}
        pieces = {name: rendered[piece.svg] for name, piece in placeholders.items()}
        return postprocess.postprocess(document, pieces, self._pages, self._fonts)

    def _correction(self, page: SheetPage[Face]) -> Sequence[str]:
        """Return the operator that compensates for the printer."""
        with capture(self._canvas) as (operators, _):
            if page.correction != IDENTITY:
                apply_matrix(self._canvas, page.correction, page.paper.height)
        return operators

    def _placed(self, placement: Placement[Face], paper_height: float) -> str:
        face = placement.face
        return f"{_slot_operators(placement.slot, face.size, paper_height)} {do_operator(self._faces.define(face))} Q"


@lru_cache(maxsize=1024)
def _slot_operators(slot: Slot, size: Size, paper_height: float) -> str:
    """Return the operators that move the origin into a slot.

    The face's origin is its lower left corner.
    """
    a, b, c, d, e, f = file.face_to_paper(slot, size)
    x, y = to_points(c * size.height + e), to_points(paper_height - d * size.height - f)
    return f"q {clip_operators(slot, paper_height)} {pdf_operators.matrix_operator((a, -b, -c, d, x, y))}"


def set_document_info(canvas: Canvas, about: DocumentInfo) -> None:
    """Write the metadata of a document."""
    canvas.setTitle(about.title)
    canvas.setSubject(about.subject)
    canvas.setAuthor("")
    canvas.setCreator("cardgen")
    canvas.setCatalogEntry("Lang", about.language)
    canvas.setViewerPreference("PrintScaling", "None")
    canvas.setViewerPreference("DisplayDocTitle", "true")
    if about.duplex:
        canvas.setViewerPreference("Duplex", about.duplex)
    if about.shows_bookmarks:
        canvas.showOutline()


def _has_fields(page: SheetPage[Face]) -> bool:
    """Return whether a page has form fields, which ReportLab cannot write."""
    return any(placement.face.fields for placement in page.placements)


@lru_cache(maxsize=64)
def _page_boxes(paper: Size, trim: Box, bleed: Box) -> str:
    """Return the entries of the boxes of a page."""
    boxes = {"MediaBox": Box(0, 0, *paper), "TrimBox": trim, "BleedBox": bleed}
    return " ".join(f"/{name} [{_pdf_box(box, paper.height)}]" for name, box in boxes.items())


def _pdf_box(box: Box, paper_height: float) -> str:
    """Return the left, bottom, right, and top in points, y upward."""
    sides = (box.x, paper_height - box.bottom, box.right, paper_height - box.y)
    return " ".join(f"{round(to_points(side), 5):.9g}" for side in sides)


# Safe zones help template authors on screen, and are not printed.
_HIDDEN_LAYERS = frozenset({Layer.SAFE})


class _Bookmark:
    """Bookmark with those below it; `destination` is in the syntax of PDF, and a closed one hides what is below."""

    def __init__(self, title: str, destination: str, *, is_closed: bool = False) -> None:
        self.title, self.destination, self.is_closed = title, destination, is_closed
        self.below: list[_Bookmark] = []

    @property
    def shown(self) -> int:
        """The number of bookmarks that are shown below it when it is open."""
        return sum(1 + (0 if each.is_closed else each.shown) for each in self.below)


class Navigation:
    """The layers, bookmarks, links, and labels of the pages of one document."""

    def __init__(self, file: PdfFile) -> None:
        self._file = file
        self._layers: dict[Layer, str] = {}
        self._labels: list[str] = []
        # By group and name: the index of the first page with a front of the piece.
        self._pieces: dict[str, dict[str, int]] = {}
        self._sections = _Bookmark("", "")
        # By id of an anchor: the reference to where it is, which a page before it may have.
        self._places: dict[str, str] = {}

    def add(self, page: SheetPage[Any]) -> Mapping[str, str]:
        """Add a page; return the references to its layers, by their names in the content of the page."""
        for group, name in page.pieces:
            self._pieces.setdefault(group, {}).setdefault(name, len(self._labels))
        self._labels.append(page.name)
        return {layer_tag(layer): self._layer(layer) for layer in _used_layers(page)}

    def links(self, page: SheetPage[Any]) -> str:
        """Return the entry of the links of a page; '' if it has none."""
        links = [mark for mark in page.text if isinstance(mark, Link)]
        annotations = (
            f"<< /Type /Annot /Subtype /Link /Rect [{_pdf_box(link.box, page.paper.height)}] /Border [0 0 0] "
            f"/Dest {self._place(link.id)} >>"
            for link in links
        )
        return f" /Annots [{' '.join(map(self._file.add_object, annotations))}]" if links else ""

    def add_anchors(self, page: SheetPage[Any], reference: str) -> None:
        """Add the targets of links, and the bookmarks, of a page with a reference."""
        for anchor in page.text:
            if isinstance(anchor, Anchor):
                place = self._place(anchor.id)
                x, y = to_points(anchor.x), to_points(page.paper.height - anchor.y)
                self._file.write_object(place, f"[{reference} /XYZ {x:.5g} {y:.5g} 0]")
                above = self._sections
                for _ in range(anchor.level - 1):
                    # A file of backs may lack the page of the heading above.
                    above = above.below[-1] if above.below else above
                if anchor.level:
                    above.below.append(_Bookmark(anchor.title, place))

    def entries(self) -> Mapping[str, str]:
        """Return the entries of the catalog, once all pages are drawn."""
        entries = {}
        if self._layers:
            layers = [layer for layer in Layer if layer in self._layers]
            every = " ".join(self._layers[layer] for layer in layers)
            hidden = " ".join(self._layers[layer] for layer in layers if layer in _HIDDEN_LAYERS)
            entries["OCProperties"] = f"<< /OCGs [{every}] /D << /Name (Print) /Order [{every}] /OFF [{hidden}] >> >>"
        if any(self._labels):
            labels = " ".join(f"{index} << /P {_string(label)} >>" for index, label in enumerate(self._labels))
            entries["PageLabels"] = self._file.add_object(f"<< /Nums [{labels}] >>")
        root = _Bookmark("", "")
        # Closed groups of pieces; none if no piece has a name.
        piece_bookmarks: list[_Bookmark] = []
        if any(name for names in self._pieces.values() for name in names):
            for group, names in self._pieces.items():
                heading = _Bookmark(group, self._page(min(names.values())), is_closed=True)
                heading.below = [_Bookmark(name, self._page(index)) for name, index in names.items()]
                piece_bookmarks.append(heading)
        root.below = [*self._sections.below, *piece_bookmarks]
        if root.below:
            (outline,) = self._file.reserve(1)
            self._file.write_object(outline, f"<< /Type /Outlines {self._children(outline, root)} >>")
            entries["Outlines"] = outline
        return entries

    def _place(self, anchor: str) -> str:
        if anchor not in self._places:
            (self._places[anchor],) = self._file.reserve(1)
        return self._places[anchor]

    def _layer(self, layer: Layer) -> str:
        if layer not in self._layers:
            self._layers[layer] = self._file.add_object(f"<< /Type /OCG /Name {_string(layer.value)} >>")
        return self._layers[layer]

    def _page(self, index: int) -> str:
        return f"[{self._file.page_reference(index)} /Fit]"

    def _children(self, parent: str, bookmark: _Bookmark) -> str:
        """Write the bookmarks below one, and return the entries that link it to them."""
        items = self._file.reserve(len(bookmark.below))
        for item, each, links in zip(items, bookmark.below, _links(parent, items), strict=True):
            inside = f"{links} {self._children(item, each)}" if each.below else links
            title = f"/Title {_string(each.title)} /Dest {each.destination}"
            self._file.write_object(item, f"<< {title} {inside} >>")
        count = -bookmark.shown if bookmark.is_closed else bookmark.shown
        return f"/First {items[0]} /Last {items[-1]} /Count {count}"


def _links(parent: str, items: Sequence[str]) -> Iterator[str]:
    """Yield the entries that link each item to its parent and its neighbors."""
    for before, after in zip(("", *items), (*items[1:], ""), strict=False):
        previous, following = f" /Prev {before}" if before else "", f" /Next {after}" if after else ""
        yield f"/Parent {parent}{previous}{following}"


def _used_layers(page: SheetPage[Any]) -> Iterable[Layer]:
    used = {mark.layer for mark in page.marks}
    return [layer for layer in Layer if layer in used]


def _string(text: str) -> str:
    """Return a text string, which is in UTF-16 unless it is in ASCII."""
    if text.isascii() and text.isprintable():
        return "(" + text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)") + ")"
    return f"<FEFF{text.encode('utf-16be', 'replace').hex()}>"
