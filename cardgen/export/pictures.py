"""Picture files: type, size, orientation, and checks before they are decoded."""

from __future__ import annotations

import re
import struct
import warnings
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache, partial
from io import BytesIO
from itertools import islice, repeat
from math import hypot
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from PIL import Image, ImageChops, UnidentifiedImageError

from cardgen.face.face import Picture
from cardgen.runtime import regular_file
from cardgen.units import IDENTITY, MM_PER_INCH, Box, Matrix, Size

if TYPE_CHECKING:
    from PIL import ImageCms


LONGEST_SIDE = 12_000
MOST_PIXELS = 50_000_000
_MAX_BYTES = 64 * 2**20
# TIFF and BMP are recognized only so that the message can name them.
_RECOGNISED = ("PNG", "JPEG", "GIF", "WEBP", "TIFF", "BMP")
# The exceptions that Pillow's parsers raise for corrupt files.
_PILLOW_ERRORS = (
    OSError,
    SyntaxError,
    ValueError,
    LookupError,
    ArithmeticError,
    TypeError,
    AttributeError,
    MemoryError,
    struct.error,
    zlib.error,
)
MEDIA_TYPES = {"JPEG": "image/jpeg", "PNG": "image/png", "WEBP": "image/webp", "GIF": "image/gif"}
_ANIMATED = frozenset({"WEBP", "GIF"})
_ORIENTATION = 0x0112
# Matrices for the EXIF orientations, on a unit square, y upward.
_UPRIGHT: dict[int, Matrix] = {
    2: (-1, 0, 0, 1, 1, 0),
    3: (-1, 0, 0, -1, 1, 1),
    4: (1, 0, 0, -1, 0, 1),
    5: (0, -1, -1, 0, 1, 1),
    6: (0, -1, 1, 0, 0, 1),
    7: (0, 1, 1, 0, 0, 0),
    8: (0, 1, -1, 0, 1, 0),
}
_SIDEWAYS = frozenset({5, 6, 7, 8})


class _RefusedImage(Exception):  # noqa: N818 - the file itself is valid
    """A picture that can be read, but is refused."""


class ImageFile(NamedTuple):
    """Picture file: `width` and `height` are in pixels, after EXIF rotation.

    `upright` turns the stored picture upright, on a unit square, y upward. Of an animated picture, the first frame is
    printed.
    """

    path: Path
    media_type: str
    width: int
    height: int
    upright: Matrix = IDENTITY
    is_animated: bool = False

    def place(self, picture: Picture) -> Box:
        """Return the box of the whole picture in millimeters."""
        return picture.place(self.width, self.height)

    def printed_size(self, picture: Picture) -> Size:
        """Return the width and height of the whole picture on the face, in millimeters, before it is turned."""
        box, (a, b, c, d, *_) = self.place(picture), picture.matrix
        return Size(box.width * hypot(a, b), box.height * hypot(c, d))

    def resolution(self, picture: Picture) -> float:
        """Return the resolution of a picture as it is printed, in dpi; the coarser one if it is stretched."""
        size = self.printed_size(picture)
        return MM_PER_INCH * min(self.width / max(size.width, 1e-6), self.height / max(size.height, 1e-6))


def inspect_image(path: Path) -> ImageFile:
    """Return the properties of a picture file.

    Raises ValueError with a message for the user if it cannot be printed.
    """
    try:
        found = _inspect_once(path, path.stat().st_mtime_ns)
    except OSError as error:
        raise ValueError(f"'{path.name}' cannot be read: {error.strerror or error}") from None
    if isinstance(found, ImageFile):
        return found
    raise ValueError(found)


def read_image(path: Path) -> bytes:
    """Return the content of a picture file.

    Raises ValueError with a message for the user if it is too large, and OSError if it cannot be read.
    """
    try:
        return regular_file.read(path, _MAX_BYTES)
    except regular_file.FileTooLargeError:
        raise ValueError(
            f"'{path.name}' is larger than {_MAX_BYTES // 2**20} MiB; save it as JPEG or smaller"
        ) from None


