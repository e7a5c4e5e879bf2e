"""Sessions of trials: prepared from cards, rulings, and policy; seeded, interactive, or replayed, with transcripts."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

from pydantic import ValidationError

from cardgen.deck.card_lookup import CardLookup, require_card_data
from cardgen.deck.deck import game_of, load_trials, read_game_settings, require_game, rulings_of
from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, UnknownName, did_you_mean, stop_on_errors
from cardgen.matches import saves
from cardgen.matches.saves import MAX_TRANSCRIPT_BYTES
from cardgen.project.files import display_path, require_named_inside
from cardgen.project.project import Project
from cardgen.referee.odds import TooManyPathsError
from cardgen.referee.parameters import (
    GIVEN,
    POLICY,
    RULING,
    Parameter,
    Ruling,
    check_values,
    parameters,
    settings_in_force,
    switch_help,
)
from cardgen.referee.play import (
    AnswerSource,
    InvalidAnswerError,
    LogEntry,
    check_new_answer,
    entry_line,
    new_seed,
    play,
    question_text,
    seed_or_new,
    seeded_answers,
)
from cardgen.referee.requests import (
    Answer,
    Decision,
    MarkedMeasurement,
    Question,
    Roll,
    SealedDecision,
    Selection,
    Test,
)
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
from cardgen.referee.trial import GameTrials, OddsTable, PreparedTrial, RulesConfig, Trial
from cardgen.rulesets.game_settings import plain_settings, settings_of, settled
from cardgen.rulesets.ruleset import Ruleset
from cardgen.runtime import atomic_write, regular_file
from cardgen.runtime.regular_file import DASH, read_input
from cardgen.runtime.workspace import Workspace


@dataclass(frozen=True, slots=True)
class TrialRequest:
    """A request to run a trial.

    It has the values of its situation, with cards by name, and switches. `rulings` and `policy` are texts such as
    'elimination=vp'. `paths` are card files, by default the project's. `game` is by default the game of the project.
    `workspace` is that of the project, by default of the current folder. `needed` are the absolute paths of card files
    that must have no errors, by default all.
    """

    trial: str
    values: Mapping[str, Any]
    rulings: tuple[str, ...] = ()
    policy: tuple[str, ...] = ()
    paths: tuple[Path, ...] = ()
    game: str | None = None
    workspace: Workspace | None = None
    needed: Collection[Path] | None = None


@dataclass(frozen=True, slots=True)
class TrialRun:
    """A prepared trial, with the header of its transcript, without a seed."""

    prepared: PreparedTrial
    header: Header


def load_referee(game: str | None = None, workspace: Workspace | None = None) -> tuple[Ruleset, GameTrials]:
    """Return the game and its trials. Raises CardgenError for an unknown game, or without a referee."""
    return with_referee(game_of(Project.open(workspace), game))


def with_referee(rules: Ruleset) -> tuple[Ruleset, GameTrials]:
    """Return a game and its trials. Raises CardgenError without a referee."""
    if not rules.trials:
        raise CardgenError(Diagnostic(Code.NO_REFEREE, f"{rules.name} has no referee", Place(rules.id)))
    return rules, load_trials(rules)


def trial_parameters(
    trial: str, game: str | None = None, workspace: Workspace | None = None
) -> dict[str, tuple[Parameter, bool]]:
    """Return a trial's parameters by name, and whether they are required, except those that are always given.

    Raises CardgenError for an unknown trial.
    """
    every = parameters(_require_trial(trial, *load_referee(game, workspace)).situation)
    return {name: each for name, each in every.items() if each[0].sort not in GIVEN}


def trial_summaries(game: str | None = None, workspace: Workspace | None = None) -> dict[str, str]:
    """Return the trials of the game by name, with their descriptions."""
    trials = load_referee(game, workspace)[1].trials
    return {name: inspect.getdoc(trial.situation) or "" for name, trial in trials.items()}


def _require_trial(name: str, rules: Ruleset, game_trials: GameTrials) -> Trial:
    if name not in game_trials.trials:
        message = f"unknown trial '{name}' in {rules.name}{did_you_mean(name, game_trials.trials)}"
        advice = f"use one of {', '.join(game_trials.trials)}, or another game with --game"
        raise CardgenError(Diagnostic(Code.NO_REFEREE, message, Place(rules.id), advice))
    return game_trials.trials[name]


def prepare_trial(request: TrialRequest) -> TrialRun:
    """Prepare a trial.

    Raises CardgenError for an unknown card, weapon, or switch, and for an illegal situation.
    """
    project = Project.open(request.workspace)
    rules, game_trials = with_referee(game_of(project, request.game))
    trial = _require_trial(request.trial, rules, game_trials)
    config = resolve_config(rules, game_trials, request.rulings, request.policy, project)
    parameters_by_name = parameters(trial.situation)
    lookup = CardLookup(rules, request.paths, project, needed=request.needed)
    given = {name: True for name, (parameter, _) in parameters_by_name.items() if parameter.sort in GIVEN}
    values = {
        name: lookup.parameter_value(value, parameters_by_name[name][0])
        for name, value in {**request.values, **given}.items()
        if value is not None
    }
    settings = plain_settings(rules.settings, read_game_settings(project))
    return prepare_situation(rules, game_trials, request.trial, values, config, settings)


def prepare_situation(
    rules: Ruleset,
    game_trials: GameTrials,
    trial: str,
    values: Mapping[str, Any],
    config: RulesConfig,
    settings: Mapping[str, Any] | None = None,
) -> TrialRun:
    """Prepare a trial from the values of its situation.

    `settings` are the settings of the game in the project, as plain data. Raises CardgenError for invalid values and
    illegal situations.
    """
    problem = check_values(_require_trial(trial, rules, game_trials).situation, values)
    if problem:
        raise not_possible_error(trial, problem)
    try:
        block = settings_of(rules.settings, settings or {})
        situation = game_trials.trials[trial].situation(**settled(dict(values), rules.settings, block))
        prepared, data = game_trials.trials[trial].set_up(situation, config), plain_settings(rules.settings, block)
    except ValidationError as error:
        raise not_possible_error(trial, f"invalid card: {error.errors()[0]['msg']}") from None
    except (KeyError, TypeError, AttributeError) as error:
        raise not_possible_error(trial, f"malformed card: {error}") from None
    except ValueError as error:
        raise not_possible_error(trial, str(error)) from None
    version = game_trials.trials[trial].version
    header = Header(
        rules.id, trial, asdict(situation), config.rulings, config.policy, None, settings=data, version=version
    )
    return TrialRun(prepared, header)


def not_possible_error(place: str, message: str, advice: str = "") -> CardgenError:
    """Return the error for something that the rules do not allow."""
    return CardgenError(Diagnostic(Code.NOT_POSSIBLE, message, Place(place), advice))


def resolve_config(
    rules: Ruleset,
    game_trials: GameTrials,
    rulings: Iterable[str],
    policy: Iterable[str],
    project: Project | None = None,
) -> RulesConfig:
    """Return the project's rulings with overrides, and the policy.

    The project's rulings apply only if the game is the project's. Raises CardgenError for an unknown switch.
    """
    project = project or Project.find()
    overrides = {**rulings_of_project(project, rules), **parse_switches(rulings, "--ruling")}
    return RulesConfig(
        resolve_switches(rules.rulings, overrides, "--ruling", others=game_trials.policies),
        resolve_switches(
            game_trials.policies, parse_switches(policy, "--policy"), "--policy", POLICY, others=rules.rulings
        ),
    )


def rulings_of_project(project: Project, rules: Ruleset) -> dict[str, str]:
    """Return the settings of a game's rulings in a project. Raises CardgenError if its settings name unknown ones."""
    settings, unknown = rulings_of(project, rules)
    policies = load_trials(rules).policies if unknown and rules.trials else ()
    stop_on_errors(_unknown(each, project.place(("rulings", *each.path)), policies) for each in unknown)
    return settings


