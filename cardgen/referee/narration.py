"""What happened, in lines for a terminal."""

from __future__ import annotations

from cardgen.referee.playing import Told
from cardgen.referee.requests import Choice, Number, Question, Roll, Test


def line(told: Told) -> str:
    """One line for something that was rolled, chosen, measured or told."""
    if isinstance(told, str):
        return f"    {told}"
    question, answer = told.question, told.answer
    match question:
        case Test():
            result = "success" if answer <= question.need else "failure"  # type: ignore[operator]
            return f"{asked(question)}: rolled {answer}: {result}"
        case Roll():
            result = f": {'yes' if answer in question.wins else 'no'}" if question.wins else ""
            return f"{asked(question)}: rolled {answer}{result}"
        case _:
            return f"{asked(question).removesuffix('?')}: {answer}"


def asked(question: Question) -> str:
    """The question in words, every number of it with its reason."""
    who = f"{question.who}: " if question.who else ""
    match question:
        case Test():
            reasons = "".join(f", {reason}" for reason in question.reasons)
            return f"{who}{question.what} ({question.basis}{reasons}): {question.need} or less on a D{question.sides}"
        case Roll():
            wins = f" ({' or '.join(map(str, question.wins))})" if question.wins else ""
            return f"{who}{question.what}{wins}, a D{question.sides}"
        case Choice():
            return f"{who}{question.what}?"
        case Number():
            unit = f" in {question.unit}" if question.unit else ""
            return f"{who}{question.what}{unit}, {question.low} to {question.high}"
