"""Keys of a model, their spellings, and the models below them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from functools import cache
from typing import Any, Literal, NamedTuple, TypeAlias, get_args, get_origin

from cardgen.validation.base import Model

ModelClasses: TypeAlias = tuple[type[Model], ...]


class ModelKey(NamedTuple):
    """Key of a model.

    `spellings` are the names that authors may write, the canonical one first. `models` are the possible models of its
    value or of an item of its value. `choices` are the constants that it may be, and `description` describes valid
    values.
    """

    spellings: tuple[str, ...]
    models: ModelClasses
    choices: tuple[object, ...]
    description: str = ""


@cache
def model_keys(model: type[Model]) -> Mapping[str, ModelKey]:
    """Return the keys of `model` by spelling and by Python attribute.

    For example, both 'if' and `condition` map to the same key.
    """
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
    """Return the canonical spelling of each key, in field order."""
    return _unique(key.spellings[0] for model in models for key in model_keys(model).values())


def accepted_keys(models: ModelClasses) -> tuple[str, ...]:
    """Return all spellings of all keys, in field order."""
    return _unique(name for model in models for key in model_keys(model).values() for name in key.spellings)


def spellings_of(models: ModelClasses, step: str | int) -> tuple[str | int, ...]:
    """Return all spellings of `step`, itself first."""
    if isinstance(step, int):
        return (step,)
    names = (name for model in models if step in model_keys(model) for name in model_keys(model)[step].spellings)
    return _unique((step, *names))


def child_models(models: ModelClasses, step: str | int) -> ModelClasses:
    """Return the models one step below.

    Items of a list and free keys of a map keep the models of their container.
    """
    matches = [model_keys(model)[step] for model in models if isinstance(step, str) and step in model_keys(model)]
    return _unique(model for key in matches for model in key.models) if matches else models


def reachable_models(models: ModelClasses) -> Iterator[tuple[str, type[Model]]]:
    """Yield the models and all models below them, nearest first.

    Each comes once, with the key that leads to it, or ''.
    """
    queue = [("", model) for model in models]
    seen = set(models)
    for name, model in queue:
        yield name, model
        for key in _unique(model_keys(model).values()):
            queue += [(key.spellings[0], lower) for lower in key.models if lower not in seen]
            seen.update(key.models)


def annotation_parts(annotation: Any) -> Iterator[Any]:
    """Yield an annotation and its type arguments, without looking into models."""
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
