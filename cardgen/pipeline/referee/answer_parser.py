"""Answers that players type: numbers, options, marks, and selections."""

from __future__ import annotations

import re

from cardgen.referee.play import InvalidAnswerError
from cardgen.referee.requests import (
    Answer,
    Decision,
    MarkedMeasurement,
    Question,
    Roll,
    SealedDecision,
    Selection,
    Test,
)

_MAX_DIGITS = 9
_RANGE = re.compile(r"([0-9]+)-([0-9]+)")
_TIMES = re.compile(r"([0-9]+)x([0-9]+)")
MAX_NUMBERS = 100
_MARKED = re.compile(r"([0-9]+)[ ,]*(.*)")


def option_lines(question: Question) -> list[str]:
    """Return the numbered options of a question, one a line."""
    options = question.options if isinstance(question, Decision | SealedDecision | Selection) else ()
    if isinstance(question, Roll):
        options = tuple(dict.fromkeys(question.faces))
    return [f"  {number}. {option}" for number, option in enumerate(options, 1)]


def parse_answer(question: Question, text: str) -> Answer:
    """Parse the answer to a question. Raises InvalidAnswerError, with what to enter, for anything else."""
    text = text.strip()
    match question:
        case Decision() | SealedDecision():
            return _parse_option(question.options, text, "enter the number of an option")
        case Selection():
            return _parse_selection(question.options, text)
        case MarkedMeasurement():
            return _parse_marked(question.marks, text)
        case Roll(faces=(_, *_)):
            names = tuple(dict.fromkeys(question.faces))
            return question.faces.index(_parse_option(names, text, f"enter {' or '.join(names)}")) + 1
    number = _parse_number(text)
    if number is None:
        raise InvalidAnswerError(
            f"enter {'the result of the die' if isinstance(question, Test | Roll) else 'a number'}"
        )
    return number


def _parse_number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS else None


def _parse_option(options: tuple[str, ...], text: str, advice: str) -> str:
    """Parse an option by its number, its text, or the beginning of its text."""
    number = _parse_number(text)
    if number is not None and 1 <= number <= len(options):
        return options[number - 1]
    folded = text.casefold()
    matches = [option for option in options if option.casefold().startswith(folded)] if text else []
    exact = [option for option in matches if option.casefold() == folded]
    if len(exact or matches) == 1:
        return (exact or matches)[0]
    raise InvalidAnswerError(advice)


def _parse_selection(options: tuple[str, ...], text: str) -> tuple[str, ...]:
    """Parse '1 3-5', 'all', or nothing at all."""
    folded = text.casefold()
    if folded in ("", "none"):
        return ()
    if folded == "all":
        return options
    advice = "enter the numbers of options, such as '1 3-5', or nothing"
    if folded in (option.casefold() for option in options):
        return (_parse_option(options, text, advice),)
    return tuple(_parse_option(options, word, advice) for part in re.split(r"[ ,]+", text) for word in _numbers(part))


def _numbers(part: str) -> list[str]:
    """Return the numbers of a range such as '3-5', or of '2x4' for four times 2; anything else stays as it is."""
    times = _TIMES.fullmatch(part)
    if times is not None and len(part) <= _MAX_DIGITS and int(times[2]) <= MAX_NUMBERS:
        return [times[1]] * int(times[2])
    match = _RANGE.fullmatch(part)
    if match is None or len(part) > _MAX_DIGITS or int(match[2]) - int(match[1]) > MAX_NUMBERS:
        return [part]
    return [str(number) for number in range(int(match[1]), int(match[2]) + 1)]


def _parse_marked(marks: tuple[str, ...], text: str) -> tuple[int | str, ...]:
    """Parse '12', '12 gap', '12g', or '12 ash elm' for the marks 'Ash Tree' and 'Elm Tree'."""
    advice = f"enter a number, and after it any of {', '.join(marks)}"
    match = _MARKED.fullmatch(text)
    number = _parse_number(match[1]) if match else None
    if match is None or number is None:
        raise InvalidAnswerError(advice)
    given: list[int | str] = [number]
    for word in filter(None, re.split(r"[ ,]+", match[2])):
        mark = _mark_of(marks, word.casefold(), advice)
        if mark != given[-1]:
            given.append(mark)
    return tuple(given)


def _mark_of(marks: tuple[str, ...], word: str, advice: str) -> str:
    """Return the only mark of which a word begins with this one."""
    words = {mark: mark.casefold().split() for mark in marks}
    for matches in (
        [mark for mark in marks if word in words[mark]],
        [mark for mark in marks if any(each.startswith(word) for each in words[mark])],
    ):
        if len(matches) == 1:
            return matches[0]
    raise InvalidAnswerError(advice)
