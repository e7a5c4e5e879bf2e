"""Pictures that are none, that are gigantic, and that lie where no card may look."""

from __future__ import annotations

import os
import struct
import time
import zlib
from pathlib import Path

import pytest
from PIL import Image

from cardgen.export.pictures import inspect_image
from tests.cli.commands import process
from tests.hostile.conftest import Attack
from tests.projects import STATS


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
        ("a" * 300, "is not a valid path; use names of at most 255 bytes"),
        ("a" * 5000, "is not a valid path; use at most 4,096 characters"),
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
        (png_head(11_000, 11_000), r"\(11000 x 11000 pixels\) is too large .* and 50 million in total"),
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


def png_data(data: bytes, *, interlace: int = 0) -> bytes:
    """Return a PNG of 50 x 50 pixels with this data, which may be too little."""
    head = struct.pack(">IIBBBBB", 50, 50, 8, 2, 0, 0, interlace)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(data)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(each)) + kind + each + struct.pack(">I", zlib.crc32(kind + each)) for kind, each in chunks
    )


def test_an_interlaced_png_with_all_passes_is_accepted(tmp_path: Path) -> None:
    """A picture in seven passes, which become finer."""
    starts = ((0, 8, 0, 8), (4, 8, 0, 8), (0, 4, 4, 8), (2, 4, 0, 4), (0, 2, 2, 4), (1, 2, 0, 2), (0, 1, 1, 2))
    sides = ((len(range(x, 50, dx)), len(range(y, 50, dy))) for x, dx, y, dy in starts)
    length = sum(rows * (1 + 3 * columns) for columns, rows in sides)
    for missing in (0, 1):
        path = tmp_path / f"{missing}.png"
        path.write_bytes(png_data(bytes(length - missing), interlace=1))
        if missing:
            with pytest.raises(ValueError, match="it is truncated"):
                inspect_image(path)
        else:
            assert inspect_image(path).width == 50


def many_scans(path: Path, count: int) -> bytes:
    """Return a progressive JPEG whose last scan is repeated."""
    Image.new("RGB", (400, 400), "red").save(path, "JPEG", progressive=True)
    content = path.read_bytes()
    last = content.rindex(b"\xff\xda")
    return content[:last] + content[last:-2] * count + content[-2:]


@pytest.mark.parametrize(
    ("rows", "interlace", "message"),
    [
        (20, 0, r"it is truncated \(20 of 50 rows\)"),
        (0, 0, r"it is truncated \(0 of 50 rows\)"),
        (30, 1, "it is truncated$"),
    ],
)
def test_a_png_that_lacks_rows(attack: Attack, rows: int, interlace: int, message: str) -> None:
    attack.folder.write("cards/art.png", png_data(bytes(151) * rows, interlace=interlace))
    attack.card("art: art.png\n").fails(f"(?m)'art.png' is not a readable picture: {message}")


@pytest.mark.parametrize("mode", ["1", "L", "P", "LA", "RGB", "RGBA", "I;16"])
def test_a_png_with_all_rows_is_accepted(tmp_path: Path, mode: str) -> None:
    for size in ((1, 1), (3, 5), (50, 49)):
        path = tmp_path / f"{size}.png"
        Image.new(mode, size).save(path)
        assert (inspect_image(path).width, inspect_image(path).height) == size


def test_a_jpeg_of_many_scans_is_never_decoded(attack: Attack) -> None:
    attack.folder.write("cards/art.jpg", many_scans(attack.folder.root / "cards.jpg", 3000))
    started = time.process_time()
    attack.card("art: art.jpg\n").fails("it has more than 100 scans; save it again")
    assert time.process_time() - started < 5
    attack.folder.write("cards/art.jpg", many_scans(attack.folder.root / "cards.jpg", 50))
    assert attack.cardgen("build", "-q").code == 0


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_picture_that_is_no_file(attack: Attack) -> None:
    attack.card("art: art.png\n")
    os.mkfifo(attack.folder.root / "cards/art.png")
    outcome = attack.cardgen("build")
    assert outcome.code == 1
    assert "cards/a.yaml:4:6: error[CG504]: file 'art.png' not found" in outcome.err


def test_a_picture_file_that_is_too_large(attack: Attack) -> None:
    attack.folder.write("cards/art.png", b"\x89PNG\r\n\x1a\n")
    os.truncate("cards/art.png", 65 * 2**20)
    attack.card("art: art.png\n").fails("'art.png' is larger than 64 MiB; save it as JPEG or smaller")


def test_warnings_of_pillow_are_not_shown(attack: Attack) -> None:
    """A palette with transparency, a damaged EXIF block, and a second picture all make Pillow warn."""
    image = Image.new("P", (9, 9))
    image.save(attack.folder.root / "palette.png", transparency=b"\x00\x80")
    exif = b"Exif\0\0MM\0*\0\0\0\x08\0\x02\x01\x12\0\x03\0\0\0\x09\0\x01\0\0\xff"
    Image.new("RGB", (90, 90)).save(attack.folder.root / "exif.jpg", exif=exif)
    Image.new("RGB", (90, 90)).save(attack.folder.root / "many.jpg", "MPO", save_all=True,
                                    append_images=[Image.new("RGB", (90, 90))])  # fmt: skip
    Image.new("L", (7000, 7000)).save(attack.folder.root / "large.png")
    attack.folder.minions("A", more=", art: ../palette.png").write(
        "cards/b.yaml", "kind: minion\ncards:\n" + "".join(
            f"- {{name: {name}, art: ../{name}, stats: {STATS}}}\n" for name in ("exif.jpg", "many.jpg", "large.png")
        ),
    )  # fmt: skip
    outcome = process("build", "-q", "--format", "pdf,svg,png")
    assert (outcome.code, outcome.out, outcome.err) == (0, "", "")
