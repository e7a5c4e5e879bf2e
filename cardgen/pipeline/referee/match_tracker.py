"""The match tracker in a terminal: prompts, with undo and secrets."""

from __future__ import annotations

from collections.abc import Callable
from typing import BinaryIO

from cardgen.pipeline.referee.answer_parser import option_lines, parse_answer
from cardgen.pipeline.referee.match import Match
from cardgen.pipeline.referee.match_course import MatchCourse
from cardgen.pipeline.referee.save_file import unwritable
from cardgen.pipeline.referee.secret_screen import SecretScreen
from cardgen.pipeline.referee.session import Prompt
from cardgen.project.files import display_path
from cardgen.referee.play import InvalidAnswerError, LogEntry, check_answer, entry_line, question_text
from cardgen.referee.requests import Answer, Question, SealedDecision
from cardgen.referee.transcript import commitment
from cardgen.referee.trial import not_adjudicated_lines

UNDO, QUIT, HELP, SECRETS = ("undo", "u"), ("quit", "q"), ("help", "h", "?"), ("secrets", "s")
HELP_TEXT = """\
  enter a number, or several where several can apply: '1 3', '2-4', '1x5' (1 five times), or all
  after a distance, add what applies: '12 gap', or the first letters of each word: '12 g'
  or: undo (the last answer), {}quit (the match is saved), help"""


class _UndoError(Exception):
    """The player undoes the last answer."""


class _QuitError(Exception):
    """The player quits for now."""


def run(match: Match, prompt: Prompt, tell: Callable[[str], None], steer: Callable[[str], None]) -> bool:
    """Play until the match ends (True) or the player quits (False).

    `tell` prints a line, and `steer` writes control sequences to the terminal.
    """
    tell(match.trial_run.prepared.title)
    for line in match.errors:
        tell(line)
    for line in not_adjudicated_lines(match.trial_run.prepared.not_simulated):
        tell(line)
    if match.secret:
        tell(f"commitment to the secrets of this match: {commitment(match.secret)}")
    try:
        with match.path.open("ab") as file:
            while True:
                try:
                    return _Terminal(match, file, prompt, tell, steer).play()
                except _UndoError:
                    tell("undone")
                except _QuitError:
                    tell(f"saved; to continue, use --resume {display_path(match.path)}")
                    return False
    except OSError as error:
        raise unwritable(match.path, error) from None


class _Terminal:
    """A match from its beginning, with saved answers, until its end or an undo."""

    def __init__(
        self, match: Match, file: BinaryIO, prompt: Prompt, tell: Callable[[str], None], steer: Callable[[str], None]
    ) -> None:
        self._prompt, self._tell = prompt, tell
        self._screen = SecretScreen(prompt, tell, steer)
        self._course = MatchCourse(match, file, self._show, self._screen.keep)
        self._count = 0
        self._was_typed = False
        # After a match is resumed, only its last events are shown again.
        self._shown_from = max((at for at, (_, line) in enumerate(match.lines) if "at" in line), default=-1) - 5

    def play(self) -> bool:
        """Play to the end. Raises _UndoError and _QuitError."""
        self._course.start()
        while self._course.waiting:
            answer = self._ask_player(self._course.waiting.question)
            self._was_typed = not isinstance(self._course.waiting.question, SealedDecision)
            self._course.reply(answer)
        for line in self._course.outcome:
            self._tell(line)
        return True

    def _show(self, told: LogEntry, _: bool) -> None:
        was_typed, self._was_typed = self._was_typed and not isinstance(told, str), False
        if self._count >= self._shown_from and not was_typed:
            self._tell(entry_line(told))
        self._count += 1

    def _ask_player(self, question: Question) -> Answer:
        if not isinstance(question, SealedDecision):
            return self._ask(question)
        while self._read(f"only {question.who} may look now: press Enter") is None:
            pass
        with self._screen.opened():
            return self._ask(question)

    def _ask(self, question: Question) -> Answer:
        """Ask until a player gives a valid answer."""
        while True:
            # A blank line sets each question apart from what was told before it.
            for line in ("", *option_lines(question)):
                self._tell(line)
            word = self._read(question_text(question))
            if word is None:
                continue
            try:
                parsed = parse_answer(question, word)
                if not isinstance(question, SealedDecision):
                    check_answer(question, parsed)
            except InvalidAnswerError as error:
                self._tell(f"  {error}")
            else:
                return parsed

    def _read(self, text: str) -> str | None:
        """Return what a player types, or None after a command that leaves the question open."""
        word = self._prompt(text).strip()
        if word in UNDO:
            if self._course.undo():
                raise _UndoError
            self._tell("  nothing to undo")
        elif word in QUIT:
            raise _QuitError
        elif word in HELP:
            for line in HELP_TEXT.format("secrets (of one side), " if self._screen.has_secrets else "").split("\n"):
                self._tell(line)
        elif word in SECRETS:
            self._screen.show()
        else:
            return word
        return None
