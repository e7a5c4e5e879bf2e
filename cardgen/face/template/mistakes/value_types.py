"""Types of template values, inferred from models, themes, and functions."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel

from cardgen.face.template.mistakes.wording import visible_fields


@dataclass(frozen=True, slots=True)
class ValueType:
    """A type about which nothing is known."""


@dataclass(frozen=True, slots=True)
class ScalarType(ValueType):
    """Text, a number, or a flag; `name` is that of `wording.type_name`."""

    name: str


@dataclass(frozen=True, slots=True)
class ModelType(ValueType):
    """A card or a part of one, of one of several models."""

    models: tuple[type[BaseModel], ...]


@dataclass(frozen=True, slots=True)
class ListType(ValueType):
    """A list of items."""

    item: ValueType


@dataclass(frozen=True, slots=True)
class MapType(ValueType):
    """A map with any keys."""

    item: ValueType


@dataclass(frozen=True, slots=True)
class KeysType(ValueType):
    """A map whose keys are known.

    `what` is the word for one of them.
    """

    keys: Mapping[str, ValueType]
    what: str = "key"


@dataclass(frozen=True, slots=True)
class FunctionType(ValueType):
    """A function, macro, or filter.

    `names` are the values that its first argument can have, if they are known.
    """

    name: str
    parameters: tuple[inspect.Parameter, ...]
    names: Callable[[], Iterable[str]] | None = None
    what: str = ""


UNKNOWN = ValueType()
TEXT, NUMBER, FLAG = ScalarType("text"), ScalarType("a number"), ScalarType("true or false")
_SCALARS: Mapping[object, ValueType] = {str: TEXT, int: NUMBER, float: NUMBER, bool: FLAG}
_LISTS = (tuple, list, set, frozenset)


def type_of_annotation(annotation: Any) -> ValueType:
    """Return the type of a field with this annotation."""
    annotation = getattr(annotation, "__value__", annotation)  # the value of a type alias
    if annotation in _SCALARS:
        return _SCALARS[annotation]
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return ModelType((annotation,))
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return type_of_annotation(parts[0])
    if origin is Literal:
        return TEXT if all(isinstance(part, str) for part in parts) else UNKNOWN
    if origin in (Union, types.UnionType):
        return union([type_of_annotation(part) for part in parts if part is not type(None)])
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return MapType(type_of_annotation(parts[1]))
    if origin in _LISTS:
        return ListType(union([type_of_annotation(part) for part in parts if part is not ...]))
    return UNKNOWN


def union(alternatives: list[ValueType]) -> ValueType:
    """Return the type of a value that has one of several types."""
    distinct = list(dict.fromkeys(alternatives)) if all(map(_is_hashable, alternatives)) else alternatives
    if len(distinct) == 1:
        return distinct[0]
    if distinct and all(isinstance(each, ModelType) for each in distinct):
        return ModelType(tuple(model for each in distinct if isinstance(each, ModelType) for model in each.models))
    return UNKNOWN


def _is_hashable(kind: ValueType) -> bool:
    return not isinstance(kind, KeysType)


def type_of_value(value: Any, name: str = "") -> ValueType:
    """Return the type of a value of the context."""
    if type(value) in _SCALARS:
        return _SCALARS[type(value)]
    if isinstance(value, BaseModel):
        return KeysType({field: type_of_value(getattr(value, field), field) for field in visible_fields(type(value))})
    if isinstance(value, Mapping):
        what = {"colours": "color", "fonts": "font", "styles": "style"}.get(name, "key")
        return KeysType({str(key): type_of_value(each) for key, each in value.items()}, what)
    if callable(value):
        try:
            return FunctionType(name, tuple(inspect.signature(value).parameters.values()))
        except (TypeError, ValueError):
            return UNKNOWN
    return UNKNOWN


def field_type(kind: ModelType, name: str) -> ValueType | None:
    """Return the type of a field; None if no model has it.

    What all models have, but templates cannot use, is left to the sandbox. Models that keep unknown keys may have any.
    """
    if hasattr(BaseModel, name) or any(model.model_config.get("extra") == "allow" for model in kind.models):
        return UNKNOWN
    alternatives = [_field_of(model, name) for model in kind.models if name in visible_fields(model)]
    return union(alternatives) if alternatives else None


def _field_of(model: type[BaseModel], name: str) -> ValueType:
    if name in model.model_fields:
        return type_of_annotation(model.model_fields[name].annotation)
    getter = getattr(model, name).fget
    try:
        return type_of_annotation(get_type_hints(getter).get("return"))
    except (NameError, TypeError, AttributeError):
        return UNKNOWN


def choices_of(kind: ModelType, name: str) -> tuple[str, ...]:
    """Return the words that a field can be; () if it can be something else."""
    words: list[str] = []
    for model in kind.models:
        info = model.model_fields.get(name)
        own = _words_of(info.annotation) if info else ()
        if not own:
            return ()
        words += own
    return tuple(dict.fromkeys(words))


def _words_of(annotation: Any) -> tuple[str, ...]:
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _words_of(parts[0])
    if origin in (Union, types.UnionType):
        others = [part for part in parts if part is not type(None)]
        return _words_of(others[0]) if len(others) == 1 else ()
    return parts if origin is Literal and all(isinstance(part, str) for part in parts) else ()
