"""What is on the pages of a finished PDF, whoever made it: texts, lines, pictures, and what is placed as a whole."""

from __future__ import annotations

import ctypes
import logging
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property, partial
from io import BytesIO
from math import hypot, sqrt
from typing import Any, NamedTuple, TypeAlias

import pikepdf
import pypdfium2
from PIL import Image
from pypdfium2 import raw

from cardgen.units import (
    IDENTITY,
    MM_PER_POINT,
    Box,
    Matrix,
    Size,
    apply,
    inverse,
    joined_box,
    mapped_box,
    multiply,
    to_mm,
)

MOST_PAGES = 5_000
_MOST_CHARACTERS = 100_000
_MOST_OBJECTS = 100_000
_DEEPEST = 10
# What pikepdf and pdfium raise for files that are not what they should be.
_BROKEN = (
    pikepdf.PdfError,
    pypdfium2.PdfiumError,
    TypeError,
    AttributeError,
    LookupError,
    ArithmeticError,
    RecursionError,
    NotImplementedError,
    ValueError,
    Image.DecompressionBombError,  # also of the part of a page that a box cuts out
)
# Its warnings about broken files would reach the terminal.
logging.getLogger("pikepdf").addHandler(logging.NullHandler())


class UnreadableFileError(ValueError):
    """A file that is not what its name says; its message is user-facing."""


@contextmanager
def readable() -> Iterator[None]:
    """Raise UnreadableFileError for whatever the libraries raise for a PDF that is not one."""
    try:
        yield
    except UnreadableFileError:
        raise
    except pikepdf.PasswordError:
        raise UnreadableFileError("the PDF is encrypted; save it without a password") from None
    except _BROKEN:
        raise UnreadableFileError("the file is not a valid PDF") from None


def open_pdf(content: bytes) -> pikepdf.Pdf:
    """Return an open document. Raises UnreadableFileError if it has no pages, or too many."""
    pdf = pikepdf.open(BytesIO(content))
    if not 0 < len(pdf.pages) <= MOST_PAGES:
        raise UnreadableFileError(f"the PDF must have 1 to {MOST_PAGES} pages, not {len(pdf.pages)}")
    return pdf


def page_names(pdf: pikepdf.Pdf) -> dict[int, str]:
    """Return the labels of pages by their number from 1, such as 'Sentinel front'."""
    names: dict[int, str] = {}
    if "/PageLabels" in pdf.Root and "/Nums" in pdf.Root.PageLabels:
        numbers = list(pdf.Root.PageLabels.Nums)
        for index, label in zip(numbers[::2], numbers[1::2], strict=False):
            names[int(index) + 1] = str(label.get("/P", ""))
    return names


class Placed(NamedTuple):
    """An object of a page, and the matrix from its space to that of the page, in points, y upward."""

    item: Any
    matrix: Matrix


def _objects(page: pypdfium2.PdfPage, kind: int) -> Iterator[Placed]:
    """Yield the objects of a kind on a page and in its form XObjects."""
    count, get = raw.FPDFPage_CountObjects(page), raw.FPDFPage_GetObject
    waiting = [(page, count, get, IDENTITY, 0)]
    seen = 0
    while waiting and seen < _MOST_OBJECTS:
        holder, count, get, matrix, depth = waiting.pop()
        for index in range(min(count, _MOST_OBJECTS - seen)):
            seen += 1
            item = get(holder, index)
            found = raw.FPDFPageObj_GetType(item)
            if found == kind:
                yield Placed(item, matrix)
            elif found == raw.FPDF_PAGEOBJ_FORM and depth < _DEEPEST:
                inner = multiply(matrix, _matrix_of(item))
                waiting.append((item, raw.FPDFFormObj_CountObjects(item), raw.FPDFFormObj_GetObject, inner, depth + 1))


def _matrix_of(item: Any) -> Matrix:
    matrix = raw.FS_MATRIX()
    raw.FPDFPageObj_GetMatrix(item, ctypes.byref(matrix))
    return (matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)


class Type(NamedTuple):
    """Type on a page: left, bottom, right, and top in mm, y upward, its size in points, its word, and where up is.

    `is_mirrored` says that it reads in a mirror, and `is_whole` that it is not one character, but a text object with
    words that stand for it.
    """

    extent: tuple[float, ...]
    size: float
    word: Callable[[], str]
    up: tuple[float, float]
    is_mirrored: bool
    is_whole: bool = False


