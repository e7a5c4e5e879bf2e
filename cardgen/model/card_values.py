"""The values of a card, divided into rules, words, and looks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from annotated_types import MaxLen, MinLen
from pydantic import Strict
from pydantic.fields import FieldInfo

from cardgen.diagnostic import Place
from cardgen.model.card import Art, Card, Entry
from cardgen.model.deck import find_links
from cardgen.source import KeyPath
from cardgen.validation.base import Aspect, Model, Prose, annotation_parts, once_per_model

Scalar: TypeAlias = str | int | float | bool

# Keys that no face shows, and those that are compared on their own.
_UNCOMPARED = frozenset({"id", "formerly", "qty", "draft", "note"})
_COMMON = {
    **dict.fromkeys(("name", "text", "motto", "credit", "tags"), Aspect.WORDS),
    **dict.fromkeys(("art", "back", "blazon", "language", "template", "theme", "size"), Aspect.LOOKS),
}
_NUMBERS = frozenset({int, float, bool})
# Metadata of a text that may have any words. A text with other metadata, such as a list of choices, belongs to rules.
_FREE = (FieldInfo, Strict, MinLen, MaxLen)
_NOT_BLANK = r"\S"


# Keys with the cost of a card, the usual one first.
COST_KEYS = ("points", "cost", "price")


class CardValue(NamedTuple):
    """A value of a card with its key path and aspect."""

    aspect: Aspect
    key_path: KeyPath
    value: Scalar


_MOST_DIGITS = 9
_PLAIN = (str, int, float, bool)
_EMPTY = (None, "", False, ())
_TEXT = "text"
_NO_TEXT = {_TEXT: None}
# Aspect, if the model tells it; key path; and value.
_Value: TypeAlias = tuple[Aspect | None, KeyPath, Scalar]


class _Field(NamedTuple):
    attribute: str
    key: str
    aspect: Aspect | None
    is_zero_default: bool


def card_values(entry: Entry, describe: Callable[[Model], str]) -> Iterator[CardValue]:
    """Yield the values of a card that can be compared with those of another version.

    A `text` is words if it replaces a text that `describe` makes from the data of its card or part. Without such data,
    the text itself is the rule.

    Values that are empty or false are left out, and zeros that are the default, so that a key with its default equals
    a missing key. A reference to
    another card is its id. Unmarked values of printed pieces, which have no rules, are looks.
    """
    ids = {}
    for link in find_links(entry.card):
        linked = entry.links.get((link.kind, link.name))
        ids[link.key_path] = linked.card.id if linked else link.name
    default = Aspect.RULES if entry.card.HAS_RULES else Aspect.LOOKS
    own_texts = {path for path, part in _with_text(entry.card, ()) if not describe(part.model_copy(update=_NO_TEXT))}
    for aspect, key_path, value in _values_of(entry.card, ()):
        if key_path in own_texts and entry.card.HAS_RULES:
            aspect = Aspect.RULES
        yield CardValue(aspect or default, key_path, ids.get(key_path, value))


def _with_text(value: object, key_path: KeyPath) -> Iterator[tuple[KeyPath, Model]]:
    """Yield the card and its parts that have a text, and the key paths of these texts."""
    if isinstance(value, Model):
        for field in _fields(type(value)):
            below = value.__dict__[field.attribute]
            if field.attribute == _TEXT and isinstance(below, str) and below:
                yield (*key_path, field.key), value
            elif type(below) not in _PLAIN:
                yield from _with_text(below, (*key_path, field.key))
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _with_text(item, (*key_path, str(key)))
    elif isinstance(value, tuple | list):
        for index, item in enumerate(value):
            yield from _with_text(item, (*key_path, index))


def _values_of(model: Model, key_path: KeyPath) -> Iterator[_Value]:
    values = model.__dict__
    for attribute, key, aspect, is_zero_default in _fields(type(model)):
        value = values[attribute]
        if value in _EMPTY and (not is_number(value) or is_zero_default):
            continue
        if type(value) in _PLAIN:
            yield aspect, (*key_path, key), _plain(value)
        else:
            yield from _values_within(value, aspect, (*key_path, key))
    for key, value in (model.model_extra or {}).items():
        # The values below a key that the model does not have; texts are words, and all others rules.
        for _, path, plain in _values_within(value, None, (*key_path, key)):
            yield Aspect.WORDS if isinstance(plain, str) else None, path, plain


def _values_within(value: object, aspect: Aspect | None, key_path: KeyPath) -> Iterator[_Value]:
    """Yield the values within one; models below a field with an aspect of its own share it."""
    if isinstance(value, Model):
        yield from ((aspect or own, path, plain) for own, path, plain in _values_of(value, key_path))
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _values_within(item, aspect, (*key_path, str(key)))
    elif isinstance(value, tuple | list):
        for index, item in enumerate(value):
            yield from _values_within(item, aspect, (*key_path, index))
    elif isinstance(value, set | frozenset):
        yield from _values_within(sorted(value, key=str), aspect, key_path)
    elif value not in _EMPTY or is_number(value):
        yield aspect, key_path, _plain(value)


def is_number(value: object) -> bool:
    """Return whether a value is a number; true and false are not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def cost_in(card: Card) -> float | None:
    """Return the cost that a card has as a plain number, or None."""
    costs = (getattr(card, key, None) for key in COST_KEYS)
    return next((float(cost) for cost in costs if isinstance(cost, int | float) and is_number(cost)), None)


