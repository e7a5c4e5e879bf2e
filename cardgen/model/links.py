"""References between cards: every value of a card that names another one."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from cardgen.model.reference import Reference
from cardgen.shape.base import Model
from cardgen.shape.keys import Models, all_parts, below, reachable
from cardgen.source import Route


class Link(NamedTuple):
    """A value at `route` that names a card of a kind, by its id or its name."""

    route: Route
    kind: str
    name: str


class _Field(NamedTuple):
    attribute: str
    key: str
    reference: Reference | None


def links(model: Model) -> Iterator[Link]:
    """The references that a card or a part of it makes, in the order of its keys."""
    for field in _leading(type(model)):
        yield from _within(getattr(model, field.attribute), field.reference, (field.key,))


def _within(value: object, reference: Reference | None, route: Route) -> Iterator[Link]:
    if isinstance(value, Model):
        for link in links(value):
            yield link._replace(route=(*route, *link.route))
    elif isinstance(value, tuple | list):
        for index, item in enumerate(value):
            yield from _within(item, reference, (*route, index))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _within(item, reference, (*route, key))
    elif isinstance(value, str) and reference:
        yield Link(route, reference.kind, value)


@cache
def _leading(model: type[Model]) -> tuple[_Field, ...]:
    """The fields that are references, or that have models below which hold some."""
    return tuple(field for field, lower in _fields(model) if field.reference or any(map(_refers, _below(lower))))


def _refers(model: type[Model]) -> bool:
    return any(field.reference for field, _ in _fields(model))


def _below(models: Models) -> Iterator[type[Model]]:
    return (model for _, model in reachable(models))


def _fields(model: type[Model]) -> Iterator[tuple[_Field, Models]]:
    for attribute, info in model.model_fields.items():
        parts = (*info.metadata, *all_parts(info.annotation))
        reference = next((part for part in parts if isinstance(part, Reference)), None)
        key = info.alias or attribute
        yield _Field(attribute, key, reference), below((model,), key)
