"""Questions of a battle as data for a page, and what the page answers."""

from __future__ import annotations

from typing import Any

from cardgen.referee import narration
from cardgen.referee.answer_check import InvalidAnswerError
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
from cardgen.studio.play.battle_state import QuestionState

# A selection names fewer options than this.
_MOST_CHOICES = 500


def capitalized(text: str, who: str = "") -> str:
    """Return a line of a save as a screen shows it: with a capital, also after the name of who it is about."""
    name = f"{who}: " if who and text.startswith(f"{who}: ") else ""
    return _with_capital(name) + _with_capital(text.removeprefix(name))


def _with_capital(text: str) -> str:
    start = len(text) - len(text.lstrip())
    return f"{text[:start]}{text[start : start + 1].upper()}{text[start + 1 :]}"


def question_state(question: Question, side: int | None, side_name: str = "") -> QuestionState:
    """Return a question as data; `side` is the place of the side that is asked, whose name need not be repeated."""
    is_named = question.who not in ("", side_name)
    text = capitalized(f"{question.who}: {question.what}" if is_named else question.what, question.who)
    match question:
        case SealedDecision():
            return QuestionState("seal", text, side, _shown(question.options))
        case Decision():
            return QuestionState("choose", text, side, _shown(question.options))
        case Selection():
            once = tuple(map(question.options.index, question.once))
            return QuestionState("select", text, side, _shown(question.options), most=question.most, once=once)
        case MarkedMeasurement():
            low, high, unit = question.low, question.high, question.unit
            return QuestionState("mark", text, side, (), low, high, unit, _shown(question.marks), question.hint)
        case Measurement():
            return QuestionState("measure", text, side, low=question.low, high=question.high, unit=question.unit)
        case Roll(faces=(_, *_)):
            return QuestionState("choose", text, side, _shown(_face_names(question)))
    text = capitalized(narration.question_text(question), question.who)
    return QuestionState("die", text, side, low=1, high=question.sides)


def _shown(options: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(map(capitalized, options))


def answer_of(question: Question, value: Any) -> Answer:
    """Return the answer that a page has sent: places of options, and numbers.

    Raises InvalidAnswerError for anything else.
    """
    match question:
        case Decision() | SealedDecision():
            return _option(question.options, value)
        case Selection():
            return tuple(_option(question.options, place) for place in _list(value))
        case MarkedMeasurement():
            number, *marks = _list(value) or (None,)
            return (_number(number), *(_option(question.marks, place) for place in marks))
        case Roll(faces=(_, *_)):
            return question.faces.index(_option(_face_names(question), value)) + 1
        case Measurement() | Test() | Roll():
            return _number(value)


def _face_names(die: Roll) -> tuple[str, ...]:
    return tuple(dict.fromkeys(die.faces))


def _list(value: object) -> list[Any]:
    if not isinstance(value, list) or len(value) > _MOST_CHOICES:
        raise InvalidAnswerError("choose any of the options")
    return value


def _option(options: tuple[str, ...], place: object) -> str:
    if type(place) is not int or not 0 <= place < len(options):
        raise InvalidAnswerError("choose one of the options")
    return options[place]


def _number(value: object) -> int:
    if type(value) is not int:
        raise InvalidAnswerError("enter a whole number")
    return value
