"""The file of a document: its numbered objects, its pages, and the faces and marks on them."""

from __future__ import annotations

import hashlib
import math
import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from reportlab.pdfbase import pdfdoc
from reportlab.pdfbase.pdfdoc import PDFResourceDictionary
from reportlab.pdfgen.canvas import Canvas

from cardgen.export.pdf.fonts import DocumentFonts
from cardgen.export.pdf.operators import (
    Resource,
    SharedPath,
    fill_in,
    matrix_operator,
    path_operators,
    shape_operators,
)
from cardgen.export.pdf.resources import (
    ArtworkForms,
    Drawing,
    FormXObject,
    ImageXObject,
    SharedDrawings,
    capture,
    do_operator,
    embed,
    face_box,
)
from cardgen.export.pictures import ImageFile, inspect_image, read_image
from cardgen.face.face import Artwork, Face, Item, Picture, Text
from cardgen.runtime.atomic_write import ScratchFile
from cardgen.sheet.leaf import (
    HAIRLINE,
    LABEL_STYLE,
    CornerArc,
    FilledBox,
    Label,
    Layer,
    Outline,
    PaperMark,
    Polygon,
    SheetPage,
    Slot,
    Stroke,
    TypesetLine,
)
from cardgen.svg.chunks import root_tag
from cardgen.text.copyfitting import set_line
from cardgen.text.fonts import Fonts
from cardgen.text.lines import Outline as IconOutline
from cardgen.text.lines import Run
from cardgen.units import Box, Matrix, Shape, Size, apply, compose, multiply, rotation, to_points, translation

_UNTURNED = (1, 0, 0, 1)
_TURNED_TEXT = "%.5g %.5g %.5g %.5g %.5g %.5g Tm"
_MIN_AREA = 1e-12
# Icons with colors of their own are drawn at this height, in millimeters, because the numbers of forms are rounded.
_ICON_HEIGHT = 100.0


