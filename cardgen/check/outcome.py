"""What a run of checks gave, ready to be reported."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from cardgen.check.check import Check
from cardgen.check.locating import Found
from cardgen.diagnostic import Severity

_RANK = {Severity.NOTE: 0, Severity.WARNING: 1, Severity.ERROR: 2}


class Outcome(NamedTuple):
    """The findings in the order of reports, and counts.

    `unmet` are the checks that met nothing to look at, `passed_over` the files of the project that nobody read.
    """

    found: tuple[Found, ...]
    files: int
    cards: int
    checks: tuple[Check, ...]
    unmet: tuple[Check, ...]
    passed_over: tuple[str, ...] = ()
    fixed: int = 0

    def fails(self, level: Severity) -> bool:
        """Whether something was found at that level or above it."""
        return any(_RANK[one.diagnostic.severity] >= _RANK[level] for one in self.found)

    @property
    def statistics(self) -> Mapping[Check, int]:
        """How often each check found something, the most frequent first."""
        counts = Counter(one.check for one in self.found)
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0].code)))

    @property
    def summary(self) -> str:
        """The last line: what was looked at, and what was found."""
        parts = [counted(self.files, "file"), counted(self.cards, "card"), f"{counted(len(self.checks), 'check')} run"]
        if self.unmet:
            parts.append(f"{len(self.unmet)} of them met nothing to look at")
        if self.passed_over:
            parts.append(f"{counted(len(self.passed_over), 'other file')} passed over")
        return f"{self._verdict}: {', '.join(parts)}"

    @property
    def _verdict(self) -> str:
        severities = Counter(one.diagnostic.severity for one in self.found)
        parts = [counted(severities[severity], severity.value) for severity in Severity if severities[severity]]
        fixed = [f"{self.fixed} fixed"] if self.fixed else []
        return ", ".join([*parts, *fixed]) if parts or fixed else "clean"


def counted(number: int, one: str) -> str:
    """'1 card', '2 cards'."""
    return f"{number:,} {one}" + ("" if number == 1 else "s")


def in_order(found: Iterable[Found]) -> tuple[Found, ...]:
    """The findings by file and place, each once."""
    unique = {(one.diagnostic, one.check.code): one for one in found}
    return tuple(sorted(unique.values(), key=lambda one: one.diagnostic.sort_key()))
