"""What a run of checks gave, ready to be reported."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from cardgen.check.check import Check
from cardgen.check.locating import LocatedFinding
from cardgen.diagnostic import Severity

_SEVERITY_RANK = {Severity.NOTE: 0, Severity.WARNING: 1, Severity.ERROR: 2}


class CheckResult(NamedTuple):
    """The findings in the order of reports, and counts.

    `unmet` are the checks that met nothing to look at, `passed_over` the files of the project that nobody read.
    """

    findings: tuple[LocatedFinding, ...]
    files: int
    cards: int
    checks: tuple[Check, ...]
    not_applicable: tuple[Check, ...]
    skipped: tuple[str, ...] = ()
    fix_count: int = 0

    def fails(self, level: Severity) -> bool:
        """Whether something was found at that level or above it."""
        return any(_SEVERITY_RANK[one.diagnostic.severity] >= _SEVERITY_RANK[level] for one in self.findings)

    @property
    def statistics(self) -> Mapping[Check, int]:
        """How often each check found something, the most frequent first."""
        counts = Counter(one.check for one in self.findings)
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0].code)))

    @property
    def summary(self) -> str:
        """The last line: what was looked at, and what was found."""
        parts = [
            count_of(self.files, "file"),
            count_of(self.cards, "card"),
            f"{count_of(len(self.checks), 'check')} run",
        ]
        if self.not_applicable:
            parts.append(f"{len(self.not_applicable)} of them met nothing to look at")
        if self.skipped:
            parts.append(f"{count_of(len(self.skipped), 'other file')} passed over")
        return f"{self._verdict}: {', '.join(parts)}"

    @property
    def _verdict(self) -> str:
        severities = Counter(one.diagnostic.severity for one in self.findings)
        parts = [count_of(severities[severity], severity.value) for severity in Severity if severities[severity]]
        fixed = [f"{self.fix_count} fixed"] if self.fix_count else []
        return ", ".join([*parts, *fixed]) if parts or fixed else "clean"


def count_of(number: int, one: str) -> str:
    """'1 card', '2 cards'."""
    return f"{number:,} {one}" + ("" if number == 1 else "s")


def sort_findings(findings: Iterable[LocatedFinding]) -> tuple[LocatedFinding, ...]:
    """The findings by file and place, each once."""
    unique = {(one.diagnostic, one.check.code): one for one in findings}
    return tuple(sorted(unique.values(), key=lambda one: one.diagnostic.sort_key()))
