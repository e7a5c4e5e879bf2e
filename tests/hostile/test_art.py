"""Pictures that are none, that are gigantic, and that lie where no card may look."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import pytest
from PIL import Image

from tests.hostile.conftest import Attack


def png_head(width: int, height: int) -> bytes:
    """The head of a PNG that says how large it is, and then ends."""
    head = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + head + struct.pack(">I", zlib.crc32(head)) + b"\0\0\x10\0IDAT"


@pytest.mark.parametrize(
    ("art", "message"),
    [
        ("nowhere.png", "file 'nowhere.png' not found"),
        ("../../outside/secret.png", "points outside the project"),
        ("/etc/passwd", "is an absolute path"),
        ("C:\\x.png", "is an absolute path"),
        ("https://example.org/a.png", "is a URL"),
        ("file:///etc/passwd", "is a URL"),
        ("'data:image/png;base64,aaaa'", "is a URL"),
        ("link.png", "points outside the project"),
        ("loop.png", "is not a valid path|file '.*' not found"),
        (".", "file '.' not found"),
        ("a" * 5000, "cannot be accessed"),
    ],
    ids=lambda value: value[:24],
)
def test_art_that_lies_elsewhere(attack: Attack, outside: Path, art: str, message: str) -> None:
    attack.card(f"art: {art}\n")
    (attack.folder.root / "cards/link.png").symlink_to(outside / "secret.png")
    (attack.folder.root / "cards/loop.png").symlink_to("loop.png")
    attack.fails(rf"cards/a\.yaml:4:6: error\[CG504\]: .*({message})")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is not a picture"),
        (b"hello", "is not a picture"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "is not a picture"),
        (b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n%%EndComments\nshowpage\n", "is not a picture"),
        (png_head(20_000, 10), r"\(20000 x 10 pixels\) is too large \(at most 12,000 pixels per side"),
        (png_head(11_000, 11_000), r"\(11000 x 11000 pixels\) is too large .* and 100 million in total"),
        (png_head(60_000, 60_000), r"is too large"),
        (png_head(10, 10), "is not a readable picture"),
        (b"\xff\xd8\xff\xe0" + bytes(40), "is not a picture|is not a readable picture"),
    ],
    ids=lambda value: str(value)[:24],
)
def test_what_is_no_picture_that_can_be_printed(attack: Attack, content: bytes, message: str) -> None:
    attack.folder.write("cards/art.png", content)
    attack.card("art: art.png\n").fails(rf"cards/a\.yaml:4:6: error\[CG504\]: 'art\.png'.*({message})")


def test_a_large_picture_is_never_decoded(attack: Attack, monkeypatch: pytest.MonkeyPatch) -> None:
    def load(*_: object) -> None:
        raise AssertionError("decoded")

    monkeypatch.setattr(Image.Image, "load", load)
    attack.folder.write("cards/art.png", png_head(20_000, 20_000))
    attack.card("art: art.png\n").fails("is too large")
