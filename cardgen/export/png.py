"""PDF pages as PNG files, rasterized by pdfium."""

from __future__ import annotations

import struct
import weakref
import zlib
from collections.abc import Collection, Iterator
from typing import NamedTuple

import pypdfium2
from pypdfium2 import raw

from cardgen.runtime.cluster.pool import shared_pool
from cardgen.units import MM_PER_INCH

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_EIGHT_BITS, _PER_METRE = 8, 1
# Flat colors compress well without filters; a higher level takes twice the time to save a tenth of the size. Pillow,
# which always tries filters, takes 2.3 to 2.9 times the processor time of this encoder, for files a tenth larger.
_COMPRESSION = 3
_WHITE = (255, 255, 255, 255)


class _PixelFormat(NamedTuple):
    """Format of pixels in pdfium and in PNG, and the background."""

    bitmap: int
    channels: int
    colour_type: int
    background: tuple[int, int, int, int]


_OPAQUE = _PixelFormat(raw.FPDFBitmap_BGR, 3, 2, _WHITE)
_TRANSPARENT = _PixelFormat(raw.FPDFBitmap_BGRA, 4, 6, (255, 255, 255, 0))


def count_pages(document: bytes) -> int:
    """Return the number of pages of a PDF."""
    with pypdfium2.PdfDocument(document) as pages:
        return len(pages)


class Rasterizer:
    """Rasterizer of the pages of one document, at a resolution in dpi.

    The background of the pages in `transparent` is transparent; that of the others is white. If `jobs` is greater than
    1 and there are enough pages, that many processes, or the workers of a cluster, prepare the next pages while pages
    are requested in order.
    """

    def __init__(self, document: bytes, dpi: float, jobs: int = 1, transparent: Collection[int] = ()) -> None:
        self._pool = shared_pool(_PageRasterizer, (document, dpi, frozenset(transparent)), count_pages(document), jobs)

    def page(self, index: int) -> bytes:
        """Return a page as PNG.

        Its resolution is recorded in the file; its sides are rounded to whole pixels.
        """
        return self._pool.result(index)


class _PageRasterizer:
    """Rasterizer of single pages in this process."""

    def __init__(self, document: bytes, dpi: float, transparent: frozenset[int]) -> None:
        self._document = pypdfium2.PdfDocument(document)
        # Some versions of pypdfium2 keep documents open in reference cycles, and warn of them when the program ends.
        weakref.finalize(self, self._document.close)
        self._dpi = dpi
        self._transparent = transparent

    def __call__(self, index: int) -> bytes:
        page = self._document[index]
        pixels = _TRANSPARENT if index in self._transparent else _OPAQUE
        width, height = (max(1, round(side * self._dpi / 72)) for side in page.get_size())
        bitmap = pypdfium2.PdfBitmap.new_native(width, height, pixels.bitmap)
        bitmap.fill_rect(pixels.background, 0, 0, width, height)
        raw.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, raw.FPDF_REVERSE_BYTE_ORDER)
        rows = bytes(bitmap.buffer)
        stride = bitmap.stride
        bitmap.close()
        page.close()
        return _encode_png(width, height, stride, rows, self._dpi, pixels)


def _encode_png(width: int, height: int, stride: int, rows: bytes, dpi: float, pixels: _PixelFormat = _OPAQUE) -> bytes:
    """Encode rows of pixels, each `stride` bytes long, as PNG."""
    per_metre = round(dpi * 1000 / MM_PER_INCH)
    lines = b"".join(_unfiltered_rows(pixels.channels * width, height, stride, rows))
    chunks = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, _EIGHT_BITS, pixels.colour_type, 0, 0, 0)),
        (b"pHYs", struct.pack(">IIB", per_metre, per_metre, _PER_METRE)),
        (b"IDAT", zlib.compress(lines, _COMPRESSION)),
        (b"IEND", b""),
    )
    return _SIGNATURE + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )


def _unfiltered_rows(length: int, height: int, stride: int, rows: bytes) -> Iterator[bytes]:
    for start in range(0, height * stride, stride):
        yield b"\0"
        yield rows[start : start + length]
