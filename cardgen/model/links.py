"""References between cards: every value of a card that names another one."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from cardgen.model.reference import Reference
from cardgen.shape.base import Model
from cardgen.shape.keys import ModelClasses, annotation_parts, child_models, reachable_models
from cardgen.source import KeyPath


class Link(NamedTuple):
    """A value at `route` that names a card of a kind, by its id or its name."""

    key_path: KeyPath
    kind: str
    name: str


class _ReferenceField(NamedTuple):
    attribute: str
    key: str
    reference: Reference | None


def find_links(model: Model) -> Iterator[Link]:
    """The references that a card or a part of it makes, in the order of its keys."""
    for field in _reference_fields(type(model)):
        yield from _links_within(getattr(model, field.attribute), field.reference, (field.key,))


def _links_within(value: object, reference: Reference | None, key_path: KeyPath) -> Iterator[Link]:
    if isinstance(value, Model):
        for link in find_links(value):
            yield link._replace(key_path=(*key_path, *link.key_path))
    elif isinstance(value, tuple | list):
        for index, item in enumerate(value):
            yield from _links_within(item, reference, (*key_path, index))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _links_within(item, reference, (*key_path, key))
    elif isinstance(value, str) and reference:
        yield Link(key_path, reference.kind, value)


@cache
def _reference_fields(model: type[Model]) -> tuple[_ReferenceField, ...]:
    """The fields that are references, or that have models below which hold some."""
    return tuple(
        field for field, lower in _fields(model) if field.reference or any(map(_has_references, _models_below(lower)))
    )


def _has_references(model: type[Model]) -> bool:
    return any(field.reference for field, _ in _fields(model))


def _models_below(models: ModelClasses) -> Iterator[type[Model]]:
    return (model for _, model in reachable_models(models))


def _fields(model: type[Model]) -> Iterator[tuple[_ReferenceField, ModelClasses]]:
    for attribute, info in model.model_fields.items():
        parts = (*info.metadata, *annotation_parts(info.annotation))
        reference = next((part for part in parts if isinstance(part, Reference)), None)
        key = info.alias or attribute
        yield _ReferenceField(attribute, key, reference), child_models((model,), key)
