"""Shared by export tests: handmade faces, and facts read from PDF bytes."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
from PIL import Image

from cardgen.face.face import Artwork, Face, Item, Text
from cardgen.text.copyfitting import set_line, set_text
from cardgen.text.fonts import Fonts
from cardgen.text.lines import Style
from cardgen.units import MM_PER_INCH, Box, Size

FONTS = Fonts()
CARD = Size(63, 88)
BLEED = 3.0
SERIF, SANS = Style("EB Garamond", 12.0), Style("Source Sans 3", 9.0)


def artwork(body: str, size: Size = CARD, bleed: float = BLEED) -> Artwork:
    """Return a chunk like those of the face stage.

    The viewBox is the trim with bleed, in mm.
    """
    wide, high = size.width + 2 * bleed, size.height + 2 * bleed
    return Artwork(
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'width="{wide:g}mm" height="{high:g}mm" '
        f'viewBox="{-bleed:g} {-bleed:g} {wide:g} {high:g}">{body}</svg>'.encode()
    )


def rectangle(box: Box, fill: str = "#000000") -> str:
    return f'<rect x="{box.x:g}" y="{box.y:g}" width="{box.width:g}" height="{box.height:g}" fill="{fill}"/>'


def face(*items: Item, size: Size = CARD, bleed: float = BLEED) -> Face:
    return Face(size, bleed, items)


def black(size: Size = CARD) -> Face:
    """Return a face that is black up to its trim."""
    return face(artwork(rectangle(Box(0, 0, *size)), size), size=size)


def line(text: str, x: float = 5, y: float = 10, style: Style = SERIF) -> Text:
    return Text(set_line(text, x, y, style, FONTS, min_size=6).lines)


def block(text: str, box: Box, style: Style = SANS) -> Text:
    return Text(set_text(text, box, style, FONTS, min_size=6).lines)


@lru_cache(maxsize=32)
def opened(content: bytes) -> pikepdf.Pdf:
    """Return an open document."""
    return pikepdf.open(io.BytesIO(content))


def objects(content: bytes, key: str, value: str) -> list[Any]:
    """Return all objects with `key` and `value`, such as /Type /Font."""
    found = [
        thing
        for thing in opened(content).objects
        if isinstance(thing, pikepdf.Stream | pikepdf.Dictionary) and thing.get(key) == pikepdf.Name(value)
    ]
    return list(found)


def text_of(content: bytes, page: int = 0) -> str:
    """Return the text of a page, as copied from a viewer.

    It has single line breaks.
    """
    document = pypdfium2.PdfDocument(content)
    try:
        return str(document[page].get_textpage().get_text_range()).replace("\r\n", "\n")
    finally:
        document.close()


def picture_of(content: bytes, page: int = 0, dpi: float = 300) -> Image.Image:
    """Return a page as a raster image."""
    document = pypdfium2.PdfDocument(content)
    try:
        image: Image.Image = document[page].render(scale=dpi / 72).to_pil().convert("RGB")
        return image
    finally:
        document.close()


def dark_box(image: Image.Image, dpi: float) -> Box:
    """Return the smallest box around everything darker than medium gray, in mm."""
    found = image.convert("L").point(lambda level: 255 if level < 128 else 0).getbbox()
    assert found, "nothing dark is there"
    left, top, right, bottom = (edge * MM_PER_INCH / dpi for edge in found)
    return Box(left, top, right - left, bottom - top)


def colour_box(image: Image.Image, colour: tuple[int, int, int], dpi: float) -> Box:
    """Return the smallest box around everything of about a color, in mm."""
    bands = image.split()
    masks = [
        band.point(lambda level, want=want: 255 if abs(level - want) < 60 else 0)
        for band, want in zip(bands, colour, strict=True)
    ]
    together = Image.merge("RGB", masks).convert("L").point(lambda level: 255 if level > 250 else 0)
    found = together.getbbox()
    assert found, f"nothing is {colour}"
    left, top, right, bottom = (edge * MM_PER_INCH / dpi for edge in found)
    return Box(left, top, right - left, bottom - top)


def millimetres(box: Any, height: float) -> Box:
    """Convert a page box (points, y upward) to mm from top left."""
    left, bottom, right, top = (float(edge) * MM_PER_INCH / 72 for edge in box)
    return Box(left, height - top, right - left, top - bottom)


def quartered(path: Path, wide: int = 40, high: int = 20) -> Path:
    """Write a four-color picture: red and green above blue and yellow."""
    image = Image.new("RGB", (wide, high))
    colours = ((255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 0))
    for index, colour in enumerate(colours):
        across, down = index % 2 * wide // 2, index // 2 * high // 2
        image.paste(colour, (across, down, across + wide // 2, down + high // 2))
    image.save(path, quality=95)
    return path


def see_through(path: Path) -> Path:
    """Write a PNG: left half opaque red, right half transparent."""
    rows = b"".join(b"\0" + b"\xff\0\0\xff" * 10 + b"\0\0\0\0" * 10 for _ in range(20))
    header = struct.pack(">IIBBBBB", 20, 20, 8, 6, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(_png_chunks(chunks)))
    return path


def _png_chunks(chunks: tuple[tuple[bytes, bytes], ...]) -> Iterator[bytes]:
    for kind, data in chunks:
        yield struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
