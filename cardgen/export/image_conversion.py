"""Pictures in pixel formats that PDF or SVG would show with other tones or colors."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from PIL import Image, ImageChops, ImageCms, ImageOps


def convert_for_pdf(path: Path) -> Image.Image | None:
    """Return a picture converted for PDF; None if its file is right as it is.

    It is stored as in the file, not turned by its EXIF orientation.
    """
    with Image.open(path) as image:
        if image.mode == "CMYK":
            profile = image.info.get("icc_profile")
            return None if "adobe" in image.info and not profile else _convert_cmyk(image, profile)
        if image.mode.startswith("I"):
            return _eight_bits(image)
        if "transparency" in image.info and image.mode in ("1", "L", "RGB"):
            return _with_alpha(image)
    return None


def convert_for_svg(path: Path) -> bytes | None:
    """Return a CMYK picture as an upright PNG in sRGB; None for other pictures.

    Many SVG programs cannot read CMYK; they show all other pictures as they are.
    """
    with Image.open(path) as image:
        if image.mode != "CMYK":
            return None
        upright = ImageOps.exif_transpose(_convert_cmyk(image, image.info.get("icc_profile")).convert("RGB"))
    png = BytesIO()
    upright.save(png, "PNG")
    return png.getvalue()


def _convert_cmyk(image: Image.Image, profile: bytes | None) -> Image.Image:
    """Return a CMYK picture in sRGB by its profile, or without one as CMYK.

    Files of Adobe programs store inverted values, and Pillow takes all files for such; others have no Adobe marker.
    """
    exif = image.getexif()
    values = image if "adobe" in image.info else ImageChops.invert(image)
    converted = (_to_srgb(values, profile) if profile else None) or values.copy()
    converted.info = {"exif": exif.tobytes()}
    return converted


def _to_srgb(image: Image.Image, profile: bytes) -> Image.Image | None:
    """Convert by a profile; None if it is damaged or for other colors."""
    try:
        source, target = ImageCms.ImageCmsProfile(BytesIO(profile)), ImageCms.createProfile("sRGB")
        return ImageCms.profileToProfile(image, source, target, outputMode="RGB")
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