def _unknown(problem: UnknownName, place: Place, others: Sequence[Ruling] = ()) -> Diagnostic:
    return Diagnostic(Code.UNKNOWN_SWITCH, str(problem), place, switch_help(problem, others))


def parse_switches(texts: Iterable[str], place: str) -> dict[str, str]:
    """Parse switches such as 'elimination=vp'. Raises CardgenError for malformed ones."""
    switches = {}
    for text in texts:
        name, equals, setting = text.partition("=")
        if not equals:
            message = f"'{text}' is not a valid setting"
            raise CardgenError(Diagnostic(Code.UNKNOWN_SWITCH, message, Place(place), "write NAME=SETTING"))
        switches[name.strip()] = setting.strip()
    return switches


def resolve_switches(
    switches: Sequence[Ruling],
    overrides: Mapping[str, str],
    place: str,
    what: str = RULING,
    others: Sequence[Ruling] = (),
) -> dict[str, str]:
    """Return the settings of all switches. Raises CardgenError for unknown ones.

    `what` says what they are, and `others` are the policies if they are rulings, or the rulings.
    """
    settings, unknown = settings_in_force(switches, overrides, what)
    stop_on_errors(_unknown(each, Place(place), others) for each in unknown)
    return settings


@contextmanager
def located_outcomes(trial: str, advice: str) -> Iterator[None]:
    """Raise CardgenError for too many outcomes, with the trial, the names of fighters, and advice."""
    try:
        yield
    except TooManyPathsError as error:
        odds = "the odds of '{}' against '{}'".format(*error.fighters) if error.fighters else "exact odds"
        message = f"too many outcomes to compute {odds}"
        raise CardgenError(Diagnostic(Code.TOO_MANY_OUTCOMES, message, Place(trial), str(error) or advice)) from None


