"""Keys of models, and the models below them."""

from __future__ import annotations

from collections.abc import Mapping

from cardgen.source import parse_document
from cardgen.validation.base import Int, Model, SourceMap, child_models, reachable_models
from cardgen.validation.validate import validate


class Inner(Model):
    size: Int
    name: Int = 0


class Middle(Model):
    size: Mapping[str, Inner] = {}
    many: tuple[Inner, ...] = ()


class Outer(Model):
    things: Mapping[str, Mapping[str, Middle]] | None = None


def test_free_keys_lead_to_the_values_of_their_map() -> None:
    for key in ("size", "many", "x"):
        below = child_models(child_models(child_models((Outer,), "things"), key), key)
        assert below == (Middle,)
        assert child_models(child_models(below, "size"), key) == (Inner,)
    assert child_models(child_models((Middle,), "many"), 0) == (Inner,)


def test_models_in_maps_are_reached() -> None:
    assert [model for _, model in reachable_models((Outer,))] == [Outer, Middle, Inner]
    assert [model for _, model in reachable_models(child_models((Outer,), "things"))] == [Middle, Inner]


def test_a_free_key_that_is_also_a_key_is_located() -> None:
    document = parse_document("things: {size: {many: {size: {name: {siize: 1}}}}}\n", "a.yaml")
    _, problems = validate(Outer, document.data, SourceMap(document, (Outer,)))
    assert [(each.message, each.place.span.column if each.place.span else 0) for each in problems] == [
        ("unknown key 'siize'; did you mean 'size'?", 38)
    ]
