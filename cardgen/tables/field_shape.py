"""Conversion of the cells of a key: text, list, or YAML."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from functools import cache
from typing import Any, Literal, NamedTuple, get_args, get_origin

from cardgen.validation.base import Model
from cardgen.validation.model_keys import ModelClasses, annotation_parts, child_models, model_keys

_LISTS = (list, tuple, set, frozenset, Sequence)
_MAPS = (dict, Mapping)


class FieldShape(NamedTuple):
    """Shape of a key's values: list or single; text, true or false, or other."""

    is_list: bool = False
    is_text: bool = False
    is_flag: bool = False


@cache
def shape_at(models: ModelClasses, path: tuple[str, ...]) -> FieldShape:
    """Return the shape of the values at a path in one of the models."""
    *parents, key = path
    for step in parents:
        below = child_models(models, step)
        models = below if below != models else ()
    annotations = [annotation for model in models for annotation in _annotations(model, key)]
    shapes = {_shape_of(annotation) for annotation in annotations}
    return shapes.pop() if len(shapes) == 1 else FieldShape()


def _annotations(model: type[Model], key: str) -> Iterator[Any]:
    """Yield the annotation of a key, in any of its spellings."""
    names = model_keys(model)
    for attribute, info in model.model_fields.items():
        if key in names and names[key] is names[attribute]:
            yield info.annotation


def _shape_of(annotation: Any) -> FieldShape:
    parts = [*_types_in(annotation)]
    is_list = any(part in _LISTS for part in parts)
    others = [part for part in parts if part not in _LISTS and part is not type(None)]
    is_flag = bool(others) and all(part is bool for part in others)
    return FieldShape(is_list, bool(others) and all(map(_is_text, others)), is_flag)


def _types_in(annotation: Any) -> Iterator[Any]:
    for part in annotation_parts(annotation):
        origin = get_origin(part)
        if origin in (*_LISTS, *_MAPS):
            yield origin
        elif origin is Literal:
            yield from map(type, get_args(part))
        elif isinstance(part, type):
            yield part


def _is_text(part: type[Any]) -> bool:
    return issubclass(part, str) or (issubclass(part, Enum) and all(isinstance(each.value, str) for each in part))
