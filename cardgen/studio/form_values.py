"""Values that forms start with: of trials and battles, and of printing, those with which cards were last printed."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias

from cardgen.diagnostic import CardgenError
from cardgen.referee import transcript
from cardgen.runtime import atomic_write, regular_file
from cardgen.runtime.user_folders import state_folder
from cardgen.studio.engine.answers import CardRow, PrintForm
from cardgen.studio.engine.rule_answers import RefereeForm, TrialForm
from cardgen.studio.page_words import CHOICE, SEVERAL, FieldChoice, OptionField, read_values

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


def start_values(form: RefereeForm, trial: TrialForm, card: CardRow, others: Iterable[str] = ()) -> dict[str, Any]:
    """Return the values that a trial starts with: the card in its first role, and other cards where one must be.

    The ids of `others` come first, each in the next role that it fits.
    """
    role = next((field for field in trial.fields if field.name == first_role(trial, card.kind)), None)
    own = {role.name: [card.id] if role.sort != CHOICE else card.id} if role else {}
    for other in others:
        fitting = (
            field
            for field in trial.fields
            if field.name not in own and any(each.value == other for each in form.sources.get(field.source, ()))
        )
        if field := next(fitting, None):
            own[field.name] = other if field.sort == CHOICE else [other]
    rest = (field for field in trial.fields if field.name not in own)
    return own | required_values(rest, form.sources, (card.id,))


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


_MOST_CHOICES, _MOST_BYTES = 200, 1 << 20

Options = Mapping[str, Any]


class PrintChoices:
    """The options with which the cards of a project were last printed, by what was selected."""

    def __init__(self, root: Path) -> None:
        """Read the options that were kept; what cannot be read is ignored."""
        digest = hashlib.sha256(os.fsencode(root)).hexdigest()[:32]
        self._path = state_folder() / "print" / f"{digest}.json"
        self._choices: dict[str, dict[str, Any]] = {}
        with suppress(OSError, ValueError):
            data = transcript.parse_strictly(regular_file.read(self._path, _MOST_BYTES).decode())
            if isinstance(data, dict):
                self._choices = {key: value for key, value in data.items() if isinstance(value, dict)}

    def options(self, form: PrintForm, selection: Options) -> dict[str, Any]:
        """Return the options that were last used for a selection of cards, with the selection."""
        kept = self._choices.get(_key(form, selection), {})
        return {**read_values((*form.paper, *form.rare), kept), **_selected(form, selection)}

    def keep(self, form: PrintForm, options: Options) -> None:
        """Keep the options for their selection, on the disk if possible."""
        key = _key(form, options)
        self._choices.pop(key, None)
        self._choices[key] = read_values((*form.paper, *form.rare), options)
        self._choices = dict([*self._choices.items()][-_MOST_CHOICES:])
        with suppress(OSError, CardgenError):
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            atomic_write.write(self._path, json.dumps(self._choices).encode(), is_private=True)


def _selected(form: PrintForm, options: Options) -> dict[str, Any]:
    return read_values(form.cards, options)


def _key(form: PrintForm, options: Options) -> str:
    """Return the name of a selection, whatever the order in which it was made."""
    selected = _selected(form, options)
    return json.dumps({name: sorted(value) if isinstance(value, tuple) else value for name, value in selected.items()})
