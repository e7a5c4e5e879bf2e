"""Drawing faces into a PDF: one form for each distinct face, icon, long shape and piece of artwork.

Artwork that is short is drawn where it stands; artwork that CairoSVG has to draw gets a placeholder.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from pathlib import Path

from reportlab.lib.utils import ImageReader
from reportlab.pdfbase.pdfdoc import PDFDictionary, PDFResourceDictionary
from reportlab.pdfgen.canvas import Canvas

from cardgen.affine import Matrix
from cardgen.export import operators
from cardgen.export.images import ImageFile, look_at
from cardgen.export.translation import Shape, translated
from cardgen.export.typefaces import Typefaces
from cardgen.export.xobjects import Box, Form, recorded, shown
from cardgen.face.face import Artwork, Face, Item, Picture, Text
from cardgen.text.fonts import Fonts
from cardgen.text.lines import Glyph, Outline, Run
from cardgen.units import points

_UPRIGHT = [1, 0, 0, 1]
# Artwork of more characters is a form of its own, so that cards can share it.
_LONG = 400
_NO_AREA = 1e-12


@dataclass(frozen=True, slots=True)
class _Drawing:
    """Operators, and the names of the forms and images that they show."""

    operators: str
    shows: tuple[str, ...] = ()


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
            drawings = (self._drawing(item, face) for item in face.items)
            content = "\n".join(drawing.operators for drawing in drawings)
            known = self._names[id(face)] = (f"face{len(self._names) + 1}", face)
            self._add(known[0], Form(_box(face), content, self._shared))
        return known[0]

    def text(self, text: Text, height: float) -> None:
        """Draw a text on what is open now; `height` in millimetres is where y is 0 in PDF."""
        drawing = self._text(text, height)
        self._canvas.addLiteral(drawing.operators)
        self._canvas._formsinuse.extend(drawing.shows)

    def _drawing(self, item: Item, face: Face) -> _Drawing:
        if isinstance(item, Text):
            return self._text(item, face.size.height)
        if isinstance(item, Picture):
            return self._picture(item, face.size.height)
        known = self._artwork.get(item)
        if known is None:
            known = self._artwork[item] = self._defined(item, face)
        return known

    def _text(self, text: Text, height: float) -> _Drawing:
        key = (id(text), height)
        known = self._texts.get(key)
        if known is None:
            known = self._texts[key] = (self._set(text, height), text)
        return known[0]

    def _defined(self, item: Artwork, face: Face) -> _Drawing:
        """What shows a piece of artwork: what draws it, where that is short, or else a form."""
        operations = translated(item.svg)
        shapes = tuple(self._shape(each) for each in operations or () if isinstance(each, Shape))
        of_shapes = map(shown, shapes)
        parts = [each if isinstance(each, str) else next(of_shapes) for each in operations or ()]
        content = "\n".join(parts)
        if operations and sum(len(each) for each in operations if isinstance(each, str)) <= _LONG:
            return _Drawing(f"q\n{content}\nQ", shapes)
        name = f"artwork{next(self._numbers)}"
        resources = PDFDictionary({"XObject": self._canvas._doc.xobjDict(shapes)})
        self._add_shared(name, Form(_box(face), content, resources))
        if operations is None:
            self._left_to_cairo[name] = item
            start = f"{-points(face.bleed):.4f}"
            return _Drawing(f"q 1 0 0 1 {start} {start} cm\n{shown(name)}\nQ", (name,))
        return _Drawing(shown(name), (name,))

    def _shape(self, shape: Shape) -> str:
        """The name of a form for a shape, without a colour: it takes that which is set where it is shown."""
        if shape not in self._shapes:
            name = self._shapes[shape] = f"shape{next(self._numbers)}"
            self._add_shared(name, Form(shape.box, shape.content, PDFDictionary()))
        return self._shapes[shape]

    def _add(self, name: str, form: Form) -> None:
        self._canvas._doc.addForm(name, form)

    def _add_shared(self, name: str, form: Form) -> None:
        """Add a form that faces may show."""
        self._add(name, form)
        self._share((name,))

    def _share(self, names: Iterable[str]) -> None:
        self._resources.XObject.update(self._canvas._doc.xobjDict(names).dict)

    def _set(self, text: Text, height: float) -> _Drawing:
        """The operators of a text and its icons."""
        parts: list[str] = []
        icons: list[str] = []
        for piece in (piece for line in text.lines for piece in line.pieces):
            fill = _fill(piece.colour)
            if isinstance(piece, Run):
                standing = _standing(piece, text.matrix, height)
                parts.append(f"BT {fill} {standing} {' '.join(self._typefaces.operators(piece))} ET")
            else:
                a, b, c, d, x, y = _upward(piece, text.matrix, height)
                size = piece.size
                if abs(a * d - b * c) * size * size < _NO_AREA:  # A group's transform leaves nothing of it.
                    continue
                place = operators.concatenation((size * a, size * b, size * c, size * d, x, y))
                icons.append(self._shape(_shape_of(piece.outline)))
                parts.append(f"q {place} {fill}\n{shown(icons[-1])}\nQ")
        return _Drawing("\n".join(parts), tuple(icons))

    def _picture(self, picture: Picture, height: float) -> _Drawing:
        """The picture, cut to its box."""
        canvas, box = self._canvas, picture.box
        file, reader = self._image(picture.path)
        whole = file.place(picture)
        with recorded(canvas) as (drawn, names):
            canvas.saveState()
            concatenate(canvas, picture.matrix, height)
            path = canvas.beginPath()
            path.roundRect(
                points(box.x),
                points(height - box.bottom),
                points(box.width),
                points(box.height),
                points(picture.radius),
            )
            canvas.clipPath(path, stroke=0, fill=0)
            canvas.transform(
                points(whole.width), 0, 0, points(whole.height), points(whole.x), points(height - whole.bottom)
            )
            canvas.transform(*file.upright)
            canvas.drawImage(reader, 0, 0, 1, 1, mask="auto")
            canvas.restoreState()
        self._share(names)
        return _Drawing("\n".join(drawn), tuple(names))

    def _image(self, path: Path) -> tuple[ImageFile, ImageReader]:
        found = self._images.get(path)
        if found is None:
            found = self._images[path] = (look_at(path), ImageReader(str(path)))
        return found


def _box(face: Face) -> Box:
    """The box of a face and its bleed."""
    bleed, width, height = points(face.bleed), points(face.size.width), points(face.size.height)
    return (-bleed, -bleed, width + bleed, height + bleed)


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
