"""What players type at a prompt."""

from __future__ import annotations

from typing import Any

import pytest

from cardgen.matches.session import ask_question, option_lines, parse_answer
from cardgen.referee.play import InvalidAnswerError, check_answer, question_text
from cardgen.referee.requests import Decision, MarkedMeasurement, Measurement, Question, Roll, Selection
from tests.cases import each_case

TREES = ("Ash", "Elm", "Oak", "Yew", "Yew tree")
ONE = Decision("tree", "A", "which tree", TREES)
SOME = Selection("trees", "A", "which trees", TREES)
MANY = Selection("trees", "A", "which trees", TREES, most=4)
FIRST_ONCE = MANY._replace(once=TREES[:1])
MARKED = MarkedMeasurement("distance", "A", "distance to B", 0, 73, "cm", ("gap", "hidden", "between"))
NAMED = MarkedMeasurement("distance", "A", "distance", 0, 73, "cm", ("gap", "Elm of the Hill", "Yew of the Dale"))
NUMBER = Measurement("count", "A", "how many", 1, 5)


@each_case(
    ("question", "typed", "answer"),
    [
        (ONE, "2", "Elm"),
        (ONE, " oa ", "Oak"),
        (ONE, "yew", "Yew"),
        (SOME, "", ()),
        (SOME, "none", ()),
        (SOME, "all", TREES),
        (SOME, "3 1", ("Oak", "Ash")),
        (SOME, "1,3-5", ("Ash", "Oak", "Yew", "Yew tree")),
        (SOME, "elm", ("Elm",)),
        (MANY, "2x3", ("Elm", "Elm", "Elm")),
        (MANY, "1 1x2", ("Ash", "Ash", "Ash")),
        (SOME, "yew tree", ("Yew tree",)),
        (MARKED, "12", (12,)),
        (MARKED, "12g", (12, "gap")),
        (MARKED, "12 b gap", (12, "between", "gap")),
        (MARKED, "7, hidden", (7, "hidden")),
        (NAMED, "9 elm", (9, "Elm of the Hill")),
        (NAMED, "9 g yew dale hill", (9, "gap", "Yew of the Dale", "Elm of the Hill")),
        (NAMED, "9 dale, elm", (9, "Yew of the Dale", "Elm of the Hill")),
        (FIRST_ONCE, "2 1 2", ("Elm", "Ash", "Elm")),
        (NUMBER, "4", 4),
        (Roll("die", "", "a die"), "6", 6),
    ],
)
def test_what_is_typed(question: Question, typed: str, answer: Any) -> None:
    parsed = parse_answer(question, typed)
    assert parsed == answer
    check_answer(question, parsed)


@each_case(
    ("question", "typed"),
    [
        (ONE, ""), (ONE, "0"), (ONE, "6"), (ONE, "ye"), (SOME, "1 9"), (SOME, "1-9"), (SOME, "1 1"), (SOME, "5-3-1"),
        (SOME, "1-999999999"),
        (SOME, "1x2"), (MANY, "1x5"), (FIRST_ONCE, "2 1 2 1"), (MANY, "1x999999"),
        (MARKED, ""), (MARKED, "gap"), (MARKED, "74"), (MARKED, "12 13"), (MARKED, "12 x"),
        (MARKED, "12 g h g"), (MARKED, "-1"), (NAMED, "9 the"), (NUMBER, "x"), (NUMBER, "6"), (NUMBER, "1" * 5000),
    ],
)  # fmt: skip
def test_what_cannot_be_an_answer(question: Question, typed: str) -> None:
    with pytest.raises(InvalidAnswerError):
        check_answer(question, parse_answer(question, typed))


def test_options_are_numbered() -> None:
    assert option_lines(SOME)[:2] == option_lines(ONE)[:2] == ["  1. Ash", "  2. Elm"]
    assert option_lines(NUMBER) == option_lines(MARKED) == []


@pytest.mark.parametrize(
    ("bounds", "hint", "refused"),
    [
        (None, "any numbers; Enter for none", {}),
        ((2, 2), "exactly 2 of the numbers", {"": 0, "1": 1, "1-3": 3}),
        ((1, 3), "1 to 3 of the numbers", {"none": 0, "all": 5}),
        ((0, 2), "0 to 2 of the numbers; Enter for none", {"1 2 3": 3}),
    ],
)
def test_the_prompt_says_how_many_to_choose_and_asks_again(
    bounds: tuple[int, int] | None, hint: str, refused: dict[str, int]
) -> None:
    question = SOME._replace(bounds=bounds)
    assert question_text(question) == f"A: which trees? ({hint})"
    typed, told = iter([*refused, "1 2"]), list[str]()
    assert ask_question(question, lambda text: next(typed), told.append) == ("Ash", "Elm")
    number = hint.partition(" of ")[0]
    assert told[len(TREES) :] == [f"  choose {number}, not {count}" for count in refused.values()]
