"""Fields of forms: options of the command line as data for the browser."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

# What a field is: a line of text, a whole number, a switch, one of some choices, or several of them.
TEXT, NUMBER, FLAG, CHOICE, SEVERAL = "text", "number", "flag", "choice", "several"
_MOST_LETTERS = 200
_MOST_CHOSEN = 500


@dataclass(frozen=True, slots=True)
class FieldChoice:
    """A choice of a field: its value, and what people read."""

    value: str
    label: str


@dataclass(frozen=True, slots=True)
class OptionField:
    """A field of a form.

    Its choices are its own, or those of a `source` that several fields share. An optional choice may be left out.
    `value` is what the form starts with; '' stands for the default, which `placeholder` names.
    """

    name: str
    label: str
    sort: str = TEXT
    help: str = ""
    choices: tuple[FieldChoice, ...] = ()
    source: str = ""
    low: int | None = None
    high: int | None = None
    unit: str = ""
    placeholder: str = ""
    is_required: bool = False
    value: Any = ""


def with_choices(field: OptionField, choices: tuple[FieldChoice, ...]) -> OptionField:
    """Return a field with choices; without any, it stays a line of text."""
    return replace(field, sort=CHOICE, choices=choices) if choices else field


def plain_choices(names: Iterable[str]) -> tuple[FieldChoice, ...]:
    """Return choices that people read as they are."""
    return tuple(FieldChoice(name, name) for name in names)


def read_values(fields: Iterable[OptionField], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that a form sent, without those that were left out.

    Browsers are not trusted: unknown names and values of other types are left out, and texts are cut. Whether a number
    or a name is allowed is up to the command.
    """
    values = {field.name: _read(field, given.get(field.name)) for field in fields}
    return {name: value for name, value in values.items() if value not in (None, "", (), False)}


def _read(field: OptionField, value: Any) -> Any:
    match field.sort:
        case "number":
            return _read_number(value)
        case "flag":
            return value is True
        case "several":
            items = value[:_MOST_CHOSEN] if isinstance(value, list | tuple) else ()
            return tuple(item[:_MOST_LETTERS] for item in items if isinstance(item, str))
    return value.strip()[:_MOST_LETTERS] if isinstance(value, str) else None


def _read_number(value: Any) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return int(value)
    except (ValueError, OverflowError):
        return None
