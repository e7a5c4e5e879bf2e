"""What is on a page: type near the trim, its size, resolution of pictures, and blank bleed."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import hypot, sqrt
from typing import Any, NamedTuple

import pypdfium2
from pypdfium2 import raw

from cardgen.affine import IDENTITY, Matrix, apply, multiply
from cardgen.diagnostic import Severity
from cardgen.export.preflight.findings import ROUNDING_DPI, ROUNDING_MM, Finding, Requirements
from cardgen.export.preflight.raster import blank_bleed_sides
from cardgen.units import Box, to_mm

_DPI = 72
_MOST_CHARACTERS = 100_000
_MOST_OBJECTS = 100_000
_DEEPEST = 10
_TYPE_ROUNDING = 0.05


def page_findings(
    page: pypdfium2.PdfPage, media: Sequence[float], trim: Sequence[float], needs: Requirements, number: int
) -> Iterator[Finding]:
    """Yield the findings of one page; `media` and `trim` are boxes in millimeters, y upward."""
    yield from _type_findings(page, media, trim, needs, number)
    yield from _resolution_findings(page, needs, number)
    if needs.bleed:
        image = page.render(scale=_DPI / 72).to_pil().convert("RGB")
        per_mm = _DPI / 25.4
        box = (trim[0] - media[0], media[3] - trim[3], trim[2] - media[0], media[3] - trim[1])
        bleed = needs.bleed * per_mm
        sides = blank_bleed_sides(image, tuple(side * per_mm for side in box), (bleed, bleed))  # type: ignore[arg-type]
        for side in sides:
            message = f"the bleed is blank at the {side}, where the card is not"
            yield Finding("blank-bleed", message, page=number, severity=Severity.WARNING)


class _Placed(NamedTuple):
    """An object of a page, and the matrix from its space to that of the page, in points, y upward."""

    item: Any
    matrix: Matrix


def _objects(page: pypdfium2.PdfPage, kind: int) -> Iterator[_Placed]:
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
                yield _Placed(item, matrix)
            elif found == raw.FPDF_PAGEOBJ_FORM and depth < _DEEPEST:
                inner = multiply(matrix, _matrix_of(item))
                waiting.append((item, raw.FPDFFormObj_CountObjects(item), raw.FPDFFormObj_GetObject, inner, depth + 1))


def _matrix_of(item: Any) -> Matrix:
    matrix = raw.FS_MATRIX()
    raw.FPDFPageObj_GetMatrix(item, ctypes.byref(matrix))
    return (matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)


class _Type(NamedTuple):
    """Type on a page: left, bottom, right, and top in mm, y upward, its size in points, and its word."""

    extent: tuple[float, ...]
    size: float
    word: Callable[[], str]


def _type_on(page: pypdfium2.PdfPage) -> Iterator[_Type]:
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
                scale = _scale(multiply(matrix, _matrix_of(item)))
                extent = tuple(map(to_mm, (min(xs), min(ys), max(xs), max(ys))))
                if extent[0] < extent[2] and extent[1] < extent[3]:
                    yield _Type(extent, size.value * scale, partial(_text_of, item, text))
    for index in range(min(text.count_chars(), _MOST_CHARACTERS)):
        if not text.get_text_range(index, 1).strip():
            continue
        if replaced and _address(raw.FPDFText_GetTextObject(text, index)) in replaced:
            continue
        matrix = raw.FS_MATRIX()
        raw.FPDFText_GetMatrix(text, index, ctypes.byref(matrix))
        scale = _scale((matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f))
        size_there = float(raw.FPDFText_GetFontSize(text, index)) * scale
        yield _Type(tuple(map(to_mm, text.get_charbox(index))), size_there, partial(_word, text, index))


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


def _text_of(item: Any, text: pypdfium2.PdfTextPage) -> str:
    """Return the first word of a text object."""
    length = raw.FPDFTextObj_GetText(item, text, None, 0)
    buffer = (ctypes.c_ushort * (length // 2 + 1))()
    raw.FPDFTextObj_GetText(item, text, buffer, length)
    words = bytes(buffer)[: max(0, length - 2)].decode("utf-16-le", "replace").split()
    return words[0] if words else ""


def _type_findings(
    page: pypdfium2.PdfPage, media: Sequence[float], trim: Sequence[float], needs: Requirements, number: int
) -> Iterator[Finding]:
    """Yield the type that is nearest to the trim, and the smallest, if they are too near or too small."""
    placed = list(_type_on(page))
    if not placed:
        return

    def distance(each: _Type) -> float:
        left, bottom, right, top = each.extent
        return min(left - trim[0], bottom - trim[1], trim[2] - right, trim[3] - top)

    def box(each: _Type) -> Box:
        left, bottom, right, top = each.extent
        return Box(left - media[0], media[3] - top, right - left, top - bottom)

    nearest = min(placed, key=distance)
    if distance(nearest) < needs.safe - ROUNDING_MM:
        what = f"'{nearest.word()}' is {distance(nearest):.1f} mm from the trim, not {needs.safe:.1f} mm"
        yield Finding("safe-zone", what, page=number, box=box(nearest))
    smallest = min(placed, key=lambda each: each.size)
    if smallest.size < needs.smallest_type - _TYPE_ROUNDING:
        what = f"'{smallest.word()}' is {smallest.size:.1f} pt, smaller than {needs.smallest_type:g} pt"
        yield Finding("type-size", what, page=number, box=box(smallest))


def _word(text: pypdfium2.PdfTextPage, index: int) -> str:
    """Return the word around a character."""
    around = text.get_text_range(max(0, index - 20), 40)
    at = min(index, 20)
    start = max(around.rfind(separator, 0, at) for separator in " \r\n") + 1
    words: list[str] = around[start:].split()
    return words[0] if words else ""


def _resolution_findings(page: pypdfium2.PdfPage, needs: Requirements, number: int) -> Iterator[Finding]:
    for item, matrix in _objects(page, raw.FPDF_PAGEOBJ_IMAGE):
        wide, high = ctypes.c_uint(), ctypes.c_uint()
        if raw.FPDFImageObj_GetImagePixelSize(item, ctypes.byref(wide), ctypes.byref(high)):
            # A picture is the unit square of its space.
            a, b, c, d, *_ = multiply(matrix, _matrix_of(item))
            across, down = hypot(a, b) or 1.0, hypot(c, d) or 1.0
            dpi = min(wide.value / across, high.value / down) * 72
            if 0 < dpi < needs.min_dpi - ROUNDING_DPI:
                yield Finding("resolution", f"a picture has {dpi:.0f} dpi, fewer than {needs.min_dpi}", page=number)
