"""Verification: replays a transcript, and recomputes every line of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from cardgen.referee.answer_check import InvalidAnswerError, check_answer
from cardgen.referee.play import AnswerSource, LogEntry, play, seeded_face
from cardgen.referee.requests import Answer, Procedure, Question, Roll, Test
from cardgen.referee.secret import MissingSecretError, commitment, is_secret, with_secrets
from cardgen.referee.transcript import (
    Line,
    Transcript,
    event_line,
    line_error,
    outcome_line,
    question_line,
    saved_answer,
)

T = TypeVar("T")


class _EndOfLinesError(Exception):
    """The transcript ends before its procedure does."""


@dataclass(frozen=True, slots=True)
class VerificationResult:
    """The numbers of recomputed questions and dice.

    `is_finished` is true if the transcript ends with its outcome, and `has_secret` if a secret was checked against its
    commitment.
    """

    questions: int
    dice: int
    is_finished: bool
    has_secret: bool = False


def verify(
    transcript: Transcript, procedure: Procedure[T], outcome_data: Callable[[T], Any], secret: str | None = None
) -> VerificationResult:
    """Replay a transcript. Raises CardgenError with the first wrong line.

    `secret` is the secret of a transcript that is not finished; a finished one reveals it itself.
    """
    replay = _Replay(transcript)
    if transcript.is_finished:
        secret = revealed_secret(transcript)
    is_finished = True
    try:
        outcome = play(procedure, with_secrets(replay.answer, secret), replay.listen)
        replay.end(outcome_line(outcome_data(outcome), secret))
    except _EndOfLinesError:
        is_finished = False
    except InvalidAnswerError as error:
        raise replay.invalid_answer(error) from None
    except MissingSecretError:
        raise line_error(transcript.file, 1, "'commitment' is missing") from None
    return VerificationResult(replay.questions, replay.dice, is_finished, has_secret=bool(secret))


def revealed_secret(transcript: Transcript) -> str | None:
    """Return the secret of a finished transcript, or None if it has no commitment.

    Raises CardgenError if the secret is missing, or does not match the commitment.
    """
    expected, secret = transcript.header.commitment, transcript.secret
    if expected is None:
        return None
    if not is_secret(secret) or commitment(str(secret)) != expected:
        message = "'secret' does not match the commitment in line 1" if secret else "'secret' is missing"
        raise line_error(transcript.file, transcript.lines[-1][0], message)
    return str(secret)


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

    def invalid_answer(self, error: InvalidAnswerError) -> Exception:
        """Return the error for the answer of the current line."""
        return line_error(self._file, self._number, f"invalid answer: {error}")

    def _check_answer(self, path: str, question: Question, reply: object) -> None:
        try:
            check_answer(question, reply)
        except InvalidAnswerError as error:
            raise self.invalid_answer(error) from None
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
            key = next((key for key in outcome if line.get(key) != outcome[key]), "outcome")
            raise self._mismatch(key, line.get(key), outcome[key])
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
