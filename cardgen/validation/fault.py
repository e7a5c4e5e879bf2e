"""Faults: pydantic's errors, reduced to one for each place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from pydantic_core import ErrorDetails

from cardgen.source import KeyPath
from cardgen.validation.base import ModelClasses, child_models, model_keys, spellings_of

MISMATCH = "mismatch"
_CHOICE_ERRORS = frozenset({"literal_error", "enum"})
# Expected type of a value, by the first word of pydantic's error type.
_EXPECTED_TYPES: Mapping[str, str] = {
    "string": "text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "list": "a list",
    "tuple": "a list",
    "dict": "a map",
    "mapping": "a map",
    "model": "a map",
}


class Fault(NamedTuple):
    """One thing that is wrong with a value.

    `kind` is pydantic's error type, or MISMATCH for a value of a wrong type or not among the constants; then `expected`
    describes valid values. `key_path` leads to the value in the model, and `owners` are the models that its key belongs
    to. `context` is the error's context. `at_key` is True if the key is wrong rather than the value.
    """

    kind: str
    key_path: KeyPath
    owners: ModelClasses
    value: object
    message: str = ""
    context: Mapping[str, Any] = MappingProxyType({})
    expected: tuple[str, ...] = ()
    at_key: bool = False

    @property
    def choices(self) -> tuple[object, ...]:
        """The constants that the value may be; empty if unrestricted."""
        return choices_at(self.owners, self.key_path)


class _UnresolvedFault(NamedTuple):
    """Fault whose union branches are not yet resolved.

    `labels` are the labels of the branches, each with the length of its key path.
    """

    fault: Fault
    labels: tuple[tuple[int, str], ...]


def collect_faults(errors: Iterable[ErrorDetails], data: object, models: ModelClasses) -> list[Fault]:
    """Return the faults of `data`, validated as one of the `models`."""
    return _resolve_unions(
        [_resolve_location(details, data, models) for details in errors if not _is_miscount(details)], 0
    )


def choices_at(owners: ModelClasses, key_path: KeyPath) -> tuple[object, ...]:
    """Return the constants that the last key of `key_path` may hold."""
    name = next((step for step in reversed(key_path) if isinstance(step, str)), "")
    return next((model_keys(model)[name].choices for model in owners if name in model_keys(model)), ())


def _is_miscount(details: ErrorDetails) -> bool:
    """True if pydantic wrongly calls a list too short.

    It counts only the valid items.
    """
    items = details["input"]
    return details["type"] == "too_short" and isinstance(items, list) and len(items) >= details["ctx"]["min_length"]


def _resolve_location(details: ErrorDetails, data: object, models: ModelClasses) -> _UnresolvedFault:
    """Split an error's location into key path and union branch labels."""
    key_path: list[str | int] = []
    labels: list[tuple[int, str]] = []
    owners = models
    for step in details["loc"]:
        value = _lookup(data, spellings_of(models, step))
        if isinstance(step, str) and value is _ABSENT and not any(step in model_keys(model) for model in models):
            labels.append((len(key_path), step))
            continue
        key_path.append(step)
        # The items of a list without models belong to the key of the list.
        owners = owners if isinstance(step, int) and not models else models
        models, data = child_models(models, step), value
    at_key = bool(labels) and labels[-1] == (len(key_path), "[key]")
    return _UnresolvedFault(
        _make_fault(details, tuple(key_path), owners, at_key=at_key), tuple(labels[:-1] if at_key else labels)
    )


_ABSENT = object()


def _lookup(data: object, names: Sequence[str | int]) -> object:
    for name in names:
        if isinstance(data, dict) and name in data:
            return data[name]
        if isinstance(data, list | tuple) and isinstance(name, int) and name < len(data):
            return data[name]
    return _ABSENT


def _make_fault(details: ErrorDetails, key_path: KeyPath, owners: ModelClasses, *, at_key: bool) -> Fault:
    kind, context = details["type"], details.get("ctx", {})
    expected: tuple[str, ...] = ()
    if kind in _CHOICE_ERRORS:
        kind, expected = MISMATCH, tuple(format_constant(choice) for choice in choices_at(owners, key_path))
    elif kind.endswith(("_type", "_parsing", "_from_float")):
        kind, expected = MISMATCH, tuple(filter(None, (_EXPECTED_TYPES.get(kind.split("_")[0]),)))
    return Fault(
        kind,
        (*key_path, *context.get("path", ())),
        owners,
        details["input"],
        details["msg"],
        context,
        expected,
        at_key or bool(context.get("at_key")),
    )


def format_constant(value: object) -> str:
    """Format a constant as authors write it."""
    return "null" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _resolve_unions(errors: Sequence[_UnresolvedFault], level: int) -> list[Fault]:
    """Return the faults that remain after choosing a branch of each union.

    The chosen branch is the one that the author most probably meant.
    """
    faults = [error.fault for error in errors if len(error.labels) <= level]
    unions: dict[KeyPath, dict[str, list[_UnresolvedFault]]] = {}
    for error in errors:
        if len(error.labels) > level:
            length, label = error.labels[level]
            unions.setdefault(error.fault.key_path[:length], {}).setdefault(label, []).append(error)
    for key_path, branches in unions.items():
        faults += _best_branch(key_path, list(branches.values()), level)
    return faults


def _best_branch(key_path: KeyPath, branches: Sequence[Sequence[_UnresolvedFault]], level: int) -> list[Fault]:
    """Return the faults of the branch whose type matches.

    If none matches, return one fault that names all types.
    """
    matching = [branch for branch in branches if not any(_is_mismatch_at(error.fault, key_path) for error in branch)]
    if matching:
        return _resolve_unions(min(matching, key=len), level + 1)
    mismatches = [error.fault for branch in branches for error in branch if _is_mismatch_at(error.fault, key_path)]
    expected = tuple(dict.fromkeys(word for fault in mismatches for word in fault.expected))
    return [mismatches[0]._replace(expected=expected)]


def _is_mismatch_at(fault: Fault, key_path: KeyPath) -> bool:
    return fault.kind == MISMATCH and fault.key_path == key_path
