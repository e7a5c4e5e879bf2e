"""Long games: saved after every step, taken up again after a crash, with undo."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import BinaryIO

from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.pipeline.refereeing import Case, Plea, hear
from cardgen.pipeline.sessions import Prompt, load_transcript, retry, seed_of, understood
from cardgen.project.paths import shown
from cardgen.referee import narration
from cardgen.referee.codes import Code
from cardgen.referee.playing import ImpossibleError, Told, check, play
from cardgen.referee.requests import Choice, Question, Roll, Test, Whisper
from cardgen.referee.seed import rolled
from cardgen.referee.transcript import Line, dump, event_line, question_line, undone, wrong_line

UNDO, QUIT, HELP, SECRETS = ("undo", "u"), ("quit", "q"), ("help", "h", "?"), ("secrets", "s")
ADVICE = "  type a number, or: undo (the last answer), secrets (what only one side may see), quit (it is saved), help"
HIDING = "\n" * 60


class _UndoError(Exception):
    """The player takes the last answer back."""


class _QuitError(Exception):
    """The player stops for now."""


@dataclass(slots=True)
class Match:
    """A game in progress: its case, its save file, and the lines that were played so far."""

    case: Case
    path: Path
    seed: str | None
    lines: list[tuple[int, Line]] = field(default_factory=list)
    written: int = 1


def begin(plea: Plea, save: Path | None, seed: str | None, *, asked: bool) -> Match:
    """Begin a game with a new save file. Raises CardgenError where one is there already."""
    case = hear(plea)
    given = None if asked else seed_of(seed)
    path = save or Path(f"{plea.trial}.jsonl")
    header = replace(case.header, seed=given)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:
            _append(file, dump(header.line()))
    except FileExistsError:
        message = "there is a game here already, and it is not overwritten"
        hint = f"go on with --resume {shown(path)}, or name another file with --save"
        raise CardgenError(Diagnostic(Code.NOT_POSSIBLE, message, Place(shown(path)), hint)) from None
    except OSError as error:
        raise _unwritable(path, error) from None
    return Match(case, path, given)


def resume(path: Path, tell: Callable[[str], None]) -> Match:
    """Take a game up again. Raises CardgenError for a save that cannot be read; the file stays as it is."""
    transcript = load_transcript(path)
    case = retry(transcript)
    if transcript.finished:
        raise CardgenError(Diagnostic(Code.NOT_POSSIBLE, "this game is over", Place(transcript.file)))
    if transcript.torn:
        _mend(path)
        tell("the last line was cut off while it was written; it is left out")
    return Match(case, path, transcript.header.seed, list(transcript.lines), path.read_bytes().count(b"\n"))


def _mend(path: Path) -> None:
    """Cut the torn line off."""
    try:
        with path.open("r+b") as file:
            file.truncate(file.read().rindex(b"\n") + 1)
    except OSError as error:
        raise _unwritable(path, error) from None


def run(match: Match, prompt: Prompt, tell: Callable[[str], None]) -> bool:
    """Play on until the game ends (True) or the player stops (False)."""
    tell(match.case.matter.title)
    for each in match.case.matter.left_out:
        tell(f"not adjudicated: {each}")
    try:
        with match.path.open("ab") as file:
            while True:
                try:
                    return _play(match, file, prompt, tell)
                except _UndoError:
                    tell("taken back")
                except _QuitError:
                    tell(f"saved; go on with --resume {shown(match.path)}")
                    return False
    except OSError as error:
        raise _unwritable(match.path, error) from None


def _play(match: Match, file: BinaryIO, prompt: Prompt, tell: Callable[[str], None]) -> bool:
    table = _Table(match, file, prompt, tell)
    outcome = play(match.case.matter.start(), table.answer, table.listen, table.confide)
    _append(file, dump({"outcome": match.case.matter.kept(outcome)}))
    for line in match.case.matter.told(outcome):
        tell(line)
    return True


class _Table:
    """Answers from the save as far as it goes, then from dice and players; everything new is saved at once."""

    def __init__(self, match: Match, file: BinaryIO, prompt: Prompt, tell: Callable[[str], None]) -> None:
        self._match, self._file, self._prompt, self._tell = match, file, prompt, tell
        self._at = 0
        self._typed = False
        self._secrets: dict[str, list[str]] = {}
        # After a long game is taken up, only what was told last is shown again.
        self._shown_from = max((at for at, (_, line) in enumerate(match.lines) if "at" in line), default=-1) - 5

    def answer(self, path: str, question: Question) -> int | str:
        expected = {"at": path, **question_line(question)}
        old = self._old()
        if old is not None:
            number, line = old
            if {**line, "answer": None} != {**expected, "answer": None}:
                raise self._changed(number)
            try:
                check(question, line.get("answer"))
            except ImpossibleError:
                raise self._changed(number) from None
            return line["answer"]  # type: ignore[no-any-return]
        if isinstance(question, Test | Roll) and self._match.seed is not None:
            return rolled(self._match.seed, path, question.sides)
        return self._asked(question)

    def listen(self, told: Told) -> None:
        line = event_line(told)
        if self._at < len(self._match.lines):
            number, old = self._match.lines[self._at]
            if old != line:
                raise self._changed(number)
        else:
            _append(self._file, dump(line))
            self._match.written += 1
            self._match.lines.append((self._match.written, line))
        typed, self._typed = self._typed and not isinstance(told, str), False
        if self._at >= self._shown_from and not typed:
            self._tell(narration.line(told))
        self._at += 1

    def confide(self, whisper: Whisper) -> None:
        self._secrets.setdefault(whisper.who, []).append(whisper.text)

    def _old(self) -> tuple[int, Line] | None:
        lines = self._match.lines
        return lines[self._at] if self._at < len(lines) else None

    def _changed(self, number: int) -> CardgenError:
        message = "this line does not follow from what was played before: the save was edited, or is of another version"
        return wrong_line(shown(self._match.path), number, message, Code.OTHER_VERSION, "'cardgen verify' says more")

    def _asked(self, question: Question) -> int | str:
        while True:
            for number, option in enumerate(question.options if isinstance(question, Choice) else (), 1):
                self._tell(f"  {number}. {option}")
            word = self._prompt(narration.asked(question)).strip()
            if word in UNDO:
                self._undo()
            if word in QUIT:
                raise _QuitError
            if word in HELP:
                self._tell(ADVICE)
                continue
            if word in SECRETS:
                self._show_secrets()
                continue
            try:
                given = understood(question, word)
                check(question, given)
            except ImpossibleError as error:
                self._tell(f"  {error}")
                continue
            self._typed = True
            return given

    def _show_secrets(self) -> None:
        """Show one side what only it may see, and move that out of sight again."""
        sides = tuple(self._secrets)
        if not sides:
            self._tell("  nobody has secrets in this game")
            return
        for number, side in enumerate(sides, 1):
            self._tell(f"  {number}. {side}")
        word = self._prompt("whose? the others look away").strip()
        if word.isdecimal() and 1 <= int(word) <= len(sides):
            for secret in self._secrets[sides[int(word) - 1]]:
                self._tell(f"  {secret}")
            self._prompt("Enter hides it")
            self._tell(HIDING)
        else:
            self._tell("  type the number of one of them")

    def _undo(self) -> None:
        """Take back everything since the last answer that a player gave, dice of the seed included."""
        lines = self._match.lines
        asked = [line for _, line in lines if "at" in line]
        typed = [at for at, line in enumerate(asked) if self._match.seed is None or not {"test", "roll"} & line.keys()]
        if not typed:
            self._tell("  there is nothing to take back")
            return
        count = len(asked) - typed[-1]
        _append(self._file, dump({"undo": count}))
        self._match.written += 1
        undone(lines, count)
        raise _UndoError


def _append(file: BinaryIO, text: str) -> None:
    """Write a line and wait until it is on the disk, so that no crash loses it."""
    file.write(text.encode())
    file.flush()
    os.fsync(file.fileno())


def _unwritable(path: Path, error: OSError) -> CardgenError:
    message = f"it cannot be written: {error.strerror or error}"
    return CardgenError(Diagnostic(Code.NOT_POSSIBLE, message, Place(shown(path)), "name another file with --save"))
