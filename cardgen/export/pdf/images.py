"""Pictures as image XObjects (ISO 32000-1, 8.9.5), compressed when they are created.

JPEG files are embedded as they are. Other pictures are converted and compressed in strips, so that only one copy of
their pixels is in memory.
"""

from __future__ import annotations

import zlib
from typing import Any

from PIL import Image
from reportlab.pdfbase import pdfdoc

from cardgen.export.images.conversion import Converter, converter_for_pdf, strips
from cardgen.export.images.picture import is_jpeg, open_image, quiet_pillow

_SPACES = {"L": "DeviceGray", "RGB": "DeviceRGB", "CMYK": "DeviceCMYK"}
_MIN_COMPRESSION = 6


class ImageXObject(pdfdoc.PDFObject):  # type: ignore[misc]  # ReportLab has no types
    """A picture of compressed samples with 8 bits each.

    `entries` are further entries of its dictionary. `alpha`, if any, is the picture of its opacity.
    """

    __RefOnly__ = 1

    def __init__(
        self, size: tuple[int, int], mode: str, samples: bytes, entries: str, alpha: ImageXObject | None = None
    ) -> None:
        width, height = size
        self._head = (
            f"<< /Type /XObject /Subtype /Image /Width {width} /Height {height} /BitsPerComponent 8"
            f" /ColorSpace /{_SPACES[mode]} {entries} /Length {len(samples)}"
        )
        self._samples = samples
        self._alpha = alpha

    def format(self, document: Any) -> bytes:
        """Return the object as it is written to the file, once: its samples are not kept in memory twice."""
        alpha = b" /SMask " + pdfdoc.format(document.Reference(self._alpha), document) if self._alpha else b""
        samples, self._samples = self._samples, b""
        return b"%s%s >>\nstream\n%s\nendstream\n" % (self._head.encode(), alpha, samples)


def embed(content: bytes) -> ImageXObject:
    """Return the picture of a PNG or JPEG file, as it is stored: not turned by its EXIF orientation."""
    with quiet_pillow(), open_image(content) as image:
        convert = converter_for_pdf(image)
        if is_jpeg(image) and convert is None:
            return _embed_jpeg(image, content)
        return _embed_pixels(image, convert or _plain)


def _embed_jpeg(image: Image.Image, content: bytes) -> ImageXObject:
    inverted = " /Decode [1 0 1 0 1 0 1 0]" if image.mode == "CMYK" else ""
    return ImageXObject(image.size, image.mode, content, f"/Filter [/DCTDecode]{inverted}")


def _embed_pixels(image: Image.Image, convert: Converter) -> ImageXObject:
    colours, alphas = zlib.compressobj(_MIN_COMPRESSION), zlib.compressobj(_MIN_COMPRESSION)
    colour_parts: list[bytes] = []
    alpha_parts: list[bytes] = []
    mode = ""
    for strip in (convert(each) for _, each in strips(image)):
        mode = strip.mode.removesuffix("A")
        if strip.mode != mode:
            alpha_parts.append(alphas.compress(strip.getchannel("A").tobytes()))
        colour_parts.append(colours.compress(strip.convert(mode).tobytes() if strip.mode != mode else strip.tobytes()))
    flate = "/Filter /FlateDecode"
    samples = b"".join([*colour_parts, colours.flush()])
    if not alpha_parts:
        return ImageXObject(image.size, mode, samples, flate)
    alpha = ImageXObject(image.size, "L", b"".join([*alpha_parts, alphas.flush()]), f"{flate} /Decode [0 1]")
    return ImageXObject(image.size, mode, samples, flate, alpha)


def _plain(strip: Image.Image) -> Image.Image:
    """Return a strip in gray or color, with alpha if any of it can be transparent."""
    if strip.mode in ("L", "LA", "RGB", "RGBA"):
        return strip
    if strip.mode == "1":
        return strip.convert("L")
    return strip.convert("RGBA" if "transparency" in strip.info else "RGB")
