"""Preflight of a PDF: boxes, fonts, order, standard, inks, and what is on its pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from io import BytesIO
from itertools import islice
from typing import Any

import pikepdf
import pypdfium2

from cardgen.export.preflight.findings import ROUNDING_MM, Finding, Requirements, matches
from cardgen.export.preflight.page_content import page_findings
from cardgen.export.preflight.separation import ink_findings
from cardgen.export.press.flatten import has_transparency
from cardgen.sheet.page import Layer
from cardgen.units import Size, to_mm

_MOST_PAGES = 5_000
_MAX_FINDINGS = 20
# A page of more than this many times the area of the largest card holds several.
_SEVERAL = 2.5
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
)
Check = Callable[[pikepdf.Pdf, Requirements], Iterator[Finding]]


class UnreadableFileError(ValueError):
    """A file that is not what its name says; its message is user-facing."""


def preflight_document(content: bytes, needs: Requirements) -> tuple[list[Finding], int]:
    """Return the findings of a PDF, and the number of its pages.

    Raises UnreadableFileError if it cannot be read.
    """
    try:
        return _measure(content, needs)
    except UnreadableFileError:
        raise
    except pikepdf.PasswordError:
        raise UnreadableFileError("the PDF is encrypted; save it without a password") from None
    except _BROKEN:
        raise UnreadableFileError("the file is not a valid PDF") from None


def _measure(content: bytes, needs: Requirements) -> tuple[list[Finding], int]:
    with pikepdf.open(BytesIO(content)) as pdf:
        count = len(pdf.pages)
        if not 0 < count <= _MOST_PAGES:
            raise UnreadableFileError(f"the PDF must have 1 to {_MOST_PAGES} pages, not {count}")
        if sheet := next(_sheet_findings(pdf, needs), None):
            return [sheet], count
        names = page_names(pdf)
        findings = [each for check in _CHECKS for each in _limited(check(pdf, needs))]
        boxes = [[[to_mm(float(side)) for side in box] for box in (p.mediabox, p.trimbox)] for p in pdf.pages]
    with pypdfium2.PdfDocument(content) as document:
        if len(document) != count:
            raise UnreadableFileError("the file is not a valid PDF")
        for number, (media, trim) in enumerate(boxes):
            findings += _limited(page_findings(document[number], media, trim, needs, number + 1))
    return [each._replace(card=names.get(each.page or 0, "")) for each in dict.fromkeys(findings)], count


def _limited(findings: Iterator[Finding]) -> list[Finding]:
    """Return the first findings of a check; a broken file would have thousands."""
    return list(islice(findings, _MAX_FINDINGS))


def page_names(pdf: pikepdf.Pdf) -> dict[int, str]:
    """Return the labels of pages by their number from 1, such as 'Sentinel front'."""
    names: dict[int, str] = {}
    if "/PageLabels" in pdf.Root and "/Nums" in pdf.Root.PageLabels:
        numbers = list(pdf.Root.PageLabels.Nums)
        for index, label in zip(numbers[::2], numbers[1::2], strict=False):
            names[int(index) + 1] = str(label.get("/P", ""))
    return names


def _sheet_findings(pdf: pikepdf.Pdf, needs: Requirements) -> Iterator[Finding]:
    """Yield a finding for sheets of several cards, of which nothing else is worth measuring."""
    properties: Any = pdf.Root.get("/OCProperties", {})
    layers = {str(each.get("/Name", "")) for each in properties.get("/OCGs", ())}
    largest = max((width * height for width, height in needs.sizes), default=None)
    first = [to_mm(float(side)) for side in pdf.pages[0].trimbox]
    trim = (first[2] - first[0]) * (first[3] - first[1])
    if Layer.CUTS in layers or (largest is not None and trim > _SEVERAL * largest):
        message = f"the file has sheets of several cards, but {needs.title} wants one card per page"
        yield Finding("sheet", f"{message}; export the cards to it instead")


def _size_findings(pdf: pikepdf.Pdf, needs: Requirements) -> Iterator[Finding]:
    for number, page in enumerate(pdf.pages, 1):
        left, bottom, right, top = (to_mm(float(side)) for side in page.trimbox)
        size = Size(right - left, top - bottom)
        if not matches(size, needs.sizes):
            message = f"the trim is {size.width:.1f} x {size.height:.1f} mm, which {needs.title} does not cut"
            yield Finding("size", message, page=number)
        if "/TrimBox" not in page.obj:
            yield Finding("trim-box", "the page has no TrimBox, so that nobody knows where to cut", page=number)


def _bleed_findings(pdf: pikepdf.Pdf, needs: Requirements) -> Iterator[Finding]:
    for number, page in enumerate(pdf.pages, 1):
        trim, media = ([to_mm(float(side)) for side in box] for box in (page.trimbox, page.mediabox))
        bleed = min(trim[0] - media[0], trim[1] - media[1], media[2] - trim[2], media[3] - trim[3])
        if bleed < needs.bleed - ROUNDING_MM:
            yield Finding("bleed", f"the bleed must be {needs.bleed:.2f} mm, not {bleed:.2f} mm", page=number)


def _font_findings(pdf: pikepdf.Pdf, _: Requirements) -> Iterator[Finding]:
    for each in pdf.objects:
        if isinstance(each, pikepdf.Dictionary) and each.get("/Type") == "/Font" and not _is_embedded(each):
            yield Finding("font", f"the font '{str(each.get('/BaseFont', '?')).lstrip('/')}' is not embedded")


def _is_embedded(font: Any) -> bool:
    if font.get("/Subtype") in ("/Type3", "/Type0"):
        return True  # the descendant of a composite font is a font of its own
    descriptor = font.get("/FontDescriptor", {})
    return any(key in descriptor for key in ("/FontFile", "/FontFile2", "/FontFile3"))


def _order_findings(pdf: pikepdf.Pdf, needs: Requirements) -> Iterator[Finding]:
    names = page_names(pdf)
    wanted = {"front-back": ("front", "back"), "back-front": ("back", "front")}.get(needs.page_order)
    if wanted is None or not any(name.endswith("back") for name in names.values()):
        return
    for number, name in sorted(names.items()):
        side = wanted[(number - 1) % 2]
        if name and not name.endswith(side):
            message = f"the page must be a {side}: {needs.title} wants {' before '.join(wanted)}"
            yield Finding("order", message, page=number)


def _count_findings(pdf: pikepdf.Pdf, needs: Requirements) -> Iterator[Finding]:
    names = page_names(pdf).values()
    backs = sum(name.endswith("back") for name in names)
    cards = len(pdf.pages) - backs if names else len(pdf.pages) // 2
    if needs.most_cards is not None and cards > needs.most_cards:
        yield Finding("count", f"{needs.title} takes at most {needs.most_cards} cards, not {cards}")
    if backs and len(pdf.pages) % 2:
        yield Finding("count", f"{len(pdf.pages)} pages cannot be pairs of front and back")


def _standard_findings(pdf: pikepdf.Pdf, needs: Requirements) -> Iterator[Finding]:
    if needs.standard is None:
        return
    version = str(pdf.docinfo.get("/GTS_PDFXVersion", "")) or "plain PDF"
    if version != needs.standard:
        yield Finding("standard", f"the file must be {needs.standard}, not {version}")
    if "/OutputIntents" not in pdf.Root:
        yield Finding("output-intent", "the file has no output intent, so that its inks are not defined")
    if needs.standard.startswith("PDF/X-1a"):
        if "/OCProperties" in pdf.Root:
            yield Finding("layers", "the file has layers, which must be flattened")
        for number, page in enumerate(pdf.pages, 1):
            if has_transparency(page.obj):
                yield Finding("transparency", "the page uses transparency, which must be flattened", page=number)


_CHECKS: tuple[Check, ...] = (
    _size_findings,
    _bleed_findings,
    _font_findings,
    _order_findings,
    _count_findings,
    _standard_findings,
    ink_findings,
)
