"""Names in a game file: ids, keys of cards, and codes."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from cardgen.game_file.codes import Code
from cardgen.model.card import Card
from cardgen.model.card_file import DeckHeader

# YAML 1.1 reads these as true, false, or null, and YAML 1.2 reads most of them as text.
AMBIGUOUS_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})
MAX_NAME = 40

_CARD_KEYS = frozenset(Card.model_fields) | {other for others in Card.SYNONYMS.values() for other in others}
_HEADER_KEYS = frozenset(DeckHeader.model_fields)


def _refuse(message: str, name: str, help_text: str) -> PydanticCustomError:
    return PydanticCustomError("name", message, {"name": name, "code": Code.INVALID_GAME, "help": help_text})


def _not_ambiguous(name: str) -> str:
    if name in AMBIGUOUS_WORDS:
        raise _refuse("the name '{name}' is true, false, or null in some versions of YAML", name, "choose another name")
    return name


def _not_taken(name: str) -> str:
    if name in _CARD_KEYS | _HEADER_KEYS:
        raise _refuse("every card has the key '{name}'", name, "choose another name")
    if hasattr(Card, name) or name.startswith("model_"):
        raise _refuse("the name '{name}' is reserved", name, "choose another name")
    return name


def _name(pattern: str, description: str) -> object:
    return Field(strict=True, pattern=pattern, max_length=MAX_NAME, description=description)


_ID = _name(r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$", "lowercase letters and digits, separated by single hyphens")
_KEY = _name(r"^[a-z][a-z0-9]*(_[a-z0-9]+)*$", "lowercase letters and digits, separated by single underscores")

GameId: TypeAlias = Annotated[str, _ID, AfterValidator(_not_ambiguous)]
# The name of a kind, a type, a list, a piece, a check, a ruling, or a trial.
KindName: TypeAlias = Annotated[str, _ID, AfterValidator(_not_ambiguous)]
# A key of cards or of parts of cards.
FieldName: TypeAlias = Annotated[str, _KEY, AfterValidator(_not_ambiguous)]
CardKey: TypeAlias = Annotated[FieldName, AfterValidator(_not_taken)]
Prefix: TypeAlias = Annotated[str, _name(r"^[A-Z]{2}$", "two capital letters")]
LimitCode: TypeAlias = Annotated[str, _name(r"^[A-Z]{2}[1-5][0-9]{2}$", "the prefix and three digits, such as EM101")]
