"""Values that the form of a trial or a battle starts with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from cardgen.studio.engine.answers import CardRow
from cardgen.studio.engine.rule_answers import RefereeForm, TrialForm
from cardgen.studio.page_words import CHOICE, SEVERAL, FieldChoice, OptionField

Sources: TypeAlias = Mapping[str, tuple[FieldChoice, ...]]

# Options that are not required, but shown at once.
_MOST_OPTIONAL = 2


def first_role(trial: TrialForm, kind: str) -> str:
    """Return the first option of a trial that a card of a kind can be, or ''."""
    return next((field.name for field in trial.fields if kind in field.source.split()), "")


def main_fields(trial: TrialForm, kind: str) -> tuple[OptionField, ...]:
    """Return the options that most questions about a card of a kind need; they are declared in order of use."""
    role = first_role(trial, kind)
    optional = [field.name for field in trial.fields if not field.is_required and field.sort != SEVERAL]
    names = {role, *optional[:_MOST_OPTIONAL]}
    return tuple(field for field in trial.fields if field.is_required or field.name in names)


def start_values(form: RefereeForm, trial: TrialForm, card: CardRow) -> dict[str, Any]:
    """Return the values that a trial starts with: the card in its first role, and other cards where one must be."""
    role = next((field for field in trial.fields if field.name == first_role(trial, card.kind)), None)
    own = {role.name: [card.id] if role.sort != CHOICE else card.id} if role else {}
    return own | required_values((field for field in trial.fields if field != role), form.sources, (card.id,))


def required_values(fields: Iterable[OptionField], sources: Sources, taken: Iterable[str] = ()) -> dict[str, Any]:
    """Return values for required fields: the first choice that no other has `taken`, and the lowest number."""
    values: dict[str, Any] = {}
    for field in fields:
        if field.is_required and (choices := sources.get(field.source) or field.choices):
            others = (choice.value for choice in choices if choice.value not in (*taken, *values.values()))
            values[field.name] = next(others, choices[0].value)
        elif field.is_required and field.low is not None:
            values[field.name] = field.low
    return values
