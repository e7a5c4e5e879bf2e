"""Faces in a PDF: form XObjects, placement on paper, fold lines.

Artwork is drawn by pdf_artwork.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from reportlab.pdfbase.pdfdoc import PDFResourceDictionary
from reportlab.pdfgen.canvas import Canvas

from cardgen.affine import Matrix, apply, compose, rotation, translation
from cardgen.export.pdf.operators import fill_in, matrix_operator, path_operators
from cardgen.export.pdf.resources import (
    ArtworkForms,
    DocumentFonts,
    Drawing,
    FormXObject,
    SharedDrawings,
    capture,
    do_operator,
    embed,
    face_box,
)
from cardgen.export.pdf.translation import SharedPath
from cardgen.export.pictures import ImageFile, inspect_image, read_image
from cardgen.face.face import Artwork, Face, Item, Picture, Text
from cardgen.sheet.leaf import Layer, SheetPage, Slot, Stroke
from cardgen.svg.chunks import root_tag
from cardgen.text.fonts import Fonts
from cardgen.text.lines import Outline, Run
from cardgen.units import Size, to_points

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
        self._icon_forms: dict[tuple[Outline, str], str] = {}
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
            form = FormXObject(face_box(face), self._drawings(face).content(face), self._shared)
            self._canvas._doc.addForm(entry[0], form)
        return entry[0]

    def release(self, face: Face) -> Face:
        """Return the rest of a face that is drawn, which stands for it from now on."""
        rest = face.rest
        if rest is not face:
            name, _ = self._names.pop(id(face))
            self._names[id(rest)] = (name, rest)
        return rest

    def _drawings(self, face: Face) -> SharedDrawings:
        key = (face.size, face.bleed)
        if key not in self._shared_drawings:
            self._shared_drawings[key] = SharedDrawings(self._item_drawing, self._make_form)
        return self._shared_drawings[key]

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

    def _icon_form(self, outline: Outline, colour: str) -> str:
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
        return Drawing("\n".join(captured), (name,))

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
            name = self._image_names[digest] = self._artwork.add_form("image", embed(content))
        return name


@lru_cache(maxsize=1024)
def _icon_path(outline: Outline) -> SharedPath:
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
    folds = tuple(_fold_lines(page))
    return page._replace(marks=(*page.marks, *folds)) if folds else page


def _fold_lines(page: SheetPage[Face]) -> Iterator[Stroke]:
    for placement in page.placements:
        if placement.face.folds:
            matrix = face_to_paper(placement.slot, placement.face.size)
            for fold in placement.face.folds:
                ends = (*apply(matrix, fold.x1, fold.y1), *apply(matrix, fold.x2, fold.y2))
                yield Stroke(*ends, dashed=True, layer=Layer.FOLDS)
