"""Forms for the trials of a game: attack, duel, and whatever else it has."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from cardgen.pipeline.load.card_lookup import CardLookup
from cardgen.pipeline.referee.setup import load_referee, trial_parameters
from cardgen.project import Project
from cardgen.referee.ruling import Ruling, settings_in_force
from cardgen.referee.situation import Parameter
from cardgen.studio.engine.rule_answers import RefereeForm, TrialForm
from cardgen.studio.option_fields import (
    CHOICE,
    FLAG,
    NUMBER,
    SEVERAL,
    TEXT,
    FieldChoice,
    OptionField,
    label_of,
    plain_choices,
)

_SORTS = {"card": CHOICE, "cards": SEVERAL, "number": NUMBER, "flag": FLAG, "deck": FLAG, "word": TEXT}
_FLAG = re.compile(r"--([a-z][a-z-]*)")
# The trials that authors want first.
_FIRST = ("attack", "duel")


def referee_form(game: str, root: Path) -> RefereeForm:
    """Return the trials of a game with their options, and the cards to choose from.

    Raises CardgenError for a game without a referee.
    """
    rules, game_trials = load_referee(game, root)
    names = sorted(game_trials.trials, key=lambda name: _FIRST.index(name) if name in _FIRST else len(_FIRST))
    options = {name: trial_parameters(name, game, root) for name in names}
    every = (option for each in options.values() for option, _ in each.values())
    kinds = {option.kinds for option in every if option.sort in ("card", "cards")}
    lookup = CardLookup(rules, (), root)
    project = Project.find(root)
    own = project.settings.rulings if rules.id == (project.settings.game or rules.id) else {}
    return RefereeForm(
        tuple(
            TrialForm(name, inspect.getdoc(game_trials.trials[name].situation) or "", _fields(options[name]))
            for name in names
        ),
        tuple(_ruling_fields(rules.rulings, own)),
        tuple(_ruling_fields(game_trials.policies, {})),
        {_source(each): _card_choices(lookup, each) for each in sorted(kinds)},
    )


def _fields(options: Mapping[str, tuple[Parameter, bool]]) -> tuple[OptionField, ...]:
    return tuple(_field(name, option, is_required) for name, (option, is_required) in options.items())


def _field(name: str, option: Parameter, is_required: bool) -> OptionField:
    is_card = option.sort in ("card", "cards")
    return OptionField(
        name,
        label_of(name),
        CHOICE if option.words else _SORTS[option.sort],
        _help(name, option.help),
        plain_choices(option.words),
        _source(option.kinds) if is_card else "",
        option.low if option.sort == "number" else None,
        option.high if option.sort == "number" else None,
        option.unit,
        is_required=is_required,
    )


def _help(name: str, text: str) -> str:
    """Return the help of an option without flags of the command line; '' if it only repeats the label."""
    words = _FLAG.sub(lambda match: label_of(match[1]), text)
    return "" if words.rstrip(".").casefold() == label_of(name).casefold() else words


def _source(kinds: tuple[str, ...]) -> str:
    return " ".join(kinds)


def _card_choices(lookup: CardLookup, kinds: tuple[str, ...]) -> tuple[FieldChoice, ...]:
    """Return the cards of some kinds: those of the project, and then the built-in ones that it does not replace."""
    return tuple(FieldChoice(entry.card.id, entry.card.name) for entry in lookup.all_entries(kinds))


def _ruling_fields(rulings: Iterable[Ruling], own: Mapping[str, str]) -> Iterable[OptionField]:
    every = tuple(rulings)
    settings, _ = settings_in_force(every, own)
    for each in every:
        choices = tuple(FieldChoice(setting, f"{setting}: {words}") for setting, words in each.settings.items())
        in_force = settings[each.id]
        yield OptionField(each.id, label_of(each.id), CHOICE, each.question, choices, placeholder=in_force)
