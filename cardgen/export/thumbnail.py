"""Small copies of pictures."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from PIL import ImageOps

from cardgen.export.picture_conversion import converter_for_pdf
from cardgen.export.pictures import inspect_image, open_image, quiet_pillow, read_image


def thumbnail(path: Path, longest: int) -> bytes:
    """Return a picture as an upright PNG whose longer side has at most `longest` pixels.

    Raises ValueError with a message for the user if the picture cannot be printed.
    """
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
