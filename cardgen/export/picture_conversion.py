"""Pictures in pixel formats that PDF or SVG would show with other tones or colors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING, TypeAlias

from PIL import Image, ImageChops

if TYPE_CHECKING:
    from PIL import ImageCms


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
