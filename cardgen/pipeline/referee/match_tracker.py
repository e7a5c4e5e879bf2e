"""Matches: saved after every step, resumable, with undo and secrets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import BinaryIO

from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.pipeline.referee import secret_file
from cardgen.pipeline.referee.answer_parser import option_lines, parse_answer
from cardgen.pipeline.referee.save_file import MAX_TRANSCRIPT_BYTES, append_line, drop_torn_line, unwritable
from cardgen.pipeline.referee.secret_screen import SecretScreen
from cardgen.pipeline.referee.session import (
    Prompt,
    load_transcript,
    secret_for,
    trial_from_transcript,
)
from cardgen.pipeline.referee.setup import TrialRequest, TrialRun, prepare_trial
from cardgen.project.files import display_path
from cardgen.referee import narration
from cardgen.referee.codes import Code
from cardgen.referee.play import InvalidAnswerError, LogEntry, check_answer, play, seed_or_new, seeded_face
from cardgen.referee.requests import Answer, Question, Roll, SealedDecision, Test
from cardgen.referee.secret import commitment, seal, unseal, with_secrets
from cardgen.referee.transcript import (
    Line,
    dump,
    event_line,
    line_error,
    outcome_line,
    question_line,
    saved_answer,
    undo,
)
from cardgen.runtime import regular_file

UNDO, QUIT, HELP, SECRETS = ("undo", "u"), ("quit", "q"), ("help", "h", "?"), ("secrets", "s")
HELP_TEXT = """\
  enter a number, or several where several can apply: '1 3', '2-4', '1x5' (1 five times), or all
  after a distance, add what applies: '12 gap', or the first letters of each word: '12 g'
  or: undo (the last answer), {}quit (the match is saved), help"""


class _UndoError(Exception):
    """The player undoes the last answer."""


class _QuitError(Exception):
    """The player quits for now."""


@dataclass(slots=True)
class Match:
    """A match in progress: trial, save file, and lines so far.

    The seed is None for real dice, and the secret for a match without hidden dice.
    """

    trial_run: TrialRun
    path: Path
    seed: str | None
    secret: str | None = None
    lines: list[tuple[int, Line]] = field(default_factory=list)
    line_count: int = 1


def begin(request: TrialRequest, save: Path | None, seed: str | None, *, players_roll: bool) -> Match:
    """Begin a match with a new save file, and a secret file if it has hidden dice.

    Raises CardgenError if a file already exists.
    """
    trial_run = prepare_trial(request)
    chosen_seed, secret = None if players_roll else seed_or_new(seed), secret_for(trial_run)
    path = save or Path(f"{request.trial}.jsonl")
    header = replace(trial_run.header, seed=chosen_seed, commitment=secret and commitment(secret))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:
            append_line(file, dump(header.line()))
    except FileExistsError:
        message = "file already contains a match; not overwritten"
        hint = f"resume it with --resume {display_path(path)}, or choose another file with --save"
        raise CardgenError(Diagnostic(Code.NOT_POSSIBLE, message, Place(display_path(path)), hint)) from None
    except OSError as error:
        raise unwritable(path, error) from None
    if secret:
        _create_secret_file(path, secret)
    return Match(trial_run, path, chosen_seed, secret)


def _create_secret_file(path: Path, secret: str) -> None:
    """Write the secret file of a new match; if that fails, delete the saved match too."""
    try:
        secret_file.create(path, secret)
    except CardgenError:
        path.unlink()
        raise


def resume(path: Path, tell: Callable[[str], None]) -> Match:
    """Resume a match.

    Raises CardgenError for an invalid save file, which stays unchanged.
    """
    transcript = load_transcript(path)
    trial_run = trial_from_transcript(transcript)
    if transcript.is_finished:
        raise CardgenError(Diagnostic(Code.NOT_POSSIBLE, "this match is over", Place(transcript.file)))
    secret = secret_file.secret_of(path, transcript)
    if trial_run.prepared.has_secrets and secret is None:
        message = "'commitment' is missing; the line was edited, or written by another version"
        raise line_error(transcript.file, 1, message, Code.OTHER_VERSION)
    if transcript.is_truncated:
        drop_torn_line(path)
        tell("the last line is incomplete and was dropped")
    line_count = regular_file.read(path, MAX_TRANSCRIPT_BYTES).count(b"\n")
    return Match(trial_run, path, transcript.header.seed, secret, list(transcript.lines), line_count)


def run(match: Match, prompt: Prompt, tell: Callable[[str], None], steer: Callable[[str], None]) -> bool:
    """Play until the match ends (True) or the player quits (False).

    `tell` prints a line, and `steer` writes control sequences to the terminal.
    """
    tell(match.trial_run.prepared.title)
    for each in match.trial_run.prepared.not_simulated:
        tell(f"not adjudicated: {each}")
    if match.secret:
        tell(f"commitment to the secrets of this match: {commitment(match.secret)}")
    try:
        with match.path.open("ab") as file:
            while True:
                try:
                    return _play(match, file, prompt, tell, steer)
                except _UndoError:
                    tell("undone")
                except _QuitError:
                    tell(f"saved; to continue, use --resume {display_path(match.path)}")
                    return False
    except OSError as error:
        raise unwritable(match.path, error) from None


def _play(
    match: Match, file: BinaryIO, prompt: Prompt, tell: Callable[[str], None], steer: Callable[[str], None]
) -> bool:
    session = _MatchSession(match, file, prompt, tell, steer)
    answer = with_secrets(session.answer, match.secret)
    with match.trial_run.settings_in_force():
        outcome = play(match.trial_run.prepared.start(), answer, session.record_event, session.screen.keep)
    append_line(file, dump(outcome_line(match.trial_run.prepared.outcome_data(outcome), match.secret)))
    secret_file.remove(match.path)
    for line in match.trial_run.prepared.outcome_lines(outcome):
        tell(line)
    return True


class _MatchSession:
    """Answers from the save file, then from dice and players.

    New lines are saved immediately.
    """

    def __init__(
        self, match: Match, file: BinaryIO, prompt: Prompt, tell: Callable[[str], None], steer: Callable[[str], None]
    ) -> None:
        self._match, self._file, self._prompt, self._tell = match, file, prompt, tell
        self.screen = SecretScreen(prompt, tell, steer)
        self._position = 0
        self._was_typed = False
        # After a match is resumed, only its last events are shown again.
        self._shown_from = max((at for at, (_, line) in enumerate(match.lines) if "at" in line), default=-1) - 5

    def answer(self, path: str, question: Question) -> Answer:
        expected = {"at": path, **question_line(question)}
        saved = self._saved_line()
        if saved is not None:
            number, line = saved
            if {**line, "answer": None} != {**expected, "answer": None}:
                raise self._mismatch_error(number)
            try:
                check_answer(question, saved_answer(line))
                if isinstance(question, SealedDecision) and self._match.secret:
                    unseal(self._match.secret, path, question, saved_answer(line))
            except InvalidAnswerError:
                raise self._mismatch_error(number) from None
            return saved_answer(line)  # type: ignore[no-any-return]
        if isinstance(question, Test | Roll) and self._match.seed is not None:
            return seeded_face(self._match.seed, path, question.sides)
        return self._ask_player(path, question)

    def record_event(self, told: LogEntry) -> None:
        line = event_line(told)
        if self._position < len(self._match.lines):
            number, saved = self._match.lines[self._position]
            if saved != line:
                raise self._mismatch_error(number)
        else:
            append_line(self._file, dump(line))
            self._match.line_count += 1
            self._match.lines.append((self._match.line_count, line))
        was_typed, self._was_typed = self._was_typed and not isinstance(told, str), False
        if self._position >= self._shown_from and not was_typed:
            self._tell(narration.entry_line(told))
        self._position += 1

    def _saved_line(self) -> tuple[int, Line] | None:
        lines = self._match.lines
        return lines[self._position] if self._position < len(lines) else None

    def _mismatch_error(self, number: int) -> CardgenError:
        message = "line contradicts the lines before it; it was edited, or written by another version"
        return line_error(
            display_path(self._match.path), number, message, Code.OTHER_VERSION, "run 'cardgen verify' for details"
        )

    def _ask_player(self, path: str, question: Question) -> Answer:
        if not isinstance(question, SealedDecision) or self._match.secret is None:
            self._was_typed = True
            return self._ask(question)
        while self._read(f"only {question.who} may look now: press Enter") is None:
            pass
        with self.screen.opened():
            option = self._ask(question)
        return seal(self._match.secret, path, question, str(option))

    def _ask(self, question: Question) -> Answer:
        """Ask until a player gives a valid answer."""
        while True:
            # A blank line sets each question apart from what was told before it.
            for line in ("", *option_lines(question)):
                self._tell(line)
            word = self._read(narration.question_text(question))
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
            self._undo()
        elif word in QUIT:
            raise _QuitError
        elif word in HELP:
            for line in HELP_TEXT.format("secrets (of one side), " if self.screen.has_secrets else "").split("\n"):
                self._tell(line)
        elif word in SECRETS:
            self.screen.show()
        else:
            return word
        return None

    def _undo(self) -> None:
        """Undo the last answer of a player, and seeded dice after it."""
        lines = self._match.lines
        questions = [line for _, line in lines if "at" in line]
        typed_positions = [
            at for at, line in enumerate(questions) if self._match.seed is None or not {"test", "roll"} & line.keys()
        ]
        if not typed_positions:
            self._tell("  nothing to undo")
            return
        count = len(questions) - typed_positions[-1]
        append_line(self._file, dump({"undo": count}))
        self._match.line_count += 1
        undo(lines, count)
        raise _UndoError
