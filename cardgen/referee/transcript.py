"""Transcripts: one JSON object a line, so that anybody can replay what was played.

The first line says what was played, under which terms, and with which seed; each further line is a question with its
answer, something told, or an `undo` of so many questions; the last is the outcome.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from cardgen.diagnostic import CardgenError, Diagnostic, Place, Span
from cardgen.referee.codes import Code
from cardgen.referee.play import LogEntry
from cardgen.referee.requests import Decision, Measurement, Question, Roll, Test

FORMAT = 1
LONGEST_LINE = 2_000_000

Line: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Header:
    """What was played: the trial of a game with its situation, the terms, and the seed, which is None for real dice."""

    game: str
    trial: str
    situation: Mapping[str, Any]
    rulings: Mapping[str, str]
    policy: Mapping[str, str]
    seed: str | None

    def line(self) -> Line:
        """The first line of a transcript."""
        kept = {name: getattr(self, name) for name in ("game", "trial", "situation", "rulings", "policy", "seed")}
        return {"transcript": FORMAT, **kept}


def event_line(entry: LogEntry) -> Line:
    """The line of something that happened."""
    if isinstance(entry, str):
        return {"told": entry}
    return {"at": entry.path, **question_line(entry.question), "answer": entry.answer}


def question_line(question: Question) -> Line:
    """A question as plain data: everything that was reckoned for it."""
    match question:
        case Test():
            reasons = [[reason.source, reason.amount] for reason in question.modifiers]
            return {"test": question.what, "who": question.who, "basis": question.basis, "need": question.need,
                    "reasons": reasons, "sides": question.sides}  # fmt: skip
        case Roll():
            wins = {"wins": list(question.wins)} if question.wins else {}
            return {"roll": question.what, "who": question.who, "sides": question.sides, **wins}
        case Decision():
            return {"choose": question.what, "who": question.who, "options": list(question.options)}
        case Measurement():
            return {"measure": question.what, "who": question.who, "low": question.low, "high": question.high}


def dump(line: Line) -> str:
    """One line of a transcript, with its end."""
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"


def transcript_text(header: Header, entries: Iterable[LogEntry], outcome: object) -> str:
    """A finished transcript."""
    lines = [header.line(), *map(event_line, entries), {"outcome": outcome}]
    return "".join(map(dump, lines))


@dataclass(frozen=True, slots=True)
class Transcript:
    """A transcript that was read: its header, and the lines that hold, each with its number.

    What was undone is left out; `finished` says whether an outcome stands at its end, and `torn` whether the last line
    was cut off while it was written.
    """

    file: str
    header: Header
    lines: tuple[tuple[int, Line], ...]
    is_finished: bool
    is_truncated: bool = False

    @property
    def answers(self) -> list[Line]:
        """The questions that were answered."""
        return [line for _, line in self.lines if "at" in line]


@dataclass(slots=True)
class _TranscriptReader:
    file: str
    lines: list[tuple[int, Line]] = field(default_factory=list)

    def error(self, number: int, message: str, code: Code = Code.BROKEN_TRANSCRIPT) -> CardgenError:
        return line_error(self.file, number, message, code)

    def parse(self, number: int, text: str) -> Line:
        try:
            line = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise self.error(number, f"this line is no JSON: {error}") from None
        if not isinstance(line, dict):
            raise self.error(number, "this line is no JSON object")
        return line

    def add(self, number: int, line: Line) -> None:
        """Add a line, or take back what it undoes."""
        count = line.get("undo")
        if count is None:
            self.lines.append((number, line))
            return
        answered = sum("at" in each for _, each in self.lines)
        if type(count) is not int or not 1 <= count <= answered:
            raise self.error(number, f"it undoes {count} questions, and {answered} were answered")
        undo(self.lines, count)


def undo(lines: list[tuple[int, Line]], count: int) -> None:
    """Take the last answered questions off, with what was told just before the first of them: it is told again."""
    places = [at for at, (_, each) in enumerate(lines) if "at" in each]
    del lines[_start_of_log(lines, places[-count]) :]


def _start_of_log(lines: list[tuple[int, Line]], at: int) -> int:
    """Where what was told just after the answer before begins: it is told again after an undo."""
    while at and "told" in lines[at - 1][1]:
        at -= 1
    return at


def parse_transcript(file: str, text: str) -> Transcript:
    """The transcript in a text. Raises CardgenError with the first line that cannot be read."""
    reader = _TranscriptReader(file)
    if len(text) > 50 * LONGEST_LINE:
        raise reader.error(1, "the file is too large for a transcript")
    rows = text.split("\n")
    torn = bool(rows.pop())
    if not rows:
        raise reader.error(1, "the file is empty" if not torn else "the first line is cut off")
    header = _parse_header(reader, reader.parse(1, rows[0]))
    for number, row in enumerate(rows[1:], 2):
        reader.add(number, reader.parse(number, row))
    finished = bool(reader.lines) and "outcome" in reader.lines[-1][1]
    return Transcript(file, header, tuple(reader.lines), finished, torn)


def _parse_header(reader: _TranscriptReader, line: Line) -> Header:
    if line.get("transcript") != FORMAT:
        if "transcript" not in line:
            raise reader.error(1, "this is no transcript: its first line does not say so")
        message = f"this is a transcript of format {line['transcript']!r}; this program reads format {FORMAT}"
        raise reader.error(1, message, Code.OTHER_VERSION)
    shapes = {"game": str, "trial": str, "situation": dict, "rulings": dict, "policy": dict}
    for name, shape in shapes.items():
        if not isinstance(line.get(name), shape):
            raise reader.error(1, f"'{name}' is missing or of the wrong type")
    if not isinstance(line.get("seed"), str | None):
        raise reader.error(1, "'seed' is no text")
    fields = {name: line[name] for name in shapes}
    return Header(**fields, seed=line.get("seed"))


def line_error(file: str, number: int, message: str, code: Code = Code.WRONG_LINE, help: str = "") -> CardgenError:  # noqa: A002
    """The error for one line of a transcript."""
    return CardgenError(Diagnostic(code, message, Place(file, Span(number, 1, number, 1)), help))
