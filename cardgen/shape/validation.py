"""Data becomes an instance of a model, or located diagnostics."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import TypeVar

from pydantic import ValidationError

from cardgen.diagnostic import Diagnostic
from cardgen.shape.base import Model
from cardgen.shape.fault import Fault, faults
from cardgen.shape.keys import known_keys, reachable, spellings
from cardgen.shape.origin import Origin
from cardgen.shape.suggestion import VERY_CLOSE, closest
from cardgen.shape.wording import Surroundings, words
from cardgen.source import Route

Shape = TypeVar("Shape", bound=Model)


def validate(
    model: type[Shape], data: object, origin: Origin, around: Callable[[], Surroundings] = Surroundings
) -> tuple[Shape | None, tuple[Diagnostic, ...]]:
    """The instance of `model` that `data` describes, or None and everything that is wrong with it, in order.

    `origin` tells the places, `around` where unknown keys may belong; it is asked only where something is wrong.
    What the document complains about itself is not complained about twice.
    """
    _build(model)
    try:
        return model.model_validate(data), ()
    except ValidationError as error:
        found = _each_once(faults(error.errors(include_url=False), data, (model,)))
    surroundings = around()._replace(root=(model,))
    diagnostics = (_located(fault, origin, surroundings) for fault in found)
    return None, _sorted(diagnostics, origin.document.diagnostics)


@cache
def _build(model: type[Model]) -> None:
    """Make a model ready after all that stand in it; made by itself, it would make each of them for itself alone."""
    for _, inner in reversed(tuple(reachable((model,)))):
        inner.model_rebuild()


def _each_once(found: Iterable[Fault]) -> tuple[Fault, ...]:
    """Without keys that are missing because they are misspelt: 'Mind' is unknown, and 'mind' is what was meant."""
    every = tuple(found)
    meant = {
        (fault.route[:-1], closest(str(fault.route[-1]), known_keys(fault.owners), VERY_CLOSE))
        for fault in every
        if fault.kind == "extra_forbidden"
    }
    return tuple(
        fault
        for fault in every
        if fault.kind != "missing"
        or not any((fault.route[:-1], name) in meant for name in spellings(fault.owners, fault.route[-1]))
    )


def _located(fault: Fault, origin: Origin, around: Surroundings) -> Diagnostic:
    at_key = fault.at_key or fault.kind == "extra_forbidden"
    route = fault.route[:-1] if fault.kind == "missing" else fault.route
    said = words(fault, _name(fault.route, origin), around)
    return Diagnostic(said.code, said.message, origin.place(route, key=at_key), said.help)


def _name(route: Route, origin: Origin) -> str:
    """What the author calls the value at `route`: "'M'", or "item 2 of 'tags'"."""
    named = next((index for index in range(len(route), 0, -1) if isinstance(route[index - 1], str)), 0)
    name = f"'{origin.spelling(route[:named])}'" if named else "this"
    items = [step + 1 for step in route[named:] if isinstance(step, int)]
    return f"item {'.'.join(map(str, items))} of {name}" if items else name


def _sorted(diagnostics: Iterable[Diagnostic], known: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """In order, each once, and none where something else is wrong already."""
    wrong = {diagnostic.place for diagnostic in known}
    unique = dict.fromkeys(diagnostic for diagnostic in diagnostics if diagnostic.place not in wrong)
    return tuple(sorted(unique, key=Diagnostic.sort_key))
