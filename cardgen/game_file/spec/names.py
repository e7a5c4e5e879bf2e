"""Names in a game file: ids, keys of cards, and codes."""

from __future__ import annotations

import re
from typing import Annotated, Any, TypeAlias

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from cardgen.codes import Code
from cardgen.model.card import Card
from cardgen.model.card_file import DeckHeader

# YAML 1.1 reads these as true, false, or null, and YAML 1.2 reads most of them as text.
AMBIGUOUS_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})
MAX_NAME = 40

_CARD_KEYS = frozenset(Card.model_fields) | {other for others in Card.SYNONYMS.values() for other in others}
_HEADER_KEYS = frozenset(DeckHeader.model_fields)
# Attributes of every model, and the properties of parts and cards.
_RESERVED = frozenset(dir(Card)) - _CARD_KEYS | {"line"}


def _refuse(message: str, name: str, help_text: str) -> PydanticCustomError:
    return PydanticCustomError("name", message, {"name": name, "code": Code.INVALID_GAME, "help": help_text})


def _not_ambiguous(name: str) -> str:
    if name in AMBIGUOUS_WORDS:
        raise _refuse("the name '{name}' is true, false, or null in some versions of YAML", name, "choose another name")
    return name


def _not_taken(name: str) -> str:
    if name in _CARD_KEYS:
        raise _refuse("every card has the key '{name}'", name, "choose another name")
    if name in _HEADER_KEYS:
        raise _refuse("'{name}' is a key of card files", name, "choose another name")
    return _not_reserved(name)


def _not_reserved(name: str) -> str:
    if name in _RESERVED or name.startswith("model_"):
        raise _refuse("the name '{name}' is reserved", name, "choose another name")
    return name


def _not_general(prefix: str) -> str:
    if prefix == "CG":
        raise _refuse("the prefix '{name}' belongs to cardgen", prefix, "choose another prefix")
    return prefix


def _name(pattern: str, words: str) -> tuple[object, ...]:
    """Return the annotations of a name that matches a pattern, which `words` describe."""
    compiled = re.compile(pattern)

    def check(name: str) -> str:
        if not compiled.fullmatch(name):
            raise _refuse("'{name}' is not a valid name", name, f"use {words}")
        if len(name) > MAX_NAME:
            raise _refuse("the name '{name}' is too long", name, f"use at most {MAX_NAME} characters")
        return name

    schema = {"type": "string", "pattern": f"^{pattern}$", "maxLength": MAX_NAME, "description": words}
    return Field(strict=True), AfterValidator(check), WithJsonSchema(schema)


_ID = _name("[a-z][a-z0-9]*(-[a-z0-9]+)*", "lowercase letters and digits, separated by single hyphens")
_KEY = _name("[a-z][a-z0-9]*(_[a-z0-9]+)*", "lowercase letters and digits, separated by single underscores")
_PREFIX = _name("[A-Z]{2}", "two capital letters")
_CODE = _name("[A-Z]{2}[1-5][0-9]{2}", "the prefix and three digits from 100 to 599, such as EM101")

GameId: TypeAlias = Annotated[str, *_ID, AfterValidator(_not_ambiguous)]
# The name of a kind, a type, a list, a piece, a check, a ruling, or a trial.
KindName: TypeAlias = Annotated[str, *_ID, AfterValidator(_not_ambiguous)]
# A key of parts of cards, or of cards; the latter cannot be a key that every card has.
FieldName: TypeAlias = Annotated[str, *_KEY, AfterValidator(_not_ambiguous)]
CardKey: TypeAlias = Annotated[FieldName, AfterValidator(_not_taken)]
PartKey: TypeAlias = Annotated[FieldName, AfterValidator(_not_reserved)]
Prefix: TypeAlias = Annotated[str, *_PREFIX, AfterValidator(_not_general)]
LimitCode: TypeAlias = Annotated[str, *_CODE]


MAX_FORMULA = 1_000


def _to_source(value: Any) -> Any:
    """Return the source of an expression that YAML reads as another type.

    These are numbers, true, and false.
    """
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int | float) else value


FormulaText: TypeAlias = Annotated[
    str,
    Field(strict=True, min_length=1, max_length=MAX_FORMULA, description="an expression, such as heat + 1"),
    BeforeValidator(_to_source),
    WithJsonSchema({"type": ["string", "number", "boolean"], "description": "an expression, such as heat + 1"}),
]
WordsText: TypeAlias = Annotated[
    str, Field(strict=True, min_length=1, max_length=MAX_FORMULA, description="a text, with expressions in {{ }}")
]
