"""Concise report for people and editors: one line per finding."""

from __future__ import annotations

from cardgen.checking.runner import CheckResult, GroupedFinding
from cardgen.diagnostic import escape_controls


def report(result: CheckResult) -> str:
    """Return a line for each finding, with the name of its check."""
    return "".join(f"{_line(group)}\n" for group in result.groups)


def _line(group: GroupedFinding) -> str:
    line = escape_controls(f"{group.finding.diagnostic} ({group.finding.check.name})")
    return f"{line}; {group.also}" if group.also else line