def exact_odds(trial_run: TrialRun) -> tuple[OddsTable, ...]:
    """Compute the exact odds. Raises CardgenError if that is impossible."""
    if trial_run.prepared.odds is None:
        message, advice = "exact odds are not available for this trial", "run it without --odds and --plot"
        raise not_possible_error(trial_run.header.trial, message, advice)
    with located_outcomes(trial_run.header.trial, "roll it instead"):
        return trial_run.prepared.odds()


def ruling_sensitivity(request: TrialRequest) -> list[tuple[str, str, tuple[OddsTable, ...]]]:
    """Compute the odds under each other setting of each ruling.

    Each item has ruling, setting, and odds. Settings that change nothing are left out.
    """
    rules, game_trials = load_referee(request.game, request.workspace)
    trial_run = prepare_trial(request)
    before = exact_odds(trial_run)
    changes = []
    for ruling in rules.rulings:
        for setting in ruling.settings:
            if setting == trial_run.header.rulings[ruling.id]:
                continue
            config = RulesConfig({**trial_run.header.rulings, ruling.id: setting}, trial_run.header.policy)
            header = trial_run.header
            after = exact_odds(
                prepare_situation(rules, game_trials, request.trial, header.situation, config, header.settings)
            )
            if after != before:
                changes.append((ruling.id, setting, after))
    return changes


def non_default_switches(settings: Mapping[str, str], switches: Sequence[Ruling]) -> list[str]:
    """Return the switches with non-default settings, as 'NAME=SETTING'."""
    return [f"{each.id}={settings[each.id]}" for each in switches if settings[each.id] != each.default]


_MAX_DIGITS = 9
_RANGE = re.compile(r"([0-9]+)-([0-9]+)")
_TIMES = re.compile(r"([0-9]+)x([0-9]+)")
MAX_NUMBERS = 100
_MARKED = re.compile(r"([0-9]+)[ ,]*(.*)")


def option_lines(question: Question) -> list[str]:
    """Return the numbered options of a question, one a line."""
    options = question.options if isinstance(question, Decision | SealedDecision | Selection) else ()
    if isinstance(question, Roll):
        options = tuple(dict.fromkeys(question.faces))
    return [f"  {number}. {option}" for number, option in enumerate(options, 1)]


