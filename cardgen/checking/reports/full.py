"""Full report for people: each finding with its source line, as a compiler prints it."""

from __future__ import annotations

from cardgen.checking.locate import LocatedFinding
from cardgen.checking.runner import CheckResult
from cardgen.diagnostic import format_diagnostic


def report(result: CheckResult) -> str:
    """All findings, a blank line between."""
    return "".join(f"{_finding(one)}\n\n" for one in result.findings)


def _finding(one: LocatedFinding) -> str:
    lines = [format_diagnostic(one.diagnostic)]
    if one.fix:
        lines.append(
            f"  fix: {'--fix' if one.fix.safe else '--fix --unsafe-fixes'} writes {one.fix.text.strip()!r} here"
        )
    lines.append(f"  why: cardgen check --explain {one.check.name}")
    return "\n".join(lines)
