"""Matches: their save files, and how they begin and are resumed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import BinaryIO

from cardgen.codes import Code
from cardgen.diagnostic import CardgenError, Diagnostic, Place, format_headline
from cardgen.pipeline.check.run import errors_in_play
from cardgen.pipeline.load.card_lookup import CardLookup
from cardgen.pipeline.referee import secret_file
from cardgen.pipeline.referee.save_file import MAX_TRANSCRIPT_BYTES, append_line, drop_torn_line, unwritable
from cardgen.pipeline.referee.session import load_transcript, secret_for, trial_from_transcript
from cardgen.pipeline.referee.setup import TrialRequest, TrialRun, load_referee, prepare_trial, trial_parameters
from cardgen.project.files import display_path
from cardgen.quantity import quantity
from cardgen.referee.play import seed_or_new
from cardgen.referee.transcript import Line, commitment, dump, line_error
from cardgen.runtime import regular_file

# The errors that are told before a match.
MOST_ERRORS = 10


@dataclass(slots=True)
class Match:
    """A match in progress: trial, save file, and lines so far.

    The seed is None for real dice, and the secret for a match without hidden dice. `errors` are what checks find wrong
    in the cards of a new match, each on a line.
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
    header = replace(trial_run.header, seed=chosen_seed, commitment=secret and commitment(secret))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(path.parent, error, is_new=True) from None
    try:
        with path.open("xb") as file:
            _write_first_line(file, path, dump(header.line()))
    except FileExistsError:
        message = "file already contains a match; not overwritten"
        hint = f"resume it with --resume {display_path(path)}, or choose another file with --save"
        raise CardgenError(Diagnostic(Code.NOT_POSSIBLE, message, Place(display_path(path)), hint)) from None
    except OSError as error:
        raise unwritable(path, error, is_new=True) from None
    if secret:
        _create_secret_file(path, secret)
    return Match(trial_run, path, chosen_seed, secret, errors=errors)


def _errors(request: TrialRequest, rulings: Mapping[str, str]) -> Iterator[str]:
    """Yield what checks find wrong in the cards that a request names, up to a number."""
    lookup = CardLookup(load_referee(request.game, request.folder)[0], request.paths, request.folder)
    options = trial_parameters(request.trial, request.game, request.folder)
    cards = [lookup.find(value, options[name][0].kinds) for name, value in request.values.items()
             if isinstance(value, str) and options[name][0].sort == "card"]  # fmt: skip
    found = errors_in_play(cards, request.paths, request.folder, rulings)
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
