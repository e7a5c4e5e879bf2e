"""Verification: a transcript is played again, and every die, number, option and word must come out as written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from cardgen.referee.playing import Answer, ImpossibleError, Told, check, play
from cardgen.referee.requests import Procedure, Question, Roll, Test
from cardgen.referee.seed import rolled
from cardgen.referee.transcript import Line, Transcript, event_line, question_line, wrong_line

T = TypeVar("T")


class _EndOfLinesError(Exception):
    """The transcript stops before the procedure does."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What verification found: how many questions and dice were recomputed, and whether the game was played out."""

    questions: int
    dice: int
    finished: bool


def verify(transcript: Transcript, procedure: Procedure[T], kept: Callable[[T], Any]) -> Verdict:
    """Play a transcript again. Raises CardgenError with the first wrong line."""
    replay = _Replay(transcript)
    try:
        outcome = play(procedure, replay.answer, replay.listen)
    except _EndOfLinesError:
        return Verdict(replay.questions, replay.dice, finished=False)
    replay.end({"outcome": kept(outcome)})
    return Verdict(replay.questions, replay.dice, finished=True)


class _Replay:
    """Goes through the lines while the procedure runs."""

    def __init__(self, transcript: Transcript) -> None:
        self._file, self._seed = transcript.file, transcript.header.seed
        self._lines = iter(transcript.lines)
        self._number = 1
        self.questions = self.dice = 0

    def _next(self) -> Line:
        found = next(self._lines, None)
        if found is None:
            raise _EndOfLinesError
        self._number, line = found
        return line

    def answer(self, path: str, question: Question) -> int | str:
        line = self._next()
        expected = {"at": path, **question_line(question)}
        for key, value in expected.items():
            if line.get(key) != value:
                raise self._wrong(key, line.get(key), value)
        given = line.get("answer")
        self._judge(path, question, given)
        self.questions += 1
        return given  # type: ignore[return-value]

    def _judge(self, path: str, question: Question, given: object) -> None:
        try:
            check(question, given)
        except ImpossibleError as error:
            raise wrong_line(self._file, self._number, f"this answer cannot be: {error}") from None
        if isinstance(question, Test | Roll):
            self.dice += 1
            if self._seed is not None and given != rolled(self._seed, path, question.sides):
                real = rolled(self._seed, path, question.sides)
                message = f"the die shows {real} with this seed, not {given}"
                raise wrong_line(self._file, self._number, message)

    def listen(self, told: Told) -> None:
        if isinstance(told, str):
            line = self._next()
            if line != event_line(told):
                raise self._wrong("told", line.get("told"), told)

    def end(self, outcome: Line) -> None:
        """The outcome must be the last line, and the right one."""
        try:
            line = self._next()
        except _EndOfLinesError:
            message = "the transcript ends without its outcome"
            raise wrong_line(self._file, self._number, message) from None
        if line != outcome:
            raise self._wrong("outcome", line.get("outcome"), outcome["outcome"])
        for number, _ in self._lines:
            raise wrong_line(self._file, number, "nothing may follow the outcome")

    def _wrong(self, key: str, found: object, expected: object) -> Exception:
        message = f"'{key}' is {_shown(found)} and should be {_shown(expected)}"
        return wrong_line(self._file, self._number, message)


def _shown(value: object) -> str:
    if value is None:
        return "missing"
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:80]}…"


def known_dice(transcript: Transcript) -> Answer:
    """Answers for the same game under other rulings: the dice and choices of the transcript by their paths.

    A die that was never rolled comes from the seed. Raises LookupError where there is none, or for a choice that is
    not to be had any more.
    """
    known = {line["at"]: line.get("answer") for line in transcript.answers}
    seed = transcript.header.seed

    def answer(path: str, question: Question) -> int | str:
        given = known.get(path)
        try:
            check(question, given)
        except ImpossibleError:
            if isinstance(question, Test | Roll) and seed is not None:
                return rolled(seed, path, question.sides)
            advised = getattr(question, "advised", "")
            if advised:
                return str(advised)
            raise LookupError(f"{path}: {question.what}") from None
        return given  # type: ignore[return-value]

    return answer
