"""Forms for the trials of a game: attack, duel, and whatever else it has."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from cardgen.diagnostic import CardgenError
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
_SHORT = "Same as --"
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
    """Return the fields of options, without those that are only short for the setting of another."""
    longer = ((name, *each) for name, each in options.items() if not each[0].help.startswith(_SHORT))
    return tuple(_field(name, option, is_required) for name, option, is_required in longer)


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
