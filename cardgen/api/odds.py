"""Exact odds of a game's trials."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from html import escape
from pathlib import Path
from typing import Any

from cardgen.api.arguments import Paths, argument_places, bad_argument, project_folder, to_paths, unexpected_argument
from cardgen.api.deck import Card
from cardgen.pipeline.referee import setup
from cardgen.pipeline.referee.run import odds_as_text
from cardgen.referee import trial as trials
from cardgen.referee.number_format import decimal, percent
from cardgen.referee.trial import Parameter
from cardgen.validation.suggestion import did_you_mean, join_words


@dataclass(frozen=True, slots=True)
class OddsTable:
    """An exact answer: chances and means as fractions, by the words that describe them.

    `parts` are the chances of outcomes of which exactly one happens, so they add up to 1. `chances` stand by
    themselves. `means` are expected values, in the unit that the words or the title name.

    A trial may answer with several tables, such as one for an attack and one for the wounds that follow. `others` holds
    the tables after the first, and `tables` lists them all. `table["words"]` looks a value up in one table.

    `rulings` and `policy` are the settings that the odds hold for. `not_simulated` names the rules that the players
    must apply themselves.
    """

    title: str
    parts: Mapping[str, Fraction] = field(default_factory=dict)
    chances: Mapping[str, Fraction] = field(default_factory=dict)
    means: Mapping[str, Fraction] = field(default_factory=dict)
    others: tuple[OddsTable, ...] = ()
    rulings: Mapping[str, str] = field(default_factory=dict, repr=False)
    policy: Mapping[str, str] = field(default_factory=dict, repr=False)
    not_simulated: tuple[str, ...] = ()

    @property
    def tables(self) -> tuple[OddsTable, ...]:
        """All tables of the answer, in their order: the first and the others."""
        return (self, *self.others)

    def __getitem__(self, words: str) -> Fraction:
        """Return the value with these words in this table. Raises KeyError if there is none."""
        values = {**self.means, **self.chances, **self.parts}
        if words in values:
            return values[words]
        titles = [f"'{table.title}'" for table in self.others if words in (*table.parts, *table.chances, *table.means)]
        advice = f"; look in {join_words(titles)}, one of the others" if titles else did_you_mean(words, values)
        raise KeyError(f"'{self.title}' has no value '{words}'{advice}")

    def __str__(self) -> str:
        """Return all tables as text with bars, as `--odds` prints them."""
        return "\n".join(odds_as_text([_figures(table) for table in self.tables]))

    def _repr_html_(self) -> str:
        """Return all tables for notebooks."""
        return "".join(map(_html_table, self.tables))


def _figures(table: OddsTable) -> trials.OddsTable:
    return trials.OddsTable(table.title, *(tuple(rows.items()) for rows in (table.parts, table.chances, table.means)))


def _html_table(table: OddsTable) -> str:
    rows = [(words, percent(value, 2), value) for words, value in (*table.parts.items(), *table.chances.items())]
    rows += [(words, decimal(value, 4), value) for words, value in table.means.items()]
    cells = "".join(f"<tr><td>{escape(words)}</td><td>{text}</td><td>{value}</td></tr>" for words, text, value in rows)
    return f"<table><caption>{escape(table.title)}</caption>{cells}</table>"


def odds(
    trial: str,
    /,
    game: str | None = None,
    rulings: Mapping[str, str] | None = None,
    policy: Mapping[str, str] | None = None,
    paths: Paths = (),
    **situation: Any,
) -> OddsTable:
    """Calculate the exact odds of a trial, as `cardgen trial NAME --odds` does.

    Args:
        trial: The name of a trial, such as 'attack'; `cardgen trial --help` lists them.
        game: The id of the game; None for the game of the first card in the situation, or else the project's.
        rulings: Settings of rulings that differ from the project's, by name; `cardgen rulings` lists them.
        policy: Settings of the policy by which choices are made, by name.
        paths: Card files or folders to look up names in, one or several. None of them: the files that the first card
            in the situation was loaded from, or else the project of the current folder. Cards that come with the
            program are always found.
        **situation: What the trial needs to know, such as `attacker="Sentinel"`; `cardgen trial NAME --help` lists the
            options, with underscores here for hyphens. A card is given as a `Card`, or as its name or id.

    Returns:
        The first table of the answer; its `others` hold the rest.

    Raises:
        TypeError: The trial has no such option, or needs one that is missing; the message names it.
        CardgenError: A card, trial, game, or setting is unknown, a value is out of range, the rules do not allow the
            situation, or it can only be rolled or has too many outcomes to be worked out exactly.

    """
    cards = [card for value in situation.values() for card in _cards_in(value)]
    named_paths, folder = _search_paths(to_paths(paths), cards)
    game = game or (cards[0].game if cards else None)
    with argument_places():
        values = dict(_situation_values(situation, setup.trial_parameters(trial, game, folder)))
        request = setup.TrialRequest(
            trial, values, _switch_texts(rulings), _switch_texts(policy), named_paths, game, folder
        )
        trial_run = setup.prepare_trial(request)
        return _public_table(trial_run, setup.exact_odds(trial_run))


def _cards_in(value: object) -> list[Card]:
    values = value if isinstance(value, list | tuple) else [value]
    return [each for each in values if isinstance(each, Card)]


def _search_paths(paths: tuple[Path, ...], cards: Sequence[Card]) -> tuple[tuple[Path, ...], Path | None]:
    """The card files to look up names in, and the folder of the project."""
    if paths or not cards:
        return paths, project_folder(paths)
    return cards[0]._source.paths, cards[0]._source.project.root


def _switch_texts(switches: Mapping[str, str] | None) -> tuple[str, ...]:
    return tuple(f"{name}={setting}" for name, setting in (switches or {}).items())


def _situation_values(
    situation: Mapping[str, Any], parameters: Mapping[str, tuple[Parameter, bool]]
) -> Iterator[tuple[str, Any]]:
    """The values of a situation, with entries for cards. Raises TypeError for a name that is unknown or missing."""
    for name, (_, required) in parameters.items():
        if required and situation.get(name) is None:
            raise TypeError(f"odds() needs '{name}'")
    for name, value in situation.items():
        if name not in parameters:
            raise unexpected_argument("odds", name, parameters)
        yield name, _situation_value(name, value, parameters[name][0])


def _situation_value(name: str, value: Any, parameter: Parameter) -> Any:
    match parameter.sort:
        case "card":
            return value if value is None else _card_value(name, value)
        case "cards":
            several = [value] if isinstance(value, str | Card) else value or ()
            return tuple(_card_value(name, each) for each in several)
        case "deck":
            return value or None
        case "word" if value is not None and not isinstance(value, str):
            raise bad_argument(name, f"must be text, not {type(value).__name__}")
    return value


def _card_value(name: str, value: Any) -> Any:
    if not isinstance(value, str | Card):
        raise TypeError(f"'{name}' must be a card or the name of one, not {type(value).__name__}")
    return value._entry if isinstance(value, Card) else value


def _public_table(trial_run: setup.TrialRun, tables: tuple[trials.OddsTable, ...]) -> OddsTable:
    header, not_simulated = trial_run.header, trial_run.prepared.not_simulated

    def table(each: trials.OddsTable, others: tuple[OddsTable, ...] = ()) -> OddsTable:
        rows = dict(each.parts), dict(each.chances), dict(each.means)
        return OddsTable(each.title, *rows, others, dict(header.rulings), dict(header.policy), not_simulated)

    return table(tables[0], tuple(map(table, tables[1:])))
