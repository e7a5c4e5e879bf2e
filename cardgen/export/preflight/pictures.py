"""Preflight of pictures: size in pixels, resolution, inks, blank bleed, and pairs of sides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from PIL import Image

from cardgen.diagnostic import Severity
from cardgen.export.images.picture import LONGEST_SIDE, MOST_PIXELS, open_image, quiet_pillow
from cardgen.export.preflight.findings import ROUNDING_DPI, Finding, Requirements
from cardgen.export.preflight.raster import blank_bleed_sides
from cardgen.export.preflight.separation import most_ink
from cardgen.units import MM_PER_INCH, Size

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
            yield from _size_findings(image, needs)
            yield from _ink_findings(image, needs)
            yield from _bleed_findings(image, needs)
    except (OSError, SyntaxError, ValueError, ArithmeticError, LookupError, TypeError, Image.DecompressionBombError):
        yield Finding("picture", "the file is not a readable picture")


def _size_findings(image: Image.Image, needs: Requirements) -> Iterator[Finding]:
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


def _ink_findings(image: Image.Image, needs: Requirements) -> Iterator[Finding]:
    if image.mode == "CMYK" and (most := most_ink(image)) > needs.ink_limit + 0.005:
        yield Finding("ink", f"the inks must total at most {needs.ink_limit:.0%}, not {most:.0%}")


def _bleed_findings(image: Image.Image, needs: Requirements) -> Iterator[Finding]:
    whole = next((each for each in _sizes_with_bleed(needs) if _same_shape(image.size, each)), None)
    if whole is None or not needs.bleed:
        return
    across, down = (needs.bleed * pixels / side for pixels, side in zip(image.size, whole, strict=True))
    trim = (across, down, image.width - across, image.height - down)
    for side in blank_bleed_sides(image.convert("RGB"), trim, (across, down)):
        message = f"the bleed is blank at the {side}, where the card is not"
        yield Finding("blank-bleed", message, severity=Severity.WARNING)


def set_findings(files: Iterable[str], needs: Requirements) -> Iterator[Finding]:
    """Yield the findings of a set of picture files, whose names end with '-front' or '-back'."""
    names = [PurePosixPath(file).stem for file in files]
    fronts = sum(name.endswith(_FRONT) for name in names)
    if needs.most_cards is not None and fronts > needs.most_cards:
        yield Finding("count", f"{needs.title} takes at most {needs.most_cards} cards, not {fronts}")
    if names and not any(name.endswith(_BACK) for name in names):
        yield Finding("count", "no picture is a back; the names of backs end with '-back'", severity=Severity.WARNING)
