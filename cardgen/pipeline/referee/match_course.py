"""The course of a match: its events so far, and the question that waits for a player."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator
from typing import Any, BinaryIO, NamedTuple, TypeAlias

from cardgen.codes import Code
from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.pipeline.referee import secret_file
from cardgen.pipeline.referee.match import Match
from cardgen.pipeline.referee.save_file import append_line, unwritable
from cardgen.project.files import display_path
from cardgen.referee.play import (
    InvalidAnswerError,
    LogEntry,
    SealedAnswer,
    SecretListener,
    check_answer,
    questions,
    seeded_face,
)
from cardgen.referee.requests import Answer, LiveScoreboard, Question, Roll, SealedDecision, Test
from cardgen.referee.scoreboard import Scoreboard
from cardgen.referee.transcript import (
    BY,
    Line,
    dump,
    event_line,
    line_error,
    outcome_line,
    question_line,
    saved_answer,
    seal,
    undo,
    unseal,
    with_secrets,
    without_author,
)


class _WaitError(Exception):
    """A question that only a player can answer."""


class Asked(NamedTuple):
    """A question, and its path in the match."""

    path: str
    question: Question


# Receives each event, and whether it is new rather than read from the save file.
EventListener: TypeAlias = Callable[[LogEntry, bool], None]


class MatchCourse:
    """A match that is played from its beginning to the first question without an answer, and on from there.

    Saved answers come first, then seeded dice and hidden dice; new lines are saved at once. `waiting` is the question
    that a player must answer, or None once the match is over; `outcome` are then the sentences about its end.
    `listen` receives the events, and `confide` the secrets of one side.
    """

    def __init__(self, match: Match, file: BinaryIO, listen: EventListener, confide: SecretListener) -> None:
        self._match, self._file, self._listen, self._confide = match, file, listen, confide
        self._size = os.fstat(file.fileno()).st_size
        self.waiting: Asked | None = None
        self.outcome: tuple[str, ...] = ()
        self._answer = with_secrets(self._known_answer, match.secret)
        self._scoreboard: LiveScoreboard | None = None
        self._given: Answer | None = None
        # The path of the question that a player has just answered, and the side of that player.
        self._author: tuple[str, str] = ("", "")
        self._position = 0
        self._questions: Generator[tuple[str, Question], Answer | SealedAnswer, Any]

    @property
    def scoreboard(self) -> Scoreboard | None:
        """How the battle stands now, or None if its game does not tell."""
        return self._scoreboard.current() if self._scoreboard else None

    def start(self) -> None:
        """Play the match from its beginning to the question that waits.

        Raises CardgenError if the save file contradicts the rules.
        """
        self._position, self._scoreboard, self._given = 0, None, None
        self._questions = questions(self._match.trial_run.prepared.start(), self._record, self._confide, self._show)
        self._run(None)

    def reply(self, answer: Answer, by: str = "") -> None:
        """Answer the question that waits, and play on to the next one.

        The answer to a sealed decision is the option. The save records `by` which side it came, unless that is ''.
        Raises InvalidAnswerError for an answer that the question does not allow; it waits on.
        """
        assert self.waiting
        path, question = self.waiting
        if isinstance(question, SealedDecision) and self._match.secret:
            if answer not in question.options:
                raise InvalidAnswerError("enter the number of an option")
            answer = seal(self._match.secret, path, question, str(answer))
        check_answer(question, answer)
        self._given, self._author = answer, (path, by)
        self._run(self._answer(path, question))

    def undo(self, by: str = "") -> bool:
        """Undo the last answer of a player, and seeded dice after it; return whether there was one.

        The save records `by` which side, unless that is ''. `start` then continues the match.
        """
        count = self._undo_count()
        if count:
            self._save({"undo": count, **({BY: by} if by else {})})
            undo(self._match.lines, count)
        return bool(count)

    @property
    def can_undo(self) -> bool:
        """Whether a player has answered something."""
        return bool(self._undo_count())

    def _undo_count(self) -> int:
        """Return the number of answers from the last one of a player on; 0 if there is none."""
        dice = set() if self._match.seed is None else {"test", "roll"}
        count = 0
        for _, line in reversed(self._match.lines):
            count += "at" in line
            if "at" in line and not dice & line.keys():
                return count
        return 0

    def _run(self, reply: Answer | SealedAnswer | None) -> None:
        """Send a reply, and then those that are known; stop at the first that is not."""
        self.waiting = asked = None  # also after an error, with which the procedure has ended
        with self._match.trial_run.settings_in_force():
            try:
                while True:
                    asked = Asked(*self._questions.send(reply))  # type: ignore[arg-type]
                    reply = self._answer(*asked)
            except _WaitError:
                self.waiting = asked
            except StopIteration as end:
                self._finish(end.value)

    def _finish(self, result: Any) -> None:
        """Save the outcome, which reveals the secret."""
        prepared = self._match.trial_run.prepared
        self._save(outcome_line(prepared.outcome_data(result), self._match.secret))
        secret_file.remove(self._match.path)
        self.outcome = tuple(prepared.outcome_lines(result))

    def _known_answer(self, path: str, question: Question) -> Answer:
        """Return the saved answer, that of a seeded die, or the one just given. Raises _WaitError without any."""
        if self._position < len(self._match.lines):
            return self._saved_answer(path, question)
        if isinstance(question, Test | Roll) and self._match.seed is not None:
            return seeded_face(self._match.seed, path, question.sides)
        if self._given is None:
            raise _WaitError
        given, self._given = self._given, None
        return given

    def _saved_answer(self, path: str, question: Question) -> Answer:
        number, line = self._match.lines[self._position]
        expected = {"at": path, **question_line(question)}
        if {**without_author(line), "answer": None} != {**expected, "answer": None}:
            raise self._mismatch_error(number)
        try:
            check_answer(question, saved_answer(line))
            if isinstance(question, SealedDecision) and self._match.secret:
                unseal(self._match.secret, path, question, saved_answer(line))
        except InvalidAnswerError:
            raise self._mismatch_error(number) from None
        return saved_answer(line)  # type: ignore[no-any-return]

    def _record(self, told: LogEntry) -> None:
        line = event_line(told)
        is_new = self._position >= len(self._match.lines)
        if is_new:
            path, by = self._author
            if by and line.get("at") == path:
                line[BY] = by
                self._author = ("", "")
            self._save(line)
            self._match.lines.append((self._match.line_count, line))
        else:
            number, saved = self._match.lines[self._position]
            if without_author(saved) != line:
                raise self._mismatch_error(number)
        self._position += 1
        self._listen(told, is_new)

    def _show(self, scoreboard: LiveScoreboard) -> None:
        self._scoreboard = scoreboard

    def _save(self, line: Line) -> None:
        """Append a line, unless another program has changed the file."""
        if os.fstat(self._file.fileno()).st_size != self._size:
            message = "another program has changed this file while the match was played; nothing more was saved"
            advice = "play a match in one program at a time, and resume it here"
            raise CardgenError(Diagnostic(Code.NOT_POSSIBLE, message, Place(display_path(self._match.path)), advice))
        text = dump(line)
        try:
            append_line(self._file, text)
        except OSError as error:
            raise unwritable(self._match.path, error) from None
        self._size += len(text.encode())
        self._match.line_count += 1

    def _mismatch_error(self, number: int) -> CardgenError:
        message = "line contradicts the lines before it; it was edited, or written by another version"
        return line_error(
            display_path(self._match.path), number, message, Code.OTHER_VERSION, "run 'cardgen verify' for details"
        )
