"""Picture files: their type, size and EXIF orientation, and how they fit a box."""

from __future__ import annotations

import struct
import warnings
import zlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from PIL import Image, UnidentifiedImageError

from cardgen.affine import IDENTITY, Matrix
from cardgen.face.face import Picture
from cardgen.units import Box

LONGEST_SIDE = 12_000
MOST_PIXELS = 100_000_000
# What is no PNG or JPEG is recognised so that the message can name it.
_RECOGNISED = ("PNG", "JPEG", "GIF", "WEBP", "TIFF", "BMP")
# What Pillow's parsers raise for files that are broken somewhere.
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
MEDIA_TYPES = {"JPEG": "image/jpeg", "PNG": "image/png"}
_ORIENTATION = 0x0112
# What a camera wrote about how it was held (EXIF), as matrices on a square of side 1, y upward.
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


class _RefusedImage(Exception):  # noqa: N818 - no error of the file's
    """A picture that could be read, and will not be."""


@dataclass(frozen=True, slots=True)
class ImageFile:
    """A picture as it is seen: upright, `width` and `height` in pixels.

    `upright` turns the picture as it is stored, on a square of side 1, y upward.
    """

    path: Path
    media_type: str
    width: int
    height: int
    upright: Matrix = IDENTITY

    def place(self, picture: Picture) -> Box:
        """Where the whole picture lies, in millimetres; one that covers its box reaches beyond it.

        It is moved so that its focus stays in sight.
        """
        box = picture.box
        choose = max if picture.fit == "cover" else min
        scale = choose(box.width / self.width, box.height / self.height)
        wide, high = self.width * scale, self.height * scale
        across, down = picture.focus if picture.fit == "cover" else (0.5, 0.5)
        return Box(box.x + (box.width - wide) * across, box.y + (box.height - high) * down, wide, high)


def inspect_image(path: Path) -> ImageFile:
    """What a picture file is. Raises ValueError with a sentence for the user when it cannot be printed."""
    try:
        return _inspect(path, path.stat().st_mtime_ns)
    except OSError as error:
        raise ValueError(f"{path.name} cannot be read: {error.strerror or error}") from None


def _open_image(path: Path) -> Image.Image:
    """The picture, of which only the head is read; EPS and its like are not even tried, for that runs programs."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)  # We have a limit of our own.
        return Image.open(path, formats=_RECOGNISED)


def _check_printable(path: Path, kind: str, width: int, height: int) -> None:
    """Refuse what cannot be printed before any of it is decoded."""
    if kind not in MEDIA_TYPES:
        raise _RefusedImage(f"{path.name} is a {kind} file; save it as PNG or JPEG")
    if max(width, height) > LONGEST_SIDE or width * height > MOST_PIXELS:
        raise _RefusedImage(_too_large(f"{path.name}, of {width} x {height} pixels,"))


def _too_large(what: str) -> str:
    return f"{what} is too large; {LONGEST_SIDE:,} pixels a side and {MOST_PIXELS // 10**6} million in all are enough"


@lru_cache(maxsize=1024)
def _inspect(path: Path, _: int) -> ImageFile:
    try:
        with _open_image(path) as image:
            kind, (width, height) = image.format or "", image.size
            _check_printable(path, kind, width, height)
            turn = int(image.getexif().get(_ORIENTATION, 1))
            image.draft("RGB", (1, 1))  # A JPEG is read through at an eighth of its size: it shows that all is there.
            image.load()
    except UnidentifiedImageError:
        raise ValueError(f"{path.name} is no picture that can be printed; save it as PNG or JPEG") from None
    except Image.DecompressionBombError:
        raise ValueError(_too_large(path.name)) from None
    except _RefusedImage as error:
        raise ValueError(str(error)) from None
    except _PILLOW_ERRORS as error:
        raise ValueError(f"{path.name} cannot be read as a picture: {error}") from None
    if turn in _SIDEWAYS:
        width, height = height, width
    return ImageFile(path, MEDIA_TYPES[kind], width, height, _UPRIGHT.get(turn, IDENTITY))
