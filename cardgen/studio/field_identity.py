"""The question whether a key path leads to the same field in two states of a form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from cardgen.source import KeyPath

FieldData = Mapping[str, Any]


def is_same_field(old: FieldData, new: FieldData, path: KeyPath) -> bool:
    """Return whether a path leads to the same field in two states of a card's form.

    It does if both have a field of one kind there, and all lists on the way, the last one too, have kept their items.
    """
    if old["path"] != new["path"] or path[: len(old["path"])] != old["path"]:
        return False
    if old["widget"] != new["widget"] or (old["widget"] == "list" and not _has_same_items(old, new)):
        return False
    if old["path"] == path:
        return True
    next_old, next_new = _next_field(old, path), _next_field(new, path)
    return next_old is not None and next_new is not None and is_same_field(next_old, next_new, path)


def _next_field(field: FieldData, path: KeyPath) -> FieldData | None:
    step = path[: len(field["path"]) + 1]
    return next((each for each in field["fields"] if each["path"] == step), None)


def _has_same_items(old: FieldData, new: FieldData) -> bool:
    """Return whether each item of a list is the one that was at its place; its own content may have changed."""
    pairs = [(_content(one), _content(other)) for one, other in zip(old["fields"], new["fields"], strict=False)]
    changed = [pair for pair in pairs if pair[0] != pair[1]]
    others = Counter(repr(other) for _, other in pairs)
    return len(old["fields"]) == len(new["fields"]) and not any(others[repr(one)] for one, _ in changed)


def _content(field: FieldData) -> Any:
    """Return what a field says, wherever it is."""
    if field["widget"] == "list":
        return [_content(each) for each in field["fields"]]
    if field["fields"]:
        return sorted((each["key"], repr(_content(each))) for each in field["fields"])
    return field["value"]