class PdfFaces:
    """The faces of one document as form XObjects."""

    def __init__(self, canvas: Canvas, fonts: Fonts) -> None:
        self._canvas = canvas
        self._document_fonts = DocumentFonts(canvas._doc, fonts)
        # Keyed by identity, because faces and texts are long to compare; the object is stored to keep it alive.
        self._names: dict[int, tuple[str, Face]] = {}
        self._icon_forms: dict[tuple[IconOutline, str], str] = {}
        # By size and bleed.
        self._shared_drawings: dict[tuple[Size, float], SharedDrawings] = {}
        # Faces share one resource dictionary; separate ones would be half as long as the faces themselves.
        self._resources = PDFResourceDictionary()
        self._resources.basicFonts()
        self._resources.allProcs()
        self._shared = canvas._doc.Reference(self._resources, "shared")
        self._artwork = ArtworkForms(canvas, self._resources)
        self._images: dict[Path, tuple[ImageFile, str]] = {}
        self._image_names: dict[bytes, str] = {}

    @property
    def placeholders(self) -> dict[str, Artwork]:
        """Artwork for CairoSVG, by name of its placeholder form."""
        return self._artwork.placeholders

    def define(self, face: Face) -> str:
        """Return the name of the face's form XObject.

        Its origin is the lower left corner of the trim, in points, y upward.
        """
        entry = self._names.get(id(face))
        if entry is None:
            entry = self._names[id(face)] = (f"face{len(self._names) + 1}", face)
            key = (face.size, face.bleed)
            if key not in self._shared_drawings:
                self._shared_drawings[key] = SharedDrawings(self._item_drawing, self._make_form)
            form = FormXObject(face_box(face), self._shared_drawings[key].content(face), self._shared)
            self._canvas._doc.addForm(entry[0], form)
        return entry[0]

    def release(self, face: Face) -> Face:
        """Return the rest of a face that is drawn, which stands for it from now on."""
        rest = face.rest
        if rest is not face:
            name, _ = self._names.pop(id(face))
            self._names[id(rest)] = (name, rest)
        return rest

    def _item_drawing(self, item: Item, face: Face) -> Drawing:
        if isinstance(item, Text):
            return self.text_drawing(item, face.size.height)
        if isinstance(item, Picture):
            return self._picture_operators(item, face.size.height)
        return self._artwork.draw(item, face)

    def _make_form(self, drawing: Drawing, item: Item, face: Face) -> Drawing:
        fonts = {"Font": self._resources.Font} if isinstance(item, Text) else {}
        return self._artwork.make_form("drawing", drawing, face, **fonts)

    def text_drawing(self, text: Text, height: float) -> Drawing:
        """Return the operators of a text and its icons.

        `height` is the y coordinate, in millimeters, of the origin of PDF.
        """
        a, b, c, d, e, f = text.matrix
        turn = (a, -b, -c, d)
        parts: list[str] = []
        icons: list[str] = []
        for piece in (piece for line in text.lines for piece in line.pieces):
            x = to_points(a * piece.x + c * piece.y + e)
            y = to_points(height - (b * piece.x + d * piece.y + f))
            fill = _fill_operator(piece.colour)
            if isinstance(piece, Run):
                place = fill_in("%.5g %.5g Td", (x, y)) if turn == _UNTURNED else fill_in(_TURNED_TEXT, (*turn, x, y))
                parts.append(f"BT {fill} {place} {self._document_fonts.show_operators(piece)} ET")
                continue
            size = piece.size
            if abs(a * d - b * c) * size * size < _MIN_AREA:  # a group's transform scales it to nothing
                continue
            if piece.outline.art:
                name, size = self._icon_form(piece.outline, piece.colour), size / to_points(_ICON_HEIGHT)
            else:
                name = self._artwork.path_form(_icon_path(piece.outline))
            place = matrix_operator((size * a, -size * b, -size * c, size * d, x, y))
            icons.append(name)
            parts.append(f"q {place} {fill}\n{do_operator(name)}\nQ")
        return Drawing("\n".join(parts), tuple(icons))

    def _icon_form(self, outline: IconOutline, colour: str) -> str:
        """Return the name of a form with an icon that has colors of its own."""
        key = (outline, colour)
        if key not in self._icon_forms:
            assert outline.art is not None, "an icon without paths"
            size = Size(_ICON_HEIGHT * outline.width, _ICON_HEIGHT)
            drawn = f'<g transform="scale({_ICON_HEIGHT:g})">{outline.art.drawn(colour)}</g></svg>'
            face = Face(size, 0, ())
            drawing = self._artwork.draw(Artwork(root_tag(size, 0) + drawn.encode(), is_art=True), face)
            # a form of its own, because gradients have the coordinates of the form around them
            (self._icon_forms[key],) = self._artwork.make_form("icon", drawing, face).xobjects
        return self._icon_forms[key]

    def _picture_operators(self, picture: Picture, height: float) -> Drawing:
        """Return the operators of a picture, clipped to its box."""
        canvas = self._canvas
        file, name = self._image(picture.path)
        whole = file.place(picture)
        states = frozenset[Resource]()
        with capture(canvas) as (captured, _):
            canvas.saveState()
            if picture.opacity < 1:
                state = Resource("ExtGState", f"<< /ca {picture.opacity:.4g} >>")
                states = frozenset({state})
                canvas.addLiteral(f"/{state.name} gs")
            apply_matrix(canvas, picture.matrix, height)
            path = canvas.beginPath()
            draw = {"M": path.moveTo, "L": path.lineTo, "C": path.curveTo}
            for kind, *numbers in picture.outline:
                points = (to_points(height - each if index % 2 else each) for index, each in enumerate(numbers))
                draw[kind](*points) if kind in draw else path.close()
            canvas.clipPath(path, stroke=0, fill=0)
            canvas.transform(
                to_points(whole.width),
                0,
                0,
                to_points(whole.height),
                to_points(whole.x),
                to_points(height - whole.bottom),
            )
            canvas.transform(*file.upright)
            canvas.addLiteral(do_operator(name))
            canvas.restoreState()
        return self._artwork.with_states(Drawing("\n".join(captured), (name,), states))

    def _image(self, path: Path) -> tuple[ImageFile, str]:
        """Return a picture, and the name of its image XObject; equal files have the same."""
        entry = self._images.get(path)
        if entry is None:
            content = read_image(path)
            digest = hashlib.sha256(content).digest()
            name = self._image_names.get(digest)
            if name is None:
                name = self._image_names[digest] = self._artwork.add_form("image", embed(content))
            entry = self._images[path] = (inspect_image(path), name)
        return entry


