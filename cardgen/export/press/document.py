"""Finished PDFs of cards made to a PDF/X standard."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import pikepdf
from pikepdf import Name

from cardgen.export.press.content import convert_page, convert_stream
from cardgen.export.press.cut_contour import add_cut_contours
from cardgen.export.press.dictionaries import remove_key
from cardgen.export.press.flatten import flatten
from cardgen.export.press.ink import Inks, OutputProfile
from cardgen.export.press.pdfx import PressStandard, make_pdfx
from cardgen.export.press.shadings import convert_shading
from cardgen.sheet.page import SheetPage


@dataclass(frozen=True, slots=True)
class PressSettings:
    """Requirements of a press.

    `ink_limit` is the maximum total of inks, such as 2.4 for 240%. `cut_contour` is the name of the spot color of cut
    lines; without it, there are none. `corner_radius` is in millimeters, and `dpi` is the resolution of flattened
    pages.
    """

    profile: OutputProfile
    standard: PressStandard = PressStandard.X4
    ink_limit: float = 3.0
    cut_contour: str | None = "CutContour"
    corner_radius: float = 0.0
    dpi: int = 300


def make_press_pdf(document: bytes, pages: Sequence[SheetPage[Any]], settings: PressSettings) -> bytes:
    """Return a document in ink, made to a standard; the same input gives the same bytes.

    `pages` are those that the document was drawn from.
    """
    inks = Inks(settings.profile, settings.ink_limit)
    with pikepdf.open(BytesIO(document)) as pdf:
        if not settings.standard.has_layers:
            flatten(pdf, document, settings.dpi)
        _convert(pdf, inks)
        if settings.cut_contour:
            add_cut_contours(
                pdf, pages, settings.cut_contour, settings.corner_radius, layered=settings.standard.has_layers
            )
        identity = uuid.UUID(bytes=hashlib.sha256(document + settings.profile.content).digest()[:16], version=4)
        make_pdfx(pdf, settings.standard, settings.profile, str(identity))
        return _saved(pdf, settings.standard)


def _convert(pdf: pikepdf.Pdf, inks: Inks) -> None:
    # Converted first, because converting a stream changes neither its number nor its dictionary.
    for page in pdf.pages:
        convert_page(pdf, page, inks)
    for each in list(pdf.objects):
        if isinstance(each, pikepdf.Stream):
            _convert_stream(pdf, each, inks)
        _convert_dictionary(pdf, each, inks)


def _convert_stream(pdf: pikepdf.Pdf, stream: Any, inks: Inks) -> None:
    if stream.get("/Subtype") == Name.Image:
        _convert_picture(stream, inks)
    elif stream.get("/Subtype") == Name.Form or stream.get("/PatternType") == 1:
        convert_stream(pdf, stream, inks)


def _convert_dictionary(pdf: pikepdf.Pdf, each: Any, inks: Inks) -> None:
    """Convert the gradients and groups in a dictionary."""
    if not isinstance(each, pikepdf.Dictionary | pikepdf.Stream):
        return
    if "/ShadingType" in each:
        convert_shading(pdf, each, inks)
    if isinstance(shading := each.get("/Shading"), pikepdf.Dictionary):
        shadings = [shading] if "/ShadingType" in shading else shading.values()
        for part in shadings:
            convert_shading(pdf, part, inks)
    for pattern in _patterns(each):
        if isinstance(shading := pattern.get("/Shading"), pikepdf.Dictionary):
            convert_shading(pdf, shading, inks)
    group = each.get("/Group")
    if isinstance(group, pikepdf.Dictionary) and group.get("/CS") == Name.DeviceRGB:
        group.CS = Name.DeviceCMYK
    if isinstance(resources := each.get("/Resources"), pikepdf.Dictionary) and not resources.is_indirect:
        _convert_dictionary(pdf, resources, inks)


def _patterns(each: Any) -> list[Any]:
    patterns = each.get("/Pattern")
    return list(patterns.values()) if isinstance(patterns, pikepdf.Dictionary) else []


def _convert_picture(image: Any, inks: Inks) -> None:
    """Convert a picture in place; masks and opacities stay."""
    space = image.get("/ColorSpace")
    if image.get("/ImageMask", False) or space is None or space == Name.DeviceGray:
        return
    converted = inks.picture(pikepdf.PdfImage(image).as_pil_image())
    image.write(converted.tobytes())
    image.ColorSpace = Name.DeviceGray if converted.mode == "L" else Name.DeviceCMYK
    image.BitsPerComponent = 8
    remove_key(image, "/Decode")


def _saved(pdf: pikepdf.Pdf, standard: PressStandard) -> bytes:
    output = BytesIO()
    modes = pikepdf.ObjectStreamMode
    pdf.remove_unreferenced_resources()
    pdf.save(
        output,
        deterministic_id=True,
        compress_streams=True,
        recompress_flate=True,
        force_version=standard.pdf_version,
        object_stream_mode=modes.generate if standard.has_layers else modes.disable,
    )
    return output.getvalue()