def parse_answer(question: Question, text: str) -> Answer:
    """Parse the answer to a question. Raises InvalidAnswerError, with what to enter, for anything else."""
    text = text.strip()
    match question:
        case Decision() | SealedDecision():
            return _parse_option(question.options, text, "enter the number of an option")
        case Selection():
            return _parse_selection(question.options, text)
        case MarkedMeasurement():
            return _parse_marked(question.marks, text)
        case Roll(faces=(_, *_)):
            names = tuple(dict.fromkeys(question.faces))
            return question.faces.index(_parse_option(names, text, f"enter {' or '.join(names)}")) + 1
    number = _parse_number(text)
    if number is None:
        raise InvalidAnswerError(
            f"enter {'the result of the die' if isinstance(question, Test | Roll) else 'a number'}"
        )
    return number


def _parse_number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS else None


def _parse_option(options: tuple[str, ...], text: str, advice: str) -> str:
    """Parse an option by its number, its text, or the beginning of its text."""
    number = _parse_number(text)
    if number is not None and 1 <= number <= len(options):
        return options[number - 1]
    folded = text.casefold()
    matches = [option for option in options if option.casefold().startswith(folded)] if text else []
    exact = [option for option in matches if option.casefold() == folded]
    if len(exact or matches) == 1:
        return (exact or matches)[0]
    raise InvalidAnswerError(advice)


def _parse_selection(options: tuple[str, ...], text: str) -> tuple[str, ...]:
    """Parse '1 3-5', 'all', or nothing at all."""
    folded = text.casefold()
    if folded in ("", "none"):
        return ()
    if folded == "all":
        return options
    advice = "enter the numbers of options, such as '1 3-5', or nothing"
    if folded in (option.casefold() for option in options):
        return (_parse_option(options, text, advice),)
    return tuple(_parse_option(options, word, advice) for part in re.split(r"[ ,]+", text) for word in _numbers(part))


def _numbers(part: str) -> list[str]:
    """Return the numbers of a range such as '3-5', or of '2x4' for four times 2; anything else stays as it is."""
    times = _TIMES.fullmatch(part)
    if times is not None and len(part) <= _MAX_DIGITS and int(times[2]) <= MAX_NUMBERS:
        return [times[1]] * int(times[2])
    match = _RANGE.fullmatch(part)
    if match is None or len(part) > _MAX_DIGITS or int(match[2]) - int(match[1]) > MAX_NUMBERS:
        return [part]
    return [str(number) for number in range(int(match[1]), int(match[2]) + 1)]


def _parse_marked(marks: tuple[str, ...], text: str) -> tuple[int | str, ...]:
    """Parse '12', '12 gap', '12g', or '12 ash elm' for the marks 'Ash Tree' and 'Elm Tree'."""
    advice = f"enter a number, and after it any of {', '.join(marks)}"
    match = _MARKED.fullmatch(text)
    number = _parse_number(match[1]) if match else None
    if match is None or number is None:
        raise InvalidAnswerError(advice)
    given: list[int | str] = [number]
    for word in filter(None, re.split(r"[ ,]+", match[2])):
        mark = _mark_of(marks, word.casefold(), advice)
        if mark != given[-1]:
            given.append(mark)
    return tuple(given)


def _mark_of(marks: tuple[str, ...], word: str, advice: str) -> str:
    """Return the only mark of which a word begins with this one."""
    words = {mark: mark.casefold().split() for mark in marks}
    for matches in (
        [mark for mark in marks if word in words[mark]],
        [mark for mark in marks if any(each.startswith(word) for each in words[mark])],
    ):
        if len(matches) == 1:
            return matches[0]
    raise InvalidAnswerError(advice)


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
            check_new_answer(question, parsed)
        except InvalidAnswerError as error:
            tell(f"  {error}")
        else:
            return parsed


def _play(trial_run: TrialRun, header: Header, answer: AnswerSource, secret: str | None = None) -> PlayedTrial:
    events: list[LogEntry] = []
    header = replace(header, commitment=secret and commitment(secret))
    try:
        outcome = play(trial_run.prepared.start(), with_secrets(answer, secret), events.append)
    except (LookupError, InvalidAnswerError) as error:
        message = f"a player must answer this: {error}"
        raise CardgenError(Diagnostic(Code.NO_ANSWER, message, Place(header.trial), "use --ask")) from None
    text = transcript_text(header, events, trial_run.prepared.outcome_data(outcome), secret)
    return PlayedTrial(tuple(events), trial_run.prepared.outcome_lines(outcome), header.seed, text)


