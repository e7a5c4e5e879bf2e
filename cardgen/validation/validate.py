"""Validate data as a model, or report located diagnostics."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import NamedTuple, TypeVar, get_args

from pydantic import ValidationError
from pydantic_core.core_schema import ErrorType

from cardgen.diagnostic import Diagnostic
from cardgen.source import KeyPath
from cardgen.validation.base import Model
from cardgen.validation.codes import Code
from cardgen.validation.model_keys import (
    ModelClasses,
    accepted_keys,
    canonical_keys,
    model_keys,
    reachable_models,
    spellings_of,
)
from cardgen.validation.pydantic_errors import MISMATCH, Fault, collect_faults, format_constant
from cardgen.validation.source_map import SourceMap
from cardgen.validation.suggestion import VERY_CLOSE_CUTOFF, closest, did_you_mean, join_words

_MAX_QUOTE = 40
_MAX_NAMED = 6


class Message(NamedTuple):
    """Code, message, and help of a diagnostic."""

    code: str
    message: str
    help: str = ""


class KeyContext(NamedTuple):
    """Surroundings of a model, for messages about misplaced keys.

    `root_models` are the models at the root, `own_location` says where they are ('on the card itself'), and
    `owner_suffix` names the owner of the keys (" for kind 'minion'"). `extra_keys` are also accepted next to the
    model's own, and `extra_keys_help` mentions them after those. `related_models` have keys in other places, by a
    phrase for the place ("to kind 'mission'").
    """

    root_models: ModelClasses = ()
    own_location: str = "at the top level"
    owner_suffix: str = ""
    extra_keys: tuple[str, ...] = ()
    related_models: Mapping[str, ModelClasses] = MappingProxyType({})
    extra_keys_help: str = ""


def describe_fault(fault: Fault, name: str, context: KeyContext) -> Message:
    """Describe a fault of the value that its author calls `name` ("'qty'")."""
    if fault.kind == "extra_forbidden":
        return _unknown_key(fault, context)
    describe = _DESCRIBERS.get(fault.kind)
    return describe(fault, name) if describe else _other_error(fault, name)


def describe_value(value: object) -> str:
    """Describe a value as part of a sentence."""
    if value is None:
        return "null"
    if isinstance(value, dict):
        return "a map"
    if isinstance(value, list | tuple):
        return "a list"
    return quote(value) if isinstance(value, str) else format_constant(value)


def describe_actual(value: object) -> str:
    """Describe an unexpected value: 'not 5', or 'but is empty'."""
    return "but is empty" if value is None else f"not {describe_value(value)}"


def quote(text: str) -> str:
    """Put a text in quotes, shortened if it is long."""
    return f"'{text}'" if len(text) <= _MAX_QUOTE else f"'{text[:_MAX_QUOTE]}…'"


def _unknown_key(fault: Fault, context: KeyContext) -> Message:
    key, at_top = str(fault.key_path[-1]), len(fault.key_path) == 1
    known = (*accepted_keys(fault.owners), *(context.extra_keys if at_top else ()))
    message = f"unknown key {quote(key)}{context.owner_suffix if at_top else ''}"
    home = "" if closest(key, known, VERY_CLOSE_CUTOFF) else _find_home(key, fault.owners, context)
    if not home and closest(key, known):
        return Message(Code.UNKNOWN_KEY, message + did_you_mean(key, known))
    others = context.extra_keys_help if at_top else ""
    help_text = f"valid keys: {', '.join(canonical_keys(fault.owners))}{others}" if known else ""
    return Message(Code.UNKNOWN_KEY, f"{message}; it belongs {home}" if home else message, help_text)


def _find_home(key: str, owners: ModelClasses, context: KeyContext) -> str:
    """Say in which nearest place a misplaced key belongs, or ''."""
    for name, model in (*reachable_models(owners), *reachable_models(context.root_models)):
        if key in accepted_keys((model,)):
            return f"in '{name}'" if name else context.own_location
    return next((home for home, models in context.related_models.items() if key in accepted_keys(models)), "")


def _missing_key(fault: Fault, name: str) -> Message:
    key = fault.key_path[-1] if fault.key_path else 0
    if isinstance(key, str):
        return Message(Code.MISSING_KEY, f"missing key {name}", f"add '{key}: {_example(key, fault)}' here")
    return Message(Code.MISSING_KEY, f"{name} is missing")


def _example(key: str, fault: Fault) -> object:
    """Return the first example of a field, or an ellipsis."""
    fields = (model.model_fields.get(key) for model in fault.owners)
    return next((field.examples[0] for field in fields if field and field.examples), "…")


def _type_mismatch(fault: Fault, name: str) -> Message:
    constants = [format_constant(choice) for choice in fault.choices]
    code = Code.NOT_ONE_OF if set(constants) & set(fault.expected) else Code.WRONG_TYPE
    expected = join_words(_split_alternatives(fault.expected) or ("another value",))
    guess = did_you_mean(fault.value, constants) if isinstance(fault.value, str) else ""
    if len(fault.expected) > _MAX_NAMED:
        return Message(code, f"{name} cannot be {describe_value(fault.value)}{guess}", f"write {expected}")
    return Message(code, f"{name} must be {expected}, {describe_actual(fault.value)}{guess}")


def _split_alternatives(expected: tuple[str, ...]) -> tuple[str, ...]:
    """Split 'true or false', so that a series has one 'or'."""
    return tuple(dict.fromkeys(word for words in expected for word in words.split(" or ")))


def _bound_message(phrase: str, limit: str) -> Callable[[Fault, str], Message]:
    def describe(fault: Fault, name: str) -> Message:
        edge = f"{fault.context[limit]:g}"
        return Message(Code.OUT_OF_BOUNDS, f"{name} must be {phrase} {edge}, not {describe_value(fault.value)}")

    return describe


def _length_message(phrase: str, limit: str) -> Callable[[Fault, str], Message]:
    def describe(fault: Fault, name: str) -> Message:
        edge, value = fault.context[limit], fault.value
        if edge == 1 and phrase == "at least":
            return Message(Code.OUT_OF_BOUNDS, f"{name} must not be empty")
        unit = "character" if isinstance(value, str) else "item"
        count = len(value) if isinstance(value, str | list | tuple | dict) else 0
        message = f"{name} must have {phrase} {edge} {unit}{'s' if edge != 1 else ''}, not {count}"
        return Message(Code.OUT_OF_BOUNDS, message)

    return describe


def _pattern_mismatch(fault: Fault, name: str) -> Message:
    if isinstance(fault.value, str) and not fault.value.strip():
        return Message(Code.MALFORMED, f"{name} must not be blank")
    key = next((step for step in reversed(fault.key_path) if isinstance(step, str)), "")
    described = next((model_keys(model)[key].description for model in fault.owners if key in model_keys(model)), "")
    return Message(
        Code.MALFORMED, f"{name} cannot be {describe_value(fault.value)}", f"write {described}" if described else ""
    )


def _validator_error(fault: Fault, name: str) -> Message:
    """Return the message of a validator's plain ValueError."""
    return Message(Code.INVALID, str(fault.context.get("error", "")) or _other_error(fault, name).message)


