"""Models that share the names of their keys are as they were before."""

from __future__ import annotations

from cardgen.validation.base import Model, share_field_sets


class Leaf(Model):
    size: int = 1
    colour: str = ""


class Tree(Model):
    name: str
    leaves: tuple[Leaf, ...] = ()
    named: dict[str, Leaf]


def trees() -> list[Tree]:
    leaves = [{"size": 2}, {"colour": "red"}, {"size": 3}]
    return [Tree.model_validate({"name": name, "leaves": leaves, "named": {"a": {"size": 4}}}) for name in "ab"]


def test_models_of_the_same_keys_share_their_names() -> None:
    first, second = models = trees()
    share_field_sets(models)
    sets = [leaf.model_fields_set for leaf in (*first.leaves, *second.leaves, first.named["a"], second.named["a"])]
    assert [sorted(each) for each in sets[:3]] == [["size"], ["colour"], ["size"]]
    assert len({id(each) for each in sets}) == 2
    assert first.model_fields_set is second.model_fields_set
    assert first.model_fields_set == {"name", "leaves", "named"}


def test_nothing_else_is_changed() -> None:
    models = trees()
    share_field_sets(models)
    assert models == trees()
    assert models[0].model_dump(exclude_unset=True) == trees()[0].model_dump(exclude_unset=True)


def test_a_changed_copy_keeps_its_keys_to_itself() -> None:
    models = trees()
    share_field_sets(models)
    leaf = models[0].leaves[0].model_copy(update={"colour": "blue"})
    assert leaf.model_fields_set == {"size", "colour"}
    assert models[0].leaves[0].model_fields_set == models[0].leaves[2].model_fields_set == {"size"}
