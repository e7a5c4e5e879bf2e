"""Data becomes an instance of a model, or located diagnostics."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import TypeVar

from pydantic import ValidationError

from cardgen.diagnostic import Diagnostic
from cardgen.shape.base import Model
from cardgen.shape.fault import Fault, collect_faults
from cardgen.shape.keys import accepted_keys, reachable_models, spellings_of
from cardgen.shape.origin import SourceMap
from cardgen.shape.suggestion import VERY_CLOSE_CUTOFF, closest
from cardgen.shape.wording import KeyContext, describe_fault
from cardgen.source import KeyPath

Shape = TypeVar("Shape", bound=Model)


def validate(
    model: type[Shape], data: object, source_map: SourceMap, get_context: Callable[[], KeyContext] = KeyContext
) -> tuple[Shape | None, tuple[Diagnostic, ...]]:
    """The instance of `model` that `data` describes, or None and everything that is wrong with it, in order.

    `origin` tells the places, `around` where unknown keys may belong; it is asked only where something is wrong.
    What the document complains about itself is not complained about twice.
    """
    _build_schemas(model)
    try:
        return model.model_validate(data), ()
    except ValidationError as error:
        faults = _drop_misspelt_keys(collect_faults(error.errors(include_url=False), data, (model,)))
    context = get_context()._replace(root_models=(model,))
    diagnostics = (_to_diagnostic(fault, source_map, context) for fault in faults)
    return None, _sort_unique(diagnostics, source_map.document.diagnostics)


@cache
def _build_schemas(model: type[Model]) -> None:
    """Make a model ready after all that stand in it; made by itself, it would make each of them for itself alone."""
    for _, inner in reversed(tuple(reachable_models((model,)))):
        inner.model_rebuild()


def _drop_misspelt_keys(faults: Iterable[Fault]) -> tuple[Fault, ...]:
    """Without keys that are missing because they are misspelt: 'Mind' is unknown, and 'mind' is what was meant."""
    all_faults = tuple(faults)
    intended = {
        (fault.key_path[:-1], closest(str(fault.key_path[-1]), accepted_keys(fault.owners), VERY_CLOSE_CUTOFF))
        for fault in all_faults
        if fault.kind == "extra_forbidden"
    }
    return tuple(
        fault
        for fault in all_faults
        if fault.kind != "missing"
        or not any((fault.key_path[:-1], name) in intended for name in spellings_of(fault.owners, fault.key_path[-1]))
    )


def _to_diagnostic(fault: Fault, source_map: SourceMap, context: KeyContext) -> Diagnostic:
    at_key = fault.at_key or fault.kind == "extra_forbidden"
    key_path = fault.key_path[:-1] if fault.kind == "missing" else fault.key_path
    message = describe_fault(fault, _value_name(fault.key_path, source_map), context)
    return Diagnostic(message.code, message.message, source_map.place(key_path, key=at_key), message.help)


def _value_name(key_path: KeyPath, source_map: SourceMap) -> str:
    """What the author calls the value at `route`: "'M'", or "item 2 of 'tags'"."""
    named = next((index for index in range(len(key_path), 0, -1) if isinstance(key_path[index - 1], str)), 0)
    name = f"'{source_map.spelling(key_path[:named])}'" if named else "this"
    items = [step + 1 for step in key_path[named:] if isinstance(step, int)]
    return f"item {'.'.join(map(str, items))} of {name}" if items else name


def _sort_unique(diagnostics: Iterable[Diagnostic], known: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """In order, each once, and none where something else is wrong already."""
    wrong = {diagnostic.place for diagnostic in known}
    unique = dict.fromkeys(diagnostic for diagnostic in diagnostics if diagnostic.place not in wrong)
    return tuple(sorted(unique, key=Diagnostic.sort_key))
