"""What is on a page: type near the trim, its size, resolution of pictures, and blank bleed."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from math import sqrt
from typing import Any

import pypdfium2
from pypdfium2 import raw

from cardgen.diagnostic import Severity
from cardgen.export.preflight.findings import ROUNDING_DPI, ROUNDING_MM, Finding, Requirements
from cardgen.export.preflight.raster import blank_bleed_sides
from cardgen.units import Box, to_mm

_DPI = 72
_MOST_CHARACTERS = 100_000
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


def _type_findings(
    page: pypdfium2.PdfPage, media: Sequence[float], trim: Sequence[float], needs: Requirements, number: int
) -> Iterator[Finding]:
    """Yield the character that is nearest to the trim, and the smallest one, if they are too near or too small."""
    text = page.get_textpage()
    nearest: tuple[float, int, Box] | None = None
    smallest: tuple[float, int, Box] | None = None
    for index in range(min(text.count_chars(), _MOST_CHARACTERS)):
        if not text.get_text_range(index, 1).strip():
            continue
        left, bottom, right, top = (to_mm(side) for side in text.get_charbox(index))
        distance = min(left - trim[0], bottom - trim[1], trim[2] - right, trim[3] - top)
        box = Box(left - media[0], media[3] - top, right - left, top - bottom)
        nearest = min(nearest or (distance, index, box), (distance, index, box))
        size = _type_size(text, index)
        smallest = min(smallest or (size, index, box), (size, index, box))
    if nearest and nearest[0] < needs.safe - ROUNDING_MM:
        what = f"'{_word(text, nearest[1])}' is {nearest[0]:.1f} mm from the trim, not {needs.safe:.1f} mm"
        yield Finding("safe-zone", what, page=number, box=nearest[2])
    if smallest and smallest[0] < needs.smallest_type - _TYPE_ROUNDING:
        what = f"'{_word(text, smallest[1])}' is {smallest[0]:.1f} pt, smaller than {needs.smallest_type:g} pt"
        yield Finding("type-size", what, page=number, box=smallest[2])


def _type_size(text: pypdfium2.PdfTextPage, index: int) -> float:
    matrix = raw.FS_MATRIX()
    raw.FPDFText_GetMatrix(text, index, ctypes.byref(matrix))
    scale = sqrt(abs(matrix.a * matrix.d - matrix.b * matrix.c)) or 1.0
    return float(raw.FPDFText_GetFontSize(text, index)) * scale


def _word(text: pypdfium2.PdfTextPage, index: int) -> str:
    """Return the word around a character."""
    around = text.get_text_range(max(0, index - 20), 40)
    at = min(index, 20)
    start = max(around.rfind(separator, 0, at) for separator in " \r\n") + 1
    words: list[str] = around[start:].split()
    return words[0] if words else ""


def _resolution_findings(page: pypdfium2.PdfPage, needs: Requirements, number: int) -> Iterator[Finding]:
    for item in page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=_DEEPEST):
        dpi = _resolution(item, page)
        if 0 < dpi < needs.min_dpi - ROUNDING_DPI:
            yield Finding("resolution", f"a picture has {dpi:.0f} dpi, fewer than {needs.min_dpi}", page=number)


def _resolution(item: Any, page: pypdfium2.PdfPage) -> float:
    metadata = raw.FPDF_IMAGEOBJ_METADATA()
    if not raw.FPDFImageObj_GetImageMetadata(item, page, ctypes.byref(metadata)):
        return 0.0
    return float(min(metadata.horizontal_dpi, metadata.vertical_dpi))
