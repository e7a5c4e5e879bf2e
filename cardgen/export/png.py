"""PDF pages as PNG files, rasterized by pdfium."""

from __future__ import annotations

import ctypes
import math
import struct
import weakref
import zlib
from collections.abc import Collection, Mapping
from types import MappingProxyType
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
# Grounds that a process keeps, and the bytes of the largest one; larger ones are drawn anew.
# More would take gigabytes of memory; a mat of 30 x 22 inches has 60 million at 300 dpi.
MOST_PIXELS = 250_000_000
_MAX_GROUNDS, _MAX_GROUND_BYTES = 4, 1 << 25


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

    The background of the pages in `transparent` is transparent; that of the others is white. `grounds` maps a page to
    one behind the others, of the same size, that is painted below it; it is drawn once for all pages on it. If `jobs`
    is greater than 1 and there are enough pages, that many processes, or the workers of a cluster, prepare the next
    pages while pages are requested in order.
    """

    def __init__(
        self,
        document: bytes,
        dpi: float,
        jobs: int = 1,
        transparent: Collection[int] = (),
        grounds: Mapping[int, int] = MappingProxyType({}),
    ) -> None:
        count = count_pages(document) - len(set(grounds.values()))
        self._pool = shared_pool(_PageRasterizer, (document, dpi, frozenset(transparent), dict(grounds)), count, jobs)

    def page(self, index: int) -> bytes:
        """Return a page as PNG.

        Its resolution is recorded in the file, and lower for a page that would have more than MOST_PIXELS; its sides
        are rounded to whole pixels.
        """
        return self._pool.result(index)


class _PageRasterizer:
    """Rasterizer of single pages in this process."""

    def __init__(self, document: bytes, dpi: float, transparent: frozenset[int], grounds: Mapping[int, int]) -> None:
        self._document = pypdfium2.PdfDocument(document)
        # Some versions of pypdfium2 keep documents open in reference cycles, and warn of them when the program ends.
        weakref.finalize(self, self._document.close)
        self._dpi = dpi
        self._transparent = transparent
        self._grounds = grounds
        self._ground_buffers: dict[tuple[int, _PixelFormat], bytes] = {}

    def __call__(self, index: int) -> bytes:
        pixels = _TRANSPARENT if index in self._transparent else _OPAQUE
        bitmap = self._paint(index, pixels)
        rows = memoryview(bitmap.buffer)
        dpi = self._dpi_of(self._document[index])
        png = _encode_png(bitmap.width, bitmap.height, bitmap.stride, rows, dpi, pixels)
        bitmap.close()
        return png

    def _paint(self, index: int, pixels: _PixelFormat) -> pypdfium2.PdfBitmap:
        """Return a bitmap with a page, and below it the background or its ground."""
        page = self._document[index]
        dpi = self._dpi_of(page)
        width, height = (max(1, round(side * dpi / 72)) for side in page.get_size())
        bitmap = pypdfium2.PdfBitmap.new_native(width, height, pixels.bitmap)
        ground = self._grounds.get(index)
        if ground is None or bitmap.stride * height > _MAX_GROUND_BYTES:
            bitmap.fill_rect(pixels.background, 0, 0, width, height)
            if ground is not None:
                _render(self._document[ground], bitmap)
        else:
            ctypes.memmove(bitmap.buffer, self._ground_buffer(ground, pixels), bitmap.stride * height)
        _render(page, bitmap)
        return bitmap

    def _dpi_of(self, page: pypdfium2.PdfPage) -> float:
        width, height = page.get_size()
        return min(self._dpi, 72 * math.sqrt(MOST_PIXELS / (width * height)))

    def _ground_buffer(self, ground: int, pixels: _PixelFormat) -> bytes:
        key = (ground, pixels)
        if key not in self._ground_buffers:
            if len(self._ground_buffers) >= _MAX_GROUNDS:
                self._ground_buffers.clear()
            bitmap = self._paint(ground, pixels)
            self._ground_buffers[key] = bytes(bitmap.buffer)
            bitmap.close()
        return self._ground_buffers[key]


def _render(page: pypdfium2.PdfPage, bitmap: pypdfium2.PdfBitmap) -> None:
    """Paint a page over a bitmap of its size, and close it."""
    raw.FPDF_RenderPageBitmap(bitmap, page, 0, 0, bitmap.width, bitmap.height, 0, raw.FPDF_REVERSE_BYTE_ORDER)
    page.close()


def _encode_png(
    width: int, height: int, stride: int, rows: bytes | memoryview, dpi: float, pixels: _PixelFormat = _OPAQUE
) -> bytes:
    """Encode rows of pixels, each `stride` bytes long, as PNG."""
    per_metre = round(dpi * 1000 / MM_PER_INCH)
    length = pixels.channels * width
    # Each row follows the number of its filter, which is 0 for none.
    lines = b"\0".join([b"", *[rows[start : start + length] for start in range(0, height * stride, stride)]])
    chunks = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, _EIGHT_BITS, pixels.colour_type, 0, 0, 0)),
        (b"pHYs", struct.pack(">IIB", per_metre, per_metre, _PER_METRE)),
        (b"IDAT", zlib.compress(lines, _COMPRESSION)),
        (b"IEND", b""),
    )
    return _SIGNATURE + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )
