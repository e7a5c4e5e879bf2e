"""Drawing faces into a PDF: one form for each distinct face, one placeholder for each distinct piece of artwork."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from cardgen.export.typefaces import Typefaces
from cardgen.face.face import Artwork, Face, Picture, Text
from cardgen.face.transform import Matrix
from cardgen.text.fonts import Fonts
from cardgen.text.lines import Glyph, Line, Run, Stroke
from cardgen.units import points

_PATH_OPERATORS = {"M": "m", "L": "l", "C": "c", "Z": "h"}


class FaceDrawer:
    """Draws the faces of one document; `artwork` collects what the placeholders stand for, by form name."""

    def __init__(self, canvas: Canvas, fonts: Fonts) -> None:
        self._canvas = canvas
        self._typefaces = Typefaces(canvas._doc, fonts)
        self._names: dict[Face, str] = {}
        self._artwork_names: dict[Artwork, str] = {}

    @property
    def artwork(self) -> dict[str, Artwork]:
        """All artwork that is needed, by the name of its placeholder form."""
        return {name: chunk for chunk, name in self._artwork_names.items()}

    def define(self, face: Face) -> str:
        """The name of the face's form; its origin is the trim's bottom left corner, in points, y upward."""
        name = self._names.get(face)
        if name is None:
            name = self._names[face] = f"face{len(self._names) + 1}"
            for item in face.items:
                if isinstance(item, Artwork):
                    self._placeholder(item)
            self._form(face, name)
        return name

    def text(self, lines: Iterable[Line], matrix: Matrix, height: float) -> None:
        """Draw lines on what is open now; `height` in millimetres is where y is 0 in PDF."""
        for line in lines:
            for piece in line.pieces:
                if isinstance(piece, Run):
                    self._run(piece, matrix, height)
                else:
                    self._glyph(piece, matrix, height)

    def _placeholder(self, chunk: Artwork) -> None:
        if chunk not in self._artwork_names:
            name = self._artwork_names[chunk] = f"artwork{len(self._artwork_names) + 1}"
            self._canvas.beginForm(name, 0, 0, 1, 1)
            self._canvas.endForm()

    def _form(self, face: Face, name: str) -> None:
        canvas, bleed = self._canvas, points(face.bleed)
        width, height = points(face.size.width), points(face.size.height)
        canvas.beginForm(name, -bleed, -bleed, width + bleed, height + bleed)
        for item in face.items:
            if isinstance(item, Artwork):
                canvas.saveState()
                canvas.translate(-bleed, -bleed)
                canvas.doForm(self._artwork_names[item])
                canvas.restoreState()
            elif isinstance(item, Text):
                self.text(item.lines, item.matrix, face.size.height)
            else:
                self._picture(item, face.size.height)
        canvas.endForm()

    def _run(self, run: Run, matrix: Matrix, height: float) -> None:
        shown = " ".join(self._typefaces.operators(run))
        self._canvas.addLiteral(f"BT {_fill(run.colour)} {_standing(run, matrix, height)} Tm {shown} ET")

    def _glyph(self, glyph: Glyph, matrix: Matrix, height: float) -> None:
        size, fill = f"{glyph.size:.4g}", "f*" if glyph.outline.evenodd else "f"
        paths = " ".join(f"{_path(path)} {fill}" for path in glyph.outline.paths)
        standing = _standing(glyph, matrix, height)
        self._canvas.addLiteral(f"q {standing} cm {size} 0 0 {size} 0 0 cm {_fill(glyph.colour)} {paths} Q")

    def _picture(self, picture: Picture, height: float) -> None:
        """The picture cut to its box: one that covers it is moved so that its focus stays in sight."""
        canvas, box = self._canvas, picture.box
        left, bottom, width, high = points(box.x), points(height - box.bottom), points(box.width), points(box.height)
        image = _image(picture.path)
        wide, tall = image.getSize()
        choose = max if picture.fit == "cover" else min
        scale = choose(width / wide, high / tall)
        across, down = picture.focus if picture.fit == "cover" else (0.5, 0.5)
        canvas.saveState()
        _concatenate(canvas, picture.matrix, height)
        path = canvas.beginPath()
        path.roundRect(left, bottom, width, high, points(picture.radius))
        canvas.clipPath(path, stroke=0, fill=0)
        canvas.drawImage(
            image,
            left + (width - wide * scale) * across,
            bottom + (high - tall * scale) * (1 - down),
            wide * scale,
            tall * scale,
            mask="auto",
        )
        canvas.restoreState()


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


def _image(path: Path) -> ImageReader:
    return ImageReader(str(path))


def _fill(colour: str) -> str:
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return f"{red:.4g} {green:.4g} {blue:.4g} rg"
