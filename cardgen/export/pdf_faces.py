"""Faces in a PDF: form XObjects, placement on paper, fold lines.

Short artwork is drawn inline; artwork for CairoSVG gets a placeholder.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from pathlib import Path

from reportlab.pdfbase.pdfdoc import PDFDictionary, PDFObject, PDFResourceDictionary
from reportlab.pdfgen.canvas import Canvas

from cardgen.affine import Matrix, apply, compose, rotation, translation
from cardgen.export import pdf_operators
from cardgen.export.form_xobject import BBox, FormXObject, capture, do_operator
from cardgen.export.images import ImageFile, inspect_image, read_image
from cardgen.export.pdf_fonts import DocumentFonts
from cardgen.export.pdf_images import embed
from cardgen.export.svg_to_pdf import SharedPath, translate
from cardgen.face.face import Artwork, Face, Item, Picture, Text
from cardgen.sheet.page import Layer, SheetPage, Slot, Stroke
from cardgen.text.fonts import Fonts
from cardgen.text.lines import IconGlyph, Outline, Run
from cardgen.units import Size, to_points

_UNTURNED = [1, 0, 0, 1]
# Artwork with more characters becomes a form XObject of its own, so that cards can share it.
_MAX_INLINE = 400
_MIN_AREA = 1e-12


@dataclass(frozen=True, slots=True)
class _Operators:
    """Operators, and the names of the forms and images they paint."""

    operators: str
    xobjects: tuple[str, ...] = ()


class PdfFaces:
    """The faces of one document as form XObjects."""

    def __init__(self, canvas: Canvas, fonts: Fonts) -> None:
        self._canvas = canvas
        self._document_fonts = DocumentFonts(canvas._doc, fonts)
        # Keyed by identity, because faces and texts are long to compare; the object is stored to keep it alive.
        self._names: dict[int, tuple[str, Face]] = {}
        self._texts: dict[tuple[int, float], tuple[_Operators, Text]] = {}
        self._artwork: dict[Artwork, _Operators] = {}
        self._placeholders: dict[str, Artwork] = {}
        self._paths: dict[SharedPath, str] = {}
        self._numbers = count(1)
        # Faces share one resource dictionary; separate ones would be half as long as the faces themselves.
        self._resources = PDFResourceDictionary()
        self._resources.basicFonts()
        self._resources.allProcs()
        self._shared = canvas._doc.Reference(self._resources, "shared")
        self._images: dict[Path, tuple[ImageFile, str]] = {}
        self._image_names: dict[bytes, str] = {}

    @property
    def placeholders(self) -> dict[str, Artwork]:
        """Artwork for CairoSVG, by name of its placeholder form."""
        return self._placeholders

    def define(self, face: Face) -> str:
        """Return the name of the face's form XObject.

        Its origin is the lower left corner of the trim, in points, y upward.
        """
        entry = self._names.get(id(face))
        if entry is None:
            drawings = (self._item_operators(item, face) for item in face.items)
            content = "\n".join(drawing.operators for drawing in drawings)
            entry = self._names[id(face)] = (f"face{len(self._names) + 1}", face)
            self._add(entry[0], FormXObject(_box(face), content, self._shared))
        return entry[0]

    def draw_text(self, text: Text, height: float) -> None:
        """Draw a text on the current page or form.

        `height` is the y coordinate, in millimeters, of the origin of PDF.
        """
        drawing = self._text_operators(text, height)
        self._canvas.addLiteral(drawing.operators)
        self._canvas._formsinuse.extend(drawing.xobjects)

    def _item_operators(self, item: Item, face: Face) -> _Operators:
        if isinstance(item, Text):
            return self._text_operators(item, face.size.height)
        if isinstance(item, Picture):
            return self._picture_operators(item, face.size.height)
        entry = self._artwork.get(item)
        if entry is None:
            entry = self._artwork[item] = self._artwork_operators(item, face)
        return entry

    def _text_operators(self, text: Text, height: float) -> _Operators:
        key = (id(text), height)
        entry = self._texts.get(key)
        if entry is None:
            entry = self._texts[key] = (self._typeset_operators(text, height), text)
        return entry[0]

    def _artwork_operators(self, item: Artwork, face: Face) -> _Operators:
        """Return operators for artwork: inline if short, otherwise as a form."""
        translation = translate(item.svg)
        shapes = tuple(self._path_form(each) for each in translation or () if isinstance(each, SharedPath))
        of_shapes = map(do_operator, shapes)
        parts = [each if isinstance(each, str) else next(of_shapes) for each in translation or ()]
        content = "\n".join(parts)
        if translation and sum(len(each) for each in translation if isinstance(each, str)) <= _MAX_INLINE:
            return _Operators(f"q\n{content}\nQ", shapes)
        name = f"artwork{next(self._numbers)}"
        resources = PDFDictionary({"XObject": self._canvas._doc.xobjDict(shapes)})
        self._add_shared(name, FormXObject(_box(face), content, resources))
        if translation is None:
            self._placeholders[name] = item
            start = f"{-to_points(face.bleed):.4f}"
            return _Operators(f"q 1 0 0 1 {start} {start} cm\n{do_operator(name)}\nQ", (name,))
        return _Operators(do_operator(name), (name,))

    def _path_form(self, shape: SharedPath) -> str:
        """Return the name of a form for a shape.

        It has no color of its own, but takes the current fill color.
        """
        if shape not in self._paths:
            name = self._paths[shape] = f"shape{next(self._numbers)}"
            self._add_shared(name, FormXObject(shape.box, shape.content, PDFDictionary()))
        return self._paths[shape]

    def _add(self, name: str, form: PDFObject) -> None:
        self._canvas._doc.addForm(name, form)

    def _add_shared(self, name: str, form: PDFObject) -> None:
        """Add a form that faces can paint."""
        self._add(name, form)
        self._share((name,))

    def _share(self, names: Iterable[str]) -> None:
        self._resources.XObject.update(self._canvas._doc.xobjDict(names).dict)

    def _typeset_operators(self, text: Text, height: float) -> _Operators:
        """Return the operators of a text and its icons."""
        parts: list[str] = []
        icons: list[str] = []
        for piece in (piece for line in text.lines for piece in line.pieces):
            fill = _fill_operator(piece.colour)
            if isinstance(piece, Run):
                matrix_operator = _text_matrix_operator(piece, text.matrix, height)
                parts.append(f"BT {fill} {matrix_operator} {' '.join(self._document_fonts.show_operators(piece))} ET")
            else:
                a, b, c, d, x, y = _to_pdf_space(piece, text.matrix, height)
                size = piece.size
                if abs(a * d - b * c) * size * size < _MIN_AREA:  # a group's transform scales it to nothing
                    continue
                place = pdf_operators.matrix_operator((size * a, size * b, size * c, size * d, x, y))
                icons.append(self._path_form(_icon_path(piece.outline)))
                parts.append(f"q {place} {fill}\n{do_operator(icons[-1])}\nQ")
        return _Operators("\n".join(parts), tuple(icons))

    def _picture_operators(self, picture: Picture, height: float) -> _Operators:
        """Return the operators of a picture, clipped to its box."""
        canvas, box = self._canvas, picture.box
        file, name = self._image(picture.path)
        whole = file.place(picture)
        with capture(canvas) as (captured, _):
            canvas.saveState()
            apply_matrix(canvas, picture.matrix, height)
            path = canvas.beginPath()
            path.roundRect(
                to_points(box.x),
                to_points(height - box.bottom),
                to_points(box.width),
                to_points(box.height),
                to_points(picture.radius),
            )
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
        return _Operators("\n".join(captured), (name,))

    def _image(self, path: Path) -> tuple[ImageFile, str]:
        """Return a picture, and the name of its image XObject; equal files have the same."""
        entry = self._images.get(path)
        if entry is None:
            entry = self._images[path] = (inspect_image(path), self._image_name(read_image(path)))
        return entry

    def _image_name(self, content: bytes) -> str:
        digest = hashlib.sha256(content).digest()
        name = self._image_names.get(digest)
        if name is None:
            name = self._image_names[digest] = f"image{next(self._numbers)}"
            self._add_shared(name, embed(content))
        return name


def _box(face: Face) -> BBox:
    """Return the box of a face including bleed, in points."""
    bleed, width, height = to_points(face.bleed), to_points(face.size.width), to_points(face.size.height)
    return (-bleed, -bleed, width + bleed, height + bleed)


@lru_cache(maxsize=1024)
def _icon_path(outline: Outline) -> SharedPath:
    """Return an icon of height 1; its paths are filled separately."""
    fill = "f*" if outline.evenodd else "f"
    return SharedPath("\n".join(f"{pdf_operators.path_operators(path)} {fill}" for path in outline.paths))


def _text_matrix_operator(piece: Run, matrix: Matrix, height: float) -> str:
    """Return the operator that sets the position of a run."""
    *turn, x, y = _to_pdf_space(piece, matrix, height)
    place = f"{pdf_operators.format_number(x)} {pdf_operators.format_number(y)}"
    return f"{place} Td" if turn == _UNTURNED else f"{' '.join(map(pdf_operators.format_number, turn))} {place} Tm"


def _to_pdf_space(piece: Run | IconGlyph, matrix: Matrix, height: float) -> Matrix:
    """Return the matrix of a piece in points, y upward."""
    a, b, c, d, e, f = matrix
    x = to_points(a * piece.x + c * piece.y + e)
    y = to_points(height - (b * piece.x + d * piece.y + f))
    return (a, -b, -c, d, x, y)


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
    """Return the page with the folds of its faces as strokes."""
    folds = tuple(_fold_lines(page))
    return page._replace(strokes=(*page.strokes, *folds)) if folds else page


def _fold_lines(page: SheetPage[Face]) -> Iterator[Stroke]:
    for placement in page.placements:
        if placement.face.folds:
            matrix = face_to_paper(placement.slot, placement.face.size)
            for fold in placement.face.folds:
                ends = (*apply(matrix, fold.x1, fold.y1), *apply(matrix, fold.x2, fold.y2))
                yield Stroke(*ends, dashed=True, layer=Layer.FOLDS)
