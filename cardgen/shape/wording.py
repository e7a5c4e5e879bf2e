"""What is said about a fault: by the kind of the error, in our words, short enough for one line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple, get_args

from pydantic_core.core_schema import ErrorType

from cardgen.shape.codes import Code
from cardgen.shape.fault import MISMATCH, Fault, spoken
from cardgen.shape.keys import Models, keys, known_keys, reachable, usual_keys
from cardgen.shape.suggestion import VERY_CLOSE, closest, did_you_mean, listed

_LONGEST_QUOTE = 40
_MOST_NAMED = 6


class Words(NamedTuple):
    """A diagnostic's code, message and help."""

    code: str
    message: str
    help: str = ""


class Surroundings(NamedTuple):
    """What stands around a model, for words about keys that are not its own.

    `root` is the model itself, `itself` says where it stands ('on the card itself') and `of` whose keys it has (' for
    the kind minion'). The keys `beside` may stand next to its own. `relatives` are the models that have keys in other
    places, by how to say the place ('to the kind mission').
    """

    root: Models = ()
    itself: str = "at the top level"
    of: str = ""
    beside: tuple[str, ...] = ()
    relatives: Mapping[str, Models] = MappingProxyType({})


def words(fault: Fault, name: str, around: Surroundings) -> Words:
    """What to say about `fault`, which stands at a value that its author calls `name` ("'qty'")."""
    if fault.kind == "extra_forbidden":
        return _unknown_key(fault, around)
    say = _WORDS.get(fault.kind)
    return say(fault, name) if say else _other(fault, name)


def found(value: object) -> str:
    """A value as part of a sentence."""
    if value is None:
        return "nothing"
    if isinstance(value, dict):
        return "a map"
    if isinstance(value, list | tuple):
        return "a list"
    return quoted(value) if isinstance(value, str) else spoken(value)


def instead(value: object) -> str:
    """What stands where something else should: 'not 5', 'but is left empty'."""
    return "but is left empty" if value is None else f"not {found(value)}"


def quoted(text: str) -> str:
    """A text in quotes, shortened where it is long."""
    return f"'{text}'" if len(text) <= _LONGEST_QUOTE else f"'{text[:_LONGEST_QUOTE]}…'"


def _unknown_key(fault: Fault, around: Surroundings) -> Words:
    key, at_top = str(fault.route[-1]), len(fault.route) == 1
    known = (*known_keys(fault.owners), *(around.beside if at_top else ()))
    message = f"unknown key {quoted(key)}{around.of if at_top else ''}"
    home = "" if closest(key, known, VERY_CLOSE) else _home(key, fault.owners, around)
    if not home and closest(key, known):
        return Words(Code.UNKNOWN_KEY, message + did_you_mean(key, known))
    advice = f"known here: {', '.join(usual_keys(fault.owners))}" if known else ""
    return Words(Code.UNKNOWN_KEY, f"{message}; it belongs {home}" if home else message, advice)


def _home(key: str, owners: Models, around: Surroundings) -> str:
    """Where a key belongs that does not belong to the `owners`: the nearest place, as part of a sentence."""
    for name, model in (*reachable(owners), *reachable(around.root)):
        if key in known_keys((model,)):
            return f"in '{name}'" if name else around.itself
    return next((home for home, models in around.relatives.items() if key in known_keys(models)), "")


def _missing(fault: Fault, name: str) -> Words:
    key = fault.route[-1] if fault.route else 0
    return Words(Code.MISSING_KEY, f"{name} is missing", f"add '{key}: …' here" if isinstance(key, str) else "")


def _mismatch(fault: Fault, name: str) -> Words:
    constants = [spoken(choice) for choice in fault.choices]
    code = Code.NOT_ONE_OF if set(constants) & set(fault.expected) else Code.WRONG_TYPE
    expected = listed(_unrolled(fault.expected) or ("something else",))
    guess = did_you_mean(fault.found, constants) if isinstance(fault.found, str) else ""
    if len(fault.expected) > _MOST_NAMED:
        return Words(code, f"{name} cannot be {found(fault.found)}{guess}", f"write {expected}")
    return Words(code, f"{name} must be {expected}, {instead(fault.found)}{guess}")


def _unrolled(expected: tuple[str, ...]) -> tuple[str, ...]:
    """'true or false' as two words, so that a list has one 'or' only."""
    return tuple(dict.fromkeys(word for words in expected for word in words.split(" or ")))


def _bound(phrase: str, limit: str) -> Callable[[Fault, str], Words]:
    def say(fault: Fault, name: str) -> Words:
        edge = f"{fault.context[limit]:g}"
        return Words(Code.OUT_OF_BOUNDS, f"{name} must be {phrase} {edge}, not {found(fault.found)}")

    return say


def _length(phrase: str, limit: str) -> Callable[[Fault, str], Words]:
    def say(fault: Fault, name: str) -> Words:
        edge, value = fault.context[limit], fault.found
        if edge == 1 and phrase == "at least":
            return Words(Code.OUT_OF_BOUNDS, f"{name} must not be empty")
        unit = "character" if isinstance(value, str) else "item"
        count = len(value) if isinstance(value, str | list | tuple | dict) else 0
        message = f"{name} must have {phrase} {edge} {unit}{'s' if edge != 1 else ''}, not {count}"
        return Words(Code.OUT_OF_BOUNDS, message)

    return say


def _pattern(fault: Fault, name: str) -> Words:
    if isinstance(fault.found, str) and not fault.found.strip():
        return Words(Code.MALFORMED, f"{name} must not be blank")
    key = next((step for step in reversed(fault.route) if isinstance(step, str)), "")
    described = next((keys(model)[key].description for model in fault.owners if key in keys(model)), "")
    return Words(Code.MALFORMED, f"{name} cannot be {found(fault.found)}", f"write {described}" if described else "")


def _raised(fault: Fault, name: str) -> Words:
    """What a validator raised as a plain ValueError."""
    return Words(Code.INVALID, str(fault.context.get("error", "")) or _other(fault, name).message)


def _other(fault: Fault, name: str) -> Words:
    """A validator's own message; an error of pydantic's that nobody has put into words yet has none of ours."""
    context = fault.context
    if fault.kind in _BUILT_IN:
        return Words(Code.INVALID, f"{name} cannot be {found(fault.found)}")
    return Words(str(context.get("code", Code.INVALID)), fault.message, str(context.get("help", "")))


_BUILT_IN = frozenset(get_args(ErrorType))
_WORDS: Mapping[str, Callable[[Fault, str], Words]] = {
    MISMATCH: _mismatch,
    "missing": _missing,
    "greater_than": _bound("greater than", "gt"),
    "greater_than_equal": _bound("at least", "ge"),
    "less_than": _bound("less than", "lt"),
    "less_than_equal": _bound("at most", "le"),
    "multiple_of": _bound("a multiple of", "multiple_of"),
    "string_too_short": _length("at least", "min_length"),
    "string_too_long": _length("at most", "max_length"),
    "too_short": _length("at least", "min_length"),
    "too_long": _length("at most", "max_length"),
    "string_pattern_mismatch": _pattern,
    "value_error": _raised,
    "assertion_error": _raised,
}
