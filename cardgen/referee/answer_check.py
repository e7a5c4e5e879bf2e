"""The check of answers: what the question of a procedure allows."""

from __future__ import annotations

import re
from collections.abc import Iterable

from cardgen.referee.requests import (
    Decision,
    MarkedMeasurement,
    Measurement,
    Question,
    Roll,
    SealedDecision,
    Selection,
    Test,
)

_SEALED = re.compile("[0-9a-f]{18}")


class InvalidAnswerError(ValueError):
    """An answer that its question does not allow.

    The text is a message for the user.
    """


def check_answer(question: Question, answer: object) -> None:
    """Raise InvalidAnswerError, with the valid range or options, for an invalid answer."""
    match question:
        case Test() | Roll():
            if not _is_between(answer, 1, question.sides):
                message = f"a D{question.sides} must be between 1 and {question.sides}, not {_clipped(answer)}"
                raise InvalidAnswerError(message)
        case Measurement():
            if not _is_between(answer, question.low, question.high):
                raise InvalidAnswerError(_out_of_bounds(question, answer))
        case MarkedMeasurement():
            _check_marked(question, answer)
        case Selection():
            _check_selection(question, answer)
        case Decision():
            _check_options(question.what, question.options, (answer,), "option")
        case SealedDecision():
            if not (isinstance(answer, str) and _SEALED.fullmatch(answer)):
                raise InvalidAnswerError(f"{question.what}: must be sealed, not {_clipped(answer)}")


def _check_marked(question: MarkedMeasurement, answer: object) -> None:
    number, *marks = answer if isinstance(answer, tuple) and answer else (answer,)
    if not (isinstance(answer, tuple) and _is_between(number, question.low, question.high)):
        raise InvalidAnswerError(_out_of_bounds(question, number))
    _check_options(question.what, question.marks, marks, "mark")


def _check_selection(question: Selection, answer: object) -> None:
    if not isinstance(answer, tuple):
        raise InvalidAnswerError(f"{question.what}: must be a list of options, not {_clipped(answer)}")
    _check_options(question.what, question.options, answer, "option", _repeatable(question))
    if question.most and len(answer) > question.most:
        raise InvalidAnswerError(f"{question.what}: must be at most {question.most} options, not {len(answer)}")


def _repeatable(question: Selection) -> tuple[str, ...]:
    return tuple(each for each in question.options if each not in question.once) if question.most else ()


def _is_between(answer: object, low: int, high: int) -> bool:
    return isinstance(answer, int) and not isinstance(answer, bool) and low <= answer <= high


def _out_of_bounds(question: Measurement | MarkedMeasurement, answer: object) -> str:
    return f"{question.what}: must be between {question.low} and {question.high}, not {_clipped(answer)}"


def _check_options(
    what: str, options: tuple[str, ...], answers: Iterable[object], noun: str, repeatable: tuple[str, ...] = ()
) -> None:
    """Raise InvalidAnswerError unless the answers are options, and different ones or `repeatable`."""
    seen: list[object] = []
    for each in answers:
        if each not in options:
            one_of = ", ".join(options)
            raise InvalidAnswerError(f"{what}: unknown {noun} '{_clipped(each)}' (one of {one_of})")
        if each in seen and each not in repeatable:
            raise InvalidAnswerError(f"{what}: repeated {noun} '{_clipped(each)}'")
        seen.append(each)


def _clipped(answer: object) -> str:
    text = str(answer)
    return text if len(text) <= 40 else f"{text[:40]}…"
