"""Preparation of trials: game, cards, rulings, and policy."""

from __future__ import annotations

import inspect
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from cardgen.deck.card_lookup import CardLookup
from cardgen.deck.deck import game_of, load_trials, read_game_settings
from cardgen.diagnostic import CardgenError, Code, Diagnostic, Place, UnknownName, did_you_mean, stop_on_errors
from cardgen.project import Project
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
from cardgen.referee.transcript import Header
from cardgen.referee.trial import GameTrials, OddsTable, PreparedTrial, RulesConfig, Trial
from cardgen.rulesets import ruleset
from cardgen.rulesets.ruleset import Ruleset, plain_settings, settings_of, settled
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
    is_project_game = rules.id == (project.settings.game or ruleset.default_game())
    settings, unknown = settings_in_force(rules.rulings, project.settings.rulings if is_project_game else {})
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
