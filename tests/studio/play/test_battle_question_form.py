"""What pages send as answers, and what they must not."""

from __future__ import annotations

from typing import Any

import pytest

from cardgen.referee.play import InvalidAnswerError
from cardgen.referee.requests import (
    Answer,
    Decision,
    MarkedMeasurement,
    Measurement,
    Question,
    Roll,
    SealedDecision,
    Selection,
    Test,
)
from cardgen.studio.play.battle import answer_of, capitalized, question_state

OPTIONS = ("Ash", "Elm", "Oak")
CHOICE = Decision("k", "Brute", "who acts", OPTIONS)
SEALED = SealedDecision("k", "Oath", "card", OPTIONS)
SUBSET, SEQUENCE = Selection("k", "", "who is near", OPTIONS), Selection("k", "", "actions", OPTIONS, most=3)
NUMBER = Measurement("k", "Brute", "distance", 0, 40, "cm")
MARKED = MarkedMeasurement("k", "Brute", "distance to Ash", 0, 40, "cm", ("gap", "hidden"), "+ gap")
COIN = Roll("k", "", "coin", 4, faces=("heads", "heads", "tails", "tails"))
DIE = Roll("k", "Brute", "damage")


@pytest.mark.parametrize(
    ("question", "sent", "answer"),
    [
        (CHOICE, 1, "Elm"),
        (SEALED, 2, "Oak"),
        (SUBSET, [], ()),
        (SUBSET, [2, 0], ("Oak", "Ash")),
        (SEQUENCE, [1, 1], ("Elm", "Elm")),
        (NUMBER, 12, 12),
        (MARKED, [12], (12,)),
        (MARKED, [12, 1], (12, "hidden")),
        (COIN, 1, 3),
        (DIE, 6, 6),
        (Test("k", "Brute", "to hit", 3), 2, 2),
    ],
)
def test_answers_are_places_and_numbers(question: Question, sent: Any, answer: Answer) -> None:
    assert answer_of(question, sent) == answer


@pytest.mark.parametrize(
    ("question", "sent"),
    [
        (CHOICE, -1),
        (CHOICE, 3),
        (CHOICE, True),
        (CHOICE, "Elm"),
        (CHOICE, None),
        (SEALED, [0]),
        (SUBSET, 0),
        (SUBSET, [[0]]),
        (SUBSET, [0] * 501),
        (NUMBER, "12"),
        (NUMBER, 1.5),
        (NUMBER, {"a": 1}),
        (MARKED, []),
        (MARKED, 12),
        (MARKED, [12, 2]),
        (COIN, 2),
        (DIE, False),
    ],
)
def test_anything_else_is_refused(question: Question, sent: Any) -> None:
    with pytest.raises(InvalidAnswerError):
        answer_of(question, sent)


def test_questions_say_what_they_need() -> None:
    states = [question_state(each, 0) for each in (CHOICE, SEALED, SUBSET, NUMBER, MARKED, COIN, DIE)]
    assert [state.kind for state in states] == ["choose", "seal", "select", "measure", "mark", "choose", "die"]
    assert states[0].text == "Brute: Who acts"
    assert question_state(CHOICE, 0, "Brute").text == "Who acts"
    assert states[5].options == ("Heads", "Tails")
    assert (states[3].low, states[3].high, states[3].unit) == (0, 40, "cm")
    assert states[4].marks == ("Gap", "Hidden")
    assert states[6].high == 6
    assert question_state(SEQUENCE._replace(once=OPTIONS[1:2]), 0).once == (1,)


def test_screens_begin_with_a_capital_what_saves_record_without() -> None:
    question = Decision("k", "Brute", "use grit", ("yes", "no"))
    shown = question_state(question, 0)
    assert (shown.text, shown.options) == ("Brute: Use grit", ("Yes", "No"))
    assert answer_of(question, 0) == "yes"
    assert capitalized("Brute: use grit: yes", "Brute") == "Brute: Use grit: yes"
    assert capitalized("  grit of Brute holds until the end") == "  Grit of Brute holds until the end"
    assert capitalized("both players: which of these", "both players") == "Both players: Which of these"
    assert capitalized("") == ""


def test_a_page_knows_how_many_options_are_to_be_chosen() -> None:
    state = question_state(Selection("k", "", "2 in the zone of Hill", OPTIONS, bounds=(2, 2)), None)
    assert (state.low, state.high) == (2, 2)
    assert (question_state(SUBSET, None).low, question_state(SUBSET, None).high) == (0, 0)
