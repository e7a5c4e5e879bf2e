"""A check and its findings: code, severity, confidence, symbolic places, fixes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from typing import Any, NamedTuple, TypeAlias

from cardgen.diagnostic import Place, Severity
from cardgen.model.entry import Entry
from cardgen.source import KeyPath


class Confidence(StrEnum):
    """How sure a check is: by the rules, by what is usual, or by a likeness only."""

    CERTAIN = "certain"
    LIKELY = "likely"
    GUESS = "guess"


# The characters of a text from the first up to, not including, the second.
TextRange = tuple[int, int]


class Fix(NamedTuple):
    """How a finding is mended: `text` is written in the place of the finding.

    `safe` says that the author certainly means that; otherwise it changes what the card does.
    """

    text: str
    safe: bool = False


class Related(NamedTuple):
    """A further place, in this card or in another `entry`, with a word on it."""

    label: str
    route: KeyPath = ()
    entry: Entry | None = None


class Finding(NamedTuple):
    """One thing that a check has to say.

    `route` leads on from the part of the card that the check looks at, unless an `entry` is named: then it leads
    from that card. `part` narrows a text down to some of its characters, `at_key` means the key and not its value.
    `word` narrows the place down to a word, where it stands in it: 'P7' in a weapon's short form.
    A finding that stands in no card has a `place`.
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
    """One check.

    `find` is None for a fixed limit, which is found while cards are read or drawn; then `looks_at` is empty.
    `page` is the manual page. `game` is the game whose cards it is for, '' for all.
    """

    code: str
    name: str
    page: str
    severity: Severity = Severity.ERROR
    confidence: Confidence = Confidence.CERTAIN
    looks_at: tuple[type, ...] = ()
    find: Find | None = None
    game: str = ""

    @property
    def is_fixed_limit(self) -> bool:
        """True for a fixed limit: it holds always and nobody can ignore it."""
        return self.find is None

    @property
    def needs_rendering(self) -> bool:
        """True for what only the drawn card shows: the family of fit and print."""
        return self.code[2:3] == FIT_FAMILY

    def matches(self, word: str) -> bool:
        """Whether `word` names the check: its code, the beginning of its code, its name, or 'all'."""
        return word == self.name or word.casefold() == "all" or (word != "" and self.code.startswith(word.upper()))
