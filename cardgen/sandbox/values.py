"""Values of expressions, and what they weigh."""

from __future__ import annotations

from collections.abc import Callable, Collection, ItemsView, Iterable, Iterator, KeysView, Mapping, ValuesView
from enum import Enum
from functools import cached_property, lru_cache
from typing import Any, TypeAlias

from pydantic import BaseModel

from cardgen.diagnostic import did_you_mean
from cardgen.runtime.workspace import EVALUATION_STEPS
from cardgen.units import shorten, with_article


class _Structure(Enum):
    """How the parts of a value count."""

    ATOM = "as one"
    TEXT = "each character"
    ITEMS = "each item"
    VIEW = "each item that it shows"
    MAP = "each key and value"


_STRUCTURES: Mapping[_Structure, tuple[type, ...]] = {
    _Structure.TEXT: (str, bytes),
    _Structure.ITEMS: (list, tuple, set, frozenset),
    _Structure.VIEW: (KeysView, ValuesView, ItemsView),
    _Structure.MAP: (dict,),
}


class _StructureOfType(dict[type, _Structure]):
    """Cache of the structure of types.

    Comparing each value with abstract classes takes ten times as long.
    """

    def __missing__(self, kind: type) -> _Structure:
        fitting = (structure for structure, bases in _STRUCTURES.items() if issubclass(kind, bases))
        structure = self[kind] = next(fitting, _Structure.ATOM)
        return structure


_STRUCTURE_OF = _StructureOfType()


_ATOM, _TEXT = _Structure.ATOM, _Structure.TEXT


def weight(value: Any, limit: int, *, in_models: bool = False) -> int:
    """Return the number of items and characters in a value, and on request in the models in it.

    A part that occurs several times counts each time. Counting stops above `limit`, so any heavier result is only a
    lower bound.
    """
    total, pending = 0, [value]
    while pending and total <= limit:
        item = pending.pop()
        total += 1
        structure = _STRUCTURE_OF[type(item)]
        if structure is _ATOM:
            if in_models and isinstance(item, BaseModel):
                pending.extend(item.__dict__.values())
                pending.extend((item.model_extra or {}).values())
            continue
        if structure is _TEXT:
            total += len(item)
        elif structure is _Structure.ITEMS:
            total += len(item) if len(item) > limit else 0
            pending.extend(item if len(item) <= limit else ())
        elif structure is _Structure.VIEW:
            pending.extend(item)
        else:
            pending.extend(item.keys())
            pending.extend(item.values())
    return total


# Items and characters of a value that an expression builds, and bits of a whole number: Python prints no longer ones.
MAX_WEIGHT = 100_000
_MOST_BITS = 4_096


_MOST_COMPARED = 300


_SCALARS = frozenset({bool, int, float, type(None)})


class ExpressionError(ValueError):
    """A mistake in an expression, or a value that it cannot work with.

    `word` is the name to blame, if any; `start` and `end` are the range of its characters in the source.
    """

    def __init__(self, message: str, word: str = "", start: int = 0, end: int = 0) -> None:
        super().__init__(message)
        self.message, self.word, self.start, self.end = message, word, start, end


class _Missing:
    """Marker for a name that has no value."""

    def __bool__(self) -> bool:
        return False


MISSING: Any = _Missing()


def describe_kind(value: Any) -> str:
    """Return what a value is, in words: 'a number', 'a text', 'a brave'."""
    if value is None or value is MISSING:
        return "nothing"
    if isinstance(value, bool):
        return "true or false"
    value = card_of(value) or value
    if isinstance(value, BaseModel):
        return with_article(getattr(type(value), "KIND", "") or "map")
    kinds = ((int | float, "a number"), (str, "a text"), (list | tuple, "a list"), (Mapping, "a map"))
    return next((words for kind, words in kinds if isinstance(value, kind)), "a function")


def suggest(name: str, known: Collection[str]) -> str:
    """Return a suggestion such as "; did you mean 'heat'?".

    Return '' if there are too many names to compare.
    """
    return did_you_mean(name, known) if len(known) <= _MOST_COMPARED else ""


class LinkedName(str):
    """The name of a card: a text whose attributes are those of the card."""

    _find: Callable[[], BaseModel | None]

    def __new__(cls, name: str, find: Callable[[], BaseModel | None] = lambda: None) -> LinkedName:
        """Return the name of the card that `find` returns at its first use; None if no card has it."""
        self = super().__new__(cls, name)
        self._find = find
        return self

    @cached_property
    def card(self) -> BaseModel | None:
        """The card, or None."""
        return self._find()


def card_of(value: object) -> BaseModel | None:
    """Return the card that a value names, or None."""
    return value.card if isinstance(value, LinkedName) else None


# Replaces the value of a field of a model, given the model and the name of the field.
Links: TypeAlias = Callable[[BaseModel, str, Any], Any]


