"""Variables of expressions, from the models of cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property
from itertools import chain
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from cardgen.model.references import reference_keys
from cardgen.rulesets.ruleset import Kind
from cardgen.sandbox.frames import ANYTHING, Shape
from cardgen.validation.base import Model

_PLAIN = (str, int, float, bool, NoneType)


class AnyNames(dict[str, Shape]):
    """Scope of cards that keep unknown keys: it contains every name."""

    def __contains__(self, name: object) -> bool:
        return True


@cache
def shape_of_model(model: type[Model]) -> Shape:
    """Return the shape of cards or parts of a model.

    One that keeps unknown keys can have any name.
    """
    if model.model_config.get("extra") == "allow":
        return ANYTHING
    return Shape({field.alias or name: _shape_of(field.annotation) for name, field in model.model_fields.items()})


def linked_shape(model: type[Model], kinds: Mapping[str, Kind]) -> Shape:
    """Return the shape of cards or parts of a model whose fields lead to the cards that they name."""
    shape, links = shape_of_model(model), reference_keys(model)
    if shape.fields is None or not links:
        return shape
    fields = {key: _link_shape(key, links, shape, kinds) for key in links}
    return Shape({**shape.fields, **fields})


def _link_shape(key: str, links: Mapping[str, str], owner: Shape, kinds: Mapping[str, Kind]) -> Shape:
    kind = kinds.get(links[key])
    if kind is None or kind.model.model_config.get("extra") == "allow":
        return ANYTHING
    card = Shape(_LinkedFields(kind.model, kinds))
    return Shape(items=card) if owner.fields and owner.fields[key].items else card


class _LinkedFields(Mapping[str, Shape]):
    """The fields of a card that another card names; they are computed on demand, since cards can name each other."""

    def __init__(self, model: type[Model], kinds: Mapping[str, Kind]) -> None:
        self._model, self._kinds = model, kinds

    @cached_property
    def _fields(self) -> Mapping[str, Shape]:
        return linked_shape(self._model, self._kinds).fields or {}

    def __getitem__(self, name: str) -> Shape:
        return self._fields[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)


def _shape_of(annotation: Any) -> Shape:
    """Return the shape of the values of a field."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _shape_of(arguments[0])
    if origin in (Union, UnionType):
        shapes = [_shape_of(each) for each in arguments if each is not NoneType]
        return shapes[0] if len(shapes) == 1 else ANYTHING
    if origin is tuple and len(arguments) == 2 and arguments[1] is ...:
        return Shape(items=_shape_of(arguments[0]))
    if isinstance(annotation, type) and issubclass(annotation, Model):
        return shape_of_model(annotation)
    if origin is Literal and all(isinstance(each, str) for each in arguments):
        return Shape({}, words=arguments)
    return Shape({}) if annotation in _PLAIN else ANYTHING


def scope_of_model(model: type[Model]) -> Mapping[str, Shape]:
    """Return the variables in a text of a card: its fields.

    A model that keeps unknown keys has any name.
    """
    fields = shape_of_model(model).fields
    return AnyNames() if fields is None else fields


def common_scope(shapes: Iterable[Shape]) -> Mapping[str, Shape] | None:
    """Return the names that all shapes have.

    Return None if any can have any name.
    """
    every = [shape.fields for shape in shapes]
    if not every or any(fields is None for fields in every):
        return None
    first, *others = [dict(fields) for fields in every if fields is not None]
    shared = {name: shape for name, shape in first.items() if all(name in fields for fields in others)}
    return {name: _widened(shape, [fields[name] for fields in others]) for name, shape in shared.items()}


def _widened(shape: Shape, others: Iterable[Shape]) -> Shape:
    """Return a shape with the words of all, if all are known."""
    words = [each.words for each in (shape, *others)]
    known = [each for each in words if each is not None]
    return shape._replace(words=tuple(dict.fromkeys(chain(*known))) if len(known) == len(words) else None)
