"""Names for values, fields, and failed calls in terms of card authors."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from jinja2 import TemplateError
from jinja2.exceptions import SecurityError, UndefinedError
from jinja2.runtime import Macro, Undefined
from jinja2.utils import missing
from pydantic import BaseModel

from cardgen.diagnostic import did_you_mean
from cardgen.model.card import Card
from cardgen.units import with_article

_MOST_FIELDS = 10
_WORDS = {
    "str": "text", "Markup": "text", "int": "a number", "float": "a number", "bool": "true or false",
    "NoneType": "nothing", "list": "a list", "tuple": "a list", "dict": "a map", "mappingproxy": "a map",
    "set": "a list", "frozenset": "a list", "range": "a list", "generator": "a list", "map": "a list",
    "filter": "a list", "type": "a function", "function": "a function", "method": "a function",
    "builtin_function_or_method": "a function",
    "BlockReference": "a block", "Macro": "a macro", "Namespace": "a namespace", "LoopContext": "the loop",
}  # fmt: skip
_OPERANDS = re.compile(r"unsupported operand type\(s\) for ([^:]+): '(\w+)' and '(\w+)'")
_COMPARISON = re.compile(r"'([<>]=?)' not supported between instances of '(\w+)' and '(\w+)'")
_NOT_USABLE = re.compile(r"'(\w+)' object is not (iterable|callable|subscriptable)")
_CONCATENATION = re.compile(r"can only concatenate \w+ \(not \"(\w+)\"\) to (\w+)")
_USES = {"iterable": "looped over", "callable": "called", "subscriptable": "indexed"}
_UNPRINTABLE = re.compile(r"a value of type '(\w+)' cannot be printed")
_MISSING_PART = re.compile(r"has no attribute '([^']*)'")
_MISSING = re.compile(r"'([^']*)' is undefined")


def type_name(kind: type) -> str:
    """Return the name of a type of values, such as 'a number' or 'a minion'."""
    if issubclass(kind, BaseModel):
        name = model_name(kind)
        return with_article(name)
    return _name_of_class(kind.__name__)


def _name_of_class(name: str) -> str:
    return _WORDS.get(name) or _split_words(name)


def model_name(model: type[BaseModel]) -> str:
    """Return the name of a kind of card, or of a part of one."""
    return getattr(model, "KIND", "") or _split_words(model.__name__)


def _split_words(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name.strip("_")).lower()


def visible_fields(model: type[BaseModel]) -> tuple[str, ...]:
    """Return the fields of a model that templates can use, in order."""
    own = (
        name
        for each in model.__mro__
        if issubclass(each, BaseModel) and each is not BaseModel
        for name, value in vars(each).items()
        if isinstance(value, property) and not name.startswith("_")
    )
    return tuple(dict.fromkeys((*model.model_fields, *own)))


def unknown_field(name: str, models: Iterable[type[BaseModel]]) -> str:
    """Return the message for a field that no model has.

    It includes a suggestion.
    """
    kinds = tuple(models)
    fields = tuple(dict.fromkeys(field for model in kinds for field in visible_fields(model)))
    spelling = next((field for model in kinds for field in _fields_spelled(model, name)), "")
    hint = f"; did you mean '{spelling}'?" if spelling else did_you_mean(name, fields)
    more = ", …" * (len(fields) > _MOST_FIELDS)
    hint = hint or f"; it has {', '.join(_own_first(kinds, fields)[:_MOST_FIELDS])}{more}" * bool(fields)
    return f"unknown {' or '.join(dict.fromkeys(map(model_name, kinds)))} field '{name}'{hint}"


def _own_first(models: Iterable[type[BaseModel]], fields: Iterable[str]) -> list[str]:
    """Return fields with those first that not all kinds of cards have."""
    own = {field for model in models for field in model.model_fields if field not in Card.model_fields}
    return sorted(fields, key=lambda field: field not in own)


def _fields_spelled(model: type[BaseModel], name: str) -> Iterator[str]:
    """Yield the field that card files write under this name."""
    synonyms: Mapping[str, tuple[str, ...]] = getattr(model, "SYNONYMS", {})
    for field, info in model.model_fields.items():
        key = info.alias or field
        if name in (key, *synonyms.get(key, ())):
            yield field


def unknown_name(name: str, names: Iterable[str], fields: Iterable[str] = ()) -> str:
    """Return the message for a name that nothing in a template has."""
    if name in fields:
        return f"unknown name '{name}'; did you mean 'card.{name}'?"
    return f"unknown name '{name}'{did_you_mean(name, names)}"


def unknown_entry(name: str, names: Iterable[str], what: str = "key") -> str:
    """Return the message for a key that a map does not have."""
    return f"unknown {what} '{name}'{did_you_mean(name, map(str, names))}"


def undefined_message(value: Undefined, names: Iterable[str], fields: Iterable[str] = ()) -> str:
    """Return the message for the use of a value that does not exist."""
    name, owner = value._undefined_name, value._undefined_obj
    if value._undefined_exception is SecurityError:
        return f"not allowed in templates: '{name}'"
    if name is None:
        return "a value that does not exist is used"
    if owner is missing:
        return unknown_name(str(name), names, fields)
    if owner is None:
        return f"'{name}' is read of a field without a value; test the field first, as in '{{% if card.friend %}}'"
    return missing_part(owner, name)


def missing_part(owner: object, name: object) -> str:
    """Return the message for a part that a value does not have."""
    if isinstance(name, int):
        return f"there is no item {name}; the first of a list is 0" if hasattr(owner, "__len__") else _no_parts(owner)
    if isinstance(owner, BaseModel):
        return unknown_field(str(name), [type(owner)])
    if isinstance(owner, Mapping):
        return unknown_entry(str(name), owner)
    if type(owner).__name__ == "TemplateModule":
        macros = [each for each in vars(owner) if not each.startswith("_")]
        return unknown_entry(str(name), macros, "macro")
    return f"unknown field '{name}' of {type_name(type(owner))}"


def _no_parts(owner: object) -> str:
    return f"{type_name(type(owner))} cannot be indexed"


def call_fault(name: str, function: Callable[..., Any], given: int, keywords: Iterable[str]) -> str:
    """Return why a function cannot take some arguments, or ''."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return ""
    return arguments_fault(f"'{name}'", tuple(signature.parameters.values()), given, tuple(keywords))