def type_on(page: pypdfium2.PdfPage) -> Iterator[Type]:
    """Yield the type on a page, character by character.

    Characters that stand for others (ActualText), such as spaced letters, have no places of their own: pdfium reports
    them where the first object would be without the form XObjects around it. Such objects are measured as a whole.
    """
    text = page.get_textpage()
    replaced = set()
    for item, matrix in _objects(page, raw.FPDF_PAGEOBJ_TEXT):
        if _has_actual_text(item):
            replaced.add(_address(item))
            quad = raw.FS_QUADPOINTSF()
            if raw.FPDFPageObj_GetRotatedBounds(item, ctypes.byref(quad)):
                corners = [(quad.x1, quad.y1), (quad.x2, quad.y2), (quad.x3, quad.y3), (quad.x4, quad.y4)]
                xs, ys = zip(*(apply(matrix, x, y) for x, y in corners), strict=True)
                size = ctypes.c_float()
                raw.FPDFTextObj_GetFontSize(item, ctypes.byref(size))
                whole = multiply(matrix, _matrix_of(item))
                extent = tuple(map(to_mm, (min(xs), min(ys), max(xs), max(ys))))
                if extent[0] < extent[2] and extent[1] < extent[3]:
                    size_there, word = size.value * _scale(whole), partial(_text_of, item, text)
                    yield Type(extent, size_there, word, _up(whole), _is_mirrored(whole), is_whole=True)
    for index in range(min(text.count_chars(), _MOST_CHARACTERS)):
        if not text.get_text_range(index, 1).strip():
            continue
        if replaced and _address(raw.FPDFText_GetTextObject(text, index)) in replaced:
            continue
        found = raw.FS_MATRIX()
        raw.FPDFText_GetMatrix(text, index, ctypes.byref(found))
        whole = (found.a, found.b, found.c, found.d, found.e, found.f)
        size_there = float(raw.FPDFText_GetFontSize(text, index)) * _scale(whole)
        extent, word = tuple(map(to_mm, text.get_charbox(index))), partial(_word, text, index)
        yield Type(extent, size_there, word, _up(whole), _is_mirrored(whole))


def _has_actual_text(item: Any) -> bool:
    for index in range(raw.FPDFPageObj_CountMarks(item)):
        length = ctypes.c_ulong()
        mark = raw.FPDFPageObj_GetMark(item, index)
        if raw.FPDFPageObjMark_GetParamStringValue(mark, b"ActualText", None, 0, ctypes.byref(length)):
            return True
    return False


def _address(item: Any) -> int | None:
    return ctypes.cast(item, ctypes.c_void_p).value


def _scale(matrix: Matrix) -> float:
    a, b, c, d, *_ = matrix
    return sqrt(abs(a * d - b * c)) or 1.0


def _is_mirrored(matrix: Matrix) -> bool:
    return matrix[0] * matrix[3] - matrix[1] * matrix[2] < 0


def _up(matrix: Matrix) -> tuple[float, float]:
    length = hypot(matrix[2], matrix[3]) or 1.0
    return matrix[2] / length, matrix[3] / length


def _text_of(item: Any, text: pypdfium2.PdfTextPage) -> str:
    """Return the first word of a text object."""
    return next(iter(_all_text_of(item, text).split()), "")


