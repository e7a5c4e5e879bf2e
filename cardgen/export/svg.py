"""A face as an SVG file, pages as PNG files, and one face in either format."""

from __future__ import annotations

import ctypes
import hashlib
import math
import struct
import weakref
import zlib
from base64 import b64encode
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from html import escape
from itertools import count
from types import MappingProxyType
from typing import NamedTuple

import pypdfium2
from PIL import Image
from pypdfium2 import raw

from cardgen.export.pdf import writer
from cardgen.export.pdf.cairo import ArtworkCache
from cardgen.export.pictures import convert_for_svg, inspect_image, open_image, quiet_pillow, read_image
from cardgen.face.face import Artwork, Face, Picture, Text
from cardgen.runtime.cluster.pool import shared_pool
from cardgen.runtime.workspace import Link
from cardgen.sheet.imposition import PrintPiece, impose_single
from cardgen.sheet.leaf import pages_of
from cardgen.svg.scene import path_data
from cardgen.text.fonts import Fonts, embed
from cardgen.text.lines import IconGlyph, Line, Run
from cardgen.units import IDENTITY, MM_PER_INCH, Box, Matrix, Shape, Size, to_mm

# Every letter is positioned, so browsers must not apply kerning or ligatures.
_STYLE = "text{white-space:pre;font-kerning:none;font-variant-ligatures:none}"


def write(
    face: Face, fonts: Fonts, title: str, bleed: float = 0.0, *, shape: Shape = Shape.RECTANGLE, radius: float = 0.0
) -> bytes:
    """Return a face as SVG, cropped `bleed` millimeters outside the trim.

    There is one <text> per laid-out line. Without bleed, a round face is cropped to its circle, and others to corners
    of a `radius` in millimeters.
    """
    clip = "" if bleed else _cut_shape(face.size, shape, radius)
    return _FaceSvg(face, fonts, title, bleed, clip).document().encode()


