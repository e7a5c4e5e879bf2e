"""Transcripts: JSON Lines files from which anyone can replay a trial.

The first line is the header: the trial and its situation, rulings, policy, and seed. Each further line is a question
with its answer, a log entry, or an `undo` of a number of answers. The last line is the outcome. If a trial has hidden
dice, its header has a commitment to their secret, and its last line the secret.

If the players have seats, as in the studio, the line of an answer or an undo also says `by` which side it came. It is a
note of the server that took the answer; the procedure neither knows nor confirms it, and older transcripts lack it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from cardgen.codes import Code
from cardgen.diagnostic import CardgenError, Diagnostic, Place, Span
from cardgen.referee import strict_json
from cardgen.referee.play import LONGEST_SEED, LogEntry
from cardgen.referee.requests import (
    Decision,
    MarkedMeasurement,
    Measurement,
    Question,
    Roll,
    SealedDecision,
    Selection,
    Test,
)
from cardgen.validation.validate import describe_value

FORMAT = 1
# A match of hours has thousands of lines.
MAX_LINES = 200_000

Line: TypeAlias = dict[str, Any]
# The keys whose values are text in every line.
BY = "by"
_TEXTS = frozenset({"at", "told", BY})


@dataclass(frozen=True, slots=True)
class Header:
    """The trial of a game with its situation, rulings, policy, seed, and commitment.

    The seed is None for real dice. The commitment is the SHA-256 hash of the secret of hidden dice, or None. `settings`
    are the project's settings of the game, as plain data. `version` is that of the trial's questions; the first one is
    not written.
    """

    game: str
    trial: str
    situation: Mapping[str, Any]
    rulings: Mapping[str, str]
    policy: Mapping[str, str]
    seed: str | None
    commitment: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    version: int = 1

    def line(self) -> Line:
        """Return the first line of the transcript."""
        kept = {name: getattr(self, name) for name in ("game", "trial", "situation", "rulings", "policy", "seed")}
        optional = {"commitment": self.commitment, "settings": self.settings}
        version = {} if self.version == 1 else {"version": self.version}
        return {"transcript": FORMAT, **kept, **version, **{name: value for name, value in optional.items() if value}}


def event_line(entry: LogEntry) -> Line:
    """Return the line of an event or log entry."""
    if isinstance(entry, str):
        return {"told": entry}
    answer = list(entry.answer) if isinstance(entry.answer, tuple) else entry.answer
    return {"at": entry.path, **question_line(entry.question), "answer": answer}


def without_author(line: Line) -> Line:
    """Return a line as the procedure tells it: without the side that answered."""
    return {key: value for key, value in line.items() if key != BY}


def saved_answer(line: Line) -> Any:
    """Return the answer of a line as `play` takes it: tuples are lists in JSON."""
    answer = line.get("answer")
    return tuple(answer) if isinstance(answer, list) else answer


def question_line(question: Question) -> Line:
    """Return a question as plain data, with its numbers and modifiers."""
    match question:
        case Test():
            reasons = [[reason.source, reason.amount] for reason in question.modifiers]
            return {"test": question.what, "who": question.who, "basis": question.basis, "need": question.need,
                    "reasons": reasons, "sides": question.sides}  # fmt: skip
        case Roll():
            wins = {"wins": list(question.wins)} if question.wins else {}
            faces = {"faces": list(question.faces)} if question.faces else {}
            return {"roll": question.what, "who": question.who, "sides": question.sides, **wins, **faces}
        case Decision():
            return {"choose": question.what, "who": question.who, "options": list(question.options)}
        case SealedDecision():
            return {"seal": question.what, "who": question.who, "count": len(question.options)}
        case Measurement():
            return {"measure": question.what, "who": question.who, "low": question.low, "high": question.high}
        case MarkedMeasurement():
            return {"measure": question.what, "who": question.who, "low": question.low, "high": question.high,
                    "marks": list(question.marks)}  # fmt: skip
        case Selection():
            most = {"most": question.most} if question.most else {}
            return {"select": question.what, "who": question.who, "options": list(question.options), **most}


def dump(line: Line) -> str:
    """Return a line as JSON, with a final line break."""
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"


def outcome_line(outcome: object, secret: str | None) -> Line:
    """Return the last line of a transcript, which reveals the secret of hidden dice."""
    return {"outcome": outcome, **({"secret": secret} if secret else {})}


def transcript_text(header: Header, entries: Iterable[LogEntry], outcome: object, secret: str | None = None) -> str:
    """Return the text of a finished transcript."""
    lines = [header.line(), *map(event_line, entries), outcome_line(outcome, secret)]
    return "".join(map(dump, lines))


@dataclass(frozen=True, slots=True)
class Transcript:
    """A parsed transcript: its header, and its lines with their 1-based numbers.

    Lines that were undone are left out. `is_finished` is true if the last line is the outcome, and `is_truncated` if an
    incomplete line followed the last one.
    """

    file: str
    header: Header
    lines: tuple[tuple[int, Line], ...]
    is_finished: bool
    is_truncated: bool = False

    @property
    def answers(self) -> list[Line]:
        """The lines of answered questions."""
        return [line for _, line in self.lines if "at" in line]

    @property
    def secret(self) -> object:
        """The secret that the last line reveals, unchecked, or None."""
        return self.lines[-1][1].get("secret") if self.is_finished else None


@dataclass(slots=True)
class _TranscriptReader:
    """The lines so far; `answered` has the index of each answer among them."""

    file: str
    lines: list[tuple[int, Line]] = field(default_factory=list)
    answered: list[int] = field(default_factory=list)

    def error(self, number: int, message: str, code: Code = Code.BROKEN_TRANSCRIPT) -> CardgenError:
        return line_error(self.file, number, message, code)

    def parse(self, number: int, text: str) -> Line:
        try:
            line = strict_json.parse(text)
        except ValueError as error:
            raise self.error(number, f"line {error}") from None
        if not isinstance(line, dict):
            raise self.error(number, "line is not a JSON object")
        for key in _TEXTS & line.keys():
            if not isinstance(line[key], str):
                raise self.error(number, f"'{key}' must be text, not {describe_value(line[key])}")
        return line

    def add(self, number: int, line: Line) -> None:
        """Add a line, or remove the lines that it undoes."""
        count = line.get("undo")
        if count is not None:
            self._undo(number, count)
            return
        if "at" in line:
            self.answered.append(len(self.lines))
        self.lines.append((number, line))

    def _undo(self, number: int, count: object) -> None:
        """Remove answers, in time that grows with what is removed."""
        total = len(self.answered)
        if type(count) is not int or not 1 <= count <= total:
            raise self.error(number, f"must undo between 1 and {total} answers, not {str(count)[:40]}")
        del self.lines[_start_of_log(self.lines, self.answered[-count]) :]
        del self.answered[-count:]


def undo(lines: list[tuple[int, Line]], count: int) -> None:
    """Remove the last `count` answers, and all lines after them.

    Log entries directly before that answer are removed too, because they will be logged again.
    """
    places = [at for at, (_, each) in enumerate(lines) if "at" in each]
    del lines[_start_of_log(lines, places[-count]) :]


def _start_of_log(lines: list[tuple[int, Line]], at: int) -> int:
    """Return the first index of the log entries before an index."""
    while at and "told" in lines[at - 1][1]:
        at -= 1
    return at


def parse_transcript(file: str, text: str) -> Transcript:
    """Parse a transcript. Raises CardgenError with the first invalid line."""
    reader = _TranscriptReader(file)
    if text.count("\n") > MAX_LINES:
        raise reader.error(MAX_LINES + 1, f"transcript has more than {MAX_LINES:,} lines")
    rows = text.split("\n")
    torn = bool(rows.pop())
    if not rows:
        raise reader.error(1, "file is empty" if not torn else "first line is incomplete")
    header = _parse_header(reader, reader.parse(1, rows[0]))
    for number, row in enumerate(rows[1:], 2):
        reader.add(number, reader.parse(number, row))
    finished = bool(reader.lines) and "outcome" in reader.lines[-1][1]
    return Transcript(file, header, tuple(reader.lines), finished, torn)


def _parse_header(reader: _TranscriptReader, line: Line) -> Header:
    if line.get("transcript") != FORMAT:
        if "transcript" not in line:
            raise reader.error(1, "file is not a transcript: 'transcript' is missing from its first line")
        message = f"unsupported transcript format {line['transcript']!r} (must be {FORMAT})"
        raise reader.error(1, message, Code.OTHER_VERSION)
    shapes = {"game": str, "trial": str, "situation": dict, "rulings": dict, "policy": dict, "settings": dict}
    line = {"settings": {}, **line}
    for name, shape in shapes.items():
        if name not in line:
            raise reader.error(1, f"'{name}' is missing")
        if not isinstance(line[name], shape):
            must = "text" if shape is str else "a map"
            raise reader.error(1, f"'{name}' must be {must}, not {describe_value(line[name])}")
    _check_switches(reader, line)
    optional: Line = {name: line.get(name) for name in ("seed", "commitment")}
    for name, value in optional.items():
        if not isinstance(value, str | None):
            raise reader.error(1, f"'{name}' must be text or null, not {describe_value(value)}")
    if len(optional["seed"] or "") > LONGEST_SEED:
        length = len(optional["seed"])
        raise reader.error(1, f"'seed' must be at most {LONGEST_SEED} characters long, not {length}")
    version = line.get("version", 1)
    if type(version) is not int:
        raise reader.error(1, f"'version' must be a number, not {describe_value(version)}")
    fields = {name: line[name] for name in shapes}
    return Header(**fields, **optional, version=version)


def _check_switches(reader: _TranscriptReader, line: Line) -> None:
    """Raise CardgenError for a ruling or policy whose setting is not text."""
    for name in ("rulings", "policy"):
        for switch, setting in line[name].items():
            if not isinstance(setting, str):
                raise reader.error(1, f"'{name}' must have text as values, not {describe_value(setting)} ('{switch}')")


def line_error(file: str, number: int, message: str, code: Code = Code.WRONG_LINE, help: str = "") -> CardgenError:  # noqa: A002
    """Return the error for a line of a transcript; `number` is 1-based."""
    return CardgenError(Diagnostic(code, message, Place(file, Span(number, 1, number, 1)), help))
