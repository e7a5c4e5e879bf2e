"""Drawing faces into a PDF: one form for each distinct face, icon, long shape and piece of artwork.

Artwork that is short is drawn where it stands; artwork that CairoSVG has to draw gets a placeholder.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import count
from pathlib import Path
from typing import Any

from reportlab.lib.utils import ImageReader
from reportlab.pdfbase.pdfdoc import (
    PDFDictionary,
    PDFName,
    PDFResourceDictionary,
    PDFStream,
    PDFZCompress,
    xObjectName,
)
from reportlab.pdfgen.canvas import Canvas

from cardgen.affine import Matrix
from cardgen.export import operators
from cardgen.export.images import ImageFile, look_at
from cardgen.export.translation import Shape, translated
from cardgen.export.typefaces import Typefaces
from cardgen.face.face import Artwork, Face, Picture, Text
from cardgen.text.fonts import Fonts
from cardgen.text.lines import Glyph, Line, Outline, Run
from cardgen.units import points

_UPRIGHT = [1, 0, 0, 1]
# Artwork of more characters is a form of its own, so that cards can share it.
_LONG = 400


@dataclass(frozen=True, slots=True)
class _Drawing:
    """Operators, and the names of the forms that they show."""

    operators: str
    forms: tuple[str, ...] = ()


class FaceDrawer:
    """Draws the faces of one document; `artwork` collects what the placeholders stand for, by form name."""

    def __init__(self, canvas: Canvas, fonts: Fonts) -> None:
        self._canvas = canvas
        self._typefaces = Typefaces(canvas._doc, fonts)
        # Faces and texts are known by identity, for they are long: beside each stands the object, to keep it alive.
        self._names: dict[int, tuple[str, Face]] = {}
        self._texts: dict[tuple[int, float], tuple[_Drawing, Text]] = {}
        self._artwork: dict[Artwork, _Drawing] = {}
        self._left_to_cairo: dict[str, Artwork] = {}
        self._shapes: dict[Shape, str] = {}
        self._numbers = count(1)
        # Faces share one list of what they may show; one of its own for each would be half as long as the face itself.
        self._resources = PDFResourceDictionary()
        self._resources.basicFonts()
        self._resources.allProcs()
        self._shared = canvas._doc.Reference(self._resources, "shared")
        self._images: dict[Path, tuple[ImageFile, ImageReader]] = {}

    @property
    def artwork(self) -> dict[str, Artwork]:
        """All artwork that CairoSVG has to draw, by the name of its placeholder form."""
        return self._left_to_cairo

    def define(self, face: Face) -> str:
        """The name of the face's form; its origin is the trim's bottom left corner, in points, y upward."""
        known = self._names.get(id(face))
        if known is None:
            known = self._names[id(face)] = (f"face{len(self._names) + 1}", face)
            self._form(face, known[0])
        return known[0]

    def define_icons(self, lines: Iterable[Line]) -> None:
        """Define the icons of some lines, before a page is begun that shows them."""
        for glyph in (piece for line in lines for piece in line.pieces if isinstance(piece, Glyph)):
            self._shape(_shape_of(glyph.outline))

    def text(self, text: Text, height: float) -> None:
        """Draw a text on what is open now; `height` in millimetres is where y is 0 in PDF."""
        self._show(self._drawn_text(text, height))

    def _drawn_text(self, text: Text, height: float) -> _Drawing:
        key = (id(text), height)
        known = self._texts.get(key)
        if known is None:
            known = self._texts[key] = (_Drawing(*self._operations(text, height)), text)
        return known[0]

    def _show(self, drawing: _Drawing) -> None:
        self._canvas.addLiteral(drawing.operators)
        self._canvas._formsinuse.extend(drawing.forms)

    def _drawn_artwork(self, chunk: Artwork, face: Face) -> _Drawing:
        known = self._artwork.get(chunk)
        if known is None:
            known = self._artwork[chunk] = self._defined(chunk, face)
        return known

    def _defined(self, item: Artwork, face: Face) -> _Drawing:
        """What shows a piece of artwork: what draws it, where that is short, or else a form."""
        operations = translated(item.svg)
        shapes = tuple(self._shape(each) for each in operations or () if isinstance(each, Shape))
        of_shapes = map(_shown, shapes)
        parts = [each if isinstance(each, str) else next(of_shapes) for each in operations or ()]
        drawing = _Drawing("\n".join(parts), shapes)
        if operations and sum(len(each) for each in operations if isinstance(each, str)) <= _LONG:
            return replace(drawing, operators=f"q\n{drawing.operators}\nQ")
        name, bleed = f"artwork{next(self._numbers)}", points(face.bleed)
        self._canvas.beginForm(name, -bleed, -bleed, *(points(side + face.bleed) for side in face.size))
        self._show(drawing)
        self._end_shared(name)
        if operations is None:
            self._left_to_cairo[name] = item
            return _Drawing(f"q 1 0 0 1 {-bleed:.4f} {-bleed:.4f} cm\n{_shown(name)}\nQ", (name,))
        return _Drawing(_shown(name), (name,))

    def _shape(self, shape: Shape) -> str:
        """The name of a form for a shape, without a colour: it takes that which is set where it is shown."""
        if shape not in self._shapes:
            name = self._shapes[shape] = f"shape{next(self._numbers)}"
            self._canvas.beginForm(name, *shape.box)
            self._canvas.addLiteral(shape.content)
            self._end_shared(name)
        return self._shapes[shape]

    def _end_shared(self, name: str) -> None:
        """End a form that faces may show."""
        self._end(name)
        self._resources.XObject.update(self._canvas._doc.xobjDict([name]).dict)

    def _form(self, face: Face, name: str) -> None:
        """Define what the face shows, which must be done before its form is begun, and then the face."""
        height = face.size.height
        items: list[_Drawing | Picture] = []
        for item in face.items:
            if isinstance(item, Text):
                items.append(self._drawn_text(item, height))
            else:
                items.append(self._drawn_artwork(item, face) if isinstance(item, Artwork) else item)
        canvas, bleed = self._canvas, points(face.bleed)
        canvas.beginForm(name, -bleed, -bleed, points(face.size.width) + bleed, points(height) + bleed)
        for each in items:
            if isinstance(each, _Drawing):
                self._show(each)
            else:
                self._picture(each, height)
        if any(isinstance(each, Picture) for each in items):
            self._end(name)
        else:
            canvas._formsinuse.clear()  # They are among the shared ones.
            self._end(name, Resources=self._shared)

    def _end(self, name: str, **attributes: Any) -> None:
        """End a form, and compress it at once: ReportLab would keep the text of all forms to the end.

        The filter is a name and not a list of one, as ReportLab writes it: qpdf compresses such streams a second time.
        """
        canvas, document = self._canvas, self._canvas._doc
        content = "\n".join((canvas._preamble, *canvas._code)).encode("ascii")
        canvas._code.clear()
        canvas.endForm(**attributes)
        form = document.idToObject[xObjectName(name)]
        compressed = PDFDictionary({"Filter": PDFName(PDFZCompress.pdfname)})
        form.Contents, form.stream = PDFStream(compressed, PDFZCompress.encode(content)), None

    def _operations(self, text: Text, height: float) -> tuple[str, tuple[str, ...]]:
        """The operators of a text, and the names of the forms of its icons, which are defined."""
        shown: list[str] = []
        forms: list[str] = []
        for piece in (piece for line in text.lines for piece in line.pieces):
            fill = _fill(piece.colour)
            if isinstance(piece, Run):
                standing = _standing(piece, text.matrix, height)
                shown.append(f"BT {fill} {standing} {' '.join(self._typefaces.operators(piece))} ET")
            else:
                a, b, c, d, x, y = _upward(piece, text.matrix, height)
                size = piece.size
                place = operators.concatenation((size * a, size * b, size * c, size * d, x, y))
                name = self._shape(_shape_of(piece.outline))
                shown += (f"q {place} {fill}", _shown(name), "Q")
                forms.append(name)
        return "\n".join(shown), tuple(forms)

    def _picture(self, picture: Picture, height: float) -> None:
        """The picture, cut to its box."""
        canvas, box = self._canvas, picture.box
        file, reader = self._image(picture.path)
        whole = file.place(picture)
        canvas.saveState()
        concatenate(canvas, picture.matrix, height)
        path = canvas.beginPath()
        path.roundRect(
            points(box.x), points(height - box.bottom), points(box.width), points(box.height), points(picture.radius)
        )
        canvas.clipPath(path, stroke=0, fill=0)
        canvas.transform(
            points(whole.width), 0, 0, points(whole.height), points(whole.x), points(height - whole.bottom)
        )
        canvas.transform(*file.upright)
        canvas.drawImage(reader, 0, 0, 1, 1, mask="auto")
        canvas.restoreState()

    def _image(self, path: Path) -> tuple[ImageFile, ImageReader]:
        found = self._images.get(path)
        if found is None:
            found = self._images[path] = (look_at(path), ImageReader(str(path)))
        return found


def _shown(name: str) -> str:
    """The operator that shows a form."""
    return f"/{xObjectName(name)} Do"


@lru_cache(maxsize=1024)
def _shape_of(outline: Outline) -> Shape:
    """An icon of height 1; each of its paths is filled by itself."""
    fill = "f*" if outline.evenodd else "f"
    return Shape("\n".join(f"{operators.path(path)} {fill}" for path in outline.paths))


def _standing(piece: Run, matrix: Matrix, height: float) -> str:
    """The operator that sets where a run stands."""
    *turn, x, y = _upward(piece, matrix, height)
    place = f"{operators.written(x)} {operators.written(y)}"
    return f"{place} Td" if turn == _UPRIGHT else f"{' '.join(map(operators.written, turn))} {place} Tm"


def _upward(piece: Run | Glyph, matrix: Matrix, height: float) -> Matrix:
    """Where a piece stands: an SVG matrix turned to points, y upward."""
    a, b, c, d, e, f = matrix
    x = points(a * piece.x + c * piece.y + e)
    y = points(height - (b * piece.x + d * piece.y + f))
    return (a, -b, -c, d, x, y)


def concatenate(canvas: Canvas, matrix: Matrix, height: float) -> None:
    """Apply an SVG matrix (millimetres, y downward) to what follows (points, y upward)."""
    a, b, c, d, e, f = matrix
    x = points(c * height + e)
    y = points(height - d * height - f)
    canvas.transform(a, -b, -c, d, x, y)


@lru_cache(maxsize=1024)
def _fill(colour: str) -> str:
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return f"{red:.4g} {green:.4g} {blue:.4g} rg"
