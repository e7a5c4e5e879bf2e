"""Pictures with 16 bits, CMYK, or one transparent color, measured in the output. The pictures are made here."""

from __future__ import annotations

import base64
import io
import re
import struct
import zlib
from pathlib import Path

import pytest
from PIL import Image, ImageCms

from cardgen.export import svg
from cardgen.export.pdf import writer
from cardgen.export.svg import Rasterizer
from cardgen.face.face import Face, Picture
from cardgen.sheet.imposition import PrintPiece
from cardgen.units import Box, Size
from tests.cases import each_case
from tests.export.pdf.inspection import FONTS, artwork, face, objects, rectangle
from tests.export.test_svg_png import opened
from tests.sheet.pages import impose_single

SIDE = 20
GRAY, RGB, GRAY_ALPHA, RGB_ALPHA = 0, 2, 4, 6
Pixel = tuple[int, ...]


def shown(path: Path, *below: object) -> Face:
    return face(*below, Picture(path, Box(0, 0, SIDE, SIDE)), size=Size(SIDE, SIDE), bleed=0)  # type: ignore[arg-type]


def printed(shown_face: Face) -> bytes:
    pages = list(impose_single([PrintPiece(shown_face)], shown_face.size, 0))
    return writer.write(pages, FONTS, writer.DocumentInfo("Test"))