def open_image(content: bytes) -> Image.Image:
    """Open a picture, and read only its header.

    Formats such as EPS are not tried, because reading them runs external programs. Raises ValueError for a file of more
    than MOST_PARTS parts: Pillow takes microseconds for each, and some are a few bytes long.
    """
    if sum(1 for _ in islice(_parts(content), MOST_PARTS + 1)) > MOST_PARTS:
        raise ValueError(f"it has more than {MOST_PARTS:,} parts; save it again in another program")
    return Image.open(BytesIO(content), formats=_RECOGNISED)


def is_jpeg(image: Image.Image) -> bool:
    """True for a JPEG file, which may have further pictures after the first (MPO)."""
    return image.format in ("JPEG", "MPO")


@contextmanager
def quiet_pillow() -> Iterator[None]:
    """Hide the warnings of Pillow, which are about its internals; what matters has a message of its own."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _check_printable(path: Path, kind: str, width: int, height: int) -> None:
    """Refuse an unprintable picture before any of it is decoded."""
    if kind not in MEDIA_TYPES:
        raise _RefusedImage(f"'{path.name}' is a {kind} file; save it as PNG, JPEG, or WebP")
    if max(width, height) > LONGEST_SIDE or width * height > MOST_PIXELS:
        raise _RefusedImage(_too_large(f"'{path.name}' ({width} x {height} pixels)"))


def _too_large(what: str) -> str:
    return f"{what} is too large (at most {LONGEST_SIDE:,} pixels per side and {MOST_PIXELS // 10**6} million in total)"


@lru_cache(maxsize=1024)
def _inspect_once(path: Path, _: int) -> ImageFile | str:
    """Return the properties of a picture file, or why it cannot be printed: many cards may name it."""
    try:
        return _inspect(path)
    except ValueError as error:
        return str(error)


def _inspect(path: Path) -> ImageFile:
    content = read_image(path)
    try:
        if size := webp_size(content):
            _check_printable(path, "WEBP", *size)
        with quiet_pillow(), open_image(content) as image:
            kind, (width, height) = "JPEG" if is_jpeg(image) else image.format or "", image.size
            _check_printable(path, kind, width, height)
            CHECKS[kind](content)
            turn = int(image.getexif().get(_ORIENTATION, 1))
            image.draft("RGB", (1, 1))  # decode a JPEG at an eighth of its size, to see if it is complete
            image.load()
            is_animated = kind in _ANIMATED and bool(getattr(image, "is_animated", False))
    except UnidentifiedImageError:
        raise ValueError(f"'{path.name}' is not a picture that can be printed; save it as PNG, JPEG, or WebP") from None
    except Image.DecompressionBombError:
        raise ValueError(_too_large(f"'{path.name}'")) from None
    except _RefusedImage as error:
        raise ValueError(str(error)) from None
    except _PILLOW_ERRORS as error:
        raise ValueError(f"'{path.name}' is not a readable picture: {error}") from None
    if turn in _SIDEWAYS:
        width, height = height, width
    return ImageFile(path, MEDIA_TYPES[kind], width, height, _UPRIGHT.get(turn, IDENTITY), is_animated)


# The largest files have about 10,000; a block of a comment in a GIF is a part, too.
MOST_PARTS = 100_000
_FILL = re.compile(rb"\xff+")
# The markers of a JPEG that Pillow skips alone.
_WITHOUT_LENGTH = re.compile(rb"[\x00\xc8\xd0-\xd9\xf0-\xfd]?")


def _parts(content: bytes) -> Iterator[None]:
    """Yield as often as Pillow takes a step when it opens a picture, in which parts can be empty."""
    if content.startswith(_PNG):
        return _png_parts(content)
    if content.startswith(_JPEG):
        return _jpeg_parts(content)
    return _gif_parts(content) if content.startswith(_GIF) else iter(())


def _png_parts(content: bytes) -> Iterator[None]:
    position = _SIGNATURE_LENGTH
    while position + 12 <= len(content):
        yield
        position += 12 + int.from_bytes(content[position : position + 4])


def _jpeg_parts(content: bytes) -> Iterator[None]:
    """Yield for each segment before the first scan, and for each byte between segments."""
    position = 2
    while position < len(content):
        fill = _FILL.search(content, position)
        end = fill.end() if fill else len(content)
        yield from repeat(None, end - position)
        marker = content[end : end + 1]
        if marker == _START_OF_SCAN:
            return
        position = end + 1
        if not _WITHOUT_LENGTH.fullmatch(marker):
            position += int.from_bytes(content[position : position + 2])


def _gif_parts(content: bytes) -> Iterator[None]:
    """Yield for each extension, each block in it, and each byte between them; frames are read in another way."""
    position = _MIN_GIF - 1 + _palette_length(content[10:11])
    while (start := _GIF_START.search(content, position)) and start[0] != b";":
        yield from repeat(None, start.end() - position)
        is_extension = start[0] == b"!"
        position = start.end() + (
            1 if is_extension else 10 + _palette_length(content[start.end() + 8 : start.end() + 9])
        )
        while position < len(content) and (length := content[position]):
            position += 1 + length
            if is_extension:
                yield
        position += 1
    if not start:
        yield from repeat(None, len(content) - position)


def _palette_length(flags: bytes) -> int:
    return 3 << ((flags[0] & 7) + 1) if flags and flags[0] & 0x80 else 0


# Programs write about ten scans into a progressive JPEG.
MAX_SCANS = 100
_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
# Start and step of the pixels in each pass of an interlaced PNG (Adam7), across and down.
_PASSES = ((0, 8, 0, 8), (4, 8, 0, 8), (0, 4, 4, 8), (2, 4, 0, 4), (0, 2, 2, 4), (1, 2, 0, 2), (0, 1, 1, 2))
_MAX_OUTPUT = 1 << 20
_SIGNATURE_LENGTH = 8
_PNG, _JPEG, _GIF = b"\x89PNG", b"\xff\xd8", b"GIF8"
# The extensions, frames, and the end of a GIF.
_GIF_START = re.compile(rb"[!,;]")
# A marker in the entropy-coded data of a JPEG; stuffed zeros, restart markers, and fill bytes do not count.
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
    try:
        width, height, bits, colour, _, _, interlace = struct.unpack_from(">IIBBBBB", content, 16)
    except struct.error:
        raise ValueError("it is truncated") from None
    header = _Header(width, height, bits * _CHANNELS.get(colour, 1), bool(interlace))
    expected = sum(rows * length for rows, length in header.row_lengths())
    # The length of the decompressed data, or some length from `expected` on; it is not kept.
    inflater, actual = zlib.decompressobj(), 0
    try:
        for chunk in _image_data(content):
            data = chunk
            while data and actual < expected and not inflater.eof:
                actual += len(inflater.decompress(data, _MAX_OUTPUT))
                data = inflater.unconsumed_tail
        while actual < expected and (more := inflater.decompress(inflater.unconsumed_tail, _MAX_OUTPUT)):
            actual += len(more)
    except zlib.error as error:
        raise ValueError(str(error)) from None
    if actual < expected:
        rows = "" if header.is_interlaced else f" ({actual * header.height // expected} of {header.height} rows)"
        raise ValueError(f"it is truncated{rows}")


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


# Pictures in pixel formats that PDF or SVG would show with other tones or colors.

# Converts a strip of a picture; strips have its mode and its information.
Converter: TypeAlias = Callable[[Image.Image], Image.Image]


def converter_for_pdf(image: Image.Image) -> Converter | None:
    """Return what converts a picture for PDF; None if its mode is right as it is."""
    if image.mode == "CMYK":
        profile = image.info.get("icc_profile")
        return None if "adobe" in image.info and not profile else _cmyk_converter(profile)
    if image.mode.startswith("I"):
        return _eight_bits
    if "transparency" in image.info and image.mode in ("1", "L", "RGB"):
        return _with_alpha
    return None


def convert_for_svg(image: Image.Image) -> bytes | None:
    """Return a CMYK, WebP, or GIF picture as an upright PNG in sRGB; None for other pictures.

    Many SVG programs cannot read CMYK or WebP, and a GIF would move; they show all other pictures as they are.
    """
    if image.format in ("WEBP", "GIF"):
        return _upright_png(image.convert("RGBA" if image.has_transparency_data else "RGB"), image)
    if image.mode != "CMYK":
        return None
    convert = _cmyk_converter(image.info.get("icc_profile"))
    converted = Image.new("RGB", image.size)
    for top, strip in strips(image):
        converted.paste(convert(strip).convert("RGB"), (0, top))
    return _upright_png(converted, image)


def _upright_png(converted: Image.Image, image: Image.Image) -> bytes:
    """Return a converted picture as PNG, turned as the original says."""
    from PIL import ImageOps  # loaded here because few pictures are converted

    converted.info = {"exif": image.getexif().tobytes()}
    ImageOps.exif_transpose(converted, in_place=True)
    png = BytesIO()
    converted.save(png, "PNG")
    return png.getvalue()


_PIXELS_PER_STRIP = 1 << 20


def strips(image: Image.Image) -> Iterator[tuple[int, Image.Image]]:
    """Yield a picture in strips of its whole width, each with its first row."""
    width, height = image.size
    rows = max(1, _PIXELS_PER_STRIP // width)
    for top in range(0, height, rows):
        yield top, image.crop((0, top, width, min(top + rows, height)))


def _cmyk_converter(profile: bytes | None) -> Converter:
    """Return what converts a CMYK picture to sRGB by its profile; it stays CMYK without a profile for it.

    Files of Adobe programs store inverted values, and Pillow takes all files for such; others have no Adobe marker.
    """
    transform = _to_srgb(profile) if profile else None
    return partial(_convert_cmyk, transform=transform)


def _convert_cmyk(image: Image.Image, transform: ImageCms.ImageCmsTransform | None) -> Image.Image:
    from PIL import ImageCms  # loaded here because few pictures are CMYK

    values = image if "adobe" in image.info else ImageChops.invert(image)
    return ImageCms.applyTransform(values, transform) or values if transform else values


def _to_srgb(profile: bytes) -> ImageCms.ImageCmsTransform | None:
    """Return the transform from a profile; None if it is damaged or for other colors."""
    from PIL import ImageCms

    try:
        source, target = ImageCms.ImageCmsProfile(BytesIO(profile)), ImageCms.createProfile("sRGB")
        return ImageCms.buildTransform(source, target, "CMYK", "RGB")
    except (ImageCms.PyCMSError, OSError):
        return None


def _eight_bits(image: Image.Image) -> Image.Image:
    """Return 16-bit grays as 8-bit ones, with the transparent gray as alpha."""
    samples = image.convert("I;16").tobytes()
    low, high = (Image.frombytes("L", image.size, samples[first::2]) for first in (0, 1))
    clear = image.info.get("transparency")
    if not isinstance(clear, int):
        return high
    parts = ((high, clear >> 8), (low, clear & 255))
    masks = [part.point([0 if value == hidden else 255 for value in range(256)]) for part, hidden in parts]
    return Image.merge("LA", (high, ImageChops.lighter(*masks)))


def _with_alpha(image: Image.Image) -> Image.Image:
    """Return a PNG that has one transparent color, with alpha instead."""
    clear = image.info["transparency"]
    if isinstance(clear, tuple) and max(clear) > 255:  # 16 bits per channel, which Pillow reads as 8
        image.info["transparency"] = tuple(value >> 8 for value in clear)
    return image.convert("RGBA")


# Small copies of pictures.


def thumbnail(path: Path, longest: int) -> bytes:
    """Return a picture as an upright PNG whose longer side has at most `longest` pixels.

    Raises ValueError with a message for the user if the picture cannot be printed.
    """
    from PIL import ImageOps  # loaded here because builds do not need it

    inspect_image(path)
    content = BytesIO()
    with quiet_pillow(), open_image(read_image(path)) as image:
        image.draft(None, (longest, longest))
        convert, exif = converter_for_pdf(image), image.getexif().tobytes()
        small = convert(image) if convert else image
        small.thumbnail((longest, longest))
        small.info["exif"] = exif
        ImageOps.exif_transpose(small, in_place=True)
        small.convert("RGBA" if small.has_transparency_data else "RGB").save(content, "PNG")
    return content.getvalue()


_WEBP_QUALITY, _WEBP_METHOD = 82, 2


def to_webp(png: bytes, longest: int = 0) -> bytes:
    """Return a PNG as WebP, which is a third of its size or less, for web pages.

    Its longer side has at most `longest` pixels, unless that is 0.
    """
    content = BytesIO()
    with Image.open(BytesIO(png)) as picture:
        if longest:
            picture.thumbnail((longest, longest), Image.Resampling.LANCZOS)
        picture.save(content, "WEBP", quality=_WEBP_QUALITY, method=_WEBP_METHOD)
    return content.getvalue()