def _all_text_of(item: Any, text: pypdfium2.PdfTextPage) -> str:
    length = raw.FPDFTextObj_GetText(item, text, None, 0)
    buffer = (ctypes.c_ushort * (length // 2 + 1))()
    raw.FPDFTextObj_GetText(item, text, buffer, length)
    return bytes(buffer)[: max(0, length - 2)].decode("utf-16-le", "replace")


def _word(text: pypdfium2.PdfTextPage, index: int) -> str:
    """Return the word around a character."""
    around = text.get_text_range(max(0, index - 20), 40)
    at = min(index, 20)
    start = max(around.rfind(separator, 0, at) for separator in " \r\n") + 1
    words: list[str] = around[start:].split()
    return words[0] if words else ""


class PrintedPicture(NamedTuple):
    """A picture on a page: left, bottom, right, and top in mm, y upward, and its dots per inch there."""

    extent: tuple[float, ...]
    dpi: float


def pictures_on(page: pypdfium2.PdfPage) -> Iterator[PrintedPicture]:
    """Yield the pictures on a page and in its form XObjects."""
    for item, matrix in _objects(page, raw.FPDF_PAGEOBJ_IMAGE):
        wide, high = ctypes.c_uint(), ctypes.c_uint()
        if raw.FPDFImageObj_GetImagePixelSize(item, ctypes.byref(wide), ctypes.byref(high)):
            # A picture is the unit square of its space.
            whole = multiply(matrix, _matrix_of(item))
            across, down = hypot(*whole[:2]) or 1.0, hypot(*whole[2:4]) or 1.0
            box = mapped_box(Box(0, 0, 1, 1), whole)
            extent = tuple(map(to_mm, (box.x, box.y, box.right, box.bottom)))
            yield PrintedPicture(extent, min(wide.value / across, high.value / down) * 72)


# A page as it is seen: turned and cropped as the file says, in millimeters from its top left corner, y downward.


class Mark(NamedTuple):
    """A line, outline, or text that is drawn on the page itself, not in a form XObject or a picture.

    `kind` is 'line', 'box', 'circle', 'text', or 'other'. `layer` is the name of its layer. The box of a text with
    `words` begins at its baseline, and has no height.
    """

    kind: str
    box: Box
    layer: str = ""
    words: str = ""
    is_dashed: bool = False


class Art(NamedTuple):
    """A form XObject or picture that is placed as a whole: its object, its box, and its matrix.

    `edges` are the x and the y at which it may end: those of its box, and of the paths that clip it.
    """

    key: tuple[int, int]
    box: Box
    matrix: Matrix
    edges: tuple[frozenset[float], frozenset[float]]


class PageView:
    """One page of a document that both libraries have opened."""

    def __init__(self, page: pypdfium2.PdfPage, source: pikepdf.Page, number: int) -> None:
        """Raises UnreadableFileError for a page with a unit of its own."""
        if source.obj.get("/UserUnit", 1) != 1:
            raise UnreadableFileError(f"page {number} has a unit of its own (UserUnit), which is not supported")
        self.page, self.source, self.number = page, source, number
        self.size = Size(*map(to_mm, page.get_size()))
        left, bottom, right, top = page.get_cropbox()
        # The matrix from the space of the page, in points and y upward.
        self.matrix = multiply(
            (MM_PER_POINT, 0.0, 0.0, MM_PER_POINT, 0.0, 0.0),
            {
                0: (1.0, 0.0, 0.0, -1.0, -left, top),
                90: (0.0, 1.0, 1.0, 0.0, -bottom, -left),
                180: (-1.0, 0.0, 0.0, 1.0, right, -bottom),
                270: (0.0, -1.0, -1.0, 0.0, top, right),
            }[page.get_rotation() % 360],
        )

    def box(self, extent: Sequence[float]) -> Box:
        """Return the box of left, bottom, right, and top in mm, y upward."""
        left, bottom, right, top = (side / MM_PER_POINT for side in extent)
        return mapped_box(Box(left, bottom, right - left, top - bottom), self.matrix)

    def words(self, box: Box) -> frozenset[str]:
        """Return the words whose letters are in a box, in lowercase."""
        there = mapped_box(box, inverse(self.matrix))
        text = self.texts.get_text_bounded(there.x, there.y, there.right, there.bottom)
        return frozenset(_WORD.findall(text.casefold()))

    def image(self, dpi: float) -> Image.Image:
        """Return the page as a picture, with the layers that are shown."""
        picture: Image.Image = self.page.render(scale=dpi / 72).to_pil().convert("RGB")
        return picture

    @cached_property
    def texts(self) -> pypdfium2.PdfTextPage:
        """The text of the page."""
        return self.page.get_textpage()

    @cached_property
    def marks(self) -> tuple[Mark, ...]:
        """What is drawn on the page itself, in paint order."""
        found = []
        for index in range(min(raw.FPDFPage_CountObjects(self.page), _MOST_OBJECTS)):
            item = raw.FPDFPage_GetObject(self.page, index)
            kind = raw.FPDFPageObj_GetType(item)
            if kind == raw.FPDF_PAGEOBJ_PATH:
                found.append(self._path(item))
            elif kind == raw.FPDF_PAGEOBJ_TEXT:
                words = _all_text_of(item, self.texts).strip()
                x, y = apply(self.matrix, *_matrix_of(item)[4:])
                end = [ctypes.c_float() for _ in range(4)]
                raw.FPDFPageObj_GetBounds(item, *map(ctypes.byref, end))
                right = self.box([to_mm(each.value) for each in end]).right
                found.append(Mark("text", Box(x, y, max(0.0, right - x), 0), _layer_of(item), words))
        return tuple(found)

    def _path(self, item: Any) -> Mark:
        matrix = multiply(self.matrix, _matrix_of(item))
        count = raw.FPDFPath_CountSegments(item)
        points, curves, x, y = [], 0, ctypes.c_float(), ctypes.c_float()
        for index in range(min(count, _MOST_SEGMENTS)):
            segment = raw.FPDFPath_GetPathSegment(item, index)
            raw.FPDFPathSegment_GetPoint(segment, ctypes.byref(x), ctypes.byref(y))
            curves += raw.FPDFPathSegment_GetType(segment) == raw.FPDF_SEGMENT_BEZIERTO
            points.append(apply(matrix, x.value, y.value))
        box = joined_box(Box(across, down, 0, 0) for across, down in points) or Box(0, 0, 0, 0)
        kind = "other"
        if count == 2 and not curves:
            kind = "line"
        elif count in (4, 5) and not curves and len({round(p, 3) for p, _ in points}) == 2:
            kind = "box"
        # Four quarters of three points each; those that control them are no farther out.
        elif curves >= 12 and count <= _MOST_SEGMENTS and abs(box.width - box.height) < 0.01:
            kind = "circle"
        return Mark(kind, box, _layer_of(item), is_dashed=raw.FPDFPageObj_GetDashCount(item) > 0)

    @cached_property
    def art(self) -> tuple[Art, ...]:
        """The form XObjects and pictures that are placed on the page; the contents of one that is the whole page."""
        return tuple(self._placed(self.source.obj, self.source.resources, self.matrix, 0))

    def _placed(self, holder: Any, resources: Any, matrix: Matrix, depth: int) -> Iterator[Art]:
        found = list(_placings(holder, resources.get("/XObject", {}), matrix))
        for form, at, around in found:
            whole = multiply(at, _six(form.get("/Matrix", IDENTITY)))
            left, bottom, right, top = map(float, form.get("/BBox", (0, 0, 1, 1)))
            box = mapped_box(Box(min(left, right), min(bottom, top), abs(right - left), abs(top - bottom)), whole)
            covers = box.width > 0.9 * self.size.width and box.height > 0.9 * self.size.height
            if len(found) == 1 and covers and form.get("/Subtype") == "/Form" and depth < _DEEPEST:
                yield from self._placed(form, form.get("/Resources", resources), whole, depth + 1)
            xs, ys = zip((box.x, box.y), (box.right, box.bottom), *around, strict=True)
            yield Art(form.objgen, box, whole, (frozenset(xs), frozenset(ys)))


_Points: TypeAlias = frozenset[tuple[float, float]]
_NO_POINTS: _Points = frozenset()
_PLACING, _MOST_OPERATORS = "q Q cm m l re W W* n Do", 400_000


def _placings(holder: Any, forms: Any, matrix: Matrix) -> Iterator[tuple[Any, Matrix, _Points]]:
    """Yield what a page or form places, its matrix, and the corners of the paths that clip it."""
    stack: list[tuple[Matrix, _Points]] = []
    clip, path = _NO_POINTS, list[tuple[float, float]]()
    for each in pikepdf.parse_content_stream(holder, _PLACING)[:_MOST_OPERATORS]:
        match str(each.operator), list(each.operands):
            case "q", _:
                stack.append((matrix, clip))
            case "Q", _ if stack:
                matrix, clip = stack.pop()
            case "cm", numbers:
                matrix = multiply(matrix, _six(numbers))
            case (("m" | "l"), (x, y)):
                path.append(apply(matrix, float(x), float(y)))
            case "re", (x, y, width, height):
                right, top = float(x) + float(width), float(y) + float(height)
                path += [apply(matrix, float(x), float(y)), apply(matrix, right, top)]
            case (("W" | "W*"), _):
                clip = clip.union(path)
            case "n", _:
                path = []
            case "Do", (name,) if (form := forms.get(str(name))) is not None:
                yield form, matrix, clip


_MOST_SEGMENTS = 16
_WORD = re.compile(r"\w{3,}")


def _six(numbers: Any) -> Matrix:
    a, b, c, d, e, f = map(float, numbers)
    return (a, b, c, d, e, f)


def _layer_of(item: Any) -> str:
    """Return the name of the layer of an object; '' if it is always visible."""
    for index in range(raw.FPDFPageObj_CountMarks(item)):
        mark, length = raw.FPDFPageObj_GetMark(item, index), ctypes.c_ulong()
        if raw.FPDFPageObjMark_GetParamStringValue(mark, b"Name", None, 0, ctypes.byref(length)):
            buffer = (ctypes.c_ushort * (length.value // 2 + 1))()
            raw.FPDFPageObjMark_GetParamStringValue(mark, b"Name", buffer, length.value, ctypes.byref(length))
            return bytes(buffer)[: max(0, length.value - 2)].decode("utf-16-le", "replace")
    return ""
