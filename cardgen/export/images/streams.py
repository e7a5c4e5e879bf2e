"""Checks of the data of picture files before they are decoded.

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


_VP8_START, _VP8L_START = b"\x9d\x01\x2a", b"\x2f"


def webp_size(content: bytes) -> tuple[int, int] | None:
    """Return the width and height in pixels that the head of a WebP file declares; None for other files."""
    head = content[:30].ljust(30, b"\0")
    if head[:4] != b"RIFF" or head[8:12] != b"WEBP":
        return None
    kind, data = head[12:16], head[20:]
    if kind == b"VP8X":
        return int.from_bytes(data[4:7], "little") + 1, int.from_bytes(data[7:10], "little") + 1
    if kind == b"VP8L" and data[:1] == _VP8L_START:
        bits = int.from_bytes(data[1:5], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8 " and data[3:6] == _VP8_START:
        width, height = struct.unpack_from("<HH", data, 6)
        return width & 0x3FFF, height & 0x3FFF
    return None


def check_webp(content: bytes) -> None:
    """Raise ValueError if a WebP is shorter than its head declares."""
    if len(content) < 8 + int.from_bytes(content[4:8], "little"):
        raise ValueError("it is truncated")


def check_gif(content: bytes) -> None:
    """Raise ValueError if a GIF ends before its first frame; Pillow checks the frame itself."""
    if len(content) < _MIN_GIF:
        raise ValueError("it is truncated")


_MIN_GIF = 14
CHECKS = {"PNG": check_png, "JPEG": check_jpeg, "WEBP": check_webp, "GIF": check_gif}
