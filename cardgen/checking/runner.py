"""Groups of equal findings, so that people read each of them once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from cardgen.checking.baseline import BaselineMatch
from cardgen.checking.card_steps import Dispatch, FindInCards, find_here
from cardgen.checking.check import Check
from cardgen.checking.context import CheckContext, CheckScope
from cardgen.checking.locate import LocatedFinding, locate
from cardgen.diagnostic import Group, Severity, group_alike
from cardgen.quantity import quantity
from cardgen.source import Document

GroupedFinding: TypeAlias = Group[LocatedFinding]


def group_findings(findings: Iterable[LocatedFinding]) -> tuple[GroupedFinding, ...]:
    """Group the findings with the same check and message in more than three places, sorted by their first places."""
    groups = group_alike(findings, lambda one: one.diagnostic)
    return tuple(sorted(groups, key=lambda group: group.finding.diagnostic.sort_key()))


_SEVERITY_RANK = {Severity.NOTE: 0, Severity.WARNING: 1, Severity.ERROR: 2}


class CheckResult(NamedTuple):
    """The findings in the order of reports, and what was checked.

    `files` are the card files that were read. `not_applicable` are the checks that had nothing to check, `skipped` the
    files of the project that were not read. `show_all` makes reports for people show every place of a finding.
    `fail_level` is the lowest severity that fails the run. `baseline` says which findings a baseline file left out.
    """

    findings: tuple[LocatedFinding, ...]
    files: tuple[str, ...]
    cards: int
    checks: tuple[Check, ...]
    not_applicable: tuple[Check, ...]
    skipped: tuple[str, ...] = ()
    fix_count: int = 0
    show_all: bool = False
    fail_level: Severity = Severity.WARNING
    baseline: BaselineMatch | None = None

    @property
    def groups(self) -> tuple[GroupedFinding, ...]:
        """The findings as reports for people show them."""
        return tuple(map(Group, self.findings)) if self.show_all else group_findings(self.findings)

    @property
    def failed(self) -> bool:
        """True if a finding has the fail level or a higher severity."""
        return any(map(self.is_failure, self.findings))

    def is_failure(self, finding: LocatedFinding) -> bool:
        """Return whether a finding has the fail level or a higher severity."""
        return _SEVERITY_RANK[finding.diagnostic.severity] >= _SEVERITY_RANK[self.fail_level]

    @property
    def statistics(self) -> Mapping[Check, int]:
        """The number of findings of each check, the largest first."""
        counts = Counter(one.check for one in self.findings)
        return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0].code)))

    @property
    def summary(self) -> str:
        """The last line: counts of findings, files, cards, and checks."""
        parts = [
            quantity(len(self.files), "file"),
            quantity(self.cards, "card"),
            f"{quantity(len(self.checks), 'check')} run",
        ]
        if self.not_applicable:
            parts.append(f"{len(self.not_applicable)} had nothing to check")
        if self.skipped:
            parts.append(f"{quantity(len(self.skipped), 'other file')} skipped")
        if self.baseline:
            parts.append(f"{quantity(self.baseline.left_out, 'finding')} in the baseline")
            if self.baseline.stale:
                parts.append(f"{sum(self.baseline.stale.values()):,} stale")
        return f"{self._verdict}: {', '.join(parts)}"

    @property
    def _verdict(self) -> str:
        groups = self.groups
        severities = Counter(group.finding.diagnostic.severity for group in groups)
        parts = [quantity(severities[severity], severity.value) for severity in Severity if severities[severity]]
        fixed = [f"{self.fix_count} fixed"] if self.fix_count else []
        places = f" (in {len(self.findings):,} places)" if len(groups) < len(self.findings) else ""
        return ", ".join([*parts, *fixed]) + places if parts or fixed else "clean"


def sort_findings(findings: Iterable[LocatedFinding]) -> tuple[LocatedFinding, ...]:
    """Sort findings by file and place, and remove duplicates."""
    unique = {(one.diagnostic, one.check.code): one for one in findings}
    return tuple(sorted(unique.values(), key=lambda one: one.diagnostic.sort_key()))


@dataclass(slots=True)
class RunRecord:
    """The findings of a run, and the names of the applicable checks."""

    findings: list[LocatedFinding] = field(default_factory=list)
    applicable: set[str] = field(default_factory=set)


def run_checks(
    scope: CheckScope,
    checks: Iterable[Check],
    rendered: Iterable[tuple[CheckContext, object]] = (),
    find_in_cards: FindInCards = find_here,
) -> RunRecord:
    """Run checks on the scope, its files, cards, and rendered cards.

    `find_in_cards` checks the cards, by default in this process.
    """
    record = RunRecord()
    dispatch = Dispatch(checks, record.applicable)
    for context, thing in (*_scope_and_documents(scope), *rendered):
        for check, find in dispatch[type(thing), context.entry.game if context.entry else ""]:
            record.findings += [locate(finding, check, context) for finding in find(thing, context)]
    for context, (finding, check) in find_in_cards(scope, dispatch):
        record.findings.append(locate(finding, check, context))
    return record


def _scope_and_documents(scope: CheckScope) -> Iterator[tuple[CheckContext, CheckScope | Document]]:
    context = CheckContext(scope)
    yield context, scope
    for document in scope.documents:
        yield context, document