class _FaceSvg:
    def __init__(self, face: Face, fonts: Fonts, title: str, bleed: float, cut: str) -> None:
        self._face = face
        self._fonts = fonts
        self._title = title
        self._bleed = bleed
        self._cut = cut
        # The name of a family depends on its characters, too, so that several files can be on one web page although
        # each has its own subset.
        used: dict[str, set[str]] = {}
        for run in (run for run in _runs(face) if not run.glyphs):
            used.setdefault(run.font, set()).update(run.text)
        families: dict[str, tuple[str, str]] = {}
        for key, letters in used.items():
            characters = "".join(sorted(letters))
            families[key] = (f"{key}-{hashlib.sha256(characters.encode()).hexdigest()[:8]}", characters)
        self._families = families
        self._clips = count(1)

    def document(self) -> str:
        """Return the whole file.

        One unit is a millimeter; the origin is the top left corner of the trim.
        """
        bleed, size = self._bleed, self._face.size
        wide, high = f"{size.width + 2 * bleed:g}", f"{size.height + 2 * bleed:g}"
        font_faces: list[str] = []
        for key, (family, characters) in self._families.items():
            data = b64encode(embed(self._fonts.font_by_key(key), characters)).decode()
            font_faces.append(f'@font-face{{font-family:"{family}";src:url(data:font/ttf;base64,{data})}}')
        parts = [
            '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
            f'width="{wide}mm" height="{high}mm" viewBox="{0 - bleed:g} {0 - bleed:g} {wide} {high}">',
            f"<title>{escape(self._title, quote=False)}</title>",
            f"<style>{''.join(font_faces)}{_STYLE}</style>",
            *([f'<clipPath id="cut-0">{self._cut}</clipPath><g clip-path="url(#cut-0)">'] if self._cut else []),
        ]
        for item in self._face.items:
            if isinstance(item, Artwork):
                parts.append(_inline_artwork(item))
            elif isinstance(item, Picture):
                parts.append(self._picture(item))
            else:
                parts.append(_transformed_group("".join(map(self._line, item.lines)), item.matrix))
        parts += [
            f'<path d="M{fold.x1:g} {fold.y1:g}L{fold.x2:g} {fold.y2:g}" stroke="#666666" stroke-width="0.09" '
            'stroke-dasharray="1.06 0.7"/>'
            for fold in self._face.folds
        ]
        return "\n".join([*parts, *(["</g>"] if self._cut else []), "</svg>", ""])

    def _line(self, line: Line) -> str:
        runs = [piece for piece in line.pieces if isinstance(piece, Run)]
        spans = "".join(self._span(run) for run in runs if not run.glyphs)
        others = "".join(self._drawn(run) for run in runs if run.glyphs)
        icons = "".join(_icon(piece) for piece in line.pieces if isinstance(piece, IconGlyph))
        return (f"<text>{spans}</text>\n" if spans else "") + others + icons

    def _drawn(self, run: Run) -> str:
        """Return a run as outlines, with its text for those who cannot see it: viewers would choose other glyphs."""
        face, pen, size = self._fonts.font_by_key(run.font).face, 0.0, to_mm(run.size)
        paths = []
        for glyph in run.glyphs:
            for number, dx, dy in glyph.parts:
                paths.append(_path_data(face.glyph_outline(number, pen + dx / 1000, dy / 1000)))
            pen += glyph.advance / 1000
        place = f"translate({run.x:.3f} {run.y:.3f}) scale({size:.5g} {-size:.5g})"
        label = escape(run.text)
        return f'<path role="img" aria-label="{label}" transform="{place}" fill="{run.colour}" d="{"".join(paths)}"/>\n'

    def _span(self, run: Run) -> str:
        family, _ = self._families[run.font]
        size = to_mm(run.size)
        # The x coordinate of each letter. Browsers count a character beyond the basic multilingual plane twice.
        letter_positions: list[str] = []
        x = run.x
        for character, advance in zip(run.text, run.advances, strict=True):
            letter_positions += [f"{x:.3f}"] * (2 if ord(character) > 0xFFFF else 1)
            x += advance * size / 1000
        return (
            f'<tspan font-family="{family}" font-size="{size:.4f}" fill="{run.colour}" '
            f'x="{" ".join(letter_positions)}" y="{run.y:.3f}">{escape(run.text, quote=False)}</tspan>'
        )

    def _picture(self, picture: Picture) -> str:
        """Return a picture, clipped to its box."""
        file, name = inspect_image(picture.path), f"cut-{next(self._clips)}"
        content = read_image(picture.path)
        with quiet_pillow(), open_image(content) as opened:
            converted = convert_for_svg(opened)
        media_type = "image/png" if converted else file.media_type
        data = b64encode(converted or content).decode()
        rounded = f' rx="{picture.radius:g}"' if picture.radius else ""
        seen = f"<rect {_box_attributes(picture.box)}{rounded}/>"
        seen = f'<path d="{path_data(picture.mask)}"/>' if picture.mask else seen
        opacity = f' opacity="{picture.opacity:g}"' if picture.opacity < 1 else ""
        image = (
            f'<clipPath id="{name}">{seen}</clipPath>'
            f'<g clip-path="url(#{name})"{opacity}>'
            f'<image {_box_attributes(file.place(picture))} preserveAspectRatio="none" '
            f'xlink:href="data:{media_type};base64,{data}"/></g>\n'
        )
        return _transformed_group(image, picture.matrix)


def _cut_shape(size: Size, shape: Shape, radius: float) -> str:
    """Return the outline that a face is cropped to, or '' for its rectangle."""
    if shape is Shape.ROUND:
        return f'<circle cx="{size.width / 2:g}" cy="{size.height / 2:g}" r="{min(size) / 2:g}"/>'
    return f'<rect width="{size.width:g}" height="{size.height:g}" rx="{radius:g}"/>' if radius else ""


def _runs(face: Face) -> Iterator[Run]:
    for item in face.items:
        if isinstance(item, Text):
            yield from (piece for line in item.lines for piece in line.pieces if isinstance(piece, Run))


def _inline_artwork(artwork: Artwork) -> str:
    """Return a chunk without its root, whose viewBox is the whole face."""
    svg = artwork.svg.decode()
    return f"<g>{svg[svg.index('>') + 1 : svg.rindex('</svg>')].strip()}</g>"


def _icon(glyph: IconGlyph) -> str:
    size = to_mm(glyph.size)
    if glyph.outline.art:
        place = f"translate({glyph.x:.3f} {glyph.y - size:.3f}) scale({size:.5g})"
        return f'<g transform="{place}">{glyph.outline.art.drawn(glyph.colour)}</g>\n'
    rule = ' fill-rule="evenodd"' if glyph.outline.evenodd else ""
    place = f"translate({glyph.x:.3f} {glyph.y:.3f}) scale({size:.5g} {-size:.5g})"
    paths = "".join(f'<path d="{_path_data(strokes)}"/>' for strokes in glyph.outline.paths)
    return f'<g transform="{place}" fill="{glyph.colour}"{rule}>{paths}</g>\n'


