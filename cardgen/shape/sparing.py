"""Models in less memory: what many of them remember alike is remembered once."""

from __future__ import annotations

from collections.abc import Iterable

from cardgen.shape.base import Model

_GIVEN = "__pydantic_fields_set__"


def spare(models: Iterable[Model]) -> None:
    """Let these models, and those in them, share the names of the keys that were given for them.

    Each has a set of its own, which takes as much room as all its values; they are frozen, so that none is changed.
    """
    known: dict[frozenset[str], set[str]] = {}
    waiting: list[object] = list(models)
    while waiting:
        value = waiting.pop()
        if isinstance(value, Model):
            given = value.model_fields_set
            object.__setattr__(value, _GIVEN, known.setdefault(frozenset(given), given))
            waiting += value.__dict__.values()
        elif isinstance(value, tuple | list):
            waiting += value
        elif isinstance(value, dict):
            waiting += value.values()