def _other_error(fault: Fault, name: str) -> Message:
    """Return the message of a validator's own error type.

    pydantic's error types without a describer get a generic message.
    """
    context = fault.context
    if fault.kind in _PYDANTIC_KINDS:
        return Message(Code.INVALID, f"{name} cannot be {describe_value(fault.value)}")
    return Message(str(context.get("code", Code.INVALID)), fault.message, str(context.get("help", "")))


_PYDANTIC_KINDS = frozenset(get_args(ErrorType))
_DESCRIBERS: Mapping[str, Callable[[Fault, str], Message]] = {
    MISMATCH: _type_mismatch,
    "missing": _missing_key,
    "greater_than": _bound_message("greater than", "gt"),
    "greater_than_equal": _bound_message("at least", "ge"),
    "less_than": _bound_message("less than", "lt"),
    "less_than_equal": _bound_message("at most", "le"),
    "multiple_of": _bound_message("a multiple of", "multiple_of"),
    "string_too_short": _length_message("at least", "min_length"),
    "string_too_long": _length_message("at most", "max_length"),
    "too_short": _length_message("at least", "min_length"),
    "too_long": _length_message("at most", "max_length"),
    "string_pattern_mismatch": _pattern_mismatch,
    "value_error": _validator_error,
    "assertion_error": _validator_error,
}


Shape = TypeVar("Shape", bound=Model)


def validate(
    model: type[Shape], data: object, source_map: SourceMap, get_context: Callable[[], KeyContext] = KeyContext
) -> tuple[Shape | None, tuple[Diagnostic, ...]]:
    """Validate `data`; return the instance of `model`, or None and all diagnostics.

    `source_map` gives the places. `get_context` says where unknown keys may belong; it is called only if there are
    faults. Diagnostics are sorted, and places that the document already reports are not reported again.
    """
    instance, faults = find_faults(model, data)
    return instance, describe_faults(faults, source_map, get_context()._replace(root_models=(model,))) if faults else ()


def find_faults(model: type[Shape], data: object) -> tuple[Shape | None, tuple[Fault, ...]]:
    """Validate `data`; return the instance of `model`, or None and all faults."""
    _build_schemas(model)
    try:
        return model.model_validate(data), ()
    except ValidationError as error:
        return None, _drop_misspelt_keys(collect_faults(error.errors(include_url=False), data, (model,)))


def describe_faults(faults: Iterable[Fault], source_map: SourceMap, context: KeyContext) -> tuple[Diagnostic, ...]:
    """Return the diagnostics of faults, sorted, without places that the document already reports."""
    diagnostics = (_to_diagnostic(fault, source_map, context) for fault in faults)
    return _sort_unique(diagnostics, source_map.document.diagnostics)


@cache
def _build_schemas(model: type[Model]) -> None:
    """Build the schemas of all nested models before the model's own.

    Otherwise, the model would build a private copy of each of them.
    """
    for _, inner in reversed(tuple(reachable_models((model,)))):
        inner.model_rebuild()


def _drop_misspelt_keys(faults: Iterable[Fault]) -> tuple[Fault, ...]:
    """Drop missing keys that were misspelt.

    'Mind' is reported as unknown, so 'mind' need not be reported as missing.
    """
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
    """Return the author's name of the value at `key_path`.

    Examples are "'M'" and "item 2 of 'tags'".
    """
    named = next((index for index in range(len(key_path), 0, -1) if isinstance(key_path[index - 1], str)), 0)
    name = f"'{source_map.spelling(key_path[:named])}'" if named else "this"
    items = [step + 1 for step in key_path[named:] if isinstance(step, int)]
    return f"item {'.'.join(map(str, items))} of {name}" if items else name


def _sort_unique(diagnostics: Iterable[Diagnostic], known: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Sort diagnostics; drop duplicates and places already reported."""
    wrong = {diagnostic.place for diagnostic in known}
    unique = dict.fromkeys(diagnostic for diagnostic in diagnostics if diagnostic.place not in wrong)
    return tuple(sorted(unique, key=Diagnostic.sort_key))
