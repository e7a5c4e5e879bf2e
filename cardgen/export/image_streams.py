"""Checks of the data of PNG and JPEG files before they are decoded.

Decoders accept PNG files that lack rows, and decode JPEG files with any number of scans, however long that takes.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterator
from typing import NamedTuple

# Programs write about ten scans into a progressive JPEG.
MAX_SCANS = 100
_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
# Start and step of the pixels in each pass of an interlaced PNG (Adam7), across and down.
_PASSES = ((0, 8, 0, 8), (4, 8, 0, 8), (0, 4, 4, 8), (2, 4, 0, 4), (0, 2, 2, 4), (1, 2, 0, 2), (0, 1, 1, 2))
_MAX_OUTPUT = 1 << 20
_SIGNATURE_LENGTH = 8
# A marker in the entropy-coded data of a JPEG; stuffed zeros, restart markers, and fill bytes are none.
_MARKER = re.compile(rb"\xff([^\x00\xd0-\xd7\xff])")
_END, _START_OF_SCAN = b"\xd9", b"\xda"


class _Header(NamedTuple):
    """Header of a PNG: sides in pixels, and bits per pixel."""

    width: int
    height: int
    depth: int
    is_interlaced: bool

    def row_lengths(self) -> Iterator[tuple[int, int]]:
        """Yield the number of rows and the bytes per row of each pass, with the byte for the filter."""
        passes = _PASSES if self.is_interlaced else ((0, 1, 0, 1),)
        for left, across, top, down in passes:
            width, height = -(-(self.width - left) // across), -(-(self.height - top) // down)
            if width > 0 and height > 0:
                yield height, 1 + (width * self.depth + 7) // 8


def check_png(content: bytes) -> None:
    """Raise ValueError if a PNG has less data than its size requires."""
    header = _read_header(content)
    expected = sum(rows * length for rows, length in header.row_lengths())
    actual = _data_length(content, expected)
    if actual < expected:
        rows = "" if header.is_interlaced else f" ({actual * header.height // expected} of {header.height} rows)"
        raise ValueError(f"it is truncated{rows}")


def _read_header(content: bytes) -> _Header:
    try:
        width, height, bits, colour, _, _, interlace = struct.unpack_from(">IIBBBBB", content, 16)
    except struct.error:
        raise ValueError("it is truncated") from None
    return _Header(width, height, bits * _CHANNELS.get(colour, 1), bool(interlace))


def _data_length(content: bytes, expected: int) -> int:
    """Return the length of the decompressed data, or some length from `expected` on; it is not kept."""
    inflater, length = zlib.decompressobj(), 0
    try:
        for chunk in _image_data(content):
            data = chunk
            while data and length < expected and not inflater.eof:
                length += len(inflater.decompress(data, _MAX_OUTPUT))
                data = inflater.unconsumed_tail
        while length < expected and (more := inflater.decompress(inflater.unconsumed_tail, _MAX_OUTPUT)):
            length += len(more)
    except zlib.error as error:
        raise ValueError(str(error)) from None
    return length


def _image_data(content: bytes) -> Iterator[bytes]:
    """Yield the content of the IDAT chunks."""
    position = _SIGNATURE_LENGTH
    while position + 8 <= len(content):
        length, kind = struct.unpack_from(">I4s", content, position)
        if kind == b"IDAT":
            yield content[position + 8 : position + 8 + length]
        position += 12 + length


def check_jpeg(content: bytes) -> None:
    """Raise ValueError if a JPEG has more than MAX_SCANS scans, each of which takes the time of a picture."""
    scans, position = 0, 2
    while match := _MARKER.search(content, position):
        marker, position = match[1], match.end()
        if marker == _END:
            return
        position += int.from_bytes(content[position : position + 2])
        scans += marker == _START_OF_SCAN
        if scans > MAX_SCANS:
            raise ValueError(f"it has more than {MAX_SCANS} scans; save it again, as a JPEG that is not progressive")


CHECKS = {"PNG": check_png, "JPEG": check_jpeg}
