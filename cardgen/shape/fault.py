"""pydantic's errors without its inner routes: one fault for each place, whatever unions stand in the model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from pydantic_core import ErrorDetails

from cardgen.shape.keys import Models, below, keys, spellings
from cardgen.source import Route

MISMATCH = "mismatch"
_CHOICE_ERRORS = frozenset({"literal_error", "enum"})
# What a value should have been, by the first word of the error that says it is not.
_EXPECTED: Mapping[str, str] = {
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

    `kind` is pydantic's name for it, or MISMATCH for every value of a wrong type, or that is none of its constants;
    then `expected` says in words what would be right. `route` leads to the value in the model, `owners` are the
    models that its key belongs to. `context` is what the error brought along. `at_key` is true where the key is wrong.
    """

    kind: str
    route: Route
    owners: Models
    found: object
    message: str = ""
    context: Mapping[str, Any] = MappingProxyType({})
    expected: tuple[str, ...] = ()
    at_key: bool = False

    @property
    def choices(self) -> tuple[object, ...]:
        """The constants that the value may be, if it may be some only."""
        return choices(self.owners, self.route)


class _Error(NamedTuple):
    """A fault whose place in unions is not settled: the labels of the branches, each with the length of its route."""

    fault: Fault
    labels: tuple[tuple[int, str], ...]


def faults(errors: Iterable[ErrorDetails], data: object, models: Models) -> list[Fault]:
    """What is wrong with `data`, which was meant for one of the `models`."""
    return _settled([_error(details, data, models) for details in errors if not _is_echo(details)], 0)


def choices(owners: Models, route: Route) -> tuple[object, ...]:
    """The constants that the key at the end of `route` may hold."""
    name = next((step for step in reversed(route) if isinstance(step, str)), "")
    return next((keys(model)[name].choices for model in owners if name in keys(model)), ())


def _is_echo(details: ErrorDetails) -> bool:
    """True of a list that pydantic calls too short because it counts the items that are right."""
    found = details["input"]
    return details["type"] == "too_short" and isinstance(found, list) and len(found) >= details["ctx"]["min_length"]


def _error(details: ErrorDetails, data: object, models: Models) -> _Error:
    """Sort the steps of an error's route: those that lead through the data, and the labels of a union's branches."""
    route: list[str | int] = []
    labels: list[tuple[int, str]] = []
    owners = models
    for step in details["loc"]:
        value = _value(data, spellings(models, step))
        if isinstance(step, str) and value is _NOTHING and not any(step in keys(model) for model in models):
            labels.append((len(route), step))
            continue
        route.append(step)
        owners, models, data = models, below(models, step), value
    at_key = bool(labels) and labels[-1] == (len(route), "[key]")
    return _Error(_fault(details, tuple(route), owners, at_key=at_key), tuple(labels[:-1] if at_key else labels))


_NOTHING = object()


def _value(data: object, names: Sequence[str | int]) -> object:
    for name in names:
        if isinstance(data, dict) and name in data:
            return data[name]
        if isinstance(data, list | tuple) and isinstance(name, int) and name < len(data):
            return data[name]
    return _NOTHING


def _fault(details: ErrorDetails, route: Route, owners: Models, *, at_key: bool) -> Fault:
    kind, context = details["type"], details.get("ctx", {})
    expected: tuple[str, ...] = ()
    if kind in _CHOICE_ERRORS:
        kind, expected = MISMATCH, tuple(spoken(choice) for choice in choices(owners, route))
    elif kind.endswith(("_type", "_parsing", "_from_float")):
        kind, expected = MISMATCH, tuple(filter(None, (_EXPECTED.get(kind.split("_")[0]),)))
    return Fault(
        kind,
        (*route, *context.get("path", ())),
        owners,
        details["input"],
        details["msg"],
        context,
        expected,
        at_key or bool(context.get("at_key")),
    )


def spoken(value: object) -> str:
    """A constant as authors write it."""
    return "null" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _settled(errors: Sequence[_Error], level: int) -> list[Fault]:
    """The faults that remain when of each union only the branch counts that the author most probably meant."""
    found = [error.fault for error in errors if len(error.labels) <= level]
    unions: dict[Route, dict[str, list[_Error]]] = {}
    for error in errors:
        if len(error.labels) > level:
            length, label = error.labels[level]
            unions.setdefault(error.fault.route[:length], {}).setdefault(label, []).append(error)
    for route, branches in unions.items():
        found += _chosen(route, list(branches.values()), level)
    return found


def _chosen(route: Route, branches: Sequence[Sequence[_Error]], level: int) -> list[Fault]:
    """The faults of the branch whose type fits; where none does, one fault that names all types."""
    fitting = [branch for branch in branches if not any(_mismatches(error.fault, route) for error in branch)]
    if fitting:
        return _settled(min(fitting, key=len), level + 1)
    wrong = [error.fault for branch in branches for error in branch if _mismatches(error.fault, route)]
    expected = tuple(dict.fromkeys(word for fault in wrong for word in fault.expected))
    return [wrong[0]._replace(expected=expected)]


def _mismatches(fault: Fault, route: Route) -> bool:
    return fault.kind == MISMATCH and fault.route == route
