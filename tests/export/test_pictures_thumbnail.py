"""Small copies of pictures, for lists to choose from."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from cardgen.export.pictures import thumbnail


def _saved(path: Path, mode: str, **options: Any) -> Path:
    Image.new(mode, (400, 200), 0).save(path, **options)
    return path


@pytest.mark.parametrize(
    ("name", "mode"),
    [("a.png", "RGB"), ("a.png", "P"), ("a.png", "1"), ("a.png", "I;16"), ("a.jpg", "CMYK"), ("a.webp", "RGBA")],
)
def test_all_kinds_of_pictures_get_small(tmp_path: Path, name: str, mode: str) -> None:
    with Image.open(BytesIO(thumbnail(_saved(tmp_path / name, mode), 80))) as small:
        assert (small.format, small.size) == ("PNG", (80, 40))


def test_a_thumbnail_is_upright_and_never_larger(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    with Image.open(BytesIO(thumbnail(_saved(tmp_path / "a.jpg", "RGB", exif=exif), 1000))) as small:
        assert small.size == (200, 400)


def test_a_picture_that_cannot_be_printed_has_none(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"no picture")
    with pytest.raises(ValueError, match=r"a\.png"):
        thumbnail(tmp_path / "a.png", 80)
