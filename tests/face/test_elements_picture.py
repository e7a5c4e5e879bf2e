"""Pictures in their boxes: how they are placed, turned, mirrored, and masked."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardgen.face.elements import make_picture
from cardgen.face.face import Picture
from cardgen.model.card import Art
from cardgen.svg.chunks import BoxElement
from cardgen.units import IDENTITY, Box, apply, mapped_box


def made(art: Art | None = None, **attributes: str) -> Picture:
    box = {"x": "10", "y": "20", "width": "30", "height": "10"}
    element = BoxElement("cg:art", {**box, **({} if art else {"file": "a.png"}), **attributes}, "", IDENTITY)
    return make_picture(element, art, Path)


def test_a_picture_covers_its_box_around_its_focus() -> None:
    assert made().place(40, 20) == Box(10, 17.5, 30, 15)
    assert made(focus="0.5 0").place(40, 20) == Box(10, 20, 30, 15)
    assert made(fit="contain").place(40, 20) == Box(15, 20, 20, 10)


def test_a_scaled_picture_keeps_its_focus() -> None:
    assert made(scale="2", focus="0 1").place(40, 20) == Box(10, 0, 60, 30)
    assert made(scale="2", fit="contain", focus="1 0").place(40, 20) == Box(0, 20, 40, 20)
    assert made(scale="0.5", fit="contain", focus="1 0").place(40, 20) == Box(20, 22.5, 10, 5)


@pytest.mark.parametrize(("degrees", "corner"), [("90", (40, 20)), ("180", (40, 30)), ("270", (10, 30))])
def test_a_turned_picture_fills_the_same_box(degrees: str, corner: tuple[float, float]) -> None:
    picture = made(rotate=degrees)
    assert mapped_box(picture.box, picture.matrix) == pytest.approx(Box(10, 20, 30, 10))
    assert apply(picture.matrix, picture.box.x, picture.box.y) == pytest.approx(corner)


def test_a_mirrored_picture_has_its_left_at_the_right() -> None:
    picture = made(mirror="true")
    assert apply(picture.matrix, 10, 20) == pytest.approx((40, 20))


def test_the_card_says_how_its_picture_is_placed_and_the_template_has_priority() -> None:
    art = Art.model_validate({"file": "a.png", "scale": 2, "rotate": 90, "mirror": True})
    assert made(art).scale == 2
    assert made(art).box == Box(20, 10, 10, 30)
    own = made(art, scale="1", rotate="0", mirror="false")
    assert own == made()


def test_a_mask_stays_where_the_template_draws_it() -> None:
    outline = made(mask="M10 20H40V30Z").outline
    assert outline[0] == ("M", 10, 20)
    turned = made(mask="M10 20H40V30Z", rotate="90", mirror="true")
    points = [apply(turned.matrix, *each[1:]) for each in turned.outline if each[0] != "Z"]
    assert points[0] == pytest.approx((10, 20))
    assert points[-1] == pytest.approx((40, 30))
