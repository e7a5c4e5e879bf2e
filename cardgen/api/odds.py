"""Exact odds of a game's trials."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from html import escape
from pathlib import Path
from typing import Any

from cardgen.api.arguments import (
    Paths,
    argument_places,
    bad_argument,
    project_folder,
    to_paths,
    unexpected_argument,
)
from cardgen.api.deck import Card
from cardgen.deck.deck import game_of
from cardgen.diagnostic import did_you_mean, join_words
from cardgen.matches import session
from cardgen.matches.trials import odds_as_text
from cardgen.project.project import Project
from cardgen.referee import trial as trials
from cardgen.referee.odds import decimal, percent
from cardgen.referee.parameters import Parameter
from cardgen.runtime.workspace import Workspace


@dataclass(frozen=True, slots=True)
class OddsTable:
    """An odds table: exact chances and means as fractions, by label.

    `parts` are the chances of outcomes of which exactly one happens, so they add up to 1. `chances` are independent of
    each other. `means` are expected values, in the unit that the label or the title names.

    A trial can have several tables, such as one for an attack and one for the resulting wounds. `others` contains the
    tables after the first, and `tables` contains all. `table["label"]` looks up a value in one table.

    `rulings` and `policy` are the settings for which the odds are valid. `not_simulated` names the rules that the
    players must apply themselves.
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
        """All tables in order: this one and the others."""
        return (self, *self.others)

    def __getitem__(self, words: str) -> Fraction:
        """Return the value with a label in this table.

        Raises KeyError for an unknown label.
        """
        values = {**self.means, **self.chances, **self.parts}
        if words in values:
            return values[words]
        titles = [f"'{table.title}'" for table in self.others if words in (*table.parts, *table.chances, *table.means)]
        advice = f"; it is in {join_words(titles)}, in `others`" if titles else did_you_mean(words, values)
        raise KeyError(f"'{self.title}' has no value '{words}'{advice}")

    def __str__(self) -> str:
        """Return all tables as text with bars, below what they leave out, as `--odds` prints them."""
        return "\n".join(odds_as_text([_figures(table) for table in self.tables], self.not_simulated))

    def _repr_html_(self) -> str:
        """Return all tables as HTML for notebooks, below what they leave out."""
        notes = "".join(f"<p>{escape(line)}</p>" for line in trials.not_adjudicated_lines(self.not_simulated))
        return notes + "".join(map(_html_table, self.tables))


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
    """Compute the exact odds of a trial, as by `cardgen trial --odds`.

    Args:
        trial: The name of a trial, such as 'attack'; `cardgen trial --help` lists them.
        game: The id of the game. By default, the game of the first `Card` in the situation, or the project's game.
        rulings: Settings of rulings, by name, which override the project's; `cardgen rulings` lists them.
        policy: Settings of the policy for choices, by name.
        paths: One or more card files or folders in which names are looked up. By default, the files from which the
            first `Card` in the situation was loaded, or the project of the current folder. Cards that come with the
            program are always available.
        **situation: The options of the trial, such as `attacker="Sentinel"`. `cardgen trial NAME --help` lists them;
            replace hyphens with underscores. A card is a `Card`, or its name or id.

    Returns:
        The first table; its `others` contain the rest.

    Raises:
        TypeError: An option is unknown, or a required option is missing; the message names it.
        CardgenError: A card, trial, game, or setting is unknown, a value is out of range, the rules do not allow the
            situation, the trial can only be played, or it has too many outcomes to compute exact odds.

    """
    cards = [card for value in situation.values() for card in _cards_in(value)]
    named_paths, folder = _search_paths(to_paths(paths), cards)
    workspace = Workspace(folder)
    game = game or (cards[0].game if cards else None)
    with argument_places():
        game = game_of(Project.open(workspace), game, named_paths).id
        # The values of a situation, with entries for cards.
        values: dict[str, Any] = {}
        parameters = session.trial_parameters(trial, game, workspace)
        for name, (_, required) in parameters.items():
            if required and situation.get(name) is None:
                raise TypeError(f"odds() is missing the option '{name}'")
        for name, value in situation.items():
            if name not in parameters:
                raise unexpected_argument("odds", name, parameters)
            values[name] = _situation_value(name, value, parameters[name][0])
        request = session.TrialRequest(
            trial, values, _switch_texts(rulings), _switch_texts(policy), named_paths, game, workspace
        )
        trial_run = session.prepare_trial(request)
        return _public_table(trial_run, session.exact_odds(trial_run))


def _cards_in(value: object) -> list[Card]:
    values = value if isinstance(value, list | tuple) else [value]
    return [each for each in values if isinstance(each, Card)]


def _search_paths(paths: tuple[Path, ...], cards: Sequence[Card]) -> tuple[tuple[Path, ...], Path | None]:
    """Return the card files for lookups, and the project folder."""
    if paths or not cards:
        return paths, project_folder(paths)
    return cards[0]._source.paths, cards[0]._source.project.root


def _switch_texts(switches: Mapping[str, str] | None) -> tuple[str, ...]:
    return tuple(f"{name}={setting}" for name, setting in (switches or {}).items())


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
        raise TypeError(f"'{name}' must be a card or the name of a card, not {type(value).__name__}")
    return value._entry if isinstance(value, Card) else value


def _public_table(trial_run: session.TrialRun, tables: tuple[trials.OddsTable, ...]) -> OddsTable:
    header, not_simulated = trial_run.header, trial_run.prepared.not_simulated

    def table(each: trials.OddsTable, others: tuple[OddsTable, ...] = ()) -> OddsTable:
        rows = dict(each.parts), dict(each.chances), dict(each.means)
        return OddsTable(each.title, *rows, others, dict(header.rulings), dict(header.policy), not_simulated)

    return table(tables[0], tuple(map(table, tables[1:])))