@lru_cache(maxsize=1024)
def _icon_path(outline: IconOutline) -> SharedPath:
    """Return an icon of height 1; its paths are filled separately."""
    fill = "f*" if outline.evenodd else "f"
    return SharedPath("\n".join(f"{path_operators(path)} {fill}" for path in outline.paths))


def apply_matrix(canvas: Canvas, matrix: Matrix, height: float) -> None:
    """Apply an SVG matrix to the canvas.

    The matrix is in millimeters, y downward; the canvas is in points, y upward.
    """
    a, b, c, d, e, f = matrix
    x = to_points(c * height + e)
    y = to_points(height - d * height - f)
    canvas.transform(a, -b, -c, d, x, y)


@lru_cache(maxsize=1024)
def _fill_operator(colour: str) -> str:
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return f"{red:.4g} {green:.4g} {blue:.4g} rg"


def face_to_paper(slot: Slot, size: Size) -> Matrix:
    """Return the matrix from face to paper, both in millimeters.

    Faces rotate around their center, which is the center of the slot.
    """
    trim = slot.trim
    middle = translation(trim.x + trim.width / 2, trim.y + trim.height / 2)
    return compose(middle, rotation(slot.turn), translation(-size.width / 2, -size.height / 2))


def with_fold_lines(page: SheetPage[Face]) -> SheetPage[Face]:
    """Return the page with the folds of its faces as marks."""
    folds: list[Stroke] = []
    for placement in page.placements:
        if placement.face.folds:
            matrix = face_to_paper(placement.slot, placement.face.size)
            for fold in placement.face.folds:
                ends = (*apply(matrix, fold.x1, fold.y1), *apply(matrix, fold.x2, fold.y2))
                folds.append(Stroke(*ends, dashed=True, layer=Layer.FOLDS))
    return page._replace(marks=(*page.marks, *folds)) if folds else page


