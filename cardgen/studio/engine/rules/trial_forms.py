"""Forms for the trials of a game: attack, duel, and whatever else it has."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cardgen.diagnostic import CardgenError
from cardgen.pipeline.load.card_lookup import CardLookup
from cardgen.pipeline.referee.setup import load_referee, trial_parameters
from cardgen.project import Project
from cardgen.referee.ruling import settings_in_force
from cardgen.studio.engine.rules.rule_answers import RefereeForm, TrialForm
from cardgen.studio.engine.rules.trial_fields import card_sources, ruling_fields, trial_fields
from cardgen.studio.option_fields import TEXT, FieldChoice, OptionField, plain_choices

PartChoices = Mapping[str, tuple[FieldChoice, ...]]
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
    lookup = CardLookup(rules, (), root)
    project = Project.find(root)
    own = project.settings.rulings if rules.id == (project.settings.game or rules.id) else {}
    return RefereeForm(
        tuple(
            TrialForm(name, inspect.getdoc(game_trials.trials[name].situation) or "", trial_fields(options[name]))
            for name in names
        ),
        ruling_fields(rules.rulings, settings_in_force(rules.rulings, own)[0]),
        ruling_fields(game_trials.policies, settings_in_force(game_trials.policies, {})[0]),
        card_sources(every, lookup),
    )


def part_choices(trial: TrialForm, values: Mapping[str, Any], lookup: CardLookup) -> PartChoices:
    """Return the names of parts, such as weapons, that each field for a word can have with the chosen cards."""
    parts = {
        field.name: _parts(lookup, field, name)
        for field in trial.fields
        if field.source and isinstance(name := values.get(field.name), str)
    }
    words = (field for field in trial.fields if field.sort == TEXT)
    return {field.name: plain_choices(names) for field in words if (names := _names_for(field.name, parts))}


def _parts(lookup: CardLookup, field: OptionField, name: str) -> Mapping[str, tuple[str, ...]]:
    """Return the names of a card's parts by their key, such as 'weapons'."""
    try:
        card = lookup.find(name, tuple(field.source.split())).card
    except CardgenError:
        return {}
    lists = {key: value for key, value in card.model_dump(mode="json").items() if isinstance(value, list)}
    named = {key: tuple(str(each["name"]) for each in value if _is_named(each)) for key, value in lists.items()}
    return {key: names for key, names in named.items() if names}


def _is_named(part: object) -> bool:
    return isinstance(part, Mapping) and bool(part.get("name"))


def _names_for(option: str, parts: Mapping[str, Mapping[str, tuple[str, ...]]]) -> dict[str, None]:
    """Return the names that fit an option: 'target_weapon' takes the weapons of the target.

    An option that names no card is about the first one, unless it names none of its parts either, such as 'reaction'.
    """
    words = option.split("_")
    own = [card for card in parts if card in words]
    keys = [key for card in parts.values() for key in card if key.removesuffix("s") in words]
    owners = own or [*parts][: 1 if keys else None]
    every = [(key, names) for card in owners for key, names in parts[card].items()]
    return dict.fromkeys(name for key, names in every if not keys or key in keys for name in names)
