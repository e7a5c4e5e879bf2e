"""What dice can show, word for word."""

from __future__ import annotations

import pytest

from cardgen.referee.die import Dice, dice_of_game, misfit, misfits
from tests.cases import each_case

D6 = "a D6 shows 6 at most"


@each_case(
    ("text", "found"),
    [
        ("It falls on a roll of 7+.", [("7+", D6)]),
        ("Roll a D6, 8+ takes it down.", [("8+", D6)]),
        ("It needs a 7+ on a D6.", [("7+", D6)]),
        ("If you roll a 9 or more, it falls.", [("9 or more", D6)]),
        ("Roll 1D6. On a 7, it heals.", [("7", D6)]),
        ("Roll 2D6. On a 1, it heals. On a 2, it falls.", [("1", "2D6 show 2 at least")]),
        ("Roll 2D6. On a 13+, it heals.", [("13+", "2D6 show 12 at most")]),
        ("Roll a D3. On a 4+, it heals.", [("4+", "a D3 shows 3 at most")]),
        ("Roll 2D6. On a 2+, it heals.", [("2+", "2D6 always show 2 or more")]),
        ("Roll a D8. On a 7, it heals. On a 9+, it falls.", [("9+", "a D8 shows 8 at most")]),
        ("Roll a D66. On a 66, it heals.", []),
        ("Roll a D6. On a 6, it heals. Roll 2D6. On an 8+, it falls.", []),
        ("Roll a D6 and add 2. On an 8, it heals.", []),
        ("Roll three dice. On a 13, it heals.", []),
        ("A fighter with 23+ Wounds falls on a 6+.", []),
        ("Roll 10 or more dice.", []),
        ("Place it on a 10 cm hill. It is on a 30 mm base.", []),
    ],
)
def test_results_that_dice_never_show(text: str, found: list[tuple[str, str]]) -> None:
    assert [(text[slice(*each.span)], each.message) for each in misfits(text)] == found


def test_bounds_of_dice() -> None:
    assert (Dice(2).low, Dice(2).high) == (2, 12)
    assert (Dice(1, 66).low, Dice(1, 66).high) == (11, 66)
    assert misfit(Dice(), 2, 6) == ""


OWN = {"ember-die": (0, 0, 1, 1, 2, 4), "d6": (1, 1, 2, 2, 3, 3)}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Roll an Ember Die. On a 5+, it burns.", [("5+", "an ember-die shows 4 at most")]),
        ("Roll an ember-die. On a 3, it burns.", [("3", "an ember-die never shows 3")]),
        ("Roll an ember die. On a 4, it burns. On a 0, it dies.", []),
        ("Roll a D6. On a 4+, it burns.", [("4+", "a d6 shows 3 at most")]),
        ("Roll 2D6. On a 6, it burns.", []),
    ],
)
def test_dice_of_a_game_have_faces_of_their_own(text: str, found: list[tuple[str, str]]) -> None:
    assert [(text[slice(*each.span)], each.message) for each in misfits(text, OWN)] == found


def test_tens_and_units() -> None:
    assert misfit(Dice(1, 66), 37, 40) == "a D66 never shows 37 to 40"
    assert Dice(1, 44).high == 44


def test_only_dice_with_numbers_are_known() -> None:
    assert dice_of_game({"a": ((1, 2), (3, 4)), "b": (("flame", 1),)}) == {"a": (1, 2, 3, 4)}