class PdfFile:
    """The document of a canvas as a file on disk."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._document = canvas._doc
        self._objects = ObjectFile()
        self._seen = 0
        resources = pdfdoc.PDFResourceDictionary()
        resources.basicFonts()
        self._fonts, self._pages = (
            pdfdoc.format(each, self._document).decode() for each in (resources.Font, self._document.Pages)
        )

    def add_object(self, content: str) -> str:
        """Add an object in the syntax of PDF, and return the reference to it."""
        (reference,) = self.reserve(1)
        self.write_object(reference, content)
        return reference

    def reserve(self, count: int) -> list[str]:
        """Return references to objects that `write_object` will write, such as some that refer to each other."""
        first = self._document.objectcounter + 1
        self._document.objectcounter += count
        return [f"{number} 0 R" for number in range(first, first + count)]

    def write_object(self, reference: str, content: str) -> None:
        """Write the object of a reserved reference, in the syntax of PDF."""
        self._objects.add(int(reference.split()[0]), content.encode("ascii"))

    def add_stream(self, operators: str) -> str:
        """Add a content stream of pages, and return the reference to it."""
        (reference,) = self.reserve(1)
        data = zlib.compress(operators.encode("ascii"))
        head = f"<< /Filter /FlateDecode /Length {len(data)} >>"
        self._objects.add(int(reference.split()[0]), b"%s\nstream\n%s\nendstream" % (head.encode(), data))
        return reference

    def page_reference(self, index: int) -> str:
        """Return the reference to a page; the first has index 0."""
        return str(self._document.Pages.pages[index])

    def add_page(
        self, entries: str, contents: Sequence[str], forms: Iterable[str], properties: Mapping[str, str]
    ) -> str:
        """Write a page, write and free the forms and pictures that were added before, and return its reference.

        `entries` are those of its dictionary that come first, such as boxes. `contents` are references to its content
        streams, `forms` the names of the forms that they paint, and `properties` references to the objects that their
        marked content names, such as layers.
        """
        numbers = self._document.idToObjectNumberAndVersion
        names = map(pdfdoc.xObjectName, dict.fromkeys(forms))
        xobjects = " ".join(f"/{name} {numbers[name][0]} 0 R" for name in names)
        named = " ".join(f"/{name} {reference}" for name, reference in properties.items())
        resources = f"<< /Font {self._fonts} /XObject << {xobjects} >> /Properties << {named} >> >>"
        rest = f"/Parent {self._pages} /Resources {resources} /Contents [{' '.join(contents)}]"
        page = self.add_object(f"<< /Type /Page {entries} {rest} >>")
        self._document.Pages.pages.append(page)
        self.write_added()
        return page

    def write_added(self) -> None:
        """Write and free the forms and pictures that were added since the last call."""
        names, objects = self._document.numberToId, self._document.idToObject
        while self._seen < self._document.objectcounter:  # writing a picture can add another
            self._seen += 1
            name = names.get(self._seen, "")
            added = objects.get(name)
            if isinstance(added, FormXObject | ImageXObject):
                self._write_named(self._seen, name)

    def finish(self, entries: Mapping[str, str] | None = None) -> ScratchFile:
        """Write the rest, and return the file; the canvas cannot be used after that.

        `entries` are further ones of the catalog. Raises CardgenError if there is no room for the file.
        """
        self._document.format = lambda: self._write_rest(entries or {})  # the last step of the next line
        file: ScratchFile = self._document.GetPDFData(self._canvas)
        return file

    def _write_rest(self, entries: Mapping[str, str]) -> ScratchFile:
        document, catalog = self._document, self._document.Catalog
        catalog.__NoDefault__ = [*catalog.__NoDefault__, *entries]  # all that ReportLab writes
        for name, value in entries.items():
            setattr(catalog, name, value)
        names, objects = document.numberToId, document.idToObject
        number = 0
        while number < document.objectcounter:  # writing an object can add others
            number += 1
            if objects.get(names.get(number)) is not None:
                self._write_named(number, names[number])
        root, info = (document.Reference(each).format(document).decode() for each in (catalog, document.info))
        return self._objects.finish(number, root, info)

    def _write_named(self, number: int, name: str) -> None:
        """Write and free an object of ReportLab's document."""
        objects = self._document.idToObject
        self._objects.add(number, pdfdoc.format(objects[name], self._document, toplevel=1))
        objects[name] = None


# Object streams need this version of PDF.
VERSION = (1, 5)
_HEADER = b"%%PDF-%d.%d\n%%\xbf\xf7\xa2\xfe\n" % VERSION
_OBJECTS_PER_STREAM = 100
_IN_FILE, _IN_STREAM = 1, 2
# Bytes of a cross-reference: its type, an offset or the number of an object stream, and the index in that stream.
_WIDTHS = (1, 5, 2)
_ROW = struct.Struct(">BBIH")
_UP = b"\2"  # the filter of PNG that stores the difference to the row above


