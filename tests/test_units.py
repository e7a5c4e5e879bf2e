from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen import units
from cardgen.units import CARD_SIZES, PAPER_SIZES, Box, Size
from tests.cases import each_case


@each_case(
    ("text", "mm"),
    [
        ("3mm", 3), ("3 mm", 3), (" 3mm ", 3), ("1.5cm", 15), (".5cm", 5), ("0.125in", 3.175), ("1 inch", 25.4),
        ('2"', 50.8), ("72pt", 25.4), ("3", 3), (3, 3), (2.5, 2.5), ("0mm", 0),
    ],
)  # fmt: skip
def test_lengths(text: str | float, mm: float) -> None:
    assert units.parse_length(text) == pytest.approx(mm)


@each_case("text", ["", "mm", "3xx", "-3mm", "3mm 4mm", "1,5mm", "3.mm", "٣mm", "1e3mm", "nan", "inf"])
def test_what_is_no_length(text: str) -> None:
    with pytest.raises(
        ValueError, match=r"is not a valid length; write a number with a unit, such as 3mm, 0\.125in, or 8pt"
    ):
        units.parse_length(text)


def test_a_bare_number_may_be_taken_in_another_unit() -> None:
    assert units.parse_length("1", unit="in") == 25.4
    assert units.parse_length("1mm", unit="in") == 1


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("tarot", (70, 120)), (" Tarot ", (70, 120)), ("70mm x 120mm", (70, 120)), ("70x120", (70, 120)),
        ("2.5in × 3.5in", (63.5, 88.9)), ("7cm x 120mm", (70, 120)),
    ],
)  # fmt: skip
def test_sizes(text: str, size: tuple[float, float]) -> None:
    assert units.parse_size(text, CARD_SIZES) == pytest.approx(size)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("tarott", "unknown size 'tarott'; write one of poker, .*, or a custom size such as 70mm x 120mm"),
        ("70mm", "unknown size"),
        ("1x2x3", "unknown size"),
        ("70mm x y", "'y' is not a valid length"),
        ("0 x 70", "has a side of zero length"),
    ],
)
def test_what_is_no_size(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        units.parse_size(text, CARD_SIZES)


def test_a_size_without_a_unit_is_told_to_have_one() -> None:
    with pytest.raises(ValueError, match="the size 38 has no unit; write 38mm"):
        units.parse_size("38", CARD_SIZES)


@pytest.mark.parametrize("sizes", [CARD_SIZES, PAPER_SIZES])
def test_all_named_sizes_stand_upright(sizes: dict[str, Size]) -> None:
    assert not [name for name, size in sizes.items() if size.is_landscape]


def test_a_size_can_be_turned() -> None:
    assert Size(70, 120).swap_sides() == Size(120, 70)
    assert Size(120, 70).is_landscape
    assert str(Size(57.15, 88.9)) == "57.15 x 88.9 mm"


def test_a_box_has_edges() -> None:
    assert (Box(1, 2, 3, 4).right, Box(1, 2, 3, 4).bottom) == (4, 6)


@given(st.floats(0, 1e6))
def test_points_and_back(mm: float) -> None:
    assert units.to_mm(units.to_points(mm)) == pytest.approx(mm)