# Words that are not translated: those that select cards, and names of people.
_UNTRANSLATED = frozenset({"tags", "credit"})
_ICON = re.compile(r"\{[^{}]*\}")


def texts_of(model: Model) -> dict[str, str]:
    """Return the texts of a card or part that a translation replaces, by pointer; what has no letters is not one."""
    return {
        pointer(path): value
        for aspect, path, value in _values_of(model, ())
        if aspect is Aspect.WORDS and isinstance(value, str) and path[0] not in _UNTRANSLATED
        if any(map(str.isalpha, _ICON.sub("", value)))
    }


def _plain(value: object) -> Scalar:
    """Return a value as a file can hold it; spaces at the ends of lines are not part of a text."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return int(value) if float(value).is_integer() else float(value)
    return "\n".join(line.rstrip() for line in str(value).strip().splitlines())


@once_per_model
def _fields(model: type[Model]) -> tuple[_Field, ...]:
    infos = model.model_fields.items()
    is_card = issubclass(model, Card)
    fields = (
        _Field(
            name, info.alias or name, _aspect(name, info, is_card=is_card), is_number(info.default) and not info.default
        )
        for name, info in infos
    )
    return tuple(field for field in fields if not (is_card and field.attribute in _UNCOMPARED))


def _aspect(name: str, info: FieldInfo, *, is_card: bool) -> Aspect | None:
    """Return the aspect of a field; None for rules, and for models that have aspects of their own."""
    parts = (*info.metadata, *annotation_parts(info.annotation))
    marked = next((part for part in parts if isinstance(part, Aspect)), None)
    if marked is not None:
        return marked
    if is_card and name in _COMMON:
        return _COMMON[name]
    if Art in parts:
        return Aspect.LOOKS
    is_text = str in parts and _NUMBERS.isdisjoint(part for part in parts if isinstance(part, type))
    if is_text and (name == "name" or any(isinstance(part, Prose) for part in parts) or all(map(_is_free, parts))):
        return Aspect.WORDS
    return None


def _is_free(part: Any) -> bool:
    """True for a part of an annotation that leaves a text free."""
    if isinstance(part, _FREE):
        nested = part.metadata if isinstance(part, FieldInfo) else ()
        return all(map(_is_free, nested))
    pattern = getattr(part, "pattern", None)
    return pattern == _NOT_BLANK if pattern is not None else _is_structure(part)


def _is_structure(part: Any) -> bool:
    """True for a type, which has no metadata of its own, in contrast to a reference or a validator."""
    return isinstance(part, type) or getattr(part, "__origin__", None) is not None or hasattr(part, "__args__")


def pointer(key_path: KeyPath) -> str:
    """Return a key path as a JSON pointer without the first slash."""
    text = "/".join(map(str, key_path))
    if "~" not in text and text.count("/") == len(key_path) - 1:
        return text
    return "/".join(str(step).replace("~", "~0").replace("/", "~1") for step in key_path)


def pointer_steps(text: str) -> Iterator[str]:
    """Yield the steps of a JSON pointer without the first slash."""
    return (step.replace("~1", "/").replace("~0", "~") for step in text.split("/"))


def is_index(step: str) -> bool:
    """Return whether a step of a pointer can be the index of an item."""
    return step.isdecimal() and len(step) < _MOST_DIGITS


class BackSource(NamedTuple):
    """Picture or template of a back, or neither for that of the kind, and the place that names it."""

    picture: Path | None
    template: str
    place: Callable[[], Place]
