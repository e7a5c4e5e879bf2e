"""Bounds of numbers, texts, lists, and maps as annotation metadata."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from cardgen.diagnostic import CardgenError
from cardgen.rulesets.limits import LimitRule
from cardgen.validation.suggestion import did_you_mean

# What is counted, and the names of its bounds in JSON Schema.
NUMBERS = ("", "minimum", "maximum")
LETTERS = ("character", "minLength", "maxLength")
ITEMS = ("item", "minItems", "maxItems")
KEYS = ("key", "minProperties", "maxProperties")
_MOST_WORDS = 12
# With more words, the schema leaves them to the reader.
_MOST_IN_SCHEMA = 500


class Bounds(NamedTuple):
    """Lowest and highest number, or fewest and most letters, items, or keys.

    None for no bound.
    """

    low: float | None
    high: float | None
    rule: LimitRule
    counted: tuple[str, str, str] = NUMBERS

    @property
    def phrase(self) -> str:
        """The bounds as part of a sentence: 'between 1 and 6'."""
        if self.low is None:
            return f"at most {self.high:g}"
        if self.high is None:
            return f"at least {self.low:g}"
        return f"exactly {self.low:g}" if self.low == self.high else f"between {self.low:g} and {self.high:g}"

    def check(self, value: Any) -> Any:
        """Return the value, or raise the rule's error."""
        amount = len(value) if self.counted[0] else value
        if (self.low is None or amount >= self.low) and (self.high is None or amount <= self.high):
            return value
        unit, most = self.counted[0], self.high if self.high is not None else self.low
        words = f"must have {self.phrase} {unit}{'' if most == 1 else 's'}" if unit else f"must be {self.phrase}"
        raise self.rule.error("{words}, not {amount}", words=words, amount=f"{amount:g}")

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_after_validator_function(self.check, handler(source))

    def __get_pydantic_json_schema__(self, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        _, lowest, highest = self.counted
        low = {} if self.low is None else {lowest: _plain(self.low)}
        high = {} if self.high is None else {highest: _plain(self.high)}
        return {**handler(core), **low, **high}


def _plain(number: float) -> float:
    return int(number) if float(number).is_integer() else number


class KnownWord(NamedTuple):
    """A text that must be one of some words, as annotation metadata.

    `what` says what they are.
    """

    words: frozenset[str]
    what: str
    rule: LimitRule

    def check(self, value: str) -> str:
        """Return the value, or raise the rule's error."""
        if value in self.words:
            return value
        words = sorted(self.words)
        message = "unknown {what} '{value}'{guess}"
        raise self.rule.error(
            message, what=self.what, value=value, guess=did_you_mean(value, words), help=_available(words)
        )

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_after_validator_function(self.check, handler(source))

    def __get_pydantic_json_schema__(self, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return {**handler(core), "enum": sorted(self.words)} if len(self.words) <= _MOST_IN_SCHEMA else handler(core)


def _available(words: Iterable[str]) -> str:
    some = list(words)
    if not some:
        return "the game has none"
    shown = some[:_MOST_WORDS]
    return f"available: {', '.join(shown)}{', …' if len(some) > len(shown) else ''}"


class MapKeys(NamedTuple):
    """The keys that a map may have, as annotation metadata."""

    names: tuple[str, ...]
    rule: LimitRule

    def check(self, value: dict[str, Any]) -> dict[str, Any]:
        """Return the map, or raise the rule's error at its first unknown key."""
        for key in value:
            if key not in self.names:
                message, help_text = "unknown key '{key}'{guess}", f"valid keys: {', '.join(self.names)}"
                guess = did_you_mean(key, self.names)
                raise self.rule.error(message, key=key, guess=guess, path=(key,), at_key=True, help=help_text)
        return value

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_after_validator_function(self.check, handler(source))

    def __get_pydantic_json_schema__(self, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        schema = handler(core)
        by_pattern = schema.pop("patternProperties", {})
        items = next(iter(by_pattern.values()), schema.pop("additionalProperties", {}))
        return {**schema, "properties": dict.fromkeys(self.names, items), "additionalProperties": False}


class DiceText(NamedTuple):
    """A text that must be dice notation, or a whole number, as annotation metadata."""

    rule: LimitRule

    def check(self, value: str) -> str:
        """Return the value, or raise the rule's error."""
        from cardgen.referee.dice_notation import parse  # loaded here because few games have such fields

        try:
            parse(value)
        except CardgenError as error:
            first = error.diagnostics[0]
            raise self.rule.error("{words}", words=first.message, help=first.help) from None
        return value

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_before_validator_function(
            _number_as_text, core_schema.no_info_after_validator_function(self.check, handler(source))
        )

    def __get_pydantic_json_schema__(self, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return {"anyOf": [{**handler(core), "examples": ["1d6"]}, {"type": "integer", "minimum": 0}]}


def _number_as_text(value: object) -> object:
    """Return a whole number such as 3 as dice notation."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else value
