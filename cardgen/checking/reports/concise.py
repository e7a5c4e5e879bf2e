"""Concise report for people and editors: one line per finding."""

from __future__ import annotations

from cardgen.checking.runner import CheckResult


def report(result: CheckResult) -> str:
    """A line for each finding, with the name of its check."""
    return "".join(f"{one.diagnostic} ({one.check.name})\n" for one in result.findings)
