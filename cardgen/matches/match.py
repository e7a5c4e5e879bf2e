"""Matches: how they begin, are resumed, and go on, and the tracker in a terminal with undo and secrets."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, TypeAlias

from cardgen.deck.card_lookup import CardLookup
from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, format_headline
from cardgen.matches import saves
from cardgen.matches.saves import MAX_TRANSCRIPT_BYTES, append_line, drop_torn_line, unwritable
from cardgen.matches.session import (
    Prompt,
    TrialRequest,
    TrialRun,
    load_referee,
    load_transcript,
    option_lines,
    parse_answer,
    prepare_trial,
    secret_for,
    trial_from_transcript,
    trial_parameters,
)
from cardgen.project.files import display_path, require_named_inside
from cardgen.project.project import Project
from cardgen.project_checks.run import errors_in_play
from cardgen.referee.play import (
    InvalidAnswerError,
    LogEntry,
    SealedAnswer,
    SecretListener,
    check_answer,
    check_new_answer,
    entry_line,
    question_text,
    questions,
    seed_or_new,
    seeded_face,
)
from cardgen.referee.requests import Answer, LiveScoreboard, Question, Roll, Scoreboard, SealedDecision, SecretLog, Test
from cardgen.referee.transcript import (
    BY,
    Line,
    commitment,
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
from cardgen.referee.trial import not_adjudicated_lines
from cardgen.runtime import regular_file
from cardgen.runtime.workspace import Workspace
from cardgen.units import quantity

# How many errors are printed before a match.
MOST_ERRORS = 10


@dataclass(slots=True)
class Match:
    """A match in progress: trial, save file, and lines so far.

    The seed is None for real dice, and the secret for a match without hidden dice. `errors` are what checks found wrong
    in the cards when the match began, each on a line.
    """

    trial_run: TrialRun
    path: Path
    seed: str | None
    secret: str | None = None
    lines: list[tuple[int, Line]] = field(default_factory=list)
    line_count: int = 1
    errors: tuple[str, ...] = ()


def begin(request: TrialRequest, save: Path | None, seed: str | None, *, players_roll: bool) -> Match:
    """Begin a match with a new save file, and a secret file if it has hidden dice.

    Raises CardgenError if a file already exists.
    """
    trial_run = prepare_trial(request)
    errors = tuple(_errors(request, trial_run.header.rulings))
    chosen_seed, secret = None if players_roll else seed_or_new(seed), secret_for(trial_run)
    path = save or Path(f"{request.trial}.jsonl")
    require_named_inside((request.workspace or Workspace()).root, path, display_path(path))
    header = replace(trial_run.header, seed=chosen_seed, commitment=secret and commitment(secret), errors=errors)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(path.parent, error, is_new=True) from None
    try:
        with path.open("xb") as file:
            _write_first_line(file, path, dump(header.line()))
    except FileExistsError:
        message = "file already contains a battle; not overwritten"
        hint = f"resume it with --resume {display_path(path)}, or choose another file with --save"
        raise CardgenError(Diagnostic(Code.NOT_POSSIBLE, message, Place(display_path(path)), hint)) from None
    except OSError as error:
        raise unwritable(path, error, is_new=True) from None
    if secret:
        # Write the secret file of a new match; if that fails, delete the saved match too.
        try:
            saves.create_secret(path, secret)
        except CardgenError:
            path.unlink()
            raise
    return Match(trial_run, path, chosen_seed, secret, errors=errors)


def _errors(request: TrialRequest, rulings: Mapping[str, str]) -> Iterator[str]:
    """Yield what checks find wrong in the cards that a request names, up to a number."""
    rules = load_referee(request.game, request.workspace)[0]
    lookup = CardLookup(rules, request.paths, Project.open(request.workspace), needed=request.needed)
    options = trial_parameters(request.trial, request.game, request.workspace)
    cards = [lookup.find(value, options[name][0].kinds) for name, value in request.values.items()
             if isinstance(value, str) and options[name][0].sort == "card"]  # fmt: skip
    found = errors_in_play(cards, request.paths, request.workspace, rulings)
    yield from map(format_headline, found[:MOST_ERRORS])
    if len(found) > MOST_ERRORS:
        yield f"and {quantity(len(found) - MOST_ERRORS, 'more error')}"


def _write_first_line(file: BinaryIO, path: Path, text: str) -> None:
    """Write the first line of a new save; if that fails, delete the file, and raise OSError."""
    try:
        append_line(file, text)
    except OSError:
        file.close()
        path.unlink(missing_ok=True)
        raise


def resume(path: Path, tell: Callable[[str], None], workspace: Workspace | None = None) -> Match:
    """Resume a match of a game of the workspace's project, by default that of the current folder.

    Raises CardgenError for an invalid save file, which stays unchanged.
    """
    transcript = load_transcript(path, workspace)
    trial_run = trial_from_transcript(transcript, workspace=workspace)
    if transcript.is_finished:
        raise CardgenError(Diagnostic(Code.NOT_POSSIBLE, "this battle is over", Place(transcript.file)))
    secret = saves.secret_of(path, transcript)
    if trial_run.prepared.has_secrets and secret is None:
        message = "'commitment' is missing; the line was edited, or written by another version"
        raise line_error(transcript.file, 1, message, Code.OTHER_VERSION)
    if transcript.is_truncated:
        drop_torn_line(path)
        tell("the last line is incomplete and was dropped")
    line_count = regular_file.read(path, MAX_TRANSCRIPT_BYTES).count(b"\n")
    header = transcript.header
    return Match(trial_run, path, header.seed, secret, list(transcript.lines), line_count, header.errors)


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
        check_new_answer(question, answer)
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
        try:
            while True:
                asked = Asked(*self._questions.send(reply))  # type: ignore[arg-type]
                reply = self._answer(*asked)
        except _WaitError:
            self.waiting = asked
        except StopIteration as end:
            # Save the outcome, which reveals the secret.
            prepared = self._match.trial_run.prepared
            self._save(outcome_line(prepared.outcome_data(end.value), self._match.secret))
            saves.remove_secret(self._match.path)
            self.outcome = tuple(prepared.outcome_lines(end.value))

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
            message = "another program has changed this file while the battle was played; nothing more was saved"
            advice = "play a battle in one program at a time, and resume it here"
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


# The terminal's second screen leaves no traces in its history; blank lines scroll secrets away where there is none.
SECOND_SCREEN, FIRST_SCREEN = "\x1b[?1049h\x1b[H", "\x1b[?1049l"
BLANK_SCREEN = "\n" * 60


class SecretScreen:
    """The secrets of each side, and the second screen on which they are shown."""

    def __init__(self, prompt: Prompt, tell: Callable[[str], None], steer: Callable[[str], None]) -> None:
        self._prompt, self._tell, self._steer = prompt, tell, steer
        self._secrets: dict[str, list[str]] = {}

    @property
    def has_secrets(self) -> bool:
        """Whether a side has secrets."""
        return bool(self._secrets)

    def keep(self, secret: SecretLog) -> None:
        """Remember a secret of a side."""
        self._secrets.setdefault(secret.who, []).append(secret.text)

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Use the second screen, and clear it in the end."""
        self._steer(f"{SECOND_SCREEN}\n")
        try:
            yield
        finally:
            self._steer(f"{BLANK_SCREEN}{FIRST_SCREEN}\n")

    def show(self) -> None:
        """Show one side its secrets, then scroll them off the screen."""
        sides = tuple(self._secrets)
        if not sides:
            self._tell("  no side has secrets in this battle")
            return
        for number, side in enumerate(sides, 1):
            self._tell(f"  {number}. {side}")
        word = self._prompt("whose secrets? Other players must look away.").strip()
        if not (word.isdecimal() and 1 <= int(word) <= len(sides)):
            self._tell("  enter the number of a side")
            return
        with self.opened():
            for line in self._secrets[sides[int(word) - 1]]:
                self._tell(f"  {line}")
            self._prompt("press Enter to hide the secrets")


