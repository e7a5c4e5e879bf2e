"""Models in less memory: what many of them remember alike is remembered once."""

from __future__ import annotations

from collections.abc import Iterable

from cardgen.shape.base import Model

_FIELDS_SET = "__pydantic_fields_set__"


def share_field_sets(models: Iterable[Model]) -> None:
    """Let these models, and those in them, share the names of the keys that were given for them.

    Each has a set of its own, which takes as much room as all its values; they are frozen, so that none is changed.
    """
    shared: dict[frozenset[str], set[str]] = {}
    pending: list[object] = list(models)
    while pending:
        value = pending.pop()
        if isinstance(value, Model):
            fields_set = value.model_fields_set
            object.__setattr__(value, _FIELDS_SET, shared.setdefault(frozenset(fields_set), fields_set))
            pending += value.__dict__.values()
        elif isinstance(value, tuple | list):
            pending += value
        elif isinstance(value, dict):
            pending += value.values()
