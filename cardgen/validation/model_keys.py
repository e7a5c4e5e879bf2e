"""Keys of a model, their spellings, and the models below them."""

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from functools import cache
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias, get_args, get_origin

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


class FreeKeys(Model):
    """Stands for a map with free keys among models; `VALUES` are the models of its values."""

    VALUES: ClassVar[ModelClasses] = ()


@cache
def _free_keys(values: ModelClasses) -> type[FreeKeys]:
    """Return the class that stands for maps with values of some models."""
    return type("FreeKeys", (FreeKeys,), {"VALUES": values})


@cache
def model_keys(model: type[Model]) -> Mapping[str, ModelKey]:
    """Return the keys of `model` by spelling and by Python attribute.

    For example, both 'if' and `condition` map to the same key.
    """
    if not model.__pydantic_fields_complete__:  # some annotations name a class that was defined later
        model.model_rebuild()
    by_spelling: dict[str, ModelKey] = {}
    by_attribute: dict[str, ModelKey] = {}
    for attribute, info in model.model_fields.items():
        name = info.alias or attribute
        others = model.SYNONYMS.get(name, ())
        parts = tuple(annotation_parts(info.annotation))
        models = _unique(_models_in(info.annotation))
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

    Items of a list keep the models of their container.
    """
    matches = [model_keys(model)[step] for model in models if isinstance(step, str) and step in model_keys(model)]
    if matches:
        return _unique(model for key in matches for model in key.models)
    return _unique(_values_of(models)) if isinstance(step, str) else models


def _values_of(models: Iterable[type[Model]]) -> Iterator[type[Model]]:
    """Yield the models, and those of the values of maps in place of the maps."""
    for model in models:
        yield from model.VALUES if issubclass(model, FreeKeys) else (model,)


def reachable_models(models: ModelClasses) -> Iterator[tuple[str, type[Model]]]:
    """Yield the models and all models below them, nearest first.

    Each comes once, with the key that leads to it, or ''.
    """
    queue = [("", model) for model in _nested_values(models)]
    seen = {model for _, model in queue}
    for name, model in queue:
        yield name, model
        for key in _unique(model_keys(model).values()):
            lowers = _nested_values(key.models)
            queue += [(key.spellings[0], lower) for lower in lowers if lower not in seen]
            seen.update(lowers)


def _nested_values(models: ModelClasses) -> ModelClasses:
    """Return the models, and those in maps of maps in place of the maps."""
    while any(issubclass(model, FreeKeys) for model in models):
        models = _unique(_values_of(models))
    return models


def annotation_parts(annotation: Any) -> Iterator[Any]:
    """Yield an annotation and its type arguments, without looking into models."""
    yield annotation
    for part in get_args(annotation):
        yield from annotation_parts(part)


def _models_in(annotation: Any) -> Iterator[type[Model]]:
    """Yield the models in an annotation; maps from free keys to models are classes of `FreeKeys`."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if isinstance(annotation, type) and issubclass(annotation, Model):
        yield annotation
    elif isinstance(origin, type) and issubclass(origin, Mapping) and len(arguments) == 2:
        values = _unique(_models_in(arguments[1]))
        if values:
            yield _free_keys(values)
    else:
        for part in arguments:
            yield from _models_in(part)


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
