"""WebP and GIF pictures: sizes, frames, and limits before anything is decoded."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from cardgen.export import svg
from cardgen.export.pdf import writer
from cardgen.export.pictures import inspect_image
from cardgen.export.svg import Rasterizer
from cardgen.face.face import Picture
from cardgen.sheet.imposition import PrintPiece
from cardgen.units import Box, Size
from tests.export.pdf.inspection import FONTS, face
from tests.export.test_svg_png import opened
from tests.sheet.pages import impose_single

SIZE = Size(20, 10)


def webp_head(kind: bytes, data: bytes) -> bytes:
    """A WebP file that declares its size, and then ends."""
    chunk = kind + struct.pack("<I", len(data)) + data
    return b"RIFF" + struct.pack("<I", 4 + len(chunk)) + b"WEBP" + chunk


def extended(width: int, height: int) -> bytes:
    return webp_head(b"VP8X", bytes(4) + (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little"))


def lossless(width: int, height: int) -> bytes:
    return webp_head(b"VP8L", b"\x2f" + (width - 1 | (height - 1) << 14).to_bytes(4, "little"))


def lossy(width: int, height: int) -> bytes:
    return webp_head(b"VP8 ", bytes(3) + b"\x9d\x01\x2a" + struct.pack("<HH", width, height))


def gif_head(width: int, height: int) -> bytes:
    frame = b"," + struct.pack("<HHHHB", 0, 0, width, height, 0) + b"\x02\x01\x44\x00;"
    return b"GIF89a" + struct.pack("<HHBBB", width, height, 0x80, 0, 0) + bytes(6) + frame


@pytest.mark.parametrize("head", [extended, lossless, lossy])
def test_a_large_webp_is_refused_before_memory_is_reserved(
    tmp_path: Path, head: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    def open_(*_: object, **__: object) -> None:
        raise AssertionError("opened")

    assert callable(head)
    path = tmp_path / "a.webp"
    path.write_bytes(head(16_000, 16_000))
    monkeypatch.setattr(Image, "open", open_)
    with pytest.raises(ValueError, match=r"'a\.webp' \(16000 x 16000 pixels\) is too large"):
        inspect_image(path)


def test_a_large_gif_is_never_decoded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def load(*_: object) -> None:
        raise AssertionError("decoded")

    path = tmp_path / "a.gif"
    path.write_bytes(gif_head(60_000, 60_000))
    monkeypatch.setattr(Image.Image, "load", load)
    with pytest.raises(ValueError, match="too large"):
        inspect_image(path)


@pytest.mark.parametrize("suffix", ["webp", "gif"])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_part_of_a_picture_is_an_error(tmp_path: Path, suffix: str, share: float) -> None:
    path = tmp_path / f"a.{suffix}"
    Image.effect_noise((64, 64), 90).convert("RGB").save(path)
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * share)])
    with pytest.raises(ValueError, match=r"is not a (readable )?picture"):
        inspect_image(path)


def test_other_formats_are_named(tmp_path: Path) -> None:
    path = tmp_path / "a.bmp"
    Image.new("RGB", (3, 3)).save(path)
    with pytest.raises(ValueError, match=r"'a\.bmp' is a BMP file; save it as PNG, JPEG, or WebP"):
        inspect_image(path)


def animated(path: Path) -> Path:
    """Two frames, red and blue."""
    frames = [Image.new("RGB", (40, 20), colour) for colour in ("red", "blue")]
    frames[0].save(path, save_all=True, append_images=frames[1:], duration=100, **_LOSSLESS.get(path.suffix, {}))
    return path


_LOSSLESS: dict[str, dict[str, Any]] = {".webp": {"lossless": True}}


@pytest.mark.parametrize("suffix", ["webp", "gif"])
def test_the_first_frame_is_printed(tmp_path: Path, suffix: str) -> None:
    path = animated(tmp_path / f"a.{suffix}")
    assert inspect_image(path).is_animated
    shown = face(Picture(path, Box(0, 0, *SIZE)), size=SIZE, bleed=0)
    page = writer.write(list(impose_single([PrintPiece(shown)], SIZE, 0)), FONTS, writer.DocumentInfo("Test"))
    assert opened(Rasterizer(page, 100).page(0)).getpixel((20, 20)) == (255, 0, 0)
    assert b"data:image/png;base64," in svg.write(shown, FONTS, "Test")


@pytest.mark.parametrize(("suffix", "mode"), [("webp", "RGB"), ("webp", "RGBA"), ("gif", "P"), ("gif", "L")])
def test_a_still_picture_is_not_animated(tmp_path: Path, suffix: str, mode: str) -> None:
    path = tmp_path / f"a.{suffix}"
    Image.new(mode, (30, 20)).save(path)
    image = inspect_image(path)
    assert (image.width, image.height, image.is_animated) == (30, 20, False)


@pytest.mark.parametrize("suffix", ["webp", "gif"])
def test_what_is_transparent_shows_the_paper(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a.{suffix}"
    image = Image.new("RGBA", (40, 20), (0, 0, 0, 0))
    image.paste((0, 255, 0, 255), (0, 0, 20, 20))
    image.save(path, **_LOSSLESS.get(path.suffix, {}))
    shown = face(Picture(path, Box(0, 0, *SIZE)), size=SIZE, bleed=0)
    page = writer.write(list(impose_single([PrintPiece(shown)], SIZE, 0)), FONTS, writer.DocumentInfo("Test"))
    seen = opened(Rasterizer(page, 100).page(0))
    assert [seen.getpixel((x, 20)) for x in (10, 70)] == [(0, 255, 0), (255, 255, 255)]
