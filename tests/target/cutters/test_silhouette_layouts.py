from __future__ import annotations

import math
from itertools import combinations

import pytest

from cardgen.sheet.printer_marks import MarkPattern, registration_marks
from cardgen.target.cutters.silhouette import CARD_DISTANCE, CutterLayout, cutter_layout, without_slots
from cardgen.units import PAPER_SIZES, Shape, Size
from tests.cases import each_case

INCH = 25.4
# Lengths of marks that users of other tools have their cutters set to, for cards on letter paper.
LENGTHS = {
    "bridge": (Size(2.25 * INCH, 3.5 * INCH), 12.28),
    "poker": (Size(63.5, 88.9), 7.2),
    "standard": (Size(63, 88), 8.04),
    "tarot": (Size(2.75 * INCH, 4.75 * INCH), 26.16),
    "mini": (Size(1.75 * INCH, 2.5 * INCH), 14.82),
    "micro": (Size(1.25 * INCH, 1.75 * INCH), 13.46),
    "japanese": (Size(59, 86), 10.08),
    "catan": (Size(54, 80), 14.39),
}


def layout(paper: str, card: Size, inset: float = 10.0, shape: Shape = Shape.RECTANGLE) -> CutterLayout:
    return cutter_layout(PAPER_SIZES[paper], card, shape, MarkPattern.THREE, inset)


@pytest.mark.parametrize("name", LENGTHS)
def test_marks_have_the_published_lengths(name: str) -> None:
    card, length = LENGTHS[name]
    assert layout("letter", card).length == pytest.approx(length, abs=0.005)


@pytest.mark.parametrize(("card", "length"), [(Size(63, 88), 9.4), (Size(63.5, 88.9), 8.38)])
def test_a4_has_eight_cards(card: Size, length: float) -> None:
    found = layout("a4", card)
    assert len(found.sprue.slots) == 8
    assert found.length == pytest.approx(length, abs=0.005)
    assert found.sprue.paper == Size(297, 210)


def test_the_first_card_is_where_the_cut_file_expects_it() -> None:
    first = layout("a4", Size(63, 88)).sprue.slots[0].trim
    assert (first.x, first.y) == pytest.approx((244 / 300 * INCH, 194 / 300 * INCH), abs=1e-6)


@each_case("paper", ["a4", "letter", "a3", "tabloid"])
@each_case("pattern", MarkPattern)
@each_case("inset", [10.0, 15.875])
@each_case("card", [Size(63, 88), Size(70, 120), Size(25, 25), Size(41, 63), Size(88.9, 139.7)])
def test_no_card_paints_over_a_mark(paper: str, pattern: MarkPattern, inset: float, card: Size) -> None:
    found = cutter_layout(PAPER_SIZES[paper], card, Shape.RECTANGLE, pattern, inset)
    for mark in (each.box for each in found.marks):
        for slot in found.sprue.slots:
            apart = (
                mark.right <= slot.clip.x
                or slot.clip.right <= mark.x
                or mark.bottom <= slot.clip.y
                or slot.clip.bottom <= mark.y
            )
            assert apart, (mark, slot.clip)
    assert min(mark.box.x for mark in found.marks) == pytest.approx(inset - 0.52)


def test_cards_bleed_half_of_the_distance_to_their_neighbors() -> None:
    slots = layout("a4", Size(63, 88)).sprue.slots
    assert all(slot.clip == pytest.approx(slot.trim.expand(0.625), abs=0.09) for slot in slots)


def test_four_marks_are_corners_and_three_begin_with_a_square() -> None:
    paper = Size(297, 210)
    four, three = (
        [each.box for each in registration_marks(paper, pattern, 10, 8)]
        for pattern in (MarkPattern.FOUR, MarkPattern.THREE)
    )
    assert (len(four), len(three)) == (8, 5)
    assert three[0].width == three[0].height == pytest.approx(6.054)
    assert any(mark.right > 280 and mark.bottom > 190 for mark in four)
    assert not any(mark.right > 280 and mark.bottom > 190 for mark in three)


def test_skipped_slots_are_gone() -> None:
    whole = layout("a4", Size(63, 88))
    assert without_slots(whole, frozenset({1, 8})).sprue.slots == whole.sprue.slots[1:7]


def test_a_card_that_does_not_fit_is_reported() -> None:
    with pytest.raises(ValueError, match="does not fit between the registration marks"):
        layout("a5", Size(150, 200))


@pytest.mark.parametrize(
    ("paper", "diameter", "count"), [("a4", 40, 28), ("letter", 40, 28), ("a4", 55, 14), ("a4", 25, 72)]
)
def test_disks_are_staggered_where_more_fit(paper: str, diameter: float, count: int) -> None:
    size = Size(diameter, diameter)
    layout = cutter_layout(PAPER_SIZES[paper], size, Shape.ROUND, MarkPattern.THREE)
    slots = layout.sprue.slots
    assert len(slots) == count
    assert len(slots) >= len(cutter_layout(PAPER_SIZES[paper], size, Shape.RECTANGLE, MarkPattern.THREE).sprue.slots)
    for one, other in combinations(slots, 2):
        apart = math.dist((one.trim.x, one.trim.y), (other.trim.x, other.trim.y))
        assert apart >= diameter + CARD_DISTANCE - 0.001
