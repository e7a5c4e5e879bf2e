"""Dice whose faces have names: rolled, exact, asked, and written to transcripts."""

from __future__ import annotations

from fractions import Fraction

import pytest

from cardgen.matches.session import option_lines, parse_answer
from cardgen.referee.odds import odds
from cardgen.referee.play import Event, InvalidAnswerError, check_answer, entry_line, play, question_text
from cardgen.referee.requests import Procedure, Roll, Test
from cardgen.referee.transcript import question_line

EMBER = Roll("ember", "Ash", "how it burns", 6, faces=("flame", "flame", "ash", "ash", "ash", "nothing"))


def burn() -> Procedure[str]:
    face = yield EMBER
    return str(face)


def roll_of(face: int) -> str:
    return play(burn(), lambda path, die: face, lambda entry: None)


def test_odds_and_answers_are_names() -> None:
    assert dict(odds(burn)) == {"flame": Fraction(1, 3), "ash": Fraction(1, 2), "nothing": Fraction(1, 6)}
    assert [roll_of(face) for face in (2, 3, 6)] == ["flame", "ash", "nothing"]


def test_players_name_the_face_that_they_see() -> None:
    assert [parse_answer(EMBER, text) for text in ("flame", "a", "3")] == [1, 3, 6]
    assert option_lines(EMBER) == ["  1. flame", "  2. ash", "  3. nothing"]
    with pytest.raises(InvalidAnswerError, match="enter flame or ash or nothing"):
        parse_answer(EMBER, "7")
    with pytest.raises(InvalidAnswerError, match="a D6 must be between 1 and 6, not 7"):
        check_answer(EMBER, 7)


def test_lines_for_people_and_transcripts() -> None:
    assert question_text(EMBER) == "Ash: how it burns, flame or ash or nothing"
    assert entry_line(Event("ember", EMBER, 4)) == "Ash: how it burns: rolled ash"
    assert question_line(EMBER)["faces"] == ["flame", "flame", "ash", "ash", "ash", "nothing"]


def test_a_test_without_a_basis_has_no_empty_parentheses() -> None:
    assert question_text(Test("warm", "Ash", "stays warm", 4)) == "Ash: stays warm: 4 or less on a D6"
