"""From cards to rolls, odds and transcripts: the referee at work on a project's cards."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from cardgen import rulesets
from cardgen.diagnostic import CardgenError, Diagnostic, Place
from cardgen.pipeline.contestants import Contestants
from cardgen.pipeline.loading import game_called
from cardgen.project import Project
from cardgen.referee.codes import Code
from cardgen.referee.odds import TooManyPathsError
from cardgen.referee.transcript import Header
from cardgen.rulesets.adjudication import Adjudication, Figures, Matter, Option, Terms, Trial, fault, options
from cardgen.rulesets.ruleset import Ruleset
from cardgen.rulesets.ruling import Ruling, in_force
from cardgen.shape.suggestion import did_you_mean


@dataclass(frozen=True, slots=True)
class Plea:
    """What a user wants to have judged: a trial, the values of its situation with cards by name, and the switches.

    `rulings` and `policy` are texts such as 'elimination=vp'. `paths` are card files beside the project's. `game` is
    the game that is meant, by default the project's.
    """

    trial: str
    values: Mapping[str, Any]
    rulings: tuple[str, ...] = ()
    policy: tuple[str, ...] = ()
    paths: tuple[Path, ...] = ()
    game: str | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """A plea that is ready: the matter, and what stands at the head of its transcript, still without a seed."""

    matter: Matter
    header: Header


def court(game: str | None = None) -> tuple[Ruleset, Adjudication]:
    """The game at hand and what its referee can judge. Raises CardgenError for a game that has none."""
    game = game or Project.find().settings.game or rulesets.default_game()
    rules = game_called(game)
    if not rules.adjudication:
        raise CardgenError(Diagnostic(Code.NO_REFEREE, f"{rules.name} has no referee", Place(game)))
    adjudication: Adjudication = import_module(rules.adjudication).ADJUDICATION
    return rules, adjudication


def trial_options(trial: str, game: str | None = None) -> dict[str, tuple[Option, bool]]:
    """What a trial of the game at hand wants to know, by field, and whether it must be given.

    Raises CardgenError for a trial that the game does not have.
    """
    return options(_trial(trial, *court(game)).situation)


def trials(game: str | None = None) -> dict[str, str]:
    """The trials of the game at hand by name, each with what it is about."""
    return {name: inspect.getdoc(trial.situation) or "" for name, trial in court(game)[1].trials.items()}


def _trial(name: str, rules: Ruleset, adjudication: Adjudication) -> Trial:
    if name not in adjudication.trials:
        message = f"{rules.name} has no '{name}'{did_you_mean(name, adjudication.trials)}"
        advice = f"it has {', '.join(adjudication.trials)}; --game chooses another game"
        raise CardgenError(Diagnostic(Code.NO_REFEREE, message, Place(rules.id), advice))
    return adjudication.trials[name]


def hear(plea: Plea) -> Case:
    """Make a plea ready. Raises CardgenError for an unknown card, weapon or switch, and for what may not be done."""
    rules, adjudication = court(plea.game)
    trial = _trial(plea.trial, rules, adjudication)
    terms = terms_of(rules, adjudication, plea.rulings, plea.policy)
    wanted = options(trial.situation)
    contestants = Contestants(rules, plea.paths)
    values = {
        name: contestants.data(value, wanted[name][0]) for name, value in plea.values.items() if value is not None
    }
    return prepare(rules, adjudication, plea.trial, values, terms)


def prepare(rules: Ruleset, adjudication: Adjudication, trial: str, values: Mapping[str, Any], terms: Terms) -> Case:
    """Make a situation ready, given by its values. Raises CardgenError where it cannot be."""
    problem = fault(_trial(trial, rules, adjudication).situation, values)
    if problem:
        raise impossible(trial, problem)
    situation = adjudication.trials[trial].situation(**values)
    try:
        matter = adjudication.trials[trial].set_up(situation, terms)
    except ValidationError as error:
        raise impossible(trial, f"a card is not as its kind must be: {error.errors()[0]['msg']}") from None
    except (KeyError, TypeError, AttributeError) as error:
        raise impossible(trial, f"a card in it is broken: {error}") from None
    except ValueError as error:
        raise impossible(trial, str(error)) from None
    header = Header(rules.id, trial, asdict(situation), terms.rulings, terms.policy, None)
    return Case(matter, header)


def impossible(where: str, message: str) -> CardgenError:
    """The error for something that the rules do not allow."""
    return CardgenError(Diagnostic(Code.NOT_POSSIBLE, message, Place(where)))


def terms_of(rules: Ruleset, adjudication: Adjudication, rulings: Iterable[str], policy: Iterable[str]) -> Terms:
    """The project's rulings, where it plays that game, those turned over on top, and the policy.

    Raises CardgenError for an unknown switch.
    """
    settings = Project.find().settings
    own = settings.rulings if rules.id == (settings.game or rulesets.default_game()) else {}
    turned = {**own, **pairs(rulings, "--ruling")}
    return Terms(
        settings_of(rules.rulings, turned, "--ruling"),
        settings_of(adjudication.policies, pairs(policy, "--policy"), "--policy"),
    )


def pairs(texts: Iterable[str], where: str) -> dict[str, str]:
    """The switches that texts such as 'elimination=vp' turn over. Raises CardgenError for a text that is none."""
    found = {}
    for text in texts:
        name, equals, setting = text.partition("=")
        if not equals:
            message = f"'{text}' is no switch"
            raise CardgenError(Diagnostic(Code.UNKNOWN_SWITCH, message, Place(where), "write NAME=SETTING"))
        found[name.strip()] = setting.strip()
    return found


def settings_of(switches: Sequence[Ruling], turned: Mapping[str, str], where: str) -> dict[str, str]:
    """The setting of every switch. Raises CardgenError for unknown ones."""
    settings, unknown = in_force(switches, turned)
    if unknown:
        raise CardgenError(*(Diagnostic(Code.UNKNOWN_SWITCH, str(each), Place(where), each.help) for each in unknown))
    return settings


def odds(case: Case) -> tuple[Figures, ...]:
    """The exact answer. Raises CardgenError where there is none."""
    if case.matter.odds is None:
        raise impossible(case.header.trial, "this can only be rolled or asked")
    try:
        return case.matter.odds()
    except TooManyPathsError:
        message = "this has too many outcomes to be worked out exactly"
        raise CardgenError(Diagnostic(Code.TOO_MANY_OUTCOMES, message, Place(case.header.trial), "roll it")) from None


def swayed(plea: Plea) -> list[tuple[str, str, tuple[Figures, ...]]]:
    """How the answer changes under each ruling's other settings: the ruling, its setting, and the figures.

    Those that change nothing are left out.
    """
    rules, adjudication = court(plea.game)
    case = hear(plea)
    before = odds(case)
    found = []
    for ruling in rules.rulings:
        for setting in ruling.settings:
            if setting == case.header.rulings[ruling.id]:
                continue
            terms = Terms({**case.header.rulings, ruling.id: setting}, case.header.policy)
            after = odds(prepare(rules, adjudication, plea.trial, case.header.situation, terms))
            if after != before:
                found.append((ruling.id, setting, after))
    return found


def turned(terms: Mapping[str, str], switches: Sequence[Ruling]) -> list[str]:
    """The switches that are not as they are by default, as 'NAME=SETTING'."""
    return [f"{each.id}={terms[each.id]}" for each in switches if terms[each.id] != each.default]
