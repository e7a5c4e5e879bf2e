"""Playing a case once: with dice of a seed, with the players' own, or as it was played before under other rulings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.export import files
from cardgen.pipeline.refereeing import Case, court, impossible, pairs, prepare, settings_of
from cardgen.project.paths import shown
from cardgen.referee import narration
from cardgen.referee.codes import Code
from cardgen.referee.playing import Answer, ImpossibleError, Told, check, play, seeded
from cardgen.referee.requests import Choice, Question, Roll, Test
from cardgen.referee.seed import LONGEST_SEED, new_seed
from cardgen.referee.transcript import Header, Transcript, read, whole
from cardgen.referee.verification import Verdict, known_dice, verify
from cardgen.rulesets.adjudication import Terms

# Shows a text to the player, and returns the line that is typed.
Prompt: TypeAlias = Callable[[str], str]
LARGEST_FILE = 100_000_000


@dataclass(frozen=True, slots=True)
class Played:
    """What was played: every event, the outcome in sentences, and the transcript's text."""

    told: tuple[Told, ...]
    outcome: tuple[str, ...]
    seed: str | None
    transcript: str

    @property
    def lines(self) -> tuple[str, ...]:
        """What happened, for a terminal."""
        return (*map(narration.line, self.told), *self.outcome)


def roll(case: Case, seed: str | None) -> Played:
    """Roll a case. Raises CardgenError where only the table knows an answer."""
    given = seed_of(seed)
    return _played(case, replace(case.header, seed=given), seeded(given))


def seed_of(seed: str | None) -> str:
    """The seed given, or a new one. Raises CardgenError for one that is far too long."""
    if seed is not None and len(seed) > LONGEST_SEED:
        message = f"a seed has {LONGEST_SEED} characters at most, not {len(seed)}"
        raise CardgenError(Diagnostic(Code.NOT_POSSIBLE, message, Place("--seed")))
    return seed or new_seed()


def ask(case: Case, prompt: Prompt, tell: Callable[[str], None]) -> Played:
    """Let the players roll real dice and decide."""

    def answer(path: str, question: Question) -> int | str:
        return asked(question, prompt, tell)

    return _played(case, case.header, answer)


def asked(question: Question, prompt: Prompt, tell: Callable[[str], None]) -> int | str:
    """The answer of a player; what cannot be is said, and asked again."""
    options = question.options if isinstance(question, Choice) else ()
    for number, option in enumerate(options, 1):
        tell(f"  {number}. {option}")
    while True:
        text = prompt(narration.asked(question))
        try:
            given = understood(question, text)
            check(question, given)
        except ImpossibleError as error:
            tell(f"  {error}")
        else:
            return given


def understood(question: Question, text: str) -> int | str:
    """What a typed line means: a number, or an option by its number, its words, or how they begin."""
    text = text.strip()
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None
    if not isinstance(question, Choice):
        if number is None:
            raise ImpossibleError(f"type {'what the die shows' if isinstance(question, Test | Roll) else 'a number'}")
        return number
    if number is not None and 1 <= number <= len(question.options):
        return question.options[number - 1]
    folded = text.casefold()
    begun = [option for option in question.options if option.casefold().startswith(folded)] if text else []
    exact = [option for option in begun if option.casefold() == folded]
    if len(exact or begun) == 1:
        return (exact or begun)[0]
    raise ImpossibleError("type the number of one of them")


def _played(case: Case, header: Header, answer: Answer) -> Played:
    told: list[Told] = []
    try:
        outcome = play(case.matter.start(), answer, told.append)
    except LookupError as error:
        message = f"this asks for what only the players know: {error}"
        raise CardgenError(Diagnostic(Code.NO_ANSWER, message, Place(header.trial))) from None
    text = whole(header, told, case.matter.kept(outcome))
    return Played(tuple(told), case.matter.told(outcome), header.seed, text)


def keep(played: Played, trial: str, output: Path | None) -> Path:
    """Write a transcript, by default into the folder 'output', and return its path."""
    path = output or Path("output") / f"{trial}-{_file_name(played.seed or new_seed())}.jsonl"
    files.write(path, played.transcript.encode())
    return path


def _file_name(seed: str) -> str:
    return "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in seed)[:40]


def load_transcript(path: Path) -> Transcript:
    """The transcript in a file. Raises CardgenError when it cannot be read, or is none."""
    name = shown(path)
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise CardgenError(
                Diagnostic(Code.BROKEN_TRANSCRIPT, "the file is too large for a transcript", Place(name))
            )
        text = path.read_bytes().decode()
    except OSError as error:
        message = f"it cannot be read: {error.strerror or error}"
        raise CardgenError(Diagnostic(Code.BROKEN_TRANSCRIPT, message, Place(name))) from None
    except UnicodeDecodeError as error:
        message = f"it is no text in UTF-8: byte {error.start} is wrong"
        raise CardgenError(Diagnostic(Code.BROKEN_TRANSCRIPT, message, Place(name))) from None
    return read(name, text)


def retry(transcript: Transcript, rulings: tuple[str, ...] = ()) -> Case:
    """The case of a transcript, from its first line alone; `rulings` are turned over.

    Raises CardgenError for what is no case: another game's or version's, or edited.
    """
    header, place = transcript.header, Place(transcript.file)
    rules, adjudication = court(header.game)
    if header.trial not in adjudication.trials:
        message = f"'{header.trial}' is nothing that the referee of {rules.name} knows"
        raise CardgenError(Diagnostic(Code.BROKEN_TRANSCRIPT, message, place))
    terms = _terms(transcript, rules.rulings, adjudication.policies, rulings)
    return prepare(rules, adjudication, header.trial, header.situation, terms)


def _terms(transcript: Transcript, rulings: Any, policies: Any, turned: tuple[str, ...]) -> Terms:
    header = transcript.header
    known = {each.id for each in rulings}
    if set(header.rulings) != known:
        odd = ", ".join(sorted(set(header.rulings) ^ known))
        message = f"it was played under other rulings than this program knows: {odd}"
        raise CardgenError(Diagnostic(Code.OTHER_VERSION, message, Place(transcript.file)))
    every = {**header.rulings, **pairs(turned, "--ruling")}
    return Terms(settings_of(rulings, every, "--ruling"), settings_of(policies, header.policy, transcript.file))


def verified(path: Path) -> Verdict:
    """Recompute every die, modifier and option of a transcript. Raises CardgenError with the first wrong line."""
    transcript = load_transcript(path)
    case = retry(transcript)
    return verify(transcript, case.matter.start(), case.matter.kept)


def replayed(path: Path, rulings: tuple[str, ...]) -> Played:
    """Play a transcript again under other rulings, with the same dice."""
    transcript = load_transcript(path)
    case = retry(transcript, rulings)
    try:
        return _played(case, replace(case.header, seed=transcript.header.seed), known_dice(transcript))
    except CardgenError as error:
        problem = error.diagnostics[0].message
        raise impossible(transcript.file, f"under this ruling the transcript has no answer left; {problem}") from None
