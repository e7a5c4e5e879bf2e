"""The parts of a card that checks may look at: the card, every model below it, and its free texts."""

from __future__ import annotations

from functools import cache
from typing import TypeAlias

from cardgen.check.prose import KEYS, Prose
from cardgen.model.base import Model
from cardgen.shape.keys import keys
from cardgen.source import Route

# A part of a card, the route to it, and the models that it stands in.
Spot: TypeAlias = tuple[object, Route, tuple[Model, ...]]


def parts(model: Model) -> list[Spot]:
    """The model itself and all parts below it, in the order of their keys."""
    found: list[Spot] = []
    _collect(model, (), (), found)
    return found


def _collect(model: Model, route: Route, above: tuple[Model, ...], found: list[Spot]) -> None:
    found.append((model, route, above))
    leading = _leading(type(model))
    if not leading:
        return
    inside = (*above, model)
    for attribute, key in leading:
        value = getattr(model, attribute)
        if not value:
            continue
        if isinstance(value, str):
            found.append((Prose(value, key), (*route, key), inside))
        elif isinstance(value, Model):
            _collect(value, (*route, key), inside, found)
        else:
            for index, item in enumerate(value):
                _collect(item, (*route, key, index), inside, found)


@cache
def _leading(model: type[Model]) -> tuple[tuple[str, str], ...]:
    """Attribute and key of each field that holds models or free text."""
    names = ((attribute, info.alias or attribute) for attribute, info in model.model_fields.items())
    return tuple((attribute, key) for attribute, key in names if key in KEYS or keys(model)[key].models)
