"""Backs meet their fronts: on every paper, edge, orientation and sprue, from a true printer and a crooked one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardgen.sheet import sprue_file
from cardgen.sheet.gang_sheet import gang_sheets
from cardgen.sheet.imposition import ImposedSheet, PrintPiece, SheetSettings
from cardgen.sheet.leaf import Backs, Misregistration, Placement, SheetPage, Side
from cardgen.sheet.sprue import Sprue, grid_sprue
from cardgen.units import CARD_SIZES, PAPER_SIZES, Size
from tests.cases import each_case
from tests.projects import SPRUES
from tests.sheet.pages import sheet_pages
from tests.sheet.printer import Crooked, face_corners
from tests.sheet.test_gang_sheet_guillotine_packing import KIT

TRUE = Misregistration()
CROOKED = Misregistration(dx=1.3, dy=-0.8, rotation=0.35, scale_x=0.97, scale_y=1.012)
FLIPS = (Backs.LONG_EDGE, Backs.SHORT_EDGE)
WITHIN = 0.05
ORIENTATIONS = sorted({size for paper in PAPER_SIZES.values() for size in (paper, paper.swap_sides())})
misprints = st.builds(
    Misregistration,
    dx=st.floats(-4, 4),
    dy=st.floats(-4, 4),
    rotation=st.floats(-2, 2),
    scale_x=st.floats(0.95, 1.05),
    scale_y=st.floats(0.95, 1.05),
)


def printed(
    sprue: Sprue, backs: Backs, misprint: Misregistration, *, missing: Sequence[int] = ()
) -> tuple[SheetPage[int], ...]:
    """A full sheet whose fronts are numbered from 1, and whose backs have the same numbers, negative."""
    pieces = tuple(
        PrintPiece(number, None if number in missing else -number) for number in range(1, len(sprue.slots) + 1)
    )
    settings = SheetSettings(
        sprue.paper,
        backs=backs,
        front_correction=misprint.front_correction(sprue.paper),
        back_correction=misprint.back_correction(sprue.paper, backs),
    )
    return sheet_pages([ImposedSheet(sprue, pieces, settings.bleed)], settings, "test")


def assert_backs_meet_fronts(
    sheet: Sequence[SheetPage[int]], printer: Crooked, *, lengths: bool = True, within: float = WITHIN
) -> None:
    """Each corner of a back lies behind that corner of its front which it hides when the card is turned like a page."""
    front, back = sheet
    fronts = {placement.face: placement for placement in front.placements}
    assert back.placements
    for placement in back.placements:
        here = [printer.on_paper(front, corner) for corner in face_corners(fronts[-placement.face].slot)]
        top_left, top_right, bottom_right, bottom_left = (
            printer.on_paper(back, corner) for corner in face_corners(placement.slot)
        )
        for mine, behind in zip(here, (top_right, top_left, bottom_left, bottom_right), strict=True):
            assert math.dist(mine, behind) < within
        if lengths:
            assert math.dist(here[0], here[1]) == pytest.approx(_width(fronts[-placement.face]), abs=WITHIN)


def _width(placement: Placement[Any]) -> float:
    trim = placement.slot.trim
    return trim.height if placement.slot.turn % 180 else trim.width


@each_case("misprint", [TRUE, CROOKED], ids=["true", "crooked"])
@each_case("backs", FLIPS)
@each_case("path", SPRUES, ids=lambda path: path.stem)
def test_on_every_sprue(path: Path, backs: Backs, misprint: Misregistration) -> None:
    sprue = sprue_file.load(path, 3.0).sprue
    assert_backs_meet_fronts(printed(sprue, backs, misprint), Crooked(misprint, sprue.paper, backs))


@each_case("misprint", [TRUE, CROOKED], ids=["true", "crooked"])
@each_case("backs", FLIPS)
@each_case("paper", ORIENTATIONS, ids=str)
def test_on_every_paper_portrait_and_landscape(paper: Size, backs: Backs, misprint: Misregistration) -> None:
    for card in (CARD_SIZES["mini-usa"], CARD_SIZES["standard"]):
        sprue = grid_sprue(paper, card, margin=5, gap=0, bleed=3)
        assert_backs_meet_fronts(printed(sprue, backs, misprint), Crooked(misprint, paper, backs))


@each_case("misprint", [TRUE, CROOKED], ids=["true", "crooked"])
@each_case("backs", FLIPS)
@each_case("paper", [PAPER_SIZES["a4"], PAPER_SIZES["a4"].swap_sides(), PAPER_SIZES["letter"]], ids=str)
def test_on_packed_sheets(paper: Size, backs: Backs, misprint: Misregistration) -> None:
    area = SheetSettings(paper, backs=backs).area
    for sheet in gang_sheets(KIT, paper, margin=5, gap=0, bleed=3, area=area):
        assert_backs_meet_fronts(printed(sheet.sprue, backs, misprint), Crooked(misprint, paper, backs))


@given(misprints, st.sampled_from(FLIPS), st.sampled_from(ORIENTATIONS))
def test_whatever_a_printer_does(misprint: Misregistration, backs: Backs, paper: Size) -> None:
    sprue = grid_sprue(paper, CARD_SIZES["mini-euro"], margin=5, gap=2, bleed=3)
    assert_backs_meet_fronts(printed(sprue, backs, misprint), Crooked(misprint, paper, backs))


def test_without_its_profile_a_crooked_printer_is_found_out() -> None:
    sprue = grid_sprue(PAPER_SIZES["a4"], CARD_SIZES["standard"], margin=5, gap=0, bleed=3)
    with pytest.raises(AssertionError):
        assert_backs_meet_fronts(
            printed(sprue, Backs.LONG_EDGE, TRUE), Crooked(CROOKED, sprue.paper, Backs.LONG_EDGE), lengths=False
        )


@pytest.mark.parametrize("name", ["a4-poker-fold", "letter-standard-fold"])
def test_a_folded_sheet_brings_backs_behind_their_fronts(name: str) -> None:
    path = next(path for path in SPRUES if path.stem == name)
    sprue = sprue_file.load(path, 3.0, folded=True).sprue
    (page,) = printed(sprue, Backs.GUTTERFOLD, TRUE)
    assert page.side is Side.BOTH
    slots = {placement.face: placement.slot for placement in page.placements}
    for number in range(1, len(sprue.slots) + 1):
        folded = [(x, sprue.paper.height - y) for x, y in face_corners(slots[-number])]
        top_left, top_right, bottom_right, bottom_left = folded
        behind = (top_right, top_left, bottom_left, bottom_right)
        for mine, other in zip(face_corners(slots[number]), behind, strict=True):
            assert math.dist(mine, other) < WITHIN


def test_packed_pieces_can_be_folded_too() -> None:
    paper = PAPER_SIZES["a4"]
    area = SheetSettings(paper, backs=Backs.GUTTERFOLD).area
    for sheet in gang_sheets(KIT, paper, margin=5, gap=0, bleed=3, area=area):
        (page,) = printed(sheet.sprue, Backs.GUTTERFOLD, TRUE)
        for placement in page.placements:
            above = placement.slot.clip.bottom <= paper.height / 2
            assert above == (placement.face > 0)


@pytest.mark.parametrize("backs", FLIPS)
def test_a_missing_back_keeps_its_slot_on_mixed_sheets(backs: Backs) -> None:
    paper = PAPER_SIZES["a4"]
    sheet, *_ = gang_sheets(KIT, paper, margin=5, gap=0, bleed=3, area=SheetSettings(paper).area)
    front, back = printed(sheet.sprue, backs, TRUE, missing=(2,))
    assert len(back.placements) == len(front.placements) - 1
    assert_backs_meet_fronts((front, back), Crooked(TRUE, paper, backs))


def test_a_sheet_without_backs_has_a_bare_back_page_where_others_have_backs() -> None:
    """Else a printer that uses both sides would print the third page behind the first."""
    sprue = grid_sprue(PAPER_SIZES["a4"], CARD_SIZES["tarot"], margin=5, gap=0, bleed=3)
    sheets = [ImposedSheet(sprue, (PrintPiece("a"),), 3), ImposedSheet(sprue, (PrintPiece("b", "B"),), 3)]
    found = sheet_pages(sheets, SheetSettings(sprue.paper), "test")
    assert [(page.side, len(page.placements), page.name) for page in found] == [
        (Side.FRONT, 1, "1 front"),
        (Side.BACK, 0, "1 back"),
        (Side.FRONT, 1, "2 front"),
        (Side.BACK, 1, "2 back"),
    ]


@pytest.mark.parametrize("more", [0.0, 1.5])
def test_backs_can_bleed_further_than_fronts(more: float) -> None:
    sprue = grid_sprue(PAPER_SIZES["a4"], CARD_SIZES["standard"], margin=5, gap=0, bleed=3)
    settings = SheetSettings(sprue.paper, back_bleed=more)
    front, back = sheet_pages([ImposedSheet(sprue, (PrintPiece("a", "A"),), settings.bleed)], settings, "test")
    assert back.bleed.x == pytest.approx(sprue.paper.width - front.bleed.right - more)
    outer = back.placements[0].slot
    assert outer.trim.y - outer.clip.y == pytest.approx(3 + more)