def save_transcript(result: PlayedTrial, trial: str, output: Path | None) -> Path:
    """Write a transcript (default folder: output), and return its path."""
    seed = result.seed or new_seed()
    name = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in seed)[:40]
    path = output or Path("output") / f"{trial}-{name}.jsonl"
    atomic_write.write(path, result.transcript.encode())
    return path


def load_transcript(path: Path, workspace: Workspace | None = None) -> Transcript:
    """Read a transcript. Raises CardgenError for an unreadable or invalid file."""
    name = display_path(path)
    if path != DASH:
        require_named_inside((workspace or Workspace()).root, path, name)
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


def trial_from_transcript(
    transcript: Transcript, overrides: tuple[str, ...] = (), workspace: Workspace | None = None
) -> TrialRun:
    """Prepare the trial of a transcript from its first line.

    `overrides` are rulings. The games of the workspace's project are known besides the installed ones. Raises
    CardgenError if the first line was edited, or is from another game or version.
    """
    header, place = transcript.header, Place(transcript.file)
    rules, game_trials = with_referee(require_game(header.game, (workspace or Workspace()).with_games(), place))
    if header.trial not in game_trials.trials:
        message = f"unknown trial '{header.trial}' in {rules.name}"
        raise CardgenError(Diagnostic(Code.BROKEN_TRANSCRIPT, message, place))
    if header.version != game_trials.trials[header.trial].version:
        message = f"'{header.trial}' was written by another version of cardgen, which asked different questions"
        advice = "use the version that wrote it, or start again"
        raise CardgenError(Diagnostic(Code.OTHER_VERSION, message, place, advice))
    config = _config_of_transcript(transcript, rules.rulings, game_trials.policies, overrides)
    try:
        require_card_data(header.situation, rules, settings_of(rules.settings, header.settings or {}))
    except ValidationError as error:
        raise not_possible_error(header.trial, f"invalid settings: {error.errors()[0]['msg']}") from None
    except ValueError as error:
        raise not_possible_error(header.trial, str(error)) from None
    return prepare_situation(rules, game_trials, header.trial, header.situation, config, header.settings)


def _config_of_transcript(
    transcript: Transcript, rulings: Any, policies: Any, overrides: tuple[str, ...]
) -> RulesConfig:
    header = transcript.header
    ids = {each.id for each in rulings}
    if set(header.rulings) != ids:
        differing = ", ".join(sorted(set(header.rulings) ^ ids))
        message = f"transcript was written by another version with different rulings: {differing}"
        raise CardgenError(Diagnostic(Code.OTHER_VERSION, message, Place(transcript.file)))
    resolve_switches(rulings, header.rulings, transcript.file)
    settings = {**header.rulings, **parse_switches(overrides, "--ruling")}
    return RulesConfig(
        resolve_switches(rulings, settings, "--ruling", others=policies),
        resolve_switches(policies, header.policy, transcript.file, POLICY),
    )


def verify_transcript(path: Path, workspace: Workspace | None = None) -> VerificationResult:
    """Recompute every die, modifier, and option of a transcript.

    Raises CardgenError with the first wrong line.
    """
    transcript = load_transcript(path, workspace)
    trial_run = trial_from_transcript(transcript, workspace=workspace)
    secret = saves.secret_of(path, transcript)
    return verify(transcript, trial_run.prepared.start(), trial_run.prepared.outcome_data, secret)


def replay(path: Path, rulings: tuple[str, ...]) -> PlayedTrial:
    """Replay a transcript with other rulings and the same dice."""
    transcript = load_transcript(path)
    trial_run = trial_from_transcript(transcript, rulings)
    header = replace(trial_run.header, seed=transcript.header.seed)
    if transcript.header.commitment and not transcript.is_finished:
        raise not_possible_error(transcript.file, "this battle has secrets; replay it after its end")
    secret = saves.secret_of(path, transcript)
    try:
        return _play(trial_run, header, recorded_answers(transcript), secret)
    except CardgenError as error:
        problem = error.diagnostics[0].message
        raise not_possible_error(
            transcript.file, f"the transcript lacks an answer with this ruling; {problem}"
        ) from None
