"""Worked examples on reference sheets, computed by the referee."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from cardgen.diagnostic import CardgenError
from cardgen.pipeline.load.card_lookup import CardLookup
from cardgen.pipeline.load.game_modules import load_trials
from cardgen.pipeline.referee.setup import TrialRun, prepare_situation, resolve_switches
from cardgen.pipeline.referee.setup import exact_odds as odds_of
from cardgen.quantity import quantity
from cardgen.referee.number_format import decimal, percent
from cardgen.referee.play import AnswerSource, Event, InvalidAnswerError, LogEntry, entry_line, play
from cardgen.referee.requests import Decision, Question
from cardgen.referee.situation import Parameter, parameters
from cardgen.referee.trial import RulesConfig, not_adjudicated_sentence
from cardgen.reference.resolve import NotAvailableError, WorkedExample
from cardgen.rulesets.ruleset import Ruleset
from cardgen.validation.suggestion import slugify


def work_example(
    rules: Ruleset,
    lookup: CardLookup,
    rulings: Mapping[str, str],
    trial: str,
    values: Mapping[str, Any],
    dice: Sequence[int],
) -> WorkedExample:
    """Compute a worked example.

    It has the odds of a trial, and its events with given dice. Raises NotAvailableError, with the route in the example,
    if the referee rejects the example.
    """
    game_trials = load_trials(rules)
    if trial not in game_trials.trials:
        raise NotAvailableError.unknown("trial", trial, game_trials.trials, ("trial",))
    parameters_by_name = parameters(game_trials.trials[trial].situation)
    for name in values:
        if name not in parameters_by_name:
            raise NotAvailableError.unknown("option", name, parameters_by_name, ("with", name))
    data = {name: _parameter_value(lookup, name, value, parameters_by_name[name][0]) for name, value in values.items()}
    try:
        config = RulesConfig(rulings, resolve_switches(game_trials.policies, {}, "--policy"))
        trial_run = prepare_situation(rules, game_trials, trial, data, config)
        chances: dict[str, str] = {}
        for name, words in _named_chances(trial_run):
            chances.setdefault(name, words)
    except CardgenError as error:
        first = error.diagnostics[0]
        raise NotAvailableError(first.message, first.help, ("with",)) from None
    left_out = not_adjudicated_sentence(trial_run.prepared.not_simulated)
    return WorkedExample(chances, tuple(_roll_lines(trial_run, dice)) if dice else (), left_out)


def _parameter_value(lookup: CardLookup, name: str, value: Any, parameter: Parameter) -> Any:
    try:
        return lookup.parameter_value(value, parameter)
    except CardgenError as error:
        first = error.diagnostics[0]
        raise NotAvailableError(first.message, first.help, ("with", name)) from None


def _named_chances(trial_run: TrialRun) -> Iterator[tuple[str, str]]:
    """Yield chances and means by name, without names of cards: 'hits', 'is-resisted'.

    Each also has a longer name with its title: 'wounds-that-brute-loses-1'.
    """
    names = sorted(_card_names(trial_run.header.situation), key=len, reverse=True)
    for figures in odds_of(trial_run):
        worded_chances = [(words, chance_in_words(chance)) for words, chance in (*figures.chances, *figures.parts)]
        for words, figure in (*worded_chances, *((words, decimal(mean, 2)) for words, mean in figures.means)):
            yield _chance_key(words, names), figure
            yield slugify(f"{figures.title} {words}"), figure


def _card_names(situation: Mapping[str, Any]) -> list[str]:
    return [value["name"] for value in situation.values() if isinstance(value, dict) and "name" in value]


def _chance_key(words: str, names: Sequence[str]) -> str:
    for name in names:
        words = words.removeprefix(f"{name} ")
    return slugify(words)


def chance_in_words(chance: Fraction) -> str:
    """Return text such as '2 in 9 (22 %)', with no-break spaces."""
    return f"{chance.numerator} in {chance.denominator} ({percent(chance, 0)})".replace(" ", "\u00a0")


def _roll_lines(trial_run: TrialRun, dice: Sequence[int]) -> list[str]:
    """Return the events of a trial with given dice."""
    left = list(dice)
    lines: list[str] = []

    def answer(path: str, question: Question) -> int | str:
        if isinstance(question, Decision) and question.default:
            return question.default
        if not left:
            raise InvalidAnswerError("too few dice for this example")
        return left.pop(0)

    answer_function: AnswerSource = answer
    try:
        with trial_run.settings_in_force():
            play(trial_run.prepared.start(), answer_function, lambda event: lines.extend(_event_lines(event)))
    except InvalidAnswerError as error:
        raise NotAvailableError(str(error), "", ("dice",)) from None
    if left:
        raise NotAvailableError(f"{quantity(len(left), 'unused die', 'unused dice')}", "remove them", ("dice",))
    return lines


def _event_lines(event: LogEntry) -> Iterator[str]:
    if isinstance(event, Event) and isinstance(event.question, Decision):
        return
    yield entry_line(event).strip()
