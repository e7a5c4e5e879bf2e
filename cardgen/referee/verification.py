"""Verification: replays a transcript, and recomputes every line of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from cardgen.referee.play import AnswerSource, InvalidAnswerError, LogEntry, check_answer, play, seeded_face
from cardgen.referee.requests import Answer, Procedure, Question, Roll, Test
from cardgen.referee.transcript import Line, Transcript, event_line, line_error, question_line, saved_answer

T = TypeVar("T")


class _EndOfLinesError(Exception):
    """The transcript ends before its procedure does."""


@dataclass(frozen=True, slots=True)
class VerificationResult:
    """The numbers of recomputed questions and dice.

    `is_finished` is true if the transcript ends with its outcome.
    """

    questions: int
    dice: int
    is_finished: bool


def verify(transcript: Transcript, procedure: Procedure[T], outcome_data: Callable[[T], Any]) -> VerificationResult:
    """Replay a transcript. Raises CardgenError with the first wrong line."""
    replay = _Replay(transcript)
    try:
        outcome = play(procedure, replay.answer, replay.listen)
    except _EndOfLinesError:
        return VerificationResult(replay.questions, replay.dice, is_finished=False)
    replay.end({"outcome": outcome_data(outcome)})
    return VerificationResult(replay.questions, replay.dice, is_finished=True)


class _Replay:
    """Compares the lines of a transcript with its running procedure."""

    def __init__(self, transcript: Transcript) -> None:
        self._file, self._seed = transcript.file, transcript.header.seed
        self._lines = iter(transcript.lines)
        self._number = 1
        self.questions = self.dice = 0

    def _next(self) -> Line:
        numbered = next(self._lines, None)
        if numbered is None:
            raise _EndOfLinesError
        self._number, line = numbered
        return line

    def answer(self, path: str, question: Question) -> Answer:
        line = self._next()
        expected = {"at": path, **question_line(question)}
        for key, value in expected.items():
            if line.get(key) != value:
                raise self._mismatch(key, line.get(key), value)
        reply = saved_answer(line)
        self._check_answer(path, question, reply)
        self.questions += 1
        return reply  # type: ignore[no-any-return]

    def _check_answer(self, path: str, question: Question, reply: object) -> None:
        try:
            check_answer(question, reply)
        except InvalidAnswerError as error:
            raise line_error(self._file, self._number, f"invalid answer: {error}") from None
        if isinstance(question, Test | Roll):
            self.dice += 1
            if self._seed is not None and reply != seeded_face(self._seed, path, question.sides):
                real = seeded_face(self._seed, path, question.sides)
                message = f"the die shows {real} with this seed, not {reply}"
                raise line_error(self._file, self._number, message)

    def listen(self, entry: LogEntry) -> None:
        if isinstance(entry, str):
            line = self._next()
            if line != event_line(entry):
                raise self._mismatch("told", line.get("told"), entry)

    def end(self, outcome: Line) -> None:
        """Require that the last line is the correct outcome."""
        try:
            line = self._next()
        except _EndOfLinesError:
            message = "the outcome is missing after this line"
            raise line_error(self._file, self._number, message) from None
        if line != outcome:
            raise self._mismatch("outcome", line.get("outcome"), outcome["outcome"])
        for number, _ in self._lines:
            raise line_error(self._file, number, "the outcome must be the last line")

    def _mismatch(self, key: str, actual: object, expected: object) -> Exception:
        message = f"'{key}' must be {_clipped(expected)}, not {_clipped(actual)}"
        return line_error(self._file, self._number, message)


def _clipped(value: object) -> str:
    if value is None:
        return "missing"
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:80]}…"


def recorded_answers(transcript: Transcript) -> AnswerSource:
    """Return a source of the recorded answers, for replays with other rulings.

    Answers are found by their paths. A die that was not recorded is rolled from the seed, and a decision takes its
    default. The source raises LookupError for questions without either.
    """
    recorded = {line["at"]: saved_answer(line) for line in transcript.answers}
    seed = transcript.header.seed

    def answer(path: str, question: Question) -> Answer:
        given = recorded.get(path)
        try:
            check_answer(question, given)
        except InvalidAnswerError:
            if isinstance(question, Test | Roll) and seed is not None:
                return seeded_face(seed, path, question.sides)
            advised = getattr(question, "default", "")
            if advised:
                return str(advised)
            raise LookupError(f"{path}: {question.what}") from None
        return given  # type: ignore[return-value]

    return answer
