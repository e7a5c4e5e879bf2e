"""Preflight of a PDF: boxes, fonts, order, standard, inks, and what is on its pages."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import PurePosixPath
from typing import Any, NamedTuple

import pikepdf
import pypdfium2
from PIL import Image, ImageChops

from cardgen.diagnostic import Severity
from cardgen.export.inks import has_transparency
from cardgen.export.page_objects import (
    Type,
    UnreadableFileError,
    open_pdf,
    page_names,
    pictures_on,
    readable,
    type_on,
)
from cardgen.export.pictures import LONGEST_SIDE, MOST_PIXELS, open_image, quiet_pillow
from cardgen.sheet.leaf import Layer
from cardgen.units import MM_PER_INCH, Box, Size, to_mm

# Requirements of a print service, and what pictures and inks have that differs.


@dataclass(frozen=True, slots=True)
class Requirements:
    """What a file must have; lengths are in millimeters, and sizes of type in points.

    `sizes` are the trim sizes and `pixels` the sizes of pictures, if only some are allowed. `ink_limit` is the maximum
    total of inks, such as 2.4, for `standard`, the version of PDF/X; without one, colors may be those of a screen.
    """

    title: str
    sizes: tuple[Size, ...] = ()
    pixels: Collection[tuple[int, int]] = ()
    bleed: float = 0.0
    safe: float = 0.0
    page_order: str = "front-back"
    standard: str | None = None
    ink_limit: float = 4.0
    most_cards: int | None = None
    smallest_type: float = 0.0
    min_dpi: int = 0


class Finding(NamedTuple):
    """A difference: the check that found it, its file, page from 1, card, and place on the page in millimeters."""

    check: str
    message: str
    file: str = ""
    page: int | None = None
    card: str = ""
    box: Box | None = None
    severity: Severity = Severity.ERROR


@dataclass(slots=True)
class Report:
    """What a preflight has measured and found."""

    findings: list[Finding] = field(default_factory=list)
    files: int = 0
    pages: int = 0

    @property
    def errors(self) -> int:
        """The number of findings that a service would refuse."""
        return sum(finding.severity is Severity.ERROR for finding in self.findings)


# Differences of measured lengths and resolutions that are rounding.
ROUNDING_MM = 0.05
ROUNDING_DPI = 2


def matches(size: Size, allowed: Collection[Size], tolerance: float = 0.15) -> bool:
    """Return whether a size is one of those allowed, upright or turned; without any, all are."""
    candidates = [turned for each in allowed for turned in (each, each.swap_sides())]
    return not candidates or any(
        max(abs(size.width - each.width), abs(size.height - each.height)) <= tolerance for each in candidates
    )


_SCREEN_OPERATORS = frozenset({"rg", "RG"})
_INK_OPERATORS = frozenset({"k", "K"})
_BLACK, _COLOURED = 0.9, 0.02
_ROUNDING = 0.005
_MOST_PIXELS = 50_000_000


def ink_findings(pdf: pikepdf.Pdf, needs: Requirements) -> Iterator[Finding]:
    """Yield the findings of each page and of the forms and pictures that it uses.

    A thing on several pages is reported for the first. Only files for a press have a limit.
    """
    if needs.standard is None:
        return
    seen: set[tuple[int, int]] = set()
    for number, page in enumerate(pdf.pages, 1):
        yield from _stream_findings(page.obj, page, needs, number)
        for name, each in _used(page.obj, seen):
            if each.get("/Subtype") == "/Form":
                yield from _stream_findings(each, each, needs, number)
            elif not each.get("/ImageMask", False):
                yield from _picture_findings(name, each, needs, number)


def _used(holder: Any, seen: set[tuple[int, int]]) -> Iterator[tuple[str, Any]]:
    """Yield the forms and pictures that a page uses, directly or in its forms, each once in the document."""
    waiting = [holder]
    while waiting:
        resources = waiting.pop().get("/Resources", {})
        xobjects: Mapping[str, Any] = dict(resources.get("/XObject", {}).items()) if resources else {}
        for name, each in xobjects.items():
            if each.objgen not in seen:
                seen.add(each.objgen)
                yield name, each
                waiting.append(each)


def _stream_findings(holder: Any, stream: Any, needs: Requirements, page: int) -> Iterator[Finding]:
    in_text = False
    most, has_screen_colours, rich_text = 0.0, False, None
    for each in pikepdf.parse_content_stream(stream):
        name = str(each.operator)
        if name in ("BT", "ET"):
            in_text = name == "BT"
        has_screen_colours |= name in _SCREEN_OPERATORS
        if name in _INK_OPERATORS and len(each.operands) == 4:
            ink = [float(level) for level in each.operands]
            most = max(most, sum(ink))
            if in_text and ink[3] >= _BLACK and sum(ink[:3]) > _COLOURED:
                rich_text = ink
    if has_screen_colours:
        yield Finding("ink", "a color is in RGB, not in CMYK", page=page)
    if most > needs.ink_limit + _ROUNDING:
        yield Finding("ink", _limit_message(needs, most), page=page)
    if rich_text:
        inks = " ".join(f"{letter}{level:.0%}" for letter, level in zip("CMYK", rich_text, strict=True))
        yield Finding("rich-black", f"black text must be black ink alone, not {inks}", page=page)


def _limit_message(needs: Requirements, most: float) -> str:
    return f"the inks must total at most {needs.ink_limit:.0%}, not {most:.0%}"


def _picture_findings(name: str, image: Any, needs: Requirements, page: int) -> Iterator[Finding]:
    if int(image.Width) * int(image.Height) > _MOST_PIXELS:
        yield Finding("picture", f"the picture {name.lstrip('/')} is too large to measure", page=page)
        return
    try:
        measured = pikepdf.PdfImage(image)
        # For JBIG2, pikepdf would start the program jbig2dec on a stranger's file.
        picture = None if "/JBIG2Decode" in measured.filters else measured.as_pil_image()
    except Exception:  # pikepdf and Pillow have a dozen classes for pictures that they cannot decode
        picture = None
    if picture is None:
        yield Finding("picture", f"the picture {name.lstrip('/')} cannot be measured", page=page)
        return
    if picture.mode == "CMYK":
        most = most_ink(picture)
        if most > needs.ink_limit + _ROUNDING:
            yield Finding("ink", f"in a picture, {_limit_message(needs, most)}", page=page)
    elif picture.mode not in ("1", "L"):
        yield Finding("ink", "a picture is in RGB, not in CMYK", page=page)


def most_ink(picture: Image.Image) -> float:
    """Return the largest total of inks at one place of a CMYK picture, such as 2.4."""
    channels = [channel.tobytes() for channel in picture.split()]
    return max(map(sum, set(zip(*channels, strict=True)))) / 255


PICTURE_SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".tif", ".tiff"})
# How much the shape of a picture may differ from that of the card with its bleed, as a fraction.
_SHAPE_TOLERANCE = 0.015
_FRONT, _BACK = "-front", "-back"


def picture_findings(content: bytes, needs: Requirements) -> Iterator[Finding]:
    """Yield the findings of one picture."""
    try:
        with quiet_pillow(), open_image(content) as image:
            if max(image.size) > LONGEST_SIDE or image.width * image.height > MOST_PIXELS:
                yield Finding("picture", "the picture is too large to measure")
                return
            image.load()
            yield from _picture_size_findings(image, needs)
            if image.mode == "CMYK" and (most := most_ink(image)) > needs.ink_limit + 0.005:
                yield Finding("ink", f"the inks must total at most {needs.ink_limit:.0%}, not {most:.0%}")
            yield from _picture_bleed_findings(image, needs)
    except (OSError, SyntaxError, ValueError, ArithmeticError, LookupError, TypeError, Image.DecompressionBombError):
        yield Finding("picture", "the file is not a readable picture")


def _picture_size_findings(image: Image.Image, needs: Requirements) -> Iterator[Finding]:
    size = image.size
    if needs.pixels:
        if size not in needs.pixels and size[::-1] not in needs.pixels:
            yield Finding("size", f"{needs.title} has no product with pictures of {size[0]} x {size[1]} pixels")
        return
    fitting = [whole for whole in _sizes_with_bleed(needs) if _same_shape(size, whole)]
    if not fitting and needs.sizes:
        yield Finding("size", f"{size[0]} x {size[1]} pixels have the shape of no card of {needs.title} with its bleed")
    if fitting:
        dpi = max(min(size[0] / whole.width, size[1] / whole.height) * MM_PER_INCH for whole in fitting)
        if dpi < needs.min_dpi - ROUNDING_DPI:
            yield Finding("resolution", f"the picture has {dpi:.0f} dpi, fewer than {needs.min_dpi}")


def _sizes_with_bleed(needs: Requirements) -> Iterator[Size]:
    for size in needs.sizes:
        whole = Size(size.width + 2 * needs.bleed, size.height + 2 * needs.bleed)
        yield from (whole, whole.swap_sides())


def _same_shape(pixels: tuple[int, int], whole: Size) -> bool:
    return abs(pixels[0] / pixels[1] / (whole.width / whole.height) - 1) < _SHAPE_TOLERANCE


def _picture_bleed_findings(image: Image.Image, needs: Requirements) -> Iterator[Finding]:
    whole = next((each for each in _sizes_with_bleed(needs) if _same_shape(image.size, each)), None)
    if whole is None or not needs.bleed:
        return
    across, down = (needs.bleed * pixels / side for pixels, side in zip(image.size, whole, strict=True))
    trim = (across, down, image.width - across, image.height - down)
    for side in blank_bleed_sides(image.convert("RGB"), trim, (across, down)):
        message = f"the artwork at the {side} ends at the trim and does not extend into the bleed"
        yield Finding("blank-bleed", message, severity=Severity.WARNING)


def set_findings(files: Iterable[str], needs: Requirements) -> Iterator[Finding]:
    """Yield the findings of a set of picture files, whose names end with '-front' or '-back'."""
    names = [PurePosixPath(file).stem for file in files]
    fronts = sum(name.endswith(_FRONT) for name in names)
    if needs.most_cards is not None and fronts > needs.most_cards:
        yield Finding("count", f"{needs.title} takes at most {needs.most_cards} cards, not {fronts}")
    if names and not any(name.endswith(_BACK) for name in names):
        yield Finding("count", "no picture is a back; the names of backs end with '-back'", severity=Severity.WARNING)


_WHITE = (255, 255, 255)
_NEARLY_WHITE = 8


def blank_bleed_sides(
    image: Image.Image, trim: tuple[float, float, float, float], bleed: tuple[float, float]
) -> Iterator[str]:
    """Yield the sides where the outer quarter of the bleed is white, but the card along the trim is not.

    `trim` is the box of the card in pixels: left, top, right, and bottom; `bleed` is its width across and down.
    """
    left, top, right, bottom = (round(side) for side in trim)
    width, height = image.size
    across, down = (max(1, round(side / 4)) for side in bleed)
    if not (-2 <= left < right <= width + 2 and -2 <= top < bottom <= height + 2):
        return  # The trim is not on the page, which other findings say.
    begin, above = max(0, round(trim[0] - bleed[0])), max(0, round(trim[1] - bleed[1]))
    end, below = min(width, round(trim[2] + bleed[0])), min(height, round(trim[3] + bleed[1]))
    strips = {
        "left": ((begin, top, min(begin + across, left), bottom), (left + 1, top, left + 3, bottom)),
        "top": ((left, above, right, min(above + down, top)), (left, top + 1, right, top + 3)),
        "right": ((max(end - across, right), top, end, bottom), (right - 3, top, right - 1, bottom)),
        "bottom": ((left, max(below - down, bottom), right, below), (left, bottom - 3, right, bottom - 1)),
    }
    for side, (outside, inside) in strips.items():
        has_area = outside[2] > outside[0] and outside[3] > outside[1]
        if has_area and _is_white(image.crop(outside)) and not _is_white(image.crop(inside)):
            yield side


def _is_white(strip: Image.Image) -> bool:
    difference = ImageChops.difference(strip, Image.new("RGB", strip.size, _WHITE))
    return all(high <= _NEARLY_WHITE for _, high in difference.getextrema())  # type: ignore[misc]  # three channels


_MAX_FINDINGS = 20
# A page of more than this many times the area of the largest card holds several.
_SEVERAL = 2.5
Check = Callable[[pikepdf.Pdf, Requirements], Iterator[Finding]]


def preflight_document(content: bytes, needs: Requirements) -> tuple[list[Finding], int]:
    """Return the findings of a PDF, and the number of its pages.

    Raises UnreadableFileError if it cannot be read.
    """
    with readable():
        with open_pdf(content) as pdf:
            count = len(pdf.pages)
            if sheet := next(_sheet_findings(pdf, needs), None):
                return [sheet], count
            names = page_names(pdf)
            findings = [each for check in _CHECKS for each in _limited(check(pdf, needs))]
            boxes = [[_corners(box) for box in (page.mediabox, page.trimbox)] for page in pdf.pages]
        with pypdfium2.PdfDocument(content) as document:
            if len(document) != count:
                raise UnreadableFileError("the file is not a valid PDF")
            for number, (media, trim) in enumerate(boxes):
                findings += _limited(page_findings(document[number], media, trim, needs, number + 1))
        return [each._replace(card=names.get(each.page or 0, "")) for each in dict.fromkeys(findings)], count


def _corners(rectangle: Any) -> list[float]:
    """Return left, bottom, right, and top of a rectangle, in mm. A file may have any two opposite corners.

    Source: ISO 32000-2, 7.9.5.
    """
    (left, right), (bottom, top) = (sorted(to_mm(float(rectangle[at])) for at in (side, side + 2)) for side in (0, 1))
    return [left, bottom, right, top]


def _limited(findings: Iterator[Finding]) -> list[Finding]:
    """Return the first findings of a check; a broken file would have thousands."""
    return list(islice(findings, _MAX_FINDINGS))


def _sheet_findings(pdf: pikepdf.Pdf, needs: Requirements) -> Iterator[Finding]:
    """Yield a finding for sheets of several cards, of which nothing else is worth measuring."""
    properties: Any = pdf.Root.get("/OCProperties", {})
    layers = {str(each.get("/Name", "")) for each in properties.get("/OCGs", ())}
    largest = max((width * height for width, height in needs.sizes), default=None)
    first = _corners(pdf.pages[0].trimbox)
    trim = (first[2] - first[0]) * (first[3] - first[1])
    if Layer.CUTS in layers or (largest is not None and trim > _SEVERAL * largest):
        message = f"the file has sheets of several cards, but {needs.title} wants one card per page"
        yield Finding("sheet", f"{message}; export the cards to it instead")


def _size_findings(pdf: pikepdf.Pdf, needs: Requirements) -> Iterator[Finding]:
    for number, page in enumerate(pdf.pages, 1):
        left, bottom, right, top = _corners(page.trimbox)
        size = Size(right - left, top - bottom)
        if not matches(size, needs.sizes):
            message = f"the trim is {size.width:.1f} x {size.height:.1f} mm, which {needs.title} does not cut"
            yield Finding("size", message, page=number)
        if "/TrimBox" not in page.obj:
            yield Finding("trim-box", "the page has no TrimBox, so that nobody knows where to cut", page=number)


def _bleed_findings(pdf: pikepdf.Pdf, needs: Requirements) -> Iterator[Finding]:
    for number, page in enumerate(pdf.pages, 1):
        trim, media = _corners(page.trimbox), _corners(page.mediabox)
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


_DPI = 72
_TYPE_ROUNDING = 0.05


def page_findings(
    page: pypdfium2.PdfPage, media: Sequence[float], trim: Sequence[float], needs: Requirements, number: int
) -> Iterator[Finding]:
    """Yield the findings of one page; `media` and `trim` are boxes in millimeters, y upward."""
    yield from _type_findings(page, media, trim, needs, number)
    for picture in pictures_on(page):
        if 0 < picture.dpi < needs.min_dpi - ROUNDING_DPI:
            yield Finding("resolution", f"a picture has {picture.dpi:.0f} dpi, fewer than {needs.min_dpi}", page=number)
    if needs.bleed:
        image = page.render(scale=_DPI / 72).to_pil().convert("RGB")
        per_mm = _DPI / 25.4
        box = (trim[0] - media[0], media[3] - trim[3], trim[2] - media[0], media[3] - trim[1])
        bleed = needs.bleed * per_mm
        sides = blank_bleed_sides(image, tuple(side * per_mm for side in box), (bleed, bleed))  # type: ignore[arg-type]
        for side in sides:
            message = f"the artwork at the {side} ends at the trim and does not extend into the bleed"
            yield Finding("blank-bleed", message, page=number, severity=Severity.WARNING)


def _type_findings(
    page: pypdfium2.PdfPage, media: Sequence[float], trim: Sequence[float], needs: Requirements, number: int
) -> Iterator[Finding]:
    """Yield the type that is nearest to the trim, and the smallest, if they are too near or too small."""
    placed = list(type_on(page))
    if not placed:
        return

    def distance(each: Type) -> float:
        left, bottom, right, top = each.extent
        return min(left - trim[0], bottom - trim[1], trim[2] - right, trim[3] - top)

    def box(each: Type) -> Box:
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
