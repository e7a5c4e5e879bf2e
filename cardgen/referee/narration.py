"""Events and questions of a procedure as lines for a terminal."""

from __future__ import annotations

from cardgen.referee.play import LogEntry
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

# If a selection has room for more options than this, the hint shows how to repeat one.
MANY = 4


def entry_line(entry: LogEntry) -> str:
    """Return the line for a roll, decision, measurement, or text."""
    if isinstance(entry, str):
        return f"    {entry}"
    question, answer = entry.question, entry.answer
    match question:
        case Test():
            result = "success" if answer <= question.need else "failure"  # type: ignore[operator]
            return f"{question_text(question)}: rolled {answer}: {result}"
        case Roll(faces=(_, *_)):
            return f"{_who(question)}{question.what}: rolled {question.faces[answer - 1]}"  # type: ignore[operator]
        case Roll():
            result = f": {'yes' if answer in question.wins else 'no'}" if question.wins else ""
            return f"{question_text(question)}: rolled {answer}{result}"
        case SealedDecision():
            return f"{_who(question)}{question.what}: chosen, unseen"
        case _:
            return f"{_who(question)}{question.what}: {answer_text(answer)}"


def answer_text(answer: Answer) -> str:
    """Return an answer in words: '12 gap', 'Ash, Elm', or 'none' for an empty selection."""
    if not isinstance(answer, tuple):
        return str(answer)
    if answer and isinstance(answer[0], int):
        return f"{answer[0]} {', '.join(map(str, answer[1:]))}".rstrip()
    return ", ".join(map(str, answer)) or "none"


def question_text(question: Question) -> str:
    """Return the question in words, with the modifiers of its number."""
    who = _who(question)
    match question:
        case Test():
            basis = ", ".join(filter(None, (question.basis, *map(str, question.modifiers))))
            reasons = f" ({basis})" if basis else ""
            return f"{who}{question.what}{reasons}: {question.need} or less on a D{question.sides}"
        case Roll(faces=(_, *_)):
            return f"{who}{question.what}, {' or '.join(dict.fromkeys(question.faces))}"
        case Roll():
            wins = f" ({' or '.join(map(str, question.wins))})" if question.wins else ""
            return f"{who}{question.what}{wins}, a D{question.sides}"
        case Decision() | SealedDecision():
            return f"{who}{question.what}?"
        case Measurement():
            unit = f" in {question.unit}" if question.unit else ""
            return f"{who}{question.what}{unit}, {question.low} to {question.high}"
        case MarkedMeasurement():
            hint = question.hint or "+ " + ", ".join(question.marks)
            return f"{who}{question.what} in {question.unit} ({hint})"
        case Selection():
            return f"{who}{question.what}? ({_selection_hint(question)}; Enter for none)"


def _selection_hint(question: Selection) -> str:
    """Return how to name options; '1x5' is a number that is named five times."""
    if question.most == 1:
        return "a number"
    if not question.most:
        return "any numbers"
    return f"numbers in order, such as {'1x5' if question.most > MANY else '1 2'}"


def _who(question: Question) -> str:
    return f"{question.who}: " if question.who else ""
