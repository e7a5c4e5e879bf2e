"""Models that share their parts and the names of their keys are as they were before."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import Field

from cardgen.validation.base import Model, SharedParts


class Leaf(Model):
    size: int = 1
    colour: str = ""


class Tree(Model):
    name: str
    leaves: tuple[Leaf, ...] = ()
    named: dict[str, Leaf]


def share(models: Iterable[Model]) -> None:
    shared = SharedParts()
    for model in models:
        shared.share(model)


def trees() -> list[Tree]:
    leaves = [{"size": 2}, {"colour": "red"}, {"size": 3}]
    return [Tree.model_validate({"name": name, "leaves": leaves, "named": {"a": {"size": 4}}}) for name in "ab"]


def test_models_of_the_same_keys_share_their_names() -> None:
    first, second = models = trees()
    share(models)
    sets = [leaf.model_fields_set for leaf in (*first.leaves, *second.leaves, first.named["a"], second.named["a"])]
    assert [sorted(each) for each in sets[:3]] == [["size"], ["colour"], ["size"]]
    assert len({id(each) for each in sets}) == 2
    assert first.model_fields_set is second.model_fields_set
    assert first.model_fields_set == {"name", "leaves", "named"}


def test_nothing_else_is_changed() -> None:
    models = trees()
    share(models)
    assert models == trees()
    assert models[0].model_dump(exclude_unset=True) == trees()[0].model_dump(exclude_unset=True)


def test_a_changed_copy_keeps_its_keys_to_itself() -> None:
    models = trees()
    share(models)
    leaf = models[0].leaves[0].model_copy(update={"colour": "blue"})
    assert leaf.model_fields_set == {"size", "colour"}
    assert models[0].leaves[0].model_fields_set == models[0].leaves[2].model_fields_set == {"size"}


def test_equal_parts_are_the_same_part() -> None:
    first, second = models = trees()
    share(models)
    assert first.leaves == second.leaves
    assert all(one is other for one, other in zip(first.leaves, second.leaves, strict=True))
    assert first is not second
    assert first.leaves[0] is not first.leaves[2]


class Pair(Model):
    one: int | float | bool | str = 0
    parts: tuple[Leaf, ...] = ()
    more: dict[str, int] = Field(default_factory=dict)


def test_parts_that_only_seem_equal_stay_apart() -> None:
    class Box(Model):
        pairs: tuple[Pair, ...]

    given: list[dict[str, object]] = [
        {"one": 1}, {"one": 1.0}, {"one": True}, {"one": "1"}, {"one": 0}, {}, {"one": 0.0}, {"one": -0.0},
        {"parts": ()}, {"parts": [{"size": 1}]}, {"parts": [{}]}, {"more": {"a": 1}}, {"more": {"a": 1}},
    ]  # fmt: skip
    box = Box.model_validate({"pairs": given}, strict=False)
    before = [repr(each) for each in box.pairs]
    share([box])
    assert [repr(each) for each in box.pairs] == before
    assert [each.model_fields_set for each in box.pairs] == [{*each} for each in given]
    assert len({id(each) for each in box.pairs}) == len(given)
