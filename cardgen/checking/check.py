"""Checks and their findings: code, severity, confidence, symbolic places, fixes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from inspect import signature
from typing import Any, NamedTuple, TypeAlias, get_args

from cardgen.diagnostic import Place, Severity
from cardgen.model.entry import Entry
from cardgen.source import KeyPath


class Confidence(StrEnum):
    """How sure a check is: by rule, by convention, or by similarity."""

    CERTAIN = "certain"
    LIKELY = "likely"
    GUESS = "guess"


# Indices of characters in a text: the first, and the one after the last.
TextRange = tuple[int, int]


class Fix(NamedTuple):
    """A fix for a finding: `text` replaces the characters at its place.

    A `safe` fix is certainly what the author meant; any other changes what the card does.
    """

    text: str
    safe: bool = False


class Related(NamedTuple):
    """A labeled further place, in this card or in another `entry`."""

    label: str
    route: KeyPath = ()
    entry: Entry | None = None


class Finding(NamedTuple):
    """A problem that a check reports.

    `route` is relative to the part of the card that the check looks at, or to the card of `entry` if there is one.
    `text_range` narrows the place to some characters of a text, and `at_key` selects the key instead of its value.
    `word` narrows the place to a word in it, if it contains that word: 'P7' in the short form of a weapon.
    A finding outside of cards has a `place`.
    """

    message: str
    route: KeyPath = ()
    help: str = ""
    text_range: TextRange | None = None
    at_key: bool = False
    word: str = ""
    entry: Entry | None = None
    place: Place | None = None
    related: tuple[Related, ...] = ()
    fix: Fix | None = None


# What the `find` of a check yields.
Findings: TypeAlias = Iterator[Finding]
Find: TypeAlias = Callable[[Any, Any], Iterable[Finding]]

FIT_FAMILY = "5"


class Check(NamedTuple):
    """A check.

    `find` is None for a fixed limit, which is enforced while cards are read or drawn; then `looks_at` is empty.
    `manual` is the manual page, or a function that creates it. `game` is the game that the check is for, or '' for all
    games.
    """

    code: str
    name: str
    manual: str | Callable[[], str]
    severity: Severity = Severity.ERROR
    confidence: Confidence = Confidence.CERTAIN
    looks_at: tuple[type, ...] = ()
    find: Find | None = None
    game: str = ""

    @property
    def page(self) -> str:
        """The manual page."""
        return self.manual if isinstance(self.manual, str) else self.manual()

    @property
    def is_fixed_limit(self) -> bool:
        """True for a fixed limit, which always runs and cannot be ignored."""
        return self.find is None

    @property
    def needs_rendering(self) -> bool:
        """True for checks of rendered cards: the fit and print family."""
        return self.code[2:3] == FIT_FAMILY

    def matches(self, word: str) -> bool:
        """Return whether `word` is its name, code, code prefix, or 'all'."""
        return word == self.name or word.casefold() == "all" or (word != "" and self.code.startswith(word.upper()))


def rule(code: str, severity: str, confidence: str) -> Callable[[Callable[..., Iterable[Finding]]], Check]:
    """Return a decorator that makes a check of the function `find` in a module of checks.

    The check looks at the types with which the first parameter is annotated; the second one, the context, may be left
    out. The name and the page of the check are those of its module.
    """

    def decorate(find: Callable[..., Iterable[Finding]]) -> Check:
        part, *context = signature(find, eval_str=True).parameters.values()
        looks_at = get_args(part.annotation) or (part.annotation,)
        in_context = find if context else lambda part, _: find(part)
        return Check(code, "", "", Severity(severity), Confidence(confidence), looks_at, in_context)

    return decorate
