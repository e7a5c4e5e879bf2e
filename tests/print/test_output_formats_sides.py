"""Sides of sheets one after the other, whole sets, several papers, and advice to pack."""

from __future__ import annotations

import pytest

from cardgen.builds.builder import build
from cardgen.diagnostic import CardgenError
from cardgen.print.calibrate import calibration_target, stack_leaf, write_stack_test
from cardgen.print.request import BuildRequest
from cardgen.sheet.leaf import Backs, Outline, Stroke, flip_matrix
from cardgen.units import PAPER_SIZES, apply
from tests.projects import Folder, pages_of


@pytest.fixture
def deck(folder: Folder) -> Folder:
    """Ten minions, of which nine are on the first sheet."""
    return folder.plain().minions(*(f"Minion {letter}" for letter in "ABCDEFGHIJ"))


def test_fronts_and_backs_are_files_of_their_own_with_a_page_for_each_sheet(deck: Folder) -> None:
    name = "warniris-minion-a4"
    for sides in (None, "fronts", "backs", "backs-reversed"):
        build(BuildRequest(sides=sides))
    assert deck.files() == [f"{name}{end}.pdf" for end in ("-backs-reversed", "-backs", "-fronts", "")]
    whole = pages_of(deck.output(f"{name}.pdf"))
    fronts, backs, turned = (
        pages_of(deck.output(f"{name}-{end}.pdf")) for end in ("fronts", "backs", "backs-reversed")
    )
    assert len(whole) == 4
    assert fronts == whole[::2]
    assert backs == whole[1::2]
    assert turned == backs[::-1]
    assert "1/2 back" in backs[0]


def test_backs_of_cards_without_any_are_an_error(deck: Folder) -> None:
    with pytest.raises(CardgenError, match="no backs to print"):
        build(BuildRequest(sides="backs", backs="none"))


def test_sets_are_one_after_another_and_copies_side_by_side(deck: Folder) -> None:
    built = build(BuildRequest(only=("Minion A", "Minion B"), qty=2, sets=2))
    (front, _) = pages_of(deck.output("warniris-minion-selection-a4.pdf"))
    assert [word for word in front.split() if word in ("A", "B")] == ["A", "A", "B", "B"] * 2
    assert (built.cards, built.copies) == (2, 8)


def test_several_papers_are_built_at_once_and_a_wrong_one_before_any(deck: Folder) -> None:
    with pytest.raises(CardgenError, match="unknown size 'lettre'"):
        build(BuildRequest(paper="a4,lettre"))
    assert not deck.files()
    assert build(BuildRequest(paper="a4, letter")).sheets == 4
    assert deck.files() == ["warniris-minion-a4.pdf", "warniris-minion-letter.pdf"]


def test_a_grid_that_leaves_much_bare_is_named_with_the_sheets_that_packing_needs(deck: Folder) -> None:
    deck.write("cards/token.yaml", "cards:\n  - {kind: relic, name: Chalice, text: Drink.}\n")
    saved = "Warniris, 2nd edition: kit: 3 sheets in a grid; --layout packed needs only 2"
    assert build(BuildRequest()).advice == (saved,)
    assert build(BuildRequest(layout="packed")).advice == ()
    assert build(BuildRequest(only=("relic",))).advice == ()


@pytest.mark.parametrize("backs", [Backs.LONG_EDGE, Backs.SHORT_EDGE])
def test_the_cross_of_the_stack_test_is_behind_its_ring(backs: Backs) -> None:
    paper = PAPER_SIZES["a4"]
    front, back = stack_leaf(paper, backs).printed_sides
    (ring,) = (mark.box for mark in front.marks if isinstance(mark, Outline))
    arms = [mark for mark in back.marks if isinstance(mark, Stroke)]
    middles = [apply(flip_matrix(paper, backs), (arm.x1 + arm.x2) / 2, (arm.y1 + arm.y2) / 2) for arm in arms]
    assert middles == [pytest.approx((ring.x + ring.width / 2, ring.y + ring.height / 2))] * 2


def test_the_stack_test_is_written_for_the_paper(folder: Folder) -> None:
    write_stack_test(calibration_target(None, "letter", None), folder.root / "output")
    front, back = pages_of(folder.output("stack-test-letter.pdf"))
    assert "backs-reversed" in front
    assert not back.strip()