class ObjectFile:
    """PDF objects on disk, written as they come; their order does not matter.

    Streams are written at once, all other objects in compressed groups.
    """

    def __init__(self) -> None:
        self._file = ScratchFile()
        self._size = 0
        self._digest = hashlib.blake2b(digest_size=16)
        # By object number: type and position, as in the cross-reference stream.
        self._places: dict[int, tuple[int, int, int]] = {}
        self._group: list[tuple[int, bytes]] = []
        self._groups: list[bytes] = []
        self._write(_HEADER)

    def add(self, number: int, content: bytes) -> None:
        """Add the object of a number, in the syntax of PDF."""
        if content.rstrip().endswith(b"endstream"):
            self._write_stream(number, content)
            return
        # The number of the object stream is not known yet, only its position among the others.
        self._places[number] = (_IN_STREAM, len(self._groups), len(self._group))
        self._group.append((number, content))
        if len(self._group) >= _OBJECTS_PER_STREAM:
            self._end_group()

    def finish(self, last: int, root: str, info: str) -> ScratchFile:
        """Write the rest, and return the file.

        `last` is the highest number of an object; `root` and `info` are references to the catalog and the metadata.
        Raises CardgenError if there is no room for the file.
        """
        if self._group:
            self._end_group()
        for number, group in enumerate(self._groups, last + 1):
            self._write_stream(number, group)
        self._write_references(last + 1, last + 1 + len(self._groups), f"/Root {root} /Info {info}")
        self._file.check()
        return self._file

    def _end_group(self) -> None:
        """Compress the objects of the group as an object stream."""
        offsets, position = [], 0
        for number, content in self._group:
            offsets.append(b"%d %d" % (number, position))
            position += len(content) + 1
        head = b" ".join(offsets) + b"\n"
        data = zlib.compress(head + b"\n".join(content for _, content in self._group))
        entries = f"/Type /ObjStm /N {len(self._group)} /First {len(head)}"
        self._groups.append(_stream(entries, data))
        self._group = []

    def _write_references(self, first_group: int, number: int, entries: str) -> None:
        """Write the cross-reference stream, which is the object of a number, and the end of the file."""
        start = self._size
        self._places[number] = (_IN_FILE, start, 0)
        # The cross-references of all numbers; those without an object are free.
        packed: list[bytes] = []
        for each in range(number + 1):
            kind, position, index = self._places.get(each, (0, 0, 0))
            packed.append(
                _ROW.pack(kind, *divmod(position + first_group if kind == _IN_STREAM else position, 1 << 32), index)
            )
        rows = b"".join(packed)
        size = _ROW.size
        differences = bytes((new - old) % 256 for new, old in zip(rows, bytes(size) + rows, strict=False))
        data = zlib.compress(b"".join(_UP + differences[at : at + size] for at in range(0, len(rows), size)))
        columns = f"/DecodeParms << /Predictor 12 /Columns {_ROW.size} >>"
        identity = f"/ID [<{self._digest.hexdigest()}> <{self._digest.hexdigest()}>]"
        widths = " ".join(map(str, _WIDTHS))
        head = f"/Type /XRef /Size {number + 1} /W [{widths}] {columns} {entries} {identity}"
        self._write_stream(number, _stream(head, data))
        self._write(b"startxref\n%d\n%%%%EOF\n" % start)

    def _write_stream(self, number: int, content: bytes) -> None:
        self._places[number] = (_IN_FILE, self._size, 0)
        self._write(b"%d 0 obj\n%s\nendobj\n" % (number, content.rstrip()))

    def _write(self, content: bytes) -> None:
        self._size += self._file.write(content)
        self._digest.update(content)


def _stream(entries: str, data: bytes) -> bytes:
    """Return a stream of compressed data with more entries in its dictionary."""
    return b"<< %s /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream" % (entries.encode(), len(data), data)


_LAYERS = (None, *Layer)
_SAFE_ZONE_COLOUR = (0.0, 0.6, 0.75)