def arguments_fault(what: str, parameters: tuple[inspect.Parameter, ...], given: int, keywords: tuple[str, ...]) -> str:
    """Return why something with these parameters cannot take some arguments, or ''."""
    kinds = inspect.Parameter
    positional = [each for each in parameters if each.kind in (kinds.POSITIONAL_ONLY, kinds.POSITIONAL_OR_KEYWORD)]
    named = [each.name for each in parameters if each.kind in (kinds.POSITIONAL_OR_KEYWORD, kinds.KEYWORD_ONLY)]
    if given > len(positional) and not any(each.kind is kinds.VAR_POSITIONAL for each in parameters):
        return f"{what} takes {_at_most(len(positional))}, not {given}"
    if not any(each.kind is kinds.VAR_KEYWORD for each in parameters):
        for keyword in keywords:
            if keyword not in named:
                return f"{what} has no argument '{keyword}'{did_you_mean(keyword, named)}"
    filled = {each.name for each in positional[:given]} | set(keywords)
    variable = (kinds.VAR_POSITIONAL, kinds.VAR_KEYWORD)
    missing = (
        each.name
        for each in parameters
        if each.name not in filled and each.default is kinds.empty and each.kind not in variable
    )
    lacking = next(missing, "")
    return f"{what} needs the argument '{lacking}'" if lacking else ""


def _at_most(number: int) -> str:
    return {0: "no arguments", 1: "at most 1 argument"}.get(number, f"at most {number} arguments")


def macro_parameters(macro: Macro) -> tuple[inspect.Parameter, ...]:
    """Return the parameters of a macro.

    All are optional, since macros replace those left out.
    """
    return make_parameters(macro.arguments, varargs=macro.catch_varargs, kwargs=macro.catch_kwargs)


def make_parameters(names: Iterable[str], *, varargs: bool, kwargs: bool) -> tuple[inspect.Parameter, ...]:
    """Return optional parameters with these names."""
    kinds = inspect.Parameter
    more = [kinds("varargs", kinds.VAR_POSITIONAL)] * varargs + [kinds("kwargs", kinds.VAR_KEYWORD)] * kwargs
    return (*(kinds(name, kinds.POSITIONAL_OR_KEYWORD, default=None) for name in names), *more)


def error_message(error: BaseException) -> str:
    """Return the message of an error in words of card authors."""
    if isinstance(error, UndefinedError):
        return _undefined_error(str(error.message))
    if isinstance(error, SecurityError):
        return _security_error(str(error.message))
    if isinstance(error, TemplateError):
        return _UNPRINTABLE.sub(lambda match: f"{_name_of_class(match[1])} cannot be printed", str(error))
    if isinstance(error, ZeroDivisionError):
        return "division by zero"
    if isinstance(error, TypeError | AttributeError):
        return _type_error(str(error))
    if isinstance(error, LookupError) and error.args and " has no reference to " in str(error.args[0]):
        return str(error.args[0])
    if isinstance(error, ValueError) and "integer string conversion" in str(error):
        return "a number has too many digits"
    return "this cannot be computed; check the values and arguments"


def _undefined_error(message: str) -> str:
    missing = _MISSING.fullmatch(message)
    part = _MISSING_PART.search(message)
    if part:
        return f"unknown field '{part[1]}'"
    return f"unknown name '{missing[1]}'" if missing else "a value that does not exist is used"


def _security_error(message: str) -> str:
    attribute = re.search(r"attribute '([^']*)'", message)
    if attribute:
        return f"not allowed in templates: '{attribute[1]}'"
    return (
        "not allowed in templates: this function" if "callable" in message else f"not allowed in templates: {message}"
    )


def _type_error(message: str) -> str:
    if match := _OPERANDS.search(message):
        return operator_fault(match[1], _name_of_class(match[2]), _name_of_class(match[3]))
    if match := _CONCATENATION.search(message):
        return operator_fault("+", _name_of_class(match[2]), _name_of_class(match[1]))
    if match := _COMPARISON.search(message):
        return f"{_name_of_class(match[2])} cannot be compared with {_name_of_class(match[3])}"
    if match := _NOT_USABLE.search(message):
        return f"{_name_of_class(match[1])} cannot be {_USES[match[2]]}"
    return "this cannot be computed; check the values and arguments"


def operator_fault(operator: str, left: str, right: str) -> str:
    """Return the message for an operator between the wrong values."""
    sign = operator.split(" ")[0]
    hint = "; join texts with ~" if sign == "+" and "text" in (left, right) else ""
    return f"'{sign}' does not work with {left} and {right}{hint}"
