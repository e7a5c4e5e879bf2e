"""Fields for the options of trials and battles, and for their rulings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from cardgen.deck.card_lookup import CardLookup
from cardgen.referee.ruling import Ruling
from cardgen.referee.situation import Parameter
from cardgen.studio.page_words import (
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


def trial_fields(options: Mapping[str, tuple[Parameter, bool]]) -> tuple[OptionField, ...]:
    """Return the fields of options, without those that are only short for the setting of another."""
    longer = ((name, *each) for name, each in options.items() if not each[0].help.startswith(_SHORT))
    return tuple(_field(name, option, is_required) for name, option, is_required in longer)


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


def card_sources(options: Iterable[Parameter], lookup: CardLookup) -> dict[str, tuple[FieldChoice, ...]]:
    """Return the cards that options accept: those of the project, then the built-in ones that it does not replace."""
    kinds = {option.kinds for option in options if option.sort in ("card", "cards")}
    return {
        _source(each): tuple(FieldChoice(entry.card.id, entry.card.name) for entry in lookup.all_entries(each))
        for each in sorted(kinds)
    }


def ruling_fields(rulings: Iterable[Ruling], in_force: Mapping[str, str]) -> tuple[OptionField, ...]:
    """Return the fields of rulings or policies, whose defaults are the settings in force."""
    return tuple(_ruling_field(each, in_force[each.id]) for each in rulings)


def _ruling_field(ruling: Ruling, setting: str) -> OptionField:
    choices = tuple(FieldChoice(name, f"{name}: {words}") for name, words in ruling.settings.items())
    return OptionField(ruling.id, label_of(ruling.id), CHOICE, ruling.question, choices, placeholder=setting)
