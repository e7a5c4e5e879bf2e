"""Keys of a model, their spellings, and the models below them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from functools import cache
from typing import Any, Literal, NamedTuple, TypeAlias, get_args, get_origin

from cardgen.validation.base import Model

ModelClasses: TypeAlias = tuple[type[Model], ...]


class ModelKey(NamedTuple):
    """One key of a model.

    `spellings` are what authors may write, the usual one first; `models` are the models that its value, or an item
    of its value, may be; `choices` are the words and constants that it may be, `description` says what it may be
    in words.
    """

    spellings: tuple[str, ...]
    models: ModelClasses
    choices: tuple[object, ...]
    description: str = ""


@cache
def model_keys(model: type[Model]) -> Mapping[str, ModelKey]:
    """The keys of `model` by every spelling, and by the attribute's name in Python ('if' and `condition`)."""
    by_spelling: dict[str, ModelKey] = {}
    by_attribute: dict[str, ModelKey] = {}
    for attribute, info in model.model_fields.items():
        name = info.alias or attribute
        others = model.SYNONYMS.get(name, ())
        parts = tuple(annotation_parts(info.annotation))
        models = tuple(part for part in parts if isinstance(part, type) and issubclass(part, Model))
        key = ModelKey((name, *others), models, _constants(parts), info.description or "")
        by_spelling.update(dict.fromkeys(key.spellings, key))
        by_attribute[attribute] = key
    return {**by_attribute, **by_spelling}


def canonical_keys(models: ModelClasses) -> tuple[str, ...]:
    """The usual spelling of each key, in the order of the fields."""
    return _unique(key.spellings[0] for model in models for key in model_keys(model).values())


def accepted_keys(models: ModelClasses) -> tuple[str, ...]:
    """What authors may write as a key, synonyms too, in the order of the fields."""
    return _unique(name for model in models for key in model_keys(model).values() for name in key.spellings)


def spellings_of(models: ModelClasses, step: str | int) -> tuple[str | int, ...]:
    """All names under which an author may have written `step`, itself first."""
    if isinstance(step, int):
        return (step,)
    names = (name for model in models if step in model_keys(model) for name in model_keys(model)[step].spellings)
    return _unique((step, *names))


def child_models(models: ModelClasses, step: str | int) -> ModelClasses:
    """The models one step further; an item of a list, and a free key of a map, stay with the models they are in."""
    matches = [model_keys(model)[step] for model in models if isinstance(step, str) and step in model_keys(model)]
    return _unique(model for key in matches for model in key.models) if matches else models


def reachable_models(models: ModelClasses) -> Iterator[tuple[str, type[Model]]]:
    """The models, and all that stand below them, each once, the nearest first, with the key that leads there or ''."""
    queue = [("", model) for model in models]
    seen = set(models)
    for name, model in queue:
        yield name, model
        for key in _unique(model_keys(model).values()):
            queue += [(key.spellings[0], lower) for lower in key.models if lower not in seen]
            seen.update(key.models)


def annotation_parts(annotation: Any) -> Iterator[Any]:
    """An annotation and all that stands inside it, but not inside models."""
    yield annotation
    for part in get_args(annotation):
        yield from annotation_parts(part)


def _constants(parts: Iterable[Any]) -> tuple[object, ...]:
    constants: list[object] = []
    for part in parts:
        if get_origin(part) is Literal:
            constants += get_args(part)
        elif isinstance(part, type) and issubclass(part, Enum):
            constants += [member.value for member in part]
    return tuple(constants)


def _unique(items: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(items))
