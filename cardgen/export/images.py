"""Picture files: what they are, and how they come to stand upright in their box."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from PIL import Image, UnidentifiedImageError

from cardgen.face.face import Picture
from cardgen.face.transform import IDENTITY, Matrix
from cardgen.units import Box

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


def look_at(path: Path) -> ImageFile:
    """What a picture file is. Raises ValueError with a sentence for the user when it cannot be printed."""
    return _looked_at(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=1024)
def _looked_at(path: Path, _: int) -> ImageFile:
    try:
        with Image.open(path) as image:
            kind, (width, height) = image.format, image.size
            turn = int(image.getexif().get(_ORIENTATION, 1))
            image.draft("RGB", (1, 1))  # A JPEG is read through at an eighth of its size: it shows that all is there.
            image.load()
    except UnidentifiedImageError:
        raise ValueError(f"{path.name} is no picture that can be printed; save it as PNG or JPEG") from None
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise ValueError(f"{path.name} cannot be read as a picture: {error}") from None
    if kind not in MEDIA_TYPES:
        raise ValueError(f"{path.name} is a {kind} file; save it as PNG or JPEG")
    if turn in _SIDEWAYS:
        width, height = height, width
    return ImageFile(path, MEDIA_TYPES[kind], width, height, _UPRIGHT.get(turn, IDENTITY))
