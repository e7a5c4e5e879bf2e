"""Picture files: type, size, EXIF orientation, and placement in a box."""

from __future__ import annotations

import struct
import warnings
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from PIL import Image, UnidentifiedImageError

from cardgen.affine import IDENTITY, Matrix
from cardgen.export.images.streams import CHECKS, webp_size
from cardgen.face.face import Picture
from cardgen.runtime import regular_file
from cardgen.units import Box

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
        """Return the box of the whole picture in millimeters.

        If it covers the picture's box, it extends beyond it, and is shifted to keep its focus visible.
        """
        box = picture.box
        choose = max if picture.fit == "cover" else min
        scale = choose(box.width / self.width, box.height / self.height)
        wide, high = self.width * scale, self.height * scale
        across, down = picture.focus if picture.fit == "cover" else (0.5, 0.5)
        return Box(box.x + (box.width - wide) * across, box.y + (box.height - high) * down, wide, high)


def inspect_image(path: Path) -> ImageFile:
    """Return the properties of a picture file.

    Raises ValueError with a message for the user if it cannot be printed.
    """
    try:
        return _inspect(path, path.stat().st_mtime_ns)
    except OSError as error:
        raise ValueError(f"'{path.name}' cannot be read: {error.strerror or error}") from None


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

    Formats such as EPS are not tried, because reading them runs external programs.
    """
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


def _check_webp(path: Path, content: bytes) -> None:
    """Refuse a large WebP file before Pillow reserves memory for two of its frames."""
    if size := webp_size(content):
        _check_printable(path, "WEBP", *size)


def _too_large(what: str) -> str:
    return f"{what} is too large (at most {LONGEST_SIDE:,} pixels per side and {MOST_PIXELS // 10**6} million in total)"


@lru_cache(maxsize=1024)
def _inspect(path: Path, _: int) -> ImageFile:
    content = read_image(path)
    try:
        _check_webp(path, content)
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
