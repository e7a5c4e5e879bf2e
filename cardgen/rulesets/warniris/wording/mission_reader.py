"""Objectives read from the sentences of missions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from cardgen.game import (
    Features,
    Grammar,
    Interpretation,
    Part,
    SentenceReading,
    SentenceSpan,
    Token,
    read_sentence,
)
from cardgen.rulesets.warniris.cards import Earn
from cardgen.rulesets.warniris.wording.effects import goal_sentence

CLAUSES = Grammar(Path(__file__).with_name("mission_clauses.txt"))


def read_objective(sentence: SentenceSpan) -> SentenceReading:
    """Return the sentence of a mission as it was read; its `value` is an `Earn`."""
    reading = read_sentence(CLAUSES, sentence, _interpret)
    return reading._replace(canonical=goal_sentence(reading.value)) if reading.value else reading


def _interpret(parts: tuple[Part, ...], tokens: tuple[Token, ...]) -> Iterator[Interpretation]:
    """Yield the objective whose own sentence is the same, word for word."""
    keys: dict[str, object] = {}
    for part in parts:
        assert isinstance(part.meaning, Features)
        if any(keys.get(key, value) != value for key, value in part.meaning):
            return
        keys |= dict(part.meaning)
    try:
        goal = Earn.model_validate(keys)
    except ValidationError:
        return
    if CLAUSES.content_words(tokens) == CLAUSES.content_words(CLAUSES.tokenize(goal_sentence(goal).rstrip("."))):
        yield Interpretation(goal)
