"""Colors as ink: CMYK by an ICC profile, with a limit on the total.

Grays are printed with black ink only, because four inks never register perfectly.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any, TypeAlias

from PIL import Image, ImageChops, ImageCms, ImageFilter

from cardgen.codes import Code
from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.runtime import regular_file

Ink: TypeAlias = tuple[float, float, float, float]
_MAX_BYTES = 16 * 2**20
# Levels per channel of the lookup table for pictures.
_LEVELS = 33
# Margin of the limit for rounding four inks to bytes.
_ROUNDING = 0.01
# Colors of text whose channels are at most this dark, and differ by at most this much, are printed with black alone.
_DARK, _NEARLY_NEUTRAL = 0.30, 0.12
_NEUTRAL = 1.5 / 255


@dataclass(frozen=True, slots=True)
class OutputProfile:
    """ICC profile of a printing condition: its bytes and description."""

    content: bytes
    description: str


def load_profile(path: Path) -> OutputProfile:
    """Read an ICC profile.

    Raises CardgenError if it is not one of a CMYK printing condition.
    """
    try:
        content = regular_file.read(path, _MAX_BYTES)
    except regular_file.FileTooLargeError:
        raise _bad_profile(path, "the file is too large for an ICC profile") from None
    except OSError as error:
        raise _bad_profile(path, f"the file cannot be read: {error.strerror or error}") from None
    try:
        profile = ImageCms.ImageCmsProfile(BytesIO(content)).profile
        space, device = profile.xcolor_space.strip(), profile.device_class.strip()
        description = (profile.profile_description or path.stem).strip()
    except (OSError, ImageCms.PyCMSError, ValueError):
        raise _bad_profile(path, "the file is not an ICC profile") from None
    if (space, device) != ("CMYK", "prtr"):
        raise _bad_profile(path, f"must be a profile of a CMYK printing condition, not of {space} ({device})")
    return OutputProfile(content, description)


def _bad_profile(path: Path, message: str) -> CardgenError:
    advice = "use the profile that the printer names; profiles are free from ECI and Idealliance"
    return CardgenError(Diagnostic(Code.BAD_PROFILE, message, Place(str(path)), help=advice))


class _CachedProfile(ImageCms.ImageCmsProfile):
    """Profile that keeps its content: Pillow asks for it at every color, and would serialize it each time."""

    def __init__(self, content: bytes) -> None:
        super().__init__(BytesIO(content))
        self._content = content

    def tobytes(self) -> bytes:
        """Return the content of the file."""
        return self._content


class Inks:
    """Conversion of screen colors to the inks of one profile.

    `limit` is the maximum total of the inks, such as 2.4 for 240%. `profile` is the content of the ICC file.
    """

    def __init__(self, profile: OutputProfile, limit: float) -> None:
        self.limit = limit
        self.profile = profile.content
        self.colour = lru_cache(maxsize=4096)(self._colour)

    def _colour(self, red: float, green: float, blue: float, *, is_text: bool = False) -> Ink:
        """Return a color from 0 to 1 as ink; nearly black text is black alone."""
        levels = (red, green, blue)
        spread = max(levels) - min(levels)
        if spread <= _NEUTRAL or (is_text and max(levels) <= _DARK and spread <= _NEARLY_NEUTRAL):
            return (0.0, 0.0, 0.0, 1 - sum(levels) / 3 if spread <= _NEUTRAL else 1.0)
        pixel = Image.new("RGB", (1, 1), tuple(round(255 * level) for level in levels))
        return _limited(self._separated(pixel).tobytes(), self.limit - _ROUNDING)

    def _separated(self, picture: Image.Image) -> Image.Image:
        """Return a picture as the profile alone separates it."""
        separated = ImageCms.applyTransform(picture, self._transform)
        assert separated is not None
        return separated

    @cached_property
    def _transform(self) -> Any:
        return ImageCms.buildTransform(
            ImageCms.createProfile("sRGB"),
            _CachedProfile(self.profile),
            "RGB",
            "CMYK",
            renderingIntent=ImageCms.Intent.RELATIVE_COLORIMETRIC,
            flags=ImageCms.Flags.BLACKPOINTCOMPENSATION,
        )

    @cached_property
    def _to_screen(self) -> Any:
        profile = ImageCms.ImageCmsProfile(BytesIO(self.profile))
        return ImageCms.buildTransform(profile, ImageCms.createProfile("sRGB"), "CMYK", "RGB")

    @cached_property
    def _table(self) -> ImageFilter.Color3DLUT:
        steps = [round(255 * step / (_LEVELS - 1)) for step in range(_LEVELS)]
        nodes = bytes(level for blue in steps for green in steps for red in steps for level in (red, green, blue))
        separated = self._separated(Image.frombytes("RGB", (_LEVELS**2, _LEVELS), nodes)).tobytes()
        limit = self.limit - _ROUNDING
        table = [
            level for start in range(0, len(separated), 4) for level in _limited(separated[start : start + 4], limit)
        ]
        return ImageFilter.Color3DLUT(_LEVELS, table, channels=4, target_mode="CMYK")

    def picture(self, picture: Image.Image) -> Image.Image:
        """Return a picture in gray or ink; the grays of a color picture are black ink only."""
        if picture.mode in ("1", "L"):
            return picture.convert("L")
        if picture.mode == "CMYK":
            on_screen = ImageCms.applyTransform(picture, self._to_screen)
            assert on_screen is not None
            picture = on_screen
        colours = picture.convert("RGB")
        if self.limit <= 0:
            raise ValueError("the ink limit must be greater than 0")
        return self._with_black_grays(colours, colours.filter(self._table))

    def _with_black_grays(self, colours: Image.Image, separated: Image.Image) -> Image.Image:
        red, green, blue = colours.split()
        spread = ImageChops.lighter(ImageChops.difference(red, green), ImageChops.difference(green, blue))
        neutral = spread.point([255] + [0] * 255)
        none = Image.new("L", colours.size)
        black = Image.merge("CMYK", (none, none, none, ImageChops.invert(green)))
        return Image.composite(black, separated, neutral)


def _limited(levels: bytes, limit: float) -> Ink:
    """Return ink of at most the limit; black is kept, and the others are reduced together."""
    cyan, magenta, yellow, black = (level / 255 for level in levels)
    colours = cyan + magenta + yellow
    factor = max(0.0, min(1.0, (limit - black) / colours)) if colours else 1.0
    return (cyan * factor, magenta * factor, yellow * factor, min(black, limit))
