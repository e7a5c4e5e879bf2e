"""What expressions can find in cards: the fields of a model as a shape."""

from __future__ import annotations

from functools import cache
from typing import Any, get_args, get_origin

from cardgen.sandbox.expression import ANYTHING, Shape
from cardgen.validation.base import Model
from cardgen.validation.model_keys import annotation_parts


@cache
def shape_of_model(model: type[Model]) -> Shape:
    """Return the shape of the cards or parts of a model.

    Cards that keep unknown keys can have any field.
    """
    if model.model_config.get("extra") == "allow":
        return ANYTHING
    return Shape({name: _shape_of_type(info.annotation) for name, info in model.model_fields.items()})


def _shape_of_type(annotation: Any) -> Shape:
    """Return the shape of a field: of its model, or of the items of a list."""
    models = [part for part in annotation_parts(annotation) if isinstance(part, type) and issubclass(part, Model)]
    inner = shape_of_model(models[0]) if len(models) == 1 else ANYTHING
    is_list = any(get_origin(part) is tuple for part in (annotation, *get_args(annotation)))
    if any(get_origin(part) is dict for part in (annotation, *get_args(annotation))):
        return ANYTHING
    return Shape(items=inner) if is_list else inner