def _path_data(strokes: Iterable[tuple[object, ...]]) -> str:
    return "".join(f"{kind}{' '.join(f'{number:.5g}' for number in numbers)}" for kind, *numbers in strokes)


def _transformed_group(content: str, matrix: Matrix) -> str:
    if matrix == IDENTITY or not content:
        return content
    return f'<g transform="matrix({" ".join(f"{number:.6g}" for number in matrix)})">{content}</g>'


def _box_attributes(box: Box) -> str:
    return f'x="{box.x:.4g}" y="{box.y:.4g}" width="{box.width:.6g}" height="{box.height:.6g}"'


_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_EIGHT_BITS, _PER_METRE = 8, 1
# Flat colors compress well without filters; a higher level takes twice the time to save a tenth of the size. Pillow,
# which always tries filters, takes 2.3 to 2.9 times the processor time of this encoder, for files a tenth larger.
_COMPRESSION = 3
# Level 2 of isal takes a fifth of the time of zlib for files an eighth larger; level 3 takes longer than zlib.
_ISAL_COMPRESSION = 2
_WHITE = (255, 255, 255, 255)
# Grounds that a process keeps, and the bytes of the largest one; larger ones are drawn anew.
# They take up to 1 GB of memory; a mat of 30 x 22 inches has 60 million at 300 dpi, and a sheet of A0 140 million.
MOST_PIXELS = 150_000_000
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


def draw_faces(faces: Sequence[Face], fonts: Fonts, cache: ArtworkCache, dpi: float) -> Iterator[Image.Image]:
    """Yield pictures of faces of one size at a resolution in dpi, without their bleed.

    `cache` keeps their artwork for the next ones. Raises CardgenError if artwork cannot be drawn.
    """
    pages = pages_of(impose_single([PrintPiece(face) for face in faces], faces[0].size, 0))
    document = pypdfium2.PdfDocument(writer.write(pages, fonts, writer.DocumentInfo(""), cache))
    try:
        for index in range(len(faces)):
            yield document[index].render(scale=dpi / 72).to_pil().convert("RGB")
    finally:
        document.close()


class Rasterizer:
    """Rasterizer of the pages of one document, at a resolution in dpi.

    The background of the pages in `transparent` is transparent; that of the others is white. `grounds` maps a page to
    one behind the others, of the same size, that is painted below it; it is drawn once for all pages on it. If `jobs`
    is greater than 1 and there are enough pages, that many processes, or the workers of a `cluster`, prepare the next
    pages while pages are requested in order.
    """

    def __init__(
        self,
        document: bytes,
        dpi: float,
        jobs: int = 1,
        transparent: Collection[int] = (),
        grounds: Mapping[int, int] = MappingProxyType({}),
        cluster: Link | None = None,
    ) -> None:
        count = count_pages(document) - len(set(grounds.values()))
        setup = (document, dpi, frozenset(transparent), dict(grounds))
        self._pool = shared_pool(_PageRasterizer, setup, count, jobs, cluster)

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


@cache
def _compressor() -> Callable[[bytes], bytes]:
    """Return the compression of the extra `speed`, or else that of Python."""
    try:
        from isal import isal_zlib
    except ImportError:
        return partial(zlib.compress, level=_COMPRESSION)
    return partial(isal_zlib.compress, level=_ISAL_COMPRESSION)


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
        (b"IDAT", _compressor()(lines)),
        (b"IEND", b""),
    )
    return _SIGNATURE + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )


def render_face(
    face: Face,
    suffix: str,
    fonts: Fonts,
    title: str,
    dpi: int = 300,
    *,
    shape: Shape = Shape.RECTANGLE,
    radius: float = 0.0,
) -> bytes:
    """Return one side of a card as .png, .svg, or .pdf.

    `dpi` is the resolution of PNG; round cards are transparent outside of their circle, and others outside of corners
    of a `radius`.
    """
    if suffix == "svg":
        return write(face, fonts, title, shape=shape, radius=radius)
    leaves = impose_single([PrintPiece(face, shape=shape)], face.size, 0, radius=radius)
    document = writer.write(pages_of(leaves), fonts, writer.DocumentInfo(title), ArtworkCache())
    if suffix == "pdf":
        return document
    return Rasterizer(document, dpi, transparent=(0,) if shape is Shape.ROUND or radius else ()).page(0)
