"""The parts of a card that checks may look at: the card, every model below it, and its free texts."""

from __future__ import annotations

from functools import cache
from typing import TypeAlias

from cardgen.check.prose import FREE_TEXT_KEYS, FreeText
from cardgen.model.base import Model
from cardgen.shape.keys import model_keys
from cardgen.source import KeyPath

# A part of a card, the route to it, and the models that it stands in.
CardPart: TypeAlias = tuple[object, KeyPath, tuple[Model, ...]]


def walk_parts(model: Model) -> list[CardPart]:
    """The model itself and all parts below it, in the order of their keys."""
    collected: list[CardPart] = []
    _collect(model, (), (), collected)
    return collected


def _collect(model: Model, route: KeyPath, ancestors: tuple[Model, ...], collected: list[CardPart]) -> None:
    collected.append((model, route, ancestors))
    part_fields = _part_fields(type(model))
    if not part_fields:
        return
    inner_ancestors = (*ancestors, model)
    for attribute, key in part_fields:
        value = getattr(model, attribute)
        if not value:
            continue
        if isinstance(value, str):
            collected.append((FreeText(value, key), (*route, key), inner_ancestors))
        elif isinstance(value, Model):
            _collect(value, (*route, key), inner_ancestors, collected)
        else:
            for index, item in enumerate(value):
                _collect(item, (*route, key, index), inner_ancestors, collected)


@cache
def _part_fields(model: type[Model]) -> tuple[tuple[str, str], ...]:
    """Attribute and key of each field that holds models or free text."""
    names = ((attribute, info.alias or attribute) for attribute, info in model.model_fields.items())
    return tuple((attribute, key) for attribute, key in names if key in FREE_TEXT_KEYS or model_keys(model)[key].models)
