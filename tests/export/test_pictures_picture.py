from __future__ import annotations

import os
import struct
import zlib
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageOps

from cardgen.export import pictures
from cardgen.export.pdf import writer
from cardgen.export.pictures import MOST_PARTS, inspect_image
from cardgen.export.svg import Rasterizer
from cardgen.face.face import Picture
from cardgen.sheet.imposition import PrintPiece
from cardgen.units import Box, Size
from tests.export.pdf.inspection import FONTS, face, quartered
from tests.export.test_svg_png import opened
from tests.sheet.pages import impose_single


def turned(path: Path, orientation: int) -> Path:
    """A JPEG with what a camera notes about how it was held."""
    exif = Image.Exif()
    exif[0x0112] = orientation
    with Image.open(quartered(path.with_suffix(".png"), 80, 40)) as image:
        image.save(path, quality=95, exif=exif)
    return path


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_picture_is_printed_as_upright_as_pillow_would_turn_it(tmp_path: Path, orientation: int) -> None:
    path = turned(tmp_path / "art.jpg", orientation)
    with Image.open(path) as image:
        expected = ImageOps.exif_transpose(image).convert("RGB")
    size = Size(expected.width / 2, expected.height / 2)
    shown = face(Picture(path, Box(0, 0, *size)), size=size, bleed=0)
    page = writer.write(list(impose_single([PrintPiece(shown)], size, 0)), FONTS, writer.DocumentInfo("Test"))
    seen = opened(Rasterizer(page, 127).page(0)).resize(expected.size)
    corners = [(x, y) for x in (5, expected.width - 6) for y in (5, expected.height - 6)]
    for corner in corners:
        got, want = seen.getpixel(corner), expected.getpixel(corner)
        assert isinstance(got, tuple)
        assert isinstance(want, tuple)
        assert all(abs(one - other) < 60 for one, other in zip(got, want, strict=True)), (corner, got, want)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"no picture", "'art.png' is not a picture that can be printed; save it as PNG, JPEG, or WebP"),
        (b"", "'art.png' is not a picture that can be printed; save it as PNG, JPEG, or WebP"),
    ],
)
def test_what_is_no_picture_is_said(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "art.png"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=message):
        inspect_image(path)


@pytest.mark.parametrize("suffix", ["png", "jpg"])
def test_half_a_picture_is_said(tmp_path: Path, suffix: str) -> None:
    whole = tmp_path / f"whole.{suffix}"
    Image.effect_noise((200, 200), 90).convert("RGB").save(whole)
    half = tmp_path / f"half.{suffix}"
    half.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    with pytest.raises(ValueError, match=f"'half.{suffix}' is not a readable picture"):
        inspect_image(half)


def test_a_picture_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"'art.png' cannot be read: No such file"):
        inspect_image(tmp_path / "art.png")


def test_other_formats_are_named(tmp_path: Path) -> None:
    path = tmp_path / "art.png"
    Image.new("RGB", (4, 4)).save(path, format="TIFF")
    with pytest.raises(ValueError, match=r"'art.png' is a TIFF file; save it as PNG, JPEG, or WebP"):
        inspect_image(path)


def test_a_picture_that_was_changed_is_looked_at_again(tmp_path: Path) -> None:
    path = quartered(tmp_path / "art.png", 40, 20)
    assert inspect_image(path).width == 40
    quartered(path, 60, 20)
    assert inspect_image(path).width == 60


@pytest.mark.parametrize("mode", ["1", "L", "P", "LA", "RGBA", "CMYK", "I;16"])
def test_pictures_of_every_mode_are_printed(tmp_path: Path, mode: str) -> None:
    path = tmp_path / ("art.jpg" if mode == "CMYK" else "art.png")
    Image.new(mode, (20, 20), 0).save(path)
    shown = face(Picture(path, Box(0, 0, 20, 20)), size=Size(20, 20), bleed=0)
    page = writer.write(list(impose_single([PrintPiece(shown)], shown.size, 0)), FONTS, writer.DocumentInfo("Test"))
    assert page.startswith(b"%PDF")


def stuffed(kind: str, count: int) -> bytes:
    """Return a picture with many parts of a few bytes each before its data."""
    file = BytesIO()
    Image.new("P", (8, 8)).convert("RGB" if kind == "JPEG" else "P").save(file, kind)
    content = file.getvalue()
    at = {"PNG": 33, "JPEG": 2, "GIF": content.index(b",")}[kind]
    return content[:at] + PARTS[kind] * count + content[at:]


PARTS = {
    "PNG": struct.pack(">I4sI", 0, b"teSt", zlib.crc32(b"teSt")),
    "JPEG": b"\xff\xfe\0\2",
    "GIF": b"!\xfe\1a\0",
}


@pytest.mark.parametrize("kind", PARTS)
def test_a_picture_with_parts_without_end_is_refused(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "art"
    path.write_bytes(stuffed(kind, 1_000))
    assert inspect_image(path).width == 8
    other = tmp_path / "more"
    other.write_bytes(stuffed(kind, MOST_PARTS + 1))
    with pytest.raises(ValueError, match="'more' is not a readable picture: it has more than 100,000 parts"):
        inspect_image(other)


@pytest.mark.parametrize(
    ("kind", "filler"),
    [
        pytest.param("JPEG", b"\xff", id="fill bytes"),
        pytest.param("JPEG", b"\xff\0", id="stuffed bytes"),
        pytest.param("JPEG", b"\0", id="bytes between segments"),
        pytest.param("JPEG", b"\xff\xd0", id="restarts"),
        pytest.param("GIF", b"\0", id="bytes between blocks"),
    ],
)
def test_bytes_between_the_parts_count(tmp_path: Path, kind: str, filler: bytes) -> None:
    content, part = stuffed(kind, 1), PARTS[kind]
    path = tmp_path / "art"
    path.write_bytes(content.replace(part, part + filler * (MOST_PARTS + 1), 1))
    with pytest.raises(ValueError, match="more than 100,000 parts"):
        inspect_image(path)


def test_the_blocks_of_one_comment_count(tmp_path: Path) -> None:
    content = stuffed("GIF", 1)
    path = tmp_path / "art"
    path.write_bytes(content.replace(PARTS["GIF"], b"!\xfe" + b"\1a" * (MOST_PARTS + 1) + b"\0", 1))
    with pytest.raises(ValueError, match="more than 100,000 parts"):
        inspect_image(path)


def test_a_broken_picture_is_read_once_until_it_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = quartered(tmp_path / "art.png", 8, 8)
    whole = path.read_bytes()
    reads: list[Path] = []

    def read(path: Path) -> bytes:
        reads.append(path)
        return path.read_bytes()

    monkeypatch.setattr(pictures, "read_image", read)
    path.write_bytes(whole[:40])
    for _ in range(3):
        with pytest.raises(ValueError, match="art"):
            inspect_image(path)
    assert len(reads) == 1
    path.write_bytes(whole)
    os.utime(path, ns=(1, 1))
    assert (inspect_image(path).width, len(reads)) == (8, 2)
