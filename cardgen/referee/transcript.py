"""Transcripts: strict JSON Lines files from which anyone can replay a trial.

The first line is the header: the trial and its situation, rulings, policy, and seed. Each further line is a question
with its answer, a log entry, or an `undo` of a number of answers. The last line is the outcome. If a trial has hidden
dice, its header has a commitment to their secret, and its last line the secret.

If the players have seats, as in the studio, the line of an answer or an undo also says `by` which side it came. It is a
note of the server that took the answer; the procedure neither knows nor confirms it, and older transcripts lack it.
"""

from __future__ import annotations

import json
import re
import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256, shake_256
from typing import Any, NoReturn, TypeAlias, TypeVar

from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, Span
from cardgen.referee.play import (
    LONGEST_SEED,
    AnswerSource,
    InvalidAnswerError,
    LogEntry,
    SealedAnswer,
    check_answer,
    play,
    seeded_face,
)
from cardgen.referee.requests import (
    Answer,
    Decision,
    MarkedMeasurement,
    Measurement,
    Procedure,
    Question,
    Roll,
    SealedDecision,
    Selection,
    Test,
    is_hidden,
)
from cardgen.validation.validate import describe_value

MAX_DEPTH = 32
_SURROGATE_ESCAPES = ("\\ud", "\\uD")


def parse_strictly(text: str) -> Any:
    """Return the data of a JSON text.

    Raises ValueError with the rest of a sentence about the text: 'is not valid JSON: …'.
    """
    try:
        if text.count("[") + text.count("{") > MAX_DEPTH:
            _check_depth(text)
        data = json.loads(text, object_pairs_hook=_without_duplicates, parse_constant=_refuse_constant)
        if any(escape in text for escape in _SURROGATE_ESCAPES):
            try:
                json.dumps(data, ensure_ascii=False).encode()
            except UnicodeEncodeError:
                raise ValueError("half of a character (a lone surrogate)") from None
    except ValueError as error:
        raise ValueError(f"is not valid JSON: {error}") from None
    return data


def _check_depth(text: str) -> None:
    """Refuse deep nesting before it is parsed, whether or not the text is valid.

    Brackets in strings are skipped.
    """
    depth = 0
    in_string = False
    characters = iter(text)
    for character in characters:
        if character == '"':
            in_string = not in_string
        elif in_string:
            if character == "\\":
                next(characters, None)
        elif character in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                raise ValueError(f"nested more than {MAX_DEPTH} levels deep")
        elif character in "]}":
            depth -= 1


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        raise ValueError(f"key '{counts.most_common(1)[0][0][:40]}' occurs twice")
    return data


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")


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
    not written. `errors` are what checks found wrong in the cards of a match when it began, each on a line.
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
    errors: tuple[str, ...] = ()

    def line(self) -> Line:
        """Return the first line of the transcript."""
        kept = {name: getattr(self, name) for name in ("game", "trial", "situation", "rulings", "policy", "seed")}
        optional = {"commitment": self.commitment, "settings": self.settings, "errors": [*self.errors]}
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
            line = parse_strictly(text)
        except ValueError as error:
            what = "file is not a transcript, and its first line" if number == 1 else "line"
            raise self.error(number, f"{what} {error}") from None
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
            # Remove answers, in time that grows with what is removed.
            total = len(self.answered)
            if type(count) is not int or not 1 <= count <= total:
                raise self.error(number, f"must undo between 1 and {total} answers, not {str(count)[:40]}")
            del self.lines[_start_of_log(self.lines, self.answered[-count]) :]
            del self.answered[-count:]
            return
        if "at" in line:
            self.answered.append(len(self.lines))
        self.lines.append((number, line))


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
    for name in ("rulings", "policy"):
        for switch, setting in line[name].items():
            if not isinstance(setting, str):
                raise reader.error(1, f"'{name}' must have text as values, not {describe_value(setting)} ('{switch}')")
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
    errors = line.get("errors", [])
    if not isinstance(errors, list) or not all(isinstance(each, str) for each in errors):
        raise reader.error(1, f"'errors' must be a list of texts, not {describe_value(errors)}")
    return Header(**fields, **optional, version=version, errors=tuple(errors))


def line_error(file: str, number: int, message: str, code: Code = Code.WRONG_LINE, help: str = "") -> CardgenError:  # noqa: A002
    """Return the error for a line of a transcript; `number` is 1-based."""
    return CardgenError(Diagnostic(code, message, Place(file, Span(number, 1, number, 1)), help))


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
        self.questions += 1
        return reply  # type: ignore[no-any-return]

    def invalid_answer(self, error: InvalidAnswerError) -> Exception:
        """Return the error for the answer of the current line."""
        return line_error(self._file, self._number, f"invalid answer: {error}")

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


class MissingSecretError(LookupError):
    """A hidden die or sealed decision without the secret that it needs."""


_SECRET = re.compile("[0-9a-f]{64}")
_NUMBER_BYTES = 8


def new_secret() -> str:
    """Return an unpredictable secret: 64 hexadecimal digits."""
    return secrets.token_hex(32)


def is_secret(text: object) -> bool:
    """Return whether a text has the form of a secret."""
    return isinstance(text, str) and bool(_SECRET.fullmatch(text))


def commitment(secret: str) -> str:
    """Return the SHA-256 hash of a secret's digits."""
    return sha256(secret.encode()).hexdigest()


def seal(secret: str, path: str, question: SealedDecision, option: str) -> str:
    """Return the sealed text of an option: a random number, and the masked place of the option."""
    number = secrets.token_hex(_NUMBER_BYTES)
    return f"{number}{(question.options.index(option) + _mask(secret, path, number)) % 256:02x}"


def unseal(secret: str, path: str, question: SealedDecision, text: str) -> str:
    """Return the option of a sealed text. Raises InvalidAnswerError if it opens to none."""
    number, masked = text[:-2], int(text[-2:], 16)
    place = (masked - _mask(secret, path, number)) % 256
    if place >= len(question.options):
        raise InvalidAnswerError(f"{question.what}: sealed answer does not open to an option")
    return question.options[place]


def _mask(secret: str, path: str, number: str) -> int:
    return shake_256(f"seal {secret} {number} {path}".encode()).digest(1)[0]


def with_secrets(answer: AnswerSource, secret: str | None) -> AnswerSource:
    """Return a source that derives hidden dice from the secret, and opens sealed answers with it.

    It raises MissingSecretError for these if the secret is None, and InvalidAnswerError for text that does not open to
    an option.
    """

    def answer_or_derive(path: str, question: Question) -> Answer | SealedAnswer:
        if not (isinstance(question, SealedDecision) or is_hidden(question)):
            return answer(path, question)
        if secret is None:
            raise MissingSecretError(question.what)
        if isinstance(question, SealedDecision):
            text = str(answer(path, question))
            return SealedAnswer(text, unseal(secret, path, question, text))
        return seeded_face(secret, path, question.sides)

    return answer_or_derive