def attribute(value: Any, name: str, links: Links | None = None) -> Any:
    """Return the value of a key, field, or property; `links` replace the values of fields.

    Return MISSING if it has none of that name.
    """
    if isinstance(value, LinkedName):
        value = value.card
    if isinstance(value, Mapping):
        return value.get(name, MISSING)
    if not isinstance(value, BaseModel):
        return MISSING
    kind = type(value)
    if name in kind.model_fields or isinstance(getattr(kind, name, None), property):
        found = MISSING if name.startswith("_") else getattr(value, name)
    elif (field := _fields_by_alias(kind).get(name)) is not None:
        found = getattr(value, field)
    else:
        return (value.model_extra or {}).get(name, MISSING)
    return found if links is None or found is MISSING else links(value, name, found)


@lru_cache(maxsize=1_000)
def _fields_by_alias(kind: type[BaseModel]) -> Mapping[str, str]:
    """Return the names of the fields of a model that have an alias."""
    return {field.alias: key for key, field in kind.model_fields.items() if field.alias is not None}


def attribute_names(value: Any) -> tuple[str, ...]:
    """Return the names that `attribute` knows, without the properties of models."""
    if isinstance(value, LinkedName):
        value = value.card
    if isinstance(value, Mapping):
        return tuple(str(key) for key in value)
    if isinstance(value, BaseModel):
        fields = (field.alias or key for key, field in type(value).model_fields.items())
        return (*fields, *(value.model_extra or ()))
    return ()


def require_attribute(value: Any, name: str, owner: str, links: Links | None = None) -> Any:
    """Return an attribute of a value called `owner`, as `attribute` does.

    Raises ExpressionError if it has none of that name.
    """
    result = attribute(value, name, links)
    if result is not MISSING:
        return result
    if value is None:
        raise ExpressionError(f"'{owner}' has no value here, so it has no '{name}'", name)
    if isinstance(value, LinkedName) and value.card is None:
        raise ExpressionError(f"'{owner}' refers to the card '{shorten(value)}', which does not exist", name)
    suggestion = suggest(name, attribute_names(value))
    raise ExpressionError(f"'{owner}' is {describe_kind(value)} without '{shorten(name)}'{suggestion}", name)


def text_of(value: Any) -> str:
    """Return a value as text: nothing as '', lists with commas, cards by name."""
    if isinstance(value, str):
        return str(value)
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
    if isinstance(value, BaseModel):
        return text_of(getattr(value, "name", None))
    if isinstance(value, Mapping):
        return ", ".join(f"{text_of(key)}: {text_of(item)}" for key, item in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(text_of, value))
    raise ExpressionError(f"{describe_kind(value)} cannot be printed")


def size_of(value: Any) -> int:
    """Return the number of items and characters in a value.

    Counting stops above MAX_WEIGHT.
    """
    return 1 if type(value) in _SCALARS else weight(value, MAX_WEIGHT)


def cost_of_comparing(value: Any) -> int:
    """Return the number of items and characters in a value and in the models in it, which a comparison reads.

    Counting stops above the steps of an evaluation.
    """
    return 1 if type(value) in _SCALARS else weight(value, EVALUATION_STEPS, in_models=True)


def require_small(value: Any) -> Any:
    """Return the value.

    Raises ExpressionError if it has more than MAX_WEIGHT items and characters, and for an enormous number.
    """
    if type(value) is int and value.bit_length() > _MOST_BITS:
        raise ExpressionError("a number is too large")
    if size_of(value) > MAX_WEIGHT:
        raise ExpressionError(f"a value cannot have more than {MAX_WEIGHT:,} items and characters")
    return value


def require_number(value: Any, user: str) -> Any:
    """Return a number. Raises ExpressionError for anything else.

    `user` is the function or operator that needs it.
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ExpressionError(f"'{user}' needs a number, not {describe_kind(value)}", user)
    return value


def require_text(value: Any, user: str) -> str:
    """Return a text. Raises ExpressionError for anything else.

    `user` is the function or operator that needs it.
    """
    if not isinstance(value, str):
        raise ExpressionError(f"'{user}' needs a text, not {describe_kind(value)}", user)
    return value


def items_of(value: Any, user: str) -> list[Any]:
    """Return the items of a list, or the keys of a map.

    Raises ExpressionError for anything else.
    """
    if isinstance(value, list | tuple | Mapping):
        return list(value)
    raise ExpressionError(f"'{user}' needs a list, not {describe_kind(value)}", user)


def numbers_of(values: Iterable[Any], user: str) -> Iterator[Any]:
    """Yield numbers; true counts as 1. Raises ExpressionError for anything else."""
    return (int(value) if isinstance(value, bool) else require_number(value, user) for value in values)