UNDO, QUIT, HELP, SECRETS = ("undo", "u"), ("quit", "q"), ("help", "h", "?"), ("secrets", "s")
HELP_TEXT = """\
  enter a number, or several where several can apply: '1 3', '2-4', '1x5' (1 five times), or all
  after a distance, add what applies: '12 gap', or the first letters of each word: '12 g'
  or: undo (the last answer), {}quit (the battle is saved), help"""


class _UndoError(Exception):
    """The player undoes the last answer."""


class _QuitError(Exception):
    """The player quits for now."""


def track(match: Match, prompt: Prompt, tell: Callable[[str], None], steer: Callable[[str], None]) -> bool:
    """Play until the match ends (True) or the player quits (False).

    `tell` prints a line, and `steer` writes control sequences to the terminal.
    """
    tell(match.trial_run.prepared.title)
    for line in match.errors:
        tell(line)
    for line in not_adjudicated_lines(match.trial_run.prepared.not_simulated):
        tell(line)
    if match.secret:
        tell(f"commitment to the secrets of this battle: {commitment(match.secret)}")
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
            question = self._course.waiting.question
            if not isinstance(question, SealedDecision):
                answer = self._ask(question)
            else:
                while self._read(f"only {question.who} may look now: press Enter") is None:
                    pass
                with self._screen.opened():
                    answer = self._ask(question)
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
                    check_new_answer(question, parsed)
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
