"""What keys a model has, how authors may spell them, and which models stand below."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from functools import cache
from typing import Any, Literal, NamedTuple, TypeAlias, get_args, get_origin

from cardgen.shape.base import Model

Models: TypeAlias = tuple[type[Model], ...]


class Key(NamedTuple):
    """One key of a model.

    `spellings` are what authors may write, the usual one first; `models` are the models that its value, or an item
    of its value, may be; `choices` are the words and constants that it may be, `description` says what it may be
    in words.
    """

    spellings: tuple[str, ...]
    models: Models
    choices: tuple[object, ...]
    description: str = ""


@cache
def keys(model: type[Model]) -> Mapping[str, Key]:
    """The keys of `model` by every spelling, and by the attribute's name in Python ('if' and `condition`)."""
    found: dict[str, Key] = {}
    attributes: dict[str, Key] = {}
    for attribute, info in model.model_fields.items():
        name = info.alias or attribute
        others = model.SYNONYMS.get(name, ())
        parts = tuple(all_parts(info.annotation))
        models = tuple(part for part in parts if isinstance(part, type) and issubclass(part, Model))
        key = Key((name, *others), models, _choices(parts), info.description or "")
        found.update(dict.fromkeys(key.spellings, key))
        attributes[attribute] = key
    return {**attributes, **found}


def usual_keys(models: Models) -> tuple[str, ...]:
    """The usual spelling of each key, in the order of the fields."""
    return _unique(key.spellings[0] for model in models for key in keys(model).values())


def known_keys(models: Models) -> tuple[str, ...]:
    """What authors may write as a key, synonyms too, in the order of the fields."""
    return _unique(name for model in models for key in keys(model).values() for name in key.spellings)


def spellings(models: Models, step: str | int) -> tuple[str | int, ...]:
    """All names under which an author may have written `step`, itself first."""
    if isinstance(step, int):
        return (step,)
    names = (name for model in models if step in keys(model) for name in keys(model)[step].spellings)
    return _unique((step, *names))


def below(models: Models, step: str | int) -> Models:
    """The models one step further; an item of a list, and a free key of a map, stay with the models they are in."""
    found = [keys(model)[step] for model in models if isinstance(step, str) and step in keys(model)]
    return _unique(model for key in found for model in key.models) if found else models


def reachable(models: Models) -> Iterator[tuple[str, type[Model]]]:
    """The models, and all that stand below them, each once, the nearest first, with the key that leads there or ''."""
    waiting = [("", model) for model in models]
    seen = set(models)
    for name, model in waiting:
        yield name, model
        for key in _unique(keys(model).values()):
            waiting += [(key.spellings[0], lower) for lower in key.models if lower not in seen]
            seen.update(key.models)


def all_parts(annotation: Any) -> Iterator[Any]:
    """An annotation and all that stands inside it, but not inside models."""
    yield annotation
    for part in get_args(annotation):
        yield from all_parts(part)


def _choices(parts: Iterable[Any]) -> tuple[object, ...]:
    found: list[object] = []
    for part in parts:
        if get_origin(part) is Literal:
            found += get_args(part)
        elif isinstance(part, type) and issubclass(part, Enum):
            found += [member.value for member in part]
    return tuple(found)


def _unique(items: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(items))
