"""Resolve plain scalars by YAML 1.2, and detect disagreement with YAML 1.1."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

import yaml

from cardgen.source.positions import Scalar

# Larger whole numbers are not exact in every program that reads the file.
MAX_NUMBER = 2**53
MAX_CACHED_LENGTH = 60


class Misread(Enum):
    """YAML 1.1's value of a text that it resolves but cannot construct.

    An example is the date 2024-13-45.
    """

    MISREAD = "an error"


class PlainScalar(NamedTuple):
    """Values of a plain scalar by YAML 1.2 (`value`) and 1.1 (`legacy`).

    `is_valid` is False if the scalar is ambiguous or out of range.
    """

    value: Scalar
    legacy: object
    is_valid: bool = True

    @property
    def is_ambiguous(self) -> bool:
        """True if the two versions differ; two values of .nan do not."""
        same_type = type(self.value) is type(self.legacy)
        return not same_type or (self.value != self.legacy and self.value == self.value)

    @property
    def is_out_of_range(self) -> bool:
        """True for infinities, .nan, and numbers beyond MAX_NUMBER."""
        return isinstance(self.value, int | float) and not abs(self.value) <= MAX_NUMBER


_CONSTANTS: Mapping[str, Scalar] = {"": None, "~": None} | {
    spelling: value
    for word, value in {"null": None, "true": True, "false": False}.items()
    for spelling in (word, word.capitalize(), word.upper())
}
_NUMBERS: tuple[tuple[re.Pattern[str], Callable[[str], int | float]], ...] = (
    (re.compile(r"[-+]?[0-9]+"), int),
    (re.compile(r"0o[0-7]+"), lambda text: int(text, 8)),
    (re.compile(r"0x[0-9a-fA-F]+"), lambda text: int(text, 16)),
    (re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?"), float),
    (re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)"), lambda text: float(text.replace(".", ""))),
)
_NUMBER_STARTS = frozenset("+-.0123456789")
_LEGACY_TAGS = yaml.SafeLoader.yaml_implicit_resolvers


def resolve_plain(text: str) -> PlainScalar:
    """Resolve a plain scalar by both versions of YAML."""
    if text[:1] not in _LEGACY_TAGS:  # Everything but text begins with one of these characters.
        return PlainScalar(text, text)
    return _resolve_cached(text) if len(text) <= MAX_CACHED_LENGTH else _resolve(text)


def _resolve(text: str) -> PlainScalar:
    scalar = PlainScalar(_core_value(text), _legacy_value(text))
    return scalar._replace(is_valid=not (scalar.is_ambiguous or scalar.is_out_of_range))


_resolve_cached = lru_cache(maxsize=8192)(_resolve)


def _core_value(text: str) -> Scalar:
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if text[0] in _NUMBER_STARTS:
        for pattern, number in _NUMBERS:
            if pattern.fullmatch(text):
                return _convert(number, text)
    return text


def _convert(number: Callable[[str], int | float], text: str) -> int | float:
    try:
        return number(text)
    except ValueError:  # Python limits whole numbers to a few thousand digits.
        return float("inf")


def _legacy_value(text: str) -> object:
    for tag, pattern in _LEGACY_TAGS.get(text[:1], ()):
        if pattern.match(text):
            return _construct(tag, text)
    return text


def _construct(tag: str, text: str) -> object:
    try:
        return yaml.SafeLoader("").construct_object(yaml.ScalarNode(tag, text))
    except (yaml.YAMLError, ValueError, OverflowError):
        return Misread.MISREAD


def explain_ambiguity(text: str, scalar: PlainScalar) -> tuple[str, str]:
    """Return the message and the help for an ambiguous scalar."""
    value, legacy = _describe(scalar.value), _describe(scalar.legacy)
    numbers = {n for n in (scalar.value, scalar.legacy) if isinstance(n, int | float) and not isinstance(n, bool)}
    plain = " or ".join(f"{number:g}" for number in sorted(numbers))
    advice = f"put '{text}' in quotes" + (f", or write the number as {plain}" if plain else "")
    if isinstance(scalar.legacy, bool):
        advice = f"write {legacy} for the boolean, or put '{text}' in quotes for the text"
    return f"{text} is ambiguous: {value} in YAML 1.2, but {legacy} in YAML 1.1", advice


def _describe(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return f"the number {value:.15g}"
    if isinstance(value, str):
        return "text"
    return value.value if isinstance(value, Misread) else "a date"
