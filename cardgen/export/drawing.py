"""Drawing faces into a PDF: one form for each distinct face and icon, a placeholder for each distinct artwork."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from cardgen.export.images import ImageFile, look_at
from cardgen.export.typefaces import Typefaces
from cardgen.face.face import Artwork, Face, Picture, Text
from cardgen.face.transform import Matrix
from cardgen.text.fonts import Fonts
from cardgen.text.lines import Glyph, Line, Outline, Run, Stroke
from cardgen.units import points

_PATH_OPERATORS = {"M": "m", "L": "l", "C": "c", "Z": "h"}


class FaceDrawer:
    """Draws the faces of one document; `artwork` collects what the placeholders stand for, by form name."""

    def __init__(self, canvas: Canvas, fonts: Fonts) -> None:
        self._canvas = canvas
        self._typefaces = Typefaces(canvas._doc, fonts)
        # Faces and texts are known by identity, for they are long: beside each stands the object, to keep it alive.
        self._names: dict[int, tuple[str, Face]] = {}
        self._shown: dict[tuple[int, float], tuple[tuple[tuple[str, str], ...], Text]] = {}
        self._artwork_names: dict[Artwork, str] = {}
        self._icon_names: dict[Outline, str] = {}
        self._images: dict[Path, tuple[ImageFile, ImageReader]] = {}

    @property
    def artwork(self) -> dict[str, Artwork]:
        """All artwork that is needed, by the name of its placeholder form."""
        return {name: chunk for chunk, name in self._artwork_names.items()}

    def define(self, face: Face) -> str:
        """The name of the face's form; its origin is the trim's bottom left corner, in points, y upward."""
        known = self._names.get(id(face))
        if known is None:
            known = self._names[id(face)] = (f"face{len(self._names) + 1}", face)
            self._define_parts(face)
            self._form(face, known[0])
        return known[0]

    def define_icons(self, lines: Iterable[Line]) -> None:
        """Define the icons of some lines, before a page is begun that shows them."""
        for glyph in (piece for line in lines for piece in line.pieces if isinstance(piece, Glyph)):
            self._icon(glyph.outline)

    def text(self, text: Text, height: float) -> None:
        """Draw a text on what is open now; `height` in millimetres is where y is 0 in PDF."""
        key = (id(text), height)
        if key not in self._shown:
            self._shown[key] = (tuple(self._operations(text, height)), text)
        for operators, icon in self._shown[key][0]:
            self._canvas.addLiteral(operators)
            if icon:
                self._canvas.doForm(icon)

    def _define_parts(self, face: Face) -> None:
        """What a form shows must be defined before it is begun."""
        for item in face.items:
            if isinstance(item, Artwork):
                self._placeholder(item)
            elif isinstance(item, Text):
                self.define_icons(item.lines)

    def _placeholder(self, chunk: Artwork) -> None:
        if chunk not in self._artwork_names:
            name = self._artwork_names[chunk] = f"artwork{len(self._artwork_names) + 1}"
            self._canvas.beginForm(name, 0, 0, 1, 1)
            self._canvas.endForm()

    def _icon(self, outline: Outline) -> None:
        """An icon of height 1, without a colour: it takes that of its text."""
        if outline in self._icon_names:
            return
        name = self._icon_names[outline] = f"icon{len(self._icon_names) + 1}"
        fill = "f*" if outline.evenodd else "f"
        left, bottom, right, top = _around(outline)
        self._canvas.beginForm(name, left, bottom, right, top)
        self._canvas.addLiteral("\n".join(f"{_path(path)} {fill}" for path in outline.paths))
        self._canvas.endForm()

    def _form(self, face: Face, name: str) -> None:
        canvas, bleed = self._canvas, points(face.bleed)
        width, height = points(face.size.width), points(face.size.height)
        canvas.beginForm(name, -bleed, -bleed, width + bleed, height + bleed)
        for item in face.items:
            if isinstance(item, Artwork):
                canvas.addLiteral(f"q 1 0 0 1 {-bleed:.4f} {-bleed:.4f} cm")
                canvas.doForm(self._artwork_names[item])
                canvas.addLiteral("Q")
            elif isinstance(item, Text):
                self.text(item, face.size.height)
            else:
                self._picture(item, face.size.height)
        canvas.endForm()

    def _operations(self, text: Text, height: float) -> Iterator[tuple[str, str]]:
        """The operators of a text, in stretches, and behind each the form of an icon, or ''."""
        shown: list[str] = []
        for piece in (piece for line in text.lines for piece in line.pieces):
            standing, fill = _standing(piece, text.matrix, height), _fill(piece.colour)
            if isinstance(piece, Run):
                shown.append(f"BT {fill} {standing} Tm {' '.join(self._typefaces.operators(piece))} ET")
            else:
                size = f"{piece.size:.4g}"
                shown.append(f"q {standing} cm {size} 0 0 {size} 0 0 cm {fill}")
                yield "\n".join(shown), self._icon_names[piece.outline]
                shown = ["Q"]
        yield "\n".join(shown), ""

    def _picture(self, picture: Picture, height: float) -> None:
        """The picture, cut to its box."""
        canvas, box = self._canvas, picture.box
        file, reader = self._image(picture.path)
        whole = file.place(picture)
        canvas.saveState()
        _concatenate(canvas, picture.matrix, height)
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


def _around(outline: Outline) -> tuple[float, float, float, float]:
    """Left, bottom, right and top of an outline; the handles of its curves count, so nothing is cut."""
    numbers = [[*stroke[1:]] for path in outline.paths for stroke in path]
    across = [number for each in numbers for number in each[::2]]
    upward = [number for each in numbers for number in each[1::2]]
    return (min(across), min(upward), max(across), max(upward))


def _standing(piece: Run | Glyph, matrix: Matrix, height: float) -> str:
    """Where a piece stands, as the operands of Tm and cm: an SVG matrix turned to points, y upward."""
    a, b, c, d, e, f = matrix
    x = points(a * piece.x + c * piece.y + e)
    y = points(height - (b * piece.x + d * piece.y + f))
    return f"{a:.5g} {-b:.5g} {-c:.5g} {d:.5g} {x:.3f} {y:.3f}"


def _path(strokes: Iterable[Stroke]) -> str:
    """An outline's path as PDF operators."""
    return " ".join(f"{' '.join(f'{number:.5g}' for number in end)} {_PATH_OPERATORS[kind]}" for kind, *end in strokes)


def _concatenate(canvas: Canvas, matrix: Matrix, height: float) -> None:
    """Apply an SVG matrix (millimetres, y downward) to what follows (points, y upward)."""
    a, b, c, d, e, f = matrix
    x = points(c * height + e)
    y = points(height - d * height - f)
    canvas.transform(a, -b, -c, d, x, y)


@lru_cache(maxsize=1024)
def _fill(colour: str) -> str:
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return f"{red:.4g} {green:.4g} {blue:.4g} rg"
