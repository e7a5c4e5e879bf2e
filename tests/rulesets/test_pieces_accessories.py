"""Tuck boxes, mats, and dials of any game: their sizes follow from what their authors write."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from pydantic import ValidationError

from cardgen.deck.deck import require_game
from cardgen.model.card import Card
from cardgen.rulesets import pieces, ruleset
from cardgen.rulesets.pieces import Box, Dial, Mat, trim_size
from cardgen.units import CARD_SIZES, Size
from tests.cases import each_case


def errors(model: type[Card], **keys: object) -> list[str]:
    with pytest.raises(ValidationError) as caught:
        model.model_validate({"name": "A", **keys})
    return [error["msg"] for error in caught.value.errors()]


@pytest.mark.parametrize("game", ruleset.games())
def test_every_game_has_accessories(game: str) -> None:
    kinds = require_game(game).kinds
    for kind, model in {"box": Box, "mat": Mat, "dial": Dial}.items():
        assert issubclass(kinds[kind].model, model)
        assert kinds[kind].size is trim_size
    assert kinds["mat"].can_tile
    assert not kinds["dial"].in_kit


@each_case("size", ["poker", "tarot", "mini-usa", "80mm x 50mm"])
@each_case("cards", [1, 54, 120])
def test_a_box_has_room_for_its_cards_and_no_more_than_a_little(size: str, cards: int) -> None:
    box = Box(name="A", holds=cards, card_size=size, thickness=0.3, paper=0.4)
    wide, high = CARD_SIZES.get(size, Size(80, 50))
    # In its height lie the lid and a dust flap, and a dust flap, the bottom, and the flap of the front.
    inside = (box.panel.width - 2 * box.paper - wide, box.panel.height - 4 * box.paper - high)
    assert inside == pytest.approx((1, 1))
    assert box.depth - 2 * box.paper - cards * 0.3 == pytest.approx(1)
    assert trim_size(box).width == pytest.approx(box.tab + 2 * box.panel.width + 2 * box.depth, abs=0.001)
    assert 2 * box.dust < box.panel.width


@pytest.mark.parametrize("paper", [0.1, 0.3, 0.8, 1.0])
def test_cards_fit_in_the_folded_box(paper: float) -> None:
    """Folds lie in the middle of the stock: the outermost layer has half of it inside of its fold."""
    box = Box(name="A", holds=40, paper=paper)
    cards, half = CARD_SIZES["poker"], paper / 2
    lid, foot = half + paper, paper + paper + half
    assert box.panel.height - lid - foot >= cards.height + 0.5
    assert box.panel.width - (half + paper + half) >= cards.width + 0.5
    assert box.depth - (half + paper + half) >= 40 * box.thickness + 0.5
    # The tongue slides between the sides, one of which has the tab inside.
    assert box.panel.width - 2 * box.inset <= box.panel.width - (half + paper + half) - 0.5
    assert box.inset >= half + paper


def test_more_cards_or_sleeves_make_a_deeper_box() -> None:
    plain = Box(name="A", holds=40)
    assert Box(name="A", holds=60).depth > plain.depth
    assert Box(name="A", holds=40, thickness=0.6).depth - plain.depth == pytest.approx(40 * 0.28)


@pytest.mark.parametrize("size", ["pokr", "3mm x 3mm", "{code}"])
def test_a_box_for_cards_of_an_unknown_size_is_an_error(size: str) -> None:
    (message,) = errors(Box, holds=4, card_size=size)
    assert f"'{size}'" in message


@pytest.mark.parametrize(("unit", "size"), [("cm", (600, 420)), ("in", (1524, 1066.8))])
def test_a_mat_has_its_real_size(unit: str, size: tuple[float, float]) -> None:
    assert trim_size(Mat.model_validate({"name": "A", "unit": unit, "width": 60, "height": 42})) == Size(*size)


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"width": 9}, "must be from 10 to 200 cm, not 9"),
        ({"width": 90, "unit": "in"}, "must be from 3.94 to 78.7 in, not 90"),
        ({"zones": [{"at": [60, 0], "size": [20, 20]}]}, "must lie on the mat of 60 x 42 cm"),
        ({"zones": [{"at": [0, 48.5], "diameter": 12}]}, "must lie on the mat of 60 x 42 cm"),
    ],
)
def test_a_mat_has_its_limits(keys: dict[str, object], message: str) -> None:
    assert errors(Mat, **{"width": 60, "height": 42, **keys}) == [message]


@pytest.mark.parametrize(
    "zone",
    [
        {},
        {"at": [0, 0]},
        {"size": [2, 2]},
        {"at": [0, 0], "size": [2, 2], "diameter": 2},
        {"corners": [[0, 0], [1, 1]]},
        {"at": [0, 0], "corners": [[0, 0], [1, 1], [2, 0]]},
    ],
)
def test_a_zone_has_one_shape(zone: dict[str, object]) -> None:
    (message,) = errors(Mat, width=60, height=42, zones=[zone])
    assert message.startswith("must be a rectangle with at and size")


def test_the_zones_of_the_first_game_are_in_opposite_corners() -> None:
    mat = require_game("warniris").kinds["mat"].model(name="A")
    assert isinstance(mat, Mat)
    assert trim_size(mat) == Size(600, 420)
    assert [zone.box for zone in mat.areas] == [(0, 0, 20, 20), (40, 22, 60, 42)]


def test_a_circle_has_a_box() -> None:
    assert pieces.Zone(at=(30, 21), diameter=12).box == (24, 15, 36, 27)


@pytest.mark.parametrize("most", [1, 7, 12, 30, 60])
def test_the_window_of_a_dial_shows_one_number(most: int) -> None:
    dial = Dial(name="A", most=most)
    angles = [angle for _, angle in dial.numbers]
    assert [number for number, _ in dial.numbers] == list(range(most + 1))
    assert min(after - before for before, after in pairwise([*angles, 360])) == pytest.approx(
        360 / (most + 1), abs=0.01
    )
    (x1, y1), (x2, y2), (x3, y3), (_, y4) = dial.window
    assert -x1 == x2 > 0 and y1 == y2 < y3 == y4 < 0
    assert 2 * math.degrees(math.atan2(x2, -y2)) < 360 / (most + 1)
    assert math.hypot(x2, y2) < dial.side / 2 < trim_size(dial).width / 2
    assert math.hypot(x3, y3) == pytest.approx(dial.radii[0], abs=0.01)
    assert dial.pitch >= 3.9


def test_a_dial_is_large_enough_for_its_numbers() -> None:
    assert Dial(name="A", most=9).side == 40
    assert Dial(name="A", most=40).side > 60
    assert Dial(name="A", most=60).side <= 90
    assert Dial(name="A", most=9, diameter=30).side == 30
    assert errors(Dial, most=40, diameter=50) == ["must be at least 65 mm for numbers up to 40, not 50"]
