"""Validation: pydantic's errors as located diagnostics, also of unfinished cards."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import Generic, NamedTuple, TypeVar, get_args

from pydantic import ValidationError
from pydantic_core.core_schema import ErrorType

from cardgen.diagnostic import (
    VERY_CLOSE_CUTOFF,
    Code,
    Diagnostic,
    Place,
    as_typed,
    closest,
    did_you_mean,
    join_words,
    separate_advice,
    slugify,
)
from cardgen.language import as_flag
from cardgen.runtime.workspace import Workspace
from cardgen.source import Data, Document, KeyPath
from cardgen.source.document import existing_path, renamed, value_at, without
from cardgen.units import quantity
from cardgen.validation.base import (
    ID_PATTERN,
    Model,
    ModelClasses,
    SourceMap,
    accepted_keys,
    canonical_keys,
    model_keys,
    once_per_model,
    reachable_models,
    spellings_of,
)
from cardgen.validation.fault import MISMATCH, Fault, collect_faults, format_constant
from cardgen.validation.misplaced import Home, join_misplaced, suits

# Validate data as a model, or report located diagnostics.

_MAX_QUOTE = 40
_MAX_NAMED = 6
_LONGEST_NUMBER = 9


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
    key, at_top, home = str(fault.key_path[-1]), len(fault.key_path) == 1, fault.context.get("home")
    if isinstance(home, Home):
        keys = [quote(each) for each in fault.context["items"]]
        what = f"unknown key{'s' if len(keys) > 1 else ''} {join_words(keys, 'and')}"
        what += context.owner_suffix if at_top else ""
        where = f"in '{home.beside}'" if home.is_below else f"beside '{home.beside}'"
        where = context.own_location if not home.key_path else where
        where = f"below a name in '{home.beside}'" if home.lacks_name else where
        return Message(Code.UNKNOWN_KEY, f"{what}; {'it belongs' if len(keys) == 1 else 'they belong'} {where}")
    if "unwraps" in fault.context:
        message = f"unknown key {quote(key)}{context.owner_suffix if at_top else ''}; its keys belong beside it"
        return Message(Code.UNKNOWN_KEY, message, f"write them without {quote(key)}, in its place")
    known = (*accepted_keys(fault.owners), *(context.extra_keys if at_top else ()))
    message = f"unknown key {quote(key)}{context.owner_suffix if at_top else ''}"
    if meant := fault.context.get("meant"):
        return Message(Code.UNKNOWN_KEY, message, f"write '{meant}', which is missing here")
    home = "" if closest(key, known, VERY_CLOSE_CUTOFF) else _find_home(key, fault.owners, context)
    if not home and closest(key, known):
        return Message(Code.UNKNOWN_KEY, message + did_you_mean(key, known))
    if not home and fault.value is None and " " in key.strip():
        return Message(
            Code.UNKNOWN_KEY, message, "if this is part of a text with a comma, put the whole text in quotes"
        )
    others = context.extra_keys_help if at_top else ""
    help_text = f"valid keys: {', '.join(_with_letters(fault.owners))}{others}" if known else ""
    return Message(Code.UNKNOWN_KEY, f"{message}; it belongs {home}" if home else message, help_text)


def _with_letters(owners: ModelClasses) -> Iterator[str]:
    """Yield the keys, those with a spelling of a letter or two with it: 'mind (M)'."""
    for key in canonical_keys(owners):
        short = [str(name) for name in spellings_of(owners, key)[1:] if len(str(name)) <= 2]
        yield f"{key} ({short[0]})" if short else key


def _find_home(key: str, owners: ModelClasses, context: KeyContext) -> str:
    """Say in which nearest place a misplaced key belongs, or ''."""
    for name, model in (*reachable_models(owners), *reachable_models(context.root_models)):
        if key in accepted_keys((model,)):
            return f"in '{name}'" if name else context.own_location
    return next((home for home, models in context.related_models.items() if key in accepted_keys(models)), "")


def _missing_key(fault: Fault, name: str) -> Message:
    key = fault.key_path[-1] if fault.key_path else 0
    if isinstance(key, str):
        # The first example of a field, or an ellipsis.
        fields = (model.model_fields.get(key) for model in fault.owners)
        example = next((field.examples[0] for field in fields if field and field.examples), "…")
        return Message(Code.MISSING_KEY, f"missing key {name}", f"add '{key}: {example}' here")
    return Message(Code.MISSING_KEY, f"{name} is missing")


def _type_mismatch(fault: Fault, name: str) -> Message:
    constants = [format_constant(choice) for choice in fault.choices]
    code = Code.NOT_ONE_OF if set(constants) & set(fault.expected) else Code.WRONG_TYPE
    expected = join_words(_split_alternatives(fault.expected) or ("another value",))
    separate = _separate(fault, constants)
    guess = did_you_mean(fault.value, constants) if isinstance(fault.value, str) and "," not in fault.value else ""
    if len(fault.expected) > _MAX_NAMED:
        return Message(code, f"{name} cannot be {describe_value(fault.value)}{guess}", separate or f"write {expected}")
    message = f"{name} must be {expected}, {describe_actual(fault.value)}{guess}"
    is_name = fault.key_path[-1:] in (("game",), ("kind",))
    if fault.expected == ("text",) and isinstance(fault.value, int | float) and not is_name:
        return Message(code, message, f"put it in quotes: '{format_constant(fault.value)}'")
    return Message(code, message, separate or _shape_advice(fault))


# How to write a list in place of a map, and the other way round.
_SHAPES: Mapping[tuple[str, ...], str] = {
    ("a list",): "write '- ' before each item",
    ("a map",): "write 'key: value', without '- '",
}


# A number with what belongs to it on paper, such as '6+' or '12 cm'.
_NUMBER = re.compile(r"\s*+([+-]?\d++(?:\.\d++)?)\s*+((?![-/.])\D*)", re.ASCII)


# What separates items of a list that are written as one text.
_ITEM_BREAK = re.compile("[,;]")

_DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+", re.ASCII)


def _plain_advice(fault: Fault, value: str) -> str | None:
    """Return the number, or true or false, that a text means; '' without advice, and None for other faults."""
    if "true or false" in fault.expected:
        flag = as_flag(value.strip())
        return None if flag is None else f"write {format_constant(flag)}"
    if "a number" in fault.expected and _DECIMAL_COMMA.fullmatch(value):
        return f"write {value.replace(',', '.')}, with a point"
    if {"a whole number", "a number"} & {*fault.expected}:
        number = _NUMBER.fullmatch(as_typed(value).strip("\"' "))
        if number and "." in number[1] and "a number" not in fault.expected:
            return ""
        written = f"write {_plain(number[1])}, without " if number and len(number[1]) <= _LONGEST_NUMBER else ""
        unit = number[2].rstrip() if number else ""
        return f"{written}{quote(unit) if unit else 'quotation marks'}" if written else ""
    return None


def _shape_advice(fault: Fault) -> str:
    if isinstance(fault.value, str) and (advice := _plain_advice(fault, fault.value)) is not None:
        return advice
    if "a map" in fault.expected and isinstance(fault.value, str) and ": " in fault.value:
        return "remove the quotation marks, so that the words before the colon are a key"
    if "a map" in fault.expected and isinstance(fault.value, str) and (line := _line_form(fault)):
        return f"put a colon after the name: {line}"
    if fault.expected == ("a list",) and isinstance(fault.value, str) and (line := _line_form(fault)):
        return f"write '- ' before it, and a colon after the name: {line}"
    if "a list" in fault.expected and isinstance(fault.value, str | int | float):
        items = [*filter(None, map(str.strip, _ITEM_BREAK.split(format_constant(fault.value))))]
        key = str(fault.key_path[-1]) if fault.key_path else ""
        if not [*_parts_of(fault)] or any(suits(items, model, key, None) for model in fault.owners):
            return f"write [{', '.join(items)}]"
    parts = tuple(_parts_of(fault))
    keys = [min(spellings_of(parts, key), key=lambda name: len(str(name))) for key in canonical_keys(parts)]
    is_plain = isinstance(fault.value, str | int | float) or (
        isinstance(fault.value, list) and not any(isinstance(item, dict | list) for item in fault.value)
    )
    if fault.expected == ("a map",) and is_plain and 0 < len(keys) <= _MAX_NAMED:
        return f"write {{{', '.join(f'{key}: …' for key in keys)}}}"
    return _SHAPES.get(fault.expected, "") if isinstance(fault.value, dict | list) else ""


def _plain(number: str) -> str:
    """Return a number without a sign and zeros that do not matter."""
    return number.lstrip("+") if "." in number else str(int(number))


def _line_form(fault: Fault) -> str:
    """Return how a part is written in one line, such as 'NAME: TYPE Rn Pn', or '' if it cannot be."""
    return next((str(model.TITLE) for model in _parts_of(fault) if hasattr(model, "TITLE")), "")


def _parts_of(fault: Fault) -> Iterable[type[Model]]:
    """Return the models of the value itself."""
    key = fault.key_path[-1] if fault.key_path else ""
    if not isinstance(key, str):
        return fault.owners  # which are those of an item itself
    keys = map(model_keys, fault.owners)
    return chain.from_iterable(each[key].models for each in keys if key in each)


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
        message = f"{name} must have {phrase} {quantity(edge, unit)}, not {count}"
        return Message(Code.OUT_OF_BOUNDS, message)

    return describe


def _pattern_mismatch(fault: Fault, name: str) -> Message:
    if isinstance(fault.value, str) and not fault.value.strip():
        return Message(Code.MALFORMED, f"{name} must not be blank")
    key = next((step for step in reversed(fault.key_path) if isinstance(step, str)), "")
    described = next((model_keys(model)[key].description for model in fault.owners if key in model_keys(model)), "")
    if fault.context.get("pattern") == ID_PATTERN:
        described = "lowercase letters and digits, separated by single hyphens"
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
    advice = _separate(fault, context.get("known_words", ())) or str(context.get("help", ""))
    return Message(str(context.get("code", Code.INVALID)), fault.message, advice)


def _separate(fault: Fault, known: Collection[str]) -> str:
    """Return how to write the items that one item of a list names, or ''."""
    is_item = bool(fault.key_path) and isinstance(fault.key_path[-1], int)
    return separate_advice(fault.value, known) if is_item and isinstance(fault.value, str) else ""


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
    model: type[Shape],
    data: object,
    source_map: SourceMap,
    get_context: Callable[[], KeyContext] = KeyContext,
    workspace: Workspace | None = None,
) -> tuple[Shape | None, tuple[Diagnostic, ...]]:
    """Validate `data`; return the instance of `model`, or None and all diagnostics.

    `source_map` gives the places. `get_context` says where unknown keys may belong; it is called only if there are
    faults. Diagnostics are sorted, and places that the document already reports are not reported again. Models find the
    `workspace` in the context of their validation.
    """
    instance, faults = find_faults(model, data, workspace)
    return instance, describe_faults(faults, source_map, get_context()._replace(root_models=(model,))) if faults else ()


def find_faults(
    model: type[Shape], data: object, workspace: Workspace | None = None
) -> tuple[Shape | None, tuple[Fault, ...]]:
    """Validate `data`; return the instance of `model`, or None and all faults."""
    _build_schemas(model)
    try:
        return model.model_validate(data, context=workspace), ()
    except ValidationError as error:
        faults = collect_faults(error.errors(include_url=False), data, (model,))
        if len(faults) * _count_values(data) > _MOST_COMPARISONS:
            return None, tuple(faults)
        return None, _join_misspelt_keys(join_misplaced(faults, data, (model,), workspace), model, workspace)


# What follows from a misplaced or misspelt key is found by comparing faults with all others and with the keys beside
# it; if there are so many, something else is wrong.
_MOST_COMPARISONS = 20_000


def _count_values(data: object) -> int:
    """Return the number of values in some data, with those of maps and lists in it."""
    inner = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    return 1 + sum(map(_count_values, inner))


# Faults of one kind that are described; of further ones, only their number is told.
_MOST_ALIKE = 100


def describe_faults(faults: Iterable[Fault], source_map: SourceMap, context: KeyContext) -> tuple[Diagnostic, ...]:
    """Return the diagnostics of faults, sorted, without places that the document already reports."""
    alike: dict[str, list[Fault]] = defaultdict(list)
    for fault in faults:
        alike[fault.kind].append(fault)
    diagnostics: list[Diagnostic] = []
    for each in alike.values():
        diagnostics += [_to_diagnostic(fault, source_map, context) for fault in each[:_MOST_ALIKE]]
        if (more := len(each) - _MOST_ALIKE) > 0:
            last = diagnostics.pop()
            diagnostics.append(last._replace(message=f"{last.message} (and {more:,} more like this)"))
    unique = dict.fromkeys(
        diagnostic for diagnostic in diagnostics if diagnostic.place not in source_map.document.reported_places
    )
    return tuple(sorted(unique, key=Diagnostic.sort_key))


@once_per_model
def _build_schemas(model: type[Model]) -> None:
    """Build the schemas of all nested models before the model's own.

    Otherwise, the model would build a private copy of each of them.
    """
    for _, inner in reversed(tuple(reachable_models((model,)))):
        inner.model_rebuild()


def _join_misspelt_keys(faults: Sequence[Fault], model: type[Model], workspace: Workspace | None) -> tuple[Fault, ...]:
    """Drop missing keys that were written under another name, which is enough to report; it says what is meant.

    'Mind' is reported as unknown, so 'mind' need not be reported as missing.
    """
    missing = {fault.key_path: fault for fault in faults if fault.kind == "missing"}
    unknown = [fault for fault in faults if fault.kind == "extra_forbidden" and not fault.context]
    strange = {above for above in {each.key_path[:-1] for each in missing.values()} if _is_strange(above, faults)}
    missing = {path: each for path, each in missing.items() if path[:-1] not in strange}
    kept = [each for each in faults if each not in unknown and (each.kind != "missing" or each.key_path in missing)]
    for fault in unknown:
        above = fault.key_path[:-1]
        meant = closest(str(fault.key_path[-1]), accepted_keys(fault.owners), VERY_CLOSE_CUTOFF)
        lacking = [each for each in missing.values() if each.key_path[:-1] == above]
        named = [each for each in lacking if meant in spellings_of(each.owners, each.key_path[-1])]
        if not meant:
            named = [each for each in lacking if _describes(fault, each)]
            is_only = len(lacking) == sum(each.key_path[:-1] == above for each in unknown) == 1
            if not named and is_only and not _find_home(str(fault.key_path[-1]), (model,), KeyContext()):
                named = [each for each in lacking if _would_suit(fault.value, each, workspace)]
        if len(named) == 1:
            del missing[named[0].key_path]
            kept.remove(named[0])
            fault = fault if meant else fault._replace(context={"meant": str(named[0].key_path[-1])})
        kept.append(fault)
    return tuple(kept)


def _is_strange(above: KeyPath, faults: Iterable[Fault]) -> bool:
    """Return whether a map has none of its keys and several others are missing: it is something else, or misplaced."""
    here = [fault for fault in faults if fault.key_path[:-1] == above]
    missing = [fault for fault in here if fault.kind == "missing"]
    unknown = sum(fault.kind == "extra_forbidden" for fault in here)
    return len(missing) > 1 and isinstance(missing[0].value, dict) and len(missing[0].value) == unknown > 0


def _describes(unknown: Fault, missing: Fault) -> bool:
    """Return whether an unknown key says in words what a missing one is: 'leadership' for 'ld'."""
    words, key = slugify(str(unknown.key_path[-1])), missing.key_path[-1]
    described = (
        slugify(model_keys(model)[str(key)].description) for model in missing.owners if key in model_keys(model)
    )
    return bool(words) and any(f"{each}-".startswith(f"{words}-") for each in described)


def _would_suit(value: object, missing: Fault, workspace: Workspace | None) -> bool:
    return any(suits(value, model, str(missing.key_path[-1]), workspace) for model in missing.owners)


def _to_diagnostic(fault: Fault, source_map: SourceMap, context: KeyContext) -> Diagnostic:
    at_key = fault.at_key or fault.kind == "extra_forbidden"
    key_path = fault.key_path[:-1] if fault.kind == "missing" else fault.key_path
    if fault.kind == "too_long" and isinstance(fault.value, list):
        key_path = (*key_path, fault.context["max_length"])  # the first item too many
    message = describe_fault(fault, _value_name(fault.key_path, source_map), context)
    place, home = source_map.place(key_path, key=at_key), fault.context.get("home")
    advice = home.advice(place, fault.context["items"]) if isinstance(home, Home) else message.help
    return Diagnostic(message.code, message.message, place, advice)


def _value_name(key_path: KeyPath, source_map: SourceMap) -> str:
    """Return the author's name of the value at `key_path`.

    Examples are "'M'" and "item 2 of 'tags'".
    """
    named = next((index for index in range(len(key_path), 0, -1) if isinstance(key_path[index - 1], str)), 0)
    name = f"'{source_map.spelling(key_path[:named])}'" if named else "this"
    items = [step + 1 for step in key_path[named:] if isinstance(step, int)]
    return f"item {'.'.join(map(str, items))} of {name}" if items else name


# Validate data with mistakes as far as possible.

# Removing a value can leave its container incomplete, which is removed next: as often as data are nested.
_MOST_ROUNDS = 20
# Each takes a copy of the document; if more is wrong, it is something else.
_MOST_CORRECTIONS = 1_000
# Faults that removing other values can cause.
_CAUSED = frozenset({"missing", "too_short"})


class Removal(NamedTuple):
    """A value that was left out. That of a missing key is None, and that of a corrected key a list of this key."""

    key_path: KeyPath
    value: Data


class Partial(NamedTuple, Generic[Shape]):
    """The valid part of a document.

    `diagnostics` describe the rest, and `removals` are the values that were left out. `spec` is None if nothing
    useful is left.
    """

    spec: Shape | None
    document: Document
    diagnostics: tuple[Diagnostic, ...]
    removals: tuple[Removal, ...] = ()


def validate_partially(model: type[Shape], document: Document, defaults: Mapping[str, Data]) -> Partial[Shape]:
    """Validate a document as a model; leave out everything that is wrong.

    Misspelled keys and names are corrected, so that what they contain is validated, too. `defaults` stand for keys at
    the top level that are missing or wrong.
    """
    return _Corrector(model, document, defaults).run()


class _Corrector(Generic[Shape]):
    """Removes and renames what is wrong in a document until it is valid."""

    def __init__(self, model: type[Shape], document: Document, defaults: Mapping[str, Data]) -> None:
        self._model, self._document, self._defaults = model, document, defaults
        self._diagnostics: list[Diagnostic] = []
        self._removals: list[Removal] = []
        self._attempts: set[KeyPath] = set()
        self._emptied: set[KeyPath] = set()

    def run(self) -> Partial[Shape]:
        for index in range(_MOST_ROUNDS):
            spec, faults = find_faults(self._model, self._data(with_defaults=index > 0))
            self._describe(fault for fault in faults if index == 0 or not self._is_caused(fault))
            homes = [fault.context["home"].key_path for fault in faults if "home" in fault.context]
            self._emptied |= {path for home in homes for path in (home, home[:-1])}
            if spec is not None or not self._correct(faults):
                break
        diagnostics = tuple(sorted(self._diagnostics, key=Diagnostic.sort_key))
        return Partial(spec, self._document, diagnostics, tuple(self._removals))

    def _is_caused(self, fault: Fault) -> bool:
        """Return whether other mistakes cause a fault: what belongs in an empty value was reported."""
        return fault.kind in _CAUSED or (fault.value is None and fault.key_path in self._emptied)

    def _data(self, *, with_defaults: bool) -> Data:
        data = {} if self._document.data is None else self._document.data
        return {**self._defaults, **data} if with_defaults and isinstance(data, dict) else data

    def _describe(self, faults: Iterable[Fault]) -> None:
        source_map, places = SourceMap(self._document, (self._model,)), {each.place for each in self._diagnostics}
        diagnostics = describe_faults(faults, source_map, KeyContext(root_models=(self._model,)))
        self._diagnostics += [each for each in diagnostics if each.place not in places]

    def _correct(self, faults: Iterable[Fault]) -> bool:
        """Remove or rename what is wrong; return whether anything is left."""
        every = tuple(
            fault._replace(key_path=(*fault.key_path[:-1], key))
            for fault in faults
            for key in (fault.context["items"] if "home" in fault.context else fault.key_path[-1:])
        )
        if len(every) > _MOST_CORRECTIONS:
            return False
        if not all(self._has_default(fault) for fault in every if not self._target(fault)):
            return False
        self._removals += [Removal(fault.key_path, None) for fault in every if not self._target(fault)]
        targets = {target: fault for fault in every if (target := self._target(fault))}
        # From the end, so that the indexes of earlier items stay the same, and items before their container.
        for key_path in sorted(targets, key=_order, reverse=True):
            if name := next(self._names(targets[key_path], key_path), ""):
                self._attempts |= {key_path, (*key_path[:-1], name)}
                self._removals.append(Removal(key_path, [str(key_path[-1])]))
                self._document = renamed(self._document, key_path, name)
            else:
                self._removals.append(Removal(key_path, value_at(self._document, key_path)))
                self._document = without(self._document, key_path)
        return True

    def _has_default(self, fault: Fault) -> bool:
        return fault.kind == "missing" and len(fault.key_path) == 1 and fault.key_path[0] in self._defaults

    def _target(self, fault: Fault) -> KeyPath:
        """Return the key path of what has to go: the value, or the container of a missing one."""
        key_path = fault.key_path[:-1] if fault.kind == "missing" else fault.key_path
        return existing_path(self._document, key_path)

    def _names(self, fault: Fault, key_path: KeyPath) -> Iterator[str]:
        """Yield the names that were probably meant by a wrong key."""
        is_unknown = fault.kind == "extra_forbidden"
        if key_path != fault.key_path or not (is_unknown or fault.at_key):
            return
        key, siblings = str(key_path[-1]), value_at(self._document, key_path[:-1])
        meant = fault.context.get("meant") or closest(key, accepted_keys(fault.owners), VERY_CLOSE_CUTOFF)
        names: tuple[str, ...] = (meant,)
        if not is_unknown:
            # Ids and keys like a name that is not valid.
            name = slugify(key)
            names = (name, name.replace("-", "_"))
        for name in names:
            is_new = (*key_path[:-1], name) not in self._attempts
            if name and is_new and isinstance(siblings, dict) and name not in siblings:
                yield name


def _order(key_path: KeyPath) -> tuple[tuple[int, str], ...]:
    return tuple((step, "") if isinstance(step, int) else (-1, step) for step in key_path)


# A character that is not seen, and that no script but those of the east needs; hyphenation points are not among them.
_OF_EAST = "\u0530-\u1fff\u2e80-\ufefe"
INVISIBLE = re.compile(f"(?<![{_OF_EAST}])[\u200b\u202a-\u202e\u2060-\u2064\ufeff](?![{_OF_EAST}])")


def invisible_advice(name: str) -> str:
    """Return what to do about an invisible character in a name, or ''."""
    found = INVISIBLE.search(name)
    return f"it contains the invisible character U+{ord(found[0]):04X}; remove it" if found else ""


def unknown_name_diagnostic(
    code: Code, what: str, name: str, known: Iterable[str], place: Place, guess: str = ""
) -> Diagnostic:
    """Return the diagnostic for an unknown game or kind; `guess` is meant if no name is similar."""
    names = tuple(known)
    suggestion = did_you_mean(name, names) or (f"; did you mean '{guess}'?" if guess else "")
    return Diagnostic(code, f"unknown {what} '{name}'{suggestion}", place, f"available: {', '.join(names)}")


def unknown_kind_diagnostic(
    kind: str, kinds: Iterable[str], games: Mapping[str, Container[str]], place: Place, guess: str = ""
) -> Diagnostic:
    """Return the diagnostic for a kind that a game lacks; `games` are the kinds of all games, which may have it."""
    unknown = unknown_name_diagnostic(Code.UNKNOWN_KIND, "kind", kind, kinds, place, guess)
    owners = [game for game, their in games.items() if kind in their]
    if not owners:
        return unknown
    where = f"write 'game: {owners[0]}' at the top, or move it to the cards of that game"
    remedy = f"for a card of {join_words(owners)}, {where}; {unknown.help}"
    return unknown._replace(message=f"unknown kind '{kind}'", help=remedy)