def middle(path: Path, *below: object) -> Pixel:
    """The color in the middle of a printed picture."""
    page = opened(Rasterizer(printed(shown(path, *below)), 100).page(0))
    found = page.getpixel((page.width // 2, page.height // 2))
    assert isinstance(found, tuple)
    return found


def sixteen_bits(path: Path, colour_type: int, samples: Pixel, clear: Pixel = ()) -> Path:
    """A PNG of one color with 16 bits per channel; `clear` is its transparent color."""
    rows = (b"\0" + struct.pack(f">{len(samples)}H", *samples) * 8) * 8
    header = struct.pack(">IIBBBBB", 8, 8, 16, colour_type, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    if clear:
        chunks.insert(1, (b"tRNS", struct.pack(f">{len(clear)}H", *clear)))
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n"
        + b"".join(struct.pack(">I", len(d)) + k + d + struct.pack(">I", zlib.crc32(k + d)) for k, d in chunks)
    )
    return path


@pytest.mark.parametrize("gray", [0, 1, 77, 128, 200, 255])
def test_grays_of_16_bits_keep_their_tones(tmp_path: Path, gray: int) -> None:
    assert middle(sixteen_bits(tmp_path / "art.png", GRAY, (gray * 257,))) == (gray,) * 3


@pytest.mark.parametrize(
    ("colour_type", "samples", "expected"),
    [
        (RGB, (200 * 257, 77 * 257, 5 * 257), (200, 77, 5)),
        (GRAY_ALPHA, (77 * 257, 65535), (77, 77, 77)),
        (RGB_ALPHA, (200 * 257, 77 * 257, 5 * 257, 65535), (200, 77, 5)),
        (RGB_ALPHA, (200 * 257, 77 * 257, 5 * 257, 0), (0, 0, 255)),
    ],
)
def test_other_pictures_of_16_bits_keep_their_tones(
    tmp_path: Path, colour_type: int, samples: Pixel, expected: Pixel
) -> None:
    blue = artwork(rectangle(Box(-99, -99, 300, 300), "#0000ff"))
    assert middle(sixteen_bits(tmp_path / "art.png", colour_type, samples), blue) == expected


@pytest.mark.parametrize(
    ("colour_type", "samples", "clear", "expected"),
    [
        (GRAY, (30_000,), (30_000,), (0, 0, 255)),
        (GRAY, (30_001,), (30_000,), (117, 117, 117)),
        (RGB, (30_000, 40_000, 50_000), (30_000, 40_000, 50_000), (0, 0, 255)),
        (RGB, (30_000, 40_000, 60_000), (30_000, 40_000, 50_000), (117, 156, 234)),
    ],
)
def test_a_transparent_colour_of_16_bits_is_transparent(
    tmp_path: Path, colour_type: int, samples: Pixel, clear: Pixel, expected: Pixel
) -> None:
    blue = artwork(rectangle(Box(-99, -99, 300, 300), "#0000ff"))
    assert middle(sixteen_bits(tmp_path / "art.png", colour_type, samples, clear), blue) == expected


@pytest.mark.parametrize(("mode", "colour"), [("RGB", (1, 2, 3)), ("L", 7), ("1", 0)])
def test_a_transparent_colour_of_8_bits_is_transparent(tmp_path: Path, mode: str, colour: Pixel | int) -> None:
    path = tmp_path / "art.png"
    Image.new(mode, (8, 8), colour).save(path, transparency=colour)
    assert middle(path, artwork(rectangle(Box(-99, -99, 300, 300), "#0000ff"))) == (0, 0, 255)


INKS = {
    "cyan": ((255, 0, 0, 0), (0, 174, 239)),
    "yellow": ((0, 0, 255, 0), (255, 242, 0)),
    "red": ((0, 255, 255, 0), (237, 28, 36)),
    "white": ((0, 0, 0, 0), (255, 255, 255)),
    "gray": ((0, 0, 0, 128), (147, 149, 152)),
}


def near(one: Pixel, other: Pixel, most: int = 12) -> bool:
    return all(abs(a - b) <= most for a, b in zip(one, other, strict=True))


def cmyk(path: Path, inks: Pixel, *, adobe: bool = True, profile: bytes = b"") -> Path:
    """A CMYK JPEG of one color: of an Adobe program, with inverted values, or without its marker."""
    stored = inks if adobe else tuple(255 - ink for ink in inks)
    Image.new("CMYK", (32, 32), stored).save(path, quality=98, icc_profile=profile)
    if not adobe:
        content = path.read_bytes()
        start = content.index(b"\xff\xee")
        (length,) = struct.unpack(">H", content[start + 2 : start + 4])
        path.write_bytes(content[:start] + content[start + 2 + length :])
    return path


@each_case("adobe", [True, False], ids=["adobe", "plain"])
@each_case("name", INKS)
def test_cmyk_pictures_keep_their_colours(tmp_path: Path, name: str, adobe: bool) -> None:
    inks, expected = INKS[name]
    assert near(middle(cmyk(tmp_path / "art.jpg", inks, adobe=adobe)), expected)


def test_cmyk_of_adobe_programs_stays_as_it_is(tmp_path: Path) -> None:
    path = cmyk(tmp_path / "art.jpg", (255, 0, 0, 0))
    (image,) = objects(printed(shown(path)), "/Subtype", "/Image")
    assert image.read_raw_bytes() == path.read_bytes()


@pytest.mark.parametrize("adobe", [True, False], ids=["adobe", "plain"])
def test_svg_files_contain_cmyk_as_rgb(tmp_path: Path, adobe: bool) -> None:
    path = cmyk(tmp_path / "art.jpg", (0, 255, 255, 0), adobe=adobe)
    text = svg.write(shown(path), FONTS, "Test").decode()
    found = re.search(r"data:image/png;base64,([^\"]+)", text)
    assert found
    image = Image.open(io.BytesIO(base64.b64decode(found[1])))
    assert image.mode == "RGB"
    assert near(image.getpixel((16, 16)), (255, 0, 0), 40)  # type: ignore[arg-type]


def test_a_damaged_profile_is_ignored(tmp_path: Path) -> None:
    path = cmyk(tmp_path / "art.jpg", (0, 255, 255, 0), profile=b"not a profile")
    assert near(middle(path), INKS["red"][1])


def test_a_profile_of_other_colours_is_ignored(tmp_path: Path) -> None:
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    assert near(middle(cmyk(tmp_path / "art.jpg", (0, 255, 255, 0), profile=profile)), INKS["red"][1])


def test_a_turned_cmyk_picture_is_upright_in_svg_files(tmp_path: Path) -> None:
    path = tmp_path / "art.jpg"
    exif = Image.Exif()
    exif[0x0112] = 6
    Image.new("CMYK", (32, 16), (0, 255, 255, 0)).save(path, exif=exif)
    found = re.search(r"data:image/png;base64,([^\"]+)", svg.write(shown(path), FONTS, "Test").decode())
    assert found
    assert Image.open(io.BytesIO(base64.b64decode(found[1]))).size == (16, 32)
