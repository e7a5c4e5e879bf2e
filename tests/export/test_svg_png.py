from __future__ import annotations

import io
import math
import sys
import zlib

import pypdfium2
import pytest
from PIL import Image

from cardgen.export import svg
from cardgen.export.pdf import writer
from cardgen.export.svg import Rasterizer
from cardgen.face.face import Face
from cardgen.sheet.imposition import PrintPiece
from cardgen.units import CARD_SIZES, Box, Shape, Size
from tests.export.pdf.inspection import CARD, FONTS, artwork, dark_box, face, rectangle
from tests.sheet.pages import impose_single


def rasters(*faces: Face, dpi: int = 300, bleed: float = 0) -> Rasterizer:
    pages = [page for each in faces for page in impose_single([PrintPiece(each)], each.size, bleed)]
    return Rasterizer(writer.write(pages, FONTS, writer.DocumentInfo("Test")), dpi)


def opened(content: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(content))
    image.load()
    return image


@pytest.mark.parametrize(
    ("name", "dpi", "pixels"),
    [
        ("standard", 300, (744, 1039)),
        ("tarot", 300, (827, 1417)),
        ("mini-usa", 150, (242, 372)),
        ("poker", 600, (1500, 2100)),
    ],
)
def test_a_face_has_its_size_in_pixels_and_says_its_resolution(name: str, dpi: int, pixels: tuple[int, int]) -> None:
    image = opened(rasters(face(size=CARD_SIZES[name]), dpi=dpi).page(0))
    assert (image.format, image.mode, image.size) == ("PNG", "RGB", pixels)
    assert image.info["dpi"] == pytest.approx((dpi, dpi), abs=0.02)


def test_a_page_that_would_take_gigabytes_has_a_lower_resolution(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardgen.export.svg.MOST_PIXELS", 1_000_000)
    image = opened(rasters(face(size=Size(1270, 635)), dpi=300).page(0))
    assert image.size == (1414, 707)
    assert image.info["dpi"] == pytest.approx((28.28, 28.28), abs=0.05)


@pytest.mark.parametrize("missing", ["isal", ""])
def test_pixels_are_the_same_with_and_without_the_extra(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if missing:
        monkeypatch.setitem(sys.modules, missing, None)
    else:
        pytest.importorskip("isal", reason="the extra speed is not installed")
    pages = rasters(face(artwork(rectangle(Box(10, 10, 20, 20), "#7d2620"))))
    expected = opened(pages.page(0)).tobytes()
    svg._compressor.cache_clear()
    assert opened(pages.page(0)).tobytes() == expected
    if missing:
        assert svg._compressor()(b"cards") == zlib.compress(b"cards", svg._COMPRESSION)
    svg._compressor.cache_clear()


def test_bare_ground_is_white_and_colours_are_as_given() -> None:
    image = opened(rasters(face(artwork(rectangle(Box(10, 10, 20, 20), "#7d2620")))).page(0))
    assert image.getpixel((5, 5)) == (255, 255, 255)
    assert image.getpixel((240, 240)) == (0x7D, 0x26, 0x20)


def test_what_is_painted_lies_where_it_belongs() -> None:
    image = opened(rasters(face(artwork(rectangle(Box(10, 20, 30, 40)))), dpi=600).page(0))
    box = dark_box(image, 600)
    assert (box.x, box.y, box.width, box.height) == pytest.approx((10, 20, 30, 40), abs=0.1)


def test_the_bleed_is_cut_away_unless_it_is_kept() -> None:
    bled = face(artwork(rectangle(Box(-3, -3, 69, 94))))
    assert opened(rasters(bled).page(0)).size == (744, 1039)
    kept = opened(rasters(bled, bleed=3).page(0))
    assert kept.size == (815, 1110)
    assert kept.getextrema() == ((0, 0), (0, 0), (0, 0))


def test_pages_come_one_by_one_in_any_order() -> None:
    small, large = face(size=Size(20, 30)), face(size=CARD)
    drawn = rasters(small, large, dpi=127)
    assert [opened(drawn.page(index)).size for index in (1, 0, 1)] == [(315, 440), (100, 150), (315, 440)]


def test_no_document_outlives_its_rasterizer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some versions of pypdfium2 warn of documents that are open when the program ends."""
    documents: list[pypdfium2.PdfDocument] = []

    class Document(pypdfium2.PdfDocument):  # type: ignore[misc]
        def __init__(self, content: bytes) -> None:
            super().__init__(content)
            documents.append(self)

    monkeypatch.setattr(pypdfium2, "PdfDocument", Document)
    raster = rasters(face())
    assert raster.page(0)
    del raster
    assert [each.raw for each in documents] == [None, None]


@pytest.mark.parametrize("width", [40.0, 41.3, 42.1, 43.7])
def test_rows_of_any_length_stay_straight(width: float) -> None:
    """A bitmap's rows are padded to whole words; one pixel too many or too few would slant the picture."""
    stripe = face(artwork(rectangle(Box(10, 0, 5, 30)), Size(width, 30)), size=Size(width, 30))
    image = opened(rasters(stripe, dpi=254).page(0)).convert("L")
    assert {image.getpixel((125, y)) for y in range(image.height)} == {0}
    assert {image.getpixel((95, y)) for y in range(image.height)} == {255}


def round_page(bleed: float = 0, dpi: int = 300) -> Image.Image:
    disc = face(artwork(rectangle(Box(-50, -50, 200, 200), "#7d2620")), size=Size(25, 25), bleed=3)
    pages = list(impose_single([PrintPiece(disc, shape=Shape.ROUND)], disc.size, bleed))
    document = writer.write(pages, FONTS, writer.DocumentInfo("Test"))
    return opened(Rasterizer(document, dpi, transparent=() if bleed else (0,)).page(0))


def test_a_round_piece_is_a_circle_on_a_transparent_ground() -> None:
    image = round_page()
    assert (image.mode, image.size) == ("RGBA", (295, 295))
    middle = (image.width - 1) / 2
    for x in range(0, image.width, 7):
        for y in range(0, image.height, 7):
            red, green, blue, alpha = image.getpixel((x, y))  # type: ignore[misc]
            distance = math.hypot(x - middle, y - middle)
            if distance < image.width / 2 - 1.5:
                assert (red, green, blue, alpha) == (0x7D, 0x26, 0x20, 255)
            elif distance > image.width / 2 + 1.5:
                assert alpha == 0


def test_the_rim_of_a_round_piece_fades_without_a_white_edge() -> None:
    image = round_page()
    data = image.tobytes()
    pixels = [data[start : start + 4] for start in range(0, len(data), 4)]
    rim = [pixel for pixel in pixels if 0 < pixel[3] < 255]
    assert rim
    for pixel in rim:
        if pixel[3] > 32:
            assert all(abs(one - other) < 16 for one, other in zip(pixel[:3], (0x7D, 0x26, 0x20), strict=True)), pixel


def test_a_round_piece_keeps_its_whole_bleed() -> None:
    image = round_page(bleed=3)
    assert (image.mode, image.size) == ("RGB", (366, 366))
    assert image.getpixel((0, 0)) == (0x7D, 0x26, 0x20)
