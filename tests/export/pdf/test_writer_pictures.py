from __future__ import annotations

from pathlib import Path

import pikepdf
import pytest
from PIL import Image

from cardgen.export.pdf import writer
from cardgen.face.face import Face, Picture
from cardgen.sheet.imposition import PrintPiece, SheetSettings
from cardgen.svg.tree import parse_transform
from cardgen.units import PAPER_SIZES, Box
from tests.export.pdf.inspection import (
    BLEED,
    CARD,
    FONTS,
    colour_box,
    face,
    objects,
    opened,
    picture_of,
    quartered,
    see_through,
)
from tests.sheet.pages import impose

DPI = 300
RED, GREEN, BLUE, YELLOW, WHITE = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 0), (255, 255, 255)


def written(*faces: Face) -> bytes:
    settings = SheetSettings(PAPER_SIZES["a4"], bleed=BLEED)
    return writer.write(
        impose([PrintPiece(each) for each in faces], CARD, settings, "Legend"), FONTS, writer.DocumentInfo("Test")
    )


def card_of(content: bytes) -> Image.Image:
    """The first card of a sheet, cut out along its trim."""
    box = [float(edge) * DPI / 72 for edge in opened(content).pages[0].TrimBox]
    page = picture_of(content, dpi=DPI)
    return page.crop((round(box[0]), round(page.height - box[3]), round(box[2]), round(page.height - box[1])))


def at(image: Image.Image, x: float, y: float) -> tuple[int, ...]:
    """The colour at a place in millimetres."""
    found = image.getpixel((round(x * DPI / 25.4), round(y * DPI / 25.4)))
    assert isinstance(found, tuple)
    return found


def near(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return all(abs(a - b) < 50 for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("suffix", ["png", "jpg"])
def test_a_picture_of_the_boxs_shape_fills_it(tmp_path: Path, suffix: str) -> None:
    card = card_of(written(face(Picture(quartered(tmp_path / f"art.{suffix}"), Box(10, 20, 40, 20)))))
    colours = [at(card, x, y) for x, y in ((11, 21), (49, 21), (11, 39), (49, 39))]
    assert all(map(near, colours, (RED, GREEN, BLUE, YELLOW))), colours
    assert all(near(at(card, x, y), WHITE) for x, y in ((9.5, 30), (50.5, 30), (30, 19.5), (30, 40.5)))


@pytest.mark.parametrize(
    ("focus", "colours"),
    [((0, 0.5), (RED, BLUE)), ((1, 0.5), (GREEN, YELLOW)), ((0.5, 0.5), (RED, BLUE))],
)
def test_cover_cuts_the_picture_around_its_focus(
    tmp_path: Path, focus: tuple[float, float], colours: tuple[tuple[int, ...], ...]
) -> None:
    picture = Picture(quartered(tmp_path / "art.png"), Box(10, 20, 20, 20), "cover", focus)
    card = card_of(written(face(picture)))
    assert all(map(near, (at(card, 11, 21), at(card, 11, 39)), colours))
    assert not near(at(card, 29, 29), WHITE)
    assert near(at(card, 31, 30), WHITE)


def test_contain_shows_all_of_the_picture_in_the_middle(tmp_path: Path) -> None:
    card = card_of(written(face(Picture(quartered(tmp_path / "art.png"), Box(10, 20, 40, 40), "contain"))))
    red, yellow = colour_box(card, RED, DPI), colour_box(card, YELLOW, DPI)
    assert (red.x, red.y) == pytest.approx((10, 30), abs=0.15)
    assert (yellow.right, yellow.bottom) == pytest.approx((50, 50), abs=0.15)


def test_a_radius_rounds_the_corners(tmp_path: Path) -> None:
    card = card_of(written(face(Picture(quartered(tmp_path / "art.png"), Box(10, 20, 40, 20), radius=5))))
    assert near(at(card, 10.6, 20.6), WHITE)
    assert near(at(card, 11.8, 21.8), RED)
    assert near(at(card, 10.3, 29), RED)


def test_a_group_moves_and_turns_a_picture(tmp_path: Path) -> None:
    matrix = parse_transform("translate(50 10) rotate(90)")
    picture = Picture(quartered(tmp_path / "art.png"), Box(0, 0, 40, 20), matrix=matrix)
    card = card_of(written(face(picture)))
    red, green = colour_box(card, RED, DPI), colour_box(card, GREEN, DPI)
    assert (red.right, red.y) == pytest.approx((50, 10), abs=0.15)
    assert (green.right, green.bottom) == pytest.approx((50, 50), abs=0.15)


def test_a_transparent_png_lets_the_ground_through(tmp_path: Path) -> None:
    card = card_of(written(face(Picture(see_through(tmp_path / "art.png"), Box(10, 20, 20, 20)))))
    assert near(at(card, 15, 30), RED)
    assert near(at(card, 25, 30), WHITE)


def test_a_jpegs_bytes_are_left_as_they_are(tmp_path: Path) -> None:
    path = quartered(tmp_path / "art.jpg", 400, 200)
    (image,) = objects(written(face(Picture(path, Box(10, 20, 40, 20)))), "/Subtype", "/Image")
    assert image.Filter == pikepdf.Array([pikepdf.Name("/DCTDecode")])
    assert image.read_raw_bytes() == path.read_bytes()


def test_a_picture_on_many_cards_is_stored_once(tmp_path: Path) -> None:
    path = quartered(tmp_path / "art.jpg")
    faces = [face(Picture(path, Box(number, 20, 40, 20))) for number in range(5)]
    assert len(objects(written(*faces), "/Subtype", "/Image")) == 1
