"""Concise report for people and editors: one line per finding."""

from __future__ import annotations

from cardgen.checking.runner import CheckResult, GroupedFinding
from cardgen.diagnostic import format_headline


def report(result: CheckResult, *, color: bool = False) -> str:
    """Return a line for each finding, with the name of its check."""
    return "".join(f"{_line(group, color=color)}\n" for group in result.groups)


def _line(group: GroupedFinding, *, color: bool) -> str:
    line = f"{format_headline(group.finding.diagnostic, color=color)} ({group.finding.check.name})"
    return f"{line}; {group.also}" if group.also else line
