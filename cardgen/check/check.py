"""A check: what it is called, what it looks at, and how it finds something."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeAlias

from cardgen.check.finding import Confidence, Finding
from cardgen.diagnostic import Severity

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
