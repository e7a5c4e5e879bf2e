"""Events and questions of a procedure as lines for a terminal."""

from __future__ import annotations

from cardgen.referee.play import LogEntry
from cardgen.referee.requests import Decision, Measurement, Question, Roll, Test


def entry_line(entry: LogEntry) -> str:
    """Return the line for a roll, decision, measurement, or text."""
    if isinstance(entry, str):
        return f"    {entry}"
    question, answer = entry.question, entry.answer
    match question:
        case Test():
            result = "success" if answer <= question.need else "failure"  # type: ignore[operator]
            return f"{question_text(question)}: rolled {answer}: {result}"
        case Roll():
            result = f": {'yes' if answer in question.wins else 'no'}" if question.wins else ""
            return f"{question_text(question)}: rolled {answer}{result}"
        case _:
            return f"{question_text(question).removesuffix('?')}: {answer}"


def question_text(question: Question) -> str:
    """Return the question in words, with the modifiers of its number."""
    who = f"{question.who}: " if question.who else ""
    match question:
        case Test():
            reasons = "".join(f", {reason}" for reason in question.modifiers)
            return f"{who}{question.what} ({question.basis}{reasons}): {question.need} or less on a D{question.sides}"
        case Roll():
            wins = f" ({' or '.join(map(str, question.wins))})" if question.wins else ""
            return f"{who}{question.what}{wins}, a D{question.sides}"
        case Decision():
            return f"{who}{question.what}?"
        case Measurement():
            unit = f" in {question.unit}" if question.unit else ""
            return f"{who}{question.what}{unit}, {question.low} to {question.high}"
