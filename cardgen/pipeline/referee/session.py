"""Sessions of trials: seeded, interactive, or replayed, with transcripts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

from cardgen.codes import Code
from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.pipeline.load.deck import require_game
from cardgen.pipeline.referee import secret_file
from cardgen.pipeline.referee.answer_parser import option_lines, parse_answer
from cardgen.pipeline.referee.save_file import MAX_TRANSCRIPT_BYTES
from cardgen.pipeline.referee.setup import (
    TrialRun,
    not_possible_error,
    parse_switches,
    prepare_situation,
    resolve_switches,
    with_referee,
)
from cardgen.project.files import display_path
from cardgen.referee.play import (
    AnswerSource,
    InvalidAnswerError,
    LogEntry,
    check_answer,
    entry_line,
    new_seed,
    play,
    question_text,
    seed_or_new,
    seeded_answers,
)
from cardgen.referee.requests import Answer, Question
from cardgen.referee.transcript import (
    Header,
    Transcript,
    VerificationResult,
    commitment,
    new_secret,
    parse_transcript,
    recorded_answers,
    transcript_text,
    verify,
    with_secrets,
)
from cardgen.referee.trial import RulesConfig
from cardgen.runtime import atomic_write, regular_file
from cardgen.runtime.standard_io import DASH, read_input

# Shows a prompt to the player, and returns the input.
Prompt: TypeAlias = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class PlayedTrial:
    """A played trial: its events, its outcome in words, and its transcript."""

    events: tuple[LogEntry, ...]
    outcome: tuple[str, ...]
    seed: str | None
    transcript: str

    @property
    def lines(self) -> tuple[str, ...]:
        """The events and the outcome, for a terminal."""
        return (*map(entry_line, self.events), *self.outcome)


def roll(trial_run: TrialRun, seed: str | None) -> PlayedTrial:
    """Roll a trial.

    Raises CardgenError if it asks a question that only players can answer.
    """
    chosen_seed = seed_or_new(seed)
    return _play(trial_run, replace(trial_run.header, seed=chosen_seed), seeded_answers(chosen_seed))


def secret_for(trial_run: TrialRun) -> str | None:
    """Return a new secret if the trial has hidden dice."""
    return new_secret() if trial_run.prepared.has_secrets else None


def ask(trial_run: TrialRun, prompt: Prompt, tell: Callable[[str], None]) -> PlayedTrial:
    """Play a trial with the dice and decisions of players.

    Raises CardgenError for a trial with secrets, which only a match tracker can show to one side.
    """
    if trial_run.prepared.has_secrets:
        message = "this trial deals secret hands, which nobody would see"
        raise CardgenError(
            Diagnostic(Code.NOT_POSSIBLE, message, Place(trial_run.header.trial), "use 'cardgen battle'")
        )

    def answer(path: str, question: Question) -> Answer:
        return ask_question(question, prompt, tell)

    return _play(trial_run, trial_run.header, answer)


def ask_question(question: Question, prompt: Prompt, tell: Callable[[str], None]) -> Answer:
    """Ask a question until the player gives a valid answer."""
    for line in option_lines(question):
        tell(line)
    while True:
        text = prompt(question_text(question))
        try:
            parsed = parse_answer(question, text)
            check_answer(question, parsed)
        except InvalidAnswerError as error:
            tell(f"  {error}")
        else:
            return parsed


def _play(trial_run: TrialRun, header: Header, answer: AnswerSource, secret: str | None = None) -> PlayedTrial:
    events: list[LogEntry] = []
    header = replace(header, commitment=secret and commitment(secret))
    try:
        with trial_run.settings_in_force():
            outcome = play(trial_run.prepared.start(), with_secrets(answer, secret), events.append)
    except (LookupError, InvalidAnswerError) as error:
        message = f"a player must answer this: {error}"
        raise CardgenError(Diagnostic(Code.NO_ANSWER, message, Place(header.trial), "use --ask")) from None
    text = transcript_text(header, events, trial_run.prepared.outcome_data(outcome), secret)
    return PlayedTrial(tuple(events), trial_run.prepared.outcome_lines(outcome), header.seed, text)


def save_transcript(result: PlayedTrial, trial: str, output: Path | None) -> Path:
    """Write a transcript (default folder: output), and return its path."""
    path = output or Path("output") / f"{trial}-{_file_name(result.seed or new_seed())}.jsonl"
    atomic_write.write(path, result.transcript.encode())
    return path


def _file_name(seed: str) -> str:
    return "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in seed)[:40]


def load_transcript(path: Path) -> Transcript:
    """Read a transcript. Raises CardgenError for an unreadable or invalid file."""
    name = display_path(path)
    try:
        content = read_input(MAX_TRANSCRIPT_BYTES) if path == DASH else regular_file.read(path, MAX_TRANSCRIPT_BYTES)
        text = content.decode()
    except regular_file.FileTooLargeError:
        message = f"the file is larger than {MAX_TRANSCRIPT_BYTES // 2**20} MiB"
        raise CardgenError(Diagnostic(Code.BROKEN_TRANSCRIPT, message, Place(name))) from None
    except OSError as error:
        message = f"file cannot be read: {error.strerror or error}"
        raise CardgenError(Diagnostic(Code.BROKEN_TRANSCRIPT, message, Place(name))) from None
    except UnicodeDecodeError as error:
        message = f"file is not valid UTF-8: invalid byte at offset {error.start}"
        raise CardgenError(Diagnostic(Code.BROKEN_TRANSCRIPT, message, Place(name))) from None
    return parse_transcript(name, text)


def trial_from_transcript(transcript: Transcript, overrides: tuple[str, ...] = ()) -> TrialRun:
    """Prepare the trial of a transcript from its first line.

    `overrides` are rulings. Raises CardgenError if the first line was edited, or is from another game or version.
    """
    header, place = transcript.header, Place(transcript.file)
    rules, game_trials = with_referee(require_game(header.game, place))
    if header.trial not in game_trials.trials:
        message = f"unknown trial '{header.trial}' in {rules.name}"
        raise CardgenError(Diagnostic(Code.BROKEN_TRANSCRIPT, message, place))
    if header.version != game_trials.trials[header.trial].version:
        message = f"'{header.trial}' was written by another version of cardgen, which asked other questions"
        advice = "use the version that wrote it, or start again"
        raise CardgenError(Diagnostic(Code.OTHER_VERSION, message, place, advice))
    config = _config_of_transcript(transcript, rules.rulings, game_trials.policies, overrides)
    return prepare_situation(rules, game_trials, header.trial, header.situation, config, header.settings)


def _config_of_transcript(
    transcript: Transcript, rulings: Any, policies: Any, overrides: tuple[str, ...]
) -> RulesConfig:
    header = transcript.header
    ids = {each.id for each in rulings}
    if set(header.rulings) != ids:
        differing = ", ".join(sorted(set(header.rulings) ^ ids))
        message = f"transcript was written by another version with other rulings: {differing}"
        raise CardgenError(Diagnostic(Code.OTHER_VERSION, message, Place(transcript.file)))
    resolve_switches(rulings, header.rulings, transcript.file)
    settings = {**header.rulings, **parse_switches(overrides, "--ruling")}
    return RulesConfig(
        resolve_switches(rulings, settings, "--ruling"), resolve_switches(policies, header.policy, transcript.file)
    )


def verify_transcript(path: Path) -> VerificationResult:
    """Recompute every die, modifier, and option of a transcript.

    Raises CardgenError with the first wrong line.
    """
    transcript = load_transcript(path)
    trial_run = trial_from_transcript(transcript)
    secret = secret_file.secret_of(path, transcript)
    with trial_run.settings_in_force():
        return verify(transcript, trial_run.prepared.start(), trial_run.prepared.outcome_data, secret)


def replay(path: Path, rulings: tuple[str, ...]) -> PlayedTrial:
    """Replay a transcript with other rulings and the same dice."""
    transcript = load_transcript(path)
    trial_run = trial_from_transcript(transcript, rulings)
    header = replace(trial_run.header, seed=transcript.header.seed)
    if transcript.header.commitment and not transcript.is_finished:
        raise not_possible_error(transcript.file, "this match has secrets; replay it after its end")
    secret = secret_file.secret_of(path, transcript)
    try:
        return _play(trial_run, header, recorded_answers(transcript), secret)
    except CardgenError as error:
        problem = error.diagnostics[0].message
        raise not_possible_error(
            transcript.file, f"the transcript lacks an answer with this ruling; {problem}"
        ) from None