class PageMarks:
    """Running text, marks, and labels on the pages of one document."""

    def __init__(self, canvas: Canvas, faces: PdfFaces, fonts: Fonts, file: PdfFile) -> None:
        self._canvas = canvas
        self._faces = faces
        self._fonts = fonts
        self._file = file
        # Cached, because every sheet of a sprue has the same marks and numbers.
        self._streams: dict[tuple[object, ...], str] = {}
        self._labels: dict[tuple[Label, float], Drawing] = {}

    def text(self, page: SheetPage[Any]) -> Iterator[Drawing]:
        """Yield the drawing of the running text of a page, if it has any."""
        if page.text:
            forms: list[str] = []
            with capture(self._canvas) as (operators, _):
                for mark in page.text:
                    if isinstance(mark, TypesetLine):
                        text = Text((mark.line,), translation(mark.x, mark.y))
                        drawing = self._faces.text_drawing(text, page.paper.height)
                        self._canvas.addLiteral(drawing.operators)
                        forms += drawing.xobjects
                    elif isinstance(mark, FilledBox | Stroke):
                        self._draw(mark, page.paper.height)
            yield Drawing("\n".join(("q", *operators, "Q")), tuple(forms))

    def labels(self, page: SheetPage[Any]) -> Iterator[Drawing]:
        """Yield the labels of a page, layer by layer."""
        labels = (mark for mark in page.marks if isinstance(mark, Label))
        for label in sorted(labels, key=lambda label: _LAYERS.index(label.layer)):
            key = (label, page.paper.height)
            if key not in self._labels:
                style = LABEL_STYLE._replace(size=label.size)
                setting = set_line(label.text, 0, 0, style, self._fonts, anchor=label.anchor, min_size=label.size)
                matrix = multiply(translation(label.x, label.y), rotation(label.turn))
                drawing = self._faces.text_drawing(Text(setting.lines, matrix), page.paper.height)
                operators = _on_layer(label.layer, drawing.operators)
                self._labels[key] = drawing._replace(operators=operators)
            yield self._labels[key]

    def add(self, page: SheetPage[Any]) -> str:
        """Return the reference to a content stream that draws all other marks, layer by layer."""
        marks = tuple(mark for mark in page.marks if not isinstance(mark, Label))
        key = (marks, page.paper.height)
        if key not in self._streams:
            self._streams[key] = self._file.add_stream("\n".join(self._marks(marks, page.paper.height)))
        return self._streams[key]

    def _marks(self, marks: Sequence[PaperMark], height: float) -> Iterator[str]:
        # one path, because pdfium moves the edges of a single rectangle to whole pixels
        black = [mark.box for mark in marks if isinstance(mark, FilledBox) and mark == FilledBox(mark.box)]
        if black:
            yield f"q 0 g {' '.join(_rectangle_path(box, height) for box in black)} f Q"
        marks = [mark for mark in marks if not (isinstance(mark, FilledBox) and mark.box in black)]
        yield f"{HAIRLINE} w"
        for layer in _LAYERS:
            with capture(self._canvas) as (operators, _):
                for mark in marks:
                    if mark.layer is layer:
                        self._draw(mark, height)
            if operators:
                yield _on_layer(layer, "\n".join(operators))

    def _draw(self, mark: PaperMark, height: float) -> None:
        """Draw a mark on the canvas; `height` is that of the paper."""
        match mark:
            case Stroke():
                self._draw_stroke(mark, height)
            case Outline():
                self._draw_outline(mark, height)
            case FilledBox():
                self._draw_filled_box(mark, height)
            case CornerArc():
                x, y, width, deep = _points(mark.box, height)
                self._canvas.saveState()
                self._canvas.setStrokeColor(mark.colour or "#000000")
                self._canvas.arc(x, y, x + width, y + deep, startAng=mark.start, extent=90)
                self._canvas.restoreState()

    def _draw_stroke(self, stroke: Stroke, height: float) -> None:
        ends = [to_points(each) for each in (stroke.x1, height - stroke.y1, stroke.x2, height - stroke.y2)]
        if stroke.colour or stroke.weight != HAIRLINE:
            self._canvas.saveState()
            self._canvas.setStrokeColor(stroke.colour or "#000000")
            self._canvas.setLineWidth(stroke.weight)
            self._canvas.line(*ends)
            self._canvas.restoreState()
            return
        self._canvas.setDash([3, 2] if stroke.dashed else [])
        if stroke.halo:
            self._canvas.saveState()
            self._canvas.setStrokeColorRGB(1, 1, 1)
            self._canvas.setLineWidth(5 * HAIRLINE)
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
            canvas.rect(*_points(box, height))
        canvas.restoreState()

    def _draw_halo(self, x: float, y: float, radius: float) -> None:
        self._canvas.saveState()
        self._canvas.setStrokeColorRGB(1, 1, 1)
        self._canvas.setLineWidth(3 * HAIRLINE)
        self._canvas.circle(x, y, radius)
        self._canvas.restoreState()

    def _draw_filled_box(self, mark: FilledBox, height: float) -> None:
        canvas = self._canvas
        canvas.saveState()
        if mark.colour:
            canvas.setFillColor(mark.colour)
        else:
            canvas.setFillGray(0)  # black ink only
        if mark.edge:
            canvas.setStrokeColor(mark.edge)
            canvas.setLineWidth(mark.weight)
        if mark.radius:
            canvas.roundRect(*_points(mark.box, height), to_points(mark.radius), stroke=bool(mark.edge), fill=1)
        else:
            canvas.rect(*_points(mark.box, height), stroke=bool(mark.edge), fill=1)
        canvas.restoreState()


def _points(box: Box, height: float) -> tuple[float, float, float, float]:
    """Return left, bottom, width, and height of a box in points, y upward."""
    return to_points(box.x), to_points(height - box.bottom), to_points(box.width), to_points(box.height)


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
